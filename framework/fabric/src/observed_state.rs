//! What a rank polls: what a [delivery model](crate::DeliveryModel) that chooses must know to tell whether a later
//! look would see anything else.
use wb_comm::Rank;

use crate::{delivery::Event, rma::notice::RmaNotice};

/// See the module. Windows by their index in the state, ranks by their number in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObservedState {
    /// Its mail, and whether its operations are over.
    Mailbox,
    /// Elements of its own part of a window.
    Part {
        /// The window.
        window: usize,
        /// Who looks.
        member: Rank,
        /// The first element.
        at: usize,
        /// How many.
        count: usize,
        /// Does it change them, too?
        is_write: bool,
    },
    /// The locks of a window that it keeps.
    Locks {
        /// The window.
        window: usize,
        /// Who looks.
        member: Rank,
    },
    /// Who has completed its access to the looker's part.
    Exposure {
        /// The window.
        window: usize,
        /// Who looks.
        member: Rank,
    },
}

impl ObservedState {
    /// Is something else seen once `what` has come about?
    pub fn is_changed_by(&self, what: &Event) -> bool {
        match (*self, what) {
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
