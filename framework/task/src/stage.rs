//! The names of the four stages.
use std::fmt;

use serde::{Deserialize, Serialize};

/// A stage of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the documentation")]
#[repr(u8)]
pub enum Stage {
    Validation,
    Preprocessing,
    Run,
    Postprocessing,
}

impl Stage {
    /// The stages in order.
    pub const ALL: [Self; 4] = [Self::Validation, Self::Preprocessing, Self::Run, Self::Postprocessing];

    /// The name of the stage's function in the trait.
    pub fn name(self) -> &'static str {
        match self {
            Self::Validation => "validation",
            Self::Preprocessing => "preprocessing",
            Self::Run => "run",
            Self::Postprocessing => "postprocessing",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
