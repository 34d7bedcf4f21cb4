//! One job: its command, its deadline, and the evidence that it executed its order.
//!
//! A job counts only when every rank has left an answer and sees all the others. When it does not count, the faulty
//! form is determined: the form in which a rank reported an error; otherwise the form in which a rank hung; otherwise
//! the form in which most ranks were when they died.
use std::{
    collections::BTreeMap,
    path::Path,
    process::{Command, ExitStatus},
    time::Duration,
};

use wb_barriers::GroupConfig;
use wb_record::{ComparedClock, HostPlacement};
use wb_runner::{
    Backends, StopReason,
    job::{FinishedJob, JobRequest, hosts_of_ranks, run_job, size_mismatch},
    output_tail,
};

use crate::{
    current_form,
    job_spec::{BarrierJobSpec, BarrierRankAnswer, BarrierRankResult},
    order::LaboratoryOrder,
    samples::{self, FormSamples},
    substrate, visit_order,
};

/// The time for the start and the end of a job.
const SETUP: Duration = Duration::from_secs(30);

/// The ratio of the deadline of all visits to their planned duration.
const DEADLINE_FACTOR: u32 = 10;

/// The additional time of a visit where ranks may be on several hosts: an episode over a window between hosts takes up to tens of
/// milliseconds, whatever batch was planned.
const VISIT_BETWEEN_HOSTS: Duration = Duration::from_millis(250);

/// Lines of a job's output in the reason of its failure.
const LINES: usize = 4;

/// The reason why a job does not count.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BarrierJobFailure {
    /// The number of the faulty form, if it is known.
    pub(crate) form: Option<usize>,
    /// The observed failure.
    pub(crate) reason: String,
}

impl BarrierJobFailure {
    fn without_form(reason: impl ToString) -> Self {
        Self { form: None, reason: reason.to_string() }
    }
}

/// The results of a job that counts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JobFindings {
    /// One entry for each form.
    pub(crate) forms: Vec<FormSamples>,
    /// The node of each rank.
    pub(crate) nodes: Vec<usize>,
    /// The hosts of the ranks.
    pub(crate) placement: Vec<HostPlacement>,
    /// The clocks of the ranks, if there are several.
    pub(crate) compared: Vec<ComparedClock>,
}

/// Runs the job with these variables at most until its deadline, and examines its answers.
pub(crate) fn run(
    spec: &BarrierJobSpec,
    backends: Backends,
    variables: &[(&str, String)],
) -> Result<JobFindings, BarrierJobFailure> {
    let (ranks, deadline) = (spec.ranks, deadline(spec));
    let request = JobRequest { backends, backend: spec.backend, ranks, deadline };
    let order = LaboratoryOrder::Visit(spec.clone());
    let set_variables = |command: &mut Command| {
        command.envs(variables.iter().map(|(name, value)| (*name, value)));
    };
    let prepare_shmem = |launcher: &mut Command| {
        if spec.forms.iter().any(substrate::is_shmem) {
            // Where this is not permitted the library does not start, and its forms are refused with that reason.
            drop(wb_oshmem::without_randomisation(launcher));
        }
    };
    let job: FinishedJob<BarrierRankResult> =
        run_job(request, &order, set_variables, prepare_shmem).map_err(BarrierJobFailure::without_form)?;
    let current_forms: Vec<_> =
        (0..ranks).filter_map(|rank| current_form::last_form(&spec.folder, rank)).collect();
    let late = job.exit.has_timed_out.then_some(deadline);
    let output = job.output();
    let answers: Vec<_> = job.answers.iter().flatten().cloned().collect();
    evidence(spec, &answers, &current_forms, job.exit.status, late)
        .map_err(|failure| BarrierJobFailure { reason: failure.reason + &last_lines(&output), ..failure })
}

/// The time after which a job is terminated. A form that hangs is interrupted earlier, by its rank.
fn deadline(order: &BarrierJobSpec) -> Duration {
    let visits = (visit_order::length(&order.forms) * (order.sampling.rounds + 2)) as u32;
    let between_hosts = if order.cpus.is_empty() { VISIT_BETWEEN_HOSTS * visits } else { Duration::ZERO };
    SETUP + order.sampling.limit + order.sampling.batch * visits * DEADLINE_FACTOR + between_hosts
}

