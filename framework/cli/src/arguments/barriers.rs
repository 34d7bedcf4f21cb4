//! What is asked of barriers.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::numbers::{DOUBLING, RankList, ranks, whole};

/// What can be done with barriers.
#[derive(Debug, Subcommand)]
pub(crate) enum BarriersCommand {
    List(ListBarriersArgs),
    Prove(ProveBarriersArgs),
    Plan(BarrierPlanArgs),
    Bench(BarrierBenchArgs),
    Simulate(SimulateBarriersArgs),
}

/// The numbers of ranks of the report that is kept.
pub(crate) const FULL_RANKS: [u32; 3] = [2, 4, 8];

/// As many ranks as are not taken for a misprint.
const MAX_BENCH_RANKS: u32 = 1024;

/// As many ranks as a picture or a table of costs can have.
pub(super) const MAX_RANKS: u64 = 4096;

/// As many ranks as are simulated: those of 16 million fit into the memory of a large machine.
pub(super) const MAX_SIMULATED_RANKS: u32 = 1 << 24;

#[derive(Debug, Args)]
pub(crate) struct ListBarriersArgs {
    #[arg(id = "list_ranks", value_name = "P", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "8", value_parser = whole(1, MAX_RANKS))]
    pub(crate) ranks: u64,
    #[arg(long)]
    pub(crate) wrong: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ProveBarriersArgs {
    #[arg(id = "barrier", value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[arg(long, default_value = "257", value_parser = whole(1, MAX_RANKS))]
    pub(crate) max_ranks: u64,
    #[arg(long, value_parser = whole(2, MAX_RANKS))]
    pub(crate) radix: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct BarrierPlanArgs {
    #[arg(id = "plan_barrier", value_name = "NAME")]
    pub(crate) name: String,
    #[arg(id = "plan_ranks", value_name = "P", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "8", value_parser = whole(1, MAX_RANKS))]
    pub(crate) ranks: u64,
    #[arg(long, value_parser = whole(2, MAX_RANKS))]
    pub(crate) radix: Option<u64>,
    #[arg(long, value_name = "2x3,1x2")]
    pub(crate) nodes: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct BarrierBenchArgs {
    #[arg(id = "bench_ranks", value_name = "P,P,...", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "2,4,8", value_parser = ranks(MAX_BENCH_RANKS, DOUBLING))]
    pub(crate) ranks: RankList,
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    pub(crate) substrate: Vec<String>,
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    pub(crate) only: Vec<String>,
    #[arg(id = "bench_quick", long = "quick")]
    pub(crate) quick: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateBarriersArgs {
    #[arg(id = "barrier", value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[arg(id = "simulate_ranks", value_name = "P,P,...", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "2,16,64,1024", value_parser = ranks(MAX_SIMULATED_RANKS, DOUBLING))]
    pub(crate) ranks: RankList,
    #[arg(long, value_name = "NAME|FILE", default_value = "cluster-ib")]
    pub(crate) machine: String,
    #[arg(long, value_name = "SEED")]
    pub(crate) noise: Option<u64>,
    #[arg(long, value_name = "R")]
    pub(crate) late: Option<usize>,
    #[arg(long, value_name = "NS", default_value = "100000", value_parser = whole(0_u64, 1_000_000_000_000))]
    pub(crate) by: u64,
    #[arg(long, value_name = "K", default_value = "1", value_parser = whole(1_u64, 1_000_000))]
    pub(crate) episodes: u64,
    #[arg(long)]
    pub(crate) path: bool,
    #[arg(long, value_parser = whole(2, MAX_RANKS))]
    pub(crate) radix: Option<u64>,
}
