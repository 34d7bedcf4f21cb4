//! Barriers of teams, by any algorithm of the catalogue, and of lists of PEs.
//!
//! A *sync* guarantees that all PEs have entered. A *barrier* also guarantees that all their puts are complete: quiet,
//! then sync.
//!
//! An algorithm that is used on a team for the first time gets cells of the team's state. The members set these cells
//! to the initial values and synchronise. Its cells and its count of episodes stay its own, so algorithms may
//! alternate.
use wb_algorithms::barriers::{
    BarrierProgram as _, ErasedProgram, Family, GroupConfig, MemorySubset, Subset, Substrate,
    catalogue::{
        self,
        program::partial_slots::{self, PartialSlots, SlotReuse},
    },
    compiled_plan::SignalEncoding,
    select::select,
};
use wb_comm::{Barrier, CallSite, Memory, Verb};

use crate::{
    CompletingBarrier, Error, Result, Shmem, Team,
    partial_barrier::partial_barrier,
    teams::{LiveTeam, Teams},
};

/// A barrier with its cells.
pub(crate) struct AllocatedBarrier {
    name: &'static str,
    program: Box<dyn ErasedProgram>,
    /// The first cell of the barrier in the control window.
    first_cell: usize,
    epoch: i64,
}

/// One PE's handle of a barrier that is ready on a team.
struct TeamBarrierCall<'s> {
    shmem: &'s Shmem,
    slot: usize,
    barrier: usize,
    index: usize,
    site: CallSite,
}

impl Barrier for TeamBarrierCall<'_> {
    fn wait(&mut self) -> wb_comm::Result<()> {
        let mut teams = self.shmem.teams.borrow_mut();
        let live = teams.live[self.slot].as_mut().expect("a member of it");
        let LiveTeam { pe_list: listed, barriers: ready, .. } = live;
        let ready = &mut ready[self.barrier];
        ready.epoch += 1;
        let mut whole = self.shmem.memory(self.site);
        let mut part = MemorySubset::new(&mut whole, listed.members(), self.index, ready.first_cell);
        ready.program.run_on_memory(&mut part, ready.epoch)
    }
}

impl Shmem {
    /// Collective: returns when all PEs have entered (`shmem_sync_all`).
    ///
    /// # Errors
    /// The errors of the transport.
    #[track_caller]
    pub fn sync_all(&self) -> Result<()> {
        self.team_sync(&self.world())
    }

    /// Collective: returns when all PEs have entered and all their puts are complete (`shmem_barrier_all`).
    ///
    /// # Errors
    /// The errors of the transport.
    #[track_caller]
    pub fn barrier_all(&self) -> Result<()> {
        self.team_barrier(&self.world())
    }

    /// Collective over the team: returns when all members have entered (`shmem_team_sync`).
    ///
    /// # Errors
    /// [`Error::NotMember`], [`Error::Destroyed`]; the errors of the transport.
    #[track_caller]
    pub fn team_sync(&self, team: &Team) -> Result<()> {
        Ok(self.default_team_barrier("team_sync", team, CallSite::caller(Verb::Barrier))?.wait()?)
    }

    /// Collective over the team: returns when all members have entered and all their puts are complete.
    ///
    /// # Errors
    /// As [`team_sync`](Self::team_sync).
    #[track_caller]
    pub fn team_barrier(&self, team: &Team) -> Result<()> {
        let site = CallSite::caller(Verb::Barrier);
        let sync = self.default_team_barrier("team_barrier", team, site)?;
        self.quiet_then_sync(sync, site)
    }

    /// As [`team_sync`](Self::team_sync), by the catalogue's barrier of that name; all members give the same name.
    ///
    /// # Errors
    /// As there; [`wb_comm::Error::Setup`] for names that do not exist and algorithms that are not defined for the
    /// size, [`Error::NotInMemory`] for a library's own, [`Error::TooFewCells`]: on all members alike and before any
    /// member waits.
    #[track_caller]
    pub fn team_sync_by(&self, team: &Team, name: &str) -> Result<()> {
        Ok(self.team_barrier_named("team_sync", team, name, CallSite::caller(Verb::Barrier))?.wait()?)
    }

    /// As [`team_barrier`](Self::team_barrier), by the catalogue's barrier of that name.
    ///
    /// # Errors
    /// As [`team_sync_by`](Self::team_sync_by).
    #[track_caller]
    pub fn team_barrier_by(&self, team: &Team, name: &str) -> Result<()> {
        let site = CallSite::caller(Verb::Barrier);
        let sync = self.team_barrier_named("team_barrier", team, name, site)?;
        self.quiet_then_sync(sync, site)
    }

    fn quiet_then_sync(&self, sync: TeamBarrierCall<'_>, site: CallSite) -> Result<()> {
        let quiet = || self.flush_all(site);
        Ok(CompletingBarrier { quiet, sync }.wait()?)
    }

