//! A rank that ran out of memory, which ends its process: what it notes, and what is made of that.
use wb_comm::Rank;
use wb_messages::{Lang, functional as text};
use wb_process::{
    memory::Exhausted,
    stack::{Activity, Doing},
};
use wb_record::Verdict;
use wb_task::Stage;

use super::{
    entry::{Entry, How},
    finding::Finding,
};

/// What a panic says of a container whose size is more than an address can name.
const OVERFLOW: &str = "capacity overflow";

/// What the rank writes down at once; its line follows.
pub(super) fn entry(rank: Rank, stage: Option<Stage>, exhausted: &Exhausted) -> Entry {
    let text = exhausted.amount(Lang::of_environment());
    Entry { stage, text, ..Entry::of(rank, How::Exhausted) }
}

/// The line, as a rank writes down what it was doing.
pub(super) fn doing(exhausted: &Exhausted) -> Doing {
    Doing { activity: Activity::Computes, line: exhausted.line() }
}

/// The finding on a rank that noted that in `stage`.
pub(super) fn finding(entry: &Entry, stage: String, lang: Lang) -> Finding {
    let headline = text::exhausted(lang, entry.rank, &entry.text, stage);
    let line = entry.doing.as_ref().and_then(|doing| doing.line.as_ref());
    let line = line.map(|line| format!("{}:{}", line.file, line.line));
    let details = line.iter().map(|line| text::asked_at(lang, &entry.text, line)).collect();
    let finding = Finding::new(Verdict::Crash, headline, text::hint_exhausted(lang));
    Finding { lines: line.into_iter().collect(), ..finding }.with(details)
}

/// What there is to say of a panic besides its text.
pub(super) fn of_panic(panic: &str, lang: Lang) -> Option<String> {
    (panic == OVERFLOW).then(|| text::capacity_overflow(lang))
}
