//! Where the ranks of a launch ran: hosts, and the processors of each rank.

use serde::{Deserialize, Serialize};

use crate::fields::{RANK, RANKS, fields};

/// One host of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HostPlacement {
    /// The host's name, as its ranks report it.
    pub host: String,
    /// The ranks on it.
    pub ranks: Vec<u32>,
    /// The processors that each of these ranks may use, in their order, for example `0-3,8`; empty where the system does
    /// not report them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cpus: Vec<String>,
    /// The sockets of these processors, by their numbers, for example `0` or `0,1`; empty where the system does not report them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sockets: Vec<String>,
    /// The number of cores that all these ranks together may use at a time; `None` where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usable_cores: Option<u32>,
    /// The number of cores of these processors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub physical_cores: Option<u32>,
}

fields! {
    HostPlacement { host, ranks: RANK, cpus, sockets, usable_cores: RANKS, physical_cores: RANKS }
}
