//! The arguments of one-sided operations: checked, with outgoing data copied, before the MPI call.
use std::ffi::{c_int, c_void};

use mpi::ffi::{MPI_Aint, MPI_Win_flush_local};
use wb_comm::{
    Assertion, CallSite, ErasedWindow, Error, Rank, Result, View, text,
    window::{check_datatype, check_range},
};

use super::MpiWindow;
use crate::{
    check::{self, check},
    handles,
};

/// The checked arguments of an operation.
pub(super) struct RmaArgs {
    pub(super) target: c_int,
    pub(super) at: MPI_Aint,
    pub(super) count: c_int,
}

impl MpiWindow {
    pub(super) fn check_range(
        &self,
        (target, at, count): (Rank, usize, usize),
        site: CallSite,
    ) -> Result<RmaArgs> {
        check_range((self.size(), |rank| self.count(rank)), (target, at, count), site.verb)?;
        Ok(RmaArgs { target: target as c_int, at: at as MPI_Aint, count: check::to_count(count)? })
    }

    pub(super) fn check_data(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        site: CallSite,
    ) -> Result<RmaArgs> {
        check_datatype(self.datatype(), data.datatype(), site.verb)?;
        self.check_range((target, at, data.count()), site)
    }

    pub(super) fn check_group(&self, group: &[Rank], site: CallSite) -> Result<()> {
        group.iter().try_for_each(|rank| self.check_range((*rank, 0, 0), site).map(drop))?;
        let twice = group.iter().enumerate().find(|(at, rank)| group[..*at].contains(rank));
        match twice {
            Some((_, rank)) => Err(Error::Setup(text::window::named_twice(site.verb.name(), *rank))),
            None => Ok(()),
        }
    }

    /// Copies outgoing data; in a passive epoch, a full staging area is first emptied by a flush.
    pub(super) fn stage_data(&self, target: Rank, data: View<'_>) -> Result<*const c_void> {
        if !self.inner.staging.borrow().has_room(data.bytes().len()) && self.inner.is_passive() {
            self.flush_staging()?;
        }
        Ok(self.inner.staging.borrow_mut().stage(target, data).cast())
    }

    #[cold]
    fn flush_staging(&self) -> Result<()> {
        let targets: Vec<_> = self.inner.staging.borrow().incomplete_targets().collect();
        for target in targets {
            // SAFETY: a live window in a passive epoch that covers every target of it.
            let code = unsafe { MPI_Win_flush_local(target as c_int, self.inner.win()?) };
            check("MPI_Win_flush_local", code)?;
            self.inner.staging.borrow_mut().complete(Some(target));
        }
        Ok(())
    }

    pub(super) fn complete(&self, target: Option<Rank>) {
        self.inner.staging.borrow_mut().complete(target);
    }
}

/// The MPI flags of an assertion.
pub(super) fn assertion_flags(assertion: Assertion) -> c_int {
    let Assertion { no_check, no_store, no_put, no_precede, no_succeed } = assertion;
    let flags = [
        (no_check, handles::MODE_NOCHECK),
        (no_store, handles::MODE_NOSTORE),
        (no_put, handles::MODE_NOPUT),
        (no_precede, handles::MODE_NOPRECEDE),
        (no_succeed, handles::MODE_NOSUCCEED),
    ];
    flags.into_iter().filter(|(set, _)| *set).fold(0, |all, (_, flag)| all | flag)
}

/// The flags without `MPI_MODE_NOCHECK`, see the windows' module.
pub(super) fn flags_without_no_check(given: Assertion) -> c_int {
    assertion_flags(Assertion { no_check: false, ..given })
}

pub(super) fn check_one_element(data: View<'_>, site: CallSite) -> Result<()> {
    check::check_length(site.verb.name(), "data", data.count(), 1)
}
