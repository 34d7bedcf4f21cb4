//! A test with its types erased.
use std::{cell::RefCell, collections::BTreeMap, sync::Arc, thread};

use wb_record::Version;
use wb_runner::Backends;

use crate::test::{test_case::RunId, test_run::TestRun};

pub(crate) struct ErasedTest {
    pub(crate) backends: Backends,
    /// The test's path; a second check of the same test has a number appended.
    pub(crate) name: String,
    /// The version under test.
    pub(crate) version: Version,
    /// Whether its inputs, oracle and expected outputs are those of an assignment.
    pub(crate) is_graded: bool,
    /// The runs, by numbers of ranks.
    pub(crate) test_runs: Vec<(usize, Vec<Arc<dyn TestRun>>)>,
}

/// The name of this thread's next check: libtest names the thread after the test.
pub(crate) fn next_check_name() -> String {
    thread_local! {
        static CHECKS: RefCell<BTreeMap<String, usize>> = const { RefCell::new(BTreeMap::new()) };
    }
    let test = thread::current().name().unwrap_or("main").to_owned();
    let number = CHECKS.with_borrow_mut(|checks| {
        let number = checks.entry(test.clone()).or_default();
        *number += 1;
        *number
    });
    if number == 1 { test } else { format!("{test}#{number}") }
}

/// The version of a task of type `T`, tested on these numbers of ranks: tasks call their versions `Seq` and `Mpi`; a
/// type with another name that is tested on one rank only counts as sequential.
pub(crate) fn version_of<T>(ranks: &[usize]) -> Version {
    let on_one_rank = ranks.iter().all(|&ranks| ranks == 1);
    named_version::<T>().unwrap_or(if on_one_rank { Version::Seq } else { Version::Mpi })
}

/// The version that the name of this type states.
pub(crate) fn named_version<T>() -> Option<Version> {
    let path = std::any::type_name::<T>().split('<').next().unwrap_or_default();
    match path.rsplit("::").next() {
        Some("Seq") => Some(Version::Seq),
        Some("Mpi") => Some(Version::Mpi),
        _ => None,
    }
}

/// The test that a check belongs to: see [`next_check_name`].
pub(crate) fn test_of(check: &str) -> &str {
    check.split_once('#').map_or(check, |(test, _)| test)
}

/// The identity of a test at a number of ranks, in a journal.
pub(crate) fn run_id(name: &str, ranks: usize) -> RunId {
    RunId { test: name.to_owned(), ranks, input: 0 }
}
