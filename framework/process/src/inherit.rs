//! Descriptors that a command keeps.

use std::{
    io,
    os::{
        fd::{AsRawFd, OwnedFd, RawFd},
        unix::process::CommandExt,
    },
    process::Command,
};

use rustix::{
    fs::{SeekFrom, seek},
    io::{FdFlags, fcntl_setfd},
};

/// Lets the program of `command` keep `descriptor`, read from its start if it is a file; the number that it has there.
///
/// The number is the same as here, so it replaces no other descriptor of the new process. It is open here as long as
/// `command` exists.
pub fn inherit(command: &mut Command, descriptor: OwnedFd) -> RawFd {
    let number = descriptor.as_raw_fd();
    let keep = move || {
        // A pipe has no position.
        let _of_a_pipe = seek(&descriptor, SeekFrom::Start(0));
        fcntl_setfd(&descriptor, FdFlags::empty()).map_err(io::Error::from)
    };
    // SAFETY: between fork and exec only async-signal-safe calls are allowed: `keep` makes the system calls lseek and fcntl,
    // allocates nothing and takes no lock.
    unsafe { command.pre_exec(keep) };
    number
}

#[cfg(test)]
mod tests {
    use std::io::{Seek as _, Write as _};

    use super::*;

    #[test]
    fn a_program_reads_an_inherited_file_from_its_start_each_time() {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(b"inherited").expect("written");
        file.rewind().expect("a file");
        let mut command = Command::new("sh");
        let number = inherit(&mut command, file.into());
        command.args(["-c", &format!("cat <&{number}")]);
        for _ in 0..2 {
            assert_eq!(command.output().expect("a shell").stdout, b"inherited");
        }
    }
}
