//! Compiles the crates of a task outside of this workspace against the libraries of this workspace: cargo would build all of these
//! again for another folder.
use std::{
    env, fs,
    path::PathBuf,
    process::{Command, Output},
};

use crate::artifacts::Artifacts;

/// The output of a program that succeeded.
///
/// # Panics
/// When it did not.
#[track_caller]
pub fn assert_success(output: &Output) -> String {
    let message =
        [&output.stdout, &output.stderr].map(|stream| String::from_utf8_lossy(stream).into_owned()).concat();
    assert!(output.status.success(), "{message}");
    message
}

/// The task's crates as cargo compiles them.
pub struct TaskCompiler<'a> {
    /// The libraries.
    pub artifacts: &'a Artifacts,
    /// The name of the task.
    pub task: &'a str,
    /// The folder of the task.
    pub folder: PathBuf,
}

impl TaskCompiler<'_> {
    /// Compiles `source` with `options` and these crates; gives what came of it.
    ///
    /// # Panics
    /// When it does not compile.
    pub fn compile(&self, source: &str, options: &[&str], crates: &[&str], out: &str) -> PathBuf {
        let out = self.folder.join(out);
        fs::create_dir_all(out.parent().expect("a folder")).expect("made");
        let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.args(["--edition", "2024", "-D", "warnings", source, "-o"]).arg(&out).args(options);
        rustc
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .env("CARGO_PKG_NAME", self.task)
            .current_dir(&self.folder);
        for name in crates {
            let file = if *name == self.task {
                &self.folder.join("lib.rlib")
            } else {
                &self.artifacts.libraries[*name]
            };
            rustc.arg("--extern").arg(format!("{name}={}", file.display()));
        }
        let libraries = self.artifacts.libraries["workbench"].parent().expect("a folder");
        // Cargo puts what others link against one level above.
        for folder in [libraries.to_owned(), libraries.join("deps")] {
            rustc.arg("-L").arg(format!("dependency={}", folder.display()));
        }
        rustc.args(self.artifacts.linked_paths.iter().flat_map(|path| ["-L", path]));
        assert_success(&rustc.output().expect("rustc starts"));
        out
    }
}
