//! The failures that end a pipeline early.
use std::{error, fmt, time::Duration};

use wb_comm::{
    CallSite, Rank, Text,
    text::{error::duration, stage, waiting},
};

use crate::Stage;

/// Why a pipeline stopped.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// Validation refused the input; every rank returns this.
    Invalid {
        /// The rank that had the input.
        home: Rank,
        /// The reason of the refusal.
        reason: String,
    },
    /// A stage returned an error.
    Stage {
        /// The stage.
        stage: Stage,
        /// The rank.
        rank: Rank,
        /// The call of the world that returned the error; the stage may have made its error without one.
        site: Option<CallSite>,
        /// The error.
        source: wb_comm::Error,
    },
    /// The stages together took longer than the limit.
    Limit {
        /// The stage after which the sum exceeded the limit.
        stage: Stage,
        /// The rank.
        rank: Rank,
        /// The stages' sum so far.
        spent: Duration,
        /// The limit.
        limit: Duration,
    },
}

impl Failure {
    /// The failure as a text that is rendered where it is displayed.
    pub fn text(&self) -> Text {
        match self {
            Self::Invalid { home, reason } => stage::refused(*home, reason),
            Self::Stage { stage, rank, site: at, source } => {
                let failed = stage::failed(stage.to_string(), *rank, source.text());
                at.map_or(failed.clone(), |CallSite { verb, location: at }| {
                    stage::failed_at(failed, waiting::call_at(verb.name(), at.file(), at.line()))
                })
            }
            Self::Limit { stage, rank, spent, limit } => {
                stage::limit(duration(*spent), *rank, stage.to_string(), duration(*limit))
            }
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

impl error::Error for Failure {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Stage { source, .. } => Some(source),
            Self::Invalid { .. } | Self::Limit { .. } => None,
        }
    }
}
