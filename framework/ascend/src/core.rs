//! What a kernel sees of the machine: one core of one PE.
use wb_collectives::{
    Part, Program,
    ascend::{ByFirstCore, Levels, three_levels},
    barrier::program::{
        core_dissemination::CoreDissemination, core_sync_all::CoreSyncAll, cross_host::CrossHost,
        npu_group::NpuGroup, npu_pull::NpuPull, npu_push::NpuPush,
    },
};
use wb_comm::{Cells, Memory};

use crate::{
    Between, CoreBarrier, Error, Npu, Result, Set, Team,
    layout::{self, BARRIER, EPOCH, OWNER},
};

/// See the module.
#[derive(Debug)]
pub struct Core<'a> {
    npu: &'a Npu<'a>,
    id: usize,
    cores: Cells<'a>,
    between: Cells<'a>,
    /// The numbers of all cores: a set's members are its first ones.
    numbers: Vec<usize>,
}

impl<'a> Core<'a> {
    pub(crate) fn new(npu: &'a Npu<'a>, id: usize) -> Self {
        let numbers = (0..npu.machine.cores_each()).collect();
        Self { npu, id, cores: npu.cores(id), between: npu.between(), numbers }
    }

    /// This core's number in its PE; vector cores come first.
    pub fn id(&self) -> usize {
        self.id
    }

    /// Its PE.
    pub fn pe(&self) -> usize {
        self.npu.pe
    }

    /// Its PE with all that belongs to it.
    pub fn npu(&self) -> &'a Npu<'a> {
        self.npu
    }

    /// Can it work at level 2?
    pub fn is_vector(&self) -> bool {
        self.id < self.npu.machine.vector
    }

    /// Level 1 as in hardware: returns once all cores of the set have called it.
    ///
    /// # Errors
    /// [`Error::NotInSet`] for a cube core and the vector cores' barrier; [`Error::Mixed`] on a state that the software
    /// barrier uses.
    pub fn sync_all(&mut self, set: Set) -> Result<()> {
        self.claim(set, CoreBarrier::SyncAll)?;
        Ok(self.meet(set, CoreBarrier::SyncAll)?)
    }

    /// Level 1 in software: returns once all cores of the set have called it.
    ///
    /// # Errors
    /// As [`sync_all`](Self::sync_all), the other way round.
    pub fn core_barrier(&mut self, set: Set) -> Result<()> {
        self.claim(set, CoreBarrier::Software)?;
        Ok(self.meet(set, CoreBarrier::Software)?)
    }

    /// The full barrier of a team: the cores of the set meet, the PEs of the team meet, the cores meet again.
    ///
    /// # Errors
    /// [`Error::NotMember`], [`Error::Destroyed`]; as [`sync_all`](Self::sync_all) for the machine's kind of core barrier.
    pub fn barrier(&mut self, team: &Team, set: Set) -> Result<()> {
        let index = self.npu.member(team)?;
        let kind = self.npu.machine.cores;
        self.claim(set, kind)?;
        let size = team.members.len();
        let npu = self.npu;
        let mut levels = InTeam { core: self, team, index, set };
        let done = match &npu.machine.between {
            Between::Pull => three_levels(&mut levels, &NpuPull),
            Between::Push => three_levels(&mut levels, &NpuPush),
            Between::Group(radix) => three_levels(&mut levels, &NpuGroup::of(*radix)),
            Between::GroupBySize => three_levels(&mut levels, &NpuGroup::version_4(size)),
            Between::CrossHost => three_levels(&mut levels, &CrossHost),
            Between::Sys(_) => {
                let script = team.by_hosts.as_ref().expect("made with the team");
                three_levels(&mut levels, &ByFirstCore(script))
            }
        };
        Ok(done?)
    }

    /// Does this core belong to the set, and the set's state to this kind of barrier? The first to come decides.
    fn claim(&mut self, set: Set, kind: CoreBarrier) -> Result<()> {
        if self.id >= self.npu.machine.members(set) {
            return Err(Error::NotInSet { core: self.id, pe: self.pe(), set });
        }
        let owner = layout::set_state(&self.npu.machine, set) + OWNER;
        let (mine, other) = match kind {
            CoreBarrier::SyncAll => (1, CoreBarrier::Software),
            CoreBarrier::Software => (2, CoreBarrier::SyncAll),
        };
        match self.cores.compare_swap(0, owner, 0, mine)? {
            was if was == 0 || was == mine => Ok(()),
            _ => Err(Error::Mixed { set, was: other, now: kind }),
        }
    }

    fn meet(&mut self, set: Set, kind: CoreBarrier) -> wb_comm::Result<()> {
        let state = layout::set_state(&self.npu.machine, set);
        let epoch = self.cores.load(state + EPOCH)? + 1;
        self.cores.store(state + EPOCH, epoch)?;
        let members = &self.numbers[..self.npu.machine.members(set)];
        let mut part = Part::new(&mut self.cores, members, self.id, state + BARRIER);
        match kind {
            CoreBarrier::SyncAll => CoreSyncAll.episode(&mut part, epoch),
            CoreBarrier::Software => CoreDissemination.episode(&mut part, epoch),
        }
    }
}

/// A core in a barrier of a team.
struct InTeam<'c, 'a> {
    core: &'c mut Core<'a>,
    team: &'c Team,
    index: usize,
    set: Set,
}

impl InTeam<'_, '_> {
    fn counter_cell(&self) -> usize {
        layout::counter(&self.core.npu.machine, self.team.slot)
    }
}

impl Levels for InTeam<'_, '_> {
    fn lane(&self) -> Option<usize> {
        self.core.is_vector().then_some(self.core.id)
    }
    fn lanes(&self) -> usize {
        self.core.npu.machine.vector
    }
    fn meet(&mut self) -> wb_comm::Result<()> {
        let kind = self.core.npu.machine.cores;
        self.core.meet(self.set, kind)
    }
    fn pes(&mut self) -> impl Memory + '_ {
        let first = layout::team_state(&self.core.npu.machine, self.team.slot);
        Part::new(&mut self.core.between, &self.team.members, self.index, first)
    }
    fn counter(&mut self) -> wb_comm::Result<i64> {
        let cell = self.counter_cell();
        self.core.cores.get(0, cell)
    }
    fn set_counter(&mut self, value: i64) -> wb_comm::Result<()> {
        let cell = self.counter_cell();
        self.core.cores.put(0, cell, value)
    }
}
