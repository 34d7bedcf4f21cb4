//! What a process of ours does around `main`: jobs with deadlines, early redirection, a launcher's environment, exits.
//!
//! The invariant: *nothing outlives the process that started it, and nothing is green that ran nothing.* A [`Job`] is a
//! process group with a hard deadline that ends when its parent ends, however that happens; a rank ends with its
//! launcher ([`die_with_parent`]); a test binary whose filter selects no test ends with a code that is not zero
//! ([`early`]).
//!
//! Why one crate: all of this is signals, process groups, file descriptors and what runs before `main`, the part of an
//! operating system that needs `unsafe`. Here it is in one place, every block with the reason why it is sound, and the
//! harness and the command-line tool above it forbid `unsafe` altogether.
//!
//! ```
//! use std::{process::Command, time::Duration};
//! let mut sleeper = Command::new("sleep");
//! sleeper.arg("60");
//! let ended = wb_process::Job::spawn(sleeper)?.wait(Duration::from_millis(50))?;
//! assert!(ended.timed_out && ended.elapsed < Duration::from_secs(5));
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod children;
mod cores;
pub mod early;
pub mod ending;
mod environment;
mod exit;
mod filter;
mod group;
pub mod identity;
mod job;
mod launched;
mod lock;
pub mod memory;
pub mod output;
mod owner;
mod parent;
mod replace;
mod spawner;
pub mod stack;
mod terminate;

pub use cores::{count_cpus, node_cores, physical_cores, usable_cores};
pub use environment::{is_root, launcher_environment, scrub};
pub use exit::{at_exit, end_on_broken_pipe, exit_now};
pub use filter::{EMPTY_FILTER, test_selection};
pub use group::is_interrupted;
pub use job::{Ended, GRACE, Job};
pub use launched::{Launched, Launcher, launched};
pub use lock::{Lock, Locked};
pub use owner::end_with_owner;
pub use parent::die_with_parent;
pub use replace::replace;
pub use terminate::on_terminate;

#[doc(hidden)]
pub use ctor::declarative::ctor as __ctor;
