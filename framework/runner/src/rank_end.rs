//! How a rank ended that executed an order.
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use wb_comm::{Rank, job::RankTermination, text::error};

use crate::output_tail;

/// The answer of a rank, also where it has failed.
pub trait RankResult: Clone + Serialize + DeserializeOwned + Send + 'static {
    /// The subject on which a rank works at a time: a workload, or the number of a form.
    type Subject: Clone + Send + 'static;

    /// The result of a rank that failed in `subject`.
    fn failed(subject: Option<Self::Subject>, reason: StopReason) -> Self;

    /// The subject of a rank that failed, and the reason.
    fn failure(&self) -> Option<(Option<&Self::Subject>, &StopReason)>;
}

/// The end of a rank. `F` are its findings, `S` is the subject on which it failed: a workload, or the number of a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RankEnd<F, S> {
    /// The rank succeeded.
    Done(F),
    /// The rank failed.
    Failed {
        /// The subject; `None` before the first.
        subject: Option<S>,
        /// The reason.
        reason: StopReason,
    },
}

/// The reason why a rank stopped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StopReason {
    /// A limit of time was exceeded; the text names the position of the rank.
    TimeLimit(String),
    /// A rank ran out of memory; the text names the rank, the requested size and the source line.
    OutOfMemory(String),
    /// A rank panicked; the text names the rank, the text of the panic and the source line.
    Panic(String),
    /// The task left processes running, which were ended; the text names them.
    LeftoverProcesses(String),
    /// Anything else.
    Error(String),
}

impl StopReason {
    /// The reason as text.
    pub fn text(&self) -> &str {
        match self {
            Self::TimeLimit(text)
            | Self::OutOfMemory(text)
            | Self::Panic(text)
            | Self::LeftoverProcesses(text)
            | Self::Error(text) => text,
        }
    }

    /// Whether it is the cause of what other ranks report, to which the output of the job adds nothing.
    pub fn is_cause(&self) -> bool {
        matches!(self, Self::OutOfMemory(_) | Self::Panic(_))
    }
}

/// What a rank of a job in this process has returned.
///
/// # Errors
/// The reason, for the user, why it has returned nothing.
///
/// # Panics
/// When the job returns something else.
pub fn rank_result<T: 'static>(rank: Rank, ended: RankTermination) -> Result<T, String> {
    match ended {
        RankTermination::Returned(value) => Ok(*value.downcast().expect("what the job returns")),
        RankTermination::Panicked(panic) => Err(output_tail::text(&panic.of_rank(rank))),
        RankTermination::Unfinished => Err(output_tail::text(&error::lost(rank))),
        RankTermination::Starved(other) => Err(output_tail::text(&error::lost(other))),
    }
}

impl<F, S> RankEnd<F, S> {
    /// The findings of a rank that succeeded.
    pub fn findings(&self) -> Option<&F> {
        if let Self::Done(findings) = self { Some(findings) } else { None }
    }
}

impl<F, S> RankResult for RankEnd<F, S>
where
    F: Clone + Serialize + DeserializeOwned + Send + 'static,
    S: Clone + Serialize + DeserializeOwned + Send + 'static,
{
    type Subject = S;

    fn failed(subject: Option<S>, reason: StopReason) -> Self {
        Self::Failed { subject, reason }
    }

    fn failure(&self) -> Option<(Option<&S>, &StopReason)> {
        if let Self::Failed { subject, reason } = self { Some((subject.as_ref(), reason)) } else { None }
    }
}
