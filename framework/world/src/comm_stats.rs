//! Communication counts of a rank: calls and bytes, counted per world and everything made from it.
//!
//! The counts show that an assignment keeps its rules (only send and receive, a given number of messages), and that a
//! parallel version communicates. Counting is a few additions to plain cells of the rank; nothing is shared.
use std::{
    cell::Cell,
    ops::Sub,
    rc::Rc,
    sync::{Arc, OnceLock},
};

use serde::{Deserialize, Serialize};
use wb_comm::{CallSite, Error, MAX_COMMUNICATORS, PROC_NULL, Rank, Result, Status, text::setup};

/// A reading of the counts; the difference of two readings counts the calls between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Point-to-point messages that this rank sent; an access to a window counts as one message sent and one received.
    pub sends: u64,
    /// Point-to-point messages that this rank received.
    pub receives: u64,
    /// Bytes in the messages sent.
    pub sent_bytes: u64,
    /// Bytes in the messages received.
    pub received_bytes: u64,
    /// Calls of collective verbs (barrier, bcast, fence, making and freeing windows, ...); split and dup are not counted.
    pub collectives: u64,
    /// Communicators with a topology that were made.
    pub topologies: u64,
    /// Nanoseconds of virtual time that this rank computed, as it declared or as it was measured; 0 where time is real.
    pub worked_ns: u64,
}

impl Counts {
    /// Whether there was no communication.
    pub fn is_silent(&self) -> bool {
        self.sends + self.receives + self.collectives == 0
    }
}

impl Sub for Counts {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self {
            sends: self.sends - earlier.sends,
            receives: self.receives - earlier.receives,
            sent_bytes: self.sent_bytes - earlier.sent_bytes,
            received_bytes: self.received_bytes - earlier.received_bytes,
            collectives: self.collectives - earlier.collectives,
            topologies: self.topologies - earlier.topologies,
            worked_ns: self.worked_ns - earlier.worked_ns,
        }
    }
}

/// The first error that a call of a rank has returned, other than a [consequence](Error::is_consequence); readable from other threads.
pub type FirstError = Arc<OnceLock<(CallSite, Error)>>;

/// The running counts of one rank.
#[derive(Debug, Default)]
pub struct CommStats {
    counts: Cell<Counts>,
    last_error_site: Cell<Option<CallSite>>,
    pub(crate) first_error: FirstError,
    first_collective: Cell<Option<CallSite>>,
    has_received: Cell<bool>,
    arrival_order: Cell<u64>,
    communicators: Cell<usize>,
}

/// A communicator that this rank has made and holds.
pub(crate) struct HeldCommunicator(Rc<CommStats>);

impl HeldCommunicator {
    /// Counts the communicator that the call at `site` has made.
    ///
    /// # Errors
    /// [`Error::CommunicatorArgument`] for more than [`MAX_COMMUNICATORS`].
    pub(crate) fn new(stats: &Rc<CommStats>, site: CallSite) -> Result<Self> {
        let held = stats.communicators.get();
        if held == MAX_COMMUNICATORS {
            let error = Error::CommunicatorArgument(setup::too_many_communicators(site.verb.name(), held));
            stats.note_error(site, &error);
            return Err(error);
        }
        stats.communicators.set(held + 1);
        Ok(Self(Rc::clone(stats)))
    }
}

impl Drop for HeldCommunicator {
    fn drop(&mut self) {
        self.0.communicators.set(self.0.communicators.get() - 1);
    }
}

impl CommStats {
    /// The counts up to now.
    pub fn read(&self) -> Counts {
        self.counts.get()
    }

    /// The last call that returned an error.
    pub fn last_error_site(&self) -> Option<CallSite> {
        self.last_error_site.get()
    }

    /// The first call that was counted as collective, or that made a communicator with a topology.
    pub fn first_collective(&self) -> Option<CallSite> {
        self.first_collective.get()
    }

