//! Compares the two languages of a page: the same headings, programs, commands, codes, tables and words in backticks.
use std::collections::{BTreeMap, BTreeSet};

use crate::outline::{CodeBlock, PageHeading, PageOutline, TableShape};

/// What the Russian page has otherwise than the English one; each sentence names the lines and what to write.
pub fn differences(english: &PageOutline, russian: &PageOutline) -> Vec<String> {
    let headings = headings(&english.headings, &russian.headings);
    let aligned = headings.is_empty();
    let mut found = headings;
    found.extend(blocks(english, russian));
    found.extend(words("code of a finding", &english.codes, &russian.codes));
    found.extend(words("word in backticks", &english.spans, &russian.spans));
    // Where a section is missing, its tables are missing too.
    if aligned {
        found.extend(tables(english, russian));
    }
    found
}

fn marks(heading: &PageHeading) -> String {
    "#".repeat(heading.level)
}

fn headings(english: &[PageHeading], russian: &[PageHeading]) -> Vec<String> {
    let mut found = vec![];
    let (english, russian) = (english.iter().filter(|h| h.level > 1), russian.iter().filter(|h| h.level > 1));
    let (english, russian): (Vec<_>, Vec<_>) = (english.collect(), russian.collect());
    for heading in russian.iter().filter(|heading| heading.anchor.is_none()) {
        found.push(format!(
            "line {}: `{} {}` names no English heading; end it with `<!-- #anchor -->`",
            heading.line,
            marks(heading),
            heading.text
        ));
    }
    let anchors = |headings: &[&PageHeading]| -> Vec<_> {
        headings.iter().filter_map(|heading| heading.anchor.clone()).collect()
    };
    let (ours, theirs) = (anchors(&english), anchors(&russian));
    let mut above = "the title".to_owned();
    for heading in &english {
        let anchor = heading.anchor.clone().unwrap_or_default();
        match russian.iter().find(|other| other.anchor.as_ref() == Some(&anchor)) {
            None => found.push(format!(
                "the English heading `{marks} {}` (line {}) is missing: write `{marks} ... <!-- #{anchor} -->` after {above}",
                heading.text, heading.line, marks = marks(heading)
            )),
            Some(other) if other.level != heading.level => found.push(format!(
                "line {}: the level is {}, of the English heading `{}` {}",
                other.line, other.level, heading.text, heading.level
            )),
            Some(_) => {}
        }
        above = format!("the section `{anchor}`");
    }
    for heading in russian.iter().filter(|heading| heading.anchor.as_ref().is_some_and(|a| !ours.contains(a)))
    {
        let anchor = heading.anchor.as_deref().unwrap_or_default();
        found.push(format!("line {}: no English heading has the anchor `{anchor}`", heading.line));
    }
    if found.is_empty() && ours != theirs {
        let at = ours.iter().zip(&theirs).position(|(one, other)| one != other).unwrap_or_default();
        found.push(format!("the sections are in another order, from `{}` on", ours[at]));
    }
    found
}

/// What must be equal of a block: a program or a command without its comments; of other blocks only their kind, since
/// programs print their texts in the reader's language.
fn essence(block: &CodeBlock) -> String {
    let comment = match block.kind.split(',').next().unwrap_or_default() {
        "console" => "#",
        "rust" => "//",
        "yaml" | "toml" | "csv" | "json" => "# ",
        kind => return format!("a block of kind `{kind}`"),
    };
    let code = |line: &str| line.split(comment).next().unwrap_or_default().trim_end().to_owned();
    let lines: Vec<_> = block.text.lines().map(code).filter(|line| !line.is_empty()).collect();
    format!("`{}` {}", block.kind, lines.join("\n"))
}

fn blocks(english: &PageOutline, russian: &PageOutline) -> Vec<String> {
    let count = |blocks: &[CodeBlock]| {
        let mut counted: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for block in blocks {
            counted.entry(essence(block)).or_default().push(block.line);
        }
        counted
    };
    let (ours, theirs) = (count(&english.blocks), count(&russian.blocks));
    let first = |essence: &str| essence.lines().next().unwrap_or_default().to_owned();
    let mut found = vec![];
    for (essence, lines) in &ours {
        let there = theirs.get(essence).map_or(0, Vec::len);
        if there < lines.len() {
            found.push(format!(
                "the English block of line {} is missing or different: {}",
                lines[there],
                first(essence)
            ));
        }
    }
    for (essence, lines) in &theirs {
        let there = ours.get(essence).map_or(0, Vec::len);
        if there < lines.len() {
            found.push(format!(
                "line {}: the block is not in the English page: {}",
                lines[there],
                first(essence)
            ));
        }
    }
    found
}

