//! Why there are no test hosts: the machine cannot have them, or a step of their start failed.
use std::{io, time::Duration};

use thiserror::Error;

/// There are no test hosts.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HostsError {
    /// The machine cannot have them, for this reason: a test is skipped.
    #[error("no test hosts: {0}")]
    Unavailable(String),
    /// A step failed: a test fails.
    #[error("{step} failed:\n{output}")]
    Failed {
        /// The attempted step.
        step: String,
        /// The output of the step.
        output: String,
    },
    /// A step took too long.
    #[error("{step} is not done after {limit:?}:\n{output}")]
    TimedOut {
        /// The attempted step.
        step: String,
        /// The limit.
        limit: Duration,
        /// The output of the step until then.
        output: String,
    },
    /// The system refused something.
    #[error("{step}: {error}")]
    System {
        /// The attempted step.
        step: String,
        /// The system's reason.
        error: io::Error,
    },
}

impl HostsError {
    /// The error of a call of the system in this step.
    pub(super) fn system(step: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let step = step.into();
        |error| Self::System { step, error }
    }
}
