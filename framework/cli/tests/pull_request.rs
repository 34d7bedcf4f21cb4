//! The scripts of the job that checks a pull request: what they run, and what they leave to the runner.
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Runs a script of `.ci`, which finds these programs before those of the system.
fn run(script: &str, arguments: &[&str], programs: &[(&str, &str)]) -> (tempfile::TempDir, Output) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in programs {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
    }
    let system = std::env::var("PATH").expect("a path");
    let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.ci").join(script));
    command.args(arguments).env("FOLDER", folder.path());
    command.env("PATH", format!("{}:{system}", folder.path().display()));
    let output = command.output().expect("it starts");
    (folder, output)
}

#[test]
fn the_output_of_a_check_in_the_sandbox_is_no_command_to_the_runner() {
    const CARGO: &str = "echo \"$@\"; echo ::set-output::forged; exit 3";
    let (_folder, output) = run("pull-request", &["HEAD^1"], &[("cargo", CARGO)]);
    assert_eq!(output.status.code(), Some(3), "the result of the check");
    let printed = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = printed.lines().collect();
    let [stop, command, forged, resume] = lines[..] else { panic!("{printed}") };
    assert_eq!((command, forged), ("wb summary --sandbox HEAD^1", "::set-output::forged"));
    let word = stop.strip_prefix("::stop-commands::").expect("commands are switched off first");
    assert!(word.len() == 32 && resume == format!("::{word}::"), "{printed}");
}

/// bubblewrap where AppArmor refuses it until the profile is loaded; what is done as root.
const REFUSED: &str =
    "[ -e \"$FOLDER/loaded\" ] || { echo 'setting up uid map: Permission denied' >&2; exit 1; }";
const SUDO: &str = "echo \"$@\" >> \"$FOLDER/log\"
case $1 in tee) cat > \"$FOLDER/profile\";; apparmor_parser) $LOAD touch \"$FOLDER/loaded\";; esac";

/// Its name shows that there is AppArmor.
const LOADER: (&str, &str) = ("apparmor_parser", "exit 1");

fn log(folder: &Path) -> Option<String> {
    let file: PathBuf = folder.join("log");
    fs::read_to_string(file).ok()
}

#[test]
fn a_sandbox_that_apparmor_refuses_gets_a_profile() {
    let (folder, output) = run("allow-sandbox", &[], &[("bwrap", REFUSED), ("sudo", SUDO), LOADER]);
    assert!(output.status.success(), "{output:?}");
    let as_root = log(folder.path()).expect("done as root");
    assert_eq!(as_root, "tee /etc/apparmor.d/bwrap\napparmor_parser --replace /etc/apparmor.d/bwrap\n");
    let profile = fs::read_to_string(folder.path().join("profile")).expect("a profile");
    assert!(
        profile.contains("profile bwrap /usr/bin/bwrap") && profile.contains("\n  userns,\n"),
        "{profile}"
    );
}

#[test]
fn a_sandbox_that_works_is_left_as_it_is() {
    let (folder, output) = run("allow-sandbox", &[], &[("bwrap", "exit 0"), ("sudo", SUDO)]);
    assert!(output.status.success() && log(folder.path()).is_none(), "{output:?}");
}

#[test]
fn a_sandbox_that_does_not_work_with_its_profile_fails_with_the_reason() {
    let never = SUDO.replace("$LOAD", "true ||");
    let (folder, output) = run("allow-sandbox", &[], &[("bwrap", REFUSED), ("sudo", &never), LOADER]);
    assert!(!output.status.success() && log(folder.path()).is_some());
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("setting up uid map: Permission denied"),
        "{output:?}"
    );
}
