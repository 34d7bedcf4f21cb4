//! One rank's handle of a window: how its calls reach the shared state, and how accesses to other ranks are sent.
//!
//! Without time, and for a rank's own part, every access takes place within the call.
use std::{
    cell::Cell,
    rc::Rc,
    sync::{Arc, atomic::AtomicI64},
};

use wb_comm::{
    Accumulation, Block, CallSite, Code, CompletionTracker, Datatype, ErasedWindow as _, Error, LockKind,
    PendingFetch, Rank, Result, Until, View, WindowKind, WordUpdate, text,
    window::{check_datatype, check_range},
};

use crate::fabric::{
    agreement::Proposal,
    delivery::DeliveryModel as _,
    endpoint::rank_context::RankContext,
    job_state::rank_state::{WaitCondition, WaitState},
    observed_state::ObservedState,
    races::RaceDetector,
    rma::{
        access::{FetchSlot, RmaOperation, TargetUpdate},
        fetched::{FetchHandle, FetchedData},
        locks::LockScope,
        notice::RmaNotice,
        window_state::{EpochCondition, WindowState},
    },
    runtime::Runtime,
};

/// One rank's handle of a window.
pub(crate) struct FabricWindow<H: Runtime> {
    pub(crate) context: Rc<RankContext<H>>,
    /// Index in the state.
    pub(crate) window: usize,
    pub(crate) rank: Rank,
    pub(crate) kind: WindowKind,
    pub(crate) datatype: Datatype,
    pub(crate) counts: Arc<[usize]>,
    pub(crate) shared_words: Option<Arc<[AtomicI64]>>,
    pub(crate) completion: CompletionTracker,
    /// The call that made it.
    created_at: CallSite,
    /// Whether its accesses are checked for races.
    pub(crate) is_race_checked: bool,
    /// Whether it is freed, or need not be.
    pub(crate) is_freed: Cell<bool>,
}

impl<H: Runtime> FabricWindow<H> {
    /// Member `rank`'s handle of a window in the state.
    pub(crate) fn new(context: Rc<RankContext<H>>, (window, rank): (usize, Rank), made: CallSite) -> Self {
        let state = context.runtime.lock_state();
        let WindowState { kind, datatype: layout, counts, shared_words, .. } = &state.windows[window];
        let (kind, layout, counts, shared_words) = (*kind, *layout, Arc::clone(counts), shared_words.clone());
        let watched = state.race_detector.is_some();
        drop(state);
        let completion = CompletionTracker::new(counts.len());
        Self {
            context,
            window,
            rank,
            kind,
            datatype: layout,
            counts,
            shared_words,
            completion,
            created_at: made,
            is_race_checked: watched,
            is_freed: Cell::new(false),
        }
    }

