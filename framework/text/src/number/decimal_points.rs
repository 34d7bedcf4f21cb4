//! Numbers that have a decimal point in a text for readers: what a test asks of a Russian text.

/// The numbers of `text` with a decimal point, each with the words around it. What has points in every language does not
/// count: markup and its attributes, code, names of files and of processors, versions, and sections of a standard that is cited.
///
/// ```
/// use wb_text::number::decimal_points;
/// assert_eq!(decimal_points("ускорение 1.5, не 1,5").len(), 1);
/// assert!(decimal_points("`x = 1.5`, версия v4.1, rustc 1.90.0, отчёт.2.md (MPI 4.1, 12.5 и 12.5.1)").is_empty());
/// ```
pub fn decimal_points(text: &str) -> Vec<String> {
    let text = without_markup(text);
    let text: String = text.split('`').step_by(2).collect::<Vec<_>>().join("`code`");
    text.lines().flat_map(decimal_points_in_line).collect()
}

/// Elements whose content is not prose.
const CODE_ELEMENTS: [&str; 4] = ["style", "script", "code", "pre"];

/// `text` without tags, and without the content of [`CODE_ELEMENTS`].
fn without_markup(text: &str) -> String {
    if !text.contains("</") {
        return text.to_owned();
    }
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('<') {
        kept += &rest[..at];
        rest = &rest[at + 1..];
        let name: &str = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let end = if CODE_ELEMENTS.contains(&name) { format!("</{name}") } else { String::new() };
        rest = rest.find(&end).map_or("", |at| &rest[at..]);
        rest = rest.split_once('>').map_or("", |(_, rest)| rest);
        // Two cells of a table are two texts.
        kept.push('\n');
    }
    kept + rest
}

fn decimal_points_in_line(line: &str) -> Vec<String> {
    let chars: Vec<char> = line.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or(' ');
    let mut found = vec![];
    let (mut i, mut cited) = (0, false);
    while i < chars.len() {
        cited =
            (cited && at(i) != ')') || ["MPI ", "OpenSHMEM "].iter().any(|name| ends_with(&chars[..i], name));
        if !at(i).is_ascii_digit() {
            i += 1;
            continue;
        }
        let from = i;
        while at(i).is_ascii_digit() || (at(i) == '.' && at(i + 1).is_ascii_digit()) {
            i += 1;
        }
        let points = chars[from..i].iter().filter(|c| **c == '.').count();
        if points == 1 && !cited && !is_name(&chars, from, i) && !is_heading(&chars, from) {
            found.push(chars[from.saturating_sub(30)..(i + 30).min(chars.len())].iter().collect());
        }
    }
    found
}

fn ends_with(chars: &[char], end: &str) -> bool {
    let skipped = chars.len().saturating_sub(end.chars().count());
    chars[skipped..].iter().copied().eq(end.chars())
}

/// Do the digits belong to a word, as in `v4.1`, `gcc-12.2`, `1.tar`, `1.2-x86`, or to a processor's name, as in `@ 2.50GHz`?
fn is_name(chars: &[char], from: usize, to: usize) -> bool {
    let letter = |i: Option<usize>| i.and_then(|i| chars.get(i)).is_some_and(|c| c.is_alphabetic());
    let mark = |i: Option<usize>| i.and_then(|i| chars.get(i)).is_some_and(|c| "-_./".contains(*c));
    let before = letter(from.checked_sub(1)) || mark(from.checked_sub(1)) && letter(from.checked_sub(2));
    // The seconds of a moment: `12:42:08.3767Z`.
    let moment = from.checked_sub(1).is_some_and(|i| chars[i] == ':') && chars.get(to) == Some(&'Z');
    let processor = ends_with(&chars[..from], "@ ") && chars[to..].starts_with(&['G', 'H', 'z']);
    before || moment || processor || mark(Some(to)) && letter(Some(to + 1))
}

/// Whether it is the number of a heading, as in `## 7.1 Правильность`.
fn is_heading(chars: &[char], from: usize) -> bool {
    from > 0 && chars[..from].iter().all(|c| "# ".contains(*c)) && chars[0] == '#'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_where_people_read_them() {
        for text in [
            "1.5",
            "за 1.5 с",
            "[1,5; 1.6]",
            "−0.5 %",
            "S/p = 1.86/4",
            "<td>1.5</td>",
            "<title>после 1.5 мс</title>",
            "1.5x",
            "S=1.5",
            "2.5GHz",
            "@ 2.5 с",
            "`код` и 2.5",
            "MPI 4.1 (раздел 12.5), 7.5 с",
        ] {
            let found = decimal_points(text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
        }
    }

    #[test]
    fn points_that_belong_there_are_left_alone() {
        for text in [
            "1,5",
            "## 7.1 Правильность",
            "<svg><line x1=\"1.5\"/></svg>",
            "<code>1.5</code><script>x = 1.5</script>",
            "rustc 1.90.0",
            "v4.1, gcc-12.2, libmpi.so.40.1-x",
            "Шаг 1. Два",
            "2026-11-22T00:42:08.3767Z",
            "Intel(R) Xeon(R) Processor @ 2.50GHz, доступных ядер: 2",
        ] {
            assert_eq!(decimal_points(text), Vec::<String>::new(), "{text}");
        }
    }
}
