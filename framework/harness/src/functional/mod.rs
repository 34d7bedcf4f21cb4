//! The functional harness: is a task right, on every backend, at every number of ranks?
//!
//! The invariant: *a test passes on positive evidence only.* Every rank writes into a journal how it
//! came out of every run, and the verdict is a pure function of what all ranks wrote (`judge`). An exit code, a quiet
//! launcher, a rank that is not heard of: none of them makes a test pass, and none of them can hang it.
//!
//! | module | noun |
//! |---|---|
//! | `suite` | the test as a student writes it: [`Functional`] |
//! | `case`, `question`, `trial` | a test, its runs, and what is expected of each; types erased |
//! | `mode` | how this process was started, and what a test therefore does in it |
//! | `parent`, `outer` | a test in a process that starts jobs; in a rank of the user's own job |
//! | `lane` | the jobs that a plain `cargo test` starts |
//! | `child` | the job on threads, and that in virtual time |
//! | `member` | a rank of a job |
//! | `board`, `journal`, `entry`, `told`, `evidence` | what the ranks write down, and how they agree by it |
//! | `transcript`, `company`, `retelling` | what real ranks called, and what all of it together says |
//! | `watch` | the watchdog that ends a run |
//! | `judge`, `causes`, `outputs`, `finding` | the verdict on a run |
//! | `mistake` | the verdicts of all backends, sorted by what they are about |
//! | `verdict`, `report`, `summary`, `records` | how it is told |
//! | `programs` | programs without a task, on real ranks: what is found in them |
//! | `threads`, `virtual_time` | one run of ranks that share a process |
//! | `settings` | what is wrong with `course.yaml` and `task.yaml` |
//! | `panics`, `digest`, `doing`, `exhausted`, `unended`, `processes`, `spoken`, `limit`, `slot` | small ones |
mod board;
mod case;
mod causes;
mod child;
mod company;
mod digest;
pub(crate) mod doing;
mod entry;
mod evidence;
mod exhausted;
mod finding;
mod journal;
mod judge;
mod lane;
mod limit;
mod member;
mod mistake;
mod mode;
mod outer;
mod outputs;
mod panics;
mod parent;
mod processes;
pub mod programs;
mod question;
mod records;
mod report;
mod retelling;
mod settings;
mod shown;
mod slot;
mod spoken;
mod suite;
mod summary;
mod threads;
pub(crate) mod told;
mod transcript;
mod trial;
pub(crate) mod unended;
mod verdict;
mod virtual_time;
mod watch;

pub use suite::Functional;
