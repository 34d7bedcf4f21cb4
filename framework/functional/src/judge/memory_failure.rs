//! A rank that ran out of memory, which ends its process: what it notes, and what is made of that.
use wb_comm::Rank;
use wb_messages::{Lang, functional as text};
use wb_process::{
    out_of_memory::OutOfMemory,
    stack::{Activity, ThreadActivity},
};
use wb_task::Stage;

use crate::{
    evidence::rank_report::{RankOutcome, RankReport},
    judge::{failure_kind::FailureKind, failure_report::FailureReport},
};

/// What a panic says of a container whose size is more than an address can name.
const OVERFLOW: &str = "capacity overflow";

/// What the rank writes down at once; its line follows.
pub(crate) fn rank_report(rank: Rank, stage: Option<Stage>, exhausted: &OutOfMemory) -> RankReport {
    let text = exhausted.amount(Lang::from_environment());
    RankReport { stage, text, ..RankReport::new(rank, RankOutcome::OutOfMemory) }
}

/// The line, as a rank writes down what it was doing.
pub(crate) fn activity(exhausted: &OutOfMemory) -> ThreadActivity {
    ThreadActivity { activity: Activity::Computing, line: exhausted.user_line() }
}

/// The finding on a rank that noted that in `stage`.
pub(crate) fn finding(entry: &RankReport, stage: String, lang: Lang) -> FailureReport {
    let headline = text::out_of_memory(lang, entry.rank, &entry.text, stage);
    let line = entry.activity.as_ref().and_then(|doing| doing.line.as_ref());
    let line = line.map(|line| format!("{}:{}", line.file, line.line));
    let details = line.iter().map(|line| text::requested_at(lang, &entry.text, line)).collect();
    let finding =
        FailureReport::new(FailureKind::OutOfMemory(entry.stage), headline, text::hint_out_of_memory(lang));
    FailureReport { lines: line.into_iter().collect(), ..finding }.with_details(details)
}

/// What there is to say of a panic besides its text.
pub(crate) fn panic_hint(panic: &str, lang: Lang) -> Option<String> {
    (panic == OVERFLOW).then(|| text::capacity_overflow(lang))
}
