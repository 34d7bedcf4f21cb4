//! Process management: jobs with deadlines, early redirection, a launcher's environment, exits.
//!
//! The invariant: *no process outlives the process that started it, and no run passes that ran nothing.* A [`Job`] is a
//! process group with a hard deadline that ends when its parent ends, however that happens; a rank ends with its
//! launcher ([`die_with_parent`]); a test binary whose filter selects no test ends with a code that is not zero
//! ([`before_main`]).
//!
//! Why one crate: signals, process groups, file descriptors and code before `main` are the part of an operating system
//! that needs `unsafe`. Here it is in one place, every block with the reason why it is sound, and the harness and the
//! command-line tool above it forbid `unsafe` altogether.
//! [`sandbox`] runs a program that is not trusted.
//!
//! ```
//! use std::{process::Command, time::Duration};
//! let mut sleeper = Command::new("sleep");
//! sleeper.arg("60");
//! let ended = wb_process::Job::spawn(sleeper)?.wait(Duration::from_millis(50))?;
//! assert!(ended.has_timed_out && ended.elapsed < Duration::from_secs(5));
//! # Ok::<(), std::io::Error>(())
//! ```

mod atomic_write;
pub mod before_main;
pub mod children;
mod command_output;
mod cores;
mod cpu_time;
mod debugger;
mod environment;
mod exit;
mod exit_in_test;
mod foreground;
mod group;
mod host_machine;
pub mod identity;
mod inherit;
mod job;
pub mod job_status;
mod launcher_rank;
mod lock;
mod on_sigterm;
pub mod out_of_memory;
pub mod output;
mod owner;
mod parent;
pub mod preconditions;
mod rank_output;
pub mod sandbox;
mod slurm_nodes;
mod spawner;
pub mod stack;
mod status;
mod test_filter;
pub mod test_host_programs;
pub mod thread_exit;

pub use atomic_write::{write_atomically, write_secret_atomically};
pub use command_output::{output_of, output_or_reason};
pub use cores::{
    cores_of_this_thread, node_cpus, parse_cpus, permitted_parallelism, physical_cores, restricted_cpus,
    sockets_of_this_thread, usable_cores, usable_cpus,
};
pub use cpu_time::{process_cpu_ns, thread_cpu_ns};
#[doc(hidden)]
pub use ctor::declarative::ctor as __ctor;
pub use debugger::{DEBUGGER_TIMEOUT, wait_for_debugger};
pub use environment::{
    is_root, launcher_environment, remote_launcher_environment, remove_allocation_variables,
    remove_launcher_variables, without_settings,
};
pub use exit::{at_exit, end_on_broken_pipe, exit_now};
pub use exit_in_test::{fail_at_exit, permit_exit_in_tests};
pub use foreground::run_in_foreground;
pub use group::{TERMINATION_GRACE, handle_signals, is_interrupted};
pub use host_machine::host_machine;
pub use identity::ProcessIdentity;
pub use inherit::inherit;
pub use job::{Job, JobExit};
pub use launcher_rank::{Launcher, LauncherRank, launcher_rank};
pub use lock::{FileLock, LockError};
pub use on_sigterm::on_sigterm;
pub use owner::{OWNER_VARIABLE, end_with_owner};
pub use parent::die_with_parent;
pub use slurm_nodes::lost_slurm_nodes;
pub use status::describe_status;
pub use test_filter::{EMPTY_FILTER_EXIT_CODE, test_selection};
