//! The stages in their order, timed and checked against the limit.
//!
//! Each step consumes the previous one, so a wrong order does not compile. Only `run` borrows and can be repeated.
//!
//! ```compile_fail
//! # use wb_task::*; use wb_world::{World, Rooted};
//! fn wrong<T: Task>(task: &T, world: &World, progress: &Progress, input: Rooted<Input<T>>) {
//!     let pipeline = Pipeline::new(task, world, progress, input, 0);
//!     let _ = pipeline.preprocessing(); // validation comes first
//! }
//! ```
use std::time::Duration;

use wb_comm::Rank;
use wb_world::{FrameworkCalls as _, Rooted, World};

use crate::{Failure, Input, Output, Progress, Stage, Task};

type PipelineStep<T> = Result<T, Failure>;

/// A pipeline before validation.
pub struct Submitted<I> {
    input: Rooted<I>,
    home: Rank,
}

/// A pipeline whose input was accepted.
pub struct Validated<I>(Rooted<I>);

/// A pipeline whose data are in place.
pub struct Prepared<P>(P);

/// A task in progress on one rank; `S` is its state.
pub struct Pipeline<'a, T: Task, S> {
    shared: PipelineContext<'a, T>,
    state: S,
}

struct PipelineContext<'a, T> {
    task: &'a T,
    world: &'a World,
    progress: &'a Progress,
    limit: Option<Duration>,
}

impl<'a, T: Task> Pipeline<'a, T, Submitted<Input<T>>> {
    /// A pipeline for an input that is on rank `home` only.
    ///
    /// # Panics
    /// When the input is here on another rank than `home`, or not here on `home`.
    pub fn new(
        task: &'a T,
        world: &'a World,
        progress: &'a Progress,
        input: Rooted<Input<T>>,
        home: Rank,
    ) -> Self {
        assert_eq!(input.is_here(), world.rank() == home, "the input belongs on rank {home} only");
        progress.first_error.get_or_init(|| world.first_error());
        let shared = PipelineContext { task, world, progress, limit: None };
        Self { shared, state: Submitted { input, home } }
    }

    /// Ends the pipeline after the stage with which the stages' sum exceeds `limit`. (A stage that hangs is interrupted
    /// from outside, see the harness.)
    pub fn limit(mut self, limit: Option<Duration>) -> Self {
        self.shared.limit = limit;
        self
    }

    /// Validates the input on the rank that has it, and sends the verdict to every rank.
    ///
    /// # Errors
    /// [`Failure::Invalid`] on every rank when it is refused.
    pub fn validation(self) -> PipelineStep<Pipeline<'a, T, Validated<Input<T>>>> {
        let Self { shared, state: Submitted { input, home } } = self;
        let ranks = shared.world.size();
        let refusal = shared.stage(Stage::Validation, || {
            Ok(input.as_ref().here().and_then(|input| shared.task.validation(input, ranks).err()))
        })?;
        // One byte more than the reason distinguishes "accepted" from "refused without a reason".
        let verdict =
            input.is_here().then(|| refusal.map_or(vec![], |r| [b"!", r.reason().as_bytes()].concat()));
        let verdict = shared
            .world
            .broadcast_bytes(home, verdict.as_deref())
            .map_err(|e| shared.stage_failure(Stage::Validation, e))?;
        match verdict.split_first() {
            None => Ok(Pipeline { shared, state: Validated(input) }),
            Some((_, reason)) => {
                Err(Failure::Invalid { home, reason: String::from_utf8_lossy(reason).into_owned() })
            }
        }
    }
}

impl<'a, T: Task> Pipeline<'a, T, Validated<Input<T>>> {
    /// Distributes the data.
    ///
    /// # Errors
    /// [`Failure::Stage`], [`Failure::Limit`].
    pub fn preprocessing(self) -> PipelineStep<Pipeline<'a, T, Prepared<T::Prepared>>> {
        let Self { shared, state: Validated(input) } = self;
        let data = shared.stage(Stage::Preprocessing, || shared.task.preprocessing(shared.world, input))?;
        Ok(Pipeline { shared, state: Prepared(data) })
    }
}

impl<T: Task> Pipeline<'_, T, Prepared<T::Prepared>> {
    /// Computes the result; may be called repeatedly.
    ///
    /// # Errors
    /// [`Failure::Stage`], [`Failure::Limit`].
    pub fn run(&self) -> PipelineStep<T::Raw> {
        self.shared.stage(Stage::Run, || self.shared.task.run(self.shared.world, &self.state.0))
    }

    /// Makes the output from the result of one run.
    ///
    /// # Errors
    /// [`Failure::Stage`], [`Failure::Limit`].
    pub fn postprocessing(&self, raw: T::Raw) -> PipelineStep<Rooted<Output<T>>> {
        self.shared.stage(Stage::Postprocessing, || self.shared.task.postprocessing(self.shared.world, raw))
    }
}

impl<T> PipelineContext<'_, T> {
    fn stage<R>(&self, stage: Stage, work: impl FnOnce() -> wb_comm::Result<R>) -> PipelineStep<R> {
        let start = self.world.transport().now();
        self.progress.enter(stage);
        let result = work();
        let end = self.world.transport().now();
        self.progress.leave(stage, end.saturating_sub(start));
        self.world.record_stage(stage.name(), start, end);
        let result = result.map_err(|source| self.stage_failure(stage, source))?;
        match self.limit {
            Some(limit) if self.progress.times().sum() > limit => {
                let (rank, spent) = (self.world.rank(), self.progress.times().sum());
                Err(Failure::Limit { stage, rank, spent, limit })
            }
            _ => Ok(result),
        }
    }

    fn stage_failure(&self, stage: Stage, source: wb_comm::Error) -> Failure {
        Failure::Stage { stage, rank: self.world.rank(), site: self.world.last_error_site(), source }
    }
}
