//! The job of Slurm that this process runs in, when launches in it fail: whether it is over, and which of its nodes are lost.
//!
//! From the end of its time on, a job gets no further steps, but Slurm ends it up to 30 s later. A command that knows nothing of that
//! would count each further launch as a failure of the task.
use std::{path::Path, process::Command, time::Duration};

use jiff::civil::DateTime;
use wb_process::{lost_slurm_nodes, output_of};

use crate::output_tail;

/// The time for an answer.
const LIMIT: Duration = Duration::from_secs(10);

/// The reason why the job of this process gets no further launches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllocationEnd {
    /// The job has reached its time limit.
    TimeLimit,
    /// The job is in this state: `PREEMPTED`, `CANCELLED`.
    State(String),
}

/// The reason why the job gets no further launches; `None` if it does, or there is none, or Slurm does not answer.
pub(crate) fn allocation_end() -> Option<AllocationEnd> {
    let job = std::env::var("SLURM_JOB_ID").ok()?;
    let mut command = Command::new("squeue");
    command.args(["--noheader", "--states=all", "--format=%T|%e"]).arg(format!("--jobs={job}"));
    parse_end(&output_of(command, LIMIT)?, jiff::Zoned::now().datetime())
}

/// An answer in the format of [`allocation_end`]; times are local.
fn parse_end(answer: &str, now: DateTime) -> Option<AllocationEnd> {
    let (state, end) = answer.lines().next()?.trim().split_once('|')?;
    let is_over = end.parse::<DateTime>().is_ok_and(|end| end <= now);
    match state {
        "TIMEOUT" => Some(AllocationEnd::TimeLimit),
        // The end of a job that runs is that of its time.
        "RUNNING" => is_over.then_some(AllocationEnd::TimeLimit),
        other => Some(AllocationEnd::State(other.to_owned())),
    }
}

/// The nodes of the job; empty if there is none, or Slurm does not answer.
pub(crate) fn node_names() -> Vec<String> {
    let Ok(nodes) = std::env::var("SLURM_JOB_NODELIST") else { return vec![] };
    let mut command = Command::new("scontrol");
    command.args(["show", "hostnames", &nodes]);
    output_of(command, LIMIT).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// The nodes of the job that are down or do not answer, or on which `srun` could start no rank, as the file of its output says: Slurm misses
/// a node some time after it was lost.
pub(crate) fn lost_nodes(output: &Path) -> Vec<String> {
    let Ok(nodes) = std::env::var("SLURM_JOB_NODELIST") else { return vec![] };
    let lost = lost_slurm_nodes(&nodes, LIMIT);
    if lost.is_empty() { unreached_nodes(&output_tail::first_lines(output)) } else { lost }
}

/// The nodes that `srun` did not reach.
fn unreached_nodes(output: &str) -> Vec<String> {
    let launches = output.lines().filter_map(|line| line.split_once("Task launch for StepId="));
    let failed = launches.filter_map(|(_, rest)| rest.split_once(" failed on node "));
    failed.filter_map(|(_, rest)| Some(rest.split_once(':')?.0.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_that_srun_does_not_reach_is_named() {
        let output = "srun: error: slurm_receive_msgs: [[wb2]:6818] failed: Zero Bytes were transmitted or received\n\
                      srun: error: Task launch for StepId=5.1 failed on node wb2: Zero Bytes were transmitted or received\n\
                      srun: error: Application launch failed: Zero Bytes were transmitted or received";
        assert_eq!(unreached_nodes(output), ["wb2"]);
        assert_eq!(unreached_nodes("srun: error: wb1: task 0: Killed"), [""; 0]);
    }

    #[test]
    fn a_job_is_over_at_the_end_of_its_time_and_in_every_state_but_running() {
        let now: DateTime = "2026-11-25T05:57:26".parse().expect("a time");
        let end = |answer: &str| parse_end(answer, now);
        assert_eq!(end("RUNNING|2026-11-25T05:57:27\n"), None);
        assert_eq!(end("RUNNING|2026-11-25T05:57:26\n"), Some(AllocationEnd::TimeLimit));
        assert_eq!(end("RUNNING|N/A\n"), None, "a job without a limit");
        assert_eq!(end("TIMEOUT|2026-11-25T05:57:26"), Some(AllocationEnd::TimeLimit));
        let preempted = Some(AllocationEnd::State("PREEMPTED".into()));
        assert_eq!(end("PREEMPTED|2026-11-25T05:57:30"), preempted);
        assert_eq!(end(""), None);
    }
}
