//! The program `test-hosts`: it runs a command on the login node of hosts of its own.
use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use wb_tests::hosts::{HostsError, TestHosts};

use crate::output_of;

/// The program with these options, before the words of a command. A signal ends it also where this process ignores that signal, as below
/// `nohup`.
pub(crate) fn test_hosts(options: &[&str]) -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal", env!("CARGO_BIN_EXE_test-hosts")]).args(options).arg("--");
    command
}

pub(crate) fn the_status_and_the_streams_are_those_of_the_command() -> Result<(), HostsError> {
    drop(TestHosts::start(1, 1)?);
    for (script, expected) in [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 128 + 9)] {
        let mut command = test_hosts(&["--hosts", "1"]);
        let status = command.args(["sh", "-c", script]).status().expect("it starts");
        assert_eq!(status.code(), Some(expected), "{script}");
    }
    let mut command = test_hosts(&["--hosts", "2", "--slots", "3", "--slurm"]);
    let script =
        "read line; echo $line $(hostname) $(pwd); srun -N 2 -n 6 hostname | sort | uniq -c; echo error >&2";
    command.args(["sh", "-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().expect("it starts");
    running.stdin.take().expect("a pipe").write_all(b"a line\n").expect("it reads");
    let output = running.wait_with_output().expect("its end");
    let here = std::env::current_dir().expect("a folder");
    let expected = format!("a line wb1 {}\n      3 wb1\n      3 wb2\n", here.display());
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "error\n");
    assert!(output.status.success());
    Ok(())
}

pub(crate) fn a_folder_in_a_private_place_is_visible_when_the_command_runs_in_it() -> Result<(), HostsError> {
    drop(TestHosts::start(1, 1)?);
    let [folder, hidden] = [(); 2].map(|()| tempfile::tempdir_in("/tmp").expect("a folder"));
    fs::write(folder.path().join("file"), "").expect("a file");
    let mut command = test_hosts(&["--hosts", "2"]);
    command.current_dir(folder.path());
    command
        .args(["sh", "-c", "pwd; ls; test ! -e $0; echo $?; ssh wb2 touch $(pwd)/made"])
        .arg(hidden.path());
    assert_eq!(output_of(command), format!("{}\nfile\n0\n", folder.path().display()));
    assert!(folder.path().join("made").exists());
    Ok(())
}

pub(crate) fn a_wrong_command_line_is_an_error() -> Result<(), HostsError> {
    for words in [&["--hosts", "5", "--", "true"][..], &["--hosts", "0", "--", "true"], &["--hosts", "2"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_test-hosts")).args(words).output().expect("it starts");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
    drop(TestHosts::start(1, 1)?);
    let mut command = test_hosts(&["--hosts", "1"]);
    let output = command.arg("no-such-program").output().expect("it starts");
    assert_eq!(output.status.code(), Some(127));
    Ok(())
}
