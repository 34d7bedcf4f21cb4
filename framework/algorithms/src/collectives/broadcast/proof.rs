//! The proof of broadcasts from their own code: after one run every rank has the root's data.
//!
//! No broadcast depends on data, uses a wildcard receive or probes. So every rank's rounds are the same in every run,
//! and can be recorded on a transport that answers immediately. Receives name their senders, so the ranks are a Kahn
//! process network: the result does not depend on the schedule, and one run decides for all interleavings. The run
//! moves real elements, each with its own value, and is done twice: with sends that complete immediately, and with
//! every send synchronous, which is the only behaviour on which a program may rely.
//!
//! The properties: no rank sends to itself or outside of the communicator, no rank waits for ever, a message has the
//! length of its receive, no message is left over, every rank has every element of the root's; and the numbers of
//! messages and rounds are those of the formulas.
use std::fmt;

use wb_comm::Rank;

use super::{Broadcast, Extent};

mod network;
mod recorder;
#[cfg(test)]
mod wrong;

/// The costs of a broadcast in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BroadcastCost {
    /// Messages of all ranks.
    pub messages: usize,
    /// Elements in all of them.
    pub elements: usize,
    /// Unit times until the last message has arrived, where each rank has one port to send and each message takes one.
    pub rounds: usize,
}

/// The case for which something is proved or refuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BroadcastCase {
    /// Ranks, elements, elements of a segment.
    pub extent: Extent,
    /// The root.
    pub root: Rank,
    /// Whether sends are synchronous.
    pub synchronous: bool,
}

/// The reason why a program is not a broadcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BroadcastRefutation {
    /// It cannot be recorded: its operations depend on more than the lengths, or it fails.
    NotRecordable {
        /// The rank.
        rank: Rank,
        /// The error.
        error: String,
    },
    /// A rank sends to itself, or to or from a rank that does not exist.
    InvalidPeer {
        /// The rank.
        rank: Rank,
        /// Its round, counted from 0.
        round: usize,
        /// The peer.
        peer: Rank,
    },
    /// Ranks wait for ever; this is the lowest.
    Deadlock {
        /// The rank.
        rank: Rank,
        /// Its round, counted from 0.
        round: usize,
        /// The rank that it waits for.
        peer: Rank,
    },
    /// A message is not as long as its receive.
    LengthMismatch {
        /// The sender.
        from: Rank,
        /// The receiver.
        to: Rank,
        /// Elements of the message.
        sent: usize,
        /// Elements of the receive.
        capacity: usize,
    },
    /// No rank receives a message.
    UnmatchedMessage {
        /// The sender.
        from: Rank,
        /// The destination.
        to: Rank,
    },
    /// A rank ends without an element of the root's.
    MissingElement {
        /// The rank.
        rank: Rank,
        /// The element.
        element: usize,
    },
    /// The number of messages differs from the formula.
    MessageCount {
        /// Messages that were sent.
        sent: usize,
        /// Messages of the formula.
        formula: usize,
    },
    /// The number of rounds differs from the formula.
    RoundCount {
        /// Rounds of the run.
        actual: usize,
        /// Rounds of the formula.
        formula: usize,
    },
}

impl fmt::Display for BroadcastCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Extent { size, count, segment } = self.extent;
        let mode = if self.synchronous { "synchronous" } else { "standard" };
        write!(f, "P = {size}, root {}, {count} elements, segments of {segment}, {mode} sends", self.root)
    }
}

impl fmt::Display for BroadcastRefutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRecordable { rank, error: why } => write!(f, "rank {rank}: {why}"),
            Self::InvalidPeer { rank, round, peer } if rank == peer => {
                write!(f, "rank {rank}, round {round}: sends to itself")
            }
            Self::InvalidPeer { rank, round, peer } => {
                write!(f, "rank {rank}, round {round}: there is no rank {peer}")
            }
            Self::Deadlock { rank, round, peer } => {
                write!(f, "deadlock: rank {rank}, round {round}, waits for rank {peer}")
            }
            Self::LengthMismatch { from, to, sent, capacity } => {
                write!(f, "rank {from} sends {sent} elements to rank {to}, which has room for {capacity}")
            }
            Self::UnmatchedMessage { from, to } => {
                write!(f, "nobody receives a message of rank {from} to rank {to}")
            }
            Self::MissingElement { rank, element } => write!(f, "rank {rank} ends without element {element}"),
            Self::MessageCount { sent, formula } => {
                write!(f, "{sent} messages were sent, the formula says {formula}")
            }
            Self::RoundCount { actual: took, formula } => {
                write!(f, "it took {took} rounds, the formula says {formula}")
            }
        }
    }
}

