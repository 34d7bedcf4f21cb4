//! Ranks that have delivered their results and do not end: destructors of thread-local values, or exit hooks, run on.
use std::sync::atomic::{AtomicUsize, Ordering};

use wb_comm::Rank;
use wb_messages::{Lang, functional as text};
use wb_process::{
    ending::{self, Unended},
    stack::Doing,
};
use wb_record::Verdict;

use super::{entry::Entry, finding::Finding, judge, question::RunId};

/// Which test this process is at, counted from 1: the watch of the one before is over then.
static BEGUN: AtomicUsize = AtomicUsize::new(0);

/// A test begins in this process.
pub(super) fn begin() {
    BEGUN.fetch_add(1, Ordering::SeqCst);
}

/// The run `id` was the last of its test on the calling thread. When this thread ends and does not come to its end, or the
/// process does not after it, `end` is called.
pub(super) fn watch(id: RunId, end: impl FnOnce(RunId, Unended) + Send + 'static) {
    let here = BEGUN.load(Ordering::SeqCst);
    ending::watch(move || BEGUN.load(Ordering::SeqCst) != here, move |unended| end(id, unended));
}

/// What runs on, where its line is known. Ranks may share a thread or a process, so no rank is named.
fn place(doing: &Doing, lang: Lang) -> Option<String> {
    doing.line.as_ref().map(|line| text::unended_at(lang, line))
}

/// The same in one line, of a job of `size` ranks on `backend`.
pub(crate) fn told(ranks: &[Rank], (backend, size): (&str, usize), unended: Unended, lang: Lang) -> String {
    let ranks = judge::list(ranks.iter().copied()).unwrap_or_default();
    let place = unended.sample.and_then(|sample| place(&sample.doing(), lang));
    let headline = format!("{} (P = {size}, {backend})", text::unended(lang, ranks));
    let hint = text::look_at(lang, text::hint_unended(lang));
    [Some(headline), place, Some(hint)].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The finding on ranks that do not end.
pub(super) fn finding(unended: &[&Entry], lang: Lang) -> Option<Finding> {
    let ranks = judge::list(unended.iter().map(|entry| entry.rank))?;
    let first = unended.first()?;
    let details = first.doing.as_ref().and_then(|at| place(at, lang));
    let finding = Finding::new(Verdict::Fail, text::unended(lang, ranks), text::hint_unended(lang));
    Some(finding.with(details.into_iter().collect()))
}
