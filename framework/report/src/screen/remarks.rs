//! The remarks on the numbers of a task, the most important first.

use wb_messages::Lang;
use wb_messages::report::screen as text;
use wb_record::{Backend, SeriesFailure, TestOutcome};

use super::points::PointsText;
use crate::{
    analysis::{CheckCounts, Flag, TaskAnalysis, TrustItem, TrustLevel},
    functional, labels,
};

/// The most remarks of a screen.
const MAX_REMARKS: usize = 3;

/// Each remark behind its sign; none repeats what was said about points.
pub(super) fn remarks(
    analysis: &TaskAnalysis<'_>,
    points: &PointsText,
    lang: Lang,
) -> Vec<(&'static str, String)> {
    let failed: Vec<_> =
        analysis.functional.iter().copied().filter(|test| test.verdict != TestOutcome::Skip).collect();
    let failed = functional::reasons(&failed, lang).into_iter().take(1);
    let bad = failed.chain(failed_rows(analysis, lang).into_iter().take(1)).map(|line| ("✗ ", line));
    let items = items(analysis).into_iter().filter(|(level, item)| !points.names(*level, item));
    let items = items.map(|(level, item)| {
        let sign = if level == TrustLevel::Bad { "✗ " } else { "! " };
        (sign, labels::item(lang, analysis, item))
    });
    bad.chain(items).take(MAX_REMARKS).collect()
}

/// The remarks in a word or three, for the table of all tasks.
pub(crate) fn short_remarks(analysis: &TaskAnalysis<'_>, lang: Lang) -> Vec<String> {
    let failed = failed_rows(analysis, lang);
    let items = items(analysis).into_iter().map(|(level, item)| short(level, item, lang));
    let no_model = !analysis.groups.is_empty() && analysis.models.is_empty();
    failed.into_iter().chain(items).chain(no_model.then(|| text::no_model(lang))).collect()
}

/// The series that have no time, each with its reason; a version that is switched off is no failure.
fn failed_rows(analysis: &TaskAnalysis<'_>, lang: Lang) -> Vec<String> {
    let rows = analysis.groups.iter().flat_map(|group| &group.rows);
    let failed = rows.filter(|row| row.has(Flag::Failed) && row.failure != Some(SeriesFailure::Disabled));
    let lines = failed.map(|row| {
        let reason = labels::failure(lang, row.failure.as_ref());
        text::failed_row(lang, row.series.version.name(), row.series.ranks, reason)
    });
    let mut lines: Vec<String> = lines.collect();
    lines.dedup();
    lines
}

/// The items of the trust box that are not good, by their importance.
fn items<'a>(analysis: &'a TaskAnalysis<'_>) -> Vec<(TrustLevel, &'a TrustItem)> {
    let all = analysis.trust.items.iter().map(|(level, item)| (*level, item));
    let mut items: Vec<_> = all.filter(|(level, _)| *level > TrustLevel::Good).collect();
    items.sort_by_key(|(level, item)| (std::cmp::Reverse(*level), importance(item)));
    items
}

/// What changes the meaning of all numbers comes first, what makes them less exact comes last.
fn importance(item: &TrustItem) -> u8 {
    match item {
        TrustItem::Checked(_) | TrustItem::CheckedSizes { .. } | TrustItem::Tests { .. } => 0,
        TrustItem::Backend(_) | TrustItem::MixedConditions | TrustItem::Ranks { .. } => 1,
        TrustItem::Sampling { quick: true, .. } => 2,
        TrustItem::Short { .. } | TrustItem::Converged { .. } => 3,
        TrustItem::Disturbed { .. } | TrustItem::Drift(_) | TrustItem::Load { .. } => 4,
        _ => 5,
    }
}

fn short(level: TrustLevel, item: &TrustItem, lang: Lang) -> String {
    match item {
        TrustItem::Backend(Backend::VirtualTime) => text::virtual_time(lang),
        TrustItem::Backend(_) => text::threads(lang),
        TrustItem::MixedConditions => text::mixed(lang),
        TrustItem::Ranks { .. } => text::ranks_above(lang),
        TrustItem::Sampling { quick: true, .. } => text::quick(lang),
        TrustItem::Sampling { .. } => text::few_samples(lang),
        TrustItem::Converged { .. } => text::not_converged(lang),
        TrustItem::Checked(CheckCounts { wrong: 0, .. }) => text::unchecked(lang),
        TrustItem::Checked(_) | TrustItem::CheckedSizes { .. } => text::wrong(lang),
        TrustItem::Drift(_) => text::drift(lang),
        TrustItem::Disturbed { .. } => text::disturbed(lang),
        TrustItem::Short { .. } => text::short(lang),
        TrustItem::Build { .. } if level == TrustLevel::Bad => text::unoptimised(lang),
        TrustItem::Build { .. } => text::build(lang),
        TrustItem::Load { .. } => text::load(lang),
        TrustItem::Tests { .. } => text::tests_failed(lang),
        TrustItem::Untested => text::untested(lang),
        TrustItem::SingleWorker { .. } | TrustItem::SharedWork { .. } => text::single_worker(lang),
        TrustItem::Waits(_) => text::waits(lang),
        TrustItem::AboveCeiling => text::above_ceiling(lang),
        TrustItem::FreshInputs(_) => text::same_input(lang),
        TrustItem::Hosts(_) => text::hosts(lang),
    }
}
