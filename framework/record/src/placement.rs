//! Where the ranks of a launch ran: hosts, and the processors of each rank.

use serde::{Deserialize, Serialize};

use crate::fields::{RANK, fields};

/// One host of a launch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HostPlacement {
    /// The host's name, as its ranks report it.
    pub host: String,
    /// The ranks on it.
    pub ranks: Vec<u32>,
    /// The processors that each of these ranks may use, in their order, for example `0-3,8`; empty where the system does
    /// not report them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cpus: Vec<String>,
}

fields! {
    HostPlacement { host, ranks: RANK, cpus }
}
