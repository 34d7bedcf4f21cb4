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

use wb_harness::{Backends, launch};
use wb_process::Job;
use wb_record::Backend;

use crate::{
    order::{self, Answer, Ending, Order},
    samples::{self, Found},
    substrate, tour, watch,
};

/// How long a job may take to start and to end.
const SETUP: Duration = Duration::from_secs(30);

/// How many times longer than planned visits may take on the whole.
const SLACK: u32 = 10;

/// Lines of a job's output that are told.
const LINES: usize = 4;

/// Why a job does not count.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trouble {
    /// The number of the form that is to blame, if it is known.
    pub(crate) form: Option<usize>,
    /// What was seen.
    pub(crate) reason: String,
}

impl Trouble {
    fn of_nobody(reason: impl ToString) -> Self {
        Self { form: None, reason: reason.to_string() }
    }
}

/// Starts the job with these variables, waits for it at most until its deadline, and looks at what it left. One entry a
/// form.
pub(crate) fn run(
    order: &Order,
    backends: Backends,
    variables: &[(&str, String)],
) -> Result<Vec<Found>, Trouble> {
    let lost = |error: io::Error| Trouble::of_nobody(error);
    let path = order.write().map_err(lost)?;
    let mut command = command(order, &path, backends)?;
    command.envs(variables.iter().map(|(name, value)| (*name, value)));
    let output = order.folder.join("output.txt");
    let job = Job::spawn_to_files(command, &output, &output).map_err(lost)?;
    let ended = job.wait(deadline(order)).map_err(lost)?;
    let answers: io::Result<Vec<_>> =
        (0..order.ranks).map(|rank| Answer::read(&order.folder, rank)).collect();
    let answers: Vec<Answer> = answers.map_err(lost)?.into_iter().flatten().collect();
    let standing: Vec<_> =
        (0..order.ranks).filter_map(|rank| watch::last_standing(&order.folder, rank)).collect();
    let late = ended.timed_out.then_some(deadline(order));
    let said = last_lines(&output);
    evidence(order, &answers, &standing, ended.status, late)
        .map_err(|trouble| Trouble { reason: trouble.reason + &said, ..trouble })
}

fn command(order: &Order, path: &Path, backends: Backends) -> Result<Command, Trouble> {
    let program = std::env::current_exe().map_err(Trouble::of_nobody)?;
    let mut command = match (order.backend, backends.processes) {
        (Backend::Mpi, Some(processes)) => {
            launch::command(&processes.library(), order.ranks, &program).map_err(Trouble::of_nobody)?
        }
        _ => Command::new(program),
    };
    command.env(order::VARIABLE, path);
    if order.forms.iter().any(substrate::is_shmem) {
        // Where this is not permitted the library does not start, and its forms are refused with that reason.
        drop(wb_oshmem::without_randomisation(&mut command));
    }
    Ok(command)
}

/// The time after which a job is ended whatever it does; what hangs in a form is interrupted earlier, by its rank.
fn deadline(order: &Order) -> Duration {
    let visits = (tour::length(&order.forms) * (order.sampling.rounds + 2)) as u32;
    SETUP + order.sampling.limit + order.sampling.batch * visits * SLACK
}

/// What was found, only when every rank has answered, sees all the others and runs on the same machine.
fn evidence(
    order: &Order,
    answers: &[Answer],
    standing: &[usize],
    status: ExitStatus,
    late: Option<Duration>,
) -> Result<Vec<Found>, Trouble> {
    let asked = order.ranks;
    if let Some(answer) = answers.iter().find(|answer| answer.size != asked) {
        let (rank, sees) = (answer.rank, answer.size);
        return Err(Trouble::of_nobody(format!(
            "{asked} ranks were asked for and rank {rank} sees {sees}: the launcher does not belong to the library"
        )));
    }
    if let Some(trouble) = admitted(answers) {
        return Err(trouble);
    }
    if answers.len() < asked || late.is_some() || !status.success() {
        let how =
            late.map_or_else(|| status.to_string(), |after| format!("ended after {} s", after.as_secs()));
        let reason = format!("{} of {asked} ranks have answered; {how}", answers.len());
        // Whoever has answered has left all forms behind.
        let form = (answers.len() < asked).then(|| most_frequent(standing)).flatten();
        return Err(Trouble { form, reason });
    }
    if answers.iter().any(|answer| answer.machine != answers[0].machine) {
        return Err(Trouble::of_nobody("ranks run on different machines and share no clock"));
    }
    let found: Option<Vec<Found>> =
        (0..order.forms.len()).map(|number| samples::found(answers, number)).collect();
    found.ok_or_else(|| Trouble::of_nobody("the ranks did not visit the same forms"))
}

/// The trouble that ranks themselves tell of. Errors come first: others hang only because of them.
fn admitted(answers: &[Answer]) -> Option<Trouble> {
    let stopped = answers.iter().filter_map(|answer| match &answer.ending {
        Ending::Stopped { form, hung, reason } => Some((*hung, *form, reason.clone())),
        Ending::Done(_) => None,
    });
    let (_, form, reason) = stopped.min_by_key(|(hung, ..)| *hung)?;
    Some(Trouble { form, reason })
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
    use crate::order::{
        Seen,
        tests::{form, order},
    };

    fn answer(rank: usize, ending: Ending) -> Answer {
        Answer { rank, size: 2, machine: "this".into(), ending }
    }

    fn stopped(form: usize, hung: bool, reason: &str) -> Ending {
        Ending::Stopped { form: Some(form), hung, reason: reason.into() }
    }

    fn judge(answers: &[Answer], standing: &[usize], code: i32) -> Result<Vec<Found>, Trouble> {
        let order = order(Path::new("/"), vec![form("a"), form("b")]);
        evidence(&order, answers, standing, ExitStatus::from_raw(code << 8), None)
    }

    #[test]
    fn whole_jobs_count() {
        let done = || Ending::Done(vec![Seen::Refused("no".into()), Seen::Refused("never".into())]);
        let found = judge(&[answer(0, done()), answer(1, done())], &[1, 1], 0).expect("a whole job");
        assert_eq!(found, [Found::Refused("no".into()), Found::Refused("never".into())]);
        assert!(judge(&[answer(0, done()), answer(1, done())], &[1, 1], 3).is_err());
        let shorter = Ending::Done(vec![Seen::Refused("no".into())]);
        assert!(judge(&[answer(0, done()), answer(1, shorter)], &[1, 1], 0).is_err());
    }

    #[test]
    fn errors_are_blamed_before_hangs_and_hangs_before_silence() {
        let hung = answer(0, stopped(1, true, "rank 0 hung"));
        let erred = answer(1, stopped(0, false, "rank 1 erred"));
        let trouble = judge(&[hung.clone(), erred], &[1, 0], 1).expect_err("an error");
        assert_eq!(trouble, Trouble { form: Some(0), reason: "rank 1 erred".into() });
        let trouble = judge(&[hung], &[1, 0], 1).expect_err("a hang");
        assert_eq!(trouble.form, Some(1));
        let trouble = judge(&[], &[1, 1], 1).expect_err("a crash");
        assert_eq!(trouble.form, Some(1));
    }

    #[test]
    fn singletons_are_no_job_and_no_forms_fault() {
        let alone = Answer { size: 1, ..answer(0, Ending::Done(vec![])) };
        let trouble = judge(&[alone], &[], 0).expect_err("a world of one");
        assert!(trouble.form.is_none() && trouble.reason.contains("rank 0 sees 1"), "{trouble:?}");
    }
}
