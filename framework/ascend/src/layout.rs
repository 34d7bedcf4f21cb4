//! Where what lies, in the memory of a PE's cores and in the memory between PEs.
//!
//! Every state has cells of its own: the two sets of cores, each team, the hosts. What shares cells in the source (slot 0
//! and the counter of two level-2 barriers; the counters of two sets) wakes those who wait for another core.
use wb_barriers::logarithm::ceil_log2;
use wb_shmem::team_slots::SLOTS;

use crate::{AscendMachine, CoreSet};

/// Which core barrier a set's state belongs to: 0 is unused. A cell of the PE's core 0.
pub(crate) const OWNER: usize = 0;
/// How often a core has been in the set's barrier; each core its own.
pub(crate) const EPOCH: usize = 1;
/// From here on the cells of the barrier itself.
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

/// Cells of each core.
pub(crate) fn core_cells(machine: &AscendMachine) -> usize {
    counter(machine, SLOTS)
}

/// What a host lays out for the others when a team is made; the hosts' pair counters come before it.
pub(crate) const PROPOSAL: usize = 4;

/// A host's map of free slots, then start, stride and size of the team that it asks for.
pub(crate) fn proposal(machine: &AscendMachine) -> usize {
    machine.pes
}

/// What a PE has counted so far on a slot, laid out for the others to read.
pub(crate) fn slot_use_count(machine: &AscendMachine, slot: usize) -> usize {
    machine.pes + PROPOSAL + slot
}

/// The first cell of a team's level 2.
pub(crate) fn team_state(machine: &AscendMachine, slot: usize) -> usize {
    slot_use_count(machine, SLOTS) + slot * machine.npu_barrier.cells(machine.pes)
}

/// Cells of each PE.
pub(crate) fn pe_cells(machine: &AscendMachine) -> usize {
    team_state(machine, SLOTS)
}
