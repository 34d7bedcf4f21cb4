//! One job: its command, its deadline, and the evidence that it did what it was asked.
//!
//! A job counts only when every rank has left an answer and sees all the others. When it does not count, the form that
//! is to blame is looked for: the one that a rank erred in, then the one that a rank hung in, then the one in which most
//! ranks stood when they died.
use std::{
    collections::BTreeMap,
    fs, io,
    path::Path,
    process::{Command, ExitStatus},
    time::Duration,
};

use wb_process::Job;
use wb_record::Backend;
use wb_worker::{Backends, launch};

use crate::{
    job_spec::{self, BarrierJobSpec, BarrierRankAnswer, BarrierRankResult},
    rank_watchdog,
    samples::{self, FormSamples},
    substrate, visit_order,
};

/// How long a job may take to start and to end.
const SETUP: Duration = Duration::from_secs(30);

/// How many times longer than planned visits may take on the whole.
const DEADLINE_FACTOR: u32 = 10;

/// Lines of a job's output that are told.
const LINES: usize = 4;

/// Why a job does not count.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BarrierJobFailure {
    /// The number of the form that is to blame, if it is known.
    pub(crate) form: Option<usize>,
    /// What was seen.
    pub(crate) reason: String,
}

impl BarrierJobFailure {
    fn without_form(reason: impl ToString) -> Self {
        Self { form: None, reason: reason.to_string() }
    }
}

/// Starts the job with these variables, waits for it at most until its deadline, and looks at what it left. One entry a
/// form.
pub(crate) fn run(
    order: &BarrierJobSpec,
    backends: Backends,
    variables: &[(&str, String)],
) -> Result<Vec<FormSamples>, BarrierJobFailure> {
    let lost = |error: io::Error| BarrierJobFailure::without_form(error);
    let path = order.write().map_err(lost)?;
    let mut command = command(order, &path, backends)?;
    command.envs(variables.iter().map(|(name, value)| (*name, value)));
    let output = order.folder.join("output.txt");
    let job = Job::spawn_to_files(command, &output, &output).map_err(lost)?;
    let ended = job.wait(deadline(order)).map_err(lost)?;
    let answers: io::Result<Vec<_>> =
        (0..order.ranks).map(|rank| BarrierRankAnswer::read(&order.folder, rank)).collect();
    let answers: Vec<BarrierRankAnswer> = answers.map_err(lost)?.into_iter().flatten().collect();
    let standing: Vec<_> =
        (0..order.ranks).filter_map(|rank| rank_watchdog::last_form(&order.folder, rank)).collect();
    let late = ended.has_timed_out.then_some(deadline(order));
    let said = last_lines(&output);
    evidence(order, &answers, &standing, ended.status, late)
        .map_err(|trouble| BarrierJobFailure { reason: trouble.reason + &said, ..trouble })
}

fn command(order: &BarrierJobSpec, path: &Path, backends: Backends) -> Result<Command, BarrierJobFailure> {
    let program = std::env::current_exe().map_err(BarrierJobFailure::without_form)?;
    let mut command = match (order.backend, backends.processes) {
        (Backend::Mpi, Some(processes)) => launch::command(&processes.library(), order.ranks, &program)
            .map_err(BarrierJobFailure::without_form)?,
        _ => Command::new(program),
    };
    command.env(job_spec::VARIABLE, path);
    if order.forms.iter().any(substrate::is_shmem) {
        // Where this is not permitted the library does not start, and its forms are refused with that reason.
        drop(wb_oshmem::without_randomisation(&mut command));
    }
    Ok(command)
}

/// The time after which a job is ended whatever it does; what hangs in a form is interrupted earlier, by its rank.
fn deadline(order: &BarrierJobSpec) -> Duration {
    let visits = (visit_order::length(&order.forms) * (order.sampling.rounds + 2)) as u32;
    SETUP + order.sampling.limit + order.sampling.batch * visits * DEADLINE_FACTOR
}

