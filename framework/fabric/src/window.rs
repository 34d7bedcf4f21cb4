//! The window of one rank: every call is a short visit to the hub.
//!
//! What a rank does to its own part takes place in the call; so does everything where there is no time. In virtual time
//! what goes to another rank is under way until its answer is back, and whatever completes accesses waits for that.
//! Synchronisation is as strict as MPI allows: a start waits for its posts, a lock for its holder, so a program that leans
//! on a lax library is found. Whoever waits stands in the hub, under its eyes: a start without a post is a deadlock with a
//! name.
use std::sync::atomic::AtomicI64;

use wb_comm::{
    Accumulation, Assertion, Error, Fetched, Layout, LockKind, Rank, Result, Site, Touched, Until, Verb,
    View, ViewMut, Window, WindowKind, Word,
    window::{check_layout, check_range, check_swap},
};

use crate::{
    Hub, Notice, Scope, Sight,
    access::{Access, Change},
    agreement::Proposal,
    fetched,
    handle::Handle,
    opened::Opening,
    races::Races,
};

impl<H: Hub> Window for Handle<H> {
    fn rank(&self) -> Rank {
        self.rank
    }

    fn size(&self) -> usize {
        self.counts.len()
    }

    fn layout(&self) -> Layout {
        self.layout
    }

    fn count(&self, rank: Rank) -> usize {
        self.counts.get(rank).copied().unwrap_or(0)
    }

    fn kind(&self) -> WindowKind {
        self.kind
    }

    fn put(&self, target: Rank, at: usize, data: View<'_>, site: Site) -> Result<()> {
        self.check_accumulate(target, at, data, Accumulation::Replace, site)?;
        let change = Change::Combine(data, Accumulation::Replace);
        self.carry(self.access((target, at, data.count()), change), site)
    }

    fn get(&self, target: Rank, at: usize, count: usize, site: Site) -> Result<Box<dyn Fetched>> {
        self.check((target, at, count), site)?;
        self.fetch(self.access((target, at, count), Change::Nothing), site)
    }

