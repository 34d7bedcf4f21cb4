//! One rank's handle of a window: how its calls get at what all share, and how what goes to others is sent on its way.
//!
//! Where there is no time, and for a rank's own part, everything takes place in the call.
use std::{
    cell::Cell,
    rc::Rc,
    sync::{Arc, atomic::AtomicI64},
};

use wb_comm::{
    Accumulation, Block, Completion, Error, Fetched, Layout, LockKind, Rank, Result, Site, Until, View,
    Window as _, WindowKind, Word, text,
    window::{check_layout, check_range},
};

use crate::{
    Hub, Notice, Pace as _, Scope, Sight,
    access::{Access, Change, Place},
    agreement::Proposal,
    deadlock::{Need, Standing},
    endpoint::Participant,
    fetched::{Brought, Landed},
    opened::{Opening, Shared},
    races::Races,
};

/// See the module.
pub(crate) struct Handle<H: Hub> {
    pub(crate) participant: Rc<Participant<H>>,
    /// Index in the hub.
    pub(crate) window: usize,
    pub(crate) rank: Rank,
    pub(crate) kind: WindowKind,
    pub(crate) layout: Layout,
    pub(crate) counts: Arc<[usize]>,
    pub(crate) atoms: Option<Arc<[AtomicI64]>>,
    pub(crate) completion: Completion,
    /// The call that made it.
    made: Site,
    /// Are its accesses held against those of others?
    pub(crate) watched: bool,
    pub(crate) freed: Cell<bool>,
}

impl<H: Hub> Handle<H> {
    /// Member `rank`'s handle of a window in the hub.
    pub(crate) fn new(participant: Rc<Participant<H>>, (window, rank): (usize, Rank), made: Site) -> Self {
        let state = participant.hub.hold();
        let Shared { kind, layout, counts, atoms, .. } = &state.windows[window];
        let (kind, layout, counts, atoms) = (*kind, *layout, Arc::clone(counts), atoms.clone());
        let watched = state.races.is_some();
        drop(state);
        let completion = Completion::of(counts.len());
        Self {
            participant,
            window,
            rank,
            kind,
            layout,
            counts,
            atoms,
            completion,
            made,
            watched,
            freed: Cell::new(false),
        }
    }

