//! All setups in which a barrier can be run on given memory.
use wb_algorithms::barriers::{
    BarrierEntry, Family, GroupConfig, Implementation, Substrate, catalogue, compiled_plan::SignalEncoding,
};
use wb_comm::Spacing;
use wb_shmem::ascend::{AscendMachine, NpuBarrierKind};
use wb_tests::barrier_laws::{
    BarrierProvider, LawEffort, TeamMemory, TeamThreadMemory, cells::CellBarriers, epochs::EpochBarriers,
    messages::MessageBarriers, named_barriers::NamedBarriers, network::ControlNetworkBarriers,
    standard::StdBarriers, stream::StreamBarriers, symmetric::TeamBarriers,
};

/// The node of each rank, given the number of ranks.
pub(crate) type NodesOf = fn(usize) -> Vec<usize>;

/// All ranks on one node.
pub(crate) fn one_node(size: usize) -> Vec<usize> {
    vec![0; size]
}

/// A third on one node, the rest on another: uneven for most sizes.
pub(crate) fn two_nodes(size: usize) -> Vec<usize> {
    (0..size).map(|rank| usize::from(rank >= size.div_ceil(3))).collect()
}

/// The first rank and the last each alone, the others between them.
#[cfg(feature = "mpi")]
pub(crate) fn three_nodes(size: usize) -> Vec<usize> {
    (0..size).map(|rank| usize::from(rank > 0) + usize::from(rank > 1 && rank + 1 == size)).collect()
}

fn lone_cores(pes: usize) -> AscendMachine {
    AscendMachine::new(pes, 1)
}

fn mixed_cores(pes: usize) -> AscendMachine {
    AscendMachine { cube: 1, npu_barrier: NpuBarrierKind::CrossHost, ..AscendMachine::new(pes, 2) }
}

/// How barriers are run, chosen before there is memory.
#[derive(Clone, Copy)]
pub(crate) enum BarrierSetup {
    Messages { nodes: NodesOf },
    Cells { encoding: SignalEncoding, spacing: Spacing, counted: bool, nodes: NodesOf },
    Named { nodes: NodesOf },
    Heap,
    Epochs,
    Standard,
    Stream { machine: fn(usize) -> AscendMachine },
    Network,
}

impl BarrierSetup {
    /// All between threads that make a difference for such a barrier.
    pub(crate) fn all(entry: &BarrierEntry) -> Vec<Self> {
        let nodes: &[NodesOf] = match entry.family {
            Family::Hierarchical => &[one_node, two_nodes],
            _ => &[one_node],
        };
        nodes.iter().flat_map(|&nodes| Self::for_nodes(entry, nodes)).collect()
    }

    fn for_nodes(entry: &BarrierEntry, nodes: NodesOf) -> Vec<Self> {
        match entry.implementation {
            Implementation::Pattern(_) => {
                [vec![Self::Messages { nodes }, Self::Heap], cells_of(entry, nodes)].concat()
            }
            // Once with counted signals: a program's text does not give their number.
            Implementation::Program(_) => {
                let counted = cells(&[SignalEncoding::Put], true, nodes)[0];
                [vec![Self::Heap, counted], cells_of(entry, nodes)].concat()
            }
            Implementation::Native(substrates) => {
                substrates.iter().flat_map(|on| natives(entry, *on)).collect()
            }
        }
    }

    /// Those that are tried between processes on such nodes; on several nodes what looks at them.
    #[cfg(feature = "mpi")]
    pub(crate) fn between_processes(entry: &BarrierEntry, nodes: NodesOf, size: usize) -> Vec<Self> {
        let (messages, named) = (Self::Messages { nodes }, Self::Named { nodes });
        let on_one = nodes(size) == one_node(size);
        let heap = if is_representative(entry) { vec![Self::Heap] } else { vec![] };
        match entry.implementation {
            Implementation::Pattern(_) if on_one => [vec![messages], heap, cells_of(entry, nodes)].concat(),
            Implementation::Pattern(_) if depends_on_nodes(entry, nodes, size) => {
                [vec![messages, named], cells_of(entry, nodes)].concat()
            }
            Implementation::Program(_) if on_one => [vec![named], heap, cells_of(entry, nodes)].concat(),
            Implementation::Program(_) if entry.name.starts_with("three_level") => {
                [vec![named], cells_of(entry, nodes)].concat()
            }
            Implementation::Pattern(_) | Implementation::Program(_) => vec![],
            Implementation::Native(_) if !on_one => vec![],
            Implementation::Native(substrates) => match substrates {
                [Substrate::Mpi] => vec![named],
                // Of threads.
                [Substrate::Std] => vec![],
                _ => substrates.iter().flat_map(|on| natives(entry, *on)).collect(),
            },
        }
    }

    /// How thoroughly.
    pub(crate) fn effort(self, size: usize) -> LawEffort {
        match self {
            Self::Messages { .. } => LawEffort::with_messages(size),
            Self::Cells { .. } | Self::Standard => LawEffort::in_memory(size),
            Self::Named { .. } | Self::Heap | Self::Epochs | Self::Stream { .. } | Self::Network => {
                LawEffort::for_expensive_signals(size)
            }
        }
    }

