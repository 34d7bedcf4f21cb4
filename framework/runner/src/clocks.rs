//! The clocks of several hosts: how far apart they are, how they drift, and how certain a corrected stamp is.
//!
//! Ranks of one host read one clock. Ranks of two hosts read two, whose difference can be days and changes by up to some
//! tens of microseconds a second. The time of a repetition is `max(end) - min(start)` over all ranks, so it needs stamps
//! of one clock. This crate measures the difference with messages of the job itself, and corrects stamps afterwards: the
//! timed region contains two readings of the own clock and nothing else.
//!
//! 1. One rank of each host, the lowest, exchanges messages with a rank of another host ([`compare_clocks`]). Of many exchanges the
//!    one with the shortest round trip counts ([`RoundTrip`]): its two readings on one side enclose the reading on the other
//!    side, so half of the round trip bounds the error, however asymmetric the two ways are.
//! 2. Two comparisons, before and after, give the drift. Between them the map of one clock to the other is linear
//!    ([`ClockMap`]).
//! 3. A stamp of any host becomes a stamp of the clock of rank 0, the *reference*, along the chain of maps with the least
//!    sum of bounds ([`CommonClock`]).
//!
//! The invariant: *the true reference time of a corrected stamp lies within its stated uncertainty* wherever the clocks
//! are linear between two comparisons. The uncertainty is a bound, not a standard deviation.
//!
//! Sources: T. Hoefler, T. Schneider, A. Lumsdaine, *Accurately measuring overhead, communication time and progression of
//! blocking and nonblocking collective operations at massive scale*, IJPEDS 25(4), 2010 (the filter by the shortest round trip, the tree of
//! hosts); S. Hunold, A. Carpen-Amarie, *Hierarchical clock synchronization in MPI*, CLUSTER 2018 (HCA3: drift as a linear
//! model for each host, one clock for each shared time source); F. Cristian, *Probabilistic clock synchronization*,
//! Distributed Computing 3, 1989 (the bound by half of the round trip).
//!
//! Everything but [`compare_clocks`] is a pure function of readings, and `compare_clocks` gets its clock from the caller.
//!
//! ```
//! use wb_runner::clocks::{CommonClock, HostClocks, RoundTrip};
//!
//! // Rank 1 is on another host, whose clock is 5 s ahead.
//! let clocks = HostClocks::from_identities(&["one", "other"]);
//! let mut common = CommonClock::new(clocks, 1);
//! common.add(&[RoundTrip { sent_ns: 1_000, remote_ns: 5_000_001_010, received_ns: 1_020 }]);
//! common.add(&[RoundTrip { sent_ns: 9_000, remote_ns: 5_000_009_010, received_ns: 9_020 }]);
//! let stamp = common.correct(1, 5_000_005_000);
//! assert_eq!((stamp.reference_ns, stamp.uncertainty_ns), (5_000, 14));
//! ```

mod clock_map;
mod clock_pair;
mod common_clock;
mod exchange;
mod host_clocks;
mod round_trip;

pub use clock_map::{ClockMap, MAX_RELATIVE_DRIFT_PPM};
pub use clock_pair::ClockPair;
pub use common_clock::{ClockEstimate, CommonClock, CorrectedStamp};
pub use exchange::{EXCHANGES, compare_clocks};
pub use host_clocks::HostClocks;
pub use round_trip::RoundTrip;

#[cfg(test)]
#[path = "../tests/clocks/laws/main.rs"]
mod interface;
