//! Teams: sets of PEs with a barrier state of their own, and how their members agree on it.
//!
//! Members must use the same state. So each publishes its free slots and their numbers of uses; all members of the
//! parent synchronise, read all of these and choose the same slot and number of use. They synchronise again before a
//! member uses it. Both synchronisations are partial barriers by pairs and depend on no team's own barrier.
//!
//! Barriers of overlapping teams are independent; common members must call them in one order, or they wait for each
//! other for ever (on threads a deadlock is reported).
use std::fmt;

use wb_algorithms::barriers::{Subset, catalogue::program::partial_slots};
use wb_comm::{CallSite, Memory, Rank, Verb};

use crate::{
    Error, Result, Shmem, StridedSet,
    barriers::AllocatedBarrier,
    partial_barrier::partial_barrier,
    team_slots::{SLOTS, TeamSlots, agree, propose},
};

/// A team, as a handle: every PE that took part in making it holds one, members can use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Team {
    members: StridedSet,
    slot: usize,
    use_number: i64,
    my_pe: Option<usize>,
}

impl Team {
    pub(crate) fn new(shape: StridedSet, (slot, use_number): (usize, i64), my_pe: Option<usize>) -> Self {
        Self { members: shape, slot, use_number, my_pe }
    }

    /// This PE's number in the team; `None` if it is not a member (`shmem_team_my_pe`).
    pub fn my_pe(&self) -> Option<usize> {
        self.my_pe
    }

    /// The number of members (`shmem_team_n_pes`).
    pub fn n_pes(&self) -> usize {
        self.members.size()
    }

    /// The members of the team, as PEs of the world.
    pub fn members(&self) -> StridedSet {
        self.members
    }

    /// The number in `other` of this team's member `pe`; `None` if one of them does not have it
    /// (`shmem_team_translate_pe`).
    pub fn translate_pe(&self, pe: usize, other: &Self) -> Option<usize> {
        self.members.pe(pe).and_then(|pe| other.members.index_of(pe))
    }
}

impl fmt::Display for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.members.fmt(f)
    }
}

/// A PE's data about teams.
pub(crate) struct Teams {
    pub(crate) slots: TeamSlots,
    pub(crate) live: Vec<Option<LiveTeam>>,
}

/// A team of which this PE is a member.
pub(crate) struct LiveTeam {
    use_number: i64,
    /// The members as PEs of the world.
    pub(crate) pe_list: Subset,
    /// The number of partial barriers by slots.
    pub(crate) slot_calls: i64,
    /// The barriers that have been used on it.
    pub(crate) barriers: Vec<AllocatedBarrier>,
    /// The barrier that is used when none is named.
    pub(crate) default_barrier: Option<usize>,
    /// Cells of its state that are in use.
    pub(crate) used_cells: usize,
}

impl LiveTeam {
    /// In the initial state: only the slots of partial barriers are in use.
    fn new(shape: &StridedSet, use_number: i64, n_pes: usize) -> Result<Self> {
        Ok(Self {
            use_number,
            pe_list: Subset::from_list(&shape.pes().collect::<Vec<_>>(), n_pes)?,
            slot_calls: 0,
            barriers: vec![],
            default_barrier: None,
            used_cells: partial_slots::SLOTS,
        })
    }
}

impl Teams {
    pub(crate) fn with_world(n_pes: usize) -> Result<Self> {
        let world = LiveTeam::new(&StridedSet::all(n_pes)?, 1, n_pes)?;
        let mut live: Vec<_> = (0..SLOTS).map(|_| None).collect();
        live[0] = Some(world);
        Ok(Self { slots: TeamSlots::default(), live })
    }

    /// The state and the slot of an existing team that has this PE as a member.
    pub(crate) fn member(&self, call: &'static str, team: &Team, pe: Rank) -> Result<usize> {
        if team.my_pe.is_none() {
            return Err(Error::NotMember { call, pe, team: team.to_string() });
        }
        match &self.live[team.slot] {
            Some(live) if live.use_number == team.use_number => Ok(team.slot),
            _ => Err(Error::Destroyed { call, team: team.to_string() }),
        }
    }
}

impl Shmem {
    /// Collective over `parent`: the team of its members start, start + stride, ..., `size` of them
    /// (`shmem_team_split_strided`).
    ///
    /// # Errors
    /// The errors of [`StridedSet::new`], and [`Error::NotMember`], [`Error::Destroyed`], for the parent: before any PE
    /// waits. [`Error::Disagreement`] when members ask for different teams, [`Error::NoSlot`]: on all members alike.
    #[track_caller]
    pub fn team_split_strided(&self, parent: &Team, start: i64, stride: i64, size: i64) -> Result<Team> {
        let (call, site) = ("team_split_strided", CallSite::caller(Verb::Split));
        let requested = StridedSet::new(start, stride, size, parent.n_pes())?;
        let mut teams = self.teams.borrow_mut();
        let slot = teams.member(call, parent, self.my_pe())?;
        let Teams { slots, live } = &mut *teams;
        let listed = live[slot].as_ref().expect("a member of it").pe_list.clone();
        let (mut m, first) = (self.memory(site), self.layout.proposal());
        propose(&mut m, first, slots.free_map(), [start, stride, size], |slot| Ok(slots.uses(slot)))?;
        partial_barrier(&mut m, &listed)?;
        let agreed = agree(&mut m, first, listed.members(), (parent.n_pes(), &requested), self.my_pe());
        let team = agreed.and_then(|(slot, uses)| {
            let shape = parent.members.subset(&requested);
            let my_pe = shape.index_of(self.my_pe());
            if my_pe.is_none() {
                return Ok(Team::new(shape, (slot, uses + 1), None));
            }
            let (use_number, first) = (slots.allocate(slot, uses), self.layout.team(slot));
            (first..first + partial_slots::SLOTS).try_for_each(|cell| m.store(cell, 0))?;
            live[slot] = Some(LiveTeam::new(&shape, use_number, self.n_pes())?);
            Ok(Team::new(shape, (slot, use_number), my_pe))
        });
        // No PE uses it, or publishes another proposal, before all have arrived.
        partial_barrier(&mut m, &listed)?;
        team
    }

    /// Collective over the team: completes everything, then frees its state (`shmem_team_destroy`).
    ///
    /// # Errors
    /// [`Error::World`], [`Error::NotMember`], [`Error::Destroyed`] the second time: before any PE waits.
    #[track_caller]
    pub fn team_destroy(&self, team: &Team) -> Result<()> {
        let site = CallSite::caller(Verb::Barrier);
        self.complete(site)?;
        let mut teams = self.teams.borrow_mut();
        let slot = teams.member("team_destroy", team, self.my_pe())?;
        let Teams { slots, live } = &mut *teams;
        slots.free(slot)?;
        let gone = live[slot].take().expect("a member of it");
        // The writes of the team's last barrier are complete when all have entered: none reaches the slot's next team.
        Ok(partial_barrier(&mut self.memory(site), &gone.pe_list)?)
    }
}
