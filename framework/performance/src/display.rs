//! Shows the progress: a bar on a terminal; in a pipe plain lines, or nothing where one line was asked for.
//!
//! Nothing is drawn while a job runs, because the thread of a moving bar would disturb a sample.
use std::io::{IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The output of the progress.
pub(crate) struct ProgressDisplay {
    out: ProgressOutput,
    done: usize,
    total: usize,
}

enum ProgressOutput {
    Bar(ProgressBar),
    Lines(Box<dyn Write>),
    /// Only what stays: failures.
    FailuresOnly(Box<dyn Write>),
}

impl ProgressDisplay {
    /// Shows the progress on standard error: a bar on a terminal, behind `prefix` if that is given, otherwise lines, or with a prefix
    /// nothing.
    pub(crate) fn on_stderr(total: usize, prefix: Option<&str>) -> Self {
        let stderr = std::io::stderr();
        if !stderr.is_terminal() {
            return Self::in_a_pipe(total, prefix, Box::new(stderr));
        }
        let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
        let prefix = prefix.unwrap_or_default();
        let template = match prefix.is_empty() {
            true => "{bar:24} {pos}/{len}  {wide_msg}",
            false => "{prefix}{pos}/{len}  {wide_msg}",
        };
        bar.set_style(ProgressStyle::with_template(template).expect("the template is a constant"));
        bar.set_prefix(prefix.to_owned());
        Self { out: ProgressOutput::Bar(bar), done: 0, total }
    }

    /// Shows the progress as lines, or with a prefix failures only.
    fn in_a_pipe(total: usize, prefix: Option<&str>, out: Box<dyn Write>) -> Self {
        let out = match prefix {
            None => ProgressOutput::Lines(out),
            Some(_) => ProgressOutput::FailuresOnly(out),
        };
        Self { out, done: 0, total }
    }

    /// Adds further jobs to the total.
    pub(crate) fn extend(&mut self, more: usize) {
        self.total += more;
        if let ProgressOutput::Bar(bar) = &self.out {
            bar.set_length(self.total as u64);
        }
    }

    /// Shows that the next job starts.
    pub(crate) fn begin(&mut self, what: &str) {
        self.done += 1;
        let (done, total) = (self.done, self.total);
        match &mut self.out {
            ProgressOutput::Bar(bar) => {
                bar.set_position(done as u64 - 1);
                bar.set_message(what.to_owned());
                bar.tick();
            }
            ProgressOutput::Lines(out) => write_line(out, &format!("[{done}/{total}] {what}")),
            ProgressOutput::FailuresOnly(_) => {}
        }
    }

    /// Skips the next job, which is not needed any more.
    pub(crate) fn skip(&mut self) {
        self.total -= 1;
        self.extend(0);
    }

    /// Prints a line that remains visible.
    pub(crate) fn print_line(&mut self, line: &str) {
        match &mut self.out {
            ProgressOutput::Bar(bar) => bar.suspend(|| write_line(&mut std::io::stderr(), line)),
            ProgressOutput::Lines(out) | ProgressOutput::FailuresOnly(out) => write_line(out, line),
        }
    }

    /// Ends the display.
    pub(crate) fn finish(self) {
        if let ProgressOutput::Bar(bar) = self.out {
            bar.finish_and_clear();
        }
    }
}

/// Writes a line and ignores errors: an output that is closed does not stop the measurement.
fn write_line(out: &mut impl Write, line: &str) {
    let _nobody_reads = writeln!(out, "{}", wb_text::escape::terminal(line)).and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn shown_in_a_pipe(prefix: Option<&str>) -> String {
        let written = tempfile::NamedTempFile::new().expect("a file");
        let mut display = ProgressDisplay::in_a_pipe(2, prefix, Box::new(written.reopen().expect("a file")));
        display.begin("seq");
        display.extend(2);
        display.skip();
        display.begin("mpi, P = 2");
        display.print_line("rank 1 is late");
        display.finish();
        fs::read_to_string(written.path()).expect("text")
    }

    #[test]
    fn in_a_pipe_progress_is_numbered_lines() {
        assert_eq!(shown_in_a_pipe(None), "[1/2] seq\n[2/3] mpi, P = 2\nrank 1 is late\n");
    }

    #[test]
    fn where_one_line_is_asked_for_a_pipe_has_failures_only() {
        assert_eq!(shown_in_a_pipe(Some("[3/18] ")), "rank 1 is late\n");
    }
}
