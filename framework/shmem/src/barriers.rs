//! Barriers of teams, by any algorithm of the catalogue, and of lists of PEs.
//!
//! A *sync* says that all have come. A *barrier* says also that all that they had put has arrived: quiet, then sync.
//!
//! An algorithm that is used on a team for the first time gets cells of the team's state, which its members set to what
//! it starts from and then meet. Its cells and its count of episodes stay its own, so algorithms may alternate.
use wb_collectives::{
    Part,
    catalogue::{self, AnyProgram, Family, Setting, Substrate},
    script::Style,
    select::select,
};
use wb_comm::{Barrier, Memory, Site, Verb};

use crate::{
    Completing, Error, Result, Shmem, Team,
    partial::Listed,
    teams::{Live, Teams},
};

/// A barrier that has its cells.
pub(crate) struct Ready {
    name: &'static str,
    program: Box<dyn AnyProgram>,
    /// Its first cell in the control window.
    first: usize,
    epoch: i64,
}

/// One PE's handle of a barrier that is ready on a team.
struct OnTeam<'s> {
    shmem: &'s Shmem,
    slot: usize,
    at: usize,
    index: usize,
    site: Site,
}

impl Barrier for OnTeam<'_> {
    fn wait(&mut self) -> wb_comm::Result<()> {
        let mut teams = self.shmem.teams.borrow_mut();
        let live = teams.live[self.slot].as_mut().expect("a member of it");
        let Live { listed, ready, .. } = live;
        let ready = &mut ready[self.at];
        ready.epoch += 1;
        let mut whole = self.shmem.memory(self.site);
        let mut part = Part::new(&mut whole, listed.pes(), self.index, ready.first);
        ready.program.on_memory(&mut part, ready.epoch)
    }
}

impl Shmem {
    /// Collective: all PEs have come (`shmem_sync_all`).
    ///
    /// # Errors
    /// What the transport can meet.
    #[track_caller]
    pub fn sync_all(&self) -> Result<()> {
        self.team_sync(&self.world())
    }

    /// Collective: all PEs have come and all that they had put has arrived (`shmem_barrier_all`).
    ///
    /// # Errors
    /// What the transport can meet.
    #[track_caller]
    pub fn barrier_all(&self) -> Result<()> {
        self.team_barrier(&self.world())
    }

    /// Collective over the team: all members have come (`shmem_team_sync`).
    ///
    /// # Errors
    /// [`Error::NotMember`], [`Error::Destroyed`]; what the transport can meet.
    #[track_caller]
    pub fn team_sync(&self, team: &Team) -> Result<()> {
        Ok(self.usual("team_sync", team, Site::here(Verb::Barrier))?.wait()?)
    }

    /// Collective over the team: all members have come and all that they had put has arrived.
    ///
    /// # Errors
    /// As [`team_sync`](Self::team_sync).
    #[track_caller]
    pub fn team_barrier(&self, team: &Team) -> Result<()> {
        let site = Site::here(Verb::Barrier);
        let sync = self.usual("team_barrier", team, site)?;
        self.completing(sync, site)
    }

    /// As [`team_sync`](Self::team_sync), by the catalogue's barrier of that name; all members name the same.
    ///
    /// # Errors
    /// As there; [`wb_comm::Error::Setup`] for names that do not exist and algorithms that are not defined for the size,
    /// [`Error::NotInMemory`] for a library's own, [`Error::Room`]: on all members alike and before anybody waits.
    #[track_caller]
    pub fn team_sync_by(&self, team: &Team, name: &str) -> Result<()> {
        Ok(self.on_team("team_sync", team, name, Site::here(Verb::Barrier))?.wait()?)
    }

    /// As [`team_barrier`](Self::team_barrier), by the catalogue's barrier of that name.
    ///
    /// # Errors
    /// As [`team_sync_by`](Self::team_sync_by).
    #[track_caller]
    pub fn team_barrier_by(&self, team: &Team, name: &str) -> Result<()> {
        let site = Site::here(Verb::Barrier);
        let sync = self.on_team("team_barrier", team, name, site)?;
        self.completing(sync, site)
    }

    fn completing(&self, sync: OnTeam<'_>, site: Site) -> Result<()> {
        let quiet = || self.flush_all(site);
        Ok(Completing { quiet, sync }.wait()?)
    }