    /// Lets this rank into a call.
    pub(crate) fn enter(&self, site: Site) -> Result<H::Held<'_>> {
        let mut state = self.participant.hub.hold();
        state.admit(self.participant.rank, site)?;
        Ok(state)
    }

    /// Lets it into a call that does something at once, with what it looks at: all that lies before it has happened.
    pub(crate) fn enter_now(&self, sight: Sight, site: Site) -> Result<H::Held<'_>> {
        self.participant.hub.look(self.participant.rank, sight);
        self.enter(site)
    }

    /// Lets it into a call that tells the keeper of a lock something, which is at once for itself only.
    fn enter_to(&self, keeper: Rank, site: Site) -> Result<H::Held<'_>> {
        let sight = Sight::Locks { window: self.window, member: keeper };
        if self.travels(keeper) { self.enter(site) } else { self.enter_now(sight, site) }
    }

    /// These elements of its own part.
    pub(crate) fn sight(&self, at: usize, count: usize, changes: bool) -> Sight {
        Sight::Part { window: self.window, member: self.rank, at, count, changes }
    }

    /// The state, after a look at memory of this rank's own.
    pub(crate) fn glance(&self, sight: Sight) -> H::Held<'_> {
        let Participant { hub, rank, .. } = &*self.participant;
        if H::Pace::TIMED {
            hub.hold().pace.glance(*rank);
            hub.look(*rank, sight);
        }
        hub.hold()
    }

    /// Is what goes to `target` under way for some time?
    pub(crate) fn travels(&self, target: Rank) -> bool {
        H::Pace::TIMED && target != self.rank
    }

    pub(crate) fn check(&self, (target, at, count): (Rank, usize, usize), site: Site) -> Result<()> {
        check_range((self.size(), |rank| self.count(rank)), (target, at, count), site.verb)
    }

    pub(crate) fn check_target(&self, target: Rank, site: Site) -> Result<()> {
        self.check((target, 0, 0), site)
    }

    pub(crate) fn check_group(&self, group: &[Rank], site: Site) -> Result<()> {
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
        change: Change<View<'d>>,
    ) -> Access<View<'d>> {
        Access { origin: self.rank, target, at, count, change, brings: false, ordered: false }
    }

    /// What happens to one 64-bit integer and brings what it was, in the order of this rank's atomic accesses.
    pub(crate) fn of_word(
        &self,
        (target, at): (Rank, usize),
        change: Change<View<'static>>,
    ) -> Access<View<'static>> {
        Access { brings: true, ordered: true, ..self.access((target, at, 1), change) }
    }

    /// Tells those who hold accesses against each other, if anybody does.
    pub(crate) fn watch(&self, state: &mut H::Held<'_>, tell: impl FnOnce(&mut Races)) {
        if let Some(races) = &mut state.races {
            tell(races);
        }
    }

    /// What this rank has done to `target` (`None`: to all) is complete here, and there as well if it `reaches` it.
    pub(crate) fn settle(&self, target: Option<Rank>, reaches: bool, site: Site) -> Result<()> {
        target.map_or(Ok(()), |target| self.check_target(target, site))?;
        let mut state = self.land(self.enter(site)?, target, site)?;
        self.watch(&mut state, |races| races.complete(self.window, self.rank, target, !reaches));
        drop(state);
        self.completion.complete(target);
        Ok(())
    }

    /// Carries an access out or sends it on its way.
    pub(crate) fn carry(&self, access: Access<View<'_>>, site: Site) -> Result<()> {
        if self.travels(access.target) {
            self.enter(site)?.dispatch(self.window, access);
        } else {
            let sight = self.sight(access.at, access.count, access.changes());
            self.enter_now(sight, site)?.carry_out_here(self.window, &access, None);
        }
        Ok(())
    }

    /// As [`carry`](Self::carry), and brings what was there before.
    pub(crate) fn fetch(&self, access: Access<View<'_>>, site: Site) -> Result<Box<dyn Fetched>> {
        let (target, access) = (access.target, Access { brings: true, ..access });
        let brought = if self.travels(target) {
            Brought::Place(self.dispatch(access, site)?)
        } else {
            let mut before = Block::zeroed(self.layout, access.count);
            let sight = self.sight(access.at, access.count, access.changes());
            self.enter_now(sight, site)?.carry_out_here(self.window, &access, Some(before.view_mut()));
            Brought::Block(before)
        };
        Ok(Box::new(Landed { brought, ticket: self.completion.ticket(target) }))
    }

    /// Sends an access on its way that brings something.
    pub(crate) fn dispatch(&self, access: Access<View<'_>>, site: Site) -> Result<Place> {
        let place = self.enter(site)?.dispatch(self.window, access);
        Ok(place.expect("it brings something"))
    }

    /// Stands until what is under way to `target` has been answered; `None`: to all.
    pub(crate) fn land<'s>(
        &'s self,
        state: H::Held<'s>,
        target: Option<Rank>,
        site: Site,
    ) -> Result<H::Held<'s>> {
        if H::Pace::TIMED { self.stand(state, Opening::Landed(target), site) } else { Ok(state) }
    }

    pub(crate) fn check_accumulate(
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

    pub(crate) fn stand<'s>(&'s self, state: H::Held<'s>, need: Opening, site: Site) -> Result<H::Held<'s>> {
        let need = Need::Window { window: self.window, rank: self.rank, need };
        let standing = Standing { site, need };
        let mut state = self.participant.hub.stand(state, self.participant.rank, standing)?;
        state.pace.catch_up(self.participant.rank);
        Ok(state)
    }

    /// Ends accesses together with all others.
    pub(crate) fn agree(&self, proposal: Proposal, site: Site) -> Result<()> {
        let mut state = self.land(self.enter(site)?, None, site)?;
        self.watch(&mut state, |races| races.complete(self.window, self.rank, None, false));
        state.contribute_on_window(self.window, self.rank, site)?;
        state.propose_on_window(self.window, self.rank, proposal);
        let mut state = self.stand(state, Opening::Agreement, site)?;
        let decision = state.windows[self.window].agreement.take(self.rank);
        decision.expect("waited for the decision").map(drop)
    }

    /// This rank's exposure is over.
    pub(crate) fn close(&self, state: &mut H::Held<'_>) {
        let origins = state.windows[self.window].epochs.close(self.rank);
        self.watch(state, |races| races.wait(self.window, self.rank, &origins));
    }

    pub(crate) fn take_lock(&self, scope: Scope, kind: LockKind, site: Site) -> Result<()> {
        let keeper = scope.keeper();
        let mut state = self.enter_to(keeper, site)?;
        state.windows[self.window].locks.may_ask(self.rank, scope)?;
        state.notify(self.window, (self.rank, keeper), Notice::Ask(scope, kind));
        let mut state = self.stand(state, Opening::Lock(scope), site)?;
        self.watch(&mut state, |races| races.lock(self.window, self.rank, scope, kind));
        Ok(())
    }

    pub(crate) fn give_lock(&self, scope: Scope, site: Site) -> Result<()> {
        let mut state = self.enter(site)?;
        state.windows[self.window].locks.let_go(self.rank, scope)?;
        drop(self.land(state, scope.target(), site)?);
        self.completion.complete(scope.target());
        let mut state = self.enter_to(scope.keeper(), site)?;
        self.watch(&mut state, |races| {
            races.complete(self.window, self.rank, scope.target(), false);
            races.unlock(self.window, self.rank, scope);
        });
        state.notify(self.window, (self.rank, scope.keeper()), Notice::Give(scope));
        Ok(())
    }

    pub(crate) fn word_here(&self, target: Rank, at: usize, becomes: Word, site: Site) -> Result<i64> {
        if H::Pace::TIMED && becomes == Word::Keep {
            drop(self.glance(self.sight(at, 1, false)));
        }
        let mut state = self.enter_now(self.sight(at, 1, becomes != Word::Keep), site)?;
        state.took_place(self.window, &self.of_word((target, at), Change::Word(becomes)));
        Ok(state.word(self.window, target, at, becomes))
    }

    /// Waits by looking: parts of atomics change without the hub's knowledge.
    pub(crate) fn look_until(&self, target: Rank, at: usize, until: Until, site: Site) -> Result<()> {
        loop {
            let mut state = self.enter(site)?;
            if until.admits(state.windows[self.window].parts[target].value(at)) {
                state.took_place(self.window, &self.of_word((target, at), Change::Await(until)));
                return Ok(());
            }
            drop(state);
            self.participant.hub.idle(self.participant.rank);
        }
    }
}

impl<H: Hub> Drop for Handle<H> {
    fn drop(&mut self) {
        if !self.freed.get() {
            self.participant.hub.hold().abandon_window(self.participant.rank, self.made);
        }
    }
}
