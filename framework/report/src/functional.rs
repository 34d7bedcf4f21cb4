//! The functional tests as counts and as a grid of test against ranks.

use std::collections::{BTreeMap, BTreeSet};

use wb_messages::Lang;
use wb_messages::report::document;
use wb_record::{Backend, Functional, Verdict};

use crate::analysis::Tested;

/// How many passed, of how many; skipped ones are no passes.
pub(crate) struct Counts {
    passed: usize,
    skipped: usize,
    all: usize,
}

impl Counts {
    pub(crate) fn of(tests: &[&Functional]) -> Self {
        let count = |verdict: Verdict| tests.iter().filter(|test| test.verdict == verdict).count();
        Self { passed: count(Verdict::Pass), skipped: count(Verdict::Skip), all: tests.len() }
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
pub(crate) fn word(lang: Lang, verdict: Verdict) -> String {
    match verdict {
        Verdict::Pass => document::passes(lang),
        Verdict::Fail => document::fails(lang),
        Verdict::Hang => document::hangs(lang),
        Verdict::Limit => document::limits(lang),
        Verdict::Crash => document::crashes(lang),
        Verdict::Skip => document::skips(lang),
    }
}

/// The rank counts of the grid.
pub(crate) fn ranks(tests: &[&Functional]) -> BTreeSet<u32> {
    tests.iter().map(|test| test.ranks).collect()
}

/// A row of the grid: a test on one backend.
pub(crate) type Key<'r> = (&'r str, Backend);

/// By test, backend and ranks. Where a test ran more than once (in two versions) the gravest verdict stands in the cell.
pub(crate) fn grid<'r>(tests: &[&'r Functional]) -> BTreeMap<Key<'r>, BTreeMap<u32, &'r Functional>> {
    let mut grid: BTreeMap<Key<'_>, BTreeMap<u32, &Functional>> = BTreeMap::new();
    for &test in tests {
        let row = grid.entry((&test.test, test.backend)).or_default();
        let cell = row.entry(test.ranks).or_insert(test);
        if gravity(test.verdict) > gravity(cell.verdict) {
            *cell = test;
        }
    }
    grid
}

/// When the tests ran and of which sources; a second sentence where what was measured is of others.
pub(crate) fn evidence(lang: Lang, tested: Option<&Tested<'_>>) -> Vec<String> {
    let Some(tested) = tested else { return Vec::new() };
    let commit = tested.commit.map_or_else(|| document::unknown(lang), |commit| format!("`{commit}`"));
    let commit = if tested.is_dirty { document::commit_dirty(lang, commit) } else { commit };
    let mut sentences = vec![document::functional_evidence(lang, tested.at, commit)];
    sentences.extend((!tested.is_of_measured).then(|| document::functional_of_others(lang)));
    sentences
}

/// One line for every test that did not pass: which, where, how it ended and why.
pub(crate) fn reasons(tests: &[&Functional], lang: Lang) -> Vec<String> {
    let line = |test: &&&Functional| {
        let reason = test.reason.clone().unwrap_or_else(|| document::unknown(lang));
        format!(
            "{}, p = {}, {}: {}: {reason}",
            test.test,
            test.ranks,
            test.backend.name(),
            word(lang, test.verdict)
        )
    };
    tests.iter().filter(|test| test.verdict != Verdict::Pass).map(|test| line(&test)).collect()
}

fn gravity(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Pass => 0,
        Verdict::Skip => 1,
        Verdict::Fail => 2,
        Verdict::Limit => 3,
        Verdict::Hang => 4,
        Verdict::Crash => 5,
    }
}
