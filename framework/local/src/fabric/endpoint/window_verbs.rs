//! The window calls of one rank: every call is a short access to the state.
//!
//! An operation of a rank on its own part takes place within the call; without time, so does every operation. In
//! virtual time an access to another rank is in flight until its reply arrives, and every call that completes accesses
//! waits for that. Synchronisation is as strict as MPI allows: a start waits for its posts, a lock for its holder. So a
//! program that relies on a more permissive library is detected. A waiting rank is registered in the state: a start
//! without a post is diagnosed as a deadlock.
use std::sync::atomic::AtomicI64;

use wb_comm::{
    Access, Accumulation, Assertion, CallSite, Datatype, ErasedWindow, Error, LockKind, PendingFetch, Rank,
    Result, Until, Verb, View, ViewMut, WindowKind, WordUpdate,
    window::{check_comparable, check_datatype, check_range},
};

use crate::fabric::{
    agreement::Proposal,
    endpoint::fabric_window::FabricWindow,
    observed_state::ObservedState,
    races::RaceDetector,
    rma::{
        access::{RmaOperation, TargetUpdate},
        fetched,
        locks::LockScope,
        notice::RmaNotice,
        window_state::EpochCondition,
    },
    runtime::Runtime,
};

impl<H: Runtime> ErasedWindow for FabricWindow<H> {
    fn rank(&self) -> Rank {
        self.rank
    }

    fn size(&self) -> usize {
        self.counts.len()
    }

    fn datatype(&self) -> Datatype {
        self.datatype
    }

    fn count(&self, rank: Rank) -> usize {
        self.counts.get(rank).copied().unwrap_or(0)
    }

    fn kind(&self) -> WindowKind {
        self.kind
    }

    fn put(&self, target: Rank, at: usize, data: View<'_>, site: CallSite) -> Result<()> {
        self.check_accumulate(target, at, data, Accumulation::Replace, site)?;
        let change = TargetUpdate::Accumulate(data, Accumulation::Replace);
        self.issue(self.access((target, at, data.count()), change), site)
    }

    fn get(&self, target: Rank, at: usize, count: usize, site: CallSite) -> Result<Box<dyn PendingFetch>> {
        self.check((target, at, count), site)?;
        self.fetch(self.access((target, at, count), TargetUpdate::Read), site)
    }

