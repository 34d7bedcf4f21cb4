//! The functional tests as counts and as a grid of test against ranks.

use std::collections::{BTreeMap, BTreeSet};

use wb_messages::Lang;
use wb_messages::report::document;
use wb_record::{Backend, FunctionalRecord, TestOutcome};

use crate::analysis::TestRunInfo;

/// The number of passed tests, and of all; a skipped test has not passed.
pub(crate) struct TestCounts {
    passed: usize,
    skipped: usize,
    all: usize,
}

impl TestCounts {
    pub(crate) fn from_tests(tests: &[&FunctionalRecord]) -> Self {
        let count = |verdict: TestOutcome| tests.iter().filter(|test| test.verdict == verdict).count();
        Self { passed: count(TestOutcome::Pass), skipped: count(TestOutcome::Skip), all: tests.len() }
    }

    pub(crate) fn sentence(&self, lang: Lang) -> String {
        if self.all == 0 {
            return document::functional_none(lang);
        }
        let mut sentences = vec![document::functional_summary(lang, self.passed, self.all)];
        let failed = self.all - self.passed - self.skipped;
        sentences.extend((failed > 0).then(|| document::functional_failed(lang, failed)));
        sentences.extend((self.skipped > 0).then(|| document::functional_skipped(lang, self.skipped)));
        sentences.join(" ")
    }
}

/// The verdict in one word.
pub(crate) fn verdict_label(lang: Lang, verdict: TestOutcome) -> String {
    match verdict {
        TestOutcome::Pass => document::passes(lang),
        TestOutcome::Fail => document::fails(lang),
        TestOutcome::Hang => document::hangs(lang),
        TestOutcome::Limit => document::limits(lang),
        TestOutcome::Crash => document::crashes(lang),
        TestOutcome::Aborted => document::aborts(lang),
        TestOutcome::Skip => document::skips(lang),
    }
}

/// The rank counts of the grid.
pub(crate) fn ranks(tests: &[&FunctionalRecord]) -> BTreeSet<u32> {
    tests.iter().map(|test| test.ranks).collect()
}

/// A row of the grid: a test on one backend.
pub(crate) type GridKey<'r> = (&'r str, Backend);

/// The verdicts by test, backend and ranks. Where a test ran more than once (in two versions) the cell has the gravest verdict.
pub(crate) fn grid<'r>(
    tests: &[&'r FunctionalRecord],
) -> BTreeMap<GridKey<'r>, BTreeMap<u32, &'r FunctionalRecord>> {
    let mut grid: BTreeMap<GridKey<'_>, BTreeMap<u32, &FunctionalRecord>> = BTreeMap::new();
    for &test in tests {
        let row = grid.entry((&test.test, test.backend)).or_default();
        let cell = row.entry(test.ranks).or_insert(test);
        if severity(test.verdict) > severity(cell.verdict) {
            *cell = test;
        }
    }
    grid
}

/// When the tests ran and of which sources; a second sentence if the measurements are of other sources.
pub(crate) fn evidence(lang: Lang, tested: Option<&TestRunInfo<'_>>) -> Vec<String> {
    let Some(tested) = tested else { return Vec::new() };
    let commit = tested.commit.map_or_else(|| document::unknown(lang), |commit| format!("`{commit}`"));
    let commit = if tested.is_dirty { document::commit_dirty(lang, commit) } else { commit };
    let mut sentences = vec![document::functional_evidence(lang, tested.ended_at, commit)];
    sentences.extend((!tested.is_of_measured).then(|| document::functional_of_others(lang)));
    sentences
}

/// One line for every test that did not pass: which, where, how it ended and why.
pub(crate) fn reasons(tests: &[&FunctionalRecord], lang: Lang) -> Vec<String> {
    let line = |test: &&&FunctionalRecord| {
        let reason = test.reason.clone().unwrap_or_else(|| document::unknown(lang));
        format!(
            "{}, p = {}, {}: {}: {reason}",
            test.test,
            test.ranks,
            test.backend.name(),
            verdict_label(lang, test.verdict)
        )
    };
    tests.iter().filter(|test| test.verdict != TestOutcome::Pass).map(|test| line(&test)).collect()
}

fn severity(verdict: TestOutcome) -> u8 {
    match verdict {
        TestOutcome::Pass => 0,
        TestOutcome::Skip => 1,
        TestOutcome::Fail => 2,
        TestOutcome::Limit => 3,
        TestOutcome::Hang => 4,
        TestOutcome::Crash | TestOutcome::Aborted => 5,
    }
}
