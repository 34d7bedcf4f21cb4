//! Single words, at once: what barriers and locks over a window are made of.
//!
//! One operation and one flush, on a scratch area that is used again and again. The flush is not spared: without it a
//! library may keep the operation back until the next call, which may never come. An accumulate and its flush are faster
//! than a fetch, so what need not be known is not fetched. A look at an own word, or at any of a shared window, is a plain
//! load where the memory model allows it (`MPI_WIN_UNIFIED`): an atomic of the library would fight with those of the ranks
//! that we wait for. Every few looks the library gets its turn, because an accumulate may need its target's
//! help; once patience is over, the core is given away at each look.
use std::{cell::Cell, ffi::c_int, hint, num::NonZero, sync::atomic::Ordering::Acquire, thread};

use mpi::ffi::{
    MPI_Accumulate, MPI_Aint, MPI_Compare_and_swap, MPI_Fetch_and_op, MPI_Iprobe, MPI_Win_flush, MPI_Win_sync,
};
use wb_comm::{
    Channel, Layout, Patience, Rank, Result, Site, Until, Word,
    window::{check_layout, check_range},
};

use super::opened::Opened;
use crate::{
    call::{self, Wait},
    check::check,
    handles,
    transport::blank_status,
};

/// The library gets its turn at one look of so many: a turn costs as much as a barrier, and who takes it arrives late.
const LOOKS_PER_TURN: u64 = 256;

/// Turns that the library gets before the core is given away.
const TURNS_PER_SLICE: u64 = 4;

/// As [`LOOKS_PER_TURN`], for looks that the caller repeats by himself.
const SINGLE_LOOKS_PER_TURN: u32 = 16;

/// Operands and result of the one word operation under way.
pub(crate) struct Scratch {
    area: *mut Area,
    patience: Patience,
    /// Single looks so far.
    looks: Cell<u32>,
}

#[derive(Default)]
struct Area {
    value: Cell<i64>,
    expected: Cell<i64>,
    was: Cell<i64>,
}

impl Scratch {
    /// For a window of `size` ranks.
    pub(crate) fn of(size: usize) -> Self {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        Self { area: Box::into_raw(Box::default()), patience: Patience::of(size, cores), looks: Cell::new(0) }
    }

    /// MPI may use it for ever.
    pub(crate) fn leak(&mut self) {
        self.area = Box::into_raw(Box::default());
    }

    fn area(&self) -> &Area {
        // SAFETY: made by `into_raw` and not given back before the drop; cells allow writing behind a reference.
        unsafe { &*self.area }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // SAFETY: made by `into_raw`, given back once.
        drop(unsafe { Box::from_raw(self.area) });
    }
}

impl Opened {
    /// See [`wb_comm::Window::word`].
    #[inline]
    pub(crate) fn word(&self, target: Rank, at: usize, becomes: Word, site: Site) -> Result<i64> {
        self.check_word(target, at, site)?;
        if let (Word::Keep, Some(atom)) = (becomes, self.atom(target, at)) {
            let value = atom.load(Acquire);
            self.after_a_look()?;
            self.see()?;
            return Ok(value);
        }
        let _inside = call::enter(site, Wait::on(target));
        self.word_at_once(target, at, becomes)
    }

    /// See [`wb_comm::Window::update`].
    #[inline]
    pub(crate) fn update(&self, target: Rank, at: usize, becomes: Word, site: Site) -> Result<()> {
        let (op, value) = match becomes {
            Word::Keep => return self.check_word(target, at, site),
            Word::Swap { .. } => return self.word(target, at, becomes, site).map(drop),
            Word::Add(by) => (handles::SUM, by),
            Word::Replace(value) => (handles::REPLACE, value),
        };
        self.check_word(target, at, site)?;
        let (win, to, at, area) = (self.win()?, target as c_int, at as MPI_Aint, self.scratch.area());
        let _inside = call::enter(site, Wait::on(target));
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

    /// What was put before a word was changed is to be seen after the word.
    fn see(&self) -> Result<()> {
        // SAFETY: a live window.
        check("MPI_Win_sync", unsafe { MPI_Win_sync(self.win()?) })
    }

    fn check_word(&self, target: Rank, at: usize, site: Site) -> Result<()> {
        check_layout(self.layout, Layout::I64, site.verb)?;
        check_range((self.counts.len(), |rank| self.counts[rank]), (target, at, 1), site.verb)
    }

    fn word_at_once(&self, target: Rank, at: usize, becomes: Word) -> Result<i64> {
        let (win, to, displacement) = (self.win()?, target as c_int, at as MPI_Aint);
        let area = self.scratch.area();
        let (value, expected, was) =
            (area.value.as_ptr().cast(), area.expected.as_ptr().cast(), area.was.as_ptr().cast());
        let fetch = |op| {
            // SAFETY: words of the scratch area, which lives as long as MPI may use it; the word is in the target's part.
            let code = unsafe { MPI_Fetch_and_op(value, was, handles::INT64, to, displacement, op, win) };
            check("MPI_Fetch_and_op", code)
        };
        match becomes {
            Word::Keep => fetch(handles::NO_OP)?,
            Word::Add(by) => {
                area.value.set(by);
                fetch(handles::SUM)?;
            }
            Word::Replace(with) => {
                area.value.set(with);
                fetch(handles::REPLACE)?;
            }
            Word::Swap { expected: wanted, value: with } => {
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
    pub(crate) fn wait_until(&self, target: Rank, at: usize, until: Until, site: Site) -> Result<()> {
        self.check_word(target, at, site)?;
        self.win()?;
        let _inside = call::enter(site, Wait::on(target));
        let Some(atom) = self.atom(target, at) else {
            return self.look(|| self.word_at_once(target, at, Word::Keep), until);
        };
        self.look(|| Ok(atom.load(Acquire)), until)?;
        self.see()
    }

    #[inline]
    fn look(&self, value: impl Fn() -> Result<i64>, until: Until) -> Result<()> {
        let spins = u64::from(self.scratch.patience.spins);
        let mut looks = 0u64;
        while !until.admits(value()?) {
            looks += 1;
            let patient = looks < spins;
            if !patient || looks.is_multiple_of(LOOKS_PER_TURN) {
                self.take_turn()?;
            }
            // Giving the core away may take a time slice, and an operation's way through the library several turns.
            if patient || !looks.is_multiple_of(TURNS_PER_SLICE) {
                hint::spin_loop();
            } else {
                thread::yield_now();
            }
        }
        Ok(())
    }

    /// Who looks again and again by himself waits as well: what he waits for may need the library, or this core.
    fn after_a_look(&self) -> Result<()> {
        let looks = &self.scratch.looks;
        looks.set(looks.get().wrapping_add(1));
        if !looks.get().is_multiple_of(SINGLE_LOOKS_PER_TURN) {
            return Ok(());
        }
        if self.scratch.patience == Patience::SHARED_CORE {
            thread::yield_now();
        }
        self.take_turn()
    }

    /// Lets the library make progress: it does so before it says that no such message has come. There never is one under
    /// this tag; if there were, it would be found at once, and nothing else would happen.
    fn take_turn(&self) -> Result<()> {
        let comm = self.communicator.channel(Channel::Internal)?;
        let (mut there, mut status) = (0, blank_status());
        let (source, tag) = (handles::ANY_SOURCE, self.communicator.registry.session.tag_ub);
        // SAFETY: a live communicator, one int and one status for the answer.
        check("MPI_Iprobe", unsafe { MPI_Iprobe(source, tag, comm, &mut there, &mut status) })
    }
}
