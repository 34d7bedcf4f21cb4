//! What is asked of `cargo wb broadcasts`.
use clap::{Args, Subcommand};
use wb_collectives::broadcast::SEGMENT_BYTES;

use super::barriers::{MOST_SIMULATED, ranks};

/// As many ranks as broadcasts are proved for: the cases of each size grow with its square.
const MOST_PROVED: u64 = 64;

/// What can be done with broadcasts.
#[derive(Debug, Subcommand)]
pub(crate) enum Broadcasts {
    List(ListBroadcasts),
    Prove(ProveBroadcasts),
    Simulate(SimulateBroadcasts),
}

#[derive(Debug, Args)]
pub(crate) struct ListBroadcasts {
    #[arg(id = "list_ranks", value_name = "P", short = 'P', long = "ranks", default_value = "8", value_parser = ranks())]
    pub(crate) ranks: u64,
    #[arg(id = "list_bytes", value_name = "B", long = "bytes", default_value = "65536", value_parser = broadcast_bytes())]
    pub(crate) bytes: u64,
    #[arg(long, value_name = "B", default_value_t = SEGMENT_BYTES as u64, value_parser = broadcast_bytes())]
    pub(crate) segment: u64,
}

#[derive(Debug, Args)]
pub(crate) struct ProveBroadcasts {
    #[arg(id = "broadcast", value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[arg(long, default_value = "16", value_parser = clap::value_parser!(u64).range(1..=MOST_PROVED))]
    pub(crate) max_ranks: u64,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateBroadcasts {
    #[arg(id = "broadcast", value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[arg(id = "simulate_ranks", value_name = "P,P,...", short = 'P', long = "ranks", value_delimiter = ',', default_value = "2,16,64,1024", value_parser = clap::value_parser!(u64).range(1..=MOST_SIMULATED))]
    pub(crate) ranks: Vec<u64>,
    #[arg(id = "simulate_bytes", value_name = "B", long = "bytes", default_value = "1048576", value_parser = broadcast_bytes())]
    pub(crate) bytes: u64,
    #[arg(long, value_name = "B", default_value_t = SEGMENT_BYTES as u64, value_parser = broadcast_bytes())]
    pub(crate) segment: u64,
    #[arg(long, value_name = "NAME|FILE", default_value = "cluster-ib")]
    pub(crate) machine: String,
}

/// A gigabyte at most: the model has room for more, this machine's memory may not.
fn broadcast_bytes() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=1 << 30)
}
