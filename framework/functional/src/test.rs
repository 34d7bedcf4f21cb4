//! A test: the student's description, its runs, and its settings. Here are a test with its types erased, its names, and what a verdict
//! needs of each of its runs: the input, the number of ranks, and the expectations besides a right output.
use std::{cell::RefCell, collections::BTreeMap, sync::Arc, thread, time::Duration};

use serde::{Deserialize, Serialize};
use wb_comm::Rank;
use wb_record::Version;
use wb_runner::{AllowedVerbs, Backends};
use wb_task::Place;

pub(crate) mod panics;
pub(crate) mod settings;
pub(crate) mod suite;
pub(crate) mod test_run;

pub(crate) use test_run::TestRun;

/// The identity of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct RunId {
    /// The test's path, and which of its checks.
    pub(crate) test: String,
    /// Ranks that take part.
    pub(crate) ranks: usize,
    /// The number of the input at this number of ranks, from 0.
    pub(crate) input: usize,
}

impl RunId {
    /// The first run of a test at a number of ranks: the identity of the test.
    pub(crate) fn first(test: &str, ranks: usize) -> Self {
        Self { test: test.to_owned(), ranks, input: 0 }
    }
}

/// The conditions besides the oracle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExtraRules {
    /// The verbs that may be called.
    pub(crate) allowed: AllowedVerbs,
    /// The exact number of point-to-point messages of all ranks together.
    pub(crate) messages: Option<u64>,
    /// Validation must refuse the input with a reason that contains this.
    pub(crate) refusal: Option<String>,
}

/// The data about a run that a verdict needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TestCase {
    pub(crate) id: RunId,
    /// The number of inputs at this number of ranks.
    pub(crate) inputs: usize,
    /// The beginning of the input's text.
    pub(crate) excerpt: String,
    /// The rank that has the input.
    pub(crate) home_rank: Rank,
    /// The ranks that have the output.
    pub(crate) output_location: Place,
    /// The further rules.
    pub(crate) expected: ExtraRules,
    /// The time limit of all stages together.
    pub(crate) limit: Option<Duration>,
}

impl TestCase {
    /// A run under this limit, without input and rules.
    pub(crate) fn without_rules(id: RunId, limit: Option<Duration>) -> Self {
        let (excerpt, output_location, expected) = (String::new(), Place::Home, ExtraRules::default());
        Self { id, inputs: 1, excerpt, home_rank: 0, output_location, expected, limit }
    }

    /// A run under a limit of a second.
    #[cfg(test)]
    pub(crate) fn example(id: RunId) -> Self {
        Self::without_rules(id, Some(Duration::from_secs(1)))
    }
}

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
