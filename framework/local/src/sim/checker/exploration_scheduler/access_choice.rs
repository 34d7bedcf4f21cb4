//! Selects the concurrent window accesses and lock requests that must be explored in all orders.
use super::{
    super::transition::{Transition, TransitionKind},
    ExplorationScheduler, InFlight,
};
use crate::fabric::JobState;

/// The earliest access together with those that conflict with it; alone if none does.
pub(super) fn contested_accesses(state: &JobState<ExplorationScheduler>) -> Vec<usize> {
    let accesses = &state.delivery.accesses;
    let event = |at: usize| &accesses[at].event;
    let free = |at: &usize| (0..*at).all(|earlier| !event(*at).must_follow(event(earlier)));
    let free: Vec<usize> = (0..accesses.len()).filter(free).collect();
    let mut class: Vec<usize> = free.first().copied().into_iter().collect();
    let mut grown = 0;
    while grown < class.len() {
        let one = class[grown];
        let joins = |at: &usize| !class.contains(at) && state.do_conflict(event(*at), event(one));
        let more: Vec<usize> = free.iter().copied().filter(joins).collect();
        class.extend(more);
        grown += 1;
    }
    class.sort_unstable();
    class
}

/// The transition of an access or of a lock request.
pub(super) fn access_transition(state: &JobState<ExplorationScheduler>, in_flight: &InFlight) -> Transition {
    match state.footprint(&in_flight.event) {
        Some((footprint, ranks)) => Transition::for_access(in_flight.number, footprint, ranks),
        None => Transition::for_all(TransitionKind::RmaAccess, in_flight.number),
    }
}
