//! One step of a longer command: a process that is shown with its time, and with its output when it fails.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal, Read, Write},
    path::Path,
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use wb_messages::{Lang, cli as text, number};
use wb_process::{Job, JobExit, describe_status};

use crate::error::{CliError, Result};

/// The part of its output that a step shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputMode {
    /// All of it, when the step has failed.
    Failure,
    /// Nothing, not even that it runs.
    Hidden,
    /// Every line when it is printed.
    Live,
    /// Standard error when it is printed. Standard output, which is for programs, is kept and not shown.
    Errors,
}

/// A process to run and to show.
pub(crate) struct CommandStep<'a> {
    /// The text in front, like `[2/5] cargo clippy`.
    pub(crate) title: String,
    pub(crate) command: Command,
    pub(crate) limit: Duration,
    pub(crate) show: OutputMode,
    /// The file that keeps the output.
    pub(crate) log: &'a Path,
}

impl CommandStep<'_> {
    /// Runs the step; whether it succeeded is in the answer and on the screen.
    pub(crate) fn run(self, lang: Lang) -> Result<JobExit> {
        let Self { title, command, limit, show, log } = self;
        let program = command.get_program().to_owned();
        match show {
            OutputMode::Failure => print!("{}", column(&title)),
            OutputMode::Hidden => {}
            OutputMode::Live | OutputMode::Errors => println!("{title}"),
        }
        wb_process::output::flush();
        let ended = match show {
            OutputMode::Failure | OutputMode::Hidden => {
                Job::spawn_to_files(command, log, log).and_then(|job| job.wait(limit))
            }
            OutputMode::Live | OutputMode::Errors => run_live(command, show, log, limit),
        };
        let ended = ended.map_err(CliError::system("run", program))?;
        match show {
            OutputMode::Failure => {}
            OutputMode::Hidden => return Ok(ended),
            OutputMode::Live | OutputMode::Errors => print!("{}", column(&title)),
        }
        println!("{}", describe_outcome(&ended, limit, lang));
        if show == OutputMode::Failure && !ended.is_success() {
            show_output(log)?;
        }
        Ok(ended)
    }
}

/// Columns of a title; the result of the step is behind them.
const TITLE: usize = 46;

/// A title, up to the column of the result: a longer title has a line of its own.
pub(crate) fn column(title: &str) -> String {
    let fits = title.chars().count() <= TITLE;
    if fits { format!("{title:<TITLE$} ") } else { format!("{title}\n{:<TITLE$} ", "") }
}

/// How a step ended, and after how long.
pub(crate) fn describe_outcome(ended: &JobExit, limit: Duration, lang: Lang) -> String {
    let seconds = number::fixed(lang, ended.elapsed.as_secs_f64(), 1);
    match ended.is_success() {
        true => text::step_ok(lang, seconds),
        false => text::step_failed(lang, seconds, describe_failure(ended, limit, lang)),
    }
}

/// Shows the output of a program that has ended.
pub(crate) fn show_output(log: &Path) -> Result<()> {
    let shown =
        File::open(log).and_then(|from| copy_lines(from, io::stdout(), ColourPolicy::None, &mut io::sink()));
    shown.map_err(CliError::system("read", log))
}

/// Why a process did not succeed.
pub(crate) fn describe_failure(ended: &JobExit, limit: Duration, lang: Lang) -> String {
    match ended.has_timed_out {
        true => text::ended_by_deadline(lang, limit.as_secs()),
        false => describe_status(ended.status, lang),
    }
}

/// The time limit for the last lines of a process that has ended. Only a process that has left its job's group and keeps the
/// pipe open needs longer, and its output is not awaited.
const OUTPUT_DRAIN_TIMEOUT: Duration = Duration::from_secs(5);

