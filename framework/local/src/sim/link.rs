//! The cost of a message on one class of links: the LogGP model of Alexandrov, Ionescu, Schauser and Scheiman (SPAA
//! 1995) with the rendezvous threshold of LogGPS (Ino, Fujimoto, Hagihara, PPoPP 2001) and the cost of a byte on the
//! processor of LogGOPS (Hoefler, Schneider, Lumsdaine, HPDC 2010).
//!
//! All executors use these functions, so they agree to the nanosecond. Times are whole nanoseconds; costs of a byte
//! are whole picoseconds and are rounded down once for each message.
//!
//! A library that changes its way of copying with the size has no single o, O and G. A link may therefore have
//! [`CostSegment`]s: a message of m bytes has the costs of the last segment that begins at or below m (as in SMPI's
//! piecewise models: Clauss, Stillwell, Genaud, Suter, Casanova, Quinson, IPDPS 2011). L belongs to the link and does
//! not depend on the size: otherwise a short message could overtake a long one. Signals without data are sent as empty
//! messages, outside of all segments.
//!
//! | event | time |
//! |---|---|
//! | send of m bytes called at t | the processor is busy until t + o + mO; until t + o, if m > S |
//! | eager (m <= S) | injected at i = max(t + o + mO, port free); the port is busy until i + g + (m-1)G; arrives at i + L + (m-1)G; the send completes at t + o + mO |
//! | rendezvous (m > S) | its header is sent as an empty message; matched at u = max(arrival, receive posted); the payload is injected at max(u + L, port free), arrives L + (m-1)G later; the send completes when its last byte is injected |
//! | between nodes whose ranks share NICs | leaves its rank's port from i on, as above; passes the NIC of the sender's node at j = max(i, NIC free), which is then busy for the gap of NICs + (m-1)G; its first byte is at the NIC of the receiver's node at j + L and passes that in the same way at k; arrives at k + (m-1)G; a payload is sent at j + (m-1)G. Signals without data (synchronous, rendezvous) do not pass the NICs |
//! | synchronous, m <= S | is sent as an eager one; matched at u = max(arrival, receive posted); the send completes at u + L |
//! | access to another rank's part (put, get, accumulate, word) with m bytes of data called at t | is sent as an eager message of any length; takes place when it arrives, without the target's processor |
//! | its answer with n bytes (the fetched data, or none) | injected where it took place at max(then, port for answers free); that port is busy for g + (n-1)G; at the origin L + (n-1)G later, without its processor |
//! | post, complete, unlock | waits for the accesses that it completes; then sends an empty message to each rank concerned, received without a processor |
//! | lock | an empty message to its target (`lock_all`: to rank 0 of the window); granted there, answered without data |
//! | `wait_until` on another rank's element | an access of 8 bytes that takes place when the element meets the condition |
//! | own part | immediate and free; a poll of it costs one poll of the machine |
//! | receive called at t, message there at a | completes at max(t, a) + o + mO; several in a round, in the order of their arrivals |

/// The parameters of one class of links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// L: from the port of the sender to that of the receiver, nanoseconds.
    pub latency: u64,
    /// o: the cost of a message on the processor at each end, nanoseconds.
    pub overhead: u64,
    /// g: the least time between two messages from one port, nanoseconds.
    pub gap: u64,
    /// G: the cost of each byte after the first, picoseconds.
    pub per_byte: u64,
    /// O: the cost of a byte on the processor at each end, picoseconds.
    pub processor_per_byte: u64,
    /// S: the longest message that is sent eagerly, bytes.
    pub eager_limit: usize,
    /// Sizes with other costs, ascending in [`min_bytes`](CostSegment::min_bytes), which is at least 1. Often there
    /// are none.
    pub segments: Vec<CostSegment>,
}

