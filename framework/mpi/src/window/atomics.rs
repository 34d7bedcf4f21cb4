//! Operations on single words that complete immediately: the base of barriers and locks over a window.
//!
//! An operation is one MPI call and one flush on a reused scratch area. The flush is necessary: without it a library
//! may delay the operation until the next call, which may never happen. An accumulate and its flush are faster than a
//! fetch, so a value that is not needed is not fetched. A poll of an own word, or of any word of a shared window, is a
//! plain load where the memory model allows it (`MPI_WIN_UNIFIED`): an atomic of the library would compete with those
//! of the ranks that this rank waits for. Every few polls the library is called to make progress, because an accumulate
//! may need its target's help; after the spin limit, polls yield the core.
use std::{ffi::c_int, hint, sync::atomic::Ordering::Acquire, thread};

use mpi::ffi::{
    MPI_Accumulate, MPI_Aint, MPI_Compare_and_swap, MPI_Fetch_and_op, MPI_Iprobe, MPI_Win_flush, MPI_Win_sync,
};
use wb_comm::{
    CallSite, Context, Datatype, Rank, Result, SpinPolicy, Until, WordUpdate, limits,
    window::{check_datatype, check_range},
};

use super::window_inner::WindowInner;
use crate::{
    blocked_call::{self, WaitTarget},
    check::check,
    handles,
    message_args::empty_status,
};

/// The number of polls between calls for progress: a call costs as much as a barrier and delays the caller.
const POLLS_PER_PROGRESS: u64 = 256;

/// The number of progress calls between two yields of the core.
const PROGRESS_PER_YIELD: u64 = 4;

/// As [`POLLS_PER_PROGRESS`], for polls in a loop of the caller.
const SINGLE_POLLS_PER_PROGRESS: u32 = 16;

impl WindowInner {
    /// See [`wb_comm::Window::word`].
    #[inline]
    pub(crate) fn fetch_and_update_word(
        &self,
        target: Rank,
        at: usize,
        becomes: WordUpdate,
        site: CallSite,
    ) -> Result<i64> {
        self.check_word(target, at, site)?;
        if let (WordUpdate::Keep, Some(atom)) = (becomes, self.local_word(target, at)) {
            let value = atom.load(Acquire);
            self.after_poll()?;
            self.sync_memory()?;
            return Ok(value);
        }
        let _inside = blocked_call::enter(site, WaitTarget::for_peer(target));
        self.fetch_and_update_local(target, at, becomes)
    }

    /// See [`wb_comm::Window::update`].
    #[inline]
    pub(crate) fn update_word(
        &self,
        target: Rank,
        at: usize,
        becomes: WordUpdate,
        site: CallSite,
    ) -> Result<()> {
        let (op, value) = match becomes {
            WordUpdate::Keep => return self.check_word(target, at, site),
            WordUpdate::Swap { .. } => {
                return self.fetch_and_update_word(target, at, becomes, site).map(drop);
            }
            WordUpdate::Add(by) => (handles::SUM, by),
            WordUpdate::Replace(value) => (handles::REPLACE, value),
        };
        self.check_word(target, at, site)?;
        let (win, to, at, area) = (self.win()?, target as c_int, at as MPI_Aint, self.scratch.area());
        let _inside = blocked_call::enter(site, WaitTarget::for_peer(target));
        area.value.set(value);
        let (start, word) = (area.value.as_ptr().cast(), handles::INT64);
        // SAFETY: a word of the scratch area, which lives as long as MPI may use it; the word is in the target's part.
        let code = unsafe { MPI_Accumulate(start, 1, word, to, at, 1, word, op, win) };
        check("MPI_Accumulate", code)?;
        self.flush_word(target)
    }

    fn flush_word(&self, target: Rank) -> Result<()> {
        // SAFETY: a live window in a passive epoch.
        check("MPI_Win_flush", unsafe { MPI_Win_flush(target as c_int, self.win()?) })?;
        self.staging.borrow_mut().complete(Some(target));
        Ok(())
    }

    /// Makes puts that precede the change of a word visible after the word.
    fn sync_memory(&self) -> Result<()> {
        // SAFETY: a live window.
        check("MPI_Win_sync", unsafe { MPI_Win_sync(self.win()?) })
    }

