//! One line on a terminal that is redrawn while something runs. In a file there is none, but for a build that takes its time.

use std::{
    fs::File,
    io::{self, IsTerminal, Read, Seek},
    process::{Command, Stdio},
    sync::{
        Once,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};
use wb_messages::{WIDTH, wrap};

/// What a line of progress begins with: the task among several, or nothing; without one a program prints lines of its own.
pub(crate) type ProgressPrefix<'a> = Option<&'a str>;

/// A build that ends earlier is not mentioned in a file: nothing was compiled.
const NOTICEABLE: Duration = Duration::from_secs(3);

/// A line that is redrawn until it is dropped.
pub(crate) struct ProgressLine(ProgressBar);

impl ProgressLine {
    /// Shows `what` with the time that it takes; nothing where standard error is no terminal.
    pub(crate) fn new(prefix: &str, what: &str) -> Self {
        let style = ProgressStyle::with_template("{prefix}{elapsed}  {wide_msg}");
        let bar = ProgressBar::new_spinner().with_style(style.expect("the template is a constant"));
        bar.set_prefix(prefix.to_owned());
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(500));
        Self(bar)
    }

    /// Shows something else, and then nothing moves: a thread that draws would disturb a measurement.
    fn rest(&self, what: String) {
        self.0.disable_steady_tick();
        self.0.reset_elapsed();
        self.0.set_message(what);
        self.0.tick();
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// The messages of a build by cargo.
pub(crate) struct BuildDisplay {
    line: Option<ProgressLine>,
    /// What cargo writes, where it must not write into a line of progress.
    kept: Option<File>,
    /// Dropped when the build has ended.
    _running: Option<mpsc::Sender<()>>,
}

impl BuildDisplay {
    /// Whether cargo's own progress is not shown.
    pub(crate) fn is_quiet(prefix: ProgressPrefix<'_>) -> bool {
        prefix.is_some() || !io::stderr().is_terminal()
    }

    /// Begins to show a build that `command` will make; `what` is said once in a file.
    pub(crate) fn new(prefix: ProgressPrefix<'_>, what: String, command: &mut Command) -> io::Result<Self> {
        if !io::stderr().is_terminal() {
            return Ok(Self { line: None, kept: None, _running: Some(announce_once(what)) });
        }
        let Some(prefix) = prefix else { return Ok(Self { line: None, kept: None, _running: None }) };
        let kept = tempfile::tempfile()?;
        command.stderr(Stdio::from(kept.try_clone()?)).env("CARGO_TERM_COLOR", "always");
        Ok(Self { line: Some(ProgressLine::new(prefix, &what)), kept: Some(kept), _running: None })
    }

    /// Shows what cargo had to say. Then the line shows `next` until it is dropped, or is removed.
    pub(crate) fn end(self, next: Option<String>) -> io::Result<Option<ProgressLine>> {
        let mut output = String::new();
        if let Some(mut kept) = self.kept {
            kept.rewind()?;
            kept.read_to_string(&mut output)?;
        }
        let next = next.filter(|_| output.is_empty());
        let line = self.line.filter(|_| next.is_some());
        line.iter().zip(next).for_each(|(line, next)| line.rest(next));
        if !output.is_empty() {
            eprintln!("{}", wb_text::escape::coloured(output.trim_end()));
        }
        Ok(line)
    }
}

/// Prints the text unless what is returned is dropped soon; never twice in one process.
fn announce_once(what: String) -> mpsc::Sender<()> {
    static PRINTED: Once = Once::new();
    let (running, ended) = mpsc::channel::<()>();
    thread::spawn(move || {
        if ended.recv_timeout(NOTICEABLE) == Err(RecvTimeoutError::Timeout) {
            PRINTED.call_once(|| eprintln!("{}", wrap(&what, "", "  ", WIDTH)));
        }
    });
    running
}
