//! The owner: the process for which this one works, however many others are between them.
//!
//! A job's leader gets a signal when the process that started it is killed ([`Job`](crate::Job)), but a leader that is not ours
//! (cargo, a shell) does not forward it. So a job's environment names the process that started it, and every process of ours
//! below watches the named one. When that one has ended, this one signals itself to end, and ends its own jobs.
//!
//! First it waits for the job's leader, which has the signal already: a launcher whose ranks end by themselves while it ends them may wait
//! for them for ever. A leader that still runs after [`LEADER_GRACE`] is killed, because no other process of the job may be left to do it.
//!
//! A program that cargo started, as in a plain `cargo test`, has no named owner and watches cargo.
//!
//! A rank on another host does not see the owner. Its launcher's daemon there ends when the launcher does, and the rank with
//! its parent, which is that daemon ([`die_with_parent`](crate::die_with_parent)).

use std::{
    io,
    os::fd::OwnedFd,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, poll},
    process::{Pid, Signal, getpid, kill_process},
};

use crate::{
    children,
    identity::{ProcessIdentity, Stat},
};

/// The environment variable that names the owner.
pub const OWNER_VARIABLE: &str = "WB_OWNER";

/// The interval of checks of an owner where the system cannot report its end.
const OWNER_POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The time that the leader of a job has to end the job after the end of its owner.
const LEADER_GRACE: Duration = Duration::from_secs(5);

/// The interval of checks of a leader.
const LEADER_POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Names this process as the owner of what `command` starts.
pub(crate) fn set_owner(command: &mut Command) {
    command.env(OWNER_VARIABLE, ProcessIdentity::current().to_string());
}

/// Makes this process end (by SIGTERM, its jobs first) when its owner ends, after the leader of the job to which it belongs. Does
/// nothing without an owner.
///
/// # Errors
/// When the system refuses a thread or the handlers of signals.
pub fn end_with_owner() -> io::Result<()> {
    let Some(owner) = find_owner() else { return Ok(()) };
    crate::group::handle_signals()?;
    let leader = leader_started_by(&owner);
    let wait = move || {
        wait_for_end(&owner, open_end);
        leader.as_ref().into_iter().for_each(end_leader);
        // A process may always signal itself.
        let _sent = kill_process(getpid(), Signal::TERM);
    };
    thread::Builder::new().name("wb-owner".into()).spawn(wait)?;
    Ok(())
}

fn find_owner() -> Option<ProcessIdentity> {
    let Ok(named) = std::env::var(OWNER_VARIABLE) else { return cargo_parent() };
    visible_owner(&named).filter(|owner| *owner != ProcessIdentity::current())
}

/// The named owner, if this process sees it.
fn visible_owner(named: &str) -> Option<ProcessIdentity> {
    named.parse().ok().filter(ProcessIdentity::is_visible)
}

/// The process that started this one, if that is cargo, which names itself to what it starts.
fn cargo_parent() -> Option<ProcessIdentity> {
    std::env::var_os("CARGO")?;
    let parent = rustix::process::getppid()?.as_raw_nonzero().get().cast_unsigned();
    ProcessIdentity::of(parent)
}

/// The process above this one that the owner has started: the leader of a job of the owner. `None` where there is none, as below a daemon of
/// Slurm.
fn leader_started_by(owner: &ProcessIdentity) -> Option<ProcessIdentity> {
    let mut process = rustix::process::getppid()?.as_raw_nonzero().get().cast_unsigned();
    loop {
        let parent = Stat::of(process)?.parent()?;
        if parent == owner.number() {
            return ProcessIdentity::of(process);
        }
        process = parent;
    }
}

/// Waits for the end of a job's leader, and kills it after its grace.
fn end_leader(leader: &ProcessIdentity) {
    let start = Instant::now();
    while !leader.has_ended() && start.elapsed() < LEADER_GRACE {
        thread::sleep(LEADER_POLL_INTERVAL);
    }
    children::kill(leader);
}

/// Opens a descriptor that becomes readable when a process ends.
type Open = fn(Pid) -> io::Result<OwnedFd>;

/// Waits until the process has ended, even if its number is reused. Where `open` fails, it polls.
fn wait_for_end(process: &ProcessIdentity, open: Open) {
    let Some(pid) = Pid::from_raw(process.number().cast_signed()) else { return };
    while !process.has_ended() {
        wait_for_exit_or_interval(pid, open);
    }
}

/// Sleeps until the process ends, or for an interval where the system cannot report that.
fn wait_for_exit_or_interval(pid: Pid, open: Open) {
    let ended = open(pid).and_then(|process| Ok(poll(&mut [PollFd::new(&process, PollFlags::IN)], None)?));
    if ended.is_err() {
        thread::sleep(OWNER_POLL_INTERVAL);
    }
}

#[cfg(target_os = "linux")]
fn open_end(pid: Pid) -> io::Result<OwnedFd> {
    use rustix::process::{PidfdFlags, pidfd_open};
    Ok(pidfd_open(pid, PidfdFlags::empty())?)
}

#[cfg(not(target_os = "linux"))]
fn open_end(_: Pid) -> io::Result<OwnedFd> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// The number of calls on a system without such descriptors.
    static CHECKS: AtomicU32 = AtomicU32::new(0);

    fn refused(_: Pid) -> io::Result<OwnedFd> {
        CHECKS.fetch_add(1, Ordering::SeqCst);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The time from the kill of a process that is not reaped until its end is detected.
    fn seen_after(open: Open) -> Duration {
        let mut child = Command::new("sleep").arg("60").spawn().expect("a process");
        let process = ProcessIdentity::of(child.id()).expect("it runs");
        let waiting = thread::spawn(move || wait_for_end(&process, open));
        thread::sleep(OWNER_POLL_INTERVAL * 3 / 2);
        assert!(!waiting.is_finished(), "it runs");
        child.kill().expect("it runs");
        let killed = Instant::now();
        waiting.join().expect("no panic");
        let seen = killed.elapsed();
        child.wait().expect("its end");
        seen
    }

    #[test]
    fn the_end_of_a_process_is_seen_where_the_system_tells_and_where_it_does_not() {
        let many = OWNER_POLL_INTERVAL * 20;
        assert!(seen_after(open_end) < many);
        let start = Instant::now();
        assert!(seen_after(refused) < many);
        let most = start.elapsed().as_millis() / OWNER_POLL_INTERVAL.as_millis() + 1;
        let checks = u128::from(CHECKS.load(Ordering::SeqCst));
        assert!((2..=most).contains(&checks), "{checks} looks, at most {most} were due");
    }

    #[test]
    fn an_owner_on_another_host_is_not_watched() {
        let own = ProcessIdentity::current();
        assert_eq!(visible_owner(&own.to_string()), Some(own.clone()));
        for other in [format!("{own}0"), "17-4711-other.4026531836".into(), "17-4711".into(), String::new()] {
            assert_eq!(visible_owner(&other), None, "{other}");
        }
    }

    #[test]
    fn another_process_with_the_same_number_is_not_waited_for() {
        let own = ProcessIdentity::current().to_string();
        let (number, rest) = own.split_once('-').expect("parts");
        let (_, table) = rest.split_once('-').expect("parts");
        let earlier = format!("{number}-0-{table}").parse().expect("an identity");
        wait_for_end(&earlier, |_| panic!("it is not there"));
    }
}
