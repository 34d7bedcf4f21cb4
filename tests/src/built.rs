//! Targets that cargo does not run by itself: built here by the cargo that runs us, to be started by tests.
use std::{
    env,
    io::BufReader,
    path::PathBuf,
    process::{Command, Stdio},
};

use cargo_metadata::Message;

/// A target that was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// Its package's folder.
    pub folder: PathBuf,
    /// The program.
    pub path: PathBuf,
}

/// Builds the targets that these arguments of `cargo test` select, in the whole workspace, as `cargo wb test` does: with the
/// features of one package alone, all that it depends on would be built a second time.
///
/// # Panics
/// When they do not build.
pub fn executables(selected: &[&str]) -> Vec<Built> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["test", "--workspace"]).args(selected).arg("--no-run");
    cargo.arg("--message-format=json-render-diagnostics").current_dir(crate::sources::root());
    if cfg!(not(feature = "mpi")) {
        cargo.arg("--no-default-features");
    }
    wb_process::scrub(&mut cargo);
    let mut child = cargo.stdout(Stdio::piped()).spawn().expect("cargo starts");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    let built = Message::parse_stream(output).filter_map(|message| {
        let Message::CompilerArtifact(artifact) = message.expect("cargo speaks JSON") else { return None };
        let folder = artifact.manifest_path.parent()?.as_std_path().to_owned();
        Some(Built { folder, path: artifact.executable?.into_std_path_buf() })
    });
    let built = built.collect();
    assert!(child.wait().expect("cargo ends").success(), "{selected:?} do not build");
    built
}
