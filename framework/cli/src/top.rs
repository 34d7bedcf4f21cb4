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
use wb_process::job_status::{self, JobStatus, RankStatus};
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
    let target = workspace.target();
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        show(target, lang)?;
    } else {
        wait_for_answers(target);
        println!("{}", lines(target, lang).join("\n"));
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
        let mut rows: Vec<_> = lines(target, lang).iter().map(|line| shortened(line, columns)).collect();
        rows.resize(height.saturating_sub(1), String::new());
        rows.push(text::keys(lang));
        terminal::draw(&rows)?;
        match keys.recv_timeout(INTERVAL) {
            Ok(b'q' | terminal::CTRL_C) | Err(RecvTimeoutError::Disconnected) => break,
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
        }
    }
    terminal::leave();
    Ok(())
}

/// The jobs of programs in this target folder; MPICH has one of its own inside.
fn jobs(target: &Path) -> Vec<(JobStatus, Duration)> {
    job_status::observe(&[target.join("wb"), target.join("mpich/wb")])
}

/// Waits until the ranks have answered, as long as that may take.
fn wait_for_answers(target: &Path) {
    let start = Instant::now();
    let is_open = |(job, age): &(JobStatus, Duration)| job.ranks.is_some() && *age >= start.elapsed();
    while jobs(target).iter().any(is_open) && start.elapsed() < ANSWER_MAX {
        thread::sleep(Duration::from_millis(50));
    }
}

/// A job as a table: a heading, and the head of the columns and a row for each rank, or nothing where no rank has answered.
pub(crate) type JobTable = (String, Vec<[String; 7]>);

/// The jobs of programs in this target folder.
pub(crate) fn tables(target: &Path, lang: Lang) -> Vec<JobTable> {
    let table = |(JobStatus { program, work, ranks, .. }, _)| match ranks {
        None => (text::measured(lang, program), vec![]),
        Some(ranks) => {
            let head = (!ranks.is_empty()).then(|| head(lang));
            let rows = head.into_iter().chain(ranks.iter().map(|rank| row(rank, lang)));
            (format!("{program}: {work}"), rows.collect())
        }
    };
    jobs(target).into_iter().map(table).collect()
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
fn lines(target: &Path, lang: Lang) -> Vec<String> {
    use Align::{Left, Right};
    let of_job = |(heading, rows): JobTable| {
        let rows = aligned(&rows, &[Right, Left, Right, Right, Left, Left, Left]);
        let rows = rows.into_iter().map(|row| format!("  {}", row.trim_end()));
        [heading].into_iter().chain(rows).collect::<Vec<_>>()
    };
    let all = tables(target, lang).into_iter().flat_map(of_job);
    let lines: Vec<_> = all.map(|line| escape::terminal(&line).into_owned()).collect();
    if lines.is_empty() { vec![text::nothing_runs(lang)] } else { lines }
}
