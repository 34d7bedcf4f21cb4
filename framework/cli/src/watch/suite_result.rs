//! The result of the tests on some backends, from the output of the test programs, and its difference from the run before.

use std::{collections::BTreeMap, time::Duration};

use crate::test_totals::TestTotals;

/// Backends that are tested together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Suite {
    /// Threads and virtual time.
    OneProcess,
    /// Processes of real MPI.
    Mpi,
}

/// The verdict on a suite.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum SuiteVerdict {
    /// At least one test passed, and none failed.
    Passed,
    /// A program failed.
    Failed,
    /// No test ran: there is none, or the version is disabled.
    #[default]
    NothingRan,
}

/// The results of a suite.
#[derive(Debug, Clone, Default)]
pub(super) struct SuiteResult {
    pub(super) verdict: SuiteVerdict,
    pub(super) totals: TestTotals,
    /// Whether each test passed.
    pub(super) tests: TestResults,
    /// The report of the first failure.
    pub(super) failure: Option<String>,
    pub(super) elapsed: Duration,
}

/// Whether each test passed, by its name.
pub(super) type TestResults = BTreeMap<String, bool>;

/// The end of a test program.
pub(super) struct ProgramEnd {
    pub(super) is_success: bool,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// The reason why the program was ended, if it was.
    pub(super) ended_by: Option<String>,
    /// The number of tests of disabled versions, which have run nothing.
    pub(super) disabled: usize,
}

impl SuiteResult {
    /// Adds the results of a program. Its exit status decides; its output names the tests.
    pub(super) fn add(&mut self, program: &ProgramEnd) {
        let totals = TestTotals::from_output(&program.stdout).with_skipped(program.disabled);
        self.totals += totals;
        self.tests.extend(test_results(&program.stdout));
        self.verdict = match self.verdict {
            _ if !program.is_success => SuiteVerdict::Failed,
            SuiteVerdict::NothingRan if totals.passed > 0 => SuiteVerdict::Passed,
            verdict => verdict,
        };
        if !program.is_success && self.failure.is_none() {
            self.failure = Some(program.failure());
        }
    }
}

impl ProgramEnd {
    /// The report of the first failed test; the output where no test has left a report.
    fn failure(&self) -> String {
        let report = first_report(&self.stdout).unwrap_or_else(|| format!("{}{}", self.stderr, self.stdout));
        let ended_by = self.ended_by.iter().map(String::as_str);
        let parts = ended_by.chain([report.trim_matches('\n')]).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("\n")
    }
}

/// The tests that libtest names with a result. Ignored tests have none.
fn test_results(output: &str) -> impl Iterator<Item = (String, bool)> {
    output.lines().filter_map(|line| {
        let (name, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
        matches!(result, "ok" | "FAILED").then(|| (name.to_owned(), result == "ok"))
    })
}

/// What libtest shows of the first failed test, with its name.
fn first_report(output: &str) -> Option<String> {
    let heading = |line: &str| Some(line.strip_prefix("---- ")?.strip_suffix(" stdout ----")?.to_owned());
    let mut lines = output.lines().skip_while(|line| heading(line).is_none());
    let name = heading(lines.next()?)?;
    let report = lines.take_while(|line| heading(line).is_none() && *line != "failures:");
    let report = report.collect::<Vec<_>>().join("\n");
    // The harness names the test itself.
    let is_named = report.lines().any(|line| line.contains(&name));
    Some(if is_named { report } else { format!("{name}\n{report}") })
}

/// The tests whose result differs from that of the run before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ResultChanges {
    pub(super) better: Vec<String>,
    pub(super) worse: Vec<String>,
}

