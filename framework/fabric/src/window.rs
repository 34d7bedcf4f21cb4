//! The window of one rank: every call is a short visit to the hub.
//!
//! Operations take effect at once, which MPI allows (at the latest at the synchronisation). Synchronisation is as strict
//! as MPI allows: a start waits for its posts, a lock for its holder, so a program that leans on a lax library is found.
//! Whoever waits stands in the hub, under its eyes: a start without a post is a deadlock with a name.
use std::{
    cell::Cell,
    rc::Rc,
    sync::{Arc, atomic::AtomicI64},
};

use wb_comm::{
    Accumulation, Assertion, Block, Completion, Error, Fetched, Layout, LockKind, Rank, Result, Site, Ticket,
    Until, Verb, View, ViewMut, Window, WindowKind, Word,
    window::{check_layout, check_range, check_swap},
};

use crate::{
    Hub,
    agreement::Proposal,
    deadlock::{Need, Standing},
    endpoint::Participant,
    opened::{Opening, Shared},
    part::Part,
};

/// See the module.
pub(crate) struct Handle<H: Hub> {
    participant: Rc<Participant<H>>,
    /// Index in the hub.
    window: usize,
    rank: Rank,
    kind: WindowKind,
    layout: Layout,
    counts: Arc<[usize]>,
    atoms: Option<Arc<[AtomicI64]>>,
    completion: Completion,
    freed: Cell<bool>,
}

/// What was fetched: there at once, but not to be looked at before a synchronisation.
struct Landed {
    block: Block,
    ticket: Ticket,
}

impl Fetched for Landed {
    fn take(self: Box<Self>) -> Result<Block> {
        self.ticket.check()?;
        Ok(self.block)
    }
}

impl<H: Hub> Handle<H> {
    /// Member `rank`'s handle of a window in the hub.
    pub(crate) fn new(participant: Rc<Participant<H>>, window: usize, rank: Rank) -> Self {
        let state = participant.hub.hold();
        let Shared { kind, layout, counts, atoms, .. } = &state.windows[window];
        let (kind, layout, counts, atoms) = (*kind, *layout, Arc::clone(counts), atoms.clone());
        drop(state);
        let completion = Completion::of(counts.len());
        Self { participant, window, rank, kind, layout, counts, atoms, completion, freed: Cell::new(false) }
    }

