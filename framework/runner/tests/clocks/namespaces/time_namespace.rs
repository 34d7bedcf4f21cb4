//! Ranks in a time namespace: their monotonic clock is ahead of that of the other ranks of the machine.
use std::{
    io,
    os::unix::process::CommandExt,
    process::{Command, Output},
};

/// How far the clock of the namespace is ahead, in seconds.
pub(crate) const AHEAD_S: u64 = 5;

/// The variable of a process that is in the namespace.
const VARIABLE: &str = "WBTEST_TIME_NAMESPACE";

fn unshare() -> Command {
    let mut command = Command::new("unshare");
    command.args(["--time", "--monotonic", &AHEAD_S.to_string()]);
    command
}

/// The reason why no process can be started in a time namespace here, if there is one.
pub(crate) fn why_missing() -> Option<String> {
    let namespace = |output: io::Result<Output>| -> Result<String, String> {
        let output = output.map_err(|error| format!("unshare: {error}"))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    };
    let link = ["readlink", "/proc/self/ns/time"];
    match namespace(unshare().args(link).output()) {
        Err(reason) => Some(reason),
        Ok(there) => match namespace(Command::new(link[0]).arg(link[1]).output()) {
            Err(reason) => Some(reason),
            Ok(here) => (here == there).then(|| "a new program stays in the old time namespace".to_owned()),
        },
    }
}

/// Rank 1 of a launcher's job replaces itself by the same program in a time namespace, and returns there. Returns whether
/// this process is in one.
pub(crate) fn enter_as_rank_1() -> bool {
    let is_there = std::env::var_os(VARIABLE).is_some();
    if !is_there && wb_process::launcher_rank().is_some_and(|of_launcher| of_launcher.rank == 1) {
        let program = std::env::current_exe().expect("this program");
        let error = unshare().arg(program).args(std::env::args_os().skip(1)).env(VARIABLE, "1").exec();
        panic!("unshare: {error}");
    }
    is_there
}
