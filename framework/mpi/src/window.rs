//! One-sided communication: the raw calls of MPI on windows, each checked.
//!
//! Outgoing data are copied into our memory, and incoming data are written there ([`staging`]), so MPI holds no address
//! of the user's after an epoch, however it ends. The layer above decides whether a call is legal in its epoch; this
//! module only refuses arguments that would break the library: ranges, types, groups.
//!
//! One assertion is not passed on: `MPI_MODE_NOCHECK` of post and start. Open MPI's shared-memory windows do not reset
//! the count of completes at such a post, so that the next wait returns too early; without the assertion they do. The
//! assertion is only a hint.
use std::{cell::Cell, ffi::c_int, rc::Rc, sync::atomic::AtomicI64};

use mpi::ffi::{
    MPI_Accumulate, MPI_Compare_and_swap, MPI_Fetch_and_op, MPI_Get, MPI_Get_accumulate, MPI_Put, MPI_Win,
    MPI_Win_complete, MPI_Win_fence, MPI_Win_flush, MPI_Win_flush_all, MPI_Win_flush_local,
    MPI_Win_flush_local_all, MPI_Win_lock, MPI_Win_lock_all, MPI_Win_post, MPI_Win_start, MPI_Win_sync,
    MPI_Win_test, MPI_Win_unlock, MPI_Win_unlock_all, MPI_Win_wait,
};
use wb_comm::{
    Accumulation, Assertion, CallSite, Code, Datatype, ErasedWindow, LockKind, PendingFetch, Rank, Result,
    Until, Verb, View, ViewMut, WindowKind, WordUpdate,
    window::{check_comparable, check_datatype},
};

use crate::{
    blocked_call::{self, WaitTarget},
    check::check,
    communicator::MpiCommunicator,
    datatype, handles,
};

mod atomics;
mod groups;
mod local_access;
mod rma_args;
mod scratch;
mod shared_memory;
mod staging;
mod window_inner;

use rma_args::{RmaArgs, assertion_flags as flags, check_one_element, flags_without_no_check};
pub(crate) use window_inner::WindowInner;

/// An MPI call on a window that ends an operation or an epoch, or waits for its end.
type WindowCall = unsafe extern "C" fn(MPI_Win) -> c_int;
/// The same for one rank's part.
type TargetCall = unsafe extern "C" fn(c_int, MPI_Win) -> c_int;

/// A window as this rank sees it.
pub(crate) struct MpiWindow {
    inner: Rc<WindowInner>,
    /// The call that made it.
    created_at: CallSite,
    is_kept_until_end: Cell<bool>,
}

impl MpiWindow {
    /// Collective: see [`wb_comm::Transport::window`].
    pub(crate) fn create(
        communicator: &Rc<MpiCommunicator>,
        kind: WindowKind,
        datatype: Datatype,
        count: usize,
        created_at: CallSite,
    ) -> Result<Self> {
        let inner = WindowInner::create(communicator, kind, datatype, count)?;
        Ok(Self { inner, created_at, is_kept_until_end: Cell::new(false) })
    }

    /// A call on the window that may wait for any rank.
    fn call(&self, name: &'static str, call: WindowCall, site: CallSite) -> Result<()> {
        let win = self.inner.win()?;
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        // SAFETY: a live window, which is all that such a call requires.
        check(name, unsafe { call(win) })
    }

    /// A call on one rank's part of the window.
    fn call_target(&self, name: &'static str, call: TargetCall, target: Rank, site: CallSite) -> Result<()> {
        let RmaArgs { target: of, .. } = self.check_range((target, 0, 0), site)?;
        let win = self.inner.win()?;
        let _inside = blocked_call::enter(site, WaitTarget::for_peer(target));
        // SAFETY: a live window and one of its ranks.
        check(name, unsafe { call(of, win) })
    }
}

impl ErasedWindow for MpiWindow {
    fn rank(&self) -> Rank {
        self.inner.communicator.rank
    }

    fn size(&self) -> usize {
        self.inner.communicator.size
    }

    fn datatype(&self) -> Datatype {
        self.inner.datatype
    }

