//! The last lines of a test binary: how many runs passed, failed and were skipped, on what.
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    sync::{Mutex, MutexGuard, PoisonError},
};

use wb_comm::MAX_RACE_CHECKED_RANKS;
use wb_messages::{Lang, functional as text, hosts, number};
use wb_runner::launch;

use crate::report::BackendLabel;

/// The counts of one backend.
#[derive(Debug, Default)]
struct Tally {
    passed: usize,
    failed: usize,
    skipped: usize,
    /// The hosts of the ranks, where they were placed on hosts.
    hosts: BTreeSet<String>,
    /// Numbers of ranks above the usable cores.
    oversubscribed: BTreeSet<usize>,
    /// Numbers of ranks above those whose calls are held against each other.
    unchecked: BTreeSet<usize>,
    /// The number of tests that were not run for a reason that an earlier report names.
    not_run: usize,
    /// Numbers of ranks that a test was not tried at, because it had to be ended at others.
    left_out: BTreeSet<usize>,
    /// Versions that are switched off.
    disabled: BTreeSet<&'static str>,
    /// Numbers of ranks that could not be had, and how many there were.
    unavailable: BTreeSet<usize>,
    available: usize,
}

static TALLIES: Mutex<BTreeMap<String, Tally>> = Mutex::new(BTreeMap::new());

fn tallies() -> MutexGuard<'static, BTreeMap<String, Tally>> {
    TALLIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts runs on `ranks` ranks.
pub(crate) fn ran(backend: &BackendLabel, ranks: usize, passed: usize, failed: usize) {
    let is_shared = backend.is_in_one_process();
    count(&backend.0, |tally| {
        tally.passed += passed;
        tally.failed += failed;
        tally.oversubscribed.extend(oversubscribed_cores(backend, ranks).map(|_| ranks));
        tally.unchecked.extend((is_shared && ranks > MAX_RACE_CHECKED_RANKS).then_some(ranks));
    });
}

/// The cores that `ranks` ranks share, if there are fewer. In virtual time ranks take turns, however many there are.
pub(crate) fn oversubscribed_cores(backend: &BackendLabel, ranks: usize) -> Option<usize> {
    Some(cores_of(backend)).filter(|cores| *backend != BackendLabel::virtual_time() && ranks > *cores)
}

/// Adds hosts on which ranks of a backend were placed.
pub(crate) fn ran_on(backend: &BackendLabel, hosts: &BTreeSet<String>) {
    count(&backend.0, |tally| tally.hosts.extend(hosts.iter().cloned()));
}

/// Counts runs that need more ranks than there are.
pub(crate) fn skipped(backend: &str, ranks: usize, available: usize, runs: usize) {
    count(backend, |tally| {
        tally.skipped += runs;
        tally.available = available;
        tally.unavailable.insert(ranks);
    });
}

/// Counts runs that were not tried, because the test had to be ended at other numbers of ranks.
pub(crate) fn left_out(backend: &BackendLabel, ranks: usize, runs: usize) {
    count(&backend.0, |tally| {
        tally.skipped += runs;
        tally.left_out.insert(ranks);
    });
}

/// Counts a test that was not run for a reason that an earlier report names.
pub(crate) fn not_run(backend: &BackendLabel) {
    count(&backend.0, |tally| tally.not_run += 1);
}

/// Counts runs of a version that is switched off.
pub(crate) fn disabled(backend: &BackendLabel, version: &'static str, runs: usize) {
    count(&backend.0, |tally| {
        tally.skipped += runs;
        tally.disabled.insert(version);
    });
}

/// Changes the counts of a backend; they are printed when the process exits.
fn count(backend: &str, change: impl FnOnce(&mut Tally)) {
    let mut tallies = tallies();
    if tallies.is_empty() {
        wb_process::at_exit(print);
    }
    change(tallies.entry(backend.to_owned()).or_default());
}

/// Prints the lines, if anything was run.
pub(crate) fn print() {
    let tallies = tallies();
    if tallies.is_empty() {
        return;
    }
    let lang = Lang::from_environment();
    let interrupted = wb_process::is_interrupted().then(|| text::summary_interrupted(lang));
    let tallies = tallies.iter().map(|(backend, tally)| tally.lines(lang, backend));
    let parts: Vec<_> = interrupted.into_iter().chain(tallies).collect();
    // Where libtest has just reported: launchers do not keep the order of two streams.
    let _nowhere_to_say = writeln!(io::stdout(), "{}", parts.join("\n"));
}