    fn accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: Site,
    ) -> Result<()> {
        self.check_accumulate(target, at, data, how, site)?;
        let access = self.access((target, at, data.count()), Change::Combine(data, how));
        self.carry(Access { ordered: true, ..access }, site)
    }

    fn get_accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: Site,
    ) -> Result<Box<dyn Fetched>> {
        self.check_accumulate(target, at, data, how, site)?;
        let access = self.access((target, at, data.count()), Change::Combine(data, how));
        self.fetch(Access { ordered: true, ..access }, site)
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
        self.get_accumulate(target, at, data, how, site)
    }

    fn compare_and_swap(
        &self,
        target: Rank,
        at: usize,
        expected: View<'_>,
        value: View<'_>,
        site: Site,
    ) -> Result<Box<dyn Fetched>> {
        check_swap(self.layout)?;
        one_element(expected, site)?;
        one_element(value, site)?;
        check_layout(self.layout, expected.layout(), site.verb)?;
        self.check_accumulate(target, at, value, Accumulation::Replace, site)?;
        let access = self.access((target, at, 1), Change::Swap { expected, value });
        self.fetch(Access { ordered: true, ..access }, site)
    }

    fn word(&self, target: Rank, at: usize, becomes: Word, site: Site) -> Result<i64> {
        check_layout(self.layout, Layout::I64, site.verb)?;
        self.check((target, at, 1), site)?;
        let was = if self.travels(target) {
            let place = self.dispatch(self.of_word((target, at), Change::Word(becomes)), site)?;
            drop(self.land(self.enter(site)?, Some(target), site)?);
            fetched::take(&place).view().slice::<i64>().expect("the window's type")[0]
        } else {
            self.word_here(target, at, becomes, site)?
        };
        self.completion.complete(Some(target));
        Ok(was)
    }

    fn wait_until(&self, target: Rank, at: usize, until: Until, site: Site) -> Result<()> {
        check_layout(self.layout, Layout::I64, site.verb)?;
        self.check((target, at, 1), site)?;
        if self.atoms.is_some() {
            return self.look_until(target, at, until, site);
        }
        let mut state = self.enter(site)?;
        if self.travels(target) {
            state.dispatch(self.window, self.access((target, at, 1), Change::Await(until)));
            return self.land(state, Some(target), site).map(drop);
        }
        state.windows[self.window].watchers[target].push(self.rank);
        let mut state = self.stand(state, Opening::Value { target, at, until }, site)?;
        state.windows[self.window].watchers[target].retain(|watcher| *watcher != self.rank);
        state.took_place(self.window, &self.of_word((target, at), Change::Await(until)));
        Ok(())
    }

    fn fence(&self, _assertion: Assertion, site: Site) -> Result<()> {
        self.agree(Proposal::Fence, site)?;
        self.completion.complete(None);
        Ok(())
    }

    fn post(&self, group: &[Rank], _assertion: Assertion, site: Site) -> Result<()> {
        self.check_group(group, site)?;
        let mut state = self.enter(site)?;
        state.windows[self.window].epochs.post(self.rank, group)?;
        self.watch(&mut state, |races| races.post(self.window, self.rank, group));
        group.iter().for_each(|origin| state.notify(self.window, (self.rank, *origin), Notice::Post));
        Ok(())
    }

    fn start(&self, group: &[Rank], _assertion: Assertion, site: Site) -> Result<()> {
        self.check_group(group, site)?;
        let state = self.enter(site)?;
        state.windows[self.window].epochs.may_start(self.rank)?;
        let mut state = self.stand(state, Opening::Posts(group.to_vec()), site)?;
        state.windows[self.window].epochs.start(self.rank, group);
        self.watch(&mut state, |races| races.start(self.window, self.rank, group));
        Ok(())
    }

    fn complete(&self, site: Site) -> Result<()> {
        let mut state = self.enter(site)?;
        let targets = state.windows[self.window].epochs.complete(self.rank)?;
        for target in &targets {
            state = self.land(state, Some(*target), site)?;
            self.completion.complete(Some(*target));
        }
        for target in targets {
            self.watch(&mut state, |races| {
                races.complete(self.window, self.rank, Some(target), false);
                races.told_complete(self.window, self.rank, target);
            });
            state.notify(self.window, (self.rank, target), Notice::Complete);
        }
        Ok(())
    }

    fn wait(&self, site: Site) -> Result<()> {
        let state = self.enter(site)?;
        state.windows[self.window].epochs.may_wait(self.rank)?;
        let mut state = self.stand(state, Opening::Completes, site)?;
        self.close(&mut state);
        Ok(())
    }

    fn test(&self, site: Site) -> Result<bool> {
        let mut state = self.enter_now(Sight::Exposure { window: self.window, member: self.rank }, site)?;
        let epochs = &mut state.windows[self.window].epochs;
        epochs.may_wait(self.rank)?;
        if epochs.missing_complete(self.rank).is_none() {
            self.close(&mut state);
            return Ok(true);
        }
        drop(state);
        self.participant.hub.idle(self.participant.rank);
        Ok(false)
    }

    fn lock(&self, kind: LockKind, target: Rank, _assertion: Assertion, site: Site) -> Result<()> {
        self.check_target(target, site)?;
        self.take_lock(Scope::Part(target), kind, site)
    }

    fn unlock(&self, target: Rank, site: Site) -> Result<()> {
        self.check_target(target, site)?;
        self.give_lock(Scope::Part(target), site)
    }

    fn lock_all(&self, _assertion: Assertion, site: Site) -> Result<()> {
        self.take_lock(Scope::Whole, LockKind::Shared, site)
    }

    fn unlock_all(&self, site: Site) -> Result<()> {
        self.give_lock(Scope::Whole, site)
    }

    fn flush(&self, target: Option<Rank>, site: Site) -> Result<()> {
        self.settle(target, true, site)?;
        // Who flushes again and again waits for somebody.
        self.participant.hub.idle(self.participant.rank);
        Ok(())
    }

    fn flush_local(&self, target: Option<Rank>, site: Site) -> Result<()> {
        self.settle(target, false, site)
    }

    fn sync(&self, site: Site) -> Result<()> {
        self.enter_now(self.sight(0, self.counts[self.rank], false), site).map(drop)
    }

    fn read(&self, at: usize, into: ViewMut<'_>) -> Result<()> {
        let verb = Verb::WindowRead;
        check_layout(self.layout, into.layout(), verb)?;
        let range = (self.rank, at, into.count());
        check_range((self.size(), |rank| self.count(rank)), range, verb)?;
        let state = self.glance(self.sight(at, into.count(), false));
        // Who reads again and again must come to hear of it.
        if let Some(failure) = state.failure() {
            return Err(failure.clone());
        }
        state.windows[self.window].parts[self.rank].read(at, into);
        Ok(())
    }

    fn write(&self, at: usize, from: View<'_>) -> Result<()> {
        let verb = Verb::WindowWrite;
        check_layout(self.layout, from.layout(), verb)?;
        let range = (self.rank, at, from.count());
        check_range((self.size(), |rank| self.count(rank)), range, verb)?;
        let change = Change::Combine(from, Accumulation::Replace);
        let access = self.access((self.rank, at, from.count()), change);
        self.participant.hub.look(self.participant.rank, self.sight(at, from.count(), true));
        self.participant.hub.hold().carry_out(self.window, &access, None);
        Ok(())
    }

    fn shared(&self) -> Option<&[AtomicI64]> {
        if self.watched {
            self.watch(&mut self.participant.hub.hold(), Races::lose_sight);
        }
        self.atoms.as_deref()
    }

    fn witness(&self, touched: Touched) -> bool {
        if self.watched {
            let mut state = self.participant.hub.hold();
            self.watch(&mut state, |races| races.touch(self.window, self.rank, touched));
        }
        self.watched
    }

    fn free(self: Box<Self>, site: Site) -> Result<()> {
        self.freed.set(true);
        self.agree(Proposal::Free, site)
    }
}

fn one_element(data: View<'_>, site: Site) -> Result<()> {
    let (got, expected) = (data.count(), 1);
    if got == expected {
        return Ok(());
    }
    Err(Error::Count { verb: site.verb.name(), buffer: "data", got, expected })
}
