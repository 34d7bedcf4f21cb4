//! A judge apart from the judged: inputs, oracle, reference and clock are in another process than the student's code.
//!
//! Two programs take part. The *judge* is linked with the assignment only. It starts the *rank program*, which is linked with
//! the student's crate, as a job of ranks. Every rank connects to the judge as a member of its [`wb_runner::channel`]. The judge
//! sends an input to the rank that holds it, starts the stages, and receives the outputs. It checks them with the oracle and the
//! reference, and it takes the time itself: from the start signal to the last rank's answer.
//!
//! The invariant: *no verdict and no time depends on a statement of the rank program.* What the ranks state besides their
//! outputs (the counts of messages, the inside times) is used for explanations and for rules, and is marked as theirs.
//!
//! | module | contents |
//! |---|---|
//! | `message` | the arguments of the rank program, and the messages of both sides, which [`wb_runner::channel`] carries |
//! | `rank_program` | the side of the ranks: the program, and one pass of one rank |
//! | `rank_job` | the side of the judge: the job, a client of [`wb_runner::RunningJob`] |
//! | `pass` | one pass of a job: the start, the times, the outputs |
//! | `examiner` | the oracle, the reference and fresh inputs of an assignment; the verdicts on the graded inputs |
//! | `cpu_time` | the processor time of ranks, read from outside |

mod cpu_time;
mod examiner;
mod message;
mod pass;
mod rank_job;
mod rank_program;

pub use examiner::{Examiner, GradedRuns, GradedVerdict, random_seed};
pub use message::{PassRegion, RankArguments, RankStatement};
pub use pass::{CallInput, FinishedCalls, PassEnd, PassInput, PassTimes};
pub use rank_job::{AskEndCause, EndCause, LaunchCommand, RankJob, RankJobRequest};
pub use rank_program::RankProgram;