    fn count(&self, rank: Rank) -> usize {
        self.inner.counts.get(rank).copied().unwrap_or(0)
    }

    fn kind(&self) -> WindowKind {
        self.inner.kind
    }

    fn put(&self, target: Rank, at: usize, data: View<'_>, site: CallSite) -> Result<()> {
        let RmaArgs { target: to, at, count } = self.check_data(target, at, data, site)?;
        let (win, datatype) = (self.inner.win()?, self.inner.mpi_datatype);
        let start = self.stage_data(target, data)?;
        let _inside = blocked_call::enter(site, WaitTarget::for_peer(target));
        // SAFETY: staged until complete; the elements are in the target's part.
        check("MPI_Put", unsafe { MPI_Put(start, count, datatype, to, at, count, datatype, win) })
    }

    fn get(&self, target: Rank, at: usize, count: usize, site: CallSite) -> Result<Box<dyn PendingFetch>> {
        let elements = count;
        let RmaArgs { target: from, at, count } = self.check_range((target, at, count), site)?;
        let (win, datatype) = (self.inner.win()?, self.inner.mpi_datatype);
        let (start, fetched) =
            self.inner.staging.borrow_mut().fetch_buffer(target, self.datatype(), elements);
        let _inside = blocked_call::enter(site, WaitTarget::for_peer(target));
        // SAFETY: the fetch buffer has room and stays until complete; the elements are in the target's part.
        let code = unsafe { MPI_Get(start.cast(), count, datatype, from, at, count, datatype, win) };
        check("MPI_Get", code).map(|()| fetched)
    }

