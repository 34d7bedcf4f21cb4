//! The time limit of a task's test program, and the report on a program that has reached it.
//!
//! A run of the harness has a limit of its own; a test that does not use the harness has none. So a program that does not end is ended
//! from outside. Its name and its tests are read from its output for the report only; the limit decides.

use std::{collections::BTreeSet, time::Duration};

use wb_config::{CourseSettings, TimeLimits};
use wb_messages::{Lang, cli as text};

use crate::{error::Result, workspace::Workspace};

/// The time limit of a check, and of a test program that is not a task's.
pub(crate) const STEP_LIMIT: Duration = Duration::from_secs(3600);

/// The time limit of each of a task's test programs. Where limits are lifted, it is that of a step.
pub(crate) fn limit(workspace: &Workspace) -> Result<Duration> {
    let course = CourseSettings::find(workspace.root())?;
    Ok(TimeLimits::from_process_environment(&course)?.program.unwrap_or(STEP_LIMIT))
}

/// The report on a program that was ended at its limit, from its output and the output of the cargo that started it.
pub(crate) fn describe_unended(package: &str, limit: Duration, output: &str, lang: Lang) -> String {
    let program = match last_program(output) {
        Some(file) => format!("{package} {file}"),
        None => package.to_owned(),
    };
    let tests: Vec<_> = unended_tests(output).into_iter().collect();
    match tests.is_empty() {
        true => text::program_did_not_end(lang, program, limit.as_secs()),
        false => text::tests_did_not_end(lang, program, limit.as_secs(), tests.join(", ")),
    }
}

/// The file of the program that cargo started last: `Running tests/functional.rs (target/debug/deps/functional-0123)`.
fn last_program(output: &str) -> Option<&str> {
    let started = output.lines().rev().find_map(|line| Some(line.split_once("Running")?.1))?;
    let file = started.trim_start_matches("\u{1b}[0m").split_once(" (")?.0;
    Some(file.trim_start_matches(" unittests").trim())
}

/// The tests that have begun and not ended. libtest names a test before it runs if it runs one at a time, and after a minute otherwise.
fn unended_tests(output: &str) -> BTreeSet<&str> {
    let mut unended = BTreeSet::new();
    for line in output.lines().filter_map(|line| line.strip_prefix("test ")) {
        let result = line.split_once(" ... ").map(|(name, result)| (name, result.trim_start()));
        match (line.split_once(" has been running for over "), result) {
            (Some((name, _)), None) => unended.insert(name),
            (_, Some((name, result))) if is_result(result) => unended.remove(name),
            (_, Some((name, _))) => unended.insert(name),
            (None, None) => false,
        };
    }
    unended
}

/// Whether these words follow the name of a test that has ended. They may be in colour.
fn is_result(words: &str) -> bool {
    let words = words.trim_start_matches(|c: char| !c.is_ascii_alphabetic() || c == 'm');
    ["ok", "FAILED", "ignored"].iter().any(|result| words.starts_with(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_names_the_program_and_the_tests_that_had_not_ended() {
        let one_at_a_time = "     Running unittests src/lib.rs (target/debug/deps/a-1)\nrunning 0 tests\n\
            \u{1b}[1m\u{1b}[92m     Running\u{1b}[0m tests/functional.rs (target/debug/deps/functional-1)\n\
            running 3 tests\ntest passes ... \u{1b}[32mok\u{1b}[0m\ntest later ... ignored, slow\ntest waits ... ";
        let report = |output| describe_unended("a_task", Duration::from_secs(7), output, Lang::En);
        assert_eq!(
            report(one_at_a_time),
            "a_task tests/functional.rs did not end within 7 s and was ended; tests that had not ended: waits"
        );
        let several = "running 3 tests\ntest a has been running for over 60 seconds\n\
            test b has been running for over 60 seconds\ntest a ... ok\ntest c ... FAILED\n";
        assert_eq!(unended_tests(several).into_iter().collect::<Vec<_>>(), ["b"]);
        assert_eq!(report("nothing"), "a_task did not end within 7 s and was ended");
        let russian = describe_unended("a_task", Duration::from_secs(7), several, Lang::Ru);
        assert!(russian.contains("не завершились тесты: b"), "{russian}");
    }
}
