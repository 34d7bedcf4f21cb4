//! Groups of ranks as MPI takes them, made once for each list of ranks.
use std::{cell::RefCell, ffi::c_int};

use mpi::ffi::{MPI_Comm, MPI_Comm_group, MPI_Group, MPI_Group_free, MPI_Group_incl};
use wb_comm::{Rank, Result};

use crate::{check::check, handles};

/// The groups named in posts and starts of one window.
pub(crate) struct GroupCache {
    all: MPI_Group,
    cached: RefCell<Vec<(Box<[Rank]>, MPI_Group)>>,
}

impl GroupCache {
    /// A cache for subsets of the ranks of `comm`.
    pub(crate) fn new(comm: MPI_Comm) -> Result<Self> {
        let mut all = handles::GROUP_NULL;
        // SAFETY: a live communicator, one handle for the answer.
        check("MPI_Comm_group", unsafe { MPI_Comm_group(comm, &mut all) })?;
        Ok(Self { all, cached: RefCell::default() })
    }

    /// The group of `ranks`, which are valid and distinct.
    pub(crate) fn get(&self, ranks: &[Rank]) -> Result<MPI_Group> {
        let mut made = self.cached.borrow_mut();
        if let Some((_, group)) = made.iter().find(|(of, _)| **of == *ranks) {
            return Ok(*group);
        }
        let numbers: Vec<_> = ranks.iter().map(|rank| *rank as c_int).collect();
        let mut group = handles::GROUP_NULL;
        // SAFETY: a live group, as many of its ranks as are counted, one handle for the answer.
        let code = unsafe { MPI_Group_incl(self.all, numbers.len() as c_int, numbers.as_ptr(), &mut group) };
        check("MPI_Group_incl", code)?;
        made.push((ranks.into(), group));
        Ok(group)
    }

    /// Frees all groups; the window that used them is freed before.
    pub(crate) fn free(&self) -> Result<()> {
        // The group of no ranks is predefined: there is nothing to free.
        let made = self.cached.take().into_iter().filter(|(ranks, _)| !ranks.is_empty());
        let mut outcome = Ok(());
        for mut group in made.map(|(_, group)| group).chain([self.all]) {
            // SAFETY: made by us, freed once.
            outcome = outcome.and(check("MPI_Group_free", unsafe { MPI_Group_free(&mut group) }));
        }
        outcome
    }
}