    /// The barrier that was requested when the library started, else the one that suits the team.
    fn default_team_barrier(
        &self,
        call: &'static str,
        team: &Team,
        site: CallSite,
    ) -> Result<TeamBarrierCall<'_>> {
        let slot = self.teams.borrow().member(call, team, self.my_pe())?;
        let index = team.my_pe().expect("a member of it");
        let live = |teams: &Teams| teams.live[slot].as_ref().and_then(|live| live.default_barrier);
        if let Some(at) = live(&self.teams.borrow()) {
            return Ok(TeamBarrierCall { shmem: self, slot, barrier: at, index, site });
        }
        let chosen =
            select(self.requested_algorithm.as_deref(), &self.group_config(team), Substrate::Window)?;
        let ready = self.team_barrier_named(call, team, chosen.barrier.name, site)?;
        let mut teams = self.teams.borrow_mut();
        teams.live[slot].as_mut().expect("a member of it").default_barrier = Some(ready.barrier);
        Ok(ready)
    }

    fn group_config(&self, team: &Team) -> GroupConfig {
        let nodes = team.members().pes().map(|pe| self.nodes[pe]).collect();
        GroupConfig { nodes, ..GroupConfig::new(team.n_pes()) }
    }

    /// The barrier of that name, initialised at its first use.
    fn team_barrier_named(
        &self,
        call: &'static str,
        team: &Team,
        name: &str,
        site: CallSite,
    ) -> Result<TeamBarrierCall<'_>> {
        let mut teams = self.teams.borrow_mut();
        let slot = teams.member(call, team, self.my_pe())?;
        let index = team.my_pe().expect("a member of it");
        let live = teams.live[slot].as_mut().expect("a member of it");
        if let Some(at) = live.barriers.iter().position(|ready| ready.name == name) {
            return Ok(TeamBarrierCall { shmem: self, slot, barrier: at, index, site });
        }
        let ready = self.allocate_barrier(team, index, name)?;
        let (capacity, needed) = (self.layout.cells_per_team, ready.program.cells(team.n_pes()));
        if needed > capacity - live.used_cells {
            let (name, team, left) = (name.to_owned(), team.to_string(), capacity - live.used_cells);
            return Err(Error::TooFewCells { name, team, needed, available: left, capacity });
        }
        let first = self.layout.team(slot) + live.used_cells;
        let (mut m, initial) = (self.memory(site), ready.program.initial());
        (first..first + needed).try_for_each(|cell| m.store(cell, initial))?;
        live.used_cells += needed;
        live.barriers.push(AllocatedBarrier { first_cell: first, ..ready });
        partial_barrier(&mut m, &live.pe_list)?;
        Ok(TeamBarrierCall { shmem: self, slot, barrier: live.barriers.len() - 1, index, site })
    }

    fn allocate_barrier(&self, team: &Team, index: usize, name: &str) -> Result<AllocatedBarrier> {
        let entry = catalogue::find(name)?;
        let config = self.group_config(team);
        let wrong = entry.family == Family::Wrong;
        match entry.in_memory(index, &config, SignalEncoding::Add) {
            Some(program) if !wrong => {
                Ok(AllocatedBarrier { name: entry.name, program: program?, first_cell: 0, epoch: 0 })
            }
            _ => Err(Error::NotInMemory { name: name.to_owned(), wrong }),
        }
    }

    /// Called by the members of the team that `pes` lists, in any order: returns when they have entered and all their
    /// puts are complete. Uses one counter for each pair of PEs, see [`partial`](crate::partial_barrier).
    ///
    /// Guarantees nothing about other PEs. Any two PEs must call the barriers that list both in the same order.
    ///
    /// # Errors
    /// [`wb_comm::Error::Setup`] for a list that is empty, names a PE twice or one that the team does not have, and for a
    /// caller that is not listed; [`Error::NotMember`], [`Error::Destroyed`]; the errors of the transport.
    #[track_caller]
    pub fn partial_barrier(&self, team: &Team, pes: &[usize]) -> Result<()> {
        let site = CallSite::caller(Verb::Barrier);
        self.teams.borrow().member("partial_barrier", team, self.my_pe())?;
        let listed = Subset::from_list(pes, team.n_pes())?;
        listed.position(team.my_pe().expect("a member of it"))?;
        self.complete(site)?;
        let of_world: Vec<_> = listed.members().iter().filter_map(|&pe| team.members().pe(pe)).collect();
        let of_world = Subset::from_list(&of_world, self.n_pes())?;
        Ok(partial_barrier(&mut self.memory(site), &of_world)?)
    }

    /// As [`partial_barrier`](Self::partial_barrier), by 64 slots of flags. Called by *all* members of the team, with
    /// the same list; members that are not listed return immediately.
    ///
    /// # Errors
    /// As there, but not for a caller that is not listed.
    #[track_caller]
    pub fn partial_barrier_by_slots(&self, team: &Team, pes: &[usize]) -> Result<()> {
        let site = CallSite::caller(Verb::Barrier);
        let mut teams = self.teams.borrow_mut();
        let slot = teams.member("partial_barrier_by_slots", team, self.my_pe())?;
        let listed = Subset::from_list(pes, team.n_pes())?;
        let index = team.my_pe().expect("a member of it");
        let live = teams.live[slot].as_mut().expect("a member of it");
        live.slot_calls += 1;
        if listed.position(index).is_ok() {
            self.complete(site)?;
        }
        let mut whole = self.memory(site);
        let mut part = MemorySubset::new(&mut whole, live.pe_list.members(), index, self.layout.team(slot));
        let slots = PartialSlots::new(listed, partial_slots::SLOTS, SlotReuse::Epochs);
        Ok(slots.episode(&mut part, live.slot_calls)?)
    }
}
