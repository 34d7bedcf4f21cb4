//! The nodes in an answer of Slurm's `sinfo`.

/// The nodes that are down or do not answer, in lines of `--format=%N|%T`. A star marks one that does not answer.
pub fn lost_slurm_nodes(answer: &str) -> Vec<String> {
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
        assert_eq!(lost_slurm_nodes(answer), ["wb2", "wb3"]);
        assert_eq!(lost_slurm_nodes(""), [""; 0]);
    }
}
