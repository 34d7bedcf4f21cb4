//! The traffic between the ranks of a window: accesses and their replies, and notices of epochs and locks.
//!
//! Without time all of it takes place within the call. In virtual time an access to another rank is passed to the
//! delivery model and takes place when it arrives; only an access of a rank to its own part takes place immediately.
use wb_comm::{Block, Rank, View, ViewMut, WordUpdate};

use crate::fabric::{
    delivery::{DeliveryModel, Event},
    job_state::JobState,
    matching::message::SendProtocol,
    races::vector_clock::VectorClock,
    rma::{
        access::{FetchSlot, InFlightAccess, RmaOperation},
        locks::LockScope,
        notice::RmaNotice,
    },
};

impl<P: DeliveryModel> JobState<P> {
    /// Applies an access now; the former value goes to `before`.
    pub(crate) fn apply_access(
        &mut self,
        window: usize,
        access: &RmaOperation<View<'_>>,
        before: Option<ViewMut<'_>>,
    ) {
        access.apply(&mut self.windows[window].parts[access.target], before);
        if access.is_write() {
            self.part_changed(window, access.target);
        }
    }

    /// As [`apply_access`](Self::apply_access), in the call of its origin.
    pub(crate) fn apply_local_access(
        &mut self,
        window: usize,
        access: &RmaOperation<View<'_>>,
        before: Option<ViewMut<'_>>,
    ) {
        self.local_access_applied(window, access);
        self.apply_access(window, access, before);
    }

    /// The clock that an access releases to later ones, as its origin calls.
    fn origin_clock<D>(&mut self, window: usize, access: &RmaOperation<D>) -> Option<VectorClock> {
        let races = self.race_detector.as_mut().filter(|_| access.releases_clock())?;
        let rank = races.rank_of(window, access.origin);
        Some(races.publish(rank))
    }

    /// An access is applied: its released clock is stored at the target, and it acquires the clock stored there.
    fn exchange_clocks<D>(
        &mut self,
        window: usize,
        access: &RmaOperation<D>,
        released: Option<VectorClock>,
    ) -> Option<VectorClock> {
        let races = self.race_detector.as_mut()?;
        let acquired = access.acquires_clock().then(|| races.fetch(window, access.elements()));
        released.into_iter().for_each(|released| races.change(window, access.elements(), &released));
        acquired
    }

    /// A member acquires the clock that its access has fetched.
    fn receive_clock(&mut self, window: usize, member: Rank, acquired: Option<VectorClock>) {
        if let (Some(races), Some(acquired)) = (&mut self.race_detector, acquired) {
            let rank = races.rank_of(window, member);
            races.join(rank, &acquired);
        }
    }

    /// An access is applied within the call of its origin: its clock is released, and the stored clock is acquired.
    pub(crate) fn local_access_applied<D>(&mut self, window: usize, access: &RmaOperation<D>) {
        let released = self.origin_clock(window, access);
        let acquired = self.exchange_clocks(window, access, released);
        self.receive_clock(window, access.origin, acquired);
    }

    /// Updates one 64-bit integer; returns its former value.
    pub(crate) fn update_word(&mut self, window: usize, target: Rank, at: usize, becomes: WordUpdate) -> i64 {
        let part = &mut self.windows[window].parts[target];
        // A read lets no rank continue.
        if becomes == WordUpdate::Keep {
            return part.value(at);
        }
        let was = part.update_word(at, becomes);
        self.part_changed(window, target);
        was
    }

    /// Sends an access; returns the slot for the data that it fetches.
    pub(crate) fn send_access(&mut self, window: usize, access: RmaOperation<View<'_>>) -> Option<FetchSlot> {
        let shared = &mut self.windows[window];
        let (origin, target) = (access.origin, access.target);
        let (from, to) = (shared.members[origin], shared.members[target]);
        shared.pending_accesses.add(origin, target);
        let place = access.is_fetching.then(FetchSlot::default);
        let clock = self.origin_clock(window, &access);
        let (bytes, ordered) = (access.bytes(), access.is_ordered);
        let flight = InFlightAccess {
            window,
            access: access.to_owned(),
            fetched: None,
            fetch_slot: place.clone(),
            clock,
        };
        let now = self.delivery.access(from, to, bytes, ordered, Event::AccessArrival(Box::new(flight)));
        self.process_events(now);
        place
    }

