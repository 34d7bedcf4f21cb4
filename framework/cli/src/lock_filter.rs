//! Keeps new tasks out of the commits of `Cargo.lock`, so that new tasks of many students merge without a
//! conflict.
//!
//! `.gitattributes` names the filter; which command it runs is a setting of each clone, made here.
//! `docs/adr/0011-new-tasks-stay-out-of-the-lock.md` argues.
use std::{
    path::Path,
    process::{Command, Stdio},
};

/// The command of the filter, from the root of the checkout, where git runs it.
const SCRIPT: &str = ".ci/lock-without-tasks";

/// The setting.
const KEY: &str = "filter.wb-lock.clean";

/// Configures the filter in the clone around `root`. Without git or a clone there are no commits to filter.
pub(crate) fn install(root: &Path) {
    if root.join(SCRIPT).is_file() && setting(root).as_deref() != Some(SCRIPT) {
        git(root, &["config", "--local", KEY, SCRIPT]);
    }
}

/// The configured command.
fn setting(root: &Path) -> Option<String> {
    let output = git(root, &["config", "--local", "--get", KEY])?;
    Some(String::from_utf8_lossy(&output).trim().to_owned())
}

/// What git prints, if it succeeds.
fn git(root: &Path, arguments: &[&str]) -> Option<Vec<u8>> {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(root).stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok()?;
    output.status.success().then_some(output.stdout)
}
