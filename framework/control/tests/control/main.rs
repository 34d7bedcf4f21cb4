//! The control network over real connections on this machine: the law of the barrier, exact requests, admission, limits,
//! and clients and servers that misbehave. What several tests need is here.
mod faults;
mod laws;
mod proxy;

use std::{
    sync::atomic::{AtomicU64, Ordering::SeqCst},
    thread,
    time::{Duration, Instant},
};

use oorandom::Rand32;
use wb_comm::Barrier;
use wb_control::{Client, ControlBarrier, Credentials, GroupMember, RetryPolicy, Server, StoreLimits};

const TIMEOUT: Duration = Duration::from_secs(20);

/// One member's barrier.
type MemberBarrier = Box<dyn Barrier + Send>;

fn start(limits: StoreLimits) -> Server {
    Server::start(limits).expect("a server")
}

/// A member of a group of `size`.
fn member(group: &str, rank: usize, size: usize) -> GroupMember {
    GroupMember { group: group.into(), rank, size }
}

/// A client that is the only member of its group.
fn client(server: &Server, group: &str) -> wb_control::Result<Client> {
    Client::connect(server.credentials(), member(group, 0, 1), RetryPolicy::default())
}

fn join_all(server: Credentials, group: &str, size: usize, policy: RetryPolicy) -> Vec<MemberBarrier> {
    make_all(size, |rank| {
        let client = Client::connect(server, member(group, rank, size), policy).expect("joined");
        Box::new(ControlBarrier::new(client, TIMEOUT)) as MemberBarrier
    })
}

/// The server serves members, as a new group of three.
fn assert_serves(server: &Server, group: &str) {
    let members = join_all(server.credentials(), group, 3, RetryPolicy::default());
    check_barrier_law(members, 5, |_, _| 0).expect("the law");
}

/// Makes something on a thread for each member.
fn make_all<T: Send>(size: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let make = &make;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..size).map(|rank| scope.spawn(move || make(rank))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let by = Instant::now() + TIMEOUT;
    while !is_so() {
        assert!(Instant::now() < by, "{what}: not within {TIMEOUT:?}");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Runs `episodes` on threads, one for each member: no member leaves episode b before every member has entered it.
/// `delay` is how many microseconds a member takes to come to its next episode.
///
/// # Errors
/// What the barriers said, or that a member left too early.
fn check_barrier_law(
    members: Vec<MemberBarrier>,
    episodes: u64,
    delay: fn(usize, &mut Rand32) -> u32,
) -> Result<(), String> {
    let entered: Vec<_> = members.iter().map(|_| AtomicU64::new(0)).collect();
    let run = |rank: usize, mut member: MemberBarrier| {
        let mut random = Rand32::new(rank as u64);
        for episode in 1..=episodes {
            thread::sleep(Duration::from_micros(delay(rank, &mut random).into()));
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
