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
    /// The command that runs it again.
    pub(super) repeat: String,
    pub(super) command: Command,
    /// Whether nothing else may run meanwhile.
    pub(super) runs_alone: bool,
    /// The time limit.
    pub(super) limit: Duration,
    pub(super) duration: DurationClass,
}

/// How long programs of this kind take. The longest start first: one that starts last would run alone at the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DurationClass {
    /// A target of the framework, which starts jobs or builds.
    Long,
    /// Unit tests.
    Medium,
    /// The tests of a task.
    Short,
}

/// The table in a manifest that names the test programs of a package that run alone:
/// `[package.metadata.tests] alone = ["hosts"]`.
const TESTS_TABLE: &str = "tests";
const ALONE_KEY: &str = "alone";

/// Reads the programs from the output of `cargo test --no-run --message-format=json`. `packages` has each package by the path of
/// its manifest. The programs of the framework's own targets start first, then unit tests, then tasks.
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
    sort_by_duration(&mut programs);
    Ok(programs)
}

fn sort_by_duration(programs: &mut [Program]) {
    programs.sort_by(|one, other| (one.duration, &one.title).cmp(&(other.duration, &other.title)));
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
        let is_task = ["task", "assignment"].iter().any(|key| !package.metadata[key].is_null());
        let (title, selected, duration) = match (artifact.target.is_test(), artifact.target.is_bin()) {
            (true, _) if is_task => (target, format!("--test {target}"), DurationClass::Short),
            (true, _) => (target, format!("--test {target}"), DurationClass::Long),
            (false, true) => ("(unit tests)", format!("--bin {target}"), DurationClass::Medium),
            (false, false) => ("(unit tests)", "--lib".to_owned(), DurationClass::Medium),
        };
        let repeat = format!("cargo test -p {name} {selected}");
        let runs_alone = alone(package).any(|name| name == title);
        let (package, title) = (name.to_owned(), format!("{name} {title}"));
        Some(Self { package, title, repeat, command, runs_alone, limit: STEP_LIMIT, duration })
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
    fn the_programs_that_take_longest_start_first() {
        let built = [
            ("ivanov functional", DurationClass::Short),
            ("wb-tests zoo", DurationClass::Long),
            ("wb-comm (unit tests)", DurationClass::Medium),
            ("wb-cli commands", DurationClass::Long),
        ];
        let mut programs = built.map(|(title, duration)| {
            let (package, repeat, command) = (String::new(), String::new(), Command::new("true"));
            let title = title.into();
            Program { package, title, repeat, command, runs_alone: false, limit: STEP_LIMIT, duration }
        });
        sort_by_duration(&mut programs);
        let titles: Vec<_> = programs.iter().map(|program| program.title.as_str()).collect();
        assert_eq!(titles, ["wb-cli commands", "wb-tests zoo", "wb-comm (unit tests)", "ivanov functional"]);
    }
}