    /// Whether data from another rank have arrived: a message, or the result of a collective or a window.
    pub fn has_received(&self) -> bool {
        self.has_received.get() || self.counts.get().receives > 0
    }

    /// A hash of the sources and tags of the received messages, in the order in which they were received.
    pub fn arrival_order(&self) -> u64 {
        self.arrival_order.get()
    }

    /// Records that data from another rank may have arrived other than as a message.
    pub(crate) fn note_received(&self) {
        self.has_received.set(true);
    }

    pub(crate) fn note_error(&self, site: CallSite, error: &Error) {
        self.last_error_site.set(Some(site));
        if !error.is_consequence() {
            self.first_error.get_or_init(|| (site, error.clone()));
        }
    }

    pub(crate) fn note_sent(&self, dest: Rank, bytes: usize) {
        if dest != PROC_NULL {
            self.count_sent(bytes);
        }
    }

    pub(crate) fn note_message_received(&self, status: &Status) {
        if status.source != PROC_NULL {
            let message = (status.source as u64) << 32 ^ status.tag as u64;
            // FxHash: a rotation and a product for each message.
            let hash =
                (self.arrival_order.get().rotate_left(5) ^ message).wrapping_mul(0x517c_c1b7_2722_0a95);
            self.arrival_order.set(hash);
            self.count_received(status.bytes);
        }
    }

    fn count_sent(&self, bytes: usize) {
        let mut counts = self.counts.get();
        counts.sends += 1;
        counts.sent_bytes += bytes as u64;
        self.counts.set(counts);
    }

    fn count_received(&self, bytes: usize) {
        let mut counts = self.counts.get();
        counts.receives += 1;
        counts.received_bytes += bytes as u64;
        self.counts.set(counts);
    }

    /// An access to a window. Its target makes no call, so the access counts as a message sent and a message received.
    pub(crate) fn note_access(&self, sent_bytes: usize, received_bytes: usize) {
        self.count_sent(sent_bytes);
        self.count_received(received_bytes);
    }

    pub(crate) fn note_work(&self, ns: u64) {
        let mut counts = self.counts.get();
        counts.worked_ns += ns;
        self.counts.set(counts);
    }

    pub(crate) fn note_collective(&self, site: CallSite) {
        self.note_first(site);
        let mut counts = self.counts.get();
        counts.collectives += 1;
        self.counts.set(counts);
    }

    pub(crate) fn note_topology(&self, site: CallSite) {
        self.note_first(site);
        let mut counts = self.counts.get();
        counts.topologies += 1;
        self.counts.set(counts);
    }

    fn note_first(&self, site: CallSite) {
        self.first_collective.set(self.first_collective.get().or(Some(site)));
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::Verb;

    use super::*;

    #[test]
    fn each_kind_of_communication_counts_and_the_first_collective_stays_the_first() {
        let none = Counts { worked_ns: 1, ..Counts::default() };
        let all =
            [Counts { sends: 1, ..none }, Counts { receives: 1, ..none }, Counts { collectives: 1, ..none }];
        assert!(none.is_silent() && !all.iter().any(Counts::is_silent));
        let (stats, sites) = (CommStats::default(), [Verb::Barrier, Verb::Bcast].map(CallSite::caller));
        sites.iter().for_each(|site| stats.note_collective(*site));
        stats.note_topology(CallSite::caller(Verb::CartCreate));
        let counts = stats.read();
        assert_eq!((stats.first_collective(), counts.collectives, counts.topologies), (Some(sites[0]), 2, 1));
    }

    #[test]
    fn the_first_error_that_is_no_consequence_stays() {
        let (stats, site) = (CommStats::default(), CallSite::caller(Verb::Recv));
        let [first, second] = [7, 8].map(|tag| Error::Tag { tag, max: 6 });
        for error in [&Error::Deadlock { blocked: vec![] }, &first, &second] {
            stats.note_error(site, error);
        }
        assert_eq!(stats.first_error.get(), Some(&(site, first)));
    }
}
