//! Groups: ordered sets of processes, without communication.
//!
//! A process is identified by its rank in the world of the job. A [`Group`] is a value: its methods are local, and
//! [`World::comm_create`] makes a communicator of it.
use std::collections::BTreeSet;

use wb_comm::{Error, PROC_NULL, Rank, Result, text};

use crate::{World, call_text::call_text};

/// How two groups or two communicators relate (`MPI_Group_compare`, `MPI_Comm_compare`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupComparison {
    /// Groups: the same processes in the same order. Communicators: the same communicator (`MPI_IDENT`).
    Ident,
    /// Communicators only: the same processes in the same order, separate messages (`MPI_CONGRUENT`).
    Congruent,
    /// The same processes in another order (`MPI_SIMILAR`).
    Similar,
    /// Other processes (`MPI_UNEQUAL`).
    Unequal,
}

/// An ordered set of processes (`MPI_Group`): the rank of a process in it is its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The ranks in the world of the job.
    processes: Vec<Rank>,
    /// The rank of this process there.
    own: Option<Rank>,
}

impl World {
    /// The ranks of this communicator, in their order (`MPI_Comm_group`).
    ///
    /// # Errors
    /// The errors of the backend.
    pub fn group(&self) -> Result<Group> {
        let processes = self.transport().members()?;
        let own = processes.get(self.rank()).copied();
        Ok(Group { processes, own })
    }
}

impl Group {
    /// The number of processes (`MPI_Group_size`).
    pub fn size(&self) -> usize {
        self.processes.len()
    }

    /// The rank of this process in the group; `None` if it is not in it (`MPI_Group_rank`, `MPI_UNDEFINED`).
    pub fn rank(&self) -> Option<Rank> {
        self.position(self.own?)
    }

    /// The processes, as ranks in the world of the job.
    pub fn processes(&self) -> &[Rank] {
        &self.processes
    }

    /// The group of these ranks, in this order (`MPI_Group_incl`).
    ///
    /// # Errors
    /// [`Error::CommunicatorArgument`] if the group has no such rank, or one is named twice.
    #[track_caller]
    pub fn incl(&self, ranks: &[Rank]) -> Result<Self> {
        self.check("incl", ranks)?;
        Ok(self.with(ranks.iter().map(|rank| self.processes[*rank]).collect()))
    }

    /// The group without these ranks (`MPI_Group_excl`).
    ///
    /// # Errors
    /// As [`incl`](Self::incl).
    #[track_caller]
    pub fn excl(&self, ranks: &[Rank]) -> Result<Self> {
        self.check("excl", ranks)?;
        Ok(self.without(ranks))
    }

    /// The ranks `first`, `first + stride`, ... up to `last` of each range `(first, last, stride)` (`MPI_Group_range_incl`).
    ///
    /// # Errors
    /// [`Error::CommunicatorArgument`] if a stride is 0; as [`incl`](Self::incl).
    #[track_caller]
    pub fn range_incl(&self, ranges: &[(Rank, Rank, isize)]) -> Result<Self> {
        let ranks = self.ranks_of("range_incl", ranges)?;
        Ok(self.with(ranks.iter().map(|rank| self.processes[*rank]).collect()))
    }

    /// The group without the ranks of these ranges, which are as in [`range_incl`](Self::range_incl) (`MPI_Group_range_excl`).
    ///
    /// # Errors
    /// As [`range_incl`](Self::range_incl).
    #[track_caller]
    pub fn range_excl(&self, ranges: &[(Rank, Rank, isize)]) -> Result<Self> {
        Ok(self.without(&self.ranks_of("range_excl", ranges)?))
    }

