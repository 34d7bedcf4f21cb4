//! The rank that `WB_DEBUG_RANK` names waits for a debugger before its first test.
use std::{fs, io, io::Write, os::unix::fs::symlink};

use wb_messages::{Lang, debugger as text};
use wb_runner::run_folder;

/// The file with the number of the waiting process, in the folder of the runs: for a debugger that is started by a program.
const PID_FILE: &str = "debugged-rank.pid";

/// A link to the program of the waiting process, beside that file: some debuggers ask for the program, too.
const PROGRAM_LINK: &str = "debugged-rank";

/// Waits for a debugger if this is the rank to debug. The number of the process is on the standard error that the launcher
/// started it with, and in a file.
pub(crate) fn wait_if_debugged(rank: usize) {
    if !matches!(wb_config::debugged_rank(), Ok(Some(debugged)) if debugged == rank) {
        return;
    }
    let lang = Lang::from_environment();
    let pid = std::process::id();
    // Without the file the number is still on the screen.
    let file = write_pid(pid).unwrap_or_default();
    print(&text::waits_for_debugger(lang, rank, pid, file));
    match wb_process::wait_for_debugger() {
        Ok(true) => {}
        Ok(false) => print(&text::no_debugger_came(lang, wb_process::DEBUGGER_TIMEOUT.as_secs() / 60)),
        Err(error) => print(&text::cannot_wait_for_debugger(lang, error)),
    }
}

fn write_pid(pid: u32) -> io::Result<String> {
    let folder = run_folder::state()?;
    let (path, link) = (folder.join(PID_FILE), folder.join(PROGRAM_LINK));
    fs::write(&path, format!("{pid}\n"))?;
    // There is none before the first time.
    let _absent = fs::remove_file(&link);
    symlink(std::env::current_exe()?, link)?;
    Ok(path.display().to_string())
}

fn print(message: &str) {
    let _nowhere_to_say = writeln!(wb_process::before_main::real_stderr(), "{message}");
}
