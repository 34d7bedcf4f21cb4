//! The orders of the laboratory's jobs, and the answer of every rank.
use std::{path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};
use wb_record::{Backend, BarrierForm, ComparedClock, EpisodeMessages};
use wb_runner::{RankEnd, job::RankAnswer};

/// The order of a worker process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum LaboratoryOrder {
    /// Visit the forms of a job.
    Visit(BarrierJobSpec),
    /// Measure messages between two processes, and collective operations of all.
    Calibrate(CalibrationSpec),
}

/// Processes that measure messages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CalibrationSpec {
    /// The number of ranks.
    pub(crate) ranks: usize,
    /// The processors that the ranks may use; empty where the ranks are placed on hosts: then each reads those of its host.
    pub(crate) cpus: Vec<usize>,
    /// Batches of each program.
    pub(crate) batches: usize,
}

/// A job that visits forms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BarrierJobSpec {
    /// The folder in which ranks note their current form.
    pub(crate) folder: PathBuf,
    /// The kind of ranks.
    pub(crate) backend: Backend,
    /// The requested number of ranks.
    pub(crate) ranks: usize,
    /// The processors that the ranks may use; empty where the ranks are placed on hosts: then each reads those of its host.
    pub(crate) cpus: Vec<usize>,
    /// Seed of the order of visits.
    pub(crate) seed: u64,
    /// The forms that are measured.
    pub(crate) forms: Vec<BarrierForm>,
    /// The amount of measurement.
    pub(crate) sampling: VisitSampling,
}

/// The amount of measurement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct VisitSampling {
    /// Rounds, in each of which every form is visited.
    pub(crate) rounds: usize,
    /// The largest number of single episodes in each visit.
    pub(crate) traces: usize,
    /// The intended duration of a batch.
    pub(crate) batch: Duration,
    /// The longest that one visit may take.
    pub(crate) limit: Duration,
}

pub(crate) type BarrierRankAnswer = RankAnswer<BarrierRankResult>;

/// How a rank ended: it completed all forms, or stopped in the form with a number.
pub(crate) type BarrierRankResult = RankEnd<RankFindings, usize>;

/// The findings of a rank that completed all forms.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RankFindings {
    /// One entry for each form.
    pub(crate) forms: Vec<FormResult>,
    /// The node of each rank, the same on all ranks.
    pub(crate) nodes: Vec<usize>,
    /// The clocks of the ranks, if there are several; without the names of the hosts, which a rank does not know.
    pub(crate) compared: Vec<ComparedClock>,
    /// The bound of the error of the difference of two stamps; 0 where all ranks read one clock.
    pub(crate) uncertainty_ns: u64,
}

/// The result of a form on one rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum FormResult {
    /// It cannot be built, for this reason.
    Refused(String),
    Visited {
        /// The messages that this rank sent in one episode, where they can be counted.
        sent: Option<EpisodeMessages>,
        /// Episodes in each batch, the same on all ranks.
        episodes: u64,
        /// In the order of their times: one for each round, more for reference forms.
        visits: Vec<Visit>,
    },
}

/// One visit of a form by one rank, with stamps of the clock of rank 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Visit {
    /// When the batch began.
    pub(crate) start_ns: u64,
    /// The whole batch.
    pub(crate) batch_ns: u64,
    /// Entry and exit of single episodes.
    pub(crate) stamps: Vec<(u64, u64)>,
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::Path;

    use wb_barriers::Substrate;

    use super::*;
    use crate::substrate::plain_form;

    pub(crate) fn form(variant: &str) -> BarrierForm {
        plain_form(variant, "two-sided", Substrate::Messages, Backend::Threads)
    }

    pub(crate) fn job_spec(folder: &Path, forms: Vec<BarrierForm>) -> BarrierJobSpec {
        let sampling = VisitSampling {
            rounds: 3,
            traces: 2,
            batch: Duration::from_micros(100),
            limit: Duration::from_secs(5),
        };
        let (cpus, folder) = (vec![0], folder.to_owned());
        BarrierJobSpec { folder, backend: Backend::Threads, ranks: 2, cpus, seed: 7, forms, sampling }
    }
}
