//! The nodes that Slurm has lost.
use std::{process::Command, time::Duration};

use crate::output_of;

/// The nodes among `nodes`, in Slurm's notation, that are down or do not answer; none where Slurm does not answer within `limit`.
pub fn lost_slurm_nodes(nodes: &str, limit: Duration) -> Vec<String> {
    let mut command = Command::new("sinfo");
    command.args(["--noheader", "--Node", "--format=%N|%T"]).arg(format!("--nodes={nodes}"));
    output_of(command, limit).map_or_else(Vec::new, |answer| parse(&answer))
}

/// The lost nodes in lines of `--format=%N|%T`. A star marks one that does not answer.
fn parse(answer: &str) -> Vec<String> {
    let lines = answer.lines().filter_map(|line| line.trim().split_once('|'));
    let lost = lines.filter(|(_, state)| state.starts_with("down") || state.ends_with('*'));
    let mut names: Vec<String> = lost.map(|(name, _)| name.to_owned()).collect();
    // A node of two partitions is listed twice.
    names.sort();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_that_are_down_or_silent_are_lost() {
        let answer = "wb1|idle\nwb2|down*\nwb2|down*\nwb3|allocated*\nwb4|mixed\n";
        assert_eq!(parse(answer), ["wb2", "wb3"]);
        assert_eq!(parse(""), [""; 0]);
    }
}