    /// Enters a call of this rank.
    pub(crate) fn enter_call(&self, site: CallSite) -> Result<H::StateGuard<'_>> {
        self.context.enter_call(site)
    }

    /// Enters a call that takes effect immediately and depends on the observed state: all earlier events have been
    /// processed.
    pub(crate) fn enter_observing(
        &self,
        observed: ObservedState,
        site: CallSite,
    ) -> Result<H::StateGuard<'_>> {
        self.context.runtime.before_poll(self.context.rank, observed);
        self.enter_call(site)
    }

    /// Enters a call that sends a lock request or release to its manager; only a request to itself takes effect
    /// immediately.
    fn enter_lock_request(&self, manager: Rank, site: CallSite) -> Result<H::StateGuard<'_>> {
        let observed = ObservedState::Locks { window: self.window, member: manager };
        if self.is_remote(manager) { self.enter_call(site) } else { self.enter_observing(observed, site) }
    }

    /// The access to these elements of this rank's own part.
    pub(crate) fn observed_part(&self, at: usize, count: usize, changes: bool) -> ObservedState {
        ObservedState::Part { window: self.window, member: self.rank, at, count, is_write: changes }
    }

    /// The state, after a poll of this rank's own memory.
    pub(crate) fn poll_local(&self, observed: ObservedState) -> H::StateGuard<'_> {
        let RankContext { runtime, rank, .. } = &*self.context;
        if H::Delivery::TIMED {
            runtime.lock_state().delivery.poll_local(*rank);
            runtime.before_poll(*rank, observed);
        }
        runtime.lock_state()
    }

    /// Whether accesses to `target` take time.
    pub(crate) fn is_remote(&self, target: Rank) -> bool {
        H::Delivery::TIMED && target != self.rank
    }

    pub(crate) fn check(&self, (target, at, count): (Rank, usize, usize), site: CallSite) -> Result<()> {
        check_range((self.size(), |rank| self.count(rank)), (target, at, count), site.verb)
    }

    pub(crate) fn check_target(&self, target: Rank, site: CallSite) -> Result<()> {
        self.check((target, 0, 0), site)
    }

    pub(crate) fn check_group(&self, group: &[Rank], site: CallSite) -> Result<()> {
        group.iter().try_for_each(|rank| self.check_target(*rank, site))?;
        let twice = group.iter().enumerate().find(|(at, rank)| group[..*at].contains(rank));
        match twice {
            Some((_, rank)) => Err(Error::Setup(text::window::named_twice(site.verb.name(), *rank))),
            None => Ok(()),
        }
    }

    pub(crate) fn access<'d>(
        &self,
        (target, at, count): (Rank, usize, usize),
        change: TargetUpdate<View<'d>>,
    ) -> RmaOperation<View<'d>> {
        RmaOperation {
            origin: self.rank,
            target,
            at,
            count,
            update: change,
            is_fetching: false,
            is_ordered: false,
        }
    }

    /// A 64-bit integer operation that returns the former value, in the order of this rank's atomic accesses.
    pub(crate) fn word_operation(
        &self,
        (target, at): (Rank, usize),
        change: TargetUpdate<View<'static>>,
    ) -> RmaOperation<View<'static>> {
        RmaOperation { is_fetching: true, is_ordered: true, ..self.access((target, at, 1), change) }
    }

    /// Calls the function on the race detector, if it is enabled.
    pub(crate) fn with_race_detector(
        &self,
        state: &mut H::StateGuard<'_>,
        record: impl FnOnce(&mut RaceDetector),
    ) {
        if let Some(races) = &mut state.race_detector {
            record(races);
        }
    }

    /// The accesses of this rank to `target` (`None`: to all) are complete at the origin, and at the target if
    /// `reaches`.
    pub(crate) fn complete_accesses(
        &self,
        target: Option<Rank>,
        reaches: bool,
        site: CallSite,
    ) -> Result<()> {
        target.map_or(Ok(()), |target| self.check_target(target, site))?;
        let mut state = self.wait_for_accesses(self.enter_call(site)?, target, site)?;
        self.with_race_detector(&mut state, |races| races.complete(self.window, self.rank, target, !reaches));
        drop(state);
        self.completion.complete(target);
        Ok(())
    }

    /// Applies an access or sends it.
    pub(crate) fn issue(&self, access: RmaOperation<View<'_>>, site: CallSite) -> Result<()> {
        if self.is_remote(access.target) {
            self.enter_call(site)?.send_access(self.window, access);
        } else {
            let observed = self.observed_part(access.at, access.count, access.is_write());
            self.enter_observing(observed, site)?.apply_local_access(self.window, &access, None);
        }
        Ok(())
    }

    /// As [`issue`](Self::issue), and returns the former value.
    pub(crate) fn fetch(
        &self,
        access: RmaOperation<View<'_>>,
        site: CallSite,
    ) -> Result<Box<dyn PendingFetch>> {
        let (target, access) = (access.target, RmaOperation { is_fetching: true, ..access });
        let fetched = if self.is_remote(target) {
            FetchedData::Slot(self.send_access(access, site)?)
        } else {
            let mut before = Block::zeroed(self.datatype, access.count);
            let observed = self.observed_part(access.at, access.count, access.is_write());
            self.enter_observing(observed, site)?.apply_local_access(
                self.window,
                &access,
                Some(before.view_mut()),
            );
            FetchedData::Ready(before)
        };
        Ok(Box::new(FetchHandle { data: fetched, ticket: self.completion.ticket(target) }))
    }

    /// Sends an access that returns data.
    pub(crate) fn send_access(&self, access: RmaOperation<View<'_>>, site: CallSite) -> Result<FetchSlot> {
        let place = self.enter_call(site)?.send_access(self.window, access);
        Ok(place.expect("it brings something"))
    }

    /// Blocks until the accesses in flight to `target` (`None`: to all) have been answered.
    pub(crate) fn wait_for_accesses<'s>(
        &'s self,
        state: H::StateGuard<'s>,
        target: Option<Rank>,
        site: CallSite,
    ) -> Result<H::StateGuard<'s>> {
        if H::Delivery::TIMED {
            self.block(state, EpochCondition::AccessesComplete(target), site)
        } else {
            Ok(state)
        }
    }

    pub(crate) fn check_accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        op: Accumulation,
        site: CallSite,
    ) -> Result<()> {
        self.check((target, at, data.count()), site)?;
        check_datatype(self.datatype, data.datatype(), site.verb)?;
        op.check(self.datatype)
    }

    pub(crate) fn block<'s>(
        &'s self,
        state: H::StateGuard<'s>,
        condition: EpochCondition,
        site: CallSite,
    ) -> Result<H::StateGuard<'s>> {
        let wait_state = WaitState { site, condition: self.wait_condition(condition) };
        let mut state = self.context.runtime.block(state, self.context.rank, wait_state)?;
        state.delivery.advance_to_event(self.context.rank);
        Ok(state)
    }

    fn wait_condition(&self, condition: EpochCondition) -> WaitCondition {
        WaitCondition::Window { window: self.window, rank: self.rank, condition }
    }

    /// The call has polled this without success.
    pub(crate) fn poll_failed(&self, state: H::StateGuard<'_>, condition: EpochCondition, site: CallSite) {
        self.context.poll_failed(state, self.wait_condition(condition), site);
    }

    /// Ends accesses together with all other members.
    pub(crate) fn agree(&self, proposal: Proposal, site: CallSite) -> Result<()> {
        let mut state = self.wait_for_accesses(self.enter_call(site)?, None, site)?;
        self.with_race_detector(&mut state, |races| races.complete(self.window, self.rank, None, false));
        state.enter_window_collective(self.window, self.rank, site)?;
        state.propose_on_window(self.window, self.rank, proposal);
        let mut state = self.block(state, EpochCondition::Agreement, site)?;
        let decision = state.windows[self.window].agreement.take(self.rank);
        decision.expect("waited for the decision").map(drop)
    }

    /// Ends this rank's exposure epoch.
    pub(crate) fn end_exposure(&self, state: &mut H::StateGuard<'_>) {
        let origins = state.windows[self.window].pscw.end_exposure(self.rank);
        self.with_race_detector(state, |races| races.wait(self.window, self.rank, &origins));
    }

    pub(crate) fn acquire_lock(&self, scope: LockScope, kind: LockKind, site: CallSite) -> Result<()> {
        let manager = scope.manager();
        let mut state = self.enter_lock_request(manager, site)?;
        state.windows[self.window].locks.check_request(self.rank, scope)?;
        state.send_notice(self.window, (self.rank, manager), RmaNotice::LockRequest(scope, kind));
        let mut state = self.block(state, EpochCondition::Lock(scope), site)?;
        self.with_race_detector(&mut state, |races| races.lock(self.window, self.rank, scope, kind));
        Ok(())
    }

    pub(crate) fn release_lock(&self, scope: LockScope, site: CallSite) -> Result<()> {
        let mut state = self.enter_call(site)?;
        state.windows[self.window].locks.begin_release(self.rank, scope)?;
        drop(self.wait_for_accesses(state, scope.target(), site)?);
        self.completion.complete(scope.target());
        let mut state = self.enter_lock_request(scope.manager(), site)?;
        self.with_race_detector(&mut state, |races| {
            races.complete(self.window, self.rank, scope.target(), false);
            races.unlock(self.window, self.rank, scope);
        });
        state.send_notice(self.window, (self.rank, scope.manager()), RmaNotice::Unlock(scope));
        Ok(())
    }

    pub(crate) fn update_local_word(
        &self,
        target: Rank,
        at: usize,
        becomes: WordUpdate,
        site: CallSite,
    ) -> Result<i64> {
        if H::Delivery::TIMED && becomes == WordUpdate::Keep {
            drop(self.poll_local(self.observed_part(at, 1, false)));
        }
        let mut state = self.enter_observing(self.observed_part(at, 1, becomes != WordUpdate::Keep), site)?;
        state.local_access_applied(
            self.window,
            &self.word_operation((target, at), TargetUpdate::Word(becomes)),
        );
        Ok(state.update_word(self.window, target, at, becomes))
    }

    /// Waits by polling: parts made of atomics change without the state's knowledge.
    pub(crate) fn poll_until(&self, target: Rank, at: usize, until: Until, site: CallSite) -> Result<()> {
        loop {
            let mut state = self.enter_call(site)?;
            if until.matches(state.windows[self.window].parts[target].value(at)) {
                state.local_access_applied(
                    self.window,
                    &self.word_operation((target, at), TargetUpdate::WaitUntil(until)),
                );
                return Ok(());
            }
            self.poll_failed(state, EpochCondition::Value { target, at, until }, site);
        }
    }
}

impl<H: Runtime> Drop for FabricWindow<H> {
    fn drop(&mut self) {
        if !self.is_freed.get() {
            self.context.runtime.lock_state().note_leak(Code::WindowLeak, self.context.rank, self.created_at);
        }
    }
}
