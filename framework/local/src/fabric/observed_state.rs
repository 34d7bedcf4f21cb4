//! What a rank polls. A [delivery model](crate::fabric::DeliveryModel) that chooses uses it to decide whether a later poll can
//! have another result.
use wb_comm::Rank;

use crate::fabric::{delivery::Event, rma::notice::RmaNotice};

/// What a rank polls. Windows by their index in the state, ranks by their number in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObservedState {
    /// The rank's mailbox, and whether its operations are complete.
    Mailbox,
    /// Elements of its own part of a window.
    Part {
        /// The window.
        window: usize,
        /// The rank that polls.
        member: Rank,
        /// The first element.
        at: usize,
        /// The number of elements.
        count: usize,
        /// Whether the rank also changes them.
        is_write: bool,
    },
    /// The locks of a window that the rank manages.
    Locks {
        /// The window.
        window: usize,
        /// The rank that polls.
        member: Rank,
    },
    /// The origins that have completed their accesses to the rank's part.
    Exposure {
        /// The window.
        window: usize,
        /// The rank that polls.
        member: Rank,
    },
}

impl ObservedState {
    /// Whether the poll has another result after the event `event`.
    pub fn is_changed_by(&self, event: &Event) -> bool {
        match (*self, event) {
            (
                Self::Mailbox,
                Event::MessageArrival { .. } | Event::PayloadArrival { .. } | Event::SendCompletion(_),
            ) => true,
            (Self::Part { window, member, at, count, is_write: changes }, Event::AccessArrival(flight)) => {
                let access = &flight.access;
                let common = access.at < at + count && at < access.at + access.count;
                let matters = changes || access.is_write();
                (flight.window, access.target) == (window, member) && common && matters
            }
            (Self::Locks { window, member }, Event::Notice { window: other, to, notice, .. }) => {
                (*other, *to) == (window, member)
                    && matches!(notice, RmaNotice::LockRequest(..) | RmaNotice::Unlock(_))
            }
            (Self::Exposure { window, member }, Event::Notice { window: other, to, notice, .. }) => {
                (*other, *to) == (window, member) && *notice == RmaNotice::Complete
            }
            _ => false,
        }
    }
}
