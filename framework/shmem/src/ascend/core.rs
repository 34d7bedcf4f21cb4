//! A kernel's view of the machine: one core of one PE.
use wb_algorithms::barriers::{
    BarrierProgram, MemorySubset,
    ascend::{ByFirstCore, CoreContext, three_levels},
    catalogue::program::{
        core_dissemination::CoreDissemination, core_sync_all::CoreSyncAll, cross_host::CrossHost,
        npu_group::NpuGroup, npu_pull::NpuPull, npu_push::NpuPush,
    },
};
use wb_comm::{Cells, Memory};

use crate::ascend::{
    CoreBarrier, CoreSet, Error, Npu, NpuBarrierKind, NpuTeam, Result,
    layout::{self, BARRIER, EPOCH, OWNER},
};

/// One core of a PE, as a running kernel sees it: its index, the memory that it can access and the barriers of its PE.
#[derive(Debug)]
pub struct Core<'a> {
    npu: &'a Npu<'a>,
    id: usize,
    core_memory: Cells<'a>,
    pe_memory: Cells<'a>,
    /// The numbers of all cores: a set's members are its first ones.
    numbers: Vec<usize>,
}

impl<'a> Core<'a> {
    pub(crate) fn new(npu: &'a Npu<'a>, id: usize) -> Self {
        let numbers = (0..npu.machine.cores_per_pe()).collect();
        Self { npu, id, core_memory: npu.core_memory(id), pe_memory: npu.inter_pe_memory(), numbers }
    }

    /// This core's number in its PE; vector cores come first.
    pub fn id(&self) -> usize {
        self.id
    }

    /// The PE of this core.
    pub fn pe(&self) -> usize {
        self.npu.pe
    }

    /// The PE of this core, with its memory and its machine.
    pub fn npu(&self) -> &'a Npu<'a> {
        self.npu
    }

    /// Whether it is a vector core, which can take part in level 2.
    pub fn is_vector(&self) -> bool {
        self.id < self.npu.machine.vector
    }

    /// Level 1 as in hardware: returns once all cores of the set have called it.
    ///
    /// # Errors
    /// [`Error::NotInSet`] for a cube core and the vector cores' barrier; [`Error::Mixed`] on a state that the software
    /// barrier uses.
    pub fn sync_all(&mut self, set: CoreSet) -> Result<()> {
        self.claim_state(set, CoreBarrier::SyncAll)?;
        Ok(self.core_set_barrier(set, CoreBarrier::SyncAll)?)
    }

    /// Level 1 in software: returns once all cores of the set have called it.
    ///
    /// # Errors
    /// As [`sync_all`](Self::sync_all), the other way round.
    pub fn core_barrier(&mut self, set: CoreSet) -> Result<()> {
        self.claim_state(set, CoreBarrier::Software)?;
        Ok(self.core_set_barrier(set, CoreBarrier::Software)?)
    }

    /// The full barrier of a team: the cores of the set meet, the PEs of the team meet, the cores meet again.
    ///
    /// # Errors
    /// [`Error::NotMember`], [`Error::Destroyed`]; as [`sync_all`](Self::sync_all) for the machine's kind of core barrier.
    pub fn barrier(&mut self, team: &NpuTeam, set: CoreSet) -> Result<()> {
        let index = self.npu.member(team)?;
        let kind = self.npu.machine.core_barrier;
        self.claim_state(set, kind)?;
        let size = team.members.len();
        let npu = self.npu;
        let mut levels = TeamCore { core: self, team, index, set };
        let done = match &npu.machine.npu_barrier {
            NpuBarrierKind::Pull => three_levels(&mut levels, &NpuPull),
            NpuBarrierKind::Push => three_levels(&mut levels, &NpuPush),
            NpuBarrierKind::Group(radix) => three_levels(&mut levels, &NpuGroup::with_radix(*radix)),
            NpuBarrierKind::GroupBySize => three_levels(&mut levels, &NpuGroup::version_4(size)),
            NpuBarrierKind::CrossHost => three_levels(&mut levels, &CrossHost),
            NpuBarrierKind::Sys(_) => {
                let plan = team.host_plan.as_ref().expect("made with the team");
                three_levels(&mut levels, &ByFirstCore(plan))
            }
        };
        Ok(done?)
    }

    /// Checks that this core is in the set and that the set's state is of this kind of barrier: the first core to arrive decides.
    fn claim_state(&mut self, set: CoreSet, kind: CoreBarrier) -> Result<()> {
        if self.id >= self.npu.machine.core_count(set) {
            return Err(Error::NotInSet { core: self.id, pe: self.pe(), set });
        }
        let owner = layout::set_state(&self.npu.machine, set) + OWNER;
        let (mine, other) = match kind {
            CoreBarrier::SyncAll => (1, CoreBarrier::Software),
            CoreBarrier::Software => (2, CoreBarrier::SyncAll),
        };
        match self.core_memory.compare_swap(0, owner, 0, mine)? {
            was if was == 0 || was == mine => Ok(()),
            _ => Err(Error::Mixed { set, was: other, now: kind }),
        }
    }

    fn core_set_barrier(&mut self, set: CoreSet, kind: CoreBarrier) -> wb_comm::Result<()> {
        let state = layout::set_state(&self.npu.machine, set);
        let epoch = self.core_memory.load(state + EPOCH)? + 1;
        self.core_memory.store(state + EPOCH, epoch)?;
        let members = &self.numbers[..self.npu.machine.core_count(set)];
        let mut part = MemorySubset::new(&mut self.core_memory, members, self.id, state + BARRIER);
        match kind {
            CoreBarrier::SyncAll => CoreSyncAll.episode(&mut part, epoch),
            CoreBarrier::Software => CoreDissemination.episode(&mut part, epoch),
        }
    }
}

/// A core in a barrier of a team.
struct TeamCore<'c, 'a> {
    core: &'c mut Core<'a>,
    team: &'c NpuTeam,
    index: usize,
    set: CoreSet,
}

impl TeamCore<'_, '_> {
    fn counter_cell(&self) -> usize {
        layout::counter(&self.core.npu.machine, self.team.slot)
    }
}

impl CoreContext for TeamCore<'_, '_> {
    fn vector_core(&self) -> Option<usize> {
        self.core.is_vector().then_some(self.core.id)
    }
    fn vector_cores(&self) -> usize {
        self.core.npu.machine.vector
    }
    fn core_barrier(&mut self) -> wb_comm::Result<()> {
        let kind = self.core.npu.machine.core_barrier;
        self.core.core_set_barrier(self.set, kind)
    }
    fn pe_memory(&mut self) -> impl Memory + '_ {
        let first = layout::team_state(&self.core.npu.machine, self.team.slot);
        MemorySubset::new(&mut self.core.pe_memory, &self.team.members, self.index, first)
    }
    fn counter(&mut self) -> wb_comm::Result<i64> {
        let cell = self.counter_cell();
        self.core.core_memory.get(0, cell)
    }
    fn set_counter(&mut self, value: i64) -> wb_comm::Result<()> {
        let cell = self.counter_cell();
        self.core.core_memory.put(0, cell, value)
    }
}
