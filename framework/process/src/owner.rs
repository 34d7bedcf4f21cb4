//! The process for which this one works, however many others are between them.
//!
//! A job's leader gets a signal when the process that started it is killed ([`Job`](crate::Job)), but a leader that is not ours
//! (cargo, a shell) does not hand it on. So a job's environment names the process that started it, and every process of ours
//! below, whoever started that, watches the named one: when it has ended, this one asks itself to end, and ends its own jobs.
//!
//! A program that cargo started, as in a plain `cargo test`, has no named owner and watches cargo.

use std::{io, process::Command, thread, time::Duration};

use rustix::process::{Pid, Signal, getpid, kill_process};

use crate::identity;

/// The environment variable that names the owner: its number and its start.
const OWNER: &str = "WB_OWNER";

/// How often an owner is looked at where the system cannot tell of its end.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Names this process as the owner of what `command` starts.
pub(crate) fn own(command: &mut Command) {
    let pid = std::process::id();
    command.env(OWNER, format!("{pid}:{}", identity::started(pid).unwrap_or_default()));
}

/// From now on this process ends (by SIGTERM, its jobs first) when the process ends for which it works. Does nothing
/// without an owner.
///
/// # Errors
/// When the system refuses a thread or the handlers of signals.
pub fn end_with_owner() -> io::Result<()> {
    let Some((pid, start)) = owner() else { return Ok(()) };
    crate::group::watch_signals()?;
    let wait = move || {
        wait_for_end(pid, &start);
        // A process may always signal itself.
        let _sent = kill_process(getpid(), Signal::TERM);
    };
    thread::Builder::new().name("wb-owner".into()).spawn(wait)?;
    Ok(())
}

fn owner() -> Option<(u32, String)> {
    let Ok(named) = std::env::var(OWNER) else { return cargo() };
    let (pid, start) = named.split_once(':')?;
    Some((pid.parse().ok().filter(|&pid| pid != std::process::id())?, start.to_owned()))
}

/// The process that started this one, if that is cargo, which names itself to what it starts.
fn cargo() -> Option<(u32, String)> {
    std::env::var_os("CARGO")?;
    let parent = rustix::process::getppid()?.as_raw_nonzero().get().cast_unsigned();
    Some((parent, identity::started(parent).unwrap_or_default()))
}

/// Waits until the process has ended, whatever has become of its number since.
fn wait_for_end(pid: u32, start: &str) {
    while identity::is_there(pid, start) && Pid::from_raw(pid.cast_signed()).is_some_and(is_reachable) {
        sleep_until_end(pid);
    }
}

/// A process that has ended and waits to be collected is no owner any more.
fn is_reachable(pid: Pid) -> bool {
    rustix::process::test_kill_process(pid).is_ok_and(|()| !is_zombie(pid))
}

fn is_zombie(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    stat.is_ok_and(|stat| {
        stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with(['Z', 'X']))
    })
}

/// Sleeps until the process ends, where the system can tell, and else for a moment.
#[cfg(target_os = "linux")]
fn sleep_until_end(pid: u32) {
    use rustix::{
        event::{PollFd, PollFlags, poll},
        process::{PidfdFlags, pidfd_open},
    };
    let Some(pid) = Pid::from_raw(pid.cast_signed()) else { return };
    match pidfd_open(pid, PidfdFlags::empty()) {
        Ok(process) => {
            let ended = poll(&mut [PollFd::new(&process, PollFlags::IN)], None);
            if ended.is_err() {
                thread::sleep(LOOK_EVERY);
            }
        }
        Err(_) => thread::sleep(LOOK_EVERY),
    }
}

#[cfg(not(target_os = "linux"))]
fn sleep_until_end(_: u32) {
    thread::sleep(LOOK_EVERY);
}
