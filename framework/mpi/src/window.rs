//! One-sided communication: the raw calls of MPI on windows, each checked.
//!
//! What goes out is copied into memory of ours and what comes in lands there ([`staging`]), so no epoch, however it
//! ends, leaves MPI with an address of the user's. Whether a call is legal in its epoch is decided above; here it is only
//! kept from the library what would break it: ranges, types, groups.
//!
//! One thing is not passed on: `MPI_MODE_NOCHECK` of post and start. Open MPI's shared-memory windows do not reset the
//! count of completes at such a post, so that the next wait returns too early; without the assertion they do, and it is
//! never more than a hint.
use std::{ffi::c_int, rc::Rc, sync::atomic::AtomicI64};

use mpi::ffi::{
    MPI_Accumulate, MPI_Compare_and_swap, MPI_Fetch_and_op, MPI_Get, MPI_Get_accumulate, MPI_Put, MPI_Win,
    MPI_Win_complete, MPI_Win_fence, MPI_Win_flush, MPI_Win_flush_all, MPI_Win_flush_local,
    MPI_Win_flush_local_all, MPI_Win_lock, MPI_Win_lock_all, MPI_Win_post, MPI_Win_start, MPI_Win_sync,
    MPI_Win_test, MPI_Win_unlock, MPI_Win_unlock_all, MPI_Win_wait,
};
use wb_comm::{
    Accumulation, Assertion, Code, Fetched, Layout, LockKind, Rank, Result, Site, Until, Verb, View, ViewMut,
    Window, WindowKind, Word,
    window::{check_layout, check_swap},
};

use crate::{
    call::{self, Wait},
    check::check,
    communicator::Communicator,
    datatype, handles,
};

mod groups;
mod memory;
mod opened;
mod operation;
mod staging;
mod words;

pub(crate) use opened::Opened;
use operation::{Operation, assertion as flags, one_element, unpromised};

/// A call of MPI on a window, which ends something or waits for its end.
type OnWindow = unsafe extern "C" fn(MPI_Win) -> c_int;
/// The same for one rank's part.
type OnPart = unsafe extern "C" fn(c_int, MPI_Win) -> c_int;

/// A window as this rank sees it.
pub(crate) struct MpiWindow {
    opened: Rc<Opened>,
    /// The call that made it.
    made: Site,
}

impl MpiWindow {
    /// Collective: see [`wb_comm::Transport::window`].
    pub(crate) fn open(
        communicator: &Rc<Communicator>,
        kind: WindowKind,
        layout: Layout,
        count: usize,
        made: Site,
    ) -> Result<Self> {
        Ok(Self { opened: Opened::open(communicator, kind, layout, count)?, made })
    }

    /// A call on the window that may wait for any rank.
    fn on_all(&self, name: &'static str, call: OnWindow, site: Site) -> Result<()> {
        let win = self.opened.win()?;
        let _inside = call::enter(site, Wait::ALL);
        // SAFETY: a live window, and of such a call MPI asks for no more.
        check(name, unsafe { call(win) })
    }

    /// A call on one rank's part of the window.
    fn on_part(&self, name: &'static str, call: OnPart, target: Rank, site: Site) -> Result<()> {
        let Operation { target: of, .. } = self.check((target, 0, 0), site)?;
        let win = self.opened.win()?;
        let _inside = call::enter(site, Wait::on(target));
        // SAFETY: a live window and one of its ranks.
        check(name, unsafe { call(of, win) })
    }
}

impl Window for MpiWindow {
    fn rank(&self) -> Rank {
        self.opened.communicator.rank
    }

    fn size(&self) -> usize {
        self.opened.communicator.size
    }

    fn layout(&self) -> Layout {
        self.opened.layout
    }

    fn count(&self, rank: Rank) -> usize {
        self.opened.counts.get(rank).copied().unwrap_or(0)
    }

    fn kind(&self) -> WindowKind {
        self.opened.kind
    }

    fn put(&self, target: Rank, at: usize, data: View<'_>, site: Site) -> Result<()> {
        let Operation { target: to, at, count } = self.check_data(target, at, data, site)?;
        let (win, datatype) = (self.opened.win()?, self.opened.datatype);
        let start = self.stage(target, data)?;
        let _inside = call::enter(site, Wait::on(target));
        // SAFETY: staged until complete; the elements are in the target's part.
        check("MPI_Put", unsafe { MPI_Put(start, count, datatype, to, at, count, datatype, win) })
    }

    fn get(&self, target: Rank, at: usize, count: usize, site: Site) -> Result<Box<dyn Fetched>> {
        let elements = count;
        let Operation { target: from, at, count } = self.check((target, at, count), site)?;
        let (win, datatype) = (self.opened.win()?, self.opened.datatype);
        let (start, brought) = self.opened.staging.borrow_mut().land(target, self.layout(), elements);
        let _inside = call::enter(site, Wait::on(target));
        // SAFETY: the landing has room and stays until complete; the elements are in the target's part.
        let code = unsafe { MPI_Get(start.cast(), count, datatype, from, at, count, datatype, win) };
        check("MPI_Get", code).map(|()| brought)
    }

