//! A machine file: the costs of messages on a machine, for simulations.
//!
//! Numbers are whole, with their unit in the key's last word. Links are listed from near to far. A machine without `network` is
//! one node, one without `node` is one group of cores.

use std::path::Path;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use wb_text::{Text, settings};

use crate::{TitleSettings, error::Result, source, value, yaml};

/// An hour in nanoseconds: larger than any measured time in these units.
const HOUR_NS: u64 = 3_600_000_000_000;

/// The largest number of cores of a node: more than any machine has, and the limit of the simulator.
pub const NODE_CORES_MAX: usize = 1 << 20;

/// 10^18 a second: above any machine.
const EXA: u64 = 1_000_000_000_000_000_000;

/// The description of a machine.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MachineSettings {
    /// Its description, in one line.
    pub about: TitleSettings,
    /// Cores that share a cache.
    #[serde(deserialize_with = "value::whole::<_, _, 1, 65_536>")]
    pub cores_per_group: usize,
    /// The number of such groups on a node.
    #[serde(deserialize_with = "value::whole::<_, _, 1, 65_536>")]
    pub groups_per_node: usize,
    /// The costs of messages.
    pub links: LinkClasses,
    /// The NICs that ranks of a node share on the path to other nodes; without them each rank has a NIC of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<NicSettings>,
    /// The costs of computing.
    pub core: CoreSettings,
    /// The storage of files; without it, a solid-state disk with 100000 ns and 10^9 bytes a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<StorageSettings>,
    /// The interrupts of a core, if any are assumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<NoiseSettings>,
    /// The source of the values, if they were fitted here and not taken from a publication.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<CalibrationSettings>,
}

/// The costs of a message, by distance.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LinkClasses {
    /// The link between cores of one group.
    pub core: LinkSettings,
    /// The link between groups of one node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<LinkSettings>,
    /// The link between nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<LinkSettings>,
}

/// The parameters of LogGOPS for one class of links.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LinkSettings {
    /// L: from port to port.
    #[serde(deserialize_with = "value::whole::<_, _, 0, HOUR_NS>")]
    pub latency_ns: u64,
    /// o: of the processor at each end.
    #[serde(deserialize_with = "value::whole::<_, _, 0, HOUR_NS>")]
    pub overhead_ns: u64,
    /// g: between two messages of one port.
    #[serde(deserialize_with = "value::whole::<_, _, 0, HOUR_NS>")]
    pub gap_ns: u64,
    /// G: each byte after the first.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 1_000_000_000>")]
    pub byte_ps: u64,
    /// O: each byte on the processor at each end.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 1_000_000_000>")]
    pub copy_ps: u64,
    /// S: the longest message that is sent eagerly.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 1_099_511_627_776>")]
    pub eager_bytes: usize,
    /// The sizes from which messages have other costs, rising in `from_bytes`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<CostSegmentSettings>,
}

/// The costs of messages from a size on, until the next piece begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CostSegmentSettings {
    /// The shortest message of this piece.
    #[serde(deserialize_with = "value::whole::<_, _, 1, 1_099_511_627_776>")]
    pub from_bytes: usize,
    /// The time of the processor at each end for such a message.
    #[serde(deserialize_with = "value::whole::<_, _, 0, HOUR_NS>")]
    pub overhead_ns: u64,
    /// Each further byte on the processor at each end.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 1_000_000_000>")]
    pub copy_ps: u64,
    /// The time from the first byte of such a message to its last, between the ports.
    #[serde(deserialize_with = "value::whole::<_, _, 0, HOUR_NS>")]
    pub serial_ns: u64,
    /// Each further byte between the ports.
    #[serde(deserialize_with = "value::whole::<_, _, 0, 1_000_000_000>")]
    pub byte_ps: u64,
}

/// The NICs of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NicSettings {
    /// The number of NICs of a node; its cores are assigned to them in blocks.
    #[serde(deserialize_with = "value::whole::<_, _, 1, 65_536>")]
    pub per_node: usize,
    /// The gap between two messages of one NIC, out of the node and into it.
    #[serde(deserialize_with = "value::whole::<_, _, 0, HOUR_NS>")]
    pub gap_ns: u64,
}

/// The costs of computing on one core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CoreSettings {
    /// Floating-point operations a second.
    #[serde(deserialize_with = "value::whole::<_, _, 1, EXA>")]
    pub flops_per_second: u64,
    /// Bytes a second to and from memory.
    #[serde(deserialize_with = "value::whole::<_, _, 1, EXA>")]
    pub memory_bytes_per_second: u64,
    /// One poll without success, or one reading of the clock after another.
    #[serde(deserialize_with = "value::whole::<_, _, 1, HOUR_NS>")]
    pub poll_ns: u64,
}

/// The storage of files, which all ranks share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StorageSettings {
    /// The time from a request to its first byte.
    #[serde(deserialize_with = "value::whole::<_, _, 0, HOUR_NS>")]
    pub latency_ns: u64,
    /// Bytes a second of all transfers together.
    #[serde(deserialize_with = "value::whole::<_, _, 1, EXA>")]
    pub bytes_per_second: u64,
}

