//! Finds the text whose English is a sentence of a library, to translate it.
//!
//! The YAML library reports its errors as English sentences only. Its error type has no kinds, the parser's messages are
//! constants inside it, and `serde::de::Expected` can only be displayed. So the sentence itself is matched with the entries. The
//! result is a translation and nothing else: no decision depends on it, and an unknown sentence is shown as it is.
use crate::{Text, template::TextTemplate};

/// The first of `templates` whose English matches, with what is in the places of its arguments. An argument in quotes is a user's
/// value; another argument may be a text of `templates` itself. `shown` makes a user's value visible. The English of `templates`
/// has its arguments in their order.
pub(crate) fn recognise(
    templates: &[TextTemplate],
    english: &str,
    shown: &dyn Fn(&str) -> String,
) -> Option<Text> {
    templates.iter().find_map(|template| {
        let sample = template.sample();
        let values = arguments(&sample.en, template.argument_count, english)?;
        let text = |(is_quoted, value): (bool, &str)| {
            let known = (!is_quoted).then(|| recognise(templates, value, shown)).flatten();
            known.unwrap_or_else(|| Text::verbatim(shown(value)))
        };
        (template.make)(values.into_iter().map(text).collect())
    })
}

/// The parts of `english` in the places of `<0>`, `<1>`, ... of `sample`, each with whether it is in quotes. A sentence that can
/// be split in several ways is split at the last possible places, since a user's value precedes what is expected.
fn arguments<'a>(sample: &str, count: usize, english: &'a str) -> Option<Vec<(bool, &'a str)>> {
    let mut parts = Vec::new();
    let mut rest = sample;
    for at in 0..count {
        let (before, after) = rest.split_once(&format!("<{at}>"))?;
        parts.push(before);
        rest = after;
    }
    let Some((first, between)) = parts.split_first() else { return (sample == english).then(Vec::new) };
    let mut left = english.strip_prefix(first)?.strip_suffix(rest)?;
    let mut values = Vec::new();
    for part in between.iter().rev() {
        let (before, value) = left.rsplit_once(part)?;
        values.push((part.ends_with(['`', '"']), value));
        left = before;
    }
    values.push((first.ends_with(['`', '"']), left));
    values.reverse();
    Some(values)
}

#[cfg(test)]
mod tests {
    use crate::yaml;

    #[test]
    fn a_sentence_is_taken_apart_and_what_a_user_wrote_stays() {
        for (english, russian) in [
            (
                "invalid type: string \"a, expected b\", expected a whole number from 1 to 3",
                "неверный тип: строка \"a, expected b\"; ожидается целое число от 1 до 3",
            ),
            (
                "unknown field `map`, expected `seq` or `mpi`",
                "неизвестный ключ `map`, допустимо `seq` или `mpi`",
            ),
            (
                "did not find expected ',' or '}' at line 8 column 7, while parsing a flow mapping at line 7 column 6",
                "нет ожидаемых ',' или '}' (строка 8, столбец 7), при разборе отображения в скобках (строка 7, столбец 6)",
            ),
        ] {
            let text = yaml::recognise(english, &str::to_owned).expect(english);
            assert_eq!((&*text.en, &*text.ru), (english, russian));
        }
        assert_eq!(yaml::recognise("a sentence of another library", &str::to_owned), None);
    }

    #[test]
    fn only_a_users_value_is_made_visible() {
        let text =
            yaml::recognise("invalid type: integer `7`, expected a string", &|value| format!("<{value}>"));
        assert_eq!(text.expect("it is known").en, "invalid type: integer `<7>`, expected a string");
    }
}
