//! How hosts make and destroy teams: they publish their requests, synchronise, read all requests, and synchronise
//! again.
use wb_algorithms::barriers::Subset;
use wb_comm::Memory as _;

use crate::{
    StridedSet,
    ascend::{Error, Npu, NpuTeam, Result, layout},
    partial_barrier::partial_barrier,
    team_slots::{agree, propose},
};

impl Npu<'_> {
    /// The team of all PEs.
    ///
    /// # Errors
    /// None in a checked machine.
    pub fn world(&self) -> Result<NpuTeam> {
        NpuTeam::new(&self.machine, &StridedSet::all(self.machine.pes)?, (0, 1), self.pe)
    }

    /// Collective over all PEs' hosts: a team of PEs start, start + stride, ..., with a state of its own. PEs that are
    /// not members get a team too, on which every call is an error.
    ///
    /// Free maps are combined by AND over all PEs and the present counts by maximum, so a reused state continues
    /// counting and its old contents are older than every core's epoch. All hosts synchronise before the team is used.
    ///
    /// # Errors
    /// The errors of [`StridedSet::new`], before any host waits; [`crate::Error::Disagreement`] when the hosts ask
    /// for different teams, [`crate::Error::NoSlot`]: on every PE alike.
    pub fn team_split_strided(&self, start: i64, stride: i64, size: i64) -> Result<NpuTeam> {
        let shape = StridedSet::new(start, stride, size, self.machine.pes)?;
        let (machine, all) = (&self.machine, Subset::all(self.machine.pes)?);
        let (mut host, mut m, mut own) = (self.host(), self.inter_pe_memory(), self.core_memory(0));
        let first = layout::proposal(machine);
        let count = |slot| own.load(layout::counter(machine, slot));
        propose(&mut m, first, host.slots.free_map(), [start, stride, size], count)?;
        partial_barrier(&mut m, &all)?;
        let agreed = agree(&mut m, first, all.members(), (machine.pes, &shape), self.pe);
        let team = agreed.map_err(Error::from).and_then(|(slot, count)| {
            let generation = if shape.index_of(self.pe).is_some() {
                self.core_memory(0).store(layout::counter(&self.machine, slot), count)?;
                let uses = host.slots.uses(slot);
                host.slots.allocate(slot, uses)
            } else {
                0
            };
            self.set_generation(slot, generation);
            NpuTeam::new(&self.machine, &shape, (slot, generation), self.pe)
        });
        // No core continues before all have read and set their counters.
        partial_barrier(&mut m, &all)?;
        team
    }

    /// Collective over the hosts of the team's members, whose cores have left its barriers: gives its state back.
    ///
    /// # Errors
    /// [`Error::NotMember`](crate::ascend::Error::NotMember); [`Error::Destroyed`](crate::ascend::Error::Destroyed) the second time;
    /// [`crate::Error::World`]: on every member alike and before any host waits.
    pub fn team_destroy(&self, team: &NpuTeam) -> Result<()> {
        self.member(team)?;
        let mut host = self.host();
        host.slots.free(team.slot)?;
        self.set_generation(team.slot, 0);
        let listed = Subset::from_list(team.members(), self.machine.pes)?;
        Ok(partial_barrier(&mut self.inter_pe_memory(), &listed)?)
    }
}
