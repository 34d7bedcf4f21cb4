//! The reasons for which there is no sandbox.
use std::fmt;

use wb_messages::{Lang, judge as text};

/// There is no sandbox, for this reason.
#[derive(Debug)]
#[non_exhaustive]
pub enum SandboxError {
    /// The system is not Linux.
    NotLinux,
    /// A program is not installed.
    Missing {
        /// The program.
        program: &'static str,
        /// The package of Debian that contains it.
        package: &'static str,
    },
    /// The kernel refuses what bubblewrap needs.
    Refused {
        /// The output of bubblewrap.
        reason: String,
    },
}

impl SandboxError {
    /// The reason in a language.
    pub fn render(&self, lang: Lang) -> String {
        match self {
            Self::NotLinux => text::sandbox_not_linux(lang),
            Self::Missing { program, package } => text::sandbox_program_missing(lang, program, package),
            Self::Refused { reason } => text::sandbox_refused(lang, reason),
        }
    }
}

impl fmt::Display for SandboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Lang::En))
    }
}

impl std::error::Error for SandboxError {}
