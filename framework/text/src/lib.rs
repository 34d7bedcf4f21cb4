//! Texts in both languages: [`Text`], and the explanations that ranks and backends make.
//!
//! Ranks and backends produce explanations ("rank 0 waits for 2, which has ended") below the crates that know the user's
//! language, and some explanations travel between processes. So a [`Text`] holds both languages. It is compared, sorted and
//! serialised like any other value, and [`Text::in_language`] selects the language where it is shown. `Display` is English, for
//! panics, tests and programs.
//!
//! **Where a new text goes**: one entry in the module of its area below, English and Russian side by side. The entry is a
//! function that takes the arguments; an argument may be another text. An entry in one language only does not compile.
//! Texts that only the command line, the harness or a report show are entries of `wb-messages`, which know the language.
//! Text from outside passes through [`escape`] before it is shown.
//!
//! ```
//! use wb_text::{Lang, Text, waiting};
//! let text = waiting::for_ended(0, &[2]);
//! assert_eq!(text.to_string(), "rank 0 waits for 2, which has ended");
//! assert_eq!(text.in_language(Lang::Ru), "процесс 0 ждёт процесс 2, который завершился");
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

/// Declares the entries of one module: `name(args) { "English {args}", "Russian {args}" }`, each a function that makes the
/// [`Text`].
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),* $(,)?) { $en:literal, $ru:literal $(,)? })*) => {
        $(
            #[doc = concat!("`` ", $en, " ``")]
            $(#[$doc])*
            pub fn $name($($arg: impl Into<$crate::Text>),*) -> $crate::Text {
                $(let $arg: $crate::Text = $arg.into();)*
                let en = {
                    $(let $arg = &$arg.en;)*
                    format!($en)
                };
                let ru = {
                    $(let $arg = &$arg.ru;)*
                    format!($ru)
                };
                $crate::Text { en: en.into(), ru: ru.into() }
            }
        )*

        /// Every entry of this module.
        pub(crate) static TEMPLATES: &[$crate::template::TextTemplate] = &[$({
            const COUNT: usize = <[&str]>::len(&[$(stringify!($arg)),*]);
            $crate::template::TextTemplate {
                path: concat!(module_path!(), "::", stringify!($name)),
                argument_count: COUNT,
                make: |arguments| {
                    let [$($arg),*] = <[$crate::Text; COUNT]>::try_from(arguments).ok()?;
                    Some(self::$name($($arg),*))
                },
            }
        }),*];
    };
}

mod encoding;
pub mod escape;
mod lang;
mod recognition;
mod template;
mod text;

pub mod ascend;
pub mod barrier;
pub mod collective;
pub mod control;
pub mod course;
pub mod epoch;
pub mod error;
pub mod evidence;
pub mod exploration;
pub mod file;
pub mod grade;
pub mod group;
pub mod hosts;
pub mod layout;
pub mod leaks;
pub mod number;
pub mod preload;
pub mod proof;
pub mod public_reason;
pub mod rule;
pub mod settings;
pub mod setup;
pub mod shmem;
pub mod simulation;
pub mod source;
pub mod stage;
pub mod topology;
pub mod tracer;
pub mod waiting;
pub mod window;
pub mod yaml;

pub use encoding::is_utf16;
pub use lang::Lang;
pub use template::samples;
pub use text::Text;

/// Every entry of every module.
fn templates() -> impl Iterator<Item = &'static template::TextTemplate> {
    let modules = [
        ascend::TEMPLATES,
        barrier::TEMPLATES,
        collective::TEMPLATES,
        control::TEMPLATES,
        course::TEMPLATES,
        epoch::TEMPLATES,
        error::TEMPLATES,
        evidence::TEMPLATES,
        exploration::TEMPLATES,
        file::TEMPLATES,
        grade::TEMPLATES,
        group::TEMPLATES,
        hosts::TEMPLATES,
        layout::TEMPLATES,
        leaks::TEMPLATES,
        preload::TEMPLATES,
        proof::TEMPLATES,
        public_reason::TEMPLATES,
        rule::TEMPLATES,
        settings::TEMPLATES,
        setup::TEMPLATES,
        shmem::TEMPLATES,
        simulation::TEMPLATES,
        source::TEMPLATES,
        stage::TEMPLATES,
        topology::TEMPLATES,
        tracer::TEMPLATES,
        waiting::TEMPLATES,
        window::TEMPLATES,
        yaml::TEMPLATES,
    ];
    modules.into_iter().flatten()
}