fn words(what: &str, english: &BTreeSet<String>, russian: &BTreeSet<String>) -> Vec<String> {
    let missing = english.difference(russian).map(|word| format!("the {what} `{word}` is missing"));
    let further =
        russian.difference(english).map(|word| format!("the {what} `{word}` is not in the English page"));
    missing.chain(further).collect()
}

fn tables(english: &PageOutline, russian: &PageOutline) -> Vec<String> {
    let sections = english.headings.iter().filter_map(|heading| heading.anchor.as_deref());
    let sections: BTreeSet<_> = sections.chain([""]).collect();
    sections.into_iter().flat_map(|section| tables_of(section, english, russian)).collect()
}

fn tables_of(section: &str, english: &PageOutline, russian: &PageOutline) -> Vec<String> {
    let of = |outline: &PageOutline| -> Vec<TableShape> {
        outline.tables.iter().filter(|table| table.section == section).cloned().collect()
    };
    let (ours, theirs) = (of(english), of(russian));
    if ours.len() != theirs.len() {
        return vec![format!(
            "the section `{section}` has {} tables, the English one {}",
            theirs.len(),
            ours.len()
        )];
    }
    let differ = ours.iter().zip(&theirs).filter(|(one, other)| one.rows != other.rows);
    differ
        .map(|(one, other)| {
            format!(
                "line {}: the table has {} rows, the English one (line {}) {}",
                other.line, other.rows, one.line, one.rows
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str = "# Page\n\n## First\n\nSee WB0020 and `send`.\n\n```console\n$ cargo wb list  # all\n```\n\n| a | b |\n|---|---|\n| c | d |\n\n## Second\n\n```text\nHANG\n```\n";
    const RUSSIAN: &str = "# Страница\n\n## Первый <!-- #first -->\n\nСм. WB0020 и `send`.\n\n```console\n$ cargo wb list  # все\n```\n\n| а | б |\n|---|---|\n| в | г |\n\n## Второй <!-- #second -->\n\n```text\nЗАВИСАНИЕ\n```\n";

    fn found(russian: &str) -> Vec<String> {
        differences(&PageOutline::new(ENGLISH), &PageOutline::new(russian))
    }

    #[test]
    fn a_translation_has_no_differences() {
        assert_eq!(found(RUSSIAN), [""; 0]);
    }

    #[test]
    fn canary_every_difference_is_named() {
        for (from, to, expected) in [
            (
                "## Второй <!-- #second -->\n\n```text\nЗАВИСАНИЕ\n```\n",
                "```text\nЗАВИСАНИЕ\n```\n",
                "the English heading `## Second` (line 15) is missing: write `## ... <!-- #second -->` after the section `first`",
            ),
            (
                "<!-- #second -->",
                "",
                "line 15: `## Второй` names no English heading; end it with `<!-- #anchor -->`",
            ),
            ("#second", "#third", "line 15: no English heading has the anchor `third`"),
            ("## Второй", "### Второй", "line 15: the level is 3, of the English heading `Second` 2"),
            (
                "wb list",
                "wb test",
                "the English block of line 7 is missing or different: `console` $ cargo wb list",
            ),
            (
                "```text\nЗАВИСАНИЕ\n```\n",
                "",
                "the English block of line 17 is missing or different: a block of kind `text`",
            ),
            ("WB0020 и", "", "the code of a finding `WB0020` is missing"),
            ("`send`", "`recv`", "the word in backticks `recv` is not in the English page"),
            ("| а | б |\n|---|---|\n| в | г |\n", "", "the section `first` has 0 tables, the English one 1"),
            ("| в | г |\n", "", "line 11: the table has 0 rows, the English one (line 11) 1"),
        ] {
            let changed = RUSSIAN.replace(from, to);
            assert_ne!(changed, RUSSIAN, "{from}");
            let found = found(&changed);
            assert!(found.iter().any(|line| line == expected), "{from}: {found:?}");
        }
    }

    #[test]
    fn canary_sections_in_another_order_are_named() {
        let swapped = RUSSIAN.replace("#first", "#x").replace("#second", "#first").replace("#x", "#second");
        assert_eq!(found(&swapped), ["the sections are in another order, from `first` on"]);
    }
}