    fn accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: Site,
    ) -> Result<()> {
        how.check(self.layout())?;
        let Operation { target: to, at, count } = self.check_data(target, at, data, site)?;
        if how == Accumulation::Keep {
            // MPI_NO_OP is for fetching operations only.
            return Ok(());
        }
        let (win, datatype) = (self.opened.win()?, self.opened.datatype);
        let start = self.stage(target, data)?;
        let op = datatype::accumulation(how);
        let _inside = call::enter(site, Wait::on(target));
        // SAFETY: as for put.
        let code = unsafe { MPI_Accumulate(start, count, datatype, to, at, count, datatype, op, win) };
        check("MPI_Accumulate", code)
    }

    fn get_accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: Site,
    ) -> Result<Box<dyn Fetched>> {
        how.check(self.layout())?;
        let Operation { target: to, at, count } = self.check_data(target, at, data, site)?;
        let (win, datatype) = (self.opened.win()?, self.opened.datatype);
        let start = self.stage(target, data)?;
        let (into, brought) = self.opened.staging.borrow_mut().land(target, self.layout(), data.count());
        let op = datatype::accumulation(how);
        let _inside = call::enter(site, Wait::on(target));
        // SAFETY: staged and landing until complete; the elements are in the target's part.
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
                op,
                win,
            )
        };
        check("MPI_Get_accumulate", code).map(|()| brought)
    }

    fn fetch_and_op(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: Site,
    ) -> Result<Box<dyn Fetched>> {
        one_element(data, site)?;
        if matches!(self.layout(), Layout::I128 | Layout::U128) {
            // MPI_Fetch_and_op takes predefined types only.
            return self.get_accumulate(target, at, data, how, site);
        }
        how.check(self.layout())?;
        let Operation { target: to, at, .. } = self.check_data(target, at, data, site)?;
        let (win, datatype) = (self.opened.win()?, self.opened.datatype);
        let start = self.stage(target, data)?;
        let (into, brought) = self.opened.staging.borrow_mut().land(target, self.layout(), 1);
        let op = datatype::accumulation(how);
        let _inside = call::enter(site, Wait::on(target));
        // SAFETY: as for get_accumulate, one element.
        let code = unsafe { MPI_Fetch_and_op(start, into.cast(), datatype, to, at, op, win) };
        check("MPI_Fetch_and_op", code).map(|()| brought)
    }

    fn compare_and_swap(
        &self,
        target: Rank,
        at: usize,
        expected: View<'_>,
        value: View<'_>,
        site: Site,
    ) -> Result<Box<dyn Fetched>> {
        check_swap(self.layout())?;
        one_element(expected, site)?;
        one_element(value, site)?;
        check_layout(self.layout(), expected.layout(), site.verb)?;
        let Operation { target: to, at, .. } = self.check_data(target, at, value, site)?;
        let (win, datatype) = (self.opened.win()?, self.opened.datatype);
        let (value, expected) = (self.stage(target, value)?, self.stage(target, expected)?);
        let (into, brought) = self.opened.staging.borrow_mut().land(target, self.layout(), 1);
        let _inside = call::enter(site, Wait::on(target));
        // SAFETY: as for get_accumulate, one element.
        let code = unsafe { MPI_Compare_and_swap(value, expected, into.cast(), datatype, to, at, win) };
        check("MPI_Compare_and_swap", code).map(|()| brought)
    }

    #[inline]
    fn word(&self, target: Rank, at: usize, becomes: Word, site: Site) -> Result<i64> {
        self.opened.word(target, at, becomes, site)
    }

    #[inline]
    fn update(&self, target: Rank, at: usize, becomes: Word, site: Site) -> Result<()> {
        self.opened.update(target, at, becomes, site)
    }

    fn wait_until(&self, target: Rank, at: usize, until: Until, site: Site) -> Result<()> {
        self.opened.wait_until(target, at, until, site)
    }

    fn fence(&self, assertion: Assertion, site: Site) -> Result<()> {
        let win = self.opened.win()?;
        let _inside = call::enter(site, Wait::ALL);
        // SAFETY: a live window.
        check("MPI_Win_fence", unsafe { MPI_Win_fence(flags(assertion), win) })?;
        self.complete(None);
        Ok(())
    }

    fn post(&self, group: &[Rank], assertion: Assertion, site: Site) -> Result<()> {
        self.check_group(group, site)?;
        let (win, group) = (self.opened.win()?, self.opened.groups.get(group)?);
        let _inside = call::enter(site, Wait::ALL);
        // SAFETY: a live window and a live group of its ranks.
        check("MPI_Win_post", unsafe { MPI_Win_post(group, unpromised(assertion), win) })
    }

    fn start(&self, group: &[Rank], assertion: Assertion, site: Site) -> Result<()> {
        self.check_group(group, site)?;
        let first = group.first().map_or(Wait::ALL, |rank| Wait::on(*rank));
        let (win, group) = (self.opened.win()?, self.opened.groups.get(group)?);
        let _inside = call::enter(site, first);
        // SAFETY: as for post.
        check("MPI_Win_start", unsafe { MPI_Win_start(group, unpromised(assertion), win) })
    }

    fn complete(&self, site: Site) -> Result<()> {
        self.on_all("MPI_Win_complete", MPI_Win_complete, site)?;
        self.complete(None);
        Ok(())
    }

    fn wait(&self, site: Site) -> Result<()> {
        self.on_all("MPI_Win_wait", MPI_Win_wait, site)
    }

    fn test(&self, _site: Site) -> Result<bool> {
        let mut done = 0;
        // SAFETY: a live window, one int for the answer.
        check("MPI_Win_test", unsafe { MPI_Win_test(self.opened.win()?, &mut done) })?;
        if done == 0 {
            // A rank that polls must not keep the processor from the one it waits for.
            std::thread::yield_now();
        }
        Ok(done != 0)
    }

    fn lock(&self, kind: LockKind, target: Rank, assertion: Assertion, site: Site) -> Result<()> {
        let Operation { target: of, .. } = self.check((target, 0, 0), site)?;
        let kind = match kind {
            LockKind::Shared => handles::LOCK_SHARED,
            LockKind::Exclusive => handles::LOCK_EXCLUSIVE,
        };
        let win = self.opened.win()?;
        let _inside = call::enter(site, Wait::on(target));
        // SAFETY: a live window and one of its ranks.
        let code = unsafe { MPI_Win_lock(kind, of, flags(assertion), win) };
        check("MPI_Win_lock", code)?;
        self.opened.locked(target);
        Ok(())
    }

    fn unlock(&self, target: Rank, site: Site) -> Result<()> {
        self.on_part("MPI_Win_unlock", MPI_Win_unlock, target, site)?;
        self.opened.unlocked(target);
        self.complete(Some(target));
        Ok(())
    }

    fn lock_all(&self, assertion: Assertion, site: Site) -> Result<()> {
        let win = self.opened.win()?;
        let _inside = call::enter(site, Wait::ALL);
        // SAFETY: a live window.
        check("MPI_Win_lock_all", unsafe { MPI_Win_lock_all(flags(assertion), win) })?;
        self.opened.all_locked(true);
        Ok(())
    }

    fn unlock_all(&self, site: Site) -> Result<()> {
        self.on_all("MPI_Win_unlock_all", MPI_Win_unlock_all, site)?;
        self.opened.all_locked(false);
        self.complete(None);
        Ok(())
    }

    fn flush(&self, target: Option<Rank>, site: Site) -> Result<()> {
        match target {
            Some(target) => self.on_part("MPI_Win_flush", MPI_Win_flush, target, site)?,
            None => self.on_all("MPI_Win_flush_all", MPI_Win_flush_all, site)?,
        }
        self.complete(target);
        Ok(())
    }

    fn flush_local(&self, target: Option<Rank>, site: Site) -> Result<()> {
        match target {
            Some(target) => self.on_part("MPI_Win_flush_local", MPI_Win_flush_local, target, site)?,
            None => self.on_all("MPI_Win_flush_local_all", MPI_Win_flush_local_all, site)?,
        }
        self.complete(target);
        Ok(())
    }

    fn sync(&self, _site: Site) -> Result<()> {
        // SAFETY: a live window.
        check("MPI_Win_sync", unsafe { MPI_Win_sync(self.opened.win()?) })
    }

    fn unified(&self) -> bool {
        self.opened.unified
    }

    fn read(&self, at: usize, into: ViewMut<'_>) -> Result<()> {
        check_layout(self.layout(), into.layout(), Verb::WindowRead)?;
        self.check((self.rank(), at, into.count()), Site::here(Verb::WindowRead))?;
        self.opened.read(at, into)
    }

    fn write(&self, at: usize, from: View<'_>) -> Result<()> {
        check_layout(self.layout(), from.layout(), Verb::WindowWrite)?;
        self.check((self.rank(), at, from.count()), Site::here(Verb::WindowWrite))?;
        self.opened.write(at, from)
    }

    fn shared(&self) -> Option<&[AtomicI64]> {
        self.opened.shared()
    }

    fn free(self: Box<Self>, site: Site) -> Result<()> {
        let _inside = call::enter(site, Wait::ALL);
        self.opened.free()
    }
}

impl Drop for MpiWindow {
    fn drop(&mut self) {
        if self.opened.is_open() {
            self.opened.communicator.registry.leave(Code::WindowLeft, self.made, vec![]);
        }
    }
}
