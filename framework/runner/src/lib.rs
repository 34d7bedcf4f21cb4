//! The common part of the functional tests, the benchmarks and the laboratory of barriers: the start of processes of
//! ranks, their orders and answers, and the description of both in records and reports.
//!
//! | module | contents |
//! |---|---|
//! | [`launch`] | the command line that starts a job of ranks |
//! | [`job_loss`] | why a job on several hosts ended without its results |
//! | [`mod@lost_hosts`] | the hosts of a job that cannot be reached any more |
//! | [`channel`] | the connections of a runner and the processes of its job |
//! | [`job`], [`single_worker`] | the ranks of a job, or one process, that execute an order, and their answers |
//! | [`run_folder`] | the folders that the processes of a run share |
//! | [`mod@shared_core_limit`] | the time limit of ranks that share cores |
//! | [`output_tail`] | the end of a job's output, and how a process or a panic ended |
//! | [`rank_activity`] | what an unterminated rank is doing |
//! | [`AllowedVerbs`] | the verbs that a version may call |
//! | [`diff_report`] | the objections of the oracle as text |
//! | [`mod@input_files`] | the restriction of a task to the files of its assignment |
//! | [`environment`], [`subject`] | the machine, the build and the task in every record |
//! | [`clock`], [`mod@job_clock`] | the clock of all time stamps, and the clocks of a job on several hosts |
//! | [`clocks`] | the differences of the hosts' clocks |
//! | [`mod@placement`] | the host and the processors of a rank |
//! | [`random`] | random permutations |
//! | [`mod@format`] | ranks and durations as text |
//! | [`version_number`] | the version of a message-passing library |
//! | [`arg_reader`] | the arguments that one program of the workbench passes to another |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod allowed_verbs;
pub mod arg_reader;
pub mod channel;
pub mod clock;
pub mod clocks;
pub mod diff_report;
pub mod environment;
pub mod format;
mod full_folders;
pub mod input_files;
pub mod job;
pub mod job_clock;
pub mod job_loss;
pub mod launch;
pub mod lost_hosts;
mod ordered_ranks;
pub mod out_of_memory_answer;
pub mod output_tail;
pub mod placement;
mod process_rank;
pub mod random;
pub mod rank_activity;
mod rank_end;
mod rank_signs;
mod rank_watchdog;
pub mod run_folder;
mod running_job;
pub mod shared_core_limit;
pub mod single_worker;
mod slurm_job;
mod stopped_ranks;
pub mod subject;
pub mod version_number;

pub use allowed_verbs::AllowedVerbs;
pub use arg_reader::ArgReader;
pub use channel::RunnerLink;
pub use input_files::restrict_files;
pub use job_clock::JobClock;
pub use job_loss::{JobLoss, LossScope};
pub use lost_hosts::lost_hosts;
pub use ordered_ranks::{OrderedRank, OrderedRanks, RankWork};
pub use placement::RankPlacement;
pub use process_rank::{ProcessRank, on_rank_thread};
pub use rank_end::{RankEnd, RankResult, StopReason, rank_result};
pub use rank_signs::RankOnHost;
pub use rank_watchdog::RankWatchdog;
pub use run_folder::RunFolder;
pub use running_job::{JobEvent, OUTPUT_FILE, RunningJob};
pub use shared_core_limit::shared_core_limit;
pub use slurm_job::AllocationEnd;
pub use wb_comm::Backends;