/// The costs of messages from a size on, until the next segment begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostSegment {
    /// The shortest message of this segment, bytes.
    pub min_bytes: usize,
    /// The cost of that message on the processor at each end, nanoseconds.
    pub overhead: u64,
    /// The cost of each further byte on the processor, picoseconds.
    pub processor_per_byte: u64,
    /// From the first byte of that message to its last, nanoseconds.
    pub serial: u64,
    /// The cost of each further byte, picoseconds.
    pub per_byte: u64,
}

impl Link {
    /// (m - 1) G, or the segment's value: from the first byte to the last, nanoseconds.
    pub fn serial(&self, bytes: usize) -> u64 {
        match self.segment(bytes) {
            None => (bytes as u64).saturating_sub(1) * self.per_byte / 1000,
            Some(piece) => piece.serial + piece.extra_bytes(bytes) * piece.per_byte / 1000,
        }
    }

    /// The processor time of the send call: that of an empty message for a rendezvous send.
    pub fn send_time(&self, bytes: usize) -> u64 {
        self.processor_time(if bytes <= self.eager_limit { bytes } else { 0 })
    }

    /// o + m O, or the segment's value: the processor time of a message at one end, nanoseconds.
    pub fn processor_time(&self, bytes: usize) -> u64 {
        match self.segment(bytes) {
            None => self.overhead + bytes as u64 * self.processor_per_byte / 1000,
            Some(piece) => piece.overhead + piece.extra_bytes(bytes) * piece.processor_per_byte / 1000,
        }
    }

    /// Whether every message takes some time on the processor and in the network.
    pub fn has_positive_costs(&self) -> bool {
        let busy = |piece: &CostSegment| piece.overhead > 0;
        self.latency > 0 && self.overhead > 0 && self.segments.iter().all(busy)
    }

    /// The segment of messages of this size; `None` before the first one, where the link's own costs apply.
    fn segment(&self, bytes: usize) -> Option<&CostSegment> {
        self.segments.iter().rev().find(|piece| piece.min_bytes <= bytes)
    }
}

impl CostSegment {
    /// The number of bytes beyond the shortest message of this segment.
    fn extra_bytes(&self, bytes: usize) -> u64 {
        (bytes - self.min_bytes) as u64
    }
}

/// The port of a rank, which its messages leave one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Port {
    free_at: u64,
}

/// The times at which a message is sent and arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransferTimes {
    /// The first byte leaves the sender's port.
    pub departs: u64,
    /// The last byte has left the sender's memory.
    pub sent: u64,
    /// The last byte is at the receiver.
    pub arrives: u64,
}

impl Port {
    /// Injects a message of `bytes` as soon as the port is free, at `ready` at the earliest.
    pub fn inject(&mut self, ready: u64, link: &Link, bytes: usize) -> TransferTimes {
        let serial = link.serial(bytes);
        let begins = self.occupy(ready, link.gap, serial);
        TransferTimes { departs: begins, sent: begins + serial, arrives: begins + link.latency + serial }
    }

