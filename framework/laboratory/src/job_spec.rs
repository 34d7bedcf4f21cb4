//! What is asked of a job, and what every rank of it must answer: JSON files in a folder of the job.
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use wb_record::{Backend, BarrierForm};
use wb_worker::job::RankAnswer;

/// One job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BarrierJobSpec {
    /// Where the answers go.
    pub(crate) folder: PathBuf,
    /// What ranks are.
    pub(crate) backend: Backend,
    /// How many are asked for.
    pub(crate) ranks: usize,
    /// The processors that the ranks may use.
    pub(crate) cpus: Vec<usize>,
    /// Seed of the order of visits.
    pub(crate) seed: u64,
    /// What is measured.
    pub(crate) forms: Vec<BarrierForm>,
    /// How much.
    pub(crate) sampling: VisitSampling,
}

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct VisitSampling {
    /// Rounds, in each of which every form is visited.
    pub(crate) rounds: usize,
    /// Single episodes in each visit, at most.
    pub(crate) traces: usize,
    /// How long a batch should take.
    pub(crate) batch: Duration,
    /// The longest that one visit may take.
    pub(crate) limit: Duration,
}

/// What one rank answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BarrierRankAnswer {
    /// Its rank.
    pub(crate) rank: usize,
    /// How many ranks it sees.
    pub(crate) size: usize,
    /// The kernel it runs on: ranks of two machines share no clock.
    pub(crate) machine: String,
    /// How it ended.
    pub(crate) result: BarrierRankResult,
}

/// How a rank ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum BarrierRankResult {
    /// It went through. One entry a form.
    Done(Vec<FormResult>),
    /// It did not.
    Stopped {
        /// The number of the form that it was in; none: before the first.
        form: Option<usize>,
        /// Did it stand still rather than err?
        hung: bool,
        /// What it says.
        reason: String,
    },
}

/// What a rank saw of a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum FormResult {
    /// It cannot be built.
    Refused(String),
    /// It was visited.
    Visited {
        /// Episodes in each batch, the same on all ranks.
        episodes: u64,
        /// In the order of their times: one a round, more for measures.
        visits: Vec<Visit>,
    },
}

/// One visit of a form by one rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Visit {
    /// When the batch began.
    pub(crate) start_ns: u64,
    /// The whole batch.
    pub(crate) batch_ns: u64,
    /// Entry and exit of single episodes.
    pub(crate) stamps: Vec<(u64, u64)>,
}

impl RankAnswer for BarrierRankAnswer {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn machine(&self) -> &str {
        &self.machine
    }
}

/// The file in which a rank keeps the number of the form that it is in, for whoever finds it dead.
pub(crate) fn current_form_file(folder: &Path, rank: usize) -> PathBuf {
    folder.join(format!("standing-{rank}"))
}

#[cfg(test)]
pub(crate) mod tests {
    use wb_worker::protocol;

    use super::*;
    use crate::order::LaboratoryOrder;

    pub(crate) fn form(variant: &str) -> BarrierForm {
        BarrierForm {
            variant: variant.into(),
            family: "two-sided".into(),
            substrate: "messages".into(),
            style: None,
            spacing: None,
            forced: None,
            ranks_are: Backend::Threads,
        }
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

    #[test]
    fn orders_and_answers_survive_their_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let order = LaboratoryOrder::Visit(job_spec(folder.path(), vec![form("tree")]));
        let mut command = std::process::Command::new("worker");
        protocol::give_order(&mut command, folder.path(), &order).expect("written");
        let (_, path) = command.get_envs().next().expect("the order is in the environment");
        let path = Path::new(path.expect("it is set"));
        assert_eq!(protocol::read_order::<LaboratoryOrder>(path).expect("read"), order);
        let visits = vec![Visit { start_ns: 5, batch_ns: 9, stamps: vec![(1, 2)] }];
        let result = BarrierRankResult::Done(vec![
            FormResult::Refused("no".into()),
            FormResult::Visited { episodes: 3, visits },
        ]);
        let answer = BarrierRankAnswer { rank: 1, size: 2, machine: "this".into(), result };
        protocol::write_answer(folder.path(), 1, &answer).expect("written");
        assert_eq!(protocol::read_answer(folder.path(), 1).expect("read"), Some(answer));
        assert_eq!(protocol::read_answer::<BarrierRankAnswer>(folder.path(), 0).expect("looked for"), None);
    }
}
