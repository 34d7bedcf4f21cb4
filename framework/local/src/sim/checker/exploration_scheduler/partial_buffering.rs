//! Partial buffering: a library that buffers only a few messages.
//!
//! Without buffering, a wildcard receive can match fewer messages; with unlimited buffering, no send waits. Some
//! programs deadlock only in between: one buffered message lets a receive match another message, and then a waiting
//! send closes a cycle.
use wb_comm::exploration::Buffering;

use super::{ExplorationScheduler, InFlight};
use crate::fabric::{InFlightMessage, JobState};

/// The number of messages that partial buffering buffers at most.
const MAX_BUFFERED: usize = 2;

/// The messages whose standard sends wait, with their indices in `messages`; empty when no more can be buffered.
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

/// Buffers the message at index `at`: its sender continues.
pub(super) fn buffer_message(state: &mut JobState<ExplorationScheduler>, at: usize) {
    let pace = &mut state.delivery;
    pace.buffered += 1;
    let sent = pace.messages[at].event.take_send_completion();
    pace.due_events.extend(sent);
}
