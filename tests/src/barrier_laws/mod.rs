//! What every barrier promises, whatever carries it: the invariants I1 to I9 of the specification.
//!
//! A law is run by all ranks of a world on a [`LawRun`]: a barrier of the catalogue and a [`BarrierProvider`] that can build it.
//! It sees the barrier as a student does, through `wait`, and judges it by clocks, by what is left behind and by plain
//! memory. All ranks reach the same result, since they compare what they have gathered from each other; so a broken
//! law ends on every rank and never leaves one of them waiting. The messages with which a law judges never touch those
//! of the barrier, which has communicators and memory of its own.
//!
//! | law | invariant | what breaks it |
//! |---|---|---|
//! | `stamps` | I1: with each rank late in its turn, no rank leaves before it enters | leaving early |
//! | `storm` | I2: back to back with random delays nothing hangs, and I1 holds each time | a slot used too soon |
//! | `clean` | I3: no message is left, and memory depends on the number of episodes only | a signal that is not received |
//! | `count` | I4: as many signals as the formula gives | a signal too many |
//! | `mixing` | I6: two barriers of one team alternate | state that two barriers share |
//! | `overlap` | I7: teams {0,1,2}, {0,1}, {1,2} in any common order | state that two teams share |
//! | `visible` | I8: plain writes before are read after | an order that is missing |
//! | `complete` | I9: operations that are outstanding at the entry of a barrier are complete at its exit | a quiet that is missing |
//!
//! `complete` is for barriers that promise memory. That the others do not is shown on a memory that delays what it may:
//! `wb_algorithms::barriers`' explorer does it for every program and pattern, the canaries of this law on relaxed windows.
//!
//! I5 (rounds) follows from the plan and is a test of `wb_algorithms::barriers`.
use std::{error::Error, time::Duration};

use wb_algorithms::barriers::BarrierEntry;
use wb_comm::Operation;
use wb_world::World;

pub mod cells;
mod completion;
pub mod counting;
pub mod epochs;
mod leftovers;
pub mod memory;
pub mod messages;
pub mod named_barriers;
pub mod network;
pub mod provider;
pub mod shared_words;
#[cfg(feature = "mpi")]
pub mod shmem;
pub mod standard;
pub mod stream;
mod stress;
pub mod symmetric;
mod teams;
pub mod threads;
mod visibility;

pub use memory::{Region, TeamMemory, TeamThreadMemory, TeamWindowMemory};
pub use provider::{BarrierInstance, BarrierProvider, PutWords};

/// Kept, or what broke it.
pub type LawResult = Result<(), Box<dyn Error>>;

/// A law.
pub struct BarrierLaw {
    /// The name of the law in the table above.
    pub name: &'static str,
    /// Whether it applies to such a run.
    pub applies: fn(&LawRun<'_>) -> bool,
    check: fn(&LawRun<'_>) -> LawResult,
}

/// All laws.
pub const LAWS: &[BarrierLaw] = &[
    BarrierLaw { name: "stamps", applies: |_| true, check: stress::check_timestamps },
    BarrierLaw { name: "storm", applies: |_| true, check: stress::check_stress },
    BarrierLaw { name: "clean", applies: |_| true, check: leftovers::check_nothing_left },
    BarrierLaw {
        name: "count",
        applies: leftovers::has_signal_formula,
        check: leftovers::check_signal_count,
    },
    BarrierLaw { name: "mixing", applies: |_| true, check: teams::check_mixing },
    BarrierLaw { name: "overlap", applies: teams::can_overlap, check: teams::check_overlap },
    BarrierLaw { name: "visible", applies: |_| true, check: visibility::check_visibility },
    BarrierLaw {
        name: "complete",
        applies: completion::is_completion_promised,
        check: completion::check_completion,
    },
];

/// The environment of a law.
pub struct LawRun<'a> {
    /// For the law's own messages.
    pub world: &'a World,
    /// The memory that the ranks share.
    pub memory: &'a dyn TeamMemory,
    /// Builds the barrier.
    pub provider: &'a dyn BarrierProvider,
    /// The barrier.
    pub entry: &'a BarrierEntry,
    /// Another one of the same provider, to alternate with.
    pub partner: &'a BarrierEntry,
    /// The effort of the law.
    pub effort: LawEffort,
}

/// The thoroughness of a law: what a size and a substrate allow in a test's time.
#[derive(Clone, Copy, Debug)]
pub struct LawEffort {
    /// Episodes back to back.
    pub stress_episodes: usize,
    /// Episodes of the other laws.
    pub episodes: usize,
    /// The delay of the late rank.
    pub delay: Duration,
}

impl LawEffort {
    /// The effort on shared memory: 1000 episodes where every rank soon gets a core.
    pub fn in_memory(size: usize) -> Self {
        match size {
            1..=4 => Self { stress_episodes: 1000, episodes: 40, delay: Duration::from_millis(1) },
            5..=9 => Self { stress_episodes: 200, episodes: 10, delay: Duration::from_micros(500) },
            _ => Self { stress_episodes: 20, episodes: 4, delay: Duration::from_micros(200) },
        }
    }

