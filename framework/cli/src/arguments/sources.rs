//! The arguments of the commands that read the sources of tasks.

use clap::Args;
use wb_messages::{cli, rules};

use super::help::localized;

#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK", help = localized(cli::help_task))]
    pub(crate) task: Option<String>,
    #[arg(long, conflicts_with = "task", help = localized(rules::help_all))]
    pub(crate) all: bool,
}
