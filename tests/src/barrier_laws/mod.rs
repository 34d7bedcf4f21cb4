//! What every barrier promises, whatever carries it: the invariants I1 to I9 of the specification.
//!
//! A law is run by all ranks of a world on a [`Trial`]: a barrier of the catalogue and a [`Carrier`] that can build it.
//! It sees the barrier as a student does, through `wait`, and judges it by clocks, by what is left behind and by plain
//! memory. All ranks come to the same judgement, since they judge what they have gathered from each other; so a broken
//! law ends on every rank and never leaves one of them waiting. The messages with which a law judges never touch those
//! of the barrier, which has communicators and memory of its own.
//!
//! | law | invariant | what breaks it |
//! |---|---|---|
//! | `stamps` | I1: with each rank late in its turn, nobody leaves before it enters | leaving early |
//! | `storm` | I2: back to back with random delays nothing hangs, and I1 holds each time | a slot used too soon |
//! | `clean` | I3: no message is left, and memory depends on the number of episodes only | a signal nobody hears |
//! | `count` | I4: as many signals as the formula says | a signal too many |
//! | `mixing` | I6: two barriers of one team alternate | state that two barriers share |
//! | `overlap` | I7: teams {0,1,2}, {0,1}, {1,2} in any common order | state that two teams share |
//! | `visible` | I8: plain writes before are read after | an order that is missing |
//! | `complete` | I9: what is outstanding when a barrier is entered has arrived when it is left | a quiet that is missing |
//!
//! `complete` is for barriers that promise memory. That the others do not is shown on a memory that delays what it may:
//! `wb-collectives`' explorer does it for every program and pattern, the canaries of this law on lax windows.
//!
//! I5 (rounds) follows from the plan and is a test of `wb-collectives`.
use std::{error::Error, time::Duration};

use wb_collectives::Entry;
use wb_comm::Operation;
use wb_world::World;

pub mod carrier;
pub mod cells;
mod completion;
pub mod counted;
pub mod epochs;
pub mod ground;
pub mod messages;
pub mod named;
pub mod network;
mod residue;
mod runs;
pub mod shared_words;
#[cfg(feature = "mpi")]
pub mod shmem;
pub mod standard;
pub mod stream;
pub mod symmetric;
mod teams;
pub mod threads;
mod visibility;

pub use carrier::{Carrier, Place, Words};
pub use ground::{Ground, OnThreads, OnWindows, Region};

/// Kept, or what broke it.
pub type Judgement = Result<(), Box<dyn Error>>;

/// A law.
pub struct Law {
    /// Its name in the table above.
    pub name: &'static str,
    /// Does it say anything about such a trial?
    pub applies: fn(&Trial<'_>) -> bool,
    judge: fn(&Trial<'_>) -> Judgement,
}

/// All laws.
pub const LAWS: &[Law] = &[
    Law { name: "stamps", applies: |_| true, judge: runs::stamps },
    Law { name: "storm", applies: |_| true, judge: runs::storm },
    Law { name: "clean", applies: |_| true, judge: residue::clean },
    Law { name: "count", applies: residue::counts, judge: residue::count },
    Law { name: "mixing", applies: |_| true, judge: teams::mixing },
    Law { name: "overlap", applies: teams::overlaps, judge: teams::overlap },
    Law { name: "visible", applies: |_| true, judge: visibility::visible },
    Law { name: "complete", applies: completion::completes, judge: completion::complete },
];

/// What a law is run on.
pub struct Trial<'a> {
    /// For the law's own messages.
    pub world: &'a World,
    /// What the ranks share beside messages.
    pub ground: &'a dyn Ground,
    /// Builds the barrier.
    pub carrier: &'a dyn Carrier,
    /// The barrier.
    pub entry: &'a Entry,
    /// Another one on the same carrier, to alternate with.
    pub partner: &'a Entry,
    /// How often, and how late.
    pub pace: Pace,
}

/// How thoroughly: what a size and a substrate allow in a test's time.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Episodes back to back.
    pub storm: usize,
    /// Episodes of the other laws.
    pub episodes: usize,
    /// How late the late rank is.
    pub late: Duration,
}

impl Pace {
    /// On shared memory: 1000 episodes where every rank soon gets a core.
    pub fn in_memory(size: usize) -> Self {
        match size {
            1..=4 => Self { storm: 1000, episodes: 40, late: Duration::from_millis(1) },
            5..=9 => Self { storm: 200, episodes: 10, late: Duration::from_micros(500) },
            _ => Self { storm: 20, episodes: 4, late: Duration::from_micros(200) },
        }
    }

    /// Between processes that share `cores`: where they are too many, each message may cost a time slice.
    pub fn between_processes(size: usize, cores: usize) -> Self {
        if size <= cores { Self::in_memory(size) } else { Self::of_dear_signals(size) }
    }

    /// Where a signal is a time slice, a round trip of TCP, or a visit to everybody's hub.
    pub fn of_dear_signals(size: usize) -> Self {
        match size {
            ..=4 => Self { storm: 100, episodes: 6, late: Duration::from_millis(1) },
            _ => Self { storm: 20, episodes: 4, late: Duration::from_micros(500) },
        }
    }

    /// Where ranks that spin share cores, so that each message of the law's own costs a time slice as well.
    pub fn of_time_slices() -> Self {
        Self { storm: 10, episodes: 2, late: Duration::from_millis(1) }
    }

    /// With messages between threads, which cost more.
    pub fn with_messages(size: usize) -> Self {
        match size {
            10.. => Self { storm: 10, ..Self::in_memory(size) },
            _ => Self::in_memory(size),
        }
    }
}

impl Trial<'_> {
    /// Runs every law that applies; gives the names of those that were kept.
    ///
    /// # Errors
    /// The first that was broken, with the barrier, its carrier and the number of ranks.
    pub fn run(&self) -> Result<Vec<&'static str>, String> {
        self.run_those(|_| true)
    }

    /// As [`run`](Self::run), of laws that are `wanted`.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_those(&self, wanted: impl Fn(&Law) -> bool) -> Result<Vec<&'static str>, String> {
        let applying = LAWS.iter().filter(|law| wanted(law) && (law.applies)(self));
        applying.map(|law| self.judge(law)).collect()
    }

    /// Runs one law.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn judge(&self, law: &Law) -> Result<&'static str, String> {
        let name = law.name;
        let told = |why| {
            let (rank, size) = (self.world.rank(), self.world.size());
            format!(
                "{} on {}, P = {size}, law {name}, rank {rank}: {why}",
                self.entry.name,
                self.carrier.name()
            )
        };
        (law.judge)(self).map(|()| name).map_err(told)
    }

    /// A number that is the same on all ranks and differs by barrier and size.
    fn seed(&self) -> u64 {
        let step = |sum: u64, byte: u8| sum.wrapping_mul(31).wrapping_add(byte.into());
        self.entry.name.bytes().fold(self.world.size() as u64, step)
    }
}

/// Collective: what the ranks have, reduced element by element. Cheaper by far than gathering, with many ranks.
fn reduced(team: &World, mine: &[u64], how: Operation) -> wb_comm::Result<Vec<u64>> {
    let mut all = vec![0; mine.len()];
    team.allreduce(mine, &mut all, how)?;
    Ok(all)
}

/// Collective: how many ranks say so?
fn how_many(team: &World, so: bool) -> wb_comm::Result<u64> {
    Ok(reduced(team, &[u64::from(so)], Operation::Sum)?[0])
}
