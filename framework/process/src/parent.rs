//! Processes that end when their parent ends.

use std::{io, process::Command};

/// Makes the kernel kill this process as soon as its parent ends.
///
/// For ranks: a launcher may put them in process groups of their own, where no group signal of ours finds them, and a
/// launcher that was killed cannot clean up. Call it early. Nothing happens on systems without such a facility.
///
/// # Errors
/// When the kernel refuses, which it does not do for a valid signal.
pub fn die_with_parent() -> io::Result<()> {
    let parent = parent_id();
    set_parent_death_signal(libc::SIGKILL)?;
    if parent_id() != parent {
        crate::exit_now(1); // The parent ended before the kernel knew what to do about it.
    }
    Ok(())
}

/// Makes the child of `command` receive SIGTERM when the *thread* that spawns it ends; [`crate::spawner`] ensures that
/// this thread lives as long as the process.
pub(crate) fn set_terminate_with_parent(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    let parent = std::process::id();
    let bind = move || {
        set_parent_death_signal(libc::SIGTERM)?;
        if parent_id() != parent {
            crate::exit_now(1);
        }
        Ok(())
    };
    // SAFETY: between fork and exec only async-signal-safe calls are allowed: `bind` makes the system calls prctl,
    // getppid and _exit, allocates nothing and takes no lock.
    unsafe { command.pre_exec(bind) };
}

fn parent_id() -> u32 {
    std::os::unix::process::parent_id()
}

#[cfg(target_os = "linux")]
fn set_parent_death_signal(signal: libc::c_int) -> io::Result<()> {
    // SAFETY: PR_SET_PDEATHSIG takes one integer and writes no memory.
    match unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, signal) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(not(target_os = "linux"))]
fn set_parent_death_signal(_signal: libc::c_int) -> io::Result<()> {
    Ok(())
}