    /// Occupies the port for `serial` and the `gap` after that; returns the start.
    pub(crate) fn occupy(&mut self, ready: u64, gap: u64, serial: u64) -> u64 {
        let begins = ready.max(self.free_at);
        self.free_at = begins + gap + serial;
        begins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: Link = Link {
        latency: 1000,
        overhead: 100,
        gap: 40,
        per_byte: 500,
        processor_per_byte: 0,
        eager_limit: 4096,
        segments: Vec::new(),
    };

    #[test]
    fn the_first_byte_is_free_and_the_port_is_busy_for_the_rest() {
        let mut port = Port::default();
        assert_eq!(port.inject(10, &LINK, 0), TransferTimes { departs: 10, sent: 10, arrives: 1010 });
        assert_eq!(port.inject(10, &LINK, 1), TransferTimes { departs: 50, sent: 50, arrives: 1050 });
        assert_eq!(port.inject(10, &LINK, 2001), TransferTimes { departs: 90, sent: 1090, arrives: 2090 });
        assert_eq!(port.inject(0, &LINK, 0), TransferTimes { departs: 1130, sent: 1130, arrives: 2130 });
        assert_eq!(port.inject(5000, &LINK, 0), TransferTimes { departs: 5000, sent: 5000, arrives: 6000 });
    }

    /// LogGOPS: L until arrival, o on the processor, g and (m - 1) G at the port, m O on the processor, S for
    /// rendezvous.
    #[test]
    fn each_parameter_costs_what_its_formula_says_and_nothing_else() {
        const NONE: Link = Link {
            latency: 0,
            overhead: 0,
            gap: 0,
            per_byte: 0,
            processor_per_byte: 0,
            eager_limit: usize::MAX,
            segments: Vec::new(),
        };
        // For 11 bytes: processor time, time of the call, time from the first byte to the last; for the second message
        // of a port: when it departs, is sent and arrives.
        let table = |link: &Link| {
            let mut port = Port::default();
            port.inject(0, link, 11);
            let TransferTimes { departs: begins, sent: left, arrives } = port.inject(0, link, 11);
            (link.processor_time(11), link.send_time(11), link.serial(11), [begins, left, arrives])
        };
        assert_eq!(table(&NONE), (0, 0, 0, [0, 0, 0]));
        assert_eq!(table(&Link { latency: 7, ..NONE }), (0, 0, 0, [0, 0, 7]));
        assert_eq!(table(&Link { overhead: 7, ..NONE }), (7, 7, 0, [0, 0, 0]));
        assert_eq!(table(&Link { gap: 7, ..NONE }), (0, 0, 0, [7, 7, 7]));
        assert_eq!(table(&Link { per_byte: 7000, ..NONE }), (0, 0, 70, [70, 140, 140]));
        assert_eq!(table(&Link { processor_per_byte: 7000, ..NONE }), (77, 77, 0, [0, 0, 0]));
        assert_eq!(table(&Link { processor_per_byte: 7000, eager_limit: 10, ..NONE }), (77, 0, 0, [0, 0, 0]));
        assert_eq!(
            table(&Link { processor_per_byte: 7000, eager_limit: 11, ..NONE }),
            (77, 77, 0, [0, 0, 0])
        );
    }

    #[test]
    fn bytes_cost_the_processor_where_it_copies() {
        assert_eq!(LINK.processor_time(1 << 20), 100);
        assert_eq!(Link { processor_per_byte: 250, ..LINK }.processor_time(1000), 350);
    }

    #[test]
    fn a_message_costs_what_the_last_piece_that_begins_at_or_below_it_says() {
        let piece = |from, serial| CostSegment {
            min_bytes: from,
            overhead: 7,
            processor_per_byte: 2000,
            serial,
            per_byte: 3000,
        };
        let link = Link { segments: vec![piece(100, 90), piece(200, 1000)], ..LINK };
        assert_eq!(
            [0, 1, 99].map(|bytes| (link.processor_time(bytes), link.serial(bytes))),
            [(100, 0), (100, 0), (100, 49)]
        );
        assert_eq!(
            [100, 199].map(|bytes| (link.processor_time(bytes), link.serial(bytes))),
            [(7, 90), (205, 387)]
        );
        assert_eq!(
            [200, 201].map(|bytes| (link.processor_time(bytes), link.serial(bytes))),
            [(7, 1000), (9, 1003)]
        );
        assert_eq!(link.send_time(5000), 100, "a header goes by no piece");
    }

    #[test]
    fn no_message_overtakes_another_of_its_port() {
        let slow =
            CostSegment { min_bytes: 100, overhead: 0, processor_per_byte: 0, serial: 50_000, per_byte: 0 };
        let fast = CostSegment { min_bytes: 200, overhead: 0, processor_per_byte: 0, serial: 0, per_byte: 0 };
        let link = Link { segments: vec![slow, fast], ..LINK };
        let mut port = Port::default();
        let arrivals = [150, 250, 0, 100, 1].map(|bytes| port.inject(0, &link, bytes).arrives);
        assert!(arrivals.is_sorted(), "{arrivals:?}");
    }
}
