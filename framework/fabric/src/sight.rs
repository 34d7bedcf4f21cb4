//! What a rank looks at that looks without waiting: what a [`Pace`](crate::Pace) that chooses must know to tell whether a later
//! look would see anything else.
use wb_comm::Rank;

use crate::{Happening, Notice};

/// See the module. Windows by their index in the hub, ranks by their number in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Its mail, and whether its operations are over.
    Mail,
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
        changes: bool,
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

impl Sight {
    /// Is something else seen once `what` has come about?
    pub fn is_changed_by(&self, what: &Happening) -> bool {
        match (*self, what) {
            (Self::Mail, Happening::Arrive { .. } | Happening::Land { .. } | Happening::Sent(_)) => true,
            (Self::Part { window, member, at, count, changes }, Happening::Reach(flight)) => {
                let access = &flight.access;
                let common = access.at < at + count && at < access.at + access.count;
                let matters = changes || access.changes();
                (flight.window, access.target) == (window, member) && common && matters
            }
            (Self::Locks { window, member }, Happening::Notice { window: other, to, notice, .. }) => {
                (*other, *to) == (window, member) && matches!(notice, Notice::Ask(..) | Notice::Give(_))
            }
            (Self::Exposure { window, member }, Happening::Notice { window: other, to, notice, .. }) => {
                (*other, *to) == (window, member) && *notice == Notice::Complete
            }
            _ => false,
        }
    }
}
