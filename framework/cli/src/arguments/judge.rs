//! The arguments of `cargo wb judge`.

use std::path::PathBuf;

use clap::Args;
use wb_messages::{cli, judge as text};
use wb_record::MAX_SEED;

use super::{
    BackendArgument, RankList,
    help::localized,
    numbers::{DOUBLING, ranks, whole},
};

/// A larger number of ranks is taken for a misprint.
const MAX_JUDGED_RANKS: u32 = 1024;

#[derive(Debug, Args)]
pub(crate) struct JudgeArgs {
    #[arg(short = 'p', long = "package", value_name = "TASK", help = localized(text::help_task))]
    pub(crate) task: String,
    #[arg(value_name = "P,P,...", short = 'n', short_alias = 'P', long = "ranks", value_parser = ranks(MAX_JUDGED_RANKS, DOUBLING), help = localized(cli::help_ranks))]
    pub(crate) ranks: Option<RankList>,
    #[arg(long, help = localized(cli::help_quick))]
    pub(crate) quick: bool,
    #[arg(long, help = localized(text::help_verdicts_only))]
    pub(crate) verdicts_only: bool,
    #[arg(long, value_name = "DIR", help = localized(text::help_private))]
    pub(crate) private: Option<PathBuf>,
    #[arg(long, value_name = "N", value_parser = whole(0_u64, MAX_SEED), help = localized(text::help_seed))]
    pub(crate) seed: Option<u64>,
    #[arg(long, help = localized(text::help_sandbox))]
    pub(crate) sandbox: bool,
    #[arg(long, value_enum, help = localized(cli::help_backend))]
    pub(crate) backend: Option<BackendArgument>,
}