    fn accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        op: Accumulation,
        site: CallSite,
    ) -> Result<()> {
        op.check(self.datatype())?;
        let RmaArgs { target: to, at, count } = self.check_data(target, at, data, site)?;
        if op == Accumulation::Keep {
            // MPI_NO_OP is for fetching operations only.
            return Ok(());
        }
        let (win, datatype) = (self.inner.win()?, self.inner.mpi_datatype);
        let start = self.stage_data(target, data)?;
        let mpi_op = datatype::accumulate_op(op);
        let _inside = blocked_call::enter(site, WaitTarget::for_peer(target));
        // SAFETY: as for put.
        let code = unsafe { MPI_Accumulate(start, count, datatype, to, at, count, datatype, mpi_op, win) };
        check("MPI_Accumulate", code)
    }

    fn get_accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        op: Accumulation,
        site: CallSite,
    ) -> Result<Box<dyn PendingFetch>> {
        op.check(self.datatype())?;
        let RmaArgs { target: to, at, count } = self.check_data(target, at, data, site)?;
        let (win, datatype) = (self.inner.win()?, self.inner.mpi_datatype);
        let start = self.stage_data(target, data)?;
        let (into, fetched) =
            self.inner.staging.borrow_mut().fetch_buffer(target, self.datatype(), data.count());
        let mpi_op = datatype::accumulate_op(op);
        let _inside = blocked_call::enter(site, WaitTarget::for_peer(target));
        // SAFETY: staging and fetch buffers stay until complete; the elements are in the target's part.
        let code = unsafe {
            MPI_Get_accumulate(
                start,
                count,
                datatype,
                into.cast(),
                count,
                datatype,
                to,
                at,
                count,
                datatype,
                mpi_op,
                win,
            )
        };
        check("MPI_Get_accumulate", code).map(|()| fetched)
    }

    fn fetch_and_op(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        op: Accumulation,
        site: CallSite,
    ) -> Result<Box<dyn PendingFetch>> {
        check_one_element(data, site)?;
        if matches!(self.datatype(), Datatype::I128 | Datatype::U128 | Datatype::Struct(_)) {
            // MPI_Fetch_and_op takes predefined types only.
            return self.get_accumulate(target, at, data, op, site);
        }
        op.check(self.datatype())?;
        let RmaArgs { target: to, at, .. } = self.check_data(target, at, data, site)?;
        let (win, datatype) = (self.inner.win()?, self.inner.mpi_datatype);
        let start = self.stage_data(target, data)?;
        let (into, fetched) = self.inner.staging.borrow_mut().fetch_buffer(target, self.datatype(), 1);
        let mpi_op = datatype::accumulate_op(op);
        let _inside = blocked_call::enter(site, WaitTarget::for_peer(target));
        // SAFETY: as for get_accumulate, one element.
        let code = unsafe { MPI_Fetch_and_op(start, into.cast(), datatype, to, at, mpi_op, win) };
        check("MPI_Fetch_and_op", code).map(|()| fetched)
    }

    fn compare_and_swap(
        &self,
        target: Rank,
        at: usize,
        expected: View<'_>,
        value: View<'_>,
        site: CallSite,
    ) -> Result<Box<dyn PendingFetch>> {
        check_comparable(self.datatype())?;
        check_one_element(expected, site)?;
        check_one_element(value, site)?;
        check_datatype(self.datatype(), expected.datatype(), site.verb)?;
        let RmaArgs { target: to, at, .. } = self.check_data(target, at, value, site)?;
        let (win, datatype) = (self.inner.win()?, self.inner.mpi_datatype);
        let (value, expected) = (self.stage_data(target, value)?, self.stage_data(target, expected)?);
        let (into, fetched) = self.inner.staging.borrow_mut().fetch_buffer(target, self.datatype(), 1);
        let _inside = blocked_call::enter(site, WaitTarget::for_peer(target));
        // SAFETY: as for get_accumulate, one element.
        let code = unsafe { MPI_Compare_and_swap(value, expected, into.cast(), datatype, to, at, win) };
        check("MPI_Compare_and_swap", code).map(|()| fetched)
    }

    #[inline]
    fn fetch_and_update_word(
        &self,
        target: Rank,
        at: usize,
        becomes: WordUpdate,
        site: CallSite,
    ) -> Result<i64> {
        self.inner.fetch_and_update_word(target, at, becomes, site)
    }

    #[inline]
    fn update_word(&self, target: Rank, at: usize, becomes: WordUpdate, site: CallSite) -> Result<()> {
        self.inner.update_word(target, at, becomes, site)
    }

    fn wait_until(&self, target: Rank, at: usize, until: Until, site: CallSite) -> Result<()> {
        self.inner.wait_until(target, at, until, site)
    }

    fn fence(&self, assertion: Assertion, site: CallSite) -> Result<()> {
        let win = self.inner.win()?;
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        // SAFETY: a live window.
        check("MPI_Win_fence", unsafe { MPI_Win_fence(flags(assertion), win) })?;
        self.complete(None);
        Ok(())
    }

    fn post(&self, group: &[Rank], assertion: Assertion, site: CallSite) -> Result<()> {
        self.check_group(group, site)?;
        let (win, group) = (self.inner.win()?, self.inner.groups.get(group)?);
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        // SAFETY: a live window and a live group of its ranks.
        check("MPI_Win_post", unsafe { MPI_Win_post(group, flags_without_no_check(assertion), win) })
    }

    fn start(&self, group: &[Rank], assertion: Assertion, site: CallSite) -> Result<()> {
        self.check_group(group, site)?;
        let first = group.first().map_or(WaitTarget::COLLECTIVE, |rank| WaitTarget::for_peer(*rank));
        let (win, group) = (self.inner.win()?, self.inner.groups.get(group)?);
        let _inside = blocked_call::enter(site, first);
        // SAFETY: as for post.
        check("MPI_Win_start", unsafe { MPI_Win_start(group, flags_without_no_check(assertion), win) })
    }

    fn complete(&self, site: CallSite) -> Result<()> {
        self.call("MPI_Win_complete", MPI_Win_complete, site)?;
        self.complete(None);
        Ok(())
    }

    fn wait(&self, site: CallSite) -> Result<()> {
        self.call("MPI_Win_wait", MPI_Win_wait, site)
    }

    fn test(&self, _site: CallSite) -> Result<bool> {
        let mut done = 0;
        // SAFETY: a live window, one int for the answer.
        check("MPI_Win_test", unsafe { MPI_Win_test(self.inner.win()?, &mut done) })?;
        if done == 0 {
            // A rank that polls must not keep the processor from the rank that it waits for.
            std::thread::yield_now();
        }
        Ok(done != 0)
    }

    fn lock(&self, kind: LockKind, target: Rank, assertion: Assertion, site: CallSite) -> Result<()> {
        let RmaArgs { target: of, .. } = self.check_range((target, 0, 0), site)?;
        let kind = match kind {
            LockKind::Shared => handles::LOCK_SHARED,
            LockKind::Exclusive => handles::LOCK_EXCLUSIVE,
        };
        let win = self.inner.win()?;
        let _inside = blocked_call::enter(site, WaitTarget::for_peer(target));
        // SAFETY: a live window and one of its ranks.
        let code = unsafe { MPI_Win_lock(kind, of, flags(assertion), win) };
        check("MPI_Win_lock", code)?;
        self.inner.note_locked(target);
        Ok(())
    }

    fn unlock(&self, target: Rank, site: CallSite) -> Result<()> {
        self.call_target("MPI_Win_unlock", MPI_Win_unlock, target, site)?;
        self.inner.note_unlocked(target);
        self.complete(Some(target));
        Ok(())
    }

    fn lock_all(&self, assertion: Assertion, site: CallSite) -> Result<()> {
        let win = self.inner.win()?;
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        // SAFETY: a live window.
        check("MPI_Win_lock_all", unsafe { MPI_Win_lock_all(flags(assertion), win) })?;
        self.inner.set_all_locked(true);
        Ok(())
    }

    fn unlock_all(&self, site: CallSite) -> Result<()> {
        self.call("MPI_Win_unlock_all", MPI_Win_unlock_all, site)?;
        self.inner.set_all_locked(false);
        self.complete(None);
        Ok(())
    }

    fn flush(&self, target: Option<Rank>, site: CallSite) -> Result<()> {
        match target {
            Some(target) => self.call_target("MPI_Win_flush", MPI_Win_flush, target, site)?,
            None => self.call("MPI_Win_flush_all", MPI_Win_flush_all, site)?,
        }
        self.complete(target);
        Ok(())
    }

    fn flush_local(&self, target: Option<Rank>, site: CallSite) -> Result<()> {
        match target {
            Some(target) => self.call_target("MPI_Win_flush_local", MPI_Win_flush_local, target, site)?,
            None => self.call("MPI_Win_flush_local_all", MPI_Win_flush_local_all, site)?,
        }
        self.complete(target);
        Ok(())
    }

    fn sync(&self, _site: CallSite) -> Result<()> {
        // SAFETY: a live window.
        check("MPI_Win_sync", unsafe { MPI_Win_sync(self.inner.win()?) })
    }

    fn is_unified(&self) -> bool {
        self.inner.is_unified
    }

    fn read(&self, at: usize, into: ViewMut<'_>) -> Result<()> {
        check_datatype(self.datatype(), into.datatype(), Verb::WindowRead)?;
        self.check_range((self.rank(), at, into.count()), CallSite::caller(Verb::WindowRead))?;
        self.inner.read(at, into)
    }

    fn write(&self, at: usize, from: View<'_>) -> Result<()> {
        check_datatype(self.datatype(), from.datatype(), Verb::WindowWrite)?;
        self.check_range((self.rank(), at, from.count()), CallSite::caller(Verb::WindowWrite))?;
        self.inner.write(at, from)
    }

    fn shared_words(&self) -> Option<&[AtomicI64]> {
        self.inner.shared_words()
    }

    fn keep_until_end(&self) {
        self.is_kept_until_end.set(true);
    }

    fn free(self: Box<Self>, site: CallSite) -> Result<()> {
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        self.inner.free()
    }
}

impl Drop for MpiWindow {
    fn drop(&mut self) {
        if self.inner.is_open() && !self.is_kept_until_end.get() {
            self.inner.communicator.registry.note_leak(Code::WindowLeak, self.created_at, vec![]);
        }
    }
}
