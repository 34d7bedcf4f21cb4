//! What goes between the ranks of a window: accesses and their answers, and notices of who opened, closed or wants what.
//!
//! Without time all of it takes place in the call. In virtual time what goes to another rank is handed to the [`Pace`] and
//! takes place when it arrives; only what a rank does to its own part is there at once.
use wb_comm::{Block, LockKind, Rank, View, ViewMut, Word};

use crate::{
    Happening, Mode, Pace, Scope,
    access::{Access, Flight, Place},
    clock::Clock,
    state::State,
};

/// What a member of a window hears of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// It has posted to the one who hears it.
    Post,
    /// It has completed its access.
    Complete,
    /// It asks the one who hears it for a lock.
    Ask(Scope, LockKind),
    /// The one who hears it has the lock.
    Granted(Scope),
    /// It gives a lock back.
    Give(Scope),
}

impl<P: Pace> State<P> {
    /// An access takes place now, and brings what was there `before`.
    pub(crate) fn carry_out(
        &mut self,
        window: usize,
        access: &Access<View<'_>>,
        before: Option<ViewMut<'_>>,
    ) {
        access.carry_out(&mut self.windows[window].parts[access.target], before);
        if access.changes() {
            self.settle_part(window, access.target);
        }
    }

    /// As [`carry_out`](Self::carry_out), in the call of its origin.
    pub(crate) fn carry_out_here(
        &mut self,
        window: usize,
        access: &Access<View<'_>>,
        before: Option<ViewMut<'_>>,
    ) {
        self.took_place(window, access);
        self.carry_out(window, access, before);
    }

    /// What an access tells those who come after it, as its origin calls.
    fn told<D>(&mut self, window: usize, access: &Access<D>) -> Option<Clock> {
        let races = self.races.as_mut().filter(|_| access.tells())?;
        let rank = races.rank_of(window, access.origin);
        Some(races.tell(rank))
    }

    /// An access takes place: what it tells stays there, and what was there it brings.
    fn pass_on<D>(&mut self, window: usize, access: &Access<D>, told: Option<Clock>) -> Option<Clock> {
        let races = self.races.as_mut()?;
        let heard = access.hears().then(|| races.fetch(window, access.elements()));
        told.into_iter().for_each(|told| races.change(window, access.elements(), &told));
        heard
    }

    /// A member hears what an access of its has brought.
    fn heard(&mut self, window: usize, member: Rank, heard: Option<Clock>) {
        if let (Some(races), Some(heard)) = (&mut self.races, heard) {
            let rank = races.rank_of(window, member);
            races.hear(rank, &heard);
        }
    }

    /// An access takes place now in the call of its origin: who hears of it, and of whom that one hears.
    pub(crate) fn took_place<D>(&mut self, window: usize, access: &Access<D>) {
        let told = self.told(window, access);
        let heard = self.pass_on(window, access, told);
        self.heard(window, access.origin, heard);
    }

    /// One 64-bit integer changes now; gives what it was.
    pub(crate) fn word(&mut self, window: usize, target: Rank, at: usize, becomes: Word) -> i64 {
        let part = &mut self.windows[window].parts[target];
        // Nobody can go on because of a read.
        if becomes == Word::Keep {
            return part.value(at);
        }
        let was = part.word(at, becomes);
        self.settle_part(window, target);
        was
    }

    /// An access leaves its origin; gives the place for what it brings.
    pub(crate) fn dispatch(&mut self, window: usize, access: Access<View<'_>>) -> Option<Place> {
        let shared = &mut self.windows[window];
        let (origin, target) = (access.origin, access.target);
        let (from, to) = (shared.members[origin], shared.members[target]);
        shared.underway.leave(origin, target);
        let place = access.brings.then(Place::default);
        let clock = self.told(window, &access);
        let (bytes, ordered) = (access.bytes(), access.ordered);
        let flight = Flight { window, access: access.to_owned(), brought: None, place: place.clone(), clock };
        let now = self.pace.access(from, to, bytes, ordered, Happening::Reach(Box::new(flight)));
        self.happen_all(now);
        place
    }