    fn check_word(&self, target: Rank, at: usize, site: CallSite) -> Result<()> {
        check_datatype(self.datatype, Datatype::I64, site.verb)?;
        check_range((self.counts.len(), |rank| self.counts[rank]), (target, at, 1), site.verb)
    }

    fn fetch_and_update_local(&self, target: Rank, at: usize, becomes: WordUpdate) -> Result<i64> {
        let (win, to, displacement) = (self.win()?, target as c_int, at as MPI_Aint);
        let area = self.scratch.area();
        let (value, expected, was) =
            (area.value.as_ptr().cast(), area.expected.as_ptr().cast(), area.was.as_ptr().cast());
        let fetch = |op| {
            // SAFETY: words of the scratch area, which lives as long as MPI may use it; the word is in the target's
            // part.
            let code = unsafe { MPI_Fetch_and_op(value, was, handles::INT64, to, displacement, op, win) };
            check("MPI_Fetch_and_op", code)
        };
        match becomes {
            WordUpdate::Keep => fetch(handles::NO_OP)?,
            WordUpdate::Add(by) => {
                area.value.set(by);
                fetch(handles::SUM)?;
            }
            WordUpdate::Replace(with) => {
                area.value.set(with);
                fetch(handles::REPLACE)?;
            }
            WordUpdate::Swap { expected: wanted, value: with } => {
                area.value.set(with);
                area.expected.set(wanted);
                // SAFETY: as above.
                let code = unsafe {
                    MPI_Compare_and_swap(value, expected, was, handles::INT64, to, displacement, win)
                };
                check("MPI_Compare_and_swap", code)?;
            }
        }
        self.flush_word(target)?;
        Ok(area.was.get())
    }

    /// See [`wb_comm::Window::wait_until`].
    pub(crate) fn wait_until(&self, target: Rank, at: usize, until: Until, site: CallSite) -> Result<()> {
        self.check_word(target, at, site)?;
        self.win()?;
        let _inside = blocked_call::enter(site, WaitTarget::for_peer(target));
        let Some(atom) = self.local_word(target, at) else {
            return self.poll_until(|| self.fetch_and_update_local(target, at, WordUpdate::Keep), until);
        };
        self.poll_until(|| Ok(atom.load(Acquire)), until)?;
        self.sync_memory()
    }

    #[inline]
    fn poll_until(&self, value: impl Fn() -> Result<i64>, until: Until) -> Result<()> {
        let spins = u64::from(self.scratch.spin_policy.spins_before_yield);
        let mut polls = 0u64;
        while !until.matches(value()?) {
            polls += 1;
            let spinning = polls < spins;
            if !spinning || polls.is_multiple_of(POLLS_PER_PROGRESS) {
                self.make_progress()?;
            }
            // A yield may take a time slice, and an operation may need several progress calls.
            if spinning || !polls.is_multiple_of(PROGRESS_PER_YIELD) {
                hint::spin_loop();
            } else {
                thread::yield_now();
            }
        }
        Ok(())
    }

    /// A caller that polls in a loop waits too: the operation that it waits for may need the library, or this core.
    fn after_poll(&self) -> Result<()> {
        let polls = &self.scratch.single_polls;
        polls.set(polls.get().wrapping_add(1));
        if !polls.get().is_multiple_of(SINGLE_POLLS_PER_PROGRESS) {
            return Ok(());
        }
        if self.scratch.spin_policy == SpinPolicy::SHARED_CORE {
            thread::yield_now();
        }
        self.make_progress()
    }

    /// Lets the library make progress: a probe does so before it returns that there is no message. No message ever has
    /// this tag; if one had, the probe would find it immediately and make no progress.
    fn make_progress(&self) -> Result<()> {
        let comm = self.communicator.comm_of(Context::Internal)?;
        let (mut flag, mut status) = (0, empty_status());
        let (source, tag) = (handles::ANY_SOURCE, limits::TAG_MAX);
        // SAFETY: a live communicator, one int and one status for the answer.
        check("MPI_Iprobe", unsafe { MPI_Iprobe(source, tag, comm, &mut flag, &mut status) })
    }
}