/// The results, only when every rank has answered and sees all the others, and the clocks of all were compared.
fn evidence(
    order: &BarrierJobSpec,
    answers: &[BarrierRankAnswer],
    standing: &[usize],
    status: ExitStatus,
    late: Option<Duration>,
) -> Result<JobFindings, BarrierJobFailure> {
    let asked = order.ranks;
    let all: Vec<_> = answers.iter().collect();
    if let Some(reason) = size_mismatch(asked, &all) {
        return Err(BarrierJobFailure::without_form(reason));
    }
    if let Some(trouble) = reported_failure(answers) {
        return Err(trouble);
    }
    if answers.len() < asked || late.is_some() || !status.success() {
        let how =
            late.map_or_else(|| status.to_string(), |after| format!("ended after {} s", after.as_secs()));
        let reason = format!("{} of {asked} ranks have answered; {how}", answers.len());
        // A rank that has answered has completed all forms.
        let form = (answers.len() < asked).then(|| most_frequent(standing)).flatten();
        return Err(BarrierJobFailure { form, reason });
    }
    findings(order, answers)
}

/// The findings of all ranks together. Ranks that read several clocks count only where exactly these clocks were compared.
fn findings(order: &BarrierJobSpec, answers: &[BarrierRankAnswer]) -> Result<JobFindings, BarrierJobFailure> {
    let done: Vec<_> = answers.iter().filter_map(|answer| answer.result.findings()).collect();
    let first = *done.first().ok_or_else(|| BarrierJobFailure::without_form("a job without ranks"))?;
    if done.iter().any(|other| other.nodes != first.nodes) {
        return Err(BarrierJobFailure::without_form("the ranks did not find the same nodes"));
    }
    let (nodes, mut compared) = (first.nodes.clone(), first.compared.clone());
    let placement = hosts_of_ranks(&answers.iter().collect::<Vec<_>>(), &mut compared)
        .map_err(BarrierJobFailure::without_form)?;
    let group = GroupConfig { nodes: nodes.clone(), ..GroupConfig::new(order.ranks) };
    let form = |number: usize| {
        let planned = substrate::planned_messages(&order.forms[number], &group);
        samples::form_samples(answers, number, planned)
    };
    let forms: Option<Vec<FormSamples>> = (0..order.forms.len()).map(form).collect();
    let other_forms = || BarrierJobFailure::without_form("the ranks did not visit the same forms");
    Ok(JobFindings { forms: forms.ok_or_else(other_forms)?, nodes, placement, compared })
}

/// The failure that ranks themselves report. Errors have precedence, because they cause other ranks to hang.
fn reported_failure(answers: &[BarrierRankAnswer]) -> Option<BarrierJobFailure> {
    let failures = answers.iter().filter_map(|answer| answer.result.failure());
    let (form, reason) = failures.min_by_key(|(_, reason)| matches!(reason, StopReason::TimeLimit(_)))?;
    Some(BarrierJobFailure { form: form.copied(), reason: reason.text().to_owned() })
}

fn most_frequent(numbers: &[usize]) -> Option<usize> {
    let mut counts = BTreeMap::new();
    numbers.iter().for_each(|number| *counts.entry(*number).or_insert(0) += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(number, _)| number)
}

