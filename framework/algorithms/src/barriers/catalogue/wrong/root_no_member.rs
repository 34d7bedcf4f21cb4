//! Wrong: a team's barrier whose root is the lowest PE of the node, member of the team or not.
//!
//! The team is every rank but PE 0, all on one node. The members count at PE 0, whose memory accepts the additions, and
//! wait for a release that PE 0 never sends, because it does not call. Right: the lowest *member* of the node, as in
//! `hierarchical`.
use wb_comm::{Memory, Rank, Result, Text};

use crate::barriers::{
    BarrierEntry, BarrierProgram, Family, Guarantee, Implementation,
    catalogue::program::central_counter::CentralCounter,
};

/// A wrong team barrier: the root is the lowest PE of the node, which is not a member of the team.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RootNoMember;

impl BarrierProgram for RootNoMember {
    fn cells(&self, size: usize) -> usize {
        CentralCounter.cells(size)
    }

    fn members(&self, size: usize) -> Vec<Rank> {
        (1..size).collect()
    }

    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        // Its root is PE 0, the lowest of the node.
        CentralCounter.episode(m, epoch)
    }
}

/// The rows of this file in the catalogue.
pub static ENTRIES: &[BarrierEntry] = &[BarrierEntry {
    name: "root_no_member",
    family: Family::Wrong,
    source: "Sandia OpenSHMEM, pull request 1229, root of a node",
    section: "8, row 28",
    summary: Text {
        en: "the node's root is its lowest PE, which may be no member of the team",
        ru: "корень узла — его младший PE, даже если он не входит в команду",
    },
    guarantee: Guarantee::RENDEZVOUS,
    cost: None,
    implementation: Implementation::Program(|_| Ok(Box::new(RootNoMember))),
}];