    fn enter(&self, site: Site) -> Result<H::Held<'_>> {
        self.participant.hub.look(self.participant.rank);
        let mut state = self.participant.hub.hold();
        state.admit(self.participant.rank, site)?;
        Ok(state)
    }

    fn check(&self, (target, at, count): (Rank, usize, usize), site: Site) -> Result<()> {
        check_range((self.size(), |rank| self.count(rank)), (target, at, count), site.verb)
    }

    fn check_target(&self, target: Rank, site: Site) -> Result<()> {
        self.check((target, 0, 0), site)
    }

    fn check_group(&self, group: &[Rank], site: Site) -> Result<()> {
        group.iter().try_for_each(|rank| self.check_target(*rank, site))?;
        let twice = group.iter().enumerate().find(|(at, rank)| group[..*at].contains(rank));
        match twice {
            Some((_, rank)) => Err(Error::Setup(format!("{}: rank {rank} is named twice", site.verb))),
            None => Ok(()),
        }
    }

    /// Does `change` to a part, and lets those go on who waited for it.
    fn change<T>(&self, target: Rank, site: Site, change: impl FnOnce(&mut Part) -> T) -> Result<T> {
        let mut state = self.enter(site)?;
        let outcome = change(&mut state.windows[self.window].parts[target]);
        state.settle_window(self.window);
        Ok(outcome)
    }

    /// Copies elements of `target` out, then does `change` to the part, as one.
    fn fetch(
        &self,
        (target, at, count): (Rank, usize, usize),
        site: Site,
        change: impl FnOnce(&mut Part),
    ) -> Result<Box<dyn Fetched>> {
        let mut block = Block::zeroed(self.layout, count);
        self.change(target, site, |part| {
            part.read(at, block.view_mut());
            change(part);
        })?;
        Ok(Box::new(Landed { block, ticket: self.completion.ticket(target) }))
    }

    fn check_accumulate(
        &self,
        target: Rank,
        at: usize,
        data: View<'_>,
        how: Accumulation,
        site: Site,
    ) -> Result<()> {
        self.check((target, at, data.count()), site)?;
        check_layout(self.layout, data.layout(), site.verb)?;
        how.check(self.layout)
    }

    fn stand<'s>(&'s self, state: H::Held<'s>, need: Opening, site: Site) -> Result<H::Held<'s>> {
        let need = Need::Window { window: self.window, rank: self.rank, need };
        self.participant.hub.stand(state, self.participant.rank, Standing { site, need })
    }

    fn agree(&self, proposal: Proposal, site: Site) -> Result<()> {
        let mut state = self.enter(site)?;
        state.propose_on_window(self.window, self.rank, proposal);
        let mut state = self.stand(state, Opening::Agreement, site)?;
        let decision = state.windows[self.window].agreement.take(self.rank);
        decision.expect("waited for the decision").map(drop)
    }

    fn take_locks(&self, targets: Vec<Rank>, kind: LockKind, site: Site) -> Result<()> {
        let mut state = self.enter(site)?;
        state.windows[self.window].epochs.ask(self.rank, &targets, kind)?;
        self.stand(state, Opening::Locks(targets), site).map(drop)
    }

    fn give_locks(&self, targets: &[Rank], site: Site) -> Result<()> {
        let mut state = self.enter(site)?;
        for target in targets {
            state.windows[self.window].epochs.unlock(self.rank, *target)?;
            self.completion.complete(Some(*target));
        }
        state.settle_window(self.window);
        Ok(())
    }

    fn everybody(&self) -> Vec<Rank> {
        (0..self.size()).collect()
    }

    /// Waits by looking: parts of atomics change without the hub's knowledge.
    fn look_until(&self, target: Rank, at: usize, until: Until, site: Site) -> Result<()> {
        while !until.admits(self.enter(site)?.windows[self.window].parts[target].value(at)) {
            self.participant.hub.idle(self.participant.rank);
        }
        Ok(())
    }
}

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
        self.change(target, site, |part| part.write(at, data))
    }

    fn get(&self, target: Rank, at: usize, count: usize, site: Site) -> Result<Box<dyn Fetched>> {
        self.check((target, at, count), site)?;
        self.fetch((target, at, count), site, |_| ())
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
        self.change(target, site, |part| part.accumulate(at, data, how))
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
        self.fetch((target, at, data.count()), site, |part| part.accumulate(at, data, how))
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
        self.fetch((target, at, 1), site, |part| {
            let mut now = Block::zeroed(self.layout, 1);
            part.read(at, now.view_mut());
            if now.view().bytes() == expected.bytes() {
                part.write(at, value);
            }
        })
    }

    fn word(&self, target: Rank, at: usize, becomes: Word, site: Site) -> Result<i64> {
        check_layout(self.layout, Layout::I64, site.verb)?;
        self.check((target, at, 1), site)?;
        let was = match becomes {
            // Nobody can go on because of a read.
            Word::Keep => self.enter(site)?.windows[self.window].parts[target].value(at),
            _ => self.change(target, site, |part| part.word(at, becomes))?,
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
        let state = self.enter(site)?;
        self.stand(state, Opening::Value { target, at, until }, site).map(drop)
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
        state.settle_window(self.window);
        Ok(())
    }

    fn start(&self, group: &[Rank], _assertion: Assertion, site: Site) -> Result<()> {
        self.check_group(group, site)?;
        let state = self.enter(site)?;
        state.windows[self.window].epochs.may_start(self.rank)?;
        let mut state = self.stand(state, Opening::Posts(group.to_vec()), site)?;
        state.windows[self.window].epochs.start(self.rank, group);
        Ok(())
    }

    fn complete(&self, site: Site) -> Result<()> {
        let mut state = self.enter(site)?;
        let targets = state.windows[self.window].epochs.complete(self.rank)?;
        targets.iter().for_each(|target| self.completion.complete(Some(*target)));
        state.settle_window(self.window);
        Ok(())
    }

    fn wait(&self, site: Site) -> Result<()> {
        let state = self.enter(site)?;
        state.windows[self.window].epochs.may_wait(self.rank)?;
        let mut state = self.stand(state, Opening::Completes, site)?;
        state.windows[self.window].epochs.close(self.rank);
        Ok(())
    }

    fn test(&self, site: Site) -> Result<bool> {
        let mut state = self.enter(site)?;
        let epochs = &mut state.windows[self.window].epochs;
        epochs.may_wait(self.rank)?;
        if epochs.missing_complete(self.rank).is_none() {
            epochs.close(self.rank);
            return Ok(true);
        }
        drop(state);
        self.participant.hub.idle(self.participant.rank);
        Ok(false)
    }

    fn lock(&self, kind: LockKind, target: Rank, _assertion: Assertion, site: Site) -> Result<()> {
        self.check_target(target, site)?;
        self.take_locks(vec![target], kind, site)
    }

    fn unlock(&self, target: Rank, site: Site) -> Result<()> {
        self.check_target(target, site)?;
        self.give_locks(&[target], site)
    }

    fn lock_all(&self, _assertion: Assertion, site: Site) -> Result<()> {
        self.take_locks(self.everybody(), LockKind::Shared, site)
    }

    fn unlock_all(&self, site: Site) -> Result<()> {
        self.give_locks(&self.everybody(), site)
    }

    fn flush(&self, target: Option<Rank>, site: Site) -> Result<()> {
        self.flush_local(target, site)?;
        // Who flushes again and again waits for somebody.
        self.participant.hub.idle(self.participant.rank);
        Ok(())
    }

    fn flush_local(&self, target: Option<Rank>, site: Site) -> Result<()> {
        target.map_or(Ok(()), |target| self.check_target(target, site))?;
        drop(self.enter(site)?);
        self.completion.complete(target);
        Ok(())
    }

    fn sync(&self, site: Site) -> Result<()> {
        self.enter(site).map(drop)
    }

    fn read(&self, at: usize, into: ViewMut<'_>) -> Result<()> {
        let verb = Verb::WindowRead;
        check_layout(self.layout, into.layout(), verb)?;
        let range = (self.rank, at, into.count());
        check_range((self.size(), |rank| self.count(rank)), range, verb)?;
        self.participant.hub.hold().windows[self.window].parts[self.rank].read(at, into);
        Ok(())
    }

    fn write(&self, at: usize, from: View<'_>) -> Result<()> {
        let verb = Verb::WindowWrite;
        check_layout(self.layout, from.layout(), verb)?;
        let range = (self.rank, at, from.count());
        check_range((self.size(), |rank| self.count(rank)), range, verb)?;
        let mut state = self.participant.hub.hold();
        state.windows[self.window].parts[self.rank].write(at, from);
        state.settle_window(self.window);
        Ok(())
    }

    fn shared(&self) -> Option<&[AtomicI64]> {
        self.atoms.as_deref()
    }

    fn free(self: Box<Self>, site: Site) -> Result<()> {
        self.freed.set(true);
        self.agree(Proposal::Free, site)
    }
}

impl<H: Hub> Drop for Handle<H> {
    fn drop(&mut self) {
        if !self.freed.get() {
            self.participant.hub.hold().abandon_window();
        }
    }
}

fn one_element(data: View<'_>, site: Site) -> Result<()> {
    let (got, expected) = (data.count(), 1);
    if got == expected {
        return Ok(());
    }
    Err(Error::Count { verb: site.verb.name(), buffer: "data", got, expected })
}
