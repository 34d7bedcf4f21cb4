//! Disguises of a program that need no understanding of it.
use std::collections::BTreeSet;

/// A disguise and its name.
type Disguise = (&'static str, fn(&str) -> String);

/// All of them.
pub(super) const MECHANICAL: [Disguise; 7] = [
    ("commented", commented),
    ("dead code", with_dead_code),
    ("formatted", formatted),
    ("renamed", renamed),
    ("reordered", reordered),
    ("swapped", swapped),
    ("types", with_other_types),
];

/// The functions that the trait names.
const STAGES: [&str; 4] = ["validation", "preprocessing", "run", "postprocessing"];

/// A comment before each line.
pub(super) fn commented(text: &str) -> String {
    let lines = text.lines().enumerate().map(|(at, line)| match line.starts_with("//!") {
        true => format!("{line}\n"),
        false => format!("// Step {at}: this comes next.\n{line} /* done */\n"),
    });
    lines.collect()
}

/// A statement without effect after every fifth statement, and a function that nothing calls.
fn with_dead_code(text: &str) -> String {
    let mut disguised = String::new();
    let is_statement = |line: &str| line.starts_with("        ") && line.ends_with(';');
    let mut statements = 0;
    for line in text.lines() {
        disguised.extend([line, "\n"]);
        statements += usize::from(is_statement(line));
        if is_statement(line) && statements.is_multiple_of(5) {
            disguised += &format!("let unused_{statements} = {statements} * 2 + 1;\n");
        }
    }
    disguised + "fn half(numbers: &[u64]) -> Option<u64> {\n    numbers.get(numbers.len() / 2).copied()\n}\n"
}

/// A line for each brace and each statement.
fn formatted(text: &str) -> String {
    let lines = text.lines().map(|line| match line.trim_start().starts_with("//") {
        true => format!("{line}\n"),
        false => line.replace('{', "\n{\n").replace(';', "\n;\n\n").replace(", ", " ,\n") + "\n",
    });
    lines.collect()
}

/// Other names for all variables, functions, types and fields of its own.
fn renamed(text: &str) -> String {
    const BINDING_WORDS: [&str; 6] = ["let", "mut", "for", "fn", "struct", "const"];
    let words = words(text);
    let mut names = BTreeSet::new();
    for pair in words.windows(2) {
        if BINDING_WORDS.contains(&pair[0]) && !BINDING_WORDS.contains(&pair[1]) {
            names.insert(pair[1]);
        }
    }
    let is_free = |name: &str| !STAGES.contains(&name) && !["Mpi", "OUTPUT", "self"].contains(&name);
    names.retain(|name| is_free(name) && name.starts_with(char::is_alphabetic));
    let names: Vec<_> = names.into_iter().collect();
    replace_words(text, |word| names.binary_search(&word).ok().map(|at| format!("name_{at}")))
}

/// The items in the opposite order; what comes before the first empty line stays.
fn reordered(text: &str) -> String {
    let mut items: Vec<String> = vec![];
    for block in text.split("\n\n") {
        match items.last_mut().filter(|_| block.starts_with([' ', '}'])) {
            Some(item) => *item += &format!("\n\n{block}"),
            None => items.push(block.trim_end().to_owned()),
        }
    }
    items[1..].reverse();
    items.join("\n\n") + "\n"
}

/// The operands of a commutative operator exchanged, where it is the only one of its expression.
fn swapped(text: &str) -> String {
    let swap = |line: &str| {
        for operator in [" + ", " * ", " == ", " != "] {
            let Some((before, after)) = line.split_once(operator) else { continue };
            let left = &before[before.trim_end_matches(is_part_of_word).len()..];
            let (outside, after_right) =
                (&before[..before.len() - left.len()], after.trim_start_matches(is_part_of_word));
            let right = &after[..after.len() - after_right.len()];
            let is_alone = ["(", "[", "= ", "if "].iter().any(|start| outside.ends_with(start))
                && [")", "]", ";", ",", " {"].iter().any(|end| after_right.starts_with(end));
            if is_alone && !left.is_empty() && !right.is_empty() {
                return format!("{outside}{right}{operator}{left}{after_right}\n");
            }
        }
        format!("{line}\n")
    };
    text.lines().map(swap).collect()
}

/// Other types of numbers.
fn with_other_types(text: &str) -> String {
    let others =
        [("u64", "i64"), ("i64", "u64"), ("i32", "u32"), ("usize", "u32"), ("f64", "f32"), ("u8", "i8")];
    replace_words(text, |word| others.iter().find(|(from, _)| *from == word).map(|(_, to)| (*to).to_owned()))
}

fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c| !is_part_of_word(c)).filter(|word| !word.is_empty()).collect()
}

fn replace_words(text: &str, other: impl Fn(&str) -> Option<String>) -> String {
    let mut replaced = String::new();
    for piece in text.split_inclusive(|c| !is_part_of_word(c)) {
        let word = piece.trim_end_matches(|c| !is_part_of_word(c));
        replaced += &other(word).unwrap_or_else(|| word.to_owned());
        replaced += &piece[word.len()..];
    }
    replaced
}
