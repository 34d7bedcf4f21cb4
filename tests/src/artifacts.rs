//! Targets that cargo does not run by itself: built here by the cargo that runs us, to be started or linked by tests.
use std::{
    collections::BTreeMap,
    env,
    io::BufReader,
    path::PathBuf,
    process::{Command, Stdio},
};

use cargo_metadata::Message;

/// A target that was built.
#[derive(Clone, Debug)]
pub struct BuiltTarget {
    /// The folder of the program's package.
    pub folder: PathBuf,
    /// The program.
    pub path: PathBuf,
}

/// All that a build left.
#[derive(Clone, Debug, Default)]
pub struct Artifacts {
    /// The programs of the selected targets.
    pub executables: Vec<BuiltTarget>,
    /// The programs of the packages of selected tests, which cargo builds with the tests.
    pub programs: Vec<BuiltTarget>,
    /// The libraries and procedural macros by the names of their crates; of several versions the last one.
    pub libraries: BTreeMap<String, PathBuf>,
    /// Where the linker looks for native libraries: `native=/usr/lib`.
    pub linked_paths: Vec<String>,
}

/// Builds the targets that these arguments of `cargo test` select, in the whole workspace, as `cargo wb test` does: with the
/// features of one package alone, all that it depends on would be built a second time.
///
/// # Panics
/// When they do not build.
pub fn artifacts(selected: &[&str]) -> Artifacts {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["test", "--workspace"]).args(selected).arg("--no-run");
    cargo.arg("--message-format=json-render-diagnostics").current_dir(crate::sources::root());
    if cfg!(not(feature = "mpi")) {
        cargo.arg("--no-default-features");
    }
    wb_process::remove_launcher_variables(&mut cargo);
    let mut child = cargo.stdout(Stdio::piped()).spawn().expect("cargo starts");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut artifacts = Artifacts::default();
    Message::parse_stream(output).for_each(|message| artifacts.add(message.expect("cargo writes JSON")));
    assert!(child.wait().expect("cargo ends").success(), "{selected:?} do not build");
    artifacts
}

/// The programs of [`artifacts`].
///
/// # Panics
/// When they do not build.
pub fn executables(selected: &[&str]) -> Vec<BuiltTarget> {
    artifacts(selected).executables
}

impl Artifacts {
    fn add(&mut self, message: Message) {
        match message {
            Message::CompilerArtifact(artifact) => {
                let folder = artifact.manifest_path.parent().map(|folder| folder.as_std_path().to_owned());
                if let (Some(folder), Some(path)) = (folder, artifact.executable) {
                    let built = BuiltTarget { folder, path: path.into_std_path_buf() };
                    match artifact.target.is_bin() && !artifact.profile.test {
                        true => self.programs.push(built),
                        false => self.executables.push(built),
                    }
                } else if let Some(file) = artifact
                    .filenames
                    .into_iter()
                    .find(|file| matches!(file.extension(), Some("rlib" | "so" | "dylib")))
                {
                    self.libraries.insert(artifact.target.name.replace('-', "_"), file.into_std_path_buf());
                }
            }
            Message::BuildScriptExecuted(script) => {
                self.linked_paths.extend(
                    script.linked_paths.into_iter().map(cargo_metadata::camino::Utf8PathBuf::into_string),
                );
            }
            _ => {}
        }
    }
}