    /// The effort between processes that share `cores`: where they are too many, each message may cost a time slice.
    pub fn between_processes(size: usize, cores: usize) -> Self {
        if size <= cores { Self::in_memory(size) } else { Self::for_expensive_signals(size) }
    }

    /// Where a signal is a time slice, a round trip of TCP, or a lock that all ranks share.
    pub fn for_expensive_signals(size: usize) -> Self {
        match size {
            ..=4 => Self { stress_episodes: 100, episodes: 6, delay: Duration::from_millis(1) },
            _ => Self { stress_episodes: 20, episodes: 4, delay: Duration::from_micros(500) },
        }
    }

    /// Where ranks that spin share cores, so that each message of the law's own costs a time slice as well.
    pub fn for_shared_cores() -> Self {
        Self { stress_episodes: 10, episodes: 2, delay: Duration::from_millis(1) }
    }

    /// The effort with messages between threads, which cost more.
    pub fn with_messages(size: usize) -> Self {
        match size {
            10.. => Self { stress_episodes: 10, ..Self::in_memory(size) },
            _ => Self::in_memory(size),
        }
    }
}

impl LawRun<'_> {
    /// Runs every law that applies; gives the names of those that were kept.
    ///
    /// # Errors
    /// The first that was broken, with the barrier, its provider and the number of ranks.
    pub fn run(&self) -> Result<Vec<&'static str>, String> {
        self.run_selected(|_| true)
    }

    /// As [`run`](Self::run), of laws that are `wanted`.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_selected(&self, wanted: impl Fn(&BarrierLaw) -> bool) -> Result<Vec<&'static str>, String> {
        let applying = LAWS.iter().filter(|law| wanted(law) && (law.applies)(self));
        applying.map(|law| self.check(law)).collect()
    }

    /// Runs one law.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn check(&self, law: &BarrierLaw) -> Result<&'static str, String> {
        let name = law.name;
        let message = |why| {
            let (rank, size) = (self.world.rank(), self.world.size());
            format!(
                "{} on {}, P = {size}, law {name}, rank {rank}: {why}",
                self.entry.name,
                self.provider.name()
            )
        };
        (law.check)(self).map(|()| name).map_err(message)
    }

    /// A number that is the same on all ranks and differs by barrier and size.
    fn seed(&self) -> u64 {
        let step = |sum: u64, byte: u8| sum.wrapping_mul(31).wrapping_add(byte.into());
        self.entry.name.bytes().fold(self.world.size() as u64, step)
    }
}

/// Collective: what the ranks have, reduced element by element. Cheaper by far than gathering, with many ranks.
fn allreduce(team: &World, mine: &[u64], how: Operation) -> wb_comm::Result<Vec<u64>> {
    let mut all = vec![0; mine.len()];
    team.allreduce(mine, &mut all, how)?;
    Ok(all)
}

/// Collective: the number of ranks where `so` holds.
fn count_ranks(team: &World, so: bool) -> wb_comm::Result<u64> {
    Ok(allreduce(team, &[u64::from(so)], Operation::Sum)?[0])
}