    /// An access has come to the part of its target.
    pub(crate) fn reach(&mut self, mut flight: Box<Flight>) {
        let (window, target) = (flight.window, flight.access.target);
        let shared = &mut self.windows[window];
        if !flight.access.is_due(&shared.parts[target]) {
            shared.waiting[target].push(*flight);
            return;
        }
        let told = flight.clock.take();
        flight.clock = self.pass_on(window, &flight.access, told);
        let Flight { access, brought, .. } = &mut *flight;
        let shared = &mut self.windows[window];
        *brought = access.brings.then(|| Block::zeroed(shared.layout, access.count));
        let (from, to) = (shared.members[target], shared.members[access.origin]);
        let bytes = brought.as_ref().map_or(0, |block| block.view().bytes().len());
        self.carry_out(window, &access.view(), brought.as_mut().map(Block::view_mut));
        let now = self.pace.answer(from, to, bytes, Happening::Answer(flight));
        self.happen_all(now);
    }

    /// The answer of an access is there.
    pub(crate) fn answered(&mut self, flight: Flight) {
        let Flight { window, access, brought, place, clock } = flight;
        self.heard(window, access.origin, clock);
        if let Some(place) = place {
            *place.lock().expect("nobody panics while it takes a block") = brought;
        }
        self.windows[window].underway.answer(access.origin, access.target);
        self.settle_member(window, access.origin);
    }

    /// Member `from` tells member `to`.
    pub(crate) fn notify(&mut self, window: usize, (from, to): (Rank, Rank), notice: Notice) {
        if !P::TIMED || from == to {
            return self.hear(window, (from, to), notice);
        }
        let members = &self.windows[window].members;
        let told = Happening::Notice { window, from, to, notice };
        let now = self.pace.send(members[from], members[to], 0, Mode::Eager, told);
        self.happen_all(now);
    }

    /// Member `to` hears of member `from`.
    pub(crate) fn hear(&mut self, window: usize, (from, to): (Rank, Rank), notice: Notice) {
        let shared = &mut self.windows[window];
        let granted = match notice {
            Notice::Ask(scope, kind) => shared.locks.ask(from, scope, kind),
            Notice::Give(scope) => shared.locks.give(from, scope),
            Notice::Post => {
                shared.epochs.hear_post(from, to);
                return self.settle_member(window, to);
            }
            Notice::Complete => {
                shared.epochs.hear_complete(to, from);
                return self.settle_member(window, to);
            }
            Notice::Granted(scope) => {
                shared.locks.take(to, scope);
                return self.settle_member(window, to);
            }
        };
        granted.into_iter().for_each(|(rank, scope)| self.grant(window, (to, rank), scope));
    }

    /// A lock was granted where member `from` keeps it; `to` hears of it.
    fn grant(&mut self, window: usize, (from, to): (Rank, Rank), scope: Scope) {
        let notice = Notice::Granted(scope);
        if !P::TIMED || from == to {
            return self.hear(window, (from, to), notice);
        }
        let members = &self.windows[window].members;
        let told = Happening::Notice { window, from, to, notice };
        let now = self.pace.answer(members[from], members[to], 0, told);
        self.happen_all(now);
    }

    /// A part has changed: those go on who wait for that, and accesses that have waited take place.
    fn settle_part(&mut self, window: usize, target: Rank) {
        for at in 0..self.windows[window].watchers[target].len() {
            let watcher = self.windows[window].watchers[target][at];
            self.settle_member(window, watcher);
        }
        let shared = &mut self.windows[window];
        let part = &shared.parts[target];
        let due: Vec<_> =
            shared.waiting[target].extract_if(.., |flight| flight.access.is_due(part)).collect();
        due.into_iter().for_each(|flight| self.reach(Box::new(flight)));
    }

    /// A member may be able to go on.
    fn settle_member(&mut self, window: usize, member: Rank) {
        let rank = self.windows[window].members[member];
        self.settle(rank);
    }
}
