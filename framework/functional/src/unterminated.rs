//! Ranks that have delivered their results and do not end: destructors of thread-local values, or exit hooks, run on.
use std::sync::atomic::{AtomicUsize, Ordering};

use wb_messages::{Lang, functional as text};
use wb_process::thread_exit::{self, RunningThread};
use wb_record::TestOutcome;
use wb_worker::{format::format_ranks, rank_activity::location};

use super::{failure_report::FailureReport, rank_report::RankReport, test_case::RunId};

/// Which test this process is at, counted from 1: the watch of the one before is over then.
static TESTS_BEGUN: AtomicUsize = AtomicUsize::new(0);

/// A test begins in this process.
pub(super) fn begin() {
    TESTS_BEGUN.fetch_add(1, Ordering::SeqCst);
}

/// The run `id` was the last of its test on the calling thread. When this thread ends and does not come to its end, or the
/// process does not after it, `end` is called.
pub(super) fn watch_termination(id: RunId, end: impl FnOnce(RunId, RunningThread) + Send + 'static) {
    let here = TESTS_BEGUN.load(Ordering::SeqCst);
    thread_exit::watch_thread(
        move || TESTS_BEGUN.load(Ordering::SeqCst) != here,
        move |unended| end(id, unended),
    );
}

/// The finding on ranks that do not end.
pub(super) fn finding(unended: &[&RankReport], lang: Lang) -> Option<FailureReport> {
    let ranks = format_ranks(unended.iter().map(|entry| entry.rank))?;
    let first = unended.first()?;
    let details = first.activity.as_ref().and_then(|at| location(at, lang));
    let finding =
        FailureReport::new(TestOutcome::Fail, text::unterminated(lang, ranks), text::hint_unterminated(lang));
    Some(finding.with_details(details.into_iter().collect()))
}
