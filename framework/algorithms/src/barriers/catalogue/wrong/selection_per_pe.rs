//! Wrong: each PE chooses the algorithm by a property of its own node (AUTO of pull request 1229 and of OpenSHMEM's
//! adaptive barrier).
//!
//! Nodes are uneven: the last PE is alone on its node and takes dissemination, the others share one and count at PE 0.
//! Both are right, but no rank answers the other. Right: decide by what is equal at all members, as `adaptive` does.
use wb_comm::{Memory, Result, Text};

use crate::barriers::{
    BarrierEntry, BarrierProgram, Family, Guarantee, Implementation,
    catalogue::program::{central_counter::CentralCounter, dissemination_epoch::DisseminationEpoch},
};

/// A wrong selection: each PE chooses the algorithm by the number of PEs on its own node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SelectionPerPe;

impl BarrierProgram for SelectionPerPe {
    fn cells(&self, size: usize) -> usize {
        CentralCounter.cells(size).max(DisseminationEpoch.cells(size))
    }

    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let alone_on_its_node = m.rank() + 1 == m.size();
        if alone_on_its_node {
            DisseminationEpoch.episode(m, epoch)
        } else {
            CentralCounter.episode(m, epoch)
        }
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "selection_per_pe",
    family: Family::Wrong,
    source: "Sandia OpenSHMEM pull request 1229; Open MPI OSHMEM scoll/basic, adaptive",
    section: "8, row 29",
    summary: Text {
        en: "each PE selects the algorithm by its own node, and members choose differently",
        ru: "каждый PE выбирает алгоритм по своему узлу, и участники выбирают разное",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|_| Ok(Box::new(SelectionPerPe))),
}];
