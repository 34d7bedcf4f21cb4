//! All ways in which a barrier can be run on given ground.
use wb_collectives::{
    Entry,
    catalogue::{self, Family, Form, Setting},
    script::Style,
};
use wb_comm::Spacing;
use wb_tests::barrier_laws::{Carrier, Ground, Pace, cells::OnCells, messages::OnMessages, named::Named};

/// Everybody on one node.
pub(crate) fn one_node(size: usize) -> Vec<usize> {
    vec![0; size]
}

/// A third on one node, the rest on another: uneven for most sizes.
pub(crate) fn two_nodes(size: usize) -> Vec<usize> {
    (0..size).map(|rank| usize::from(rank >= size.div_ceil(3))).collect()
}

/// A way to run barriers, before there is ground.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    Messages { nodes: fn(usize) -> Vec<usize> },
    Cells { style: Style, spacing: Spacing, counted: bool, nodes: fn(usize) -> Vec<usize> },
    Named,
}

impl Way {
    /// All that make a difference for such a barrier.
    pub(crate) fn all(entry: &Entry) -> Vec<Self> {
        let nodes: &[fn(usize) -> Vec<usize>] = match entry.family {
            Family::Hierarchical => &[one_node, two_nodes],
            _ => &[one_node],
        };
        nodes.iter().flat_map(|&nodes| Self::with(entry, nodes)).collect()
    }

    fn with(entry: &Entry, nodes: fn(usize) -> Vec<usize>) -> Vec<Self> {
        let cells = |styles: &[Style], counted| -> Vec<Self> {
            let all = styles.iter().flat_map(|&style| Spacing::ALL.map(|spacing| (style, spacing)));
            all.map(|(style, spacing)| Self::Cells { style, spacing, counted, nodes }).collect()
        };
        match entry.form {
            Form::Pattern(_) => [vec![Self::Messages { nodes }], cells(&Style::ALL, false)].concat(),
            // Once with counted signals: a program's text does not give their number.
            Form::Program(_) => {
                [cells(&[Style::Put], false), cells(&[Style::Put], true)[..1].to_vec()].concat()
            }
            Form::Native(_) => vec![],
        }
    }

    /// Those that are tried between processes: one style of cells, since these are the same code as on threads; and by
    /// name what the world runs on a window or leaves to the library.
    #[cfg(feature = "mpi")]
    pub(crate) fn between_processes(entry: &Entry) -> Vec<Self> {
        let put = |spacing| {
            let (style, counted, nodes) = (Style::Put, false, one_node as fn(usize) -> Vec<usize>);
            Self::Cells { style, spacing, counted, nodes }
        };
        match entry.form {
            Form::Pattern(_) => vec![Self::Messages { nodes: one_node }, put(Spacing::Packed)],
            Form::Program(_) => vec![put(Spacing::Padded), Self::Named],
            Form::Native(_) => vec![Self::Named],
        }
    }

    /// How thoroughly.
    pub(crate) fn pace(self, size: usize) -> Pace {
        match self {
            Self::Messages { .. } | Self::Named => Pace::with_messages(size),
            Self::Cells { .. } => Pace::in_memory(size),
        }
    }

    /// On that ground.
    pub(crate) fn on(self, ground: &dyn Ground, cores: usize) -> Box<dyn Carrier + '_> {
        match self {
            Self::Messages { nodes } => Box::new(OnMessages { nodes }),
            Self::Named => Box::new(Named),
            Self::Cells { style, spacing, counted, nodes } => {
                Box::new(OnCells { ground, style, spacing, cores, counted, nodes })
            }
        }
    }

    pub(crate) fn setting(self, size: usize) -> Setting {
        let nodes = match self {
            Self::Messages { nodes } | Self::Cells { nodes, .. } => nodes,
            Self::Named => one_node,
        };
        Setting { nodes: nodes(size), ..Setting::of(size) }
    }
}

/// The barrier that comes next in the catalogue and can be carried too; the last one's is the first one.
pub(crate) fn partner(entry: &Entry, carrier: &dyn Carrier, setting: &Setting) -> &'static Entry {
    let all = catalogue::all();
    let at = all.iter().position(|other| other.name == entry.name).unwrap_or(0);
    let mut next = all.iter().cycle().skip(at + 1);
    next.find(|other| carrier.can(other, setting)).expect("at the latest it finds itself")
}
