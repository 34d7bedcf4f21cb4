//! One job: its order and the answers of its ranks, its deadline, and the findings of its ranks, or the form that is to blame.
use std::{collections::BTreeMap, path::PathBuf, process::Command, time::Duration};

use serde::{Deserialize, Serialize};
use wb_algorithms::barriers::GroupConfig;
use wb_record::{Backend, BarrierForm, ComparedClock, EpisodeMessages, HostPlacement};
use wb_runner::{
    Backends, RankEnd,
    job::{JobFailure, JobRequest, RankAnswer, hosts_of_ranks, run_job},
};

use crate::{
    job_ranks::last_form,
    outcome_table::{self, Calls, FormOutcome},
    substrate, visit_order,
};

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

/// The end of a rank: it completed all forms, or stopped in the form with a number.
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
    /// The thread level that the library granted.
    pub(crate) thread_level: Option<String>,
}

/// The result of a form on one rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum FormResult {
    /// The form cannot be built, for this reason.
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
    /// A hash of the result of an operation on data; 0 for a barrier.
    pub(crate) result: u64,
}

/// The time for the start and the end of a job.
const SETUP: Duration = Duration::from_secs(30);

/// The ratio of the deadline of all visits to their planned duration.
const DEADLINE_FACTOR: u32 = 10;

/// The additional time of a visit where ranks may be on several hosts: an episode over a window between hosts takes up to tens of
/// milliseconds, whatever batch was planned.
const VISIT_BETWEEN_HOSTS: Duration = Duration::from_millis(250);

/// The reason why a job does not count; its subject is the number of the faulty form, if it is known.
pub(crate) type BarrierJobFailure = JobFailure<usize>;

/// The results of a job that counts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JobFindings {
    /// One entry for each form.
    pub(crate) forms: Vec<FormOutcome>,
    /// The node of each rank.
    pub(crate) nodes: Vec<usize>,
    /// The hosts of the ranks.
    pub(crate) placement: Vec<HostPlacement>,
    /// The clocks of the ranks, if there are several.
    pub(crate) compared: Vec<ComparedClock>,
    /// The thread level that the library granted; `None` of threads.
    pub(crate) thread_level: Option<String>,
}

/// Runs the job with these variables at most until its deadline, and examines its answers.
pub(crate) fn run(
    spec: &BarrierJobSpec,
    backends: Backends,
    variables: &[(&str, String)],
) -> Result<JobFindings, BarrierJobFailure> {
    let (backend, ranks, limit) = (spec.backend, spec.ranks, Some(spec.sampling.limit));
    let request = JobRequest { backends, backend, ranks, limit, deadline: deadline(spec) };
    let order = LaboratoryOrder::Visit(spec.clone());
    let set_variables = |command: &mut Command| {
        command.envs(variables.iter().map(|(name, value)| (*name, value)));
    };
    let prepare_shmem = |launcher: &mut Command| {
        if spec.forms.iter().any(substrate::is_shmem) {
            // Where this is not permitted the library does not start, and its forms are refused with that reason.
            drop(wb_shmem::oshmem::without_randomisation(launcher));
        }
    };
    let answers = run_job(request, &order, set_variables, prepare_shmem).map_err(|failure| {
        let current = (0..ranks).filter_map(|rank| last_form(&spec.folder, rank));
        attribute_failure(failure, &current.collect::<Vec<_>>())
    })?;
    findings(spec, &answers)
}

/// The failure in one line, and with the faulty form: that in which a rank reported an error or hung; otherwise the form in which most
/// ranks were when they died.
fn attribute_failure(failure: BarrierJobFailure, current: &[usize]) -> BarrierJobFailure {
    let form = failure.subject.or_else(|| most_frequent(current).filter(|_| failure.is_silent));
    let late = failure.limit.map(|limit| format!("did not come out within {} s: ", limit.as_secs_f64()));
    let lines: Vec<_> = failure.details.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let reason = late.unwrap_or_default() + &lines.join("; ");
    BarrierJobFailure { subject: form, reason, ..failure }
}

/// The time after which a job is terminated. A form that hangs is interrupted earlier, by its rank.
fn deadline(order: &BarrierJobSpec) -> Duration {
    let visits = (visit_order::length(order) * (order.sampling.rounds + 2)) as u32;
    let between_hosts = if order.cpus.is_empty() { VISIT_BETWEEN_HOSTS * visits } else { Duration::ZERO };
    SETUP + order.sampling.limit + order.sampling.batch * visits * DEADLINE_FACTOR + between_hosts
}

