//! What a library keeps that keeps a few messages only.
//!
//! Where no message is kept, a receive from any source sees fewer messages; where all are kept, no send waits. Some programs hang
//! only in between: one message kept lets a receive take another message, and then a send that waits closes a circle.
use wb_comm::orders::Buffering;
use wb_fabric::{Letter, State};

use super::{Under, Untimed};

/// So many messages does a library keep that keeps a few only.
const MOST_KEPT: usize = 2;

/// The messages whose standard sends wait for them, as long as the library can keep one more, with their places in the mail.
pub(super) fn waiting(state: &State<Untimed>) -> Vec<(usize, Letter)> {
    let Untimed { buffering, kept, mail, .. } = &state.pace;
    if *buffering != Buffering::Few || *kept == MOST_KEPT {
        return vec![];
    }
    let waits = |under: &Under| state.letter(&under.what).filter(|_| state.is_waited_for(&under.what));
    mail.iter().enumerate().filter_map(|(at, under)| Some((at, waits(under)?))).collect()
}

/// The library keeps the message at that place of the mail: its sender goes on.
pub(super) fn keep(state: &mut State<Untimed>, at: usize) {
    let pace = &mut state.pace;
    pace.kept += 1;
    let sent = pace.mail[at].what.let_go();
    pace.due.extend(sent);
}
