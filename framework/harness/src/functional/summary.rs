//! The last line of a test binary: how many runs passed, failed and were skipped, on what.
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    sync::{Mutex, MutexGuard, PoisonError},
};

use wb_comm::MOST_WATCHED_RANKS;
use wb_messages::{Lang, functional as text};

use super::report::Backend;

/// The counts of one backend.
#[derive(Debug, Default)]
struct Tally {
    passed: usize,
    failed: usize,
    skipped: usize,
    /// Numbers of ranks above the usable cores.
    oversubscribed: BTreeSet<usize>,
    /// Numbers of ranks above those whose calls are held against each other.
    unwatched: BTreeSet<usize>,
    /// Numbers of ranks that could not be had, and how many there were.
    unavailable: BTreeSet<usize>,
    available: usize,
}

static TALLIES: Mutex<BTreeMap<String, Tally>> = Mutex::new(BTreeMap::new());

fn tallies() -> MutexGuard<'static, BTreeMap<String, Tally>> {
    TALLIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts runs on `ranks` ranks; the line is printed when the process exits.
pub(super) fn ran(backend: &Backend, ranks: usize, passed: usize, failed: usize) {
    let mut tallies = opened();
    let tally = tallies.entry(backend.0.clone()).or_default();
    tally.passed += passed;
    tally.failed += failed;
    // In virtual time ranks take turns, however many there are.
    if *backend != Backend::virtual_time() && ranks > cores() {
        tally.oversubscribed.insert(ranks);
    }
    if [Backend::threads(), Backend::virtual_time()].contains(backend) && ranks > MOST_WATCHED_RANKS {
        tally.unwatched.insert(ranks);
    }
}

/// Counts runs that need more ranks than there are.
pub(super) fn skipped(backend: &str, ranks: usize, available: usize, runs: usize) {
    let mut tallies = opened();
    let tally = tallies.entry(backend.to_owned()).or_default();
    tally.skipped += runs;
    tally.available = available;
    tally.unavailable.insert(ranks);
}

fn opened() -> MutexGuard<'static, BTreeMap<String, Tally>> {
    let tallies = tallies();
    if tallies.is_empty() {
        wb_process::at_exit(print);
    }
    tallies
}

/// Prints the line, if anything was run.
pub(super) fn print() {
    let tallies = tallies();
    if tallies.is_empty() {
        return;
    }
    let lang = Lang::of_environment();
    let parts: Vec<_> = tallies.iter().map(|(backend, tally)| tally.line(lang, backend)).collect();
    let line = text::summary(lang, parts.join("; "));
    // Where libtest has just reported: launchers do not keep the order of two streams.
    let _nowhere_to_say = writeln!(io::stdout(), "{line}");
}

impl Tally {
    fn line(&self, lang: Lang, backend: &str) -> String {
        let mut notes = vec![];
        if !self.oversubscribed.is_empty() {
            notes.push(text::summary_oversubscribed(lang, numbers(&self.oversubscribed), cores()));
        }
        if !self.unwatched.is_empty() {
            notes.push(text::summary_unwatched(lang, numbers(&self.unwatched), MOST_WATCHED_RANKS));
        }
        if !self.unavailable.is_empty() {
            notes.push(text::summary_skipped(lang, numbers(&self.unavailable), self.available));
        }
        let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
        text::summary_of(lang, backend, self.passed, self.failed, self.skipped, notes)
    }
}

/// The cores that the ranks share. A launcher may have bound this rank to one of them.
fn cores() -> usize {
    match wb_process::launched() {
        Some(_) => wb_process::node_cores(),
        None => wb_process::usable_cores(),
    }
}

fn numbers(set: &BTreeSet<usize>) -> String {
    set.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_was_oversubscribed_and_what_was_skipped() {
        let tally = Tally {
            passed: 5,
            failed: 1,
            skipped: 2,
            oversubscribed: [4, 8].into(),
            unwatched: [65].into(),
            unavailable: [8].into(),
            available: 4,
        };
        let line = tally.line(Lang::En, "Open MPI 4.1.4");
        assert!(
            line.starts_with("Open MPI 4.1.4: 5 run(s) passed, 1 failed, 2 skipped (P = 4, 8 over"),
            "{line}"
        );
        assert!(line.contains("; P = 65 not searched for races of windows: 64 rank(s) at most; "), "{line}");
        assert!(line.ends_with("; P = 8 skipped: the launcher gave 4 rank(s))"), "{line}");
    }
}