    pub(crate) fn provider(self, memory: &dyn TeamMemory, cores: usize) -> Box<dyn BarrierProvider + '_> {
        let threads = || -> &TeamThreadMemory { memory.one_process().expect("this is of threads only") };
        match self {
            Self::Messages { nodes } => Box::new(MessageBarriers { nodes }),
            Self::Named { .. } => Box::new(NamedBarriers),
            Self::Heap => Box::new(TeamBarriers { quiet: true }),
            Self::Epochs => Box::new(EpochBarriers),
            Self::Network => Box::new(ControlNetworkBarriers),
            Self::Standard => Box::new(StdBarriers(threads())),
            Self::Stream { machine } => Box::new(StreamBarriers { memory: threads(), machine }),
            Self::Cells { encoding, spacing, counted, nodes } => {
                Box::new(CellBarriers { memory, encoding, spacing, cores, counts_signals: counted, nodes })
            }
        }
    }

    pub(crate) fn group_config(self, size: usize) -> GroupConfig {
        let nodes = match self {
            Self::Messages { nodes } | Self::Cells { nodes, .. } | Self::Named { nodes } => nodes,
            Self::Heap | Self::Epochs | Self::Standard | Self::Stream { .. } | Self::Network => one_node,
        };
        GroupConfig { nodes: nodes(size), ..GroupConfig::new(size) }
    }
}

/// Barriers with signals of every kind that a substrate carries: messages, synchronous messages, puts, additions and atomics. They are
/// run in every setup at every size. Any other barrier differs from them in its algorithm, which `wb_algorithms::barriers` proves at every size
/// and explores in every encoding: it is run once in each kind of setup.
const REPRESENTATIVES: [&str; 5] =
    ["dissemination", "recursive_doubling", "central_counter", "flat_counter", "core_sync_all"];

/// Whether the barrier is run in every setup at every size; each native is its own kind of signal.
pub(crate) fn is_representative(entry: &BarrierEntry) -> bool {
    REPRESENTATIVES.contains(&entry.name) || matches!(entry.implementation, Implementation::Native(_))
}

/// Each encoding and spacing of a representative; one of any other barrier, by its position in the catalogue, so that all barriers
/// together have each of them.
fn cells_of(entry: &BarrierEntry, nodes: NodesOf) -> Vec<BarrierSetup> {
    let is_pattern = matches!(entry.implementation, Implementation::Pattern(_));
    let encodings = if is_pattern { &SignalEncoding::ALL[..] } else { &[SignalEncoding::Put] };
    let all = cells(encodings, false, nodes);
    if is_representative(entry) {
        return all;
    }
    let position = catalogue::all().iter().position(|other| other.name == entry.name).unwrap_or(0);
    vec![all[position % all.len()]]
}

fn cells(styles: &[SignalEncoding], counted: bool, nodes: NodesOf) -> Vec<BarrierSetup> {
    let all = styles.iter().flat_map(|&encoding| Spacing::ALL.map(|spacing| (encoding, spacing)));
    all.map(|(encoding, spacing)| BarrierSetup::Cells { encoding, spacing, counted, nodes }).collect()
}

/// How a native runs on `substrate`; on those of a library it is a rank of that library's job who knows.
fn natives(entry: &BarrierEntry, substrate: Substrate) -> Vec<BarrierSetup> {
    match substrate {
        Substrate::Window if entry.guarantee.memory => {
            vec![BarrierSetup::Named { nodes: one_node }, BarrierSetup::Epochs]
        }
        Substrate::Window => vec![BarrierSetup::Named { nodes: one_node }],
        Substrate::Std if entry.name == "host_stream" => {
            [lone_cores, mixed_cores].map(|machine| BarrierSetup::Stream { machine }).into()
        }
        Substrate::Std => vec![BarrierSetup::Standard],
        Substrate::Tcp => vec![BarrierSetup::Network],
        Substrate::Mpi | Substrate::Shmem => vec![],
        Substrate::Messages | Substrate::Cells => unreachable!("{}: no native runs there", entry.name),
    }
}

/// Does it do something else on these nodes than on one?
#[cfg(feature = "mpi")]
fn depends_on_nodes(entry: &BarrierEntry, nodes: NodesOf, size: usize) -> bool {
    let plans = |nodes| entry.plans(&GroupConfig { nodes, ..GroupConfig::new(size) }).and_then(Result::ok);
    plans(nodes(size)) != plans(one_node(size))
}

/// The barrier that comes next in the catalogue and can be carried too; the last one's is the first one.
pub(crate) fn partner(
    entry: &BarrierEntry,
    barrier_provider: &dyn BarrierProvider,
    config: &GroupConfig,
) -> &'static BarrierEntry {
    let all = catalogue::all();
    let at = all.iter().position(|other| other.name == entry.name).unwrap_or(0);
    let mut next = all.iter().cycle().skip(at + 1);
    next.find(|other| barrier_provider.supports(other, config)).expect("at the latest it finds itself")
}
