//! All ways in which a barrier can be run on given ground.
use wb_ascend::{Between, Machine};
use wb_collectives::{
    Entry,
    catalogue::{self, Family, Form, Setting, Substrate},
    script::Style,
};
use wb_comm::Spacing;
use wb_tests::barrier_laws::{
    Carrier, Ground, OnThreads, Pace, cells::OnCells, epochs::OnEpochs, messages::OnMessages, named::Named,
    network::OnNetwork, standard::OfStd, stream::OnStreams, symmetric::OnHeap,
};

/// The node of each of so many ranks.
pub(crate) type Nodes = fn(usize) -> Vec<usize>;

/// Everybody on one node.
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

fn lone_cores(pes: usize) -> Machine {
    Machine::of(pes, 1)
}

fn mixed_cores(pes: usize) -> Machine {
    Machine { cube: 1, between: Between::CrossHost, ..Machine::of(pes, 2) }
}

/// A way to run barriers, before there is ground.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    Messages { nodes: Nodes },
    Cells { style: Style, spacing: Spacing, counted: bool, nodes: Nodes },
    Named { nodes: Nodes },
    Heap,
    Epochs,
    Standard,
    Stream { machine: fn(usize) -> Machine },
    Network,
}

impl Way {
    /// All between threads that make a difference for such a barrier.
    pub(crate) fn all(entry: &Entry) -> Vec<Self> {
        let nodes: &[Nodes] = match entry.family {
            Family::Hierarchical => &[one_node, two_nodes],
            _ => &[one_node],
        };
        nodes.iter().flat_map(|&nodes| Self::with(entry, nodes)).collect()
    }

    fn with(entry: &Entry, nodes: Nodes) -> Vec<Self> {
        match entry.form {
            Form::Pattern(_) => {
                [vec![Self::Messages { nodes }, Self::Heap], cells(&Style::ALL, false, nodes)].concat()
            }
            // Once with counted signals: a program's text does not give their number.
            Form::Program(_) => {
                let counted = cells(&[Style::Put], true, nodes)[0];
                [vec![Self::Heap, counted], cells(&[Style::Put], false, nodes)].concat()
            }
            Form::Native(substrates) => substrates.iter().flat_map(|on| natives(entry, *on)).collect(),
        }
    }

    /// Those that are tried between processes on such nodes: all styles and spacings of up to 5 ranks and one of more; on
    /// several nodes what looks at them.
    #[cfg(feature = "mpi")]
    pub(crate) fn between_processes(entry: &Entry, nodes: Nodes, size: usize) -> Vec<Self> {
        let named = Self::Named { nodes };
        let on_one = nodes(size) == one_node(size);
        let in_memory = |styles| match size {
            ..=5 => [vec![Self::Heap], cells(styles, false, nodes)].concat(),
            _ => cells(&[Style::Put], false, nodes)[..1].to_vec(),
        };
        match entry.form {
            Form::Pattern(_) if on_one => [vec![Self::Messages { nodes }], in_memory(&Style::ALL)].concat(),
            Form::Pattern(_) if looks_at_nodes(entry, nodes, size) => {
                [vec![Self::Messages { nodes }, named], cells(&Style::ALL, false, nodes)].concat()
            }
            Form::Pattern(_) => vec![],
            Form::Program(_) if on_one => [vec![named], in_memory(&[Style::Put])].concat(),
            Form::Program(_) if entry.name.starts_with("three_level") => {
                [vec![named], cells(&[Style::Put], false, nodes)].concat()
            }
            Form::Program(_) => vec![],
            Form::Native(_) if !on_one => vec![],
            Form::Native(substrates) => match substrates {
                [Substrate::Mpi] => vec![named],
                // Of threads.
                [Substrate::Std] => vec![],
                _ => substrates.iter().flat_map(|on| natives(entry, *on)).collect(),
            },
        }
    }

    /// How thoroughly.
    pub(crate) fn pace(self, size: usize) -> Pace {
        match self {
            Self::Messages { .. } => Pace::with_messages(size),
            Self::Cells { .. } | Self::Standard => Pace::in_memory(size),
            Self::Named { .. } | Self::Heap | Self::Epochs | Self::Stream { .. } | Self::Network => {
                Pace::of_dear_signals(size)
            }
        }
    }

    /// On that ground.
    pub(crate) fn on(self, ground: &dyn Ground, cores: usize) -> Box<dyn Carrier + '_> {
        let threads = || -> &OnThreads { ground.one_process().expect("this is of threads only") };
        match self {
            Self::Messages { nodes } => Box::new(OnMessages { nodes }),
            Self::Named { .. } => Box::new(Named),
            Self::Heap => Box::new(OnHeap { quiet: true }),
            Self::Epochs => Box::new(OnEpochs),
            Self::Network => Box::new(OnNetwork),
            Self::Standard => Box::new(OfStd(threads())),
            Self::Stream { machine } => Box::new(OnStreams { ground: threads(), machine }),
            Self::Cells { style, spacing, counted, nodes } => {
                Box::new(OnCells { ground, style, spacing, cores, counted, nodes })
            }
        }
    }

    pub(crate) fn setting(self, size: usize) -> Setting {
        let nodes = match self {
            Self::Messages { nodes } | Self::Cells { nodes, .. } | Self::Named { nodes } => nodes,
            Self::Heap | Self::Epochs | Self::Standard | Self::Stream { .. } | Self::Network => one_node,
        };
        Setting { nodes: nodes(size), ..Setting::of(size) }
    }
}

fn cells(styles: &[Style], counted: bool, nodes: Nodes) -> Vec<Way> {
    let all = styles.iter().flat_map(|&style| Spacing::ALL.map(|spacing| (style, spacing)));
    all.map(|(style, spacing)| Way::Cells { style, spacing, counted, nodes }).collect()
}

/// How a native runs on `substrate`; on those of a library it is a rank of that library's job who knows.
fn natives(entry: &Entry, substrate: Substrate) -> Vec<Way> {
    match substrate {
        Substrate::Window if entry.promise.memory => vec![Way::Named { nodes: one_node }, Way::Epochs],
        Substrate::Window => vec![Way::Named { nodes: one_node }],
        Substrate::Std if entry.name == "host_stream" => {
            [lone_cores, mixed_cores].map(|machine| Way::Stream { machine }).into()
        }
        Substrate::Std => vec![Way::Standard],
        Substrate::Tcp => vec![Way::Network],
        Substrate::Mpi | Substrate::Shmem => vec![],
        Substrate::Messages | Substrate::Cells => unreachable!("{}: no native runs there", entry.name),
    }
}

/// Does it do something else on these nodes than on one?
#[cfg(feature = "mpi")]
fn looks_at_nodes(entry: &Entry, nodes: Nodes, size: usize) -> bool {
    let plans = |nodes| entry.plans(&Setting { nodes, ..Setting::of(size) }).and_then(Result::ok);
    plans(nodes(size)) != plans(one_node(size))
}

/// The barrier that comes next in the catalogue and can be carried too; the last one's is the first one.
pub(crate) fn partner(entry: &Entry, carrier: &dyn Carrier, setting: &Setting) -> &'static Entry {
    let all = catalogue::all();
    let at = all.iter().position(|other| other.name == entry.name).unwrap_or(0);
    let mut next = all.iter().cycle().skip(at + 1);
    next.find(|other| carrier.can(other, setting)).expect("at the latest it finds itself")
}
