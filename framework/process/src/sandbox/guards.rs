//! What the kernel and this process do about a sandbox while it runs: its system calls are filtered, its memory is watched.
use std::{fs::File, io, io::Write, process::Command};

use rustix::fs::{MemfdFlags, memfd_create};

use crate::{
    inherit,
    sandbox::{ExcessReport, SandboxLimits, memory_watch, system_calls},
};

/// Adds the filter, and starts the watch, which ends with the sandbox or with `command`.
pub(crate) fn add(command: &mut Command, limits: &SandboxLimits, excess: &ExcessReport) -> io::Result<()> {
    let mut filter = File::from(memfd_create("wb-sandbox-filter", MemfdFlags::CLOEXEC)?);
    filter.write_all(&system_calls::filter()?)?;
    let filter = inherit(command, filter.into());
    let (status, writer) = io::pipe()?;
    let writer = inherit(command, writer.into());
    memory_watch::start(status, limits.memory, excess.clone())?;
    command.args(["--seccomp", &filter.to_string(), "--info-fd", &writer.to_string()]);
    Ok(())
}
