//! The sum of the results of cargo's test programs.
//!
//! The line `test result: ok. 3 passed; 0 failed; 1 ignored; ...` that closes every test program has been stable for
//! ten years, and is the only printed text that this program reads. Tests that have run nothing, because their version is disabled, are
//! in the records of the harness.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, BufRead, BufReader},
    ops::AddAssign,
    path::Path,
};

use wb_messages::{Lang, cli as text, functional};
use wb_record::{FunctionalRecord, Measurement, Record};

use crate::error::{CliError, Result};

/// Names the file to which a functional test program appends the records of its tests.
pub(crate) const RECORDS_VARIABLE: &str = "WB_RECORDS";

/// The number of tests in a file of records in `lang` that have run nothing, because their version is disabled.
pub(crate) fn count_disabled(file: &Path, lang: Lang) -> Result<usize> {
    let count = || {
        let mut disabled = BTreeSet::new();
        // A line at a time: the tests of all tasks of a course may have written it.
        for line in BufReader::new(File::open(file)?).lines() {
            let records = wb_record::read_all(&line?).map_err(io::Error::other)?;
            disabled.extend(records.into_iter().filter_map(|record| disabled_test(record, lang)));
        }
        Ok(disabled.len())
    };
    count().map_err(CliError::system("read", file))
}

/// The hangs in a file of records that say which rank waits for which.
pub(crate) fn hangs(file: &Path) -> Result<Vec<FunctionalRecord>> {
    let text = std::fs::read_to_string(file).map_err(CliError::system("read", file))?;
    let records =
        wb_record::read_all(&text).map_err(io::Error::other).map_err(CliError::system("read", file))?;
    let hang = |record: Record| match record.measurement {
        Measurement::Functional(verdict) => Some(verdict).filter(|verdict| !verdict.waits.is_empty()),
        _ => None,
    };
    Ok(records.into_iter().filter_map(hang).collect())
}

/// The task and the test of a verdict on a disabled version.
fn disabled_test(record: Record, lang: Lang) -> Option<(String, String)> {
    let Measurement::Functional(verdict) = record.measurement else { return None };
    let reason = functional::version_disabled(lang, verdict.version.name());
    let test = verdict.test.split('#').next()?; // A test may have several verdicts.
    (verdict.reason == Some(reason)).then(|| (record.subject.task, test.to_owned()))
}

/// The numbers of tests by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TestTotals {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
    /// Tests that the arguments after `--` do not select.
    pub(crate) unselected: usize,
}

impl TestTotals {
    /// The sum over all closing lines in the output of `cargo test`.
    pub(crate) fn from_output(output: &str) -> Self {
        let mut total = Self::default();
        output.lines().filter_map(Self::parse_line).for_each(|line| total += line);
        total
    }

    /// The same when `tests` of those that passed have run nothing, because their version is disabled.
    pub(crate) fn with_skipped(self, tests: usize) -> Self {
        let tests = tests.min(self.passed);
        Self { passed: self.passed - tests, skipped: self.skipped + tests, ..self }
    }

    fn parse_line(line: &str) -> Option<Self> {
        let counts = line.strip_prefix("test result: ")?.split_once(". ")?.1;
        let count = |what: &str| {
            let found = counts.split("; ").find_map(|part| part.strip_suffix(what));
            found.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
        };
        Some(Self {
            passed: count("passed"),
            failed: count("failed"),
            skipped: count("ignored"),
            unselected: count("filtered out"),
        })
    }
}

impl AddAssign for TestTotals {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.unselected += other.unselected;
    }
}

impl TestTotals {
    /// Whether there are tests, of which none is selected.
    pub(crate) fn has_selected_nothing(self) -> bool {
        self.passed + self.failed + self.skipped == 0 && self.unselected > 0
    }

    /// `3 passed, 1 failed, 0 skipped`.
    pub(crate) fn render(self, lang: Lang) -> String {
        let Self { passed, failed, skipped, .. } = self;
        text::total(lang, passed, failed, skipped)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use wb_record::TestOutcome;

    use super::*;

    #[test]
    fn the_closing_lines_are_summed_up() {
        let output = "running 2 tests\ntest a ... ok\n\
            test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\
            test result: FAILED. 3 passed; 4 failed; 0 ignored; 0 measured; 7 filtered out; finished in 2.00s\n";
        assert_eq!(
            TestTotals::from_output(output),
            TestTotals { passed: 5, failed: 4, skipped: 1, unselected: 7 }
        );
        assert_eq!(TestTotals::from_output(output).render(Lang::En), "5 passed, 4 failed, 1 skipped");
        assert_eq!(
            TestTotals::from_output(output).with_skipped(2).render(Lang::Ru),
            "пройдено 3, с ошибкой 4, пропущено 3"
        );
    }

    #[test]
    fn each_test_of_a_disabled_version_counts_once_and_what_is_skipped_for_another_reason_does_not() {
        let line = |test: &str, reason: Option<String>| {
            let (test, verdict) = (test.to_owned(), TestOutcome::Skip);
            let record = FunctionalRecord { test, verdict, reason, ..FunctionalRecord::example() };
            Record { measurement: record.into(), ..wb_record::example() }.to_line() + "\n"
        };
        let disabled = || Some(functional::version_disabled(Lang::Ru, "mpi"));
        let file = tempfile::NamedTempFile::new().expect("a file");
        let lines =
            [("a", disabled()), ("a#2", disabled()), ("b", disabled()), ("c", Some("too few".into()))];
        fs::write(&file, lines.map(|(test, reason)| line(test, reason)).concat()).expect("written");
        assert_eq!(count_disabled(file.path(), Lang::Ru).expect("readable"), 2);
        fs::write(&file, "no record").expect("written");
        assert!(count_disabled(file.path(), Lang::Ru).is_err());
    }

    #[test]
    fn other_lines_count_nothing() {
        assert_eq!(TestTotals::from_output("test result\nok. 2 passed\n"), TestTotals::default());
    }
}
