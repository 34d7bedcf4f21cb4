//! The outputs of one run: there where they were declared, right, and the same on all ranks.
use wb_messages::{Lang, functional as text};
use wb_runner::format::format_ranks;
use wb_task::Place;

use crate::{
    evaluation::{FailureKind, FailureReport},
    evidence::{OutputReport, RankOutcome, RankReport},
    test::TestCase,
};

/// Outputs that differ between ranks or are wrong; `None` when all are right. A run that was refused has none.
pub(crate) fn incorrect(entries: &[&RankReport], lang: Lang) -> Option<FailureReport> {
    let returned = returned(entries);
    disagreement(&returned, lang).or_else(|| wrong(&returned, lang))
}

/// The finding `cause` with the incorrect output beside it.
pub(crate) fn as_consequence(cause: FailureReport, output: &FailureReport, lang: Lang) -> FailureReport {
    let headline = text::consequence(lang, &output.headline);
    let details = output.details.iter().map(|detail| format!("  {}", detail.replace('\n', "\n  ")));
    let details = cause.details.iter().cloned().chain([headline]).chain(details).collect();
    cause.with_details(details)
}

fn returned<'a>(entries: &[&'a RankReport]) -> Vec<&'a RankReport> {
    entries.iter().copied().filter(|entry| entry.outcome == RankOutcome::Returned).collect()
}

/// A missing output, or one where none belongs.
pub(crate) fn misplaced(case: &TestCase, entries: &[&RankReport], lang: Lang) -> Option<FailureReport> {
    let entries = returned(entries);
    let belongs =
        |entry: &RankReport| case.output_location == Place::Everywhere || entry.rank == case.home_rank;
    let ranks = |has: bool| {
        let odd = entries.iter().filter(|entry| entry.output.is_some() == has && belongs(entry) != has);
        format_ranks(odd.map(|entry| entry.rank))
    };
    let (kind, headline) = match (ranks(false), ranks(true)) {
        (Some(missing), _) => (FailureKind::OutputMissing, text::output_missing(lang, missing)),
        (None, Some(extra)) => (FailureKind::OutputUnexpected, text::unexpected_output(lang, extra)),
        (None, None) => return None,
    };
    Some(FailureReport::new(kind, headline, text::hint_output_location(lang)))
}

fn produced<'a>(entries: &[&'a RankReport]) -> Vec<(usize, &'a OutputReport)> {
    entries.iter().filter_map(|entry| entry.output.as_ref().map(|output| (entry.rank, output))).collect()
}

fn disagreement(entries: &[&RankReport], lang: Lang) -> Option<FailureReport> {
    let outputs = produced(entries);
    let (_, first) = outputs.first()?;
    if outputs.iter().all(|(_, output)| output.digest.hash == first.digest.hash) {
        return None;
    }
    let line = |(rank, output): &(usize, &OutputReport)| {
        let shown = text::output_of(lang, rank, &output.digest.excerpt);
        let objection = output.error.as_ref().map(|why| text::objection(lang, why));
        let silence = objection.as_ref().and_then(|_| received_nothing(entries, *rank, lang));
        let lines = objection.iter().chain(&silence).flat_map(|why| why.lines());
        lines.fold(shown, |report, line| report + "\n  " + line)
    };
    let lines = outputs.iter().map(line).collect();
    Some(
        FailureReport::new(FailureKind::OutputsDisagree, text::disagree(lang), text::hint_disagree(lang))
            .with_details(lines),
    )
}

fn wrong(entries: &[&RankReport], lang: Lang) -> Option<FailureReport> {
    let outputs = produced(entries);
    let objected = |&&(_, output): &&(usize, &OutputReport)| output.error.is_some();
    let differs = |&&(_, output): &&(usize, &OutputReport)| output.reference_difference.is_some();
    let &(rank, output) = outputs.iter().find(objected).or_else(|| outputs.iter().find(differs))?;
    let (kind, headline, why) = match (&output.error, &output.reference_difference) {
        (Some(why), _) => (FailureKind::OutputWrong, text::wrong(lang, rank), text::objection(lang, why)),
        (None, why) => {
            let why = why.as_deref().unwrap_or_default();
            let headline = text::differs_from_reference(lang, rank);
            (FailureKind::OutputNotReference, headline, text::against_reference(lang, why))
        }
    };
    let shown = text::output_of(lang, rank, &output.digest.excerpt);
    let silence = received_nothing(entries, rank, lang);
    let details = [shown, why].into_iter().chain(silence).collect();
    Some(FailureReport::new(kind, headline, text::hint_wrong(lang)).with_details(details))
}

/// That nothing came to this rank from another one, among several.
fn received_nothing(entries: &[&RankReport], rank: usize, lang: Lang) -> Option<String> {
    let lacks_receive = |entry: &&RankReport| entry.rank == rank && !entry.has_received;
    (entries.len() > 1 && entries.iter().any(lacks_receive)).then(|| text::received_nothing(lang, rank))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Digest;

    #[test]
    fn a_wrong_output_of_a_rank_to_which_nothing_came_says_so() {
        let output = OutputReport {
            digest: Digest::from_debug(&0),
            error: Some("zero".into()),
            ..OutputReport::default()
        };
        let entry = |rank, has_received| RankReport {
            has_received,
            output: Some(output.clone()),
            ..RankReport::new(rank, RankOutcome::Returned)
        };
        let report = |entries: &[&RankReport]| wrong(entries, Lang::En).expect("it is wrong").details;
        let nothing = text::received_nothing(Lang::En, 1);
        assert!(report(&[&entry(1, false), &entry(2, true)]).contains(&nothing));
        assert!(!report(&[&entry(1, true), &entry(2, true)]).contains(&nothing));
        assert!(!report(&[&entry(1, false)]).contains(&nothing), "one rank has nobody to hear from");
    }

    #[test]
    fn an_incorrect_output_is_told_below_its_cause() {
        let cause = FailureReport::new(FailureKind::Finding, "a request".into(), "wait".into());
        let cause = cause.with_details(vec!["irecv at a.rs:3".into()]);
        let output =
            FailureReport::new(FailureKind::OutputWrong, "the output is wrong".into(), "data".into());
        let output = output.with_details(vec!["expected 2\ngot 0".into()]);
        let report = as_consequence(cause.clone(), &output, Lang::En);
        assert_eq!((&report.headline, &report.hint), (&cause.headline, &cause.hint));
        let below = text::consequence(Lang::En, "the output is wrong");
        assert_eq!(report.details, ["irecv at a.rs:3", &below, "  expected 2\n  got 0"]);
    }
}
