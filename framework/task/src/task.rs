//! A task: the four stages that a student writes.
use std::fmt;

use wb_world::{Result, Rooted, World};

use crate::Problem;

/// The input of a task's problem.
pub type Input<T> = <<T as Task>::Problem as Problem>::Input;

/// The output of a task's problem.
pub type Output<T> = <<T as Task>::Problem as Problem>::Output;

/// Where a task leaves its output; the harness checks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Place {
    /// The value is on the rank that had the input ([`Problem::home`]), not on the others.
    Home,
    /// The value is on every rank, the same.
    Everywhere,
}

/// The reason for which an input is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid(String);

impl Invalid {
    /// A refusal with a reason for the user.
    pub fn because(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }

    /// `Ok` when `holds`, otherwise the refusal.
    ///
    /// # Errors
    /// The refusal.
    pub fn unless(holds: bool, reason: impl Into<String>) -> std::result::Result<(), Self> {
        if holds { Ok(()) } else { Err(Self::because(reason)) }
    }

    /// The reason.
    pub fn reason(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A solution of a problem in four stages. The value itself holds no state of a run.
#[allow(clippy::missing_errors_doc, reason = "the stages pass on what the world's verbs meet")]
pub trait Task: Send + Sync + 'static {
    /// The problem that the task solves.
    type Problem: Problem;
    /// The result of `preprocessing` on this rank.
    type Prepared;
    /// The result of `run` on this rank.
    type Raw;

    /// The ranks that have the output.
    const OUTPUT: Place;

    /// Whether this input may be solved on `ranks` ranks. Called on the rank that has the input; a refusal stops all
    /// ranks.
    fn validation(&self, input: &Input<Self>, ranks: usize) -> std::result::Result<(), Invalid>
    where
        Self: Sized;

    /// Distributes the data for `run`. The input is `Here` on one rank and `Elsewhere` on the others.
    fn preprocessing(&self, world: &World, input: Rooted<Input<Self>>) -> Result<Self::Prepared>
    where
        Self: Sized;

    /// The computation itself. It is called many times with the same data, and timed.
    fn run(&self, world: &World, data: &Self::Prepared) -> Result<Self::Raw>;

    /// Makes the output from the result of `run`, at [`OUTPUT`](Self::OUTPUT).
    fn postprocessing(&self, world: &World, raw: Self::Raw) -> Result<Rooted<Output<Self>>>
    where
        Self: Sized;
}
