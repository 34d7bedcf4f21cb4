//! A window without its element type: every verb checks the rules, calls the backend, then updates the rules' state.
//!
//! The order matters where calls block. An epoch that this rank opens to others is recorded before the backend call,
//! since others may act on it as soon as the backend knows it. The end of a lock is recorded before the call as well,
//! since the next holder may acquire the lock while the call returns. The effect of a lock or a wait is recorded after
//! the call.
mod passive_target;

use std::{
    cell::{Ref, RefCell, RefMut},
    mem,
    ops::Range,
    rc::Rc,
    sync::atomic::AtomicI64,
};

use wb_algorithms::collectives::Algorithms;
use wb_comm::{
    Access, AccessKind, Assertion, CallSite, Error, LockKind, Rank, RankCall, Result, Rule, Text, Transport,
    View, ViewMut, Violation, limits, text::epoch,
};
use wb_record::{CollectiveShape, EventKind};

use super::{
    epoch::{CompletionFlag, CoveringEpoch, DroppedEpoch, EpochStateMachine, MemoryModel},
    epoch_registry::SharedEpochsHandle,
    epoch_summary::{self, EpochSummary},
};
use crate::{
    CommStats,
    call_tracer::{self, CallTracer, OptionalTracer, rank_number, rank_numbers},
};

/// The statistics and the tracer that record the calls on a window.
pub(crate) struct Observers {
    pub(crate) stats: Rc<CommStats>,
    pub(crate) tracer: OptionalTracer,
    /// The size of an element.
    pub(crate) element_bytes: usize,
}

/// A window whose calls are checked (see the module).
pub(crate) struct CheckedWindow {
    backend: RefCell<Option<Box<dyn wb_comm::ErasedWindow>>>,
    epochs: RefCell<EpochStateMachine>,
    shared_epochs: Option<SharedEpochsHandle>,
    transport: Rc<dyn Transport>,
    pub(crate) observers: Observers,
    pub(crate) rank: Rank,
    pub(crate) size: usize,
    /// The number of elements of each rank's part.
    counts: Vec<usize>,
}

impl CheckedWindow {
    /// Takes ownership of a backend's window. Collective: the ranks of one process agree on shared epochs.
    pub(crate) fn new(
        backend: Box<dyn wb_comm::ErasedWindow>,
        transport: Rc<dyn Transport>,
        observers: Observers,
        site: CallSite,
    ) -> Result<Self> {
        let (rank, size) = (transport.rank(), transport.size());
        let shared_epochs =
            if transport.shares_address_space() { Some(share_epochs(&*transport, site)?) } else { None };
        let model = if backend.is_unified() { MemoryModel::Unified } else { MemoryModel::Separate };
        let counts = (0..size).map(|rank| backend.count(rank)).collect();
        let epochs = RefCell::new(EpochStateMachine::new(rank, size, model, site));
        let backend = RefCell::new(Some(backend));
        Ok(Self { backend, epochs, shared_epochs, transport, observers, rank, size, counts })
    }

    /// Runs a verb; if it fails, records its call as the last error.
    pub(crate) fn run<R>(&self, site: CallSite, verb: impl FnOnce() -> Result<R>) -> Result<R> {
        verb().inspect_err(|error| self.observers.stats.note_error(site, error))
    }

    /// As [`run`](Self::run); where the world is traced, records the verb as `act`.
    fn run_traced<R>(
        &self,
        site: CallSite,
        verb: impl FnOnce() -> Result<R>,
        act: impl FnOnce(&CallTracer, &R) -> EventKind,
    ) -> Result<R> {
        call_tracer::trace_call(&self.observers.tracer, site, || self.run(site, verb), act)
    }

    /// As [`run`](Self::run), for a verb that involves no call of another rank.
    fn run_local<R>(&self, site: CallSite, verb: impl FnOnce() -> Result<R>) -> Result<R> {
        self.run_traced(site, verb, |_, _| EventKind::Local)
    }

    /// As [`run`](Self::run), for a verb of all ranks.
    fn run_collective(&self, site: CallSite, verb: impl FnOnce() -> Result<()>) -> Result<()> {
        self.run_traced(site, verb, |recorder, ()| recorder.collective(CollectiveShape::All, 0))
    }

