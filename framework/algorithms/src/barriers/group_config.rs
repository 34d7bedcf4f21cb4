//! The group that a barrier is made for: its size, the node of each member, the requested radix.
use wb_comm::{Error, Result, text::barrier};

/// The parameters for which a barrier is built; the same at all members.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GroupConfig {
    /// The number of participants, at least 1.
    pub size: usize,
    /// The node of each, by rank.
    pub nodes: Vec<usize>,
    /// The requested radix, for barriers that have one.
    pub radix: Option<usize>,
}

impl GroupConfig {
    /// The configuration of `size` participants on one node.
    pub fn new(size: usize) -> Self {
        Self { size, nodes: vec![0; size], radix: None }
    }

    /// `size` participants on nodes that are written as `2x3,1x2`: two nodes of three, then one of two.
    ///
    /// # Errors
    /// See [`wb_comm::nodes::parse`].
    pub fn parse_nodes(size: usize, text: &str) -> Result<Self> {
        Ok(Self { nodes: wb_comm::nodes::parse(text, size)?, ..Self::new(size) })
    }

    /// Checks that the group is not empty and that every rank has a node.
    ///
    /// # Errors
    /// [`Error::Setup`] for an empty group, or for nodes of more or fewer ranks than there are.
    pub fn check(&self) -> Result<()> {
        match (self.size, self.nodes.len()) {
            (0, _) => Err(Error::Setup(barrier::nobody())),
            (size, nodes) if size != nodes => Err(Error::Setup(barrier::nodes_of_others(size, nodes))),
            _ => Ok(()),
        }
    }

    /// Whether all members are on one node.
    pub fn is_single_node(&self) -> bool {
        self.nodes.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// The requested radix, else `default`.
    ///
    /// # Errors
    /// [`Error::Setup`] for 0 and 1, with which no distance ever grows.
    pub fn radix_or(&self, default: usize) -> Result<usize> {
        match self.radix.unwrap_or(default) {
            radix @ (0 | 1) => Err(Error::Setup(barrier::radix(radix))),
            radix => Ok(radix),
        }
    }
}
