//! Runs programs without network, with a read-only file system and with limits, through bubblewrap.
//!
//! The program sees the system's folders and what [`SandboxedCommand`] names, nothing else: no home folder, no other
//! processes, no network but a loopback interface of its own. It may write in the named folders and in a private `/tmp` and
//! `/dev/shm`. Only the named environment variables are left. Memory, processes and processor time are limited, and the
//! whole sandbox ends with the process that started it.
//!
//! The invariant: *there is no run without the sandbox that was asked for.* Where it does not work, [`Sandbox::find`] returns
//! an error, which names what to install.
//!
//! Programs inside have no system call that makes a namespace, and none that makes memory which no limit counts. The memory of
//! all of them together is watched by the process that started the sandbox.
//!
//! Linux namespaces do the work, and [bubblewrap](https://github.com/containers/bubblewrap) sets them up: `unsafe` system
//! calls between `fork` and `exec` are not code of ours. `prlimit` of util-linux sets the limits, and `setpriv` changes the
//! user where this process is root's, because root is exempt from limits.

mod command;
mod error;
#[cfg(target_os = "linux")]
mod guards;
mod installed;
mod limits;
mod memory_excess;
#[cfg(target_os = "linux")]
mod memory_watch;
mod programs;
#[cfg(target_os = "linux")]
mod system_calls;

pub use command::SandboxedCommand;
pub use error::SandboxError;
pub use installed::Sandbox;
pub use limits::SandboxLimits;
pub use memory_excess::{ExcessReport, MemoryExcess};