    /// The barrier that was wished for when the library started, else the one that suits the team.
    fn usual(&self, call: &'static str, team: &Team, site: Site) -> Result<OnTeam<'_>> {
        let slot = self.teams.borrow().member(call, team, self.my_pe())?;
        let index = team.my_pe().expect("a member of it");
        let live = |teams: &Teams| teams.live[slot].as_ref().and_then(|live| live.usual);
        if let Some(at) = live(&self.teams.borrow()) {
            return Ok(OnTeam { shmem: self, slot, at, index, site });
        }
        let chosen = select(self.wish.as_deref(), &self.setting(team), Substrate::Window)?;
        let ready = self.on_team(call, team, chosen.entry.name, site)?;
        let mut teams = self.teams.borrow_mut();
        teams.live[slot].as_mut().expect("a member of it").usual = Some(ready.at);
        Ok(ready)
    }

    fn setting(&self, team: &Team) -> Setting {
        let nodes = team.shape().pes().map(|pe| self.nodes[pe]).collect();
        Setting { nodes, ..Setting::of(team.n_pes()) }
    }

    /// The barrier of that name, made ready if it is the first time.
    fn on_team(&self, call: &'static str, team: &Team, name: &str, site: Site) -> Result<OnTeam<'_>> {
        let mut teams = self.teams.borrow_mut();
        let slot = teams.member(call, team, self.my_pe())?;
        let index = team.my_pe().expect("a member of it");
        let Teams { pairs, live, .. } = &mut *teams;
        let live = live[slot].as_mut().expect("a member of it");
        if let Some(at) = live.ready.iter().position(|ready| ready.name == name) {
            return Ok(OnTeam { shmem: self, slot, at, index, site });
        }
        let ready = self.program(team, index, name)?;
        let (room, needed) = (self.layout.room, ready.program.cells(team.n_pes()));
        if needed > room - live.used {
            let (name, team, left) = (name.to_owned(), team.to_string(), room - live.used);
            return Err(Error::Room { name, team, needed, left, room });
        }
        let first = self.layout.team(slot) + live.used;
        let (mut m, initial) = (self.memory(site), ready.program.initial());
        (first..first + needed).try_for_each(|cell| m.store(cell, initial))?;
        live.used += needed;
        live.ready.push(Ready { first, ..ready });
        pairs.meet(&mut m, &live.listed)?;
        Ok(OnTeam { shmem: self, slot, at: live.ready.len() - 1, index, site })
    }

    fn program(&self, team: &Team, index: usize, name: &str) -> Result<Ready> {
        let entry = catalogue::find(name)?;
        let setting = self.setting(team);
        let wrong = entry.family == Family::Wrong;
        match entry.in_memory(index, &setting, Style::Add) {
            Some(program) if !wrong => Ok(Ready { name: entry.name, program: program?, first: 0, epoch: 0 }),
            _ => Err(Error::NotInMemory { name: name.to_owned(), wrong }),
        }
    }

    /// Called by the members of the team that `pes` lists, in any order: they have come and all that they had put has
    /// arrived. By one counter for each pair of PEs, see [`partial`](crate::partial).
    ///
    /// Promises nothing about others. Any two PEs must call the barriers that list both in the same order.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::Duplicate`], [`Error::Pe`] for one that the team does not have, [`Error::NotListed`];
    /// [`Error::NotMember`], [`Error::Destroyed`]; what the transport can meet.
    #[track_caller]
    pub fn partial_barrier(&self, team: &Team, pes: &[usize]) -> Result<()> {
        let site = Site::here(Verb::Barrier);
        let mut teams = self.teams.borrow_mut();
        teams.member("partial_barrier", team, self.my_pe())?;
        let listed = self.listed(team, pes)?;
        self.complete(site)?;
        Ok(teams.pairs.meet(&mut self.memory(site), &listed)?)
    }

    /// As [`partial_barrier`](Self::partial_barrier), by 64 slots of flags. Called by *all* members of the team, with the
    /// same list; those that it does not name return at once.
    ///
    /// # Errors
    /// As there, but not [`Error::NotListed`].
    #[track_caller]
    pub fn partial_barrier_by_slots(&self, team: &Team, pes: &[usize]) -> Result<()> {
        let site = Site::here(Verb::Barrier);
        let mut teams = self.teams.borrow_mut();
        let slot = teams.member("partial_barrier_by_slots", team, self.my_pe())?;
        let flags = &mut teams.live[slot].as_mut().expect("a member of it").flags;
        match self.listed(team, pes) {
            Err(Error::NotListed { .. }) => {
                flags.skip();
                Ok(())
            }
            Err(error) => Err(error),
            Ok(listed) => {
                self.complete(site)?;
                Ok(flags.meet(&mut self.memory(site), &listed)?)
            }
        }
    }

    /// Members of a team, as PEs of the world.
    fn listed(&self, team: &Team, pes: &[usize]) -> Result<Listed> {
        let index = team.my_pe().expect("a member of it");
        let listed = Listed::new(pes, index, team.n_pes())?;
        let world: Vec<_> = listed.pes().iter().filter_map(|&pe| team.shape().pe(pe)).collect();
        Listed::new(&world, self.my_pe(), self.n_pes())
    }
}
