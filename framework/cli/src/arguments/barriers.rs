//! The arguments of `cargo wb barriers`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use wb_messages::{barriers as text, cli, simulator};

use super::{
    help::localized,
    numbers::{DOUBLING, RankList, ranks, whole},
    placement::PlacementArgs,
    slurm::SlurmArgs,
};

/// The commands on barriers.
#[derive(Debug, Subcommand)]
pub(crate) enum BarriersCommand {
    #[command(about = localized(text::about_list))]
    List(ListBarriersArgs),
    #[command(about = localized(text::about_prove))]
    Prove(ProveBarriersArgs),
    #[command(about = localized(text::about_plan))]
    Plan(BarrierPlanArgs),
    #[command(about = localized(cli::about_barriers_bench))]
    Bench(BarrierBenchArgs),
    #[command(about = localized(simulator::about_simulate))]
    Simulate(SimulateBarriersArgs),
}

/// The numbers of ranks of the committed report.
pub(crate) const FULL_RANKS: [u32; 3] = [2, 4, 8];

/// A larger number of ranks is taken for a misprint.
const MAX_BENCH_RANKS: u32 = 1024;

/// The largest number of ranks of a picture or a table of costs.
pub(super) const MAX_RANKS: u64 = 4096;

/// The largest number of simulated ranks: 16 million fit into the memory of a large machine.
pub(super) const MAX_SIMULATED_RANKS: u32 = 1 << 24;

#[derive(Debug, Args)]
pub(crate) struct ListBarriersArgs {
    #[arg(value_name = "P", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "8", value_parser = whole(1, MAX_RANKS), help = localized(text::help_list_ranks))]
    pub(crate) ranks: u64,
    #[arg(long, help = localized(text::help_wrong))]
    pub(crate) wrong: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ProveBarriersArgs {
    #[arg(value_name = "NAME", help = localized(text::help_barrier))]
    pub(crate) name: Option<String>,
    #[arg(long, default_value = "257", value_parser = whole(1, MAX_RANKS), help = localized(text::help_max_ranks))]
    pub(crate) max_ranks: u64,
    #[arg(long, value_parser = whole(2, MAX_RANKS), help = localized(text::help_radix))]
    pub(crate) radix: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct BarrierPlanArgs {
    #[arg(value_name = "NAME", help = localized(text::help_plan_barrier))]
    pub(crate) name: String,
    #[arg(value_name = "P", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "8", value_parser = whole(1, MAX_RANKS), help = localized(text::help_plan_ranks))]
    pub(crate) ranks: u64,
    #[arg(long, value_parser = whole(2, MAX_RANKS), help = localized(text::help_radix))]
    pub(crate) radix: Option<u64>,
    #[arg(long, value_name = "2x3,1x2", help = localized(text::help_nodes))]
    pub(crate) nodes: Option<String>,
    #[arg(long, value_name = "FILE", help = localized(text::help_svg))]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct BarrierBenchArgs {
    #[arg(value_name = "P,P,...", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "2,4,8", value_parser = ranks(MAX_BENCH_RANKS, DOUBLING), help = localized(cli::help_bench_ranks))]
    pub(crate) ranks: RankList,
    #[arg(long, value_delimiter = ',', value_name = "NAME", help = localized(cli::help_substrate))]
    pub(crate) substrate: Vec<String>,
    #[arg(long, value_delimiter = ',', value_name = "NAME", help = localized(cli::help_only))]
    pub(crate) only: Vec<String>,
    #[arg(long = "quick", help = localized(cli::help_bench_quick))]
    pub(crate) quick: bool,
    #[command(flatten)]
    pub(crate) placement: PlacementArgs,
    #[command(flatten)]
    pub(crate) slurm: SlurmArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateBarriersArgs {
    #[arg(value_name = "NAME", help = localized(text::help_barrier))]
    pub(crate) name: Option<String>,
    #[arg(value_name = "P,P,...", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "2,16,64,1024", value_parser = ranks(MAX_SIMULATED_RANKS, DOUBLING), help = localized(simulator::help_ranks))]
    pub(crate) ranks: RankList,
    #[arg(long, value_name = "NAME|FILE", default_value = "cluster-ib", help = localized(simulator::help_machine))]
    pub(crate) machine: String,
    #[arg(long, value_name = "SEED", help = localized(simulator::help_noise))]
    pub(crate) noise: Option<u64>,
    #[arg(long, value_name = "R", help = localized(simulator::help_late))]
    pub(crate) late: Option<usize>,
    #[arg(long, value_name = "NS", default_value = "100000", value_parser = whole(0_u64, 1_000_000_000_000), help = localized(simulator::help_by))]
    pub(crate) by: u64,
    #[arg(long, value_name = "K", default_value = "1", value_parser = whole(1_u64, 1_000_000), help = localized(simulator::help_episodes))]
    pub(crate) episodes: u64,
    #[arg(long, help = localized(simulator::help_path))]
    pub(crate) path: bool,
    #[arg(long, value_parser = whole(2, MAX_RANKS), help = localized(text::help_radix))]
    pub(crate) radix: Option<u64>,
}