    pub(crate) fn epochs(&self) -> RefMut<'_, EpochStateMachine> {
        self.epochs.borrow_mut()
    }

    pub(crate) fn count(&self, rank: Rank) -> usize {
        self.counts.get(rank).copied().unwrap_or(0)
    }

    fn rank_call(&self, site: CallSite) -> RankCall {
        RankCall { rank: self.rank, site }
    }

    fn backend<R>(&self, verb: impl FnOnce(&dyn wb_comm::ErasedWindow) -> Result<R>) -> Result<R> {
        let backend = self.backend.borrow();
        verb(&**backend.as_ref().expect("the rules refuse every verb of a window that is gone"))
    }

    /// Runs an access that the rules allow.
    pub(crate) fn access<R>(
        &self,
        site: CallSite,
        kind: AccessKind,
        target: Rank,
        elements: Range<usize>,
        access: impl FnOnce(&dyn wb_comm::ErasedWindow) -> Result<R>,
    ) -> Result<(R, CompletionFlag)> {
        let bytes = (elements.len() * self.observers.element_bytes) as u64;
        let verb = || {
            self.epochs().check_not_freed(site)?;
            limits::check_count(elements.len(), self.observers.element_bytes)?;
            if target < self.size {
                self.check_range(site, target, &elements)?;
            }
            let under = self.epochs().check_access(kind, target, &elements, site)?;
            self.observe_access(site, target, under, kind, elements.clone())?;
            let done = self.epochs().record_access(kind, target, elements, site);
            Ok((self.backend(access)?, done))
        };
        self.run_traced(site, verb, |_, _| EventKind::Access { target: rank_number(target), bytes })
    }

    fn observe_access(
        &self,
        site: CallSite,
        target: Rank,
        under: CoveringEpoch,
        kind: AccessKind,
        elements: Range<usize>,
    ) -> Result<()> {
        let Some(shared) = &self.shared_epochs else { return Ok(()) };
        let locked = under == CoveringEpoch::Lock;
        let access = Access {
            kind,
            target,
            elements: elements.clone(),
            covers_whole_part: false,
            is_locked: locked,
            site,
        };
        if self.backend(|backend| Ok(backend.observe_access(access)))? && locked {
            return Ok(());
        }
        shared.lock().record_access(self.rank_call(site), target, under, kind, elements)
    }

    fn check_range(&self, site: CallSite, target: Rank, elements: &Range<usize>) -> Result<()> {
        let (opened, verb) = (self.count(target), site.verb);
        if elements.end <= opened {
            return Ok(());
        }
        Err(Error::Range { verb, target, at: elements.start, count: elements.len(), opened })
    }

    pub(crate) fn fence(&self, assertion: Assertion, site: CallSite) -> Result<()> {
        self.run_collective(site, || {
            let (own, model, number) = {
                let mut epochs = self.epochs();
                let own = epochs.own_accesses.clone();
                epochs.fence(assertion, site)?;
                (own, epochs.model, epochs.fence_count)
            };
            if let Some(shared) = &self.shared_epochs {
                shared.lock().fence(self.rank_call(site), number, assertion);
            }
            self.backend(|backend| backend.fence(assertion, site))?;
            self.observers.stats.note_collective(site);
            let Some(shared) = &self.shared_epochs else { return Ok(()) };
            shared.lock().finish_fence(self.rank_call(site), number, &own, model)
        })
    }

    pub(crate) fn post(&self, origins: &[Rank], assertion: Assertion, site: CallSite) -> Result<()> {
        let verb = || {
            let before = self.epochs().exposure.clone();
            self.epochs().post(origins, assertion, site)?;
            if let Some(shared) = &self.shared_epochs {
                let checked = shared.lock().post(self.rank_call(site), origins, assertion);
                checked.inspect_err(|_| self.epochs().exposure = before)?;
            }
            self.epochs().count_post(origins);
            self.backend(|backend| backend.post(origins, assertion, site))
        };
        self.run_traced(site, verb, |_, ()| EventKind::Post { peers: rank_numbers(origins) })
    }

    pub(crate) fn start(&self, targets: &[Rank], assertion: Assertion, site: CallSite) -> Result<()> {
        let verb = || {
            let before = self.epochs().access.clone();
            self.epochs().start(targets, assertion, site)?;
            if let Some(shared) = &self.shared_epochs {
                let checked = shared.lock().start(self.rank_call(site), targets, assertion.no_check);
                checked.inspect_err(|_| self.epochs().access = before)?;
            }
            self.epochs().count_start(targets);
            self.backend(|backend| backend.start(targets, assertion, site))
        };
        self.run_traced(site, verb, |_, ()| EventKind::Start { peers: rank_numbers(targets) })
    }

    pub(crate) fn complete(&self, site: CallSite) -> Result<()> {
        let verb = || {
            let targets = self.epochs().complete(site)?;
            self.backend(|backend| backend.complete(site))?;
            Ok(targets)
        };
        self.run_traced(site, verb, |_, targets| EventKind::Complete { peers: rank_numbers(targets) })
            .map(drop)
    }

    pub(crate) fn wait(&self, site: CallSite) -> Result<()> {
        let verb = || {
            let origins = self.epochs().wait(site)?;
            self.backend(|backend| backend.wait(site))?;
            self.end_exposure(&origins, site)?;
            Ok(origins)
        };
        self.run_traced(site, verb, |_, origins| EventKind::Wait { peers: rank_numbers(origins) }).map(drop)
    }

    pub(crate) fn test(&self, site: CallSite) -> Result<bool> {
        let verb = || {
            let origins = self.epochs().wait(site)?;
            let complete = self.backend(|backend| backend.test(site))?;
            if complete {
                self.end_exposure(&origins, site)?;
            }
            Ok(complete.then_some(origins))
        };
        let act = |_: &CallTracer, complete: &Option<Vec<Rank>>| {
            complete
                .as_ref()
                .map_or(EventKind::Local, |origins| EventKind::Wait { peers: rank_numbers(origins) })
        };
        Ok(self.run_traced(site, verb, act)?.is_some())
    }

    fn end_exposure(&self, origins: &[Rank], site: CallSite) -> Result<()> {
        let (own, model) = {
            let mut epochs = self.epochs();
            let own = mem::take(&mut epochs.own_accesses);
            epochs.wait_returned();
            (own, epochs.model)
        };
        let Some(shared) = &self.shared_epochs else { return Ok(()) };
        shared.lock().finish_exposure(self.rank_call(site), origins, &own, model)
    }

    pub(crate) fn read(&self, at: usize, into: ViewMut<'_>, site: CallSite) -> Result<()> {
        self.local_access(AccessKind::Load, at..at + into.count(), site)?;
        self.run_local(site, || self.backend(|backend| backend.read(at, into)))
    }

    pub(crate) fn write(&self, at: usize, from: View<'_>, site: CallSite) -> Result<()> {
        self.local_access(AccessKind::Store, at..at + from.count(), site)?;
        self.run_local(site, || self.backend(|backend| backend.write(at, from)))
    }

    fn local_access(&self, kind: AccessKind, elements: Range<usize>, site: CallSite) -> Result<()> {
        self.run(site, || {
            self.check_range(site, self.rank, &elements)?;
            let whole = kind == AccessKind::Store && self.epochs().model == MemoryModel::Separate;
            let (target, locked) = (self.rank, false);
            let access = Access {
                kind,
                target,
                elements: elements.clone(),
                covers_whole_part: whole,
                is_locked: locked,
                site,
            };
            self.epochs().check_not_freed(site)?;
            let watched = self.backend(|backend| Ok(backend.observe_access(access)))?;
            if let Some(shared) = self.shared_epochs.as_ref().filter(|_| !watched) {
                shared.lock().check_lock_conflicts(self.rank_call(site), self.rank, kind, &elements)?;
            }
            self.epochs().local_access(kind, elements, site)
        })
    }

    pub(crate) fn guard_dropped(&self, what: DroppedEpoch) {
        self.epochs().guard_dropped(what);
    }

    /// Collective: frees the window if all ranks may.
    pub(crate) fn free(&self, site: CallSite) -> Result<()> {
        self.run_collective(site, || {
            let mine = self.epochs().check_free(site);
            let all = self.gather_summaries(mine.is_ok(), site)?;
            mine?;
            if let Some(rank) = all.iter().position(|summary| !summary.is_outside) {
                let situation = epoch::may_not_free(rank);
                return Err(self.violation(Rule::Free, site, situation, epoch::free_outside()));
            }
            let backend = self.backend.borrow_mut().take().expect("the rules refuse a second free");
            self.epochs().set_freed(site);
            backend.free(site)?;
            self.observers.stats.note_collective(site);
            self.check_pairs(&all, site)
        })
    }

    /// The summaries of all ranks when the window is freed.
    fn gather_summaries(&self, outside: bool, site: CallSite) -> Result<Vec<EpochSummary>> {
        let mine = self.epochs().summary(outside).to_numbers();
        let mut all = vec![0u64; mine.len() * self.size];
        Algorithms(&*self.transport).allgather(&mine, &mut all, site)?;
        Ok(all.chunks_exact(mine.len()).map(EpochSummary::from_numbers).collect())
    }

    /// Checks rules 11 and 12, as far as the summaries show violations.
    fn check_pairs(&self, all: &[EpochSummary], site: CallSite) -> Result<()> {
        if let Some(situation) = epoch_summary::unmatched_starts(all) {
            return Err(self.violation(Rule::Matched, site, situation, epoch::post_for_start()));
        }
        let Some(situation) = epoch_summary::differing_fences(all) else { return Ok(()) };
        let allowed = epoch::fence_assertions_equal();
        Err(self.violation(Rule::Assertions, site, situation, allowed))
    }

    fn violation(&self, rule: Rule, site: CallSite, situation: Text, allowed: Text) -> Error {
        let earlier = Some(self.rank_call(self.epochs().access_site()));
        Error::Epoch(Box::new(Violation { rule, call: self.rank_call(site), earlier, situation, allowed }))
    }

    pub(crate) fn shared(&self) -> Option<Ref<'_, [AtomicI64]>> {
        Ref::filter_map(self.backend.borrow(), |backend| backend.as_ref()?.shared_words()).ok()
    }
}

/// The first rank registers the shared epochs and sends their number to the others.
fn share_epochs(transport: &dyn Transport, site: CallSite) -> Result<SharedEpochsHandle> {
    let mut made = None;
    let mut id = [0u64];
    if transport.rank() == 0 {
        let (shared, number) = SharedEpochsHandle::register(transport.size());
        (made, id) = (Some(shared), [number]);
    }
    Algorithms(transport).bcast(&mut id, 0, site)?;
    let shared = made
        .or_else(|| SharedEpochsHandle::find(id[0]))
        .expect("the backend's ranks are threads of one process");
    // Rank 0 must keep the entry until every rank has found it.
    Algorithms(transport).barrier(site)?;
    Ok(shared)
}
