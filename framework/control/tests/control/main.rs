//! The control network over real connections on this machine: the law of the barrier, exact requests, admission, limits,
//! and clients and servers that misbehave. What several tests need is here.
mod faults;
mod laws;
mod proxy;

use std::{
    net::Ipv4Addr,
    sync::atomic::{AtomicU64, Ordering::SeqCst},
    thread,
    time::{Duration, Instant},
};

use oorandom::Rand32;
use wb_comm::Barrier;
use wb_control::{Client, ControlBarrier, Credentials, RetryPolicy, Server};

const TIMEOUT: Duration = Duration::from_secs(20);

fn start(max_clients: usize) -> Server {
    Server::start(Ipv4Addr::LOCALHOST, max_clients).expect("a server")
}

fn client(server: &Server) -> Client {
    Client::connect(server.credentials(), RetryPolicy::default()).expect("a client")
}

/// A member of the group "world".
fn join(
    server: Credentials,
    rank: usize,
    size: usize,
    policy: RetryPolicy,
) -> wb_comm::Result<ControlBarrier> {
    Ok(ControlBarrier::join(Client::connect(server, policy)?, "world", rank, size, TIMEOUT)?)
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
fn check_barrier_law<B: Barrier>(
    size: usize,
    join: impl Fn(usize) -> wb_comm::Result<B> + Sync,
    episodes: u64,
    delay: fn(usize, &mut Rand32) -> u32,
) -> Result<(), String> {
    let entered: Vec<_> = (0..size).map(|_| AtomicU64::new(0)).collect();
    let run = |rank: usize| {
        let mut member = join(rank).map_err(|error| error.to_string())?;
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
    make_all(size, run).into_iter().collect()
}
