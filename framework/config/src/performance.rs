//! What is measured of a task, and its criterion: the same in `task.yaml` and in `assignment.yaml`.

use serde::Deserialize;
use wb_text::{Text, settings};

use crate::value;

/// The criterion of a task's performance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskKind {
    /// Judged by speed-up and efficiency over the sequential version.
    Computation,
    /// Judged by latency and bandwidth beside the library's own call: there is no meaningful speed-up over a copy in memory.
    Communication,
}

/// The measured workloads.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerformanceSettings {
    /// The inputs, at least one, each once.
    pub workloads: Vec<WorkloadSettings>,
    /// The numbers of ranks, increasing.
    #[serde(deserialize_with = "value::ranks")]
    pub ranks: Vec<usize>,
}

/// One input to measure.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkloadSettings {
    /// Its name, which the task's `Problem::workload` understands.
    #[serde(deserialize_with = "value::text")]
    pub name: String,
    /// Its size in the problem's own unit.
    #[serde(deserialize_with = "value::whole::<_, _, 1, 1_000_000_000_000>")]
    pub size: usize,
}

/// The path of a value, and its problem.
pub(crate) type Contradiction = (Vec<String>, Text);

/// The first value that contradicts another one, by its path.
pub(crate) fn find_contradiction(performance: &PerformanceSettings) -> Option<Contradiction> {
    invalid_workloads(performance).or_else(|| invalid_ranks(performance))
}

fn invalid_workloads(PerformanceSettings { workloads, .. }: &PerformanceSettings) -> Option<Contradiction> {
    let path = |rest: &[String]| [vec!["performance".into(), "workloads".into()], rest.to_vec()].concat();
    if workloads.is_empty() {
        return Some((path(&[]), settings::no_workloads()));
    }
    let again = (1..workloads.len()).find(|&at| workloads[..at].contains(&workloads[at]))?;
    Some((path(&[again.to_string()]), settings::workload_again()))
}

fn invalid_ranks(PerformanceSettings { ranks, .. }: &PerformanceSettings) -> Option<Contradiction> {
    let path = |rest: &[String]| [vec!["performance".into(), "ranks".into()], rest.to_vec()].concat();
    if ranks.is_empty() {
        return Some((path(&[]), settings::no_ranks()));
    }
    let at = (1..ranks.len()).find(|&at| ranks[at] <= ranks[at - 1])?;
    Some((path(&[at.to_string()]), settings::ranks_fall(ranks[at], ranks[at - 1])))
}
