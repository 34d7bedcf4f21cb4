//! Parts of the output of a failed job, and the message of a panic, for the report of the failure.
use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    os::unix::process::ExitStatusExt,
    path::Path,
    process::ExitStatus,
};

use wb_comm::Text;
use wb_messages::{Lang, functional as text};
use wb_process::{JobExit, children::LeftoverProcess};

use crate::launch;

/// The signal that a process cannot handle.
const SIGKILL: i32 = 9;

/// The numbers of bytes and lines of a job's output that are read and shown.
const BYTES: u64 = 4000;
const LINES: usize = 12;

/// A text in the user's language.
pub fn text(text: &Text) -> String {
    text.render(Lang::from_environment())
}

/// The last lines of a file after offset `from`; empty when it cannot be read.
pub fn last_lines(path: &Path, from: u64) -> String {
    let length = std::fs::metadata(path).map_or(0, |data| data.len());
    let lines = lines_from(path, from.max(length.saturating_sub(BYTES)));
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

/// The first lines of a file; empty when it cannot be read. A launcher that cannot start a job says there why: what follows are
/// consequences.
pub fn first_lines(path: &Path) -> String {
    let mut lines = lines_from(path, 0);
    lines.retain(|line| line.contains(char::is_alphanumeric));
    lines.truncate(LINES);
    lines.join("\n")
}

/// The [first lines](first_lines) of a job that has not begun, and the variables of the shell that may be the cause.
pub fn failed_launch(path: &Path) -> String {
    let lines = [first_lines(path)].into_iter().chain(launch::without_settings(Lang::from_environment()));
    lines.filter(|lines| !lines.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The lines of a file after this offset that are not empty, as far as they are read.
fn lines_from(path: &Path, offset: u64) -> Vec<String> {
    let read = || {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(offset))?;
        let mut bytes = vec![];
        file.take(BYTES).read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(String::from_utf8_lossy(&bytes).into_owned())
    };
    let text = read().unwrap_or_default();
    text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

/// Whether the process, or a rank of the launcher that it is, was killed.
pub(crate) fn is_killed(status: ExitStatus) -> bool {
    status.signal() == Some(SIGKILL) || status.code() == Some(128 + SIGKILL)
}

/// How a process ended, and the possible reason of a signal that comes from outside the process. A launcher reports a
/// rank's signal by an exit code of 128 and more.
pub fn describe_status(status: ExitStatus, lang: Lang) -> String {
    let described = wb_process::describe_status(status, lang);
    if is_killed(status) { format!("{described}; {}", text::killed(lang)) } else { described }
}

/// The end of a job, as text.
pub fn describe_exit(exit: &JobExit, lang: Lang) -> String {
    match exit.has_timed_out {
        true => text::no_progress(lang),
        false => text::ended_with(lang, describe_status(exit.status, lang)),
    }
}

/// The processes that a task has left running, by name.
pub fn describe_children(left: &[LeftoverProcess], lang: Lang) -> String {
    let names: Vec<_> = left.iter().map(ToString::to_string).collect();
    format!("{}: {}", text::processes_left(lang, left.len()), names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_or_the_first_lines_of_a_long_output_are_shown() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("output");
        let described: String = (0..2000).map(|line| format!("line {line}\n\n")).collect();
        std::fs::write(&file, &described).expect("written");
        let shown = last_lines(&file, 0);
        assert_eq!((shown.lines().next(), shown.lines().last()), (Some("line 1988"), Some("line 1999")));
        assert_eq!(last_lines(&file, described.len() as u64 - 11), "line 1999");
        let shown = first_lines(&file);
        assert_eq!((shown.lines().next(), shown.lines().last()), (Some("line 0"), Some("line 11")));
        for shown in [last_lines(&folder.path().join("none"), 0), first_lines(&folder.path().join("none"))] {
            assert_eq!(shown, "");
        }
    }

    #[test]
    fn a_process_that_was_killed_may_have_run_out_of_memory() {
        let described = |raw| describe_status(ExitStatus::from_raw(raw), Lang::En);
        for raw in [9, (128 + 9) << 8] {
            assert!(
                described(raw).contains("probably the kernel ended it because memory ran out"),
                "{}",
                described(raw)
            );
        }
        for raw in [0, 1 << 8, 6, 15] {
            assert!(!described(raw).contains("memory"), "{}", described(raw));
        }
    }
}