/// The findings of all ranks together. Ranks that read several clocks count only where exactly these clocks were compared.
fn findings(order: &BarrierJobSpec, answers: &[BarrierRankAnswer]) -> Result<JobFindings, BarrierJobFailure> {
    let done: Vec<_> = answers.iter().filter_map(|answer| answer.result.findings()).collect();
    let first = *done.first().ok_or_else(|| BarrierJobFailure::new("a job without ranks"))?;
    if done.iter().any(|other| other.nodes != first.nodes) {
        return Err(BarrierJobFailure::new("the ranks did not find the same nodes"));
    }
    let (nodes, mut compared) = (first.nodes.clone(), first.compared.clone());
    let placement = hosts_of_ranks(answers, &mut compared).map_err(BarrierJobFailure::new)?;
    let group = GroupConfig { nodes: nodes.clone(), ..GroupConfig::new(order.ranks) };
    let form = |number: usize| {
        let planned = substrate::planned_messages(&order.forms[number], &group);
        outcome_table::form_samples(answers, number, planned, Calls::of(order, number).as_ref())
    };
    let forms: Option<Vec<FormOutcome>> = (0..order.forms.len()).map(form).collect();
    let other_forms = || BarrierJobFailure::new("the ranks did not visit the same forms");
    let thread_level = first.thread_level.clone();
    Ok(JobFindings { forms: forms.ok_or_else(other_forms)?, nodes, placement, compared, thread_level })
}

fn most_frequent(numbers: &[usize]) -> Option<usize> {
    let mut counts = BTreeMap::new();
    numbers.iter().for_each(|number| *counts.entry(*number).or_insert(0) += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(number, _)| number)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::Path;

    use wb_algorithms::barriers::Substrate;
    use wb_record::BarrierOutcome;
    use wb_runner::RankPlacement;

    use super::*;
    use crate::substrate::plain_form;

    fn answer(rank: usize, ending: BarrierRankResult) -> BarrierRankAnswer {
        let place = RankPlacement { host: format!("n{rank}"), ..RankPlacement::default() };
        BarrierRankAnswer { rank, size: 2, machine: "this".into(), place, result: ending }
    }

    fn refused(reasons: &[&str]) -> RankFindings {
        let forms = reasons.iter().map(|&why| FormResult::Refused(why.into())).collect();
        RankFindings { forms, nodes: vec![0, 1], ..RankFindings::default() }
    }

    fn evaluate(answers: &[BarrierRankAnswer]) -> Result<JobFindings, String> {
        let order = job_spec(Path::new("/"), vec![form("a"), form("b")]);
        findings(&order, answers).map_err(|failure| failure.reason)
    }

    #[test]
    fn whole_jobs_count() {
        let done = || BarrierRankResult::Done(refused(&["no", "never"]));
        let found = evaluate(&[answer(0, done()), answer(1, done())]).expect("a whole job");
        let refused_for = |reason: &str| (BarrierOutcome::Refused { reason: reason.into() }, None);
        assert_eq!(found.forms, [refused_for("no"), refused_for("never")]);
        let hosts: Vec<_> = found.placement.iter().map(|host| (&*host.host, &host.ranks[..])).collect();
        assert_eq!(hosts, [("n0", &[0][..]), ("n1", &[1])]);
        let shorter = BarrierRankResult::Done(refused(&["no"]));
        let failed = evaluate(&[answer(0, done()), answer(1, shorter)]).expect_err("two lists");
        assert_eq!(failed, "the ranks did not visit the same forms");
        let elsewhere =
            BarrierRankResult::Done(RankFindings { nodes: vec![0, 0], ..refused(&["no", "never"]) });
        let failed = evaluate(&[answer(0, done()), answer(1, elsewhere)]).expect_err("two maps");
        assert_eq!(failed, "the ranks did not find the same nodes");
    }

    #[test]
    fn several_clocks_count_only_where_they_were_compared() {
        let clock = |first_rank| ComparedClock { first_rank, ..ComparedClock::default() };
        let job = |compared: Vec<ComparedClock>| {
            let found = RankFindings { compared, uncertainty_ns: 10, ..refused(&["no", "never"]) };
            let of = |rank: usize| {
                let answer = answer(rank, BarrierRankResult::Done(found.clone()));
                BarrierRankAnswer { machine: format!("clock {rank}"), ..answer }
            };
            evaluate(&[of(0), of(1)])
        };
        let failed = job(vec![]).expect_err("not compared");
        assert!(failed.contains("share no clock"), "{failed}");
        let hosts: Vec<_> = job(vec![clock(0), clock(1)]).expect("compared").compared;
        assert_eq!(hosts.iter().map(|clock| &*clock.host).collect::<Vec<_>>(), ["n0", "n1"]);
    }

    #[test]
    fn the_form_of_a_rank_that_reports_is_blamed_before_that_of_most_ranks_that_died() {
        let attributed = |failure| {
            let BarrierJobFailure { subject, reason, .. } = attribute_failure(failure, &[1, 1, 0]);
            (subject, reason)
        };
        let failure = || BarrierJobFailure::new("rank 1");
        assert_eq!(attributed(failure()), (None, "rank 1".into()), "no rank has died");
        let after_rank_loss =
            BarrierJobFailure { is_silent: true, details: "lost\n    a line".into(), ..failure() };
        assert_eq!(attributed(after_rank_loss.clone()), (Some(1), "lost; a line".into()));
        assert_eq!(attributed(BarrierJobFailure { subject: Some(0), ..after_rank_loss }).0, Some(0));
        let late = BarrierJobFailure { limit: Some(Duration::from_secs(6)), ..failure() };
        assert_eq!(attributed(late).1, "did not come out within 6 s: rank 1");
    }

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
