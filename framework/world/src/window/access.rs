//! The one-sided calls, which exist on epochs only, and the tickets of the calls that fetch elements.
use std::ops::Range;

use wb_comm::{
    AccessKind, Accumulation, CallSite, Error, Number, PendingFetch, Rank, RankCall, Result, Rule, Verb,
    View, Violation, Wire, text::epoch,
};

use super::{Window, epoch::CompletionFlag};

/// The one-sided calls on other ranks' parts while an epoch is open. Arguments are in MPI's order: data, target,
/// displacement (in elements).
///
/// # Errors
/// Every call: [`Error::Epoch`] where a rule is violated (1, 6, 8), [`Error::Rank`], [`Error::Range`], and the errors
/// of the backend.
pub struct Accesses<'w, T: Wire> {
    window: &'w Window<T>,
}

#[allow(clippy::missing_errors_doc, reason = "said once for all")]
impl<'w, T: Wire> Accesses<'w, T> {
    pub(super) fn new(window: &'w Window<T>) -> Self {
        Self { window }
    }

    pub(super) fn window(&self) -> &'w Window<T> {
        self.window
    }

    /// Writes `data` to `target`'s elements from `at` on (`MPI_Put`); the write is complete when the epoch has ended.
    #[track_caller]
    pub fn put(&self, data: &[T], target: Rank, at: usize) -> Result<()> {
        let (site, handle) = (CallSite::caller(Verb::Put), &self.window.handle);
        let elements = at..at.saturating_add(data.len());
        handle.access(site, AccessKind::Put, target, elements, |w| {
            w.put(target, at, View::from_slice(data), site)
        })?;
        handle.observers.stats.note_access(size_of_val(data), 0);
        Ok(())
    }

    /// Reads `count` elements of `target` from `at` on (`MPI_Get`).
    #[track_caller]
    pub fn get(&self, count: usize, target: Rank, at: usize) -> Result<Ticket<T>> {
        let site = CallSite::caller(Verb::Get);
        let elements = at..at.saturating_add(count);
        self.fetch(site, AccessKind::Get, target, elements, |w| w.get(target, at, count, site))
    }

    fn fetch(
        &self,
        site: CallSite,
        kind: AccessKind,
        target: Rank,
        elements: Range<usize>,
        verb: impl FnOnce(&dyn wb_comm::ErasedWindow) -> Result<Box<dyn PendingFetch>>,
    ) -> Result<Ticket<T>> {
        let handle = &self.window.handle;
        let bytes = elements.len() * size_of::<T>();
        let (fetched, done) = handle.access(site, kind, target, elements, verb)?;
        handle.observers.stats.note_access(0, bytes);
        let call = RankCall { rank: handle.rank, site };
        Ok(Ticket { fetched, is_done: done, call, element: std::marker::PhantomData })
    }
}

#[allow(clippy::missing_errors_doc, reason = "said once for all")]
impl<T: Number> Accesses<'_, T> {
    /// Combines `data` with `target`'s elements from `at` on, each atomically (`MPI_Accumulate`).
    #[track_caller]
    pub fn accumulate(&self, data: &[T], target: Rank, at: usize, op: impl Into<Accumulation>) -> Result<()> {
        let (site, handle, op) = (CallSite::caller(Verb::Accumulate), &self.window.handle, op.into());
        let elements = at..at.saturating_add(data.len());
        handle.run(site, || op.check(T::DATATYPE))?;
        let kind = AccessKind::Accumulate(op);
        handle.access(site, kind, target, elements, |w| {
            w.accumulate(target, at, View::from_slice(data), op, site)
        })?;
        handle.observers.stats.note_access(size_of_val(data), 0);
        Ok(())
    }

    /// As [`accumulate`](Self::accumulate), and fetches the previous elements (`MPI_Get_accumulate`).
    #[track_caller]
    pub fn get_accumulate(
        &self,
        data: &[T],
        target: Rank,
        at: usize,
        op: impl Into<Accumulation>,
    ) -> Result<Ticket<T>> {
        let (site, op) = (CallSite::caller(Verb::GetAccumulate), op.into());
        let elements = at..at.saturating_add(data.len());
        self.window.handle.run(site, || op.check(T::DATATYPE))?;
        self.fetch(site, AccessKind::Accumulate(op), target, elements, |w| {
            w.get_accumulate(target, at, View::from_slice(data), op, site)
        })
    }

    /// As [`get_accumulate`](Self::get_accumulate) for one element (`MPI_Fetch_and_op`).
    #[track_caller]
    pub fn fetch_and_op(
        &self,
        value: T,
        target: Rank,
        at: usize,
        op: impl Into<Accumulation>,
    ) -> Result<Ticket<T>> {
        let (site, op) = (CallSite::caller(Verb::FetchAndOp), op.into());
        self.window.handle.run(site, || op.check(T::DATATYPE))?;
        self.fetch(site, AccessKind::Accumulate(op), target, at..at.saturating_add(1), |w| {
            w.fetch_and_op(target, at, View::from_slice(&[value]), op, site)
        })
    }

    /// Sets `target`'s element at `at` to `value` if it equals `expected`; fetches the previous value
    /// (`MPI_Compare_and_swap`; integers only).
    #[track_caller]
    pub fn compare_and_swap(&self, expected: T, value: T, target: Rank, at: usize) -> Result<Ticket<T>> {
        let site = CallSite::caller(Verb::CompareAndSwap);
        self.fetch(site, AccessKind::CompareAndSwap, target, at..at.saturating_add(1), |w| {
            w.compare_and_swap(target, at, View::from_slice(&[expected]), View::from_slice(&[value]), site)
        })
    }
}

/// The result of a get or a fetching call. It can be read once the epoch has ended or a flush has completed the call.
/// Until then the ticket owns the elements, so MPI never writes into a buffer of the user.
#[must_use = "a ticket holds what the call brings"]
pub struct Ticket<T> {
    fetched: Box<dyn PendingFetch>,
    is_done: CompletionFlag,
    call: RankCall,
    element: std::marker::PhantomData<T>,
}

impl<T: Wire> Ticket<T> {
    /// Whether a synchronisation has completed the call.
    pub fn is_done(&self) -> bool {
        self.is_done.get()
    }

    /// The elements.
    ///
    /// # Errors
    /// [`Error::Epoch`], rule 8, when no synchronisation has completed the call.
    #[track_caller]
    pub fn take(self) -> Result<Vec<T>> {
        let site = CallSite::caller(Verb::WindowRead);
        if !self.is_done() {
            return Err(Error::Epoch(Box::new(Violation {
                rule: Rule::Conflict,
                call: RankCall { site, ..self.call },
                earlier: Some(self.call),
                situation: epoch::incomplete(),
                allowed: epoch::take_later(),
            })));
        }
        Ok(self.fetched.take()?.into_vec().expect("a ticket brings elements of the window's type"))
    }

    /// The only element of a call that fetches one.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    ///
    /// # Panics
    /// When the call does not fetch exactly one element.
    #[track_caller]
    pub fn value(self) -> Result<T> {
        Ok(self.take()?[0])
    }
}