    /// All processes of this group, then those of the other one that this one has not (`MPI_Group_union`).
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let new = other.difference(self).processes;
        self.with([&self.processes[..], &new].concat())
    }

    /// The processes that both groups have, in the order of this one (`MPI_Group_intersection`).
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let others: BTreeSet<_> = other.processes.iter().collect();
        self.with(self.processes.iter().copied().filter(|process| others.contains(process)).collect())
    }

    /// The processes that the other group has not, in the order of this one (`MPI_Group_difference`).
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        let others: BTreeSet<_> = other.processes.iter().collect();
        self.with(self.processes.iter().copied().filter(|process| !others.contains(process)).collect())
    }

    /// The ranks in the other group of these ranks of this one; `None` for a process that the other one has not
    /// (`MPI_Group_translate_ranks`). [`PROC_NULL`] stays what it is.
    ///
    /// # Errors
    /// [`Error::CommunicatorArgument`] if this group has no such rank.
    #[track_caller]
    pub fn translate_ranks(&self, ranks: &[Rank], other: &Self) -> Result<Vec<Option<Rank>>> {
        if let Some(&unknown) = ranks.iter().find(|rank| **rank != PROC_NULL && **rank >= self.size()) {
            return Err(self.outside("translate_ranks", unknown));
        }
        let translate = |rank: &Rank| match self.processes.get(*rank) {
            Some(process) => other.position(*process),
            None => Some(PROC_NULL),
        };
        Ok(ranks.iter().map(translate).collect())
    }

    /// Whether both groups have the same processes, and in the same order (`MPI_Group_compare`).
    pub fn compare(&self, other: &Self) -> GroupComparison {
        let set = |group: &Self| group.processes.iter().copied().collect::<BTreeSet<_>>();
        match () {
            () if self.processes == other.processes => GroupComparison::Ident,
            () if set(self) == set(other) => GroupComparison::Similar,
            () => GroupComparison::Unequal,
        }
    }

    /// The ranks of these processes in the communicator.
    ///
    /// # Errors
    /// [`Error::CommunicatorArgument`] if it has not all of them.
    pub(crate) fn ranks_in(&self, communicator: &Self, verb: &'static str) -> Result<Vec<Rank>> {
        let rank = |process: &Rank| {
            let rank = communicator.position(*process);
            rank.ok_or_else(|| Error::CommunicatorArgument(text::group::not_a_subgroup(verb, *process)))
        };
        self.processes.iter().map(rank).collect()
    }

    fn with(&self, processes: Vec<Rank>) -> Self {
        Self { processes, own: self.own }
    }

    fn without(&self, ranks: &[Rank]) -> Self {
        let ranks: BTreeSet<_> = ranks.iter().copied().collect();
        let kept = self.processes.iter().enumerate().filter(|(rank, _)| !ranks.contains(rank));
        self.with(kept.map(|(_, process)| *process).collect())
    }

    fn position(&self, process: Rank) -> Option<Rank> {
        self.processes.iter().position(|member| *member == process)
    }

    #[track_caller]
    fn outside(&self, verb: &'static str, rank: Rank) -> Error {
        Error::CommunicatorArgument(text::group::rank_outside(
            call_text(verb),
            (rank as isize).to_string(),
            self.size(),
            self.size().saturating_sub(1),
        ))
    }

    /// Checks that the group has each of these ranks, and that none is named twice.
    #[track_caller]
    fn check(&self, verb: &'static str, ranks: &[Rank]) -> Result<()> {
        let mut known = BTreeSet::new();
        for &rank in ranks {
            if rank >= self.size() {
                return Err(self.outside(verb, rank));
            }
            if !known.insert(rank) {
                return Err(Error::CommunicatorArgument(text::group::rank_twice(call_text(verb), rank)));
            }
        }
        Ok(())
    }

    /// The ranks of ranges, checked.
    #[track_caller]
    fn ranks_of(&self, verb: &'static str, ranges: &[(Rank, Rank, isize)]) -> Result<Vec<Rank>> {
        let mut ranks = vec![];
        for &(first, last, stride) in ranges {
            if stride == 0 {
                return Err(Error::CommunicatorArgument(text::group::no_stride(
                    call_text(verb),
                    first,
                    last,
                )));
            }
            if let Some(&outside) = [first, last].iter().find(|rank| **rank >= self.size()) {
                return Err(self.outside(verb, outside));
            }
            let step = stride.unsigned_abs();
            match stride > 0 {
                true => ranks.extend((first..=last).step_by(step)),
                false => ranks.extend((last..=first).rev().step_by(step)),
            }
        }
        self.check(verb, &ranks)?;
        Ok(ranks)
    }
}

#[cfg(test)]
mod tests;