/// The last lines of a job's output, each after a separator.
fn last_lines(output: &Path) -> String {
    let text = output_tail::last_lines(output, 0);
    let lines: Vec<_> =
        text.lines().map(str::trim).filter(|line| line.contains(char::is_alphanumeric)).collect();
    lines[lines.len().saturating_sub(LINES)..].iter().map(|line| format!("; {line}")).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use wb_runner::RankPlacement;

    use super::*;
    use crate::job_spec::{
        FormResult, RankFindings,
        tests::{form, job_spec},
    };

    fn answer(rank: usize, ending: BarrierRankResult) -> BarrierRankAnswer {
        let place = RankPlacement { host: format!("n{rank}"), ..RankPlacement::default() };
        BarrierRankAnswer { rank, size: 2, machine: "this".into(), place, result: ending }
    }

    fn refused(reasons: &[&str]) -> RankFindings {
        let forms = reasons.iter().map(|&why| FormResult::Refused(why.into())).collect();
        RankFindings { forms, nodes: vec![0, 1], ..RankFindings::default() }
    }

    fn failed(form: usize, reason: StopReason) -> BarrierRankResult {
        BarrierRankResult::Failed { subject: Some(form), reason }
    }

    fn evaluate(
        answers: &[BarrierRankAnswer],
        standing: &[usize],
        code: i32,
    ) -> Result<JobFindings, BarrierJobFailure> {
        let order = job_spec(Path::new("/"), vec![form("a"), form("b")]);
        evidence(&order, answers, standing, ExitStatus::from_raw(code << 8), None)
    }

    #[test]
    fn whole_jobs_count() {
        let done = || BarrierRankResult::Done(refused(&["no", "never"]));
        let found = evaluate(&[answer(0, done()), answer(1, done())], &[1, 1], 0).expect("a whole job");
        assert_eq!(found.forms, [FormSamples::Refused("no".into()), FormSamples::Refused("never".into())]);
        let hosts: Vec<_> = found.placement.iter().map(|host| (&*host.host, &host.ranks[..])).collect();
        assert_eq!(hosts, [("n0", &[0][..]), ("n1", &[1])]);
        let failed = evaluate(&[answer(0, done()), answer(1, done())], &[1, 1], 3).expect_err("a bad exit");
        assert_eq!((failed.form, &*failed.reason), (None, "2 of 2 ranks have answered; exit status: 3"));
        let shorter = BarrierRankResult::Done(refused(&["no"]));
        let failed = evaluate(&[answer(0, done()), answer(1, shorter)], &[1, 1], 0).expect_err("two lists");
        assert_eq!((failed.form, &*failed.reason), (None, "the ranks did not visit the same forms"));
        let elsewhere =
            BarrierRankResult::Done(RankFindings { nodes: vec![0, 0], ..refused(&["no", "never"]) });
        let failed = evaluate(&[answer(0, done()), answer(1, elsewhere)], &[1, 1], 0).expect_err("two maps");
        assert_eq!((failed.form, &*failed.reason), (None, "the ranks did not find the same nodes"));
    }

    #[test]
    fn several_clocks_count_only_where_they_were_compared() {
        let clock = |first_rank| ComparedClock {
            host: String::new(),
            first_rank,
            ranks: 1,
            offset_ns: 0.0,
            drift_ppm: 0.0,
            uncertainty_ns: 5.0,
            step_ns: 0.0,
        };
        let job = |compared: Vec<ComparedClock>| {
            let found = RankFindings { compared, uncertainty_ns: 10, ..refused(&["no", "never"]) };
            let of = |rank: usize| {
                let answer = answer(rank, BarrierRankResult::Done(found.clone()));
                BarrierRankAnswer { machine: format!("clock {rank}"), ..answer }
            };
            evaluate(&[of(0), of(1)], &[1, 1], 0)
        };
        let failed = job(vec![]).expect_err("not compared");
        assert!(failed.reason.contains("share no clock"), "{failed:?}");
        let hosts: Vec<_> = job(vec![clock(0), clock(1)]).expect("compared").compared;
        assert_eq!(hosts.iter().map(|clock| &*clock.host).collect::<Vec<_>>(), ["n0", "n1"]);
    }

    #[test]
    fn errors_are_blamed_before_hangs_and_hangs_before_silence() {
        let hung = answer(0, failed(1, StopReason::TimeLimit("rank 0 hung".into())));
        let erred = answer(1, failed(0, StopReason::Error("rank 1 erred".into())));
        let trouble = evaluate(&[hung.clone(), erred], &[1, 0], 1).expect_err("an error");
        assert_eq!(trouble, BarrierJobFailure { form: Some(0), reason: "rank 1 erred".into() });
        let trouble = evaluate(&[hung], &[1, 0], 1).expect_err("a hang");
        assert_eq!(trouble.form, Some(1));
        let trouble = evaluate(&[], &[1, 1], 1).expect_err("a crash");
        assert_eq!(trouble.form, Some(1));
    }

    #[test]
    fn singletons_are_no_job_and_no_forms_fault() {
        let alone =
            BarrierRankAnswer { size: 1, ..answer(0, BarrierRankResult::Done(RankFindings::default())) };
        let trouble = evaluate(&[alone], &[], 0).expect_err("a world of one");
        assert!(trouble.form.is_none() && trouble.reason.contains("rank 0 sees 1"), "{trouble:?}");
    }
}
