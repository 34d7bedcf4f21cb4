//! How hosts make and destroy teams: they publish their requests, synchronise, read all requests, and synchronise
//! again.
use wb_comm::{Cells, Memory};
use wb_shmem::{
    StridedSet,
    partial_barrier::PeList,
    team_slots::{SLOTS, TeamSlots},
};

use crate::{Npu, NpuTeam, Result, layout};

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
    /// The errors of [`StridedSet::new`], before any host waits; [`wb_shmem::Error::Disagreement`] when the hosts ask
    /// for different teams, [`wb_shmem::Error::NoSlot`]: on every PE alike.
    pub fn team_split_strided(&self, start: i64, stride: i64, size: i64) -> Result<NpuTeam> {
        let shape = StridedSet::new(start, stride, size, self.machine.pes)?;
        let all: Vec<_> = (0..self.machine.pes).collect();
        let all = PeList::new(&all, self.pe, self.machine.pes)?;
        let (mut host, mut m) = (self.host(), self.inter_pe_memory());
        self.publish_proposal(&mut m, host.slots.free_map(), [start, stride, size])?;
        host.pairs.barrier(&mut m, &all)?;
        let agreed = self.read_agreement(&mut m, &shape);
        let team = agreed.and_then(|(slot, count)| {
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
        host.pairs.barrier(&mut m, &all)?;
        team
    }

    /// Collective over the hosts of the team's members, whose cores have left its barriers: gives its state back.
    ///
    /// # Errors
    /// [`Error::NotMember`](crate::Error::NotMember); [`Error::Destroyed`](crate::Error::Destroyed) the second time;
    /// [`wb_shmem::Error::World`]: on every member alike and before any host waits.
    pub fn team_destroy(&self, team: &NpuTeam) -> Result<()> {
        self.member(team)?;
        let mut host = self.host();
        host.slots.free(team.slot)?;
        self.set_generation(team.slot, 0);
        let listed = PeList::new(team.members(), self.pe, self.machine.pes)?;
        Ok(host.pairs.barrier(&mut self.inter_pe_memory(), &listed)?)
    }

    fn publish_proposal(&self, m: &mut Cells<'_>, free_map: u64, asked: [i64; 3]) -> Result<()> {
        let (first, mut own) = (layout::proposal(&self.machine), self.core_memory(0));
        m.store(first, free_map.cast_signed())?;
        for (at, value) in (1..).zip(asked) {
            m.store(first + at, value)?;
        }
        for slot in 0..SLOTS {
            let count = own.load(layout::counter(&self.machine, slot))?;
            m.store(layout::slot_use_count(&self.machine, slot), count)?;
        }
        Ok(())
    }

    /// The slot that all agree on, and the largest count of it so far.
    fn read_agreement(&self, m: &mut Cells<'_>, mine: &StridedSet) -> Result<(usize, i64)> {
        let (first, pes) = (layout::proposal(&self.machine), 0..self.machine.pes);
        let mut maps = vec![];
        for pe in pes.clone() {
            maps.push(m.get(pe, first)?.cast_unsigned());
            let [start, stride, size] = [1, 2, 3].map(|at| m.get(pe, first + at));
            let theirs = StridedSet::new(start?, stride?, size?, self.machine.pes)?;
            if theirs != *mine {
                let (theirs, mine) = (theirs.to_string(), mine.to_string());
                return Err(wb_shmem::Error::Disagreement { pe, theirs, me: self.pe, mine }.into());
            }
        }
        let slot = TeamSlots::common_slot(maps)?;
        let counts = pes.map(|pe| m.get(pe, layout::slot_use_count(&self.machine, slot)));
        let counts = counts.collect::<wb_comm::Result<Vec<_>>>()?;
        Ok((slot, counts.into_iter().max().unwrap_or_default()))
    }
}
