//! Finds the text that an English sentence is made from: a library gives its sentence, not its meaning.
use crate::{Lang, Text, TextTemplate, Value};

/// The first of `entries` whose English fits, with what is in the place of its arguments. An argument in quotes is a user's
/// and stays as it is; another one may be a text itself. The English of `entries` has its arguments in their order.
pub(crate) fn recognise(entries: &[fn() -> &'static TextTemplate], english: &str) -> Option<Text> {
    entries.iter().find_map(|entry| {
        let entry = entry();
        let sample = entry.sample(Lang::En);
        let values = arguments(&sample, entry.argument_count, english)?;
        let text =
            |(quoted, value): (bool, &str)| match (!quoted).then(|| recognise(entries, value)).flatten() {
                Some(text) => Value::Text(text),
                None => value.into(),
            };
        Some(Text::new(entry, values.into_iter().map(text).collect()))
    })
}

/// What is in `english` in the places of `<0>`, `<1>`, ... of `sample`, each with whether it is in quotes. What can be split
/// in several ways is split at the end, since a user's value is in front of what is expected.
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
    use crate::{Lang, yaml};

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
            let text = yaml::recognise(english).expect(english);
            assert_eq!((text.render(Lang::En).as_str(), text.render(Lang::Ru).as_str()), (english, russian));
        }
        assert_eq!(yaml::recognise("a sentence of another library"), None);
    }
}
