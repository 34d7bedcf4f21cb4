//! Adaptive: linear in small groups and on one node, else recursive doubling.
//!
//! Source: Open MPI OSHMEM scoll/basic, its default.
//!
//! One predicate for all members: all of them on one node, or P < 32. Messages, rounds and hops are those of the
//! selected one.
//!
//! The source tests whether all are on *my* node, and passes the member's index instead of its PE number to the
//! locality test; then members of one group can decide differently, and hang. A selector may use only data that is the
//! same at all members. Safe back to back.
use wb_comm::{Result, Text};

use super::{
    linear::{self, Linear},
    recursive_doubling::RecursiveDoubling,
};
use crate::barriers::{BarrierEntry, Family, GroupConfig, Guarantee, Implementation, Pattern, PlanBuilder};

/// The adaptive barrier: linear on one node and for fewer than 32 ranks, else recursive doubling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adaptive {
    is_single_node: bool,
}

/// The smallest size of a group of several nodes that takes recursive doubling.
const LARGE: usize = 32;

impl Adaptive {
    /// For the nodes of `config`.
    ///
    /// # Errors
    /// See [`GroupConfig::check`].
    pub fn for_group(config: &GroupConfig) -> Result<Self> {
        config.check()?;
        Ok(Self { is_single_node: config.is_single_node() })
    }
}

impl Pattern for Adaptive {
    fn build(&self, plan: &mut PlanBuilder<'_>) -> Result<()> {
        if self.is_single_node || plan.size() < LARGE {
            Linear.build(plan)
        } else {
            RecursiveDoubling.build(plan)
        }
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "adaptive",
    family: Family::OneSided,
    source: "Open MPI OSHMEM scoll/basic (\"adaptive\"), with a global predicate",
    section: "2.6",
    summary: Text {
        en: "linear below 32 ranks and on one node, else recursive doubling",
        ru: "линейный до 32 рангов и на одном узле, иначе рекурсивное удвоение",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: Some(linear::cost),
    implementation: Implementation::Pattern(|config| Ok(Box::new(Adaptive::for_group(config)?))),
}];
