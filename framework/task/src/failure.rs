//! How a pipeline ends before its time.
use std::time::Duration;

use thiserror::Error;
use wb_comm::{Rank, Site};

use crate::Stage;

/// Why a pipeline stopped.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// Validation refused the input; every rank gets this.
    #[error("validation on rank {home} refused the input: {reason}")]
    Invalid {
        /// The rank that had the input.
        home: Rank,
        /// The reason it gave.
        reason: String,
    },
    /// A stage returned an error.
    #[error("{stage} on rank {rank}: {source}{}", place(at))]
    Stage {
        /// The stage.
        stage: Stage,
        /// The rank.
        rank: Rank,
        /// The call of the world that met it; the stage may have made its error without one.
        at: Option<Site>,
        /// The error.
        source: wb_comm::Error,
    },
    /// The stages together took longer than allowed.
    #[error("the stages took {spent:?} on rank {rank} after {stage}, {limit:?} are allowed")]
    Limit {
        /// The stage after which the sum was too long.
        stage: Stage,
        /// The rank.
        rank: Rank,
        /// The stages' sum so far.
        spent: Duration,
        /// The limit.
        limit: Duration,
    },
}

fn place(at: &Option<Site>) -> String {
    at.map_or_else(String::new, |site| format!(" ({site})"))
}
