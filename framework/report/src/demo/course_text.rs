//! `course.yaml` of the demo: the repository's, with other groups.
//!
//! It is changed as a text, so that its comments stay.

use std::fmt::Write;

use crate::demo::{calendar::DemoCalendar, people, people::DemoStudent};

/// Students whose deadlines are later.
const EXTENSIONS: usize = 2;

/// The repository's course with the demo's streams and extensions, marked as synthetic. Its deadlines for groups are left out, because
/// the demo has other groups.
pub(crate) fn course_text(course: &str, students: &[DemoStudent], calendar: &DemoCalendar) -> String {
    let text = without_deadlines_of_groups(course);
    let text = with_block(&text, "streams", &people::streams(students));
    let text = with_block(&text, "extensions", &extensions(students, calendar));
    with_block(
        &text,
        "synthetic",
        "# All students and results are invented: every page says so.\nsynthetic: true\n",
    )
}

fn extensions(students: &[DemoStudent], calendar: &DemoCalendar) -> String {
    if students.len() < EXTENSIONS {
        return "extensions: []\n".to_owned();
    }
    let mut text = "extensions:\n".to_owned();
    for student in students.iter().take(EXTENSIONS) {
        let login = &student.login;
        let _ = writeln!(
            text,
            "  - {{ login: {login}, assignment: 1, until: {}, reason: a certificate of illness, by: A. Instructor }}",
            calendar.extended
        );
    }
    text
}

/// The text with `block` in the place of the top-level key, or at the end where there is no such key.
fn with_block(text: &str, key: &str, block: &str) -> String {
    let start = format!("{key}:");
    let (mut out, mut is_inside, mut is_replaced) = (String::new(), false, false);
    for line in text.lines() {
        if line.starts_with(&start) && !is_replaced {
            out.push_str(block);
            (is_inside, is_replaced) = (true, true);
            continue;
        }
        is_inside &= line.starts_with([' ', '-']);
        if !is_inside {
            out.push_str(line);
            out.push('\n');
        }
    }
    if !is_replaced {
        out.push_str(block);
    }
    out
}

/// The text with an empty mapping in the place of each value of the key `deadlines`.
fn without_deadlines_of_groups(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((at, indent)) = find_key(rest, "deadlines:") {
        let (before, value) = rest.split_at(at + "deadlines:".len());
        out.push_str(before);
        out.push_str(" {}");
        rest = match value.trim_start_matches(' ').strip_prefix('{') {
            Some(flow) => flow.split_once('}').map_or("", |(_, behind)| behind),
            None => behind_block(value, indent),
        };
    }
    out + rest
}

/// The place of a key and its column: it begins a line, or follows the brace or the comma of a mapping in braces.
fn find_key(text: &str, key: &str) -> Option<(usize, usize)> {
    text.match_indices(key).map(|(at, _)| (at, line_before(text, at))).find_map(|(at, line)| {
        let is_first = line.trim_start_matches([' ', '-']).is_empty();
        let is_next = line.trim_end().ends_with(['{', ',']) && !line.contains('#');
        (is_first || is_next).then(|| (at, line.chars().count()))
    })
}

/// The line of the place, up to it.
fn line_before(text: &str, at: usize) -> &str {
    text[..at].rsplit('\n').next().unwrap_or_default()
}

/// What follows the value of a key in column `indent`: the rest of its line belongs to it, and the lines that are further to the right.
fn behind_block(value: &str, indent: usize) -> &str {
    let is_inside = |line: &&str| {
        let text = line.trim_start_matches(' ');
        text.trim().is_empty() || line.len() - text.len() > indent
    };
    let first = value.find('\n').unwrap_or(value.len());
    let others = value.get(first + 1..).unwrap_or_default().split_inclusive('\n');
    // The break of the last line stays.
    let rest = &value[first + others.take_while(is_inside).map(str::len).sum::<usize>()..];
    if rest.starts_with('\n') { rest } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_takes_the_place_of_the_old_one_and_nothing_else_changes() {
        let text = "a: 1\nb:\n  - x\n- y\n# c\nc: 2\n";
        assert_eq!(with_block(text, "b", "b: 3\n"), "a: 1\nb: 3\n# c\nc: 2\n");
        assert_eq!(with_block(text, "d", "d: 4\n"), format!("{text}d: 4\n"));
    }

    #[test]
    fn deadlines_of_groups_are_left_out_however_they_are_written() {
        for (text, expected) in [
            ("a:\n  - deadlines: { G: 1, H: 2 }\n    b: 1\n", "a:\n  - deadlines: {}\n    b: 1\n"),
            ("- { a: 1, deadlines: {G: 1,\n  H: 2}, b: 2 }\n", "- { a: 1, deadlines: {}, b: 2 }\n"),
            (
                "  - a: 1\n    deadlines:\n      G: 1\n\n      H: 2\n    b: 1\n",
                "  - a: 1\n    deadlines: {}\n    b: 1\n",
            ),
            ("- deadlines: # of groups\n    G: 1\n  b: 1\n", "- deadlines: {}\n  b: 1\n"),
            ("- a: 1\n  deadlines:\n    G: 1", "- a: 1\n  deadlines: {}"),
            (
                "# `deadlines: { GROUP: DAY }` here\na: 1 # {deadlines: 2\n",
                "# `deadlines: { GROUP: DAY }` here\na: 1 # {deadlines: 2\n",
            ),
        ] {
            assert_eq!(without_deadlines_of_groups(text), expected, "{text}");
        }
    }
}
