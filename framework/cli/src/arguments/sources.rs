//! The arguments of the commands that read the sources of tasks.

use std::path::PathBuf;

use clap::Args;
use wb_messages::{cli, rules, similar};
use wb_record::MAX_SEED;

use super::{help::localized, numbers::whole};

#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK", help = localized(cli::help_task))]
    pub(crate) task: Option<String>,
    #[arg(long, conflicts_with = "task", help = localized(rules::help_all))]
    pub(crate) all: bool,
    #[arg(long, help = localized(rules::help_runs))]
    pub(crate) runs: bool,
    #[arg(long, value_name = "N", requires = "runs", value_parser = whole(0_u64, MAX_SEED), help = localized(rules::help_seed))]
    pub(crate) seed: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct SimilarArgs {
    #[arg(long, value_name = "1|2|3", value_parser = whole(1_u8, 3), help = localized(similar::help_assignment))]
    pub(crate) assignment: Option<u8>,
    #[arg(long, value_name = "V", requires = "assignment", value_parser = whole(1, u8::MAX), help = localized(similar::help_variant))]
    pub(crate) variant: Option<u8>,
    #[arg(long = "archive", value_name = "DIR", help = localized(similar::help_archive))]
    pub(crate) archives: Vec<PathBuf>,
    #[arg(long, value_name = "DIR", help = localized(similar::help_out))]
    pub(crate) out: Option<PathBuf>,
}
