//! The law: no member leaves episode b before every member has entered it. Broken, it is an error, not a panic in a thread.
use std::{
    sync::atomic::{AtomicU64, Ordering::SeqCst},
    thread,
    time::Duration,
};

use oorandom::Rand32;
use wb_comm::Barrier;

/// One member's barrier.
pub(crate) type MemberBarrier = Box<dyn Barrier + Send>;

/// How long a member takes to come to its next episode.
pub(crate) type ArrivalDelay = fn(rank: usize, random: &mut Rand32) -> Duration;

/// Every member without delay.
pub(crate) fn no_delay(_: usize, _: &mut Rand32) -> Duration {
    Duration::ZERO
}

/// Every member at random, up to half a millisecond.
pub(crate) fn random_delay(_: usize, random: &mut Rand32) -> Duration {
    Duration::from_micros(u64::from(random.rand_range(0..500)))
}

/// Runs `episodes` on threads, one for each member.
///
/// # Errors
/// What the barriers said, or that a member left too early.
pub(crate) fn check_barrier_law(
    members: Vec<MemberBarrier>,
    episodes: u64,
    delay: ArrivalDelay,
) -> Result<(), String> {
    let entered: Vec<_> = members.iter().map(|_| AtomicU64::new(0)).collect();
    let run = |rank: usize, mut member: MemberBarrier| {
        let mut random = Rand32::new(rank as u64);
        for episode in 1..=episodes {
            thread::sleep(delay(rank, &mut random));
            entered[rank].store(episode, SeqCst);
            member.wait().map_err(|error| error.to_string())?;
            if let Some(missing) = entered.iter().position(|other| other.load(SeqCst) < episode) {
                return Err(format!("rank {rank} left episode {episode} before rank {missing} entered"));
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let members = members.into_iter().enumerate();
        let threads: Vec<_> = members.map(|(rank, member)| scope.spawn(move || run(rank, member))).collect();
        let ended: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("no panic")).collect();
        ended.into_iter().collect()
    })
}

/// Makes something on a thread for each member, as joining needs.
pub(crate) fn make_all<T: Send>(size: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let make = &make;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..size).map(|rank| scope.spawn(move || make(rank))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}
