//! The test programs that `cargo test` builds, each as cargo would start it.

use std::{collections::HashMap, io::BufRead, path::PathBuf, process::Command};

use cargo_metadata::{Artifact, Message};

use crate::{
    error::{CliError, Result},
    workspace::{cargo_path, without_package},
};

/// A command that runs tests.
pub(super) struct Program {
    /// Its package and its target: `wb-tests zoo`.
    pub(super) title: String,
    /// What a user types to run it again.
    pub(super) repeat: String,
    pub(super) command: Command,
}

/// Reads the programs from the output of `cargo test --no-run --message-format=json`. `packages` has the name of each package
/// by the path of its manifest. The program that cargo built last starts first, because the packages that cargo builds last
/// depend on all others, and their tests take longest.
pub(super) fn from_messages(
    messages: impl BufRead,
    packages: &HashMap<PathBuf, String>,
) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for message in Message::parse_stream(messages) {
        let message = message.map_err(CliError::system("read", "cargo's messages"))?;
        if let Message::CompilerArtifact(artifact) = message {
            programs.extend(Program::from_artifact(&artifact, packages));
        }
    }
    programs.reverse();
    Ok(programs)
}

impl Program {
    /// `None` for a library, a benchmark or a program without tests.
    fn from_artifact(artifact: &Artifact, packages: &HashMap<PathBuf, String>) -> Option<Self> {
        let executable = artifact.executable.as_deref().filter(|_| artifact.profile.test)?;
        let manifest = artifact.manifest_path.as_std_path();
        let (folder, package) = (manifest.parent()?, packages.get(manifest)?);
        let mut command = without_package(executable.as_os_str());
        command.current_dir(folder);
        // These are the variables of cargo that tests read.
        command.env("CARGO", cargo_path()).env("CARGO_PKG_NAME", package);
        command.env("CARGO_MANIFEST_DIR", folder).env("CARGO_MANIFEST_PATH", manifest);
        let target = artifact.target.name.as_str();
        let (title, selected) = match (artifact.target.is_test(), artifact.target.is_bin()) {
            (true, _) => (target, format!("--test {target}")),
            (false, true) => ("(unit tests)", format!("--bin {target}")),
            (false, false) => ("(unit tests)", "--lib".to_owned()),
        };
        let repeat = format!("cargo test -p {package} {selected}");
        Some(Self { title: format!("{package} {title}"), repeat, command })
    }
}
