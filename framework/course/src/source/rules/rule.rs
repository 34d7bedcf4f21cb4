//! The rules by name.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};
use wb_text::{Text, source as text};

/// A rule that syntax decides. Its name in settings and in JSON is in kebab case.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    IntoStaticStr,
    EnumString,
    VariantArray,
    Serialize,
    Deserialize,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum SourceRule {
    /// Every `.rs` file is Rust, so that all other rules can be decided.
    Readable,
    /// Only the allowed crates are used.
    Crates,
    /// No files, processes, network, environment or operating system.
    System,
    /// No threads and no state that ranks share.
    Threads,
    /// No clock but `World::now`.
    Clock,
    /// No `unsafe`, no `extern`, no assembler.
    UnsafeCode,
    /// No path whose target cannot be read off: aliases and globs of `std`, parts of paths from macros.
    HiddenPath,
    /// No text from outside the task's folder is compiled in.
    IncludedFiles,
    /// No use of the framework's inside.
    AroundWorld,
    /// No use of the instructor's solution or graded inputs.
    InstructorCode,
}

impl SourceRule {
    /// Every rule.
    pub const ALL: &[Self] = <Self as VariantArray>::VARIANTS;

    /// The name in settings: `send-and-receive-only`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What a student should do instead.
    pub fn remedy(self) -> Text {
        match self {
            Self::Readable => text::remedy_readable(),
            Self::Crates => text::remedy_crates(),
            Self::System => text::remedy_system(),
            Self::Threads => text::remedy_threads(),
            Self::Clock => text::remedy_clock(),
            Self::UnsafeCode => text::remedy_unsafe(),
            Self::HiddenPath => text::remedy_hidden(),
            Self::IncludedFiles => text::remedy_included(),
            Self::AroundWorld => text::remedy_around_world(),
            Self::InstructorCode => text::remedy_instructor(),
        }
    }
}
