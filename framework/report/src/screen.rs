//! One task on one screen of a terminal: 22 lines of at most 80 columns, below two for a failure of the command.
//!
//! The order is that of a reader: what was measured, the numbers, why they are not better, the points, what makes the numbers
//! doubtful, and where the rest is. Intervals of times, shares, models and the conditions of each row are on the pages only.

mod communication;
mod points;
mod remarks;
mod table;

use wb_messages::layout::shortened;
use wb_messages::{Lang, report::screen as text, report::trace as trace_text, wrap};

use crate::{
    analysis::{Bottleneck, TaskAnalysis},
    bottleneck, labels,
};

pub(crate) use points::points;
pub(crate) use remarks::short_remarks;

/// The largest width of a line.
pub(crate) const COLUMNS: u16 = 80;

/// The lines of a screen without those of a failure.
const LINES: usize = 22;

/// The most lines of a sentence.
const MAX_SENTENCE: usize = 2;

/// The screen; `end` is its last line, which says where the rest is.
pub(crate) fn render(analysis: &TaskAnalysis<'_>, end: &str, lang: Lang) -> String {
    let title = title(analysis, lang);
    let mut below = vec![String::new()];
    if !analysis.groups.is_empty() || !analysis.operations.is_empty() {
        below.extend(sentence("", &bottleneck_sentence(analysis, lang)));
    }
    let earned = points(analysis, lang);
    below.extend(sentence("", &earned.sentence));
    below.extend(
        remarks::remarks(analysis, &earned, lang).iter().flat_map(|(sign, remark)| sentence(sign, remark)),
    );
    below.push(end.to_owned());
    let height = LINES - title.len() - below.len();
    let table = match analysis.operations.is_empty() {
        true => table::lines(analysis, height, lang),
        false => communication::lines(analysis, height, lang),
    };
    let lines: Vec<String> = title.into_iter().chain(table).chain(below).collect();
    lines.join("\n") + "\n"
}

/// The title and the name of the task, in one line where both fit.
fn title(analysis: &TaskAnalysis<'_>, lang: Lang) -> Vec<String> {
    let words: Vec<&str> = labels::title(lang, analysis.subject).split_whitespace().collect();
    let (title, task) = (words.join(" "), &analysis.subject.task);
    let whole = format!("{title} ({task})");
    match whole.chars().count() <= COLUMNS.into() {
        true => vec![whole],
        false => vec![shortened(&title, COLUMNS.into()), format!("({task})")],
    }
}

/// A character of no text, in the place of a space at which no line ends.
const NO_BREAK: &str = "\u{e000}";

/// A sentence behind its sign; the page has the rest of a long one.
fn sentence(sign: &str, sentence: &str) -> Vec<String> {
    let indent = " ".repeat(sign.chars().count());
    let unbroken = |text: String, part: &str| text.replace(part, &part.replace(' ', NO_BREAK));
    let sentence = [" %", " × ", " = "].into_iter().fold(sentence.to_owned(), unbroken);
    let wrapped = wrap(&sentence, sign, &indent, COLUMNS.into()).replace(NO_BREAK, " ");
    let mut lines: Vec<String> = wrapped.lines().map(|line| shortened(line, COLUMNS.into())).collect();
    if lines.len() > MAX_SENTENCE {
        lines.truncate(MAX_SENTENCE);
        let last = lines.last_mut().expect("a sentence has a line");
        *last = shortened(&format!("{last} …"), COLUMNS.into());
    }
    lines
}

/// The sentence that says why the task is not faster, or why that is not known.
fn bottleneck_sentence(analysis: &TaskAnalysis<'_>, lang: Lang) -> String {
    let found = match &analysis.bottleneck {
        Bottleneck::Untraced => Err(text::untraced(lang, &analysis.subject.task)),
        _ => bottleneck::bottleneck_summary(lang, analysis),
    };
    let reason = found.map_or_else(|reason| reason, |(summary, _)| summary.largest_loss);
    format!("{} {reason}", trace_text::bottleneck_heading(lang))
}