    fn accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        op: Accumulation,
        site: CallSite,
    ) -> Result<()> {
        self.check_accumulate(target, at, data, op, site)?;
        let access = self.access((target, at, data.count()), TargetUpdate::Accumulate(data, op));
        self.issue(RmaOperation { is_ordered: true, ..access }, site)
    }

    fn get_accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        op: Accumulation,
        site: CallSite,
    ) -> Result<Box<dyn PendingFetch>> {
        self.check_accumulate(target, at, data, op, site)?;
        let access = self.access((target, at, data.count()), TargetUpdate::Accumulate(data, op));
        self.fetch(RmaOperation { is_ordered: true, ..access }, site)
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
        self.get_accumulate(target, at, data, op, site)
    }

    fn compare_and_swap(
        &self,
        target: Rank,
        at: usize,
        expected: View<'_>,
        value: View<'_>,
        site: CallSite,
    ) -> Result<Box<dyn PendingFetch>> {
        check_comparable(self.datatype)?;
        check_one_element(expected, site)?;
        check_one_element(value, site)?;
        check_datatype(self.datatype, expected.datatype(), site.verb)?;
        self.check_accumulate(target, at, value, Accumulation::Replace, site)?;
        let access = self.access((target, at, 1), TargetUpdate::CompareAndSwap { expected, value });
        self.fetch(RmaOperation { is_ordered: true, ..access }, site)
    }

    fn fetch_and_update_word(
        &self,
        target: Rank,
        at: usize,
        becomes: WordUpdate,
        site: CallSite,
    ) -> Result<i64> {
        check_datatype(self.datatype, Datatype::I64, site.verb)?;
        self.check((target, at, 1), site)?;
        let was = if self.is_remote(target) {
            let place =
                self.send_access(self.word_operation((target, at), TargetUpdate::Word(becomes)), site)?;
            drop(self.wait_for_accesses(self.enter_call(site)?, Some(target), site)?);
            fetched::take_slot(&place).view().slice::<i64>().expect("the window's type")[0]
        } else {
            self.update_local_word(target, at, becomes, site)?
        };
        self.completion.complete(Some(target));
        Ok(was)
    }

    fn wait_until(&self, target: Rank, at: usize, until: Until, site: CallSite) -> Result<()> {
        check_datatype(self.datatype, Datatype::I64, site.verb)?;
        self.check((target, at, 1), site)?;
        if self.shared_words.is_some() {
            return self.poll_until(target, at, until, site);
        }
        let mut state = self.enter_call(site)?;
        if self.is_remote(target) {
            state.send_access(self.window, self.access((target, at, 1), TargetUpdate::WaitUntil(until)));
            return self.wait_for_accesses(state, Some(target), site).map(drop);
        }
        state.windows[self.window].value_waiters[target].push(self.rank);
        let mut state = self.block(state, EpochCondition::Value { target, at, until }, site)?;
        state.windows[self.window].value_waiters[target].retain(|watcher| *watcher != self.rank);
        state.local_access_applied(
            self.window,
            &self.word_operation((target, at), TargetUpdate::WaitUntil(until)),
        );
        Ok(())
    }

    fn fence(&self, _assertion: Assertion, site: CallSite) -> Result<()> {
        self.agree(Proposal::Fence, site)?;
        self.completion.complete(None);
        Ok(())
    }

    fn post(&self, group: &[Rank], _assertion: Assertion, site: CallSite) -> Result<()> {
        self.check_group(group, site)?;
        let mut state = self.enter_call(site)?;
        state.windows[self.window].pscw.post(self.rank, group)?;
        self.with_race_detector(&mut state, |races| races.post(self.window, self.rank, group));
        group.iter().for_each(|origin| state.send_notice(self.window, (self.rank, *origin), RmaNotice::Post));
        Ok(())
    }

    fn start(&self, group: &[Rank], _assertion: Assertion, site: CallSite) -> Result<()> {
        self.check_group(group, site)?;
        let state = self.enter_call(site)?;
        state.windows[self.window].pscw.check_start(self.rank)?;
        let mut state = self.block(state, EpochCondition::Posts(group.to_vec()), site)?;
        state.windows[self.window].pscw.start(self.rank, group);
        self.with_race_detector(&mut state, |races| races.start(self.window, self.rank, group));
        Ok(())
    }

    fn complete(&self, site: CallSite) -> Result<()> {
        let mut state = self.enter_call(site)?;
        let targets = state.windows[self.window].pscw.complete(self.rank)?;
        for target in &targets {
            state = self.wait_for_accesses(state, Some(*target), site)?;
            self.completion.complete(Some(*target));
        }
        for target in targets {
            self.with_race_detector(&mut state, |races| {
                races.complete(self.window, self.rank, Some(target), false);
                races.publish_complete(self.window, self.rank, target);
            });
            state.send_notice(self.window, (self.rank, target), RmaNotice::Complete);
        }
        Ok(())
    }

    fn wait(&self, site: CallSite) -> Result<()> {
        let state = self.enter_call(site)?;
        state.windows[self.window].pscw.check_wait(self.rank)?;
        let mut state = self.block(state, EpochCondition::Completes, site)?;
        self.end_exposure(&mut state);
        Ok(())
    }

    fn test(&self, site: CallSite) -> Result<bool> {
        let mut state =
            self.enter_observing(ObservedState::Exposure { window: self.window, member: self.rank }, site)?;
        let epochs = &mut state.windows[self.window].pscw;
        epochs.check_wait(self.rank)?;
        if epochs.missing_complete(self.rank).is_none() {
            self.end_exposure(&mut state);
            return Ok(true);
        }
        self.poll_failed(state, EpochCondition::Completes, site);
        Ok(false)
    }

    fn lock(&self, kind: LockKind, target: Rank, _assertion: Assertion, site: CallSite) -> Result<()> {
        self.check_target(target, site)?;
        self.acquire_lock(LockScope::Part(target), kind, site)
    }

    fn unlock(&self, target: Rank, site: CallSite) -> Result<()> {
        self.check_target(target, site)?;
        self.release_lock(LockScope::Part(target), site)
    }

    fn lock_all(&self, _assertion: Assertion, site: CallSite) -> Result<()> {
        self.acquire_lock(LockScope::All, LockKind::Shared, site)
    }

    fn unlock_all(&self, site: CallSite) -> Result<()> {
        self.release_lock(LockScope::All, site)
    }

    fn flush(&self, target: Option<Rank>, site: CallSite) -> Result<()> {
        self.complete_accesses(target, true, site)?;
        // A rank that flushes in a loop waits for another rank.
        self.context.runtime.after_failed_poll(self.context.rank);
        Ok(())
    }

    fn flush_local(&self, target: Option<Rank>, site: CallSite) -> Result<()> {
        self.complete_accesses(target, false, site)
    }

    fn sync(&self, site: CallSite) -> Result<()> {
        self.enter_observing(self.observed_part(0, self.counts[self.rank], false), site).map(drop)
    }

    fn read(&self, at: usize, into: ViewMut<'_>) -> Result<()> {
        let verb = Verb::WindowRead;
        check_datatype(self.datatype, into.datatype(), verb)?;
        let range = (self.rank, at, into.count());
        check_range((self.size(), |rank| self.count(rank)), range, verb)?;
        let state = self.poll_local(self.observed_part(at, into.count(), false));
        // A rank that reads in a loop must receive the job's failure.
        if let Some(failure) = state.failure() {
            return Err(failure.clone());
        }
        state.windows[self.window].parts[self.rank].read(at, into);
        Ok(())
    }

    fn write(&self, at: usize, from: View<'_>) -> Result<()> {
        let verb = Verb::WindowWrite;
        check_datatype(self.datatype, from.datatype(), verb)?;
        let range = (self.rank, at, from.count());
        check_range((self.size(), |rank| self.count(rank)), range, verb)?;
        let change = TargetUpdate::Accumulate(from, Accumulation::Replace);
        let access = self.access((self.rank, at, from.count()), change);
        self.context.runtime.before_poll(self.context.rank, self.observed_part(at, from.count(), true));
        self.context.runtime.lock_state().apply_access(self.window, &access, None);
        Ok(())
    }

    fn shared_words(&self) -> Option<&[AtomicI64]> {
        if self.is_race_checked {
            self.with_race_detector(&mut self.context.runtime.lock_state(), RaceDetector::disable);
        }
        self.shared_words.as_deref()
    }

    fn keep_until_end(&self) {
        self.is_freed.set(true);
    }

    fn observe_access(&self, access: Access) -> bool {
        if self.is_race_checked {
            let mut state = self.context.runtime.lock_state();
            self.with_race_detector(&mut state, |races| races.record_access(self.window, self.rank, access));
        }
        self.is_race_checked
    }

    fn free(self: Box<Self>, site: CallSite) -> Result<()> {
        self.is_freed.set(true);
        self.agree(Proposal::Free, site)
    }
}

fn check_one_element(data: View<'_>, site: CallSite) -> Result<()> {
    let (got, expected) = (data.count(), 1);
    if got == expected {
        return Ok(());
    }
    Err(Error::Count { verb: site.verb.name(), buffer: "data", got, expected })
}
