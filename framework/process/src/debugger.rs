//! Waiting for a debugger: a process stops before its work until a debugger traces it.
//!
//! A job starts its ranks by itself, so a debugger cannot start the one that it is for. It attaches to the waiting rank
//! instead, sets its breakpoints, and lets the process continue.

use std::{io, time::Duration};

/// How long a process waits, so that a forgotten one does not stay for ever.
pub const DEBUGGER_TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// Waits until a debugger has attached to this process, at most [`DEBUGGER_TIMEOUT`]; returns whether one has.
///
/// # Errors
/// The system does not report whether a process is traced: `Unsupported` on other systems than Linux.
#[cfg(target_os = "linux")]
pub fn wait_for_debugger() -> io::Result<bool> {
    use std::{thread, time::Instant};

    use rustix::process::{PTracer, set_ptracer};

    // Where the kernel lets only a parent trace a process (Yama), any process of the same user may from now on. Kernels
    // without Yama do not know the request and need none.
    let _without_yama = set_ptracer(PTracer::Any);
    let start = Instant::now();
    while start.elapsed() < DEBUGGER_TIMEOUT {
        if tracer()?.is_some() {
            return Ok(true);
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(false)
}

/// Waits until a debugger has attached to this process.
///
/// # Errors
/// `Unsupported`: this system does not report whether a process is traced.
#[cfg(not(target_os = "linux"))]
pub fn wait_for_debugger() -> io::Result<bool> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The process that traces this one.
#[cfg(target_os = "linux")]
fn tracer() -> io::Result<Option<u32>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    tracer_in(&status).ok_or_else(|| io::ErrorKind::Unsupported.into())
}

/// The field `TracerPid` of a status; the outer `None` if there is none.
#[cfg(target_os = "linux")]
fn tracer_in(status: &str) -> Option<Option<u32>> {
    let field = status.lines().find_map(|line| line.strip_prefix("TracerPid:"))?;
    let pid: u32 = field.trim().parse().ok()?;
    Some((pid != 0).then_some(pid))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_tracer_is_a_process_other_than_zero() {
        assert_eq!(tracer_in("Name:\tx\nTracerPid:\t0\nUid:\t0\n"), Some(None));
        assert_eq!(tracer_in("Name:\tx\nTracerPid:\t4711\n"), Some(Some(4711)));
        assert_eq!(tracer_in("Name:\tx\n"), None);
        assert!(tracer().is_ok(), "this kernel reports it");
    }
}
