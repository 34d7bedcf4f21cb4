//! The messages of one episode of a barrier.
use serde::{Deserialize, Serialize};

use crate::fields::{COUNT, fields};

/// The messages of one episode of a barrier, of all ranks together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpisodeMessages {
    /// The messages between ranks of one node.
    pub within_node: u64,
    /// The messages between ranks of different nodes.
    pub between_nodes: u64,
}

fields! {
    EpisodeMessages { within_node: COUNT, between_nodes: COUNT }
}
