//! What a library keeps that keeps a few messages only.
//!
//! Where no message is kept, a receive from any source sees fewer messages; where all are kept, no send waits. Some programs hang
//! only in between: one message kept lets a receive take another message, and then a send that waits closes a circle.
use wb_comm::exploration::Buffering;
use wb_fabric::{InFlightMessage, JobState};

use super::{ExplorationScheduler, InFlight};

/// So many messages does a library keep that keeps a few only.
const MAX_BUFFERED: usize = 2;

/// The messages whose standard sends wait for them, as long as the library can keep one more, with their places in the mail.
pub(super) fn bufferable_messages(state: &JobState<ExplorationScheduler>) -> Vec<(usize, InFlightMessage)> {
    let ExplorationScheduler { buffering, buffered: kept, messages: mail, .. } = &state.delivery;
    if *buffering != Buffering::Limited || *kept == MAX_BUFFERED {
        return vec![];
    }
    let waits = |under: &InFlight| {
        state.in_flight_message(&under.event).filter(|_| state.is_blocking_sender(&under.event))
    };
    mail.iter().enumerate().filter_map(|(at, under)| Some((at, waits(under)?))).collect()
}

/// The library keeps the message at that place of the mail: its sender goes on.
pub(super) fn buffer_message(state: &mut JobState<ExplorationScheduler>, at: usize) {
    let pace = &mut state.delivery;
    pace.buffered += 1;
    let sent = pace.messages[at].event.take_send_completion();
    pace.due_events.extend(sent);
}
