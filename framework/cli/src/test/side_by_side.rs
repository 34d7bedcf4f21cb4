//! Test programs, several at a time: most of them wait for launchers, for limits and for ranks that wait for each other.

use std::{
    collections::VecDeque,
    fs,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
};

use wb_messages::{Lang, WIDTH, wrap};
use wb_process::Job;

use super::programs::Program;
use crate::{
    error::{CliError, Result},
    step, test_program,
    test_totals::TestTotals,
};

/// How the programs are run and shown.
#[derive(Clone, Copy)]
pub(super) struct Settings<'a> {
    /// The folder of the outputs.
    pub(super) logs: &'a Path,
    /// Whether the output of a program is shown that succeeds, too.
    pub(super) show_all: bool,
    pub(super) lang: Lang,
}

/// The results of all programs.
#[derive(Default)]
pub(super) struct Results {
    pub(super) total: TestTotals,
    /// The commands that repeat the programs that failed.
    pub(super) failed: Vec<String>,
}

/// The number of programs that run at a time.
pub(super) fn at_a_time() -> usize {
    wb_process::usable_cores().max(2)
}

/// Runs the programs in their order, [`at_a_time`], and then one by one those that run alone.
pub(super) fn run(programs: Vec<Program>, settings: Settings<'_>) -> Result<Results> {
    let (alone, others): (VecDeque<_>, _) =
        programs.into_iter().enumerate().partition(|(_, program)| program.runs_alone);
    let results = Mutex::new(Results::default());
    run_at_a_time(at_a_time(), others, settings, &results)?;
    run_at_a_time(1, alone, settings, &results)?;
    Ok(results.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Runs the programs, at most `count` at a time.
fn run_at_a_time(
    count: usize,
    programs: VecDeque<(usize, Program)>,
    settings: Settings<'_>,
    results: &Mutex<Results>,
) -> Result<()> {
    let queue = Mutex::new(programs);
    let work = || -> Result<()> {
        loop {
            let Some((number, program)) = lock(&queue).pop_front() else { return Ok(()) };
            run_one(number, program, settings, results)?;
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
    })
}

/// Runs a program and shows how it ended, in one piece.
fn run_one(number: usize, program: Program, settings: Settings<'_>, results: &Mutex<Results>) -> Result<()> {
    let Settings { logs, show_all, lang } = settings;
    let Program { title, repeat, command, limit, .. } = program;
    let log = logs.join(format!("program-{number}.log"));
    let path = command.get_program().to_owned();
    let ended = Job::spawn_to_files(command, &log, &log).and_then(|job| job.wait(limit));
    let ended = ended.map_err(CliError::system("run", path))?;
    let output = fs::read(&log).map_err(CliError::system("read", &log))?;
    let output = String::from_utf8_lossy(&output);
    let total = TestTotals::from_output(&output);

    let mut results = lock(results);
    println!("{}{}", step::column(&title), step::describe_outcome(&ended, limit, lang));
    if show_all || !ended.is_success() {
        step::show_output(&log)?;
    }
    if ended.has_timed_out {
        println!("{}", wrap(&test_program::describe_unended(&title, limit, &output, lang), "", "  ", WIDTH));
    }
    if !ended.is_success() {
        results.failed.push(repeat);
    }
    results.total += total;
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