/// Runs the broadcast once, with elements that hold their positions.
///
/// # Errors
/// The violated property.
pub fn prove(broadcast: &Broadcast, case: &BroadcastCase) -> Result<BroadcastCost, BroadcastRefutation> {
    let programs = recorder::programs(broadcast, case)?;
    let cost = network::run(&programs, case)?;
    let formula = (broadcast.messages)(case.extent);
    // A group of one and a message without elements send nothing: the formulas are for the other cases.
    let formula = if case.extent.size == 1 || case.extent.count == 0 { 0 } else { formula };
    if cost.messages != formula {
        return Err(BroadcastRefutation::MessageCount { sent: cost.messages, formula });
    }
    match (broadcast.rounds)(case.extent).filter(|_| formula > 0) {
        Some(formula) if !case.synchronous && formula != cost.rounds => {
            Err(BroadcastRefutation::RoundCount { actual: cost.rounds, formula })
        }
        _ => Ok(cost),
    }
}

/// All cases of this number of ranks: every root, lengths around the values where the algorithms change, segments of
/// one element, of some and of all, both kinds of sends.
pub fn cases(size: usize) -> impl Iterator<Item = BroadcastCase> {
    let mut counts = vec![0, 1, 2, size.saturating_sub(1), size, size + 1, 2 * size + 1];
    counts.sort_unstable();
    counts.dedup();
    let extents = counts.into_iter().flat_map(move |count| {
        let mut segments = vec![1, 3, count.max(1)];
        segments.sort_unstable();
        segments.dedup();
        segments.into_iter().map(move |segment| Extent { size, count, segment })
    });
    extents.flat_map(|extent| {
        let roots = 0..extent.size;
        roots.flat_map(move |root| {
            [false, true].map(|synchronous| BroadcastCase { extent, root, synchronous })
        })
    })
}

/// Proves all [`cases`] of 1 to the given number of ranks; returns their number.
///
/// # Errors
/// The first case that is refuted, and why.
pub fn prove_all(
    broadcast: &Broadcast,
    most_ranks: usize,
) -> Result<usize, Box<(BroadcastCase, BroadcastRefutation)>> {
    let mut proved = 0;
    for case in (1..=most_ranks).flat_map(cases) {
        prove(broadcast, &case).map_err(|refutation| Box::new((case, refutation)))?;
        proved += 1;
    }
    Ok(proved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collectives::broadcast;

    #[test]
    fn every_broadcast_is_one() {
        assert!(broadcast::all().len() >= 14);
        for broadcast in broadcast::all() {
            let proved = prove_all(broadcast, 12);
            let proved =
                proved.unwrap_or_else(|refused| panic!("{}: {}: {}", broadcast.name, refused.0, refused.1));
            assert!(proved > 2000, "{}: {proved}", broadcast.name);
        }
    }

    #[test]
    fn large_jobs_too() {
        for broadcast in broadcast::all() {
            for size in [16, 17, 31, 32, 33, 64, 100] {
                for (count, segment) in [(size + 3, 4), (5, 2)] {
                    for root in [0, 1, size - 1] {
                        let case = BroadcastCase {
                            extent: Extent { size, count, segment },
                            root,
                            synchronous: true,
                        };
                        prove(broadcast, &case)
                            .unwrap_or_else(|why| panic!("{}: {case}: {why}", broadcast.name));
                        let case = BroadcastCase { synchronous: false, ..case };
                        prove(broadcast, &case)
                            .unwrap_or_else(|why| panic!("{}: {case}: {why}", broadcast.name));
                    }
                }
            }
        }
    }

    /// The formulas of sums, compared with those of the literature where these are closed.
    #[test]
    fn closed_forms_hold() {
        let messages = |name: &str, size, count| {
            (broadcast::find(name).expect("a row").messages)(Extent { size, count, segment: 1 })
        };
        for log in 1..8 {
            let size = 1_usize << log;
            assert_eq!(messages("scatter_doubling", size, size), size - 1 + size * log, "P = {size}");
            assert_eq!(messages("scatter_ring", size, size), size - 1 + size * (size - 1), "P = {size}");
            // The subtrees of all but the root hold P log2 P / 2 blocks, the root's P.
            let spared = size + size * log / 2 - size;
            assert_eq!(
                messages("scatter_ring_tuned", size, size),
                messages("scatter_ring", size, size) - spared
            );
        }
        assert_eq!(messages("split_binary", 7, 10), 3 * 5 + 3 * 5 + 6);
    }

    #[test]
    fn the_fewest_rounds_that_there_can_be_are_not_undercut() {
        for broadcast in broadcast::all() {
            for size in 2..40 {
                let extent = Extent { size, count: size, segment: 1 };
                let cost = prove(broadcast, &BroadcastCase { extent, root: 0, synchronous: false })
                    .expect("a broadcast");
                assert!(cost.rounds >= crate::barriers::logarithm::ceil_log2(size), "{}", broadcast.name);
                assert!(cost.elements >= size * (size - 1), "{}", broadcast.name);
            }
        }
    }
}
