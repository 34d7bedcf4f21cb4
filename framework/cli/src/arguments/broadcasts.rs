//! The arguments of `cargo wb broadcasts`.
use clap::{Args, Subcommand};
use wb_algorithms::collectives::broadcast::SEGMENT_BYTES;
use wb_messages::{barriers, broadcasts as text, simulator};

use super::{
    barriers::{MAX_RANKS, MAX_SIMULATED_RANKS},
    help::localized,
    numbers::{DOUBLING, RankList, ranks, whole},
};

/// The largest number of ranks of a proof: the number of cases of a size is its square.
const MAX_PROVED_RANKS: u64 = 64;

/// A gigabyte. A larger message may not fit into memory.
const MAX_BYTES: u64 = 1 << 30;

/// The commands on broadcasts.
#[derive(Debug, Subcommand)]
pub(crate) enum BroadcastsCommand {
    #[command(about = localized(text::about_list))]
    List(ListBroadcastsArgs),
    #[command(about = localized(text::about_prove))]
    Prove(ProveBroadcastsArgs),
    #[command(about = localized(text::about_simulate))]
    Simulate(SimulateBroadcastsArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ListBroadcastsArgs {
    #[arg(value_name = "P", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "8", value_parser = whole(1, MAX_RANKS), help = localized(barriers::help_list_ranks))]
    pub(crate) ranks: u64,
    #[arg(value_name = "B", long = "bytes", default_value = "65536", value_parser = whole(1, MAX_BYTES), help = localized(text::help_bytes))]
    pub(crate) bytes: u64,
    #[arg(long, value_name = "B", default_value_t = SEGMENT_BYTES as u64, value_parser = whole(1, MAX_BYTES), help = localized(text::help_segment))]
    pub(crate) segment: u64,
}

#[derive(Debug, Args)]
pub(crate) struct ProveBroadcastsArgs {
    #[arg(value_name = "NAME", help = localized(text::help_broadcast))]
    pub(crate) name: Option<String>,
    #[arg(long, default_value = "16", value_parser = whole(1, MAX_PROVED_RANKS), help = localized(barriers::help_max_ranks))]
    pub(crate) max_ranks: u64,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateBroadcastsArgs {
    #[arg(value_name = "NAME", help = localized(text::help_broadcast))]
    pub(crate) name: Option<String>,
    #[arg(value_name = "P,P,...", short = 'n', visible_short_alias = 'P', long = "ranks", default_value = "2,16,64,1024", value_parser = ranks(MAX_SIMULATED_RANKS, DOUBLING), help = localized(simulator::help_ranks))]
    pub(crate) ranks: RankList,
    #[arg(value_name = "B", long = "bytes", default_value = "1048576", value_parser = whole(1, MAX_BYTES), help = localized(text::help_bytes))]
    pub(crate) bytes: u64,
    #[arg(long, value_name = "B", default_value_t = SEGMENT_BYTES as u64, value_parser = whole(1, MAX_BYTES), help = localized(text::help_segment))]
    pub(crate) segment: u64,
    #[arg(long, value_name = "NAME|FILE", default_value = "cluster-ib", help = localized(simulator::help_machine))]
    pub(crate) machine: String,
}
