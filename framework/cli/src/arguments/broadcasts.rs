//! What is asked of `cargo wb broadcasts`.
use clap::{Args, Subcommand};
use wb_collectives::broadcast::SEGMENT_BYTES;

use super::{
    barriers::{MAX_RANKS, MAX_SIMULATED_RANKS},
    numbers::{DOUBLING, RankList, ranks, whole},
};

/// As many ranks as broadcasts are proved for: the cases of each size grow with its square.
const MAX_PROVED_RANKS: u64 = 64;

/// A gigabyte: the model has room for more, this machine's memory may not.
const MAX_BYTES: u64 = 1 << 30;

/// What can be done with broadcasts.
#[derive(Debug, Subcommand)]
pub(crate) enum BroadcastsCommand {
    List(ListBroadcastsArgs),
    Prove(ProveBroadcastsArgs),
    Simulate(SimulateBroadcastsArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ListBroadcastsArgs {
    #[arg(id = "list_ranks", value_name = "P", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "8", value_parser = whole(1, MAX_RANKS))]
    pub(crate) ranks: u64,
    #[arg(id = "list_bytes", value_name = "B", long = "bytes", default_value = "65536", value_parser = whole(1, MAX_BYTES))]
    pub(crate) bytes: u64,
    #[arg(long, value_name = "B", default_value_t = SEGMENT_BYTES as u64, value_parser = whole(1, MAX_BYTES))]
    pub(crate) segment: u64,
}

#[derive(Debug, Args)]
pub(crate) struct ProveBroadcastsArgs {
    #[arg(id = "broadcast", value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[arg(long, default_value = "16", value_parser = whole(1, MAX_PROVED_RANKS))]
    pub(crate) max_ranks: u64,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateBroadcastsArgs {
    #[arg(id = "broadcast", value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[arg(id = "simulate_ranks", value_name = "P,P,...", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "2,16,64,1024", value_parser = ranks(MAX_SIMULATED_RANKS, DOUBLING))]
    pub(crate) ranks: RankList,
    #[arg(id = "simulate_bytes", value_name = "B", long = "bytes", default_value = "1048576", value_parser = whole(1, MAX_BYTES))]
    pub(crate) bytes: u64,
    #[arg(long, value_name = "B", default_value_t = SEGMENT_BYTES as u64, value_parser = whole(1, MAX_BYTES))]
    pub(crate) segment: u64,
    #[arg(long, value_name = "NAME|FILE", default_value = "cluster-ib")]
    pub(crate) machine: String,
}
