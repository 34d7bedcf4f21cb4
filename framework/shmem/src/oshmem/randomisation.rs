//! Jobs whose processes have equal address maps.
//!
//! Open MPI's OpenSHMEM exchanges a table of memory segments at start, read from each process's map, and assumes that
//! all PEs have the same number of them. Where addresses are randomised, neighbouring areas are sometimes merged into
//! one, so the numbers sometimes differ: `shmem_init` then writes past the end of a table (open-mpi/ompi issue 13621).
//! Measured on Open MPI 4.1.4: 1 crash in 15 starts of 2 PEs, 16 in 30 of 4; none in 45 without randomisation. Leaving
//! the exchange out (`memheap_base_key_exchange = 0`) does not help: then every put crashes.
use std::{io, os::unix::process::CommandExt, process::Command, thread};

use crate::oshmem::{Error, Result};

/// Asks for the present value, changes nothing.
#[cfg(target_os = "linux")]
const QUERY_PERSONA: libc::c_ulong = 0xffff_ffff;

/// Makes `command`, a launcher, and its descendants on this machine run without randomised addresses.
///
/// # Errors
/// [`Error::AlwaysRandomised`] where the system does not permit it (in some containers).
pub fn without_randomisation(command: &mut Command) -> Result<()> {
    check_permitted()?;
    // SAFETY: between fork and exec only `personality` is called, a plain system call.
    unsafe { command.pre_exec(disable) };
    Ok(())
}

/// Tested on a thread of its own: the setting belongs to the thread.
fn check_permitted() -> Result<()> {
    let tried = thread::spawn(disable).join().unwrap_or_else(|_| Err(io::Error::other("a thread panicked")));
    tried.map_err(|error| Error::AlwaysRandomised(error.to_string()))
}

#[cfg(target_os = "linux")]
fn disable() -> io::Result<()> {
    let now = personality(QUERY_PERSONA)?;
    personality(now | libc::ADDR_NO_RANDOMIZE as libc::c_ulong).map(drop)
}

/// Other systems have no such setting of a process.
#[cfg(not(target_os = "linux"))]
fn disable() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Are addresses randomised in this process?
#[cfg(target_os = "linux")]
pub(crate) fn is_enabled() -> bool {
    personality(QUERY_PERSONA).is_ok_and(|now| now & libc::ADDR_NO_RANDOMIZE as libc::c_ulong == 0)
}

/// Are addresses randomised in this process? They are on every other system.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_enabled() -> bool {
    true
}

#[cfg(target_os = "linux")]
fn personality(persona: libc::c_ulong) -> io::Result<libc::c_ulong> {
    // SAFETY: a system call without pointers.
    match unsafe { libc::personality(persona) } {
        -1 => Err(io::Error::last_os_error()),
        before => Ok(before as libc::c_ulong),
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn a_command_runs_without_randomisation_and_this_process_stays_as_it_is() {
        let (before, mut shown) = (is_enabled(), Command::new("cat"));
        shown.arg("/proc/self/personality");
        match without_randomisation(&mut shown) {
            Ok(()) => {
                let personality = shown.output().expect("cat runs").stdout;
                let personality = u64::from_str_radix(String::from_utf8_lossy(&personality).trim(), 16)
                    .expect("hexadecimal");
                assert_ne!(personality & libc::ADDR_NO_RANDOMIZE as u64, 0);
            }
            Err(error) => assert!(matches!(error, Error::AlwaysRandomised(_)), "{error}"),
        }
        assert_eq!(is_enabled(), before);
    }
}