/// What was found, only when every rank has answered, sees all the others and runs on the same machine.
fn evidence(
    order: &BarrierJobSpec,
    answers: &[BarrierRankAnswer],
    standing: &[usize],
    status: ExitStatus,
    late: Option<Duration>,
) -> Result<Vec<FormSamples>, BarrierJobFailure> {
    let asked = order.ranks;
    if let Some(answer) = answers.iter().find(|answer| answer.size != asked) {
        let (rank, sees) = (answer.rank, answer.size);
        return Err(BarrierJobFailure::without_form(format!(
            "{asked} ranks were asked for and rank {rank} sees {sees}: the launcher does not belong to the library"
        )));
    }
    if let Some(trouble) = reported_failure(answers) {
        return Err(trouble);
    }
    if answers.len() < asked || late.is_some() || !status.success() {
        let how =
            late.map_or_else(|| status.to_string(), |after| format!("ended after {} s", after.as_secs()));
        let reason = format!("{} of {asked} ranks have answered; {how}", answers.len());
        // Whoever has answered has left all forms behind.
        let form = (answers.len() < asked).then(|| most_frequent(standing)).flatten();
        return Err(BarrierJobFailure { form, reason });
    }
    if answers.iter().any(|answer| answer.machine != answers[0].machine) {
        return Err(BarrierJobFailure::without_form("ranks run on different machines and share no clock"));
    }
    let found: Option<Vec<FormSamples>> =
        (0..order.forms.len()).map(|number| samples::form_samples(answers, number)).collect();
    found.ok_or_else(|| BarrierJobFailure::without_form("the ranks did not visit the same forms"))
}

/// The trouble that ranks themselves tell of. Errors come first: others hang only because of them.
fn reported_failure(answers: &[BarrierRankAnswer]) -> Option<BarrierJobFailure> {
    let stopped = answers.iter().filter_map(|answer| match &answer.result {
        BarrierRankResult::Stopped { form, hung, reason } => Some((*hung, *form, reason.clone())),
        BarrierRankResult::Done(_) => None,
    });
    let (_, form, reason) = stopped.min_by_key(|(hung, ..)| *hung)?;
    Some(BarrierJobFailure { form, reason })
}

fn most_frequent(numbers: &[usize]) -> Option<usize> {
    let mut counts = BTreeMap::new();
    numbers.iter().for_each(|number| *counts.entry(*number).or_insert(0) += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(number, _)| number)
}

/// The last lines that a job printed, each after a separator; nothing where it printed nothing.
fn last_lines(output: &Path) -> String {
    let text = fs::read(output).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let lines: Vec<_> =
        text.lines().map(str::trim).filter(|line| line.contains(char::is_alphanumeric)).collect();
    lines[lines.len().saturating_sub(LINES)..].iter().map(|line| format!("; {line}")).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;
    use crate::job_spec::{
        FormResult,
        tests::{form, job_spec},
    };

    fn answer(rank: usize, ending: BarrierRankResult) -> BarrierRankAnswer {
        BarrierRankAnswer { rank, size: 2, machine: "this".into(), result: ending }
    }

    fn stopped(form: usize, hung: bool, reason: &str) -> BarrierRankResult {
        BarrierRankResult::Stopped { form: Some(form), hung, reason: reason.into() }
    }

    fn evaluate(
        answers: &[BarrierRankAnswer],
        standing: &[usize],
        code: i32,
    ) -> Result<Vec<FormSamples>, BarrierJobFailure> {
        let order = job_spec(Path::new("/"), vec![form("a"), form("b")]);
        evidence(&order, answers, standing, ExitStatus::from_raw(code << 8), None)
    }

    #[test]
    fn whole_jobs_count() {
        let done = || {
            BarrierRankResult::Done(vec![
                FormResult::Refused("no".into()),
                FormResult::Refused("never".into()),
            ])
        };
        let found = evaluate(&[answer(0, done()), answer(1, done())], &[1, 1], 0).expect("a whole job");
        assert_eq!(found, [FormSamples::Refused("no".into()), FormSamples::Refused("never".into())]);
        assert!(evaluate(&[answer(0, done()), answer(1, done())], &[1, 1], 3).is_err());
        let shorter = BarrierRankResult::Done(vec![FormResult::Refused("no".into())]);
        assert!(evaluate(&[answer(0, done()), answer(1, shorter)], &[1, 1], 0).is_err());
    }

    #[test]
    fn errors_are_blamed_before_hangs_and_hangs_before_silence() {
        let hung = answer(0, stopped(1, true, "rank 0 hung"));
        let erred = answer(1, stopped(0, false, "rank 1 erred"));
        let trouble = evaluate(&[hung.clone(), erred], &[1, 0], 1).expect_err("an error");
        assert_eq!(trouble, BarrierJobFailure { form: Some(0), reason: "rank 1 erred".into() });
        let trouble = evaluate(&[hung], &[1, 0], 1).expect_err("a hang");
        assert_eq!(trouble.form, Some(1));
        let trouble = evaluate(&[], &[1, 1], 1).expect_err("a crash");
        assert_eq!(trouble.form, Some(1));
    }

    #[test]
    fn singletons_are_no_job_and_no_forms_fault() {
        let alone = BarrierRankAnswer { size: 1, ..answer(0, BarrierRankResult::Done(vec![])) };
        let trouble = evaluate(&[alone], &[], 0).expect_err("a world of one");
        assert!(trouble.form.is_none() && trouble.reason.contains("rank 0 sees 1"), "{trouble:?}");
    }
}
