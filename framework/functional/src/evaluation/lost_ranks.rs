//! Ranks that did not end a run by themselves: they ran out of memory, computed or slept at the limit, or do not end after their results.
use wb_messages::{Lang, functional as text};
use wb_process::stack::{Activity, ThreadActivity};
use wb_runner::{
    format::{format_ranks, group_ranks},
    rank_activity::{describe, location},
};

use crate::{
    evaluation::{FailureKind, FailureReport},
    evidence::RankReport,
};

/// The finding on a rank that ran out of memory in `stage`, which ended its process.
pub(crate) fn out_of_memory(entry: &RankReport, stage: String, lang: Lang) -> FailureReport {
    let headline = text::out_of_memory(lang, entry.rank, &entry.text, stage);
    let line = entry.activity.as_ref().and_then(|doing| doing.line.as_ref());
    let line = line.map(|line| format!("{}:{}", line.file, line.line));
    let details = line.iter().map(|line| text::requested_at(lang, &entry.text, line)).collect();
    let finding =
        FailureReport::new(FailureKind::OutOfMemory(entry.stage), headline, text::hint_out_of_memory(lang));
    FailureReport { lines: line.into_iter().collect(), ..finding }.with_details(details)
}

/// The finding on these ranks, all of them late and in no call; `stage` is that of the first.
pub(crate) fn late(late: &[&RankReport], stage: String, limit: String, lang: Lang) -> Option<FailureReport> {
    let ranks = format_ranks(late.iter().map(|entry| entry.rank))?;
    let is_asleep = |entry: &&RankReport| {
        entry.activity.as_ref().is_some_and(|doing| doing.activity == Activity::Waiting)
    };
    let in_stage = late.first().and_then(|entry| entry.stage);
    let (kind, headline, hint) = match late.iter().all(is_asleep) {
        true => (
            FailureKind::Asleep(in_stage),
            text::still_asleep(lang, ranks, stage, limit),
            text::hint_asleep(lang),
        ),
        false => (
            FailureKind::Computing(in_stage),
            text::still_computing(lang, ranks, stage, limit),
            text::hint_limit(lang),
        ),
    };
    // The line of a loop that is seen first is one of several: it names the place, and is not what the mistake is known by.
    let doing = group_ranks(late.iter().filter_map(|entry| Some((entry.rank, entry.activity.as_ref()?))));
    let details = doing.into_iter().filter_map(|(ranks, doing)| describe(ranks, doing, lang)).collect();
    Some(FailureReport::new(kind, headline, hint).with_details(details))
}

/// The position of a rank, as a line of the table of ranks.
pub(crate) fn position(entry: &RankReport, stage: String, lang: Lang) -> String {
    let Some(ThreadActivity { activity, line }) = &entry.activity else {
        return text::rank_computing(lang, stage);
    };
    let place = line.as_ref().map(|line| format!("{}:{}", line.file, line.line));
    match (activity, place) {
        (Activity::Computing, Some(place)) => text::rank_computing_at(lang, stage, place),
        (Activity::Waiting, Some(place)) => text::rank_asleep_at(lang, stage, place),
        (Activity::InFramework, Some(place)) => text::rank_calling_at(lang, stage, place),
        (Activity::Waiting, None) => text::rank_asleep(lang, stage),
        (Activity::Computing | Activity::InFramework, None) => text::rank_computing(lang, stage),
    }
}

/// The finding on ranks that do not end.
pub(crate) fn unterminated(unended: &[&RankReport], lang: Lang) -> Option<FailureReport> {
    let ranks = format_ranks(unended.iter().map(|entry| entry.rank))?;
    let first = unended.first()?;
    let details = first.activity.as_ref().and_then(|at| location(at, lang));
    let finding = FailureReport::new(
        FailureKind::Unterminated,
        text::unterminated(lang, ranks),
        text::hint_unterminated(lang),
    );
    Some(finding.with_details(details.into_iter().collect()))
}