/// Runs `command` with its output in `log` and the part that `show` selects on the screen; returns when both are complete.
fn run_live(mut command: Command, show: OutputMode, log: &Path, limit: Duration) -> io::Result<JobExit> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let colours = if io::stdout().is_terminal() { ColourPolicy::Keep } else { ColourPolicy::None };
    if colours == ColourPolicy::Keep {
        command.env("CARGO_TERM_COLOR", "always");
    }
    let mut log = File::create(log)?;
    let mut err_log = log.try_clone()?; // One file offset for both, so that neither overwrites the other.
    let mut job = Job::spawn(command)?;
    let (stdout, stderr) = (job.stdout(), job.stderr());
    let (finished, copies) = mpsc::channel();
    let also_finished = finished.clone();
    thread::spawn(move || {
        finished.send(stdout.map(|from| match show {
            OutputMode::Errors => copy_lines(from, io::sink(), colours, &mut log),
            _ => copy_lines(from, io::stdout(), colours, &mut log),
        }))
    });
    thread::spawn(move || {
        also_finished.send(stderr.map(|from| copy_lines(from, io::stderr(), colours, &mut err_log)))
    });
    let ended = job.wait(limit)?;
    for _ in 0..2 {
        if let Ok(Some(copied)) = copies.recv_timeout(OUTPUT_DRAIN_TIMEOUT) {
            copied?;
        }
    }
    Ok(ended)
}

/// The handling of colours in the output of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColourPolicy {
    /// The colours that cargo was asked to write stay.
    Keep,
    /// No program was asked to write colours.
    None,
}

/// Copies whole lines, so that the two streams do not mix within one. On the screen nothing is hidden: the lines come from
/// a program that the workbench does not control. The log keeps its bytes.
fn copy_lines(
    from: impl Read,
    mut screen: impl Write,
    colours: ColourPolicy,
    log: &mut impl Write,
) -> io::Result<()> {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        log.write_all(&line)?;
        let text = String::from_utf8_lossy(&line);
        let shown = match colours {
            ColourPolicy::Keep => wb_text::escape::coloured(&text),
            ColourPolicy::None => wb_text::escape::terminal(&text),
        };
        screen.write_all(shown.as_bytes())?;
        line.clear();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &[u8] = b"\x1b[92mok\x1b[0m \x1b[2J\x1b]0;title\x07 \0 \xe2\x80\xae \xff\nend";

    fn copied(colours: ColourPolicy) -> (String, Vec<u8>) {
        let (mut screen, mut log) = (vec![], vec![]);
        copy_lines(HOSTILE, &mut screen, colours, &mut log).expect("memory");
        (String::from_utf8(screen).expect("text"), log)
    }

    #[test]
    fn the_result_of_a_step_is_in_one_column_whatever_its_title() {
        for title in ["[1/4] cargo fmt", "[3/4] cargo clippy -p surname_n_a_long_name_of_a_task"] {
            let shown = column(title)
                + &text::step_failed(Lang::En, "12.5", wb_messages::program::ended_with_code(Lang::En, 101));
            let last = shown.lines().last().expect("a line");
            assert_eq!(last.find("FAILED"), Some(TITLE + 1), "{shown}");
            assert!(shown.lines().all(|line| line.chars().count() <= wb_messages::WIDTH), "{shown}");
        }
    }

    #[test]
    fn nothing_that_a_program_writes_reaches_the_screen_unseen() {
        let escaped = "\\u{1b}[2J\\u{1b}]0;title\\u{7} \\u{0} \\u{202e} \u{fffd}\nend";
        let (screen, log) = copied(ColourPolicy::None);
        assert_eq!(screen, format!("\\u{{1b}}[92mok\\u{{1b}}[0m {escaped}"));
        assert_eq!(log, HOSTILE);
        let (screen, log) = copied(ColourPolicy::Keep);
        assert_eq!(screen, format!("\u{1b}[92mok\u{1b}[0m {escaped}"));
        assert_eq!(log, HOSTILE);
    }
}
