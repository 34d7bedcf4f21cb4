//! The result of a step of a run, from the output of its programs, and its difference from the run before.

use std::{collections::BTreeMap, time::Duration};

use wb_record::FunctionalRecord;

use crate::test_totals::TestTotals;

/// A step of a run: the build, the tests on threads and in virtual time, the tests on real MPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    Build,
    OneProcess,
    Mpi,
}

/// The verdict on a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum StepVerdict {
    /// Nothing failed and, of tests, at least one passed.
    Passed,
    /// A program failed.
    Failed,
    /// No test ran: there is none, or the version is disabled.
    #[default]
    NothingRan,
}

/// The result of a step.
#[derive(Debug, Clone, Default)]
pub(super) struct StepResult {
    pub(super) verdict: StepVerdict,
    pub(super) totals: TestTotals,
    /// Whether each test passed, by its name.
    pub(super) tests: BTreeMap<String, bool>,
    /// The first failure, or what the compiler has found.
    pub(super) report: String,
    /// The records of its hangs.
    pub(super) hangs: Vec<FunctionalRecord>,
    pub(super) elapsed: Duration,
}

/// The end of a test program.
pub(super) struct ProgramEnd {
    pub(super) is_success: bool,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// The reason why the program was ended, if it was.
    pub(super) ended_by: Option<String>,
    /// The number of tests of disabled versions, which have run nothing.
    pub(super) disabled: usize,
    /// The records of its hangs.
    pub(super) hangs: Vec<FunctionalRecord>,
}

impl StepResult {
    /// The result of a build with this output of cargo, in colours: the errors are shown or, where it has succeeded, the warnings.
    pub(super) fn of_build(is_success: bool, output: &str, elapsed: Duration) -> Self {
        let (verdict, wanted) = match is_success {
            true => (StepVerdict::Passed, "warning"),
            false => (StepVerdict::Failed, "error"),
        };
        // Lines about the progress come before.
        let first = output.lines().position(|line| plain(line).starts_with(wanted));
        let skipped = first.unwrap_or(if is_success { usize::MAX } else { 0 });
        let report = output.lines().skip(skipped).collect::<Vec<_>>().join("\n");
        let report = wb_text::escape::coloured(&report).into_owned();
        Self { verdict, report, elapsed, ..Self::default() }
    }

    /// Adds the results of a test program. Its exit status decides; its output names the tests.
    pub(super) fn add(&mut self, program: &ProgramEnd) {
        let totals = TestTotals::from_output(&program.stdout).with_skipped(program.disabled);
        self.totals += totals;
        self.tests.extend(program.tests());
        self.verdict = match self.verdict {
            _ if !program.is_success => StepVerdict::Failed,
            StepVerdict::NothingRan if totals.passed > 0 => StepVerdict::Passed,
            verdict => verdict,
        };
        if !program.is_success && self.report.is_empty() {
            self.report = wb_text::escape::terminal(&program.failure()).into_owned();
            self.hangs.clone_from(&program.hangs);
        }
    }

    /// The tests that passed now or failed now, and did not in the run before. A test without a result in one of them is left out.
    pub(super) fn changed(&self, before: &BTreeMap<String, bool>, passes: bool) -> Vec<String> {
        let differs = |name: &String| before.get(name).is_some_and(|before| *before != passes);
        let now = self.tests.iter().filter(|(name, passed)| **passed == passes && differs(name));
        now.map(|(name, _)| name.clone()).collect()
    }
}

impl ProgramEnd {
    /// The report of the first failed test; the output where no test has left a report.
    fn failure(&self) -> String {
        let report = first_report(&self.stdout).unwrap_or_else(|| format!("{}{}", self.stderr, self.stdout));
        let ended_by = self.ended_by.iter().map(String::as_str);
        ended_by.chain([report.trim_matches('\n')]).collect::<Vec<_>>().join("\n")
    }