impl ResultChanges {
    /// The changes from `before` to `now`. A test that is new, or has no result now, is none.
    pub(super) fn between(before: &TestResults, now: &TestResults) -> Self {
        let changed = |passes: bool| {
            let differ = |(name, passed): &(&String, &bool)| {
                **passed == passes && before.get(*name).is_some_and(|before| *before != passes)
            };
            now.iter().filter(differ).map(|(name, _)| name.clone()).collect()
        };
        Self { better: changed(true), worse: changed(false) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAILED: &str = "\nrunning 3 tests\ntest adds ... FAILED\ntest sends::case_1 ... ok\ntest slow ... ignored, slow\n\
        test waits ... FAILED\n\nfailures:\n\n---- adds stdout ----\n\nFAIL adds [threads, P = 2]\n  src/mpi.rs:7: wrong\n\n\
        ---- waits stdout ----\n\nthread panicked\n\n\nfailures:\n    adds\n    waits\n\n\
        test result: FAILED. 1 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n";

    fn end(is_success: bool, stdout: &str) -> ProgramEnd {
        let stderr = "killed\n".to_owned();
        ProgramEnd { is_success, stdout: stdout.to_owned(), stderr, ended_by: None, disabled: 0 }
    }

    fn result(ends: &[ProgramEnd]) -> SuiteResult {
        let mut result = SuiteResult::default();
        ends.iter().for_each(|end| result.add(end));
        result
    }

    fn passed(tests: usize) -> ProgramEnd {
        end(true, &format!("test result: ok. {tests} passed; 0 failed; 0 ignored; 0 measured\n"))
    }

    #[test]
    fn the_first_failure_is_shown_with_its_lines_and_its_test() {
        let result = result(&[end(false, FAILED), end(false, "")]);
        assert_eq!(result.verdict, SuiteVerdict::Failed);
        let report = "FAIL adds [threads, P = 2]\n  src/mpi.rs:7: wrong";
        assert_eq!(result.failure.as_deref(), Some(report));
        let second = FAILED.replacen("---- adds stdout ----", "", 1);
        assert_eq!(end(false, &second).failure(), "waits\n\nthread panicked");
        let tests: Vec<_> = result.tests.iter().map(|(name, passed)| (name.as_str(), *passed)).collect();
        assert_eq!(tests, [("adds", false), ("sends::case_1", true), ("waits", false)]);
        assert_eq!((result.totals.passed, result.totals.failed, result.totals.skipped), (1, 2, 1));
    }

    #[test]
    fn a_program_that_ends_without_a_report_shows_its_output_and_why_it_was_ended() {
        let crashed =
            ProgramEnd { ended_by: Some("ended after 600 s".into()), ..end(false, "test adds ... ") };
        assert_eq!(crashed.failure(), "ended after 600 s\nkilled\ntest adds ... ");
        assert_eq!(result(&[passed(2), crashed]).verdict, SuiteVerdict::Failed, "the exit status decides");
    }

    #[test]
    fn a_suite_passes_only_when_a_test_has_run() {
        assert_eq!(result(&[]).verdict, SuiteVerdict::NothingRan);
        assert_eq!(result(&[passed(0)]).verdict, SuiteVerdict::NothingRan);
        assert_eq!(result(&[passed(0), passed(1)]).verdict, SuiteVerdict::Passed);
        assert_eq!(result(&[end(false, ""), passed(1)]).verdict, SuiteVerdict::Failed);
        let disabled = result(&[ProgramEnd { disabled: 2, ..passed(2) }]);
        assert_eq!((disabled.verdict, disabled.totals.skipped), (SuiteVerdict::NothingRan, 2));
    }

    #[test]
    fn a_test_is_better_or_worse_than_in_the_run_before() {
        let results = |tests: &[(&str, bool)]| -> TestResults {
            tests.iter().map(|(name, passed)| ((*name).to_owned(), *passed)).collect()
        };
        let before = results(&[("a", true), ("b", false), ("c", true), ("d", false), ("gone", true)]);
        let now = results(&[("a", false), ("b", true), ("c", true), ("d", false), ("new", false)]);
        let ResultChanges { better, worse } = ResultChanges::between(&before, &now);
        assert_eq!((better, worse), (vec!["b".to_owned()], vec!["a".to_owned()]));
        assert_eq!(ResultChanges::between(&now, &now), ResultChanges::default());
    }
}
