//! The arguments of `cargo wb collectives`.
use clap::{Args, Subcommand, ValueEnum};
use wb_messages::{barriers as barriers_text, broadcasts, cli, collectives as text, simulator};

use super::{
    BackendArgument,
    barriers::{MAX_RANKS, MAX_SIMULATED_RANKS},
    help::localized,
    numbers::{DOUBLING, RankList, ranks, whole},
};
use crate::system_probe::Flavour;

/// The largest number of ranks of a job that is measured.
const MAX_BENCH_RANKS: u32 = 64;

/// A gigabyte. A larger message may not fit into memory.
const MAX_BYTES: u64 = 1 << 30;

/// The commands on collective operations.
#[derive(Debug, Subcommand)]
pub(crate) enum CollectivesCommand {
    #[command(about = localized(text::about_list))]
    List(ListCollectivesArgs),
    #[command(about = localized(text::about_prove))]
    Prove(ProveCollectivesArgs),
    #[command(about = localized(text::about_plan))]
    Plan(CollectivePlanArgs),
    #[command(about = localized(text::about_simulate))]
    Simulate(SimulateCollectivesArgs),
    #[command(about = localized(text::about_bench))]
    Bench(CollectiveBenchArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ListCollectivesArgs {
    #[arg(value_name = "VERB", help = localized(text::help_verb))]
    pub(crate) verb: Option<String>,
    #[arg(value_name = "P", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "8", value_parser = whole(1, MAX_RANKS), help = localized(barriers_text::help_list_ranks))]
    pub(crate) ranks: u64,
    #[arg(value_name = "B", long = "bytes", default_value = "1024", value_parser = whole(1, MAX_BYTES), help = localized(text::help_block))]
    pub(crate) bytes: u64,
}

#[derive(Debug, Args)]
pub(crate) struct ProveCollectivesArgs {
    #[arg(value_name = "VERB", help = localized(text::help_verb))]
    pub(crate) verb: Option<String>,
    #[arg(long, default_value = "16", value_parser = whole(1, 64_u64), help = localized(barriers_text::help_max_ranks))]
    pub(crate) max_ranks: u64,
}

#[derive(Debug, Args)]
pub(crate) struct CollectivePlanArgs {
    #[arg(value_name = "VERB|BARRIER", help = localized(text::help_plan))]
    pub(crate) name: String,
    #[arg(value_name = "P", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "8", value_parser = whole(1_u64, 128), help = localized(barriers_text::help_plan_ranks))]
    pub(crate) ranks: u64,
    #[arg(value_name = "B", long = "bytes", default_value = "8", value_parser = whole(1_u64, 1 << 20), help = localized(text::help_block))]
    pub(crate) bytes: u64,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateCollectivesArgs {
    #[arg(value_name = "VERB", help = localized(text::help_verb))]
    pub(crate) verb: Option<String>,
    #[arg(value_name = "P,P,...", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "2,16,64", value_parser = ranks(MAX_SIMULATED_RANKS, DOUBLING), help = localized(simulator::help_ranks))]
    pub(crate) ranks: RankList,
    #[arg(value_name = "B", long = "bytes", default_value = "1024", value_parser = whole(1, MAX_BYTES), help = localized(broadcasts::help_bytes))]
    pub(crate) bytes: u64,
    #[arg(long, value_name = "NAME|FILE", default_value = "cluster-ib", help = localized(simulator::help_machine))]
    pub(crate) machine: String,
}

/// The thread level of MPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThreadLevelArgument {
    Multiple,
    Funneled,
}

#[derive(Debug, Args)]
pub(crate) struct CollectiveBenchArgs {
    #[arg(value_name = "VERB", help = localized(text::help_verbs))]
    pub(crate) verbs: Vec<String>,
    #[arg(value_name = "P,P,...", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "2", value_parser = ranks(MAX_BENCH_RANKS, DOUBLING), help = localized(cli::help_bench_ranks))]
    pub(crate) ranks: RankList,
    #[arg(long, value_delimiter = ',', value_name = "B", value_parser = whole(4_u64, 1 << 26), help = localized(text::help_sizes))]
    pub(crate) bytes: Vec<u64>,
    #[arg(long, value_delimiter = ',', value_name = "NAME", help = localized(text::help_only))]
    pub(crate) only: Vec<String>,
    #[arg(long, value_enum, help = localized(cli::help_backend))]
    pub(crate) backend: Option<BackendArgument>,
    #[arg(long, value_enum, help = localized(cli::help_mpi))]
    pub(crate) mpi: Option<Flavour>,
    #[arg(long, value_enum, default_value = "multiple", help = localized(text::help_thread_level))]
    pub(crate) thread_level: ThreadLevelArgument,
    #[arg(long = "quick", help = localized(text::help_quick))]
    pub(crate) quick: bool,
}
