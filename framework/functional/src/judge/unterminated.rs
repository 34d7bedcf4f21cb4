//! Ranks that have delivered their results and do not end: destructors of thread-local values, or exit hooks, run on.
use wb_messages::{Lang, functional as text};
use wb_runner::{format::format_ranks, rank_activity::location};

use crate::{
    evidence::rank_report::RankReport,
    judge::{failure_kind::FailureKind, failure_report::FailureReport},
};

/// The finding on ranks that do not end.
pub(crate) fn finding(unended: &[&RankReport], lang: Lang) -> Option<FailureReport> {
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
