//! Attempts to read and write what was not named.
use std::fs;

use wb_process::sandbox::Sandbox;

use crate::{bash, inside, open_folder, run, text};

pub(crate) fn nothing_outside_the_scratch_is_written(sandbox: &Sandbox) {
    let (reports, scratch) = (open_folder(), open_folder());
    fs::write(reports.path().join("records.jsonl"), "true\n").expect("ours");
    let (reports_path, scratch_path) = (reports.path().display(), scratch.path().display());
    sandbox.hand_over(scratch.path()).expect("ours");
    let seen = run().readable(reports.path()).writable(scratch.path());
    let script = format!(
        "for place in {reports_path}/records.jsonl /usr/bin/x /etc/x /x {reports_path}/new /sys/x; do \
         (echo forged > $place) 2>/dev/null && echo wrote $place; done; \
         echo mine > {scratch_path}/file && echo private > /tmp/file && echo done"
    );
    let tried = inside(sandbox, &seen, &script);
    assert_eq!(text(&tried).trim(), "done");
    assert_eq!(fs::read_to_string(reports.path().join("records.jsonl")).expect("there"), "true\n");
    assert_eq!(fs::read_to_string(scratch.path().join("file")).expect("written"), "mine\n");
}

pub(crate) fn no_home_folder_and_nothing_that_was_not_named_is_read(sandbox: &Sandbox) {
    let home = open_folder();
    for file in [".ssh/id_ed25519", ".cargo/credentials.toml", "judge/inputs.json"] {
        let path = home.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("ours");
        fs::write(&path, "SECRET").expect("written");
    }
    let script = format!(
        "cat {0}/.ssh/id_ed25519 {0}/.cargo/credentials.toml {0}/judge/inputs.json",
        home.path().display()
    );
    let outside = bash(&script).output().expect("bash");
    assert_eq!(text(&outside).matches("SECRET").count(), 3, "outside they are read: {}", text(&outside));
    let around = format!("; cat ~/.ssh/* /etc/shadow; grep -rs SECRET /proc/*/root{}", home.path().display());
    let tried = inside(sandbox, &run(), &(script + &around));
    assert!(!text(&tried).contains("SECRET"), "{}", text(&tried));
}

pub(crate) fn only_named_variables_are_left(sandbox: &Sandbox) {
    let mut command = bash("env");
    command.env("GIVEN", "1").env("WB_OWNER", "1:1");
    let mut tried = sandbox.command(&run(), &command).expect("a sandbox");
    let tried = tried.env("GITHUB_TOKEN", "SECRET").output().expect("it runs");
    let shown = text(&tried);
    assert!(shown.contains("GIVEN=1") && shown.contains("HOME=/tmp"), "{shown}");
    assert!(!shown.contains("SECRET") && !shown.contains("WB_OWNER") && !shown.contains("CARGO"), "{shown}");
}

pub(crate) fn the_folder_of_devices_takes_no_file(sandbox: &Sandbox) {
    let shown = text(&inside(sandbox, &run(), "echo 1 > /dev/file; echo 1 > /dev/shm/file && echo there"));
    assert!(shown.contains("/dev/file: ") && shown.contains("there"), "{shown}");
    let mounts = text(&inside(sandbox, &run(), r"grep -E ' (/|/dev) ' /proc/mounts"));
    let are_read_only = mounts.lines().count() == 2 && mounts.lines().all(|mount| mount.contains(" ro,"));
    assert!(are_read_only, "the root and the folder of devices cannot be written: {mounts}");
}
