//! What a message costs on one class of links: the LogGP model of Alexandrov, Ionescu, Schauser and Scheiman (SPAA 1995)
//! with the rendezvous threshold of LogGPS (Ino, Fujimoto, Hagihara, PPoPP 2001) and the cost of a byte on the processor of
//! LogGOPS (Hoefler, Schneider, Lumsdaine, HPDC 2010).
//!
//! All executors count with these functions and no others, so they agree to the nanosecond. Times are whole nanoseconds;
//! costs of a byte are whole picoseconds and are rounded down once a message.
//!
//! | event | time |
//! |---|---|
//! | send of m bytes called at t | the processor is busy until t + o + mO; until t + o, if m > S |
//! | eager (m <= S) | injected at i = max(t + o + mO, port free); the port is busy until i + g + (m-1)G; arrives at i + L + (m-1)G; the send is over at t + o + mO |
//! | rendezvous (m > S) | its header goes like an empty message; matched at u = max(arrival, receive posted); the payload is injected at max(u + L, port free), arrives L + (m-1)G later; the send is over when it is injected to its last byte |
//! | synchronous, m <= S | goes like an eager one; matched at u = max(arrival, receive posted); the send is over at u + L |
//! | access to another rank's part (put, get, accumulate, word) with m bytes of data called at t | leaves like an eager message, however long; takes place when it arrives, without the target's processor |
//! | its answer with n bytes (what was fetched, or none) | injected where it took place at max(then, port for answers free); that port is busy for g + (n-1)G; at the origin L + (n-1)G later, without its processor |
//! | post, complete, unlock | the accesses they complete are waited for; then an empty message to each rank told, heard without a processor |
//! | lock | an empty message to its target (`lock_all`: to rank 0 of the window); granted there, answered without data |
//! | `wait_until` on another rank's element | an access of 8 bytes that takes place when the element is such |
//! | own part | at once and free; looking at it costs one poll of the machine |
//! | receive called at t, message there at a | over at max(t, a) + o + mO; of several in a round, in the order of their arrivals |

/// The parameters of one class of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// L: from the port of the sender to that of the receiver, nanoseconds.
    pub latency: u64,
    /// o: what a message costs the processor at each end, nanoseconds.
    pub overhead: u64,
    /// g: the least time between two messages from one port, nanoseconds.
    pub gap: u64,
    /// G: each byte after the first, picoseconds.
    pub per_byte: u64,
    /// O: what a byte costs the processor at each end, picoseconds.
    pub copy: u64,
    /// S: the longest message that is sent without asking, bytes.
    pub eager: usize,
}

impl Link {
    /// (m - 1) G: from the first byte to the last, nanoseconds.
    pub fn serial(&self, bytes: usize) -> u64 {
        (bytes as u64).saturating_sub(1) * self.per_byte / 1000
    }

    /// What sending costs the processor at the call: a message that has to ask goes as an empty one.
    pub fn leaving(&self, bytes: usize) -> u64 {
        self.busy(if bytes <= self.eager { bytes } else { 0 })
    }

    /// o + m O: what a message costs the processor at one end, nanoseconds.
    pub fn busy(&self, bytes: usize) -> u64 {
        self.overhead + bytes as u64 * self.copy / 1000
    }
}

/// Where a rank's messages leave it, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Port {
    free: u64,
}

/// A message under way: when its last byte has left and when it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// The last byte has left the sender's memory.
    pub left: u64,
    /// The last byte is at the receiver.
    pub arrives: u64,
}

impl Port {
    /// Lets a message of `bytes` out as soon as the port is free, at `ready` at the earliest.
    pub fn inject(&mut self, ready: u64, link: &Link, bytes: usize) -> Flight {
        let (begins, serial) = (ready.max(self.free), link.serial(bytes));
        self.free = begins + link.gap + serial;
        Flight { left: begins + serial, arrives: begins + link.latency + serial }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: Link = Link { latency: 1000, overhead: 100, gap: 40, per_byte: 500, copy: 0, eager: 4096 };

    #[test]
    fn the_first_byte_is_free_and_the_port_is_busy_for_the_rest() {
        let mut port = Port::default();
        assert_eq!(port.inject(10, &LINK, 0), Flight { left: 10, arrives: 1010 });
        assert_eq!(port.inject(10, &LINK, 1), Flight { left: 50, arrives: 1050 });
        assert_eq!(port.inject(10, &LINK, 2001), Flight { left: 1090, arrives: 2090 });
        assert_eq!(port.inject(0, &LINK, 0), Flight { left: 1130, arrives: 2130 });
        assert_eq!(port.inject(5000, &LINK, 0), Flight { left: 5000, arrives: 6000 });
    }

    #[test]
    fn bytes_cost_the_processor_where_it_copies() {
        assert_eq!(LINK.busy(1 << 20), 100);
        assert_eq!(Link { copy: 250, ..LINK }.busy(1000), 350);
    }
}
