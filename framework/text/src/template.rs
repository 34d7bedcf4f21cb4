//! The entries of the tables of this crate, for tests of all texts and for the recognition of a library's sentences.
use crate::{Lang, Text};

/// An entry: the function that makes a text from its arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextTemplate {
    /// `wb_text::waiting::wait_cycle`.
    pub(crate) path: &'static str,
    /// The number of arguments.
    pub(crate) argument_count: usize,
    /// The text of as many arguments; `None` for another number.
    pub(crate) make: fn(Vec<Text>) -> Option<Text>,
}

impl TextTemplate {
    /// The last two parts of the path: `waiting.wait_cycle`.
    pub(crate) fn id(&self) -> String {
        let mut parts = self.path.rsplit("::");
        let name = parts.next().unwrap_or_default();
        format!("{}.{name}", parts.next().unwrap_or_default())
    }

    /// The text with `<0>`, `<1>`, ... in place of the arguments.
    pub(crate) fn sample(&self) -> Text {
        let marks = (0..self.argument_count).map(|at| Text::verbatim(format!("<{at}>"))).collect();
        (self.make)(marks).expect("as many marks as arguments")
    }
}

/// Every entry by its name, in `lang`, with `<0>`, `<1>`, ... in place of its arguments: for tests of all texts.
pub fn samples(lang: Lang) -> impl Iterator<Item = (String, String)> {
    crate::templates().map(move |template| (template.id(), template.sample().render(lang)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_every_argument_is_in_both_languages() {
        let names: BTreeSet<_> = crate::templates().map(TextTemplate::id).collect();
        assert_eq!(names.len(), crate::templates().count());
        assert!(names.contains("waiting.wait_cycle") && names.len() > 50, "{names:?}");
        for template in crate::templates() {
            let sample = template.sample();
            for lang in Lang::ALL {
                let marks = (0..template.argument_count).map(|at| format!("<{at}>"));
                let missing: Vec<_> =
                    marks.filter(|mark| !sample.in_language(lang).contains(mark.as_str())).collect();
                assert!(missing.is_empty(), "{} in {}: {missing:?}", template.path, lang.code());
            }
        }
    }
}
