//! The current stage of a task and the times of its stages, readable from another thread while the task runs.
use std::{
    sync::{
        OnceLock,
        atomic::{AtomicU8, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use wb_comm::{CallSite, Error};
use wb_world::comm_stats::FirstError;

use crate::Stage;

const NO_STAGE: u8 = u8::MAX;

/// Nanoseconds per stage, in [`Stage::ALL`]'s order; `run` counts its last repetition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes(pub [u64; 4]);

impl StageTimes {
    /// The time of one stage.
    pub fn stage(&self, stage: Stage) -> Duration {
        Duration::from_nanos(self.0[stage as usize])
    }

    /// The sum over all stages.
    pub fn sum(&self) -> Duration {
        Duration::from_nanos(self.0.iter().sum())
    }
}

/// A task's progress on one rank. The rank's own thread writes it, a watchdog may read it.
#[derive(Debug)]
pub struct Progress {
    stage: AtomicU8,
    times: [AtomicU64; 4],
    pub(crate) first_error: OnceLock<FirstError>,
}

impl Default for Progress {
    fn default() -> Self {
        Self { stage: AtomicU8::new(NO_STAGE), times: Default::default(), first_error: OnceLock::new() }
    }
}

impl Progress {
    /// The stage that is running now.
    pub fn stage(&self) -> Option<Stage> {
        Stage::ALL.get(usize::from(self.stage.load(Relaxed))).copied()
    }

    /// The stages' times so far.
    pub fn times(&self) -> StageTimes {
        StageTimes(std::array::from_fn(|i| self.times[i].load(Relaxed)))
    }

    /// The first error that a call of the task has returned, whether the task has passed it on or not.
    pub fn first_error(&self) -> Option<&(CallSite, Error)> {
        self.first_error.get()?.get()
    }

    pub(crate) fn enter(&self, stage: Stage) {
        self.stage.store(stage as u8, Relaxed);
    }

    pub(crate) fn leave(&self, stage: Stage, ns: u64) {
        self.times[stage as usize].store(ns, Relaxed);
        self.stage.store(NO_STAGE, Relaxed);
    }
}
