//! The arguments of commands that can run as a job of Slurm.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use wb_config::ClusterSettings;
use wb_messages::slurm as text;

use super::{help::localized, numbers::whole};

/// The longest job: 30 days.
const MINUTES_MAX: u32 = 30 * 24 * 60;

/// A larger number of nodes, or of ranks on a node, is taken for a misprint.
const COUNT_MAX: u32 = 4096;

#[derive(Debug, Clone, Default, Args)]
#[command(group = ArgGroup::new("slurm_mode").args(["slurm", "batch"]).conflicts_with("hosts"))]
pub(crate) struct SlurmArgs {
    #[arg(long, help = localized(text::help_slurm))]
    pub(crate) slurm: bool,
    #[arg(long, value_name = "FILE", help = localized(text::help_batch))]
    pub(crate) batch: Option<PathBuf>,
    #[arg(long, value_name = "NAME", requires = "slurm_mode", help = localized(text::help_partition))]
    pub(crate) partition: Option<String>,
    #[arg(long, value_name = "NAME", requires = "slurm_mode", help = localized(text::help_account))]
    pub(crate) account: Option<String>,
    #[arg(long, value_name = "N", requires = "slurm_mode", value_parser = whole(1, MINUTES_MAX), help = localized(text::help_minutes))]
    pub(crate) minutes: Option<u32>,
    #[arg(long, value_name = "N", requires = "slurm_mode", value_parser = whole(1, COUNT_MAX), help = localized(text::help_nodes))]
    pub(crate) nodes: Option<u32>,
    #[arg(long, value_name = "N", requires = "slurm_mode", value_parser = whole(1, COUNT_MAX), help = localized(text::help_ranks_per_node))]
    pub(crate) ranks_per_node: Option<u32>,
    #[arg(long, value_name = "OPTION", requires = "slurm_mode", allow_hyphen_values = true, help = localized(text::help_line))]
    pub(crate) slurm_line: Vec<String>,
}

impl SlurmArgs {
    /// The options of the command line that belong to Slurm, each with whether a value follows.
    pub(crate) const OPTIONS: [(&'static str, bool); 8] = [
        ("--slurm", false),
        ("--batch", true),
        ("--partition", true),
        ("--account", true),
        ("--minutes", true),
        ("--nodes", true),
        ("--ranks-per-node", true),
        ("--slurm-line", true),
    ];

    /// These options, and the defaults of the cluster where nothing is wanted.
    pub(crate) fn or(&self, defaults: ClusterSettings) -> Self {
        let own = self.clone();
        Self {
            partition: own.partition.or(defaults.partition),
            account: own.account.or(defaults.account),
            minutes: own.minutes.or(defaults.minutes),
            nodes: own.nodes.or(defaults.nodes),
            ranks_per_node: own.ranks_per_node.or(defaults.ranks_per_node),
            slurm_line: if own.slurm_line.is_empty() { defaults.sbatch } else { own.slurm_line },
            ..own
        }
    }

    /// Whether the command is to run as a job, or to be written as one.
    pub(crate) fn is_wanted(&self) -> bool {
        self.slurm || self.batch.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_that_a_job_does_not_get_are_those_of_the_command_line() {
        let command = SlurmArgs::augment_args(clap::Command::new("test"));
        let defined = command.get_arguments().map(|argument| {
            let name = format!("--{}", argument.get_long().expect("a long name"));
            (name, argument.get_action().takes_values())
        });
        let listed = SlurmArgs::OPTIONS.map(|(name, has_value)| (name.to_owned(), has_value));
        assert_eq!(defined.collect::<Vec<_>>(), listed);
    }
}