    /// The tests that libtest names with a result. Ignored tests have none.
    fn tests(&self) -> impl Iterator<Item = (String, bool)> {
        self.stdout.lines().filter_map(|line| {
            let (name, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
            matches!(result, "ok" | "FAILED").then(|| (name.to_owned(), result == "ok"))
        })
    }
}

/// What libtest shows of the first failed test, with its name.
fn first_report(output: &str) -> Option<String> {
    let heading = |line: &str| Some(line.strip_prefix("---- ")?.strip_suffix(" stdout ----")?.to_owned());
    let mut lines = output.lines().skip_while(|line| heading(line).is_none());
    let name = heading(lines.next()?)?;
    let report = lines.take_while(|line| heading(line).is_none() && *line != "failures:");
    let report = report.collect::<Vec<_>>().join("\n");
    // The harness names the test itself.
    Some(if report.contains(&name) { report } else { format!("{name}\n{report}") })
}

/// The line without colours.
pub(super) fn plain(line: &str) -> String {
    let (first, rest) = line.split_once('\u{1b}').unwrap_or((line, ""));
    let behind_colours = rest.split('\u{1b}').filter_map(|part| Some(part.split_once('m')?.1));
    first.to_owned() + &behind_colours.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAILED: &str = "test adds ... FAILED\ntest sends::case_1 ... ok\ntest slow ... ignored, slow\n\
        test waits ... FAILED\n\nfailures:\n\n---- adds stdout ----\n\nFAIL adds [threads, P = 2]\n  src/mpi.rs:7: wrong\n\n\
        ---- waits stdout ----\n\nthread panicked\n\n\nfailures:\n    adds\n    waits\n\n\
        test result: FAILED. 1 passed; 2 failed; 1 ignored; 0 measured\n";

    fn end(is_success: bool, stdout: &str) -> ProgramEnd {
        let (stdout, stderr) = (stdout.to_owned(), "killed\n".to_owned());
        ProgramEnd { is_success, stdout, stderr, ended_by: None, disabled: 0, hangs: vec![] }
    }

    fn passed(tests: usize) -> ProgramEnd {
        end(true, &format!("test result: ok. {tests} passed; 0 failed; 0 ignored; 0 measured\n"))
    }

    fn result(ends: &[ProgramEnd]) -> StepResult {
        let mut result = StepResult::default();
        ends.iter().for_each(|end| result.add(end));
        result
    }

    #[test]
    fn the_first_failure_is_shown_with_its_lines_and_its_test() {
        let failed = result(&[end(false, FAILED), end(false, "")]);
        assert_eq!(failed.report, "FAIL adds [threads, P = 2]\n  src/mpi.rs:7: wrong");
        let second = FAILED.replacen("---- adds stdout ----", "", 1);
        assert_eq!(end(false, &second).failure(), "waits\n\nthread panicked");
        let tests: Vec<_> = failed.tests.iter().map(|(name, passed)| (name.as_str(), *passed)).collect();
        assert_eq!(tests, [("adds", false), ("sends::case_1", true), ("waits", false)]);
        let crashed =
            ProgramEnd { ended_by: Some("ended after 600 s".into()), ..end(false, "test adds ... ") };
        assert_eq!(crashed.failure(), "ended after 600 s\nkilled\ntest adds ... ");
    }

    #[test]
    fn the_exit_status_decides_and_a_step_passes_only_when_a_test_has_run() {
        let verdict = |ends: &[ProgramEnd]| result(ends).verdict;
        assert_eq!(verdict(&[passed(0)]), StepVerdict::NothingRan);
        assert_eq!(verdict(&[passed(0), passed(1)]), StepVerdict::Passed);
        assert_eq!(verdict(&[passed(2), end(false, "")]), StepVerdict::Failed);
        assert_eq!(verdict(&[end(false, ""), passed(1)]), StepVerdict::Failed);
        assert_eq!(verdict(&[ProgramEnd { disabled: 2, ..passed(2) }]), StepVerdict::NothingRan);
    }

    #[test]
    fn a_test_is_better_or_worse_than_in_the_run_before() {
        let tests =
            |tests: &[(&str, bool)]| tests.iter().map(|(name, passed)| ((*name).into(), *passed)).collect();
        let before = tests(&[("a", true), ("b", false), ("c", true), ("d", false), ("gone", true)]);
        let now = tests(&[("a", false), ("b", true), ("c", true), ("d", false), ("new", false)]);
        let now = StepResult { tests: now, ..StepResult::default() };
        assert_eq!(
            (now.changed(&before, true), now.changed(&before, false)),
            (vec!["b".into()], vec!["a".into()])
        );
    }

    #[test]
    fn a_compile_error_comes_without_the_lines_before_it_and_with_its_colours() {
        let report =
            |is_success, output: &str| StepResult::of_build(is_success, output, Duration::ZERO).report;
        let error = "\u{1b}[1m\u{1b}[91merror[E0308]\u{1b}[0m: mismatched types\n --> src/mpi.rs:3:5";
        let output = format!("\u{1b}[1mCompiling\u{1b}[0m ring\nwarning: unused\n{error}\n");
        assert_eq!(report(false, &output), error);
        assert_eq!(report(true, "Compiling ring\nwarning: unused\nFinished\n"), "warning: unused\nFinished");
        assert_eq!(
            (report(true, "Finished\n"), report(false, "no package\n")),
            ("".into(), "no package".into())
        );
    }
}
