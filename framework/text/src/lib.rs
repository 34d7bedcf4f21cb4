//! Texts as values: which text, with which arguments, rendered in English or in Russian where it is shown.
//!
//! Ranks and backends produce explanations ("rank 0 waits for 2, which has ended") below the crates that know the user's
//! language, and some explanations travel between processes. So they are values of type [`Text`]: they are compared,
//! sorted and serialised like any other value, and [`Text::render`] makes the words. `Display` is English, for panics,
//! tests and programs.
//!
//! **Where a new text goes**: one entry in the module of its area below, English and Russian side by side. The entry is a
//! function that takes the arguments; an argument may be another text. An entry in one language only does not compile.
//! Texts that only the command line, the harness or a report show are entries of `wb-messages`, which need no value.
//!
//! ```
//! use wb_text::{Lang, Text, waiting};
//! let text = waiting::for_ended(0, &[2]);
//! assert_eq!(text.to_string(), "rank 0 waits for 2, which has ended");
//! assert_eq!(text.render(Lang::Ru), "процесс 0 ждёт процесс 2, который завершился");
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
            pub fn $name($($arg: impl Into<$crate::Value>),*) -> $crate::Text {
                $crate::Text::new(entries::$name(), vec![$($arg.into()),*])
            }
        )*

        mod entries {
            use $crate::{TextTemplate, Lang};

            $(
                pub(super) fn $name() -> &'static TextTemplate {
                    static ENTRY: TextTemplate = TextTemplate {
                        name: concat!(module_path!(), "::", stringify!($name)),
                        argument_count: <[&str]>::len(&[$(stringify!($arg)),*]),
                        render: |lang, arguments| {
                            let [$($arg),*] = arguments else { return String::new() };
                            match lang {
                                Lang::En => format!($en),
                                Lang::Ru => format!($ru),
                            }
                        },
                    };
                    &ENTRY
                }
            )*

            pub(super) static ALL: &[fn() -> &'static TextTemplate] = &[$($name),*];
        }

        /// Every entry of this module.
        pub(crate) fn all() -> &'static [fn() -> &'static $crate::TextTemplate] {
            entries::ALL
        }
    };
}

mod lang;
mod recognition;
mod value;

pub mod ascend;
pub mod barrier;
pub mod collective;
pub mod control;
pub mod epoch;
pub mod error;
pub mod exploration;
pub mod leaks;
pub mod number;
pub mod rule;
pub mod settings;
pub mod setup;
pub mod shmem;
pub mod simulation;
pub mod stage;
pub mod waiting;
pub mod window;
pub mod yaml;

pub use lang::Lang;
pub use value::{Text, TextTemplate, Value};

/// Every entry by its name, in `lang`, with `<0>`, `<1>`, ... in place of its arguments: for tests of all texts.
pub fn samples(lang: Lang) -> impl Iterator<Item = (String, String)> {
    entries().map(move |entry| (entry.id(), entry.sample(lang)))
}

/// Every entry there is.
pub(crate) fn entries() -> impl Iterator<Item = &'static TextTemplate> {
    let modules = [
        ascend::all(),
        barrier::all(),
        collective::all(),
        control::all(),
        epoch::all(),
        error::all(),
        leaks::all(),
        exploration::all(),
        rule::all(),
        settings::all(),
        setup::all(),
        shmem::all(),
        simulation::all(),
        stage::all(),
        waiting::all(),
        window::all(),
        yaml::all(),
    ];
    modules.into_iter().flatten().map(|entry| entry())
}
