//! Ranks that had not come back at the limit and were in no call: where they computed, or slept.
use wb_comm::Rank;
use wb_messages::{Lang, functional as text};
use wb_process::stack::{Activity, Doing};
use wb_record::Verdict;

use super::{entry::Entry, finding::Finding, judge};

/// The finding on these ranks, all of them late and in no call; `stage` is that of the first.
pub(super) fn finding(late: &[&Entry], stage: String, limit: String, lang: Lang) -> Option<Finding> {
    let ranks = judge::list(late.iter().map(|entry| entry.rank))?;
    let is_asleep =
        |entry: &&Entry| entry.doing.as_ref().is_some_and(|doing| doing.activity == Activity::Waits);
    let (headline, hint) = match late.iter().all(is_asleep) {
        true => (text::still_asleep(lang, ranks, stage, limit), text::hint_asleep(lang)),
        false => (text::still_computing(lang, ranks, stage, limit), text::hint_limit(lang)),
    };
    // The line of a loop that is seen first is one of several: it names the place, and is not what the mistake is known by.
    let mut details: Vec<_> =
        late.iter().filter_map(|entry| told(entry.rank, entry.doing.as_ref()?, lang)).collect();
    details.dedup();
    Some(Finding::new(Verdict::Limit, headline, hint).with(details))
}

/// Where a rank was, in a line of the table of ranks.
pub(super) fn row(entry: &Entry, stage: String, lang: Lang) -> String {
    let Some(Doing { activity, line }) = &entry.doing else { return text::rank_computing(lang, stage) };
    let place = line.as_ref().map(|line| format!("{}:{}", line.file, line.line));
    match (activity, place) {
        (Activity::Computes, Some(place)) => text::rank_computing_at(lang, stage, place),
        (Activity::Waits, Some(place)) => text::rank_asleep_at(lang, stage, place),
        (Activity::Calls, Some(place)) => text::rank_calling_at(lang, stage, place),
        (Activity::Waits, None) => text::rank_asleep(lang, stage),
        (Activity::Computes | Activity::Calls, None) => text::rank_computing(lang, stage),
    }
}

/// What a rank that is late is doing, and in which line; `None` where its line is not known.
pub(crate) fn told(rank: Rank, doing: &Doing, lang: Lang) -> Option<String> {
    let line = doing.line.as_ref()?;
    Some(match doing.activity {
        Activity::Computes => text::computes_at(lang, rank, line),
        Activity::Waits => text::asleep_at(lang, rank, line),
        Activity::Calls => text::calls_at(lang, rank, line),
    })
}