    /// An access has arrived at the part of its target.
    pub(crate) fn access_arrived(&mut self, mut flight: Box<InFlightAccess>) {
        let (window, target) = (flight.window, flight.access.target);
        let shared = &mut self.windows[window];
        if !flight.access.is_ready(&shared.parts[target]) {
            shared.deferred_accesses[target].push(*flight);
            return;
        }
        let released = flight.clock.take();
        flight.clock = self.exchange_clocks(window, &flight.access, released);
        let InFlightAccess { access, fetched, .. } = &mut *flight;
        let shared = &mut self.windows[window];
        *fetched = access.is_fetching.then(|| Block::zeroed(shared.datatype, access.count));
        let (from, to) = (shared.members[target], shared.members[access.origin]);
        let bytes = fetched.as_ref().map_or(0, |block| block.view().bytes().len());
        self.apply_access(window, &access.as_view(), fetched.as_mut().map(Block::view_mut));
        let now = self.delivery.reply(from, to, bytes, Event::AccessReply(flight));
        self.process_events(now);
    }

    /// The reply to an access has arrived.
    pub(crate) fn access_answered(&mut self, flight: InFlightAccess) {
        let InFlightAccess { window, access, fetched, fetch_slot: place, clock } = flight;
        self.receive_clock(window, access.origin, clock);
        if let Some(place) = place {
            *place.lock().expect("nobody panics while it takes a block") = fetched;
        }
        self.windows[window].pending_accesses.remove(access.origin, access.target);
        self.recheck_member(window, access.origin);
    }

    /// Member `from` sends a notice to member `to`.
    pub(crate) fn send_notice(&mut self, window: usize, (from, to): (Rank, Rank), notice: RmaNotice) {
        if !P::TIMED || from == to {
            return self.receive_notice(window, (from, to), notice);
        }
        let members = &self.windows[window].members;
        let released = Event::Notice { window, from, to, notice };
        let now = self.delivery.send(members[from], members[to], 0, SendProtocol::Eager, released);
        self.process_events(now);
    }

    /// Member `to` receives a notice of member `from`.
    pub(crate) fn receive_notice(&mut self, window: usize, (from, to): (Rank, Rank), notice: RmaNotice) {
        let shared = &mut self.windows[window];
        let granted = match notice {
            RmaNotice::LockRequest(scope, kind) => shared.locks.request(from, scope, kind),
            RmaNotice::Unlock(scope) => shared.locks.release(from, scope),
            RmaNotice::Post => {
                shared.pscw.receive_post(from, to);
                return self.recheck_member(window, to);
            }
            RmaNotice::Complete => {
                shared.pscw.receive_complete(to, from);
                return self.recheck_member(window, to);
            }
            RmaNotice::LockGranted(scope) => {
                shared.locks.acquired(to, scope);
                return self.recheck_member(window, to);
            }
        };
        granted.into_iter().for_each(|(rank, scope)| self.grant(window, (to, rank), scope));
    }

    /// Member `from`, the manager, grants a lock to `to`.
    fn grant(&mut self, window: usize, (from, to): (Rank, Rank), scope: LockScope) {
        let notice = RmaNotice::LockGranted(scope);
        if !P::TIMED || from == to {
            return self.receive_notice(window, (from, to), notice);
        }
        let members = &self.windows[window].members;
        let released = Event::Notice { window, from, to, notice };
        let now = self.delivery.reply(members[from], members[to], 0, released);
        self.process_events(now);
    }

    /// A part has changed: members that wait for the change continue, and deferred accesses take place.
    fn part_changed(&mut self, window: usize, target: Rank) {
        for at in 0..self.windows[window].value_waiters[target].len() {
            let watcher = self.windows[window].value_waiters[target][at];
            self.recheck_member(window, watcher);
        }
        let shared = &mut self.windows[window];
        let part = &shared.parts[target];
        let due: Vec<_> =
            shared.deferred_accesses[target].extract_if(.., |flight| flight.access.is_ready(part)).collect();
        due.into_iter().for_each(|flight| self.access_arrived(Box::new(flight)));
    }

    /// Rechecks whether a member can continue.
    fn recheck_member(&mut self, window: usize, member: Rank) {
        let rank = self.windows[window].members[member];
        self.unblock_if_satisfied(rank);
    }
}
