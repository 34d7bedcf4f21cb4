//! A command in the foreground: it has the terminal of this process.
use std::{
    io,
    process::{Command, ExitStatus},
};

/// Runs `command` until it ends, in the process group of this process. Ctrl-C ends it, and not this process, which can use what it has left.
///
/// # Errors
/// When the command cannot be started.
pub fn run_in_foreground(mut command: Command) -> io::Result<ExitStatus> {
    crate::parent::set_terminate_with_parent(&mut command);
    let mut child = command.spawn()?;
    // SAFETY: to ignore a signal installs no function.
    let former = unsafe { libc::signal(libc::SIGINT, libc::SIG_IGN) };
    let status = child.wait();
    // SAFETY: the action is the one that was there before.
    unsafe { libc::signal(libc::SIGINT, former) };
    status
}