/// Detours of the operating system, as a Poisson process on every core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NoiseSettings {
    /// The mean time from the end of a detour to the next one.
    #[serde(deserialize_with = "value::whole::<_, _, 1, HOUR_NS>")]
    pub every_ns: u64,
    /// The duration of each.
    #[serde(deserialize_with = "value::whole::<_, _, 1, HOUR_NS>")]
    pub detour_ns: u64,
}

/// The source of fitted values, and their error on the fitted points.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrationSettings {
    /// The day.
    #[serde(deserialize_with = "value::date")]
    pub date: Date,
    /// The library of the messages.
    #[serde(deserialize_with = "value::text")]
    pub library: String,
    /// The number of fitted points.
    #[serde(deserialize_with = "value::whole::<_, _, 1, 1_000_000>")]
    pub points: usize,
    /// The median over these points of |fitted / measured - 1|.
    #[serde(deserialize_with = "value::share")]
    pub median_residual: f64,
    /// The largest of them.
    #[serde(deserialize_with = "value::share")]
    pub largest_residual: f64,
}

/// The name of a machine that is given by name or by the path of its file: a report does not contain paths.
///
/// ```
/// assert_eq!(wb_config::machine_name("cluster-ib"), "cluster-ib");
/// assert_eq!(wb_config::machine_name("../mine/ring-12.yaml"), "ring-12");
/// ```
pub fn machine_name(name_or_path: &str) -> &str {
    let Some(path) = name_or_path.strip_suffix(".yaml") else { return name_or_path };
    path.rsplit(std::path::is_separator).next().unwrap_or(path)
}

impl MachineSettings {
    /// Reads a machine file.
    ///
    /// # Errors
    /// When the file cannot be read, or a value in it is invalid.
    pub fn load(file: &Path) -> Result<Self> {
        Self::parse(file, &source::load(file)?)
    }

    /// Reads `text`, the content of `file`.
    ///
    /// # Errors
    /// When a value in it is invalid.
    pub fn parse(file: &Path, text: &str) -> Result<Self> {
        let machine: Self = yaml::read(file, text)?;
        if let Some(problem) = machine.too_many_cores() {
            return Err(yaml::diagnostic_at(file, text, &["groups_per_node"], problem).into());
        }
        if let Some(problem) = machine.missing_link() {
            return Err(yaml::diagnostic_at(file, text, &["links"], problem).into());
        }
        if let Some(problem) = machine.invalid_nics() {
            return Err(yaml::diagnostic_at(file, text, &["cards"], problem).into());
        }
        match machine.links.unordered_segment() {
            None => Ok(machine),
            Some((class, at, problem)) => {
                Err(yaml::diagnostic_at(file, text, &["links", class, "pieces", &at.to_string()], problem)
                    .into())
            }
        }
    }

    /// The machine as a file that [`MachineSettings::parse`] reads back to the same.
    pub fn to_yaml(&self) -> String {
        yaml::write(self)
    }

    /// The maximum number of ranks, if there is one: without a network there is one node.
    pub fn cores(&self) -> Option<usize> {
        let one_node = self.links.network.is_none();
        one_node.then(|| self.cores_per_node())
    }

    /// Cores of one node, at most [`NODE_CORES_MAX`].
    pub fn cores_per_node(&self) -> usize {
        self.cores_per_group * self.groups_per_node
    }

    /// More cores on a node than ranks can be simulated.
    fn too_many_cores(&self) -> Option<Text> {
        let (group, groups) = (self.cores_per_group, self.groups_per_node);
        (self.cores_per_node() > NODE_CORES_MAX).then(|| settings::cores(groups, group, NODE_CORES_MAX))
    }

    /// The reason why the ranks of a node cannot share NICs: the order of messages at a NIC is the order of their times, which
    /// is undefined where messages take no time.
    fn invalid_nics(&self) -> Option<Text> {
        let cards = self.cards?;
        let Some(network) = &self.links.network else {
            return Some(settings::cards_without_network());
        };
        let cores = self.cores_per_node();
        if cards.per_node > cores {
            return Some(settings::cards(cards.per_node, cores));
        }
        let takes_time = network.latency_ns > 0
            && network.overhead_ns > 0
            && network.pieces.iter().all(|piece| piece.overhead_ns > 0);
        (!takes_time).then(settings::cards_take_no_time)
    }

    /// A distance that the cores have and no link covers.
    fn missing_link(&self) -> Option<Text> {
        (self.groups_per_node > 1 && self.links.node.is_none())
            .then(|| settings::no_node_link(self.groups_per_node))
    }
}

impl LinkClasses {
    /// The first piece of a link that does not begin after the one before it: the link's key, the number of the piece
    /// (from 0), and what is wrong.
    fn unordered_segment(&self) -> Option<(&'static str, usize, Text)> {
        let classes =
            [("core", Some(&self.core)), ("node", self.node.as_ref()), ("network", self.network.as_ref())];
        classes.into_iter().find_map(|(class, link)| {
            let pieces = &link?.pieces;
            let at = (1..pieces.len()).find(|at| pieces[*at].from_bytes <= pieces[at - 1].from_bytes)?;
            let (before, here) = (pieces[at - 1].from_bytes, pieces[at].from_bytes);
            Some((class, at, settings::pieces_fall(here, before)))
        })
    }
}
