//! `cargo wb top`: what the ranks of running jobs of this workspace do. In a terminal it is renewed every second; elsewhere it is printed once.
//!
//! The runners of the jobs are asked by [`wb_process::job_status`]; a measured job is listed and not asked.

use std::{
    io::{self, IsTerminal},
    path::Path,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use wb_comm::BlockedCall;
use wb_messages::{
    Lang,
    layout::{Align, aligned, shortened},
    report::result,
    top as text, watch,
};
use wb_process::job_status::{self, JobStatus, JobWork, ObservedJob, RankStatus, TestedRun};
use wb_text::{escape, number};

use crate::{
    CommandStatus,
    error::{CliError, Result},
    watch::terminal,
    workspace::Workspace,
};

/// The time between two tables.
const INTERVAL: Duration = Duration::from_secs(1);

/// The longest that the only table waits for the answers of ranks.
const ANSWER_MAX: Duration = Duration::from_millis(2500);

pub(crate) fn run(lang: Lang) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    match io::stdin().is_terminal() && io::stdout().is_terminal() {
        true => show(workspace.target(), lang)?,
        false => println!("{}", lines(&tables(&answered_jobs(workspace.target()), lang), lang).join("\n")),
    }
    Ok(CommandStatus::Success)
}

/// Redraws the tables until the user quits.
fn show(target: &Path, lang: Lang) -> Result<()> {
    wb_process::handle_signals().map_err(CliError::system("run", "cargo wb top"))?;
    let (sender, keys) = mpsc::channel();
    terminal::read_keys(move |key| sender.send(key).is_ok());
    terminal::enter()?;
    loop {
        let (columns, height) = terminal::size();
        let shown = lines(&tables(&jobs(target), lang), lang);
        let mut rows: Vec<String> = shown.iter().map(|line| shortened(line, columns)).collect();
        rows.resize(height.saturating_sub(1), String::new());
        rows.push(text::keys(lang));
        terminal::draw(&rows)?;
        let due = Instant::now() + INTERVAL;
        loop {
            match keys.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(b'q' | terminal::CTRL_C) | Err(RecvTimeoutError::Disconnected) => {
                    terminal::leave();
                    return Ok(());
                }
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => break,
            }
        }
    }
}

/// The jobs of programs in this target folder; MPICH has one of its own inside.
pub(crate) fn jobs(target: &Path) -> Vec<ObservedJob> {
    job_status::observe(&[target.join("wb"), target.join("mpich/wb")])
}

/// The same after the ranks had time to answer.
fn answered_jobs(target: &Path) -> Vec<ObservedJob> {
    let start = Instant::now();
    loop {
        let jobs = jobs(target);
        let has_answered =
            |job: &ObservedJob| job.status.work == JobWork::Measured || job.age < start.elapsed();
        if jobs.iter().all(has_answered) || start.elapsed() > ANSWER_MAX {
            return jobs;
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// A job as a table.
pub(crate) struct JobTable {
    /// The program, its test and the backend.
    pub(crate) heading: String,
    /// The head of the columns and a row for each rank; empty where ranks are not asked or have not answered.
    pub(crate) rows: Vec<[String; 7]>,
    /// What is wrong with the job.
    pub(crate) remark: Option<String>,
}

pub(crate) fn tables(jobs: &[ObservedJob], lang: Lang) -> Vec<JobTable> {
    jobs.iter().map(|job| table(job, lang)).collect()
}

fn table(ObservedJob { status, age, is_silent }: &ObservedJob, lang: Lang) -> JobTable {
    let JobStatus { program, work, .. } = status;
    let remark = is_silent.then(|| text::silent(lang, age.as_secs()));
    let (heading, ranks) = match work {
        JobWork::Measured => (text::measured(lang, program), [].as_slice()),
        JobWork::Tests { backend, run: None, ranks } => {
            (text::tests(lang, program, backend), ranks.as_slice())
        }
        JobWork::Tests { backend, run: Some(TestedRun { test, ranks: size, input }), ranks } => {
            (text::run(lang, program, test, backend, size, input), ranks.as_slice())
        }
    };
    let rows = ranks.iter().map(|rank| row(rank, lang));
    let rows = if ranks.is_empty() { vec![] } else { [head(lang)].into_iter().chain(rows).collect() };
    JobTable { heading, rows, remark }
}

fn head(lang: Lang) -> [String; 7] {
    [
        text::column_rank(lang),
        text::column_stage(lang),
        text::column_since(lang),
        text::column_sent(lang),
        text::column_line(lang),
        text::column_call(lang),
        text::column_host(lang),
    ]
}

fn row(status: &RankStatus, lang: Lang) -> [String; 7] {
    let RankStatus { rank, host, stage, call, last_call, since, sent_bytes } = status;
    let location = call.as_ref().map(BlockedCall::location).or_else(|| last_call.clone());
    let doing = match (call, last_call) {
        (Some(call), _) => Some(call.call().render(lang)),
        (None, last) => last.as_ref().map(|last| text::after(lang, &last.call)),
    };
    let seconds = |since: &Duration| watch::seconds(lang, number::fixed(lang, since.as_secs_f64(), 1));
    let or_dash = |cell: Option<String>| cell.unwrap_or_else(|| "—".to_owned());
    [
        rank.to_string(),
        or_dash(stage.clone()),
        or_dash(since.as_ref().map(seconds)),
        or_dash(sent_bytes.map(|bytes| result::bytes(lang, bytes))),
        or_dash(location.map(|at| format!("{}:{}", at.file, at.line))),
        or_dash(doing),
        host.clone(),
    ]
}

/// The tables as lines without control characters.
fn lines(tables: &[JobTable], lang: Lang) -> Vec<String> {
    use Align::{Left, Right};
    if tables.is_empty() {
        return vec![text::nothing_runs(lang)];
    }
    let of_job = |table: &JobTable| {
        let rows = aligned(&table.rows, &[Right, Left, Right, Right, Left, Left, Left]);
        let rows = rows.iter().map(|row| format!("  {}", row.trim_end()));
        [table.heading.clone()].into_iter().chain(rows).chain(table.remark.clone()).collect::<Vec<_>>()
    };
    let all = tables.iter().flat_map(of_job);
    all.map(|line| escape::terminal(&line).into_owned()).collect()
}
