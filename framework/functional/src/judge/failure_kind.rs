//! What a failure is about: the part of a report that is the same whatever the numbers, names and outputs in its text.
use wb_record::TestOutcome;
use wb_task::Stage;

/// The kinds of failures; those of a rank have the stage in which it failed, if it was in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// A backend has found a mistake that has a code.
    Finding,
    /// Calls of different ranks do not match.
    Mismatched,
    /// A rank panicked.
    Panicked(Option<Stage>),
    /// A rank called `abort`.
    Aborted(Option<Stage>),
    /// A stage of a rank returned an error.
    Failed(Option<Stage>),
    /// Ranks did not end after they had delivered their results.
    Unterminated,
    /// Validation refused an input that is valid.
    Refused,
    /// Validation accepted an input that is not valid.
    NotRefused,
    /// A rank that should have an output has none.
    OutputMissing,
    /// A rank that should have no output has one.
    OutputUnexpected,
    /// The outputs of the ranks differ.
    OutputsDisagree,
    /// The oracle refuses the output.
    OutputWrong,
    /// The output differs from that of the reference.
    OutputNotReference,
    /// The task started processes and did not wait for them.
    ProcessesLeft,
    /// The numbers of sent and of received messages differ.
    MessagesUnaccounted,
    /// The version calls verbs that it must not call.
    OtherVerbs,
    /// The task sends another number of messages than the test allows.
    MessageCount,
    /// Data did not take the way that the problem states.
    Bypassed,
    /// The test has no inputs.
    NoInputs,
    /// The ranks have run other inputs than the test has.
    OtherInputs,
    /// A parallel version communicates nothing.
    Silent,
    /// Ranks wait for each other.
    Deadlock,
    /// A rank exceeded the limit of a call.
    OverLimit,
    /// Ranks were in calls at the limit, and nothing shows that none could continue.
    Blocked,
    /// Calls still completed at the limit.
    Calling,
    /// A rank still computed at the limit.
    Computing(Option<Stage>),
    /// A rank slept at the limit.
    Asleep(Option<Stage>),
    /// A rank ended its process.
    Exited(Option<Stage>),
    /// A rank's memory was exhausted.
    OutOfMemory(Option<Stage>),
    /// A rank left no record.
    NoRecord,
    /// A job that the user started left no verdict.
    NoVerdict,
    /// The job ended after its last run.
    JobTerminated,
    /// The job ended before this test.
    JobNotRun,
    /// Hosts or ranks of the job were lost: this test and all others there have no verdict.
    HostsLost,
    /// The test was not run.
    NotRun,
}

impl FailureKind {
    /// Whether it is about a job and not about a test: every test of the job fails so.
    pub(crate) fn is_of_job(self) -> bool {
        matches!(self, Self::JobNotRun | Self::HostsLost)
    }

    /// The outcome of a test that fails so.
    pub(crate) fn outcome(self) -> TestOutcome {
        match self {
            Self::Deadlock => TestOutcome::Hang,
            Self::OverLimit | Self::Blocked | Self::Calling | Self::Computing(_) | Self::Asleep(_) => {
                TestOutcome::Limit
            }
            Self::Exited(_)
            | Self::OutOfMemory(_)
            | Self::NoRecord
            | Self::NoVerdict
            | Self::JobTerminated
            | Self::JobNotRun
            | Self::HostsLost => TestOutcome::Crash,
            Self::Aborted(_) => TestOutcome::Aborted,
            Self::NotRun => TestOutcome::Skip,
            Self::Finding
            | Self::Mismatched
            | Self::Panicked(_)
            | Self::Failed(_)
            | Self::Unterminated
            | Self::Refused
            | Self::NotRefused
            | Self::OutputMissing
            | Self::OutputUnexpected
            | Self::OutputsDisagree
            | Self::OutputWrong
            | Self::OutputNotReference
            | Self::ProcessesLeft
            | Self::MessagesUnaccounted
            | Self::OtherVerbs
            | Self::MessageCount
            | Self::Bypassed
            | Self::NoInputs
            | Self::OtherInputs
            | Self::Silent => TestOutcome::Fail,
        }
    }
}
