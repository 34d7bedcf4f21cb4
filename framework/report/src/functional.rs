//! The functional tests as counts and as a grid of test against ranks.

use std::collections::{BTreeMap, BTreeSet};

use wb_messages::Lang;
use wb_messages::report::document;
use wb_record::{Functional, Verdict};

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
        let passed = document::functional_summary(lang, self.passed, self.all);
        if self.skipped == 0 {
            passed
        } else {
            format!("{passed} {}", document::functional_skipped(lang, self.skipped))
        }
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

/// By test name and ranks. Where a test ran more than once (on two backends, in two versions) the gravest verdict
/// stands in the cell.
pub(crate) fn grid<'r>(tests: &[&'r Functional]) -> BTreeMap<&'r str, BTreeMap<u32, &'r Functional>> {
    let mut grid: BTreeMap<&str, BTreeMap<u32, &Functional>> = BTreeMap::new();
    for &test in tests {
        let cell = grid.entry(&test.test).or_default().entry(test.ranks).or_insert(test);
        if gravity(test.verdict) > gravity(cell.verdict) {
            *cell = test;
        }
    }
    grid
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
