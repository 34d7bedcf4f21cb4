//! The time in which a pass must end.
use std::time::{Duration, Instant};

use wb_messages::{Lang, number};

/// The time beyond the limit that the exchange of messages may take.
pub(crate) const SLACK: Duration = Duration::from_millis(500);

/// The time in which a pass must end.
#[derive(Clone, Copy)]
pub(crate) struct PassDeadline {
    pub(crate) begin: Instant,
    limit: Option<Duration>,
    /// The time beyond the limit that the exchange of messages may take.
    slack: Duration,
}

impl PassDeadline {
    /// A pass of `limit` begins now.
    pub(crate) fn new(limit: Option<Duration>) -> Self {
        Self { begin: Instant::now(), limit, slack: SLACK }
    }

    /// Exactly `duration` from now on.
    pub(crate) fn after(duration: Duration) -> Self {
        Self { begin: Instant::now(), limit: Some(duration), slack: Duration::ZERO }
    }

    pub(crate) fn instant(self) -> Option<Instant> {
        self.limit.map(|limit| self.begin + limit + self.slack)
    }

    /// The limit in seconds, for the user.
    pub(crate) fn seconds(self, lang: Lang) -> String {
        number::shortest(lang, self.limit.unwrap_or_default().as_secs_f64())
    }
}