impl Tally {
    /// The counts, and a line for each reason to think twice about them.
    fn lines(&self, lang: Lang, backend: &str) -> String {
        let numbers = |set: &BTreeSet<usize>| number::ranges(set.iter().copied(), "..");
        let counts = text::summary_of(lang, backend, self.passed, self.failed, self.skipped);
        let mut notes = vec![text::summary(lang, counts)];
        if !self.hosts.is_empty() {
            let names: Vec<&str> = self.hosts.iter().map(String::as_str).collect();
            notes.push(hosts::ran_on(lang, names.join(", ")));
        }
        if !self.oversubscribed.is_empty() {
            let cores = if self.hosts.is_empty() { cores() } else { launch::cores_of_jobs() };
            notes.push(text::summary_oversubscribed(lang, numbers(&self.oversubscribed), cores));
        }
        if !self.unchecked.is_empty() {
            notes.push(text::summary_unchecked(lang, numbers(&self.unchecked), MAX_RACE_CHECKED_RANKS));
        }
        if !self.unavailable.is_empty() {
            notes.push(text::summary_skipped(lang, numbers(&self.unavailable), self.available));
        }
        if self.not_run > 0 {
            notes.push(hosts::not_run_too(lang, self.not_run));
        }
        if !self.left_out.is_empty() {
            notes.push(text::summary_left_out(lang, numbers(&self.left_out)));
        }
        notes.extend(self.disabled.iter().map(|version| text::version_disabled(lang, version)));
        notes.join("\n    ")
    }
}

/// The cores that the ranks of a backend share: of a library's ranks those of their hosts, of others those of this host.
fn cores_of(backend: &BackendLabel) -> usize {
    let is_here = backend.is_in_one_process();
    if is_here || !launch::places_ranks() { cores() } else { launch::cores_of_jobs() }
}

/// The cores that the ranks share. A launcher may have bound this rank to one of them.
fn cores() -> usize {
    match wb_process::launcher_rank() {
        Some(_) => wb_process::node_cpus().len(),
        None => wb_process::usable_cores(),
    }
}

/// Passed, failed and skipped runs of a backend so far.
#[cfg(test)]
pub(crate) fn counts(backend: &BackendLabel) -> (usize, usize, usize) {
    let tallies = tallies();
    tallies.get(&backend.0).map_or((0, 0, 0), |tally| (tally.passed, tally.failed, tally.skipped))
}

/// The number of tests that were not run for a reason that an earlier report names.
#[cfg(test)]
pub(crate) fn not_run_count(backend: &BackendLabel) -> usize {
    tallies().get(&backend.0).map_or(0, |tally| tally.not_run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_run_is_skipped_for_whatever_reason_and_never_passed() {
        let named = |name: &str| BackendLabel(name.to_owned());
        skipped("too few ranks", 8, 4, 5);
        left_out(&named("a job that was ended"), 3, 5);
        disabled(&named("a disabled version"), "mpi", 5);
        for name in ["too few ranks", "a job that was ended", "a disabled version"] {
            assert_eq!(counts(&named(name)), (0, 0, 5), "{name}");
        }
    }

    #[test]
    fn lines_say_what_was_oversubscribed_and_what_was_skipped() {
        let tally = Tally {
            passed: 5,
            failed: 1,
            skipped: 2,
            oversubscribed: [4, 8].into(),
            unchecked: [65].into(),
            not_run: 17,
            left_out: [3].into(),
            disabled: ["mpi"].into(),
            unavailable: [8].into(),
            available: 4,
            ..Tally::default()
        };
        let lines = tally.lines(Lang::En, "Open MPI 4.1.4");
        let lines: Vec<_> = lines.lines().collect();
        assert_eq!(lines[0], "workbench: Open MPI 4.1.4: 5 run(s) passed, 1 failed, 2 skipped");
        assert!(lines[1].starts_with("    P = 4, 8 oversubscribed: "), "{lines:?}");
        let further = [
            "    P = 65 not searched for races of windows: 64 rank(s) at most",
            "    P = 8 skipped: the launcher gave 4 rank(s)",
            "    17 test(s) more were not run for the same reason",
            "    P = 3 skipped: a test was ended at other P",
            "    the version `mpi` is disabled in task.yaml: its tests are skipped",
        ];
        assert_eq!(lines[2..], further);
    }
}
