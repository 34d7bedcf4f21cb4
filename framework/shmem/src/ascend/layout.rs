//! The layout of the memory of a PE's cores and of the memory between PEs.
//!
//! Every state has cells of its own: the two sets of cores, each team, the hosts. In the source some states share cells
//! (slot 0 and the counter of two level-2 barriers; the counters of two sets), so a signal of one wakes waiters of the
//! other.
use wb_algorithms::barriers::logarithm::ceil_log2;

use crate::{
    ascend::{AscendMachine, CoreSet},
    partial_barrier::pair_cells,
    team_slots::{PROPOSAL, SLOTS},
};

/// The cell, in the memory of the PE's core 0, with the kind of core barrier that a set's state belongs to: 0 is unused.
pub(crate) const OWNER: usize = 0;
/// The number of barriers of the set that a core has entered; each core has its own.
pub(crate) const EPOCH: usize = 1;
/// The first cell of the barrier itself.
pub(crate) const BARRIER: usize = 2;

/// The first cell of a set's state in a core's memory.
pub(crate) fn set_state(machine: &AscendMachine, set: CoreSet) -> usize {
    let each = BARRIER + ceil_log2(machine.cores_per_pe()).max(2);
    match set {
        CoreSet::Vector => 0,
        CoreSet::All => each,
    }
}

/// The counter of a team, a cell of the PE's core 0.
pub(crate) fn counter(machine: &AscendMachine, slot: usize) -> usize {
    let each = set_state(machine, CoreSet::All);
    2 * each + slot
}

pub(crate) fn core_cells(machine: &AscendMachine) -> usize {
    counter(machine, SLOTS)
}

/// What a host publishes when a team is made; the hosts' pair counters precede it.
pub(crate) fn proposal(machine: &AscendMachine) -> usize {
    pair_cells(machine.pes)
}

/// The first cell of a team's level 2.
pub(crate) fn team_state(machine: &AscendMachine, slot: usize) -> usize {
    proposal(machine) + PROPOSAL + slot * machine.npu_barrier.cells(machine.pes)
}

pub(crate) fn pe_cells(machine: &AscendMachine) -> usize {
    team_state(machine, SLOTS)
}
