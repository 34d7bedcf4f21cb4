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
    let ExplorationScheduler { buffering, buffered, messages, .. } = &state.delivery;
    if *buffering != Buffering::Limited || *buffered == MAX_BUFFERED {
        return vec![];
    }
    let waits = |in_flight: &InFlight| {
        state.in_flight_message(&in_flight.event).filter(|_| state.is_blocking_sender(&in_flight.event))
    };
    messages.iter().enumerate().filter_map(|(at, in_flight)| Some((at, waits(in_flight)?))).collect()
}

/// Buffers the message at index `at`: its sender continues.
pub(super) fn buffer_message(state: &mut JobState<ExplorationScheduler>, at: usize) {
    let delivery = &mut state.delivery;
    delivery.buffered += 1;
    let sent = delivery.messages[at].event.take_send_completion();
    delivery.due_events.extend(sent);
}
