//! Accesses to windows and requests for locks that are under way together: which of these must be tried in all orders.
use wb_fabric::State;

use super::{
    super::transition::{Transition, What},
    Under, Untimed,
};

/// The earliest access that leaves the order of others open, with these; alone if it leaves none open.
pub(super) fn contested(state: &State<Untimed>) -> Vec<usize> {
    let accesses = &state.pace.accesses;
    let what = |at: usize| &accesses[at].what;
    let free = |at: &usize| (0..*at).all(|earlier| !what(*at).stays_behind(what(earlier)));
    let free: Vec<usize> = (0..accesses.len()).filter(free).collect();
    let mut class: Vec<usize> = free.first().copied().into_iter().collect();
    let mut grown = 0;
    while grown < class.len() {
        let one = class[grown];
        let joins = |at: &usize| !class.contains(at) && state.conflict(what(*at), what(one));
        let more: Vec<usize> = free.iter().copied().filter(joins).collect();
        class.extend(more);
        grown += 1;
    }
    class.sort_unstable();
    class
}

/// What comes about if an access takes place, or a request for a lock is heard.
pub(super) fn access(state: &State<Untimed>, under: &Under) -> Transition {
    match state.footprint(&under.what) {
        Some((footprint, ranks)) => Transition::access(under.number, footprint, ranks),
        None => Transition::of(What::Touch, under.number),
    }
}
