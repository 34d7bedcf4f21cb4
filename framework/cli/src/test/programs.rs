//! The test programs that `cargo test` builds, each as cargo would start it.

use std::{collections::HashMap, io::BufRead, path::Path, process::Command, time::Duration};

use cargo_metadata::{Artifact, Message, Package};

use crate::{
    error::{CliError, Result},
    test_program::STEP_LIMIT,
    workspace::{cargo_path, without_package},
};

/// A command that runs tests.
pub(super) struct Program {
    /// The name of its package.
    pub(super) package: String,
    /// Its package and its target: `wb-tests zoo`.
    pub(super) title: String,
    /// What a user types to run it again.
    pub(super) repeat: String,
    pub(super) command: Command,
    /// Whether nothing else may run meanwhile.
    pub(super) runs_alone: bool,
    /// How long it may take.
    pub(super) limit: Duration,
}

/// The table in a manifest that names the test programs of a package that run alone:
/// `[package.metadata.tests] alone = ["hosts"]`.
const TESTS_TABLE: &str = "tests";
const ALONE_KEY: &str = "alone";

/// Reads the programs from the output of `cargo test --no-run --message-format=json`. `packages` has each package by the path of
/// its manifest. The package that cargo completed last starts first, because it depends on all others, and its
/// tests take longest.
pub(super) fn from_messages(
    messages: impl BufRead,
    packages: &HashMap<&Path, &Package>,
) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for message in Message::parse_stream(messages) {
        let message = message.map_err(CliError::system("read", "cargo's messages"))?;
        if let Message::CompilerArtifact(artifact) = message {
            programs.extend(Program::from_artifact(&artifact, packages));
        }
    }
    programs.reverse();
    Ok(group_by_package(programs))
}

/// The packages in the order of their first programs, and the programs of each package together.
fn group_by_package(programs: Vec<Program>) -> Vec<Program> {
    let mut positions = HashMap::new();
    let mut placed: Vec<(usize, Program)> = vec![];
    for program in programs {
        let next = positions.len();
        placed.push((*positions.entry(program.package.clone()).or_insert(next), program));
    }
    placed.sort_by_key(|(position, _)| *position);
    placed.into_iter().map(|(_, program)| program).collect()
}

impl Program {
    /// `None` for a library, a benchmark or a program without tests.
    fn from_artifact(artifact: &Artifact, packages: &HashMap<&Path, &Package>) -> Option<Self> {
        let executable = artifact.executable.as_deref().filter(|_| artifact.profile.test)?;
        let manifest = artifact.manifest_path.as_std_path();
        let (folder, package) = (manifest.parent()?, *packages.get(manifest)?);
        let name = package.name.as_str();
        let mut command = without_package(executable.as_os_str());
        command.current_dir(folder);
        // These are the variables of cargo that tests read.
        command.env("CARGO", cargo_path()).env("CARGO_PKG_NAME", name);
        command.env("CARGO_MANIFEST_DIR", folder).env("CARGO_MANIFEST_PATH", manifest);
        let target = artifact.target.name.as_str();
        let (title, selected) = match (artifact.target.is_test(), artifact.target.is_bin()) {
            (true, _) => (target, format!("--test {target}")),
            (false, true) => ("(unit tests)", format!("--bin {target}")),
            (false, false) => ("(unit tests)", "--lib".to_owned()),
        };
        let repeat = format!("cargo test -p {name} {selected}");
        let runs_alone = alone(package).any(|name| name == title);
        let (package, title) = (name.to_owned(), format!("{name} {title}"));
        Some(Self { package, title, repeat, command, runs_alone, limit: STEP_LIMIT })
    }
}

/// The test programs of a package that run alone.
fn alone(package: &Package) -> impl Iterator<Item = &str> {
    package.metadata[TESTS_TABLE][ALONE_KEY].as_array().into_iter().flatten().filter_map(|name| name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_that_run_alone_are_targets_of_their_packages() {
        let metadata = cargo_metadata::MetadataCommand::new().no_deps().exec().expect("this workspace");
        let mut found = vec![];
        for package in metadata.workspace_packages() {
            let is_target = |name: &str| package.targets.iter().any(|target| target.name == name);
            assert!(alone(package).all(is_target), "{}", package.name);
            found.extend(alone(package).map(|name| format!("{} {name}", package.name)));
        }
        assert_eq!(found, ["wb-tests hosts"]);
    }

    #[test]
    fn the_programs_of_a_package_start_together() {
        let built = ["last zoo", "first unit", "last barriers", "second unit"];
        let program = |title: &str| {
            let package = title.split_once(' ').expect("a package").0.to_owned();
            let (repeat, command) = (String::new(), Command::new("true"));
            Program { package, title: title.into(), repeat, command, runs_alone: false, limit: STEP_LIMIT }
        };
        let order = group_by_package(built.map(program).into());
        let titles: Vec<_> = order.iter().map(|program| program.title.as_str()).collect();
        assert_eq!(titles, ["last zoo", "last barriers", "first unit", "second unit"]);
    }
}
