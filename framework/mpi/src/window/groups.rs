//! Groups of ranks as MPI takes them, made once for each list of ranks.
use std::cell::RefCell;

use mpi::ffi::{MPI_Comm, MPI_Group};
use wb_comm::{Rank, Result};

use crate::group::{comm_group, free_group, subgroup};

/// The groups named in posts and starts of one window.
pub(crate) struct GroupCache {
    all: MPI_Group,
    cached: RefCell<Vec<(Box<[Rank]>, MPI_Group)>>,
}

impl GroupCache {
    /// A cache for subsets of the ranks of `comm`.
    pub(crate) fn new(comm: MPI_Comm) -> Result<Self> {
        Ok(Self { all: comm_group(comm)?, cached: RefCell::default() })
    }

    /// The group of `ranks`, which are valid and distinct.
    pub(crate) fn get(&self, ranks: &[Rank]) -> Result<MPI_Group> {
        let mut made = self.cached.borrow_mut();
        if let Some((_, group)) = made.iter().find(|(of, _)| **of == *ranks) {
            return Ok(*group);
        }
        let group = subgroup(self.all, ranks)?;
        made.push((ranks.into(), group));
        Ok(group)
    }

    /// Frees all groups; the window that used them is freed before.
    pub(crate) fn free(&self) -> Result<()> {
        // The group of no ranks is predefined: there is nothing to free.
        let made = self.cached.take().into_iter().filter(|(ranks, _)| !ranks.is_empty());
        let mut outcome = Ok(());
        for group in made.map(|(_, group)| group).chain([self.all]) {
            outcome = outcome.and(free_group(group));
        }
        outcome
    }
}
