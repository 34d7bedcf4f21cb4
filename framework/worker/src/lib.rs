//! What the functional tests, the benchmarks and the laboratory of barriers share: how processes of ranks are started, what
//! is asked of them, what they leave, and how all that is described in records and reports.
//!
//! | module | noun |
//! |---|---|
//! | [`launch`] | the command line that starts a job of ranks |
//! | [`protocol`] | orders and answers, as files in a job's folder |
//! | [`job`], [`single_worker`] | the ranks of a job, or one process, that carry out an order, and the evidence that they did |
//! | [`run_folder`] | the folders that the processes of a run share |
//! | [`output_tail`] | the end of a job's output, and how a process or a panic ended |
//! | [`rank_activity`] | what a rank that does not come back is doing |
//! | [`diff_report`] | what the oracle objects to, as text |
//! | [`environment`], [`subject`] | what every record says about the machine, the build and the task |
//! | [`clock`] | the clock of all time stamps |
//! | [`random`] | random orders |
//! | [`mod@format`] | ranks and durations as text |
//! | [`version_number`] | the version of a message-passing library |
//! | [`arg_reader`] | the arguments that one program of ours hands to another |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod arg_reader;
pub mod clock;
pub mod diff_report;
pub mod environment;
pub mod format;
pub mod job;
pub mod launch;
pub mod output_tail;
pub mod protocol;
pub mod random;
pub mod rank_activity;
pub mod run_folder;
pub mod single_worker;
pub mod subject;
pub mod version_number;

pub use arg_reader::ArgReader;
pub use wb_comm::Backends;
