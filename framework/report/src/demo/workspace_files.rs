//! The files of the workspace: made from those of the repository that the course depends on.

use crate::demo::{calendar::DemoCalendar, file::DemoFile};

/// The repository of the workbench: where it is, and the files from which those of a course are made.
#[derive(Clone, Copy, Debug)]
pub struct RepositoryFiles<'a> {
    /// The absolute path of the repository.
    pub folder: &'a str,
    /// `Cargo.toml`.
    pub manifest: &'a str,
    /// `Cargo.lock`.
    pub lock: &'a str,
    /// `.cargo/config.toml`.
    pub cargo_config: &'a str,
    /// `rust-toolchain.toml`.
    pub toolchain: &'a str,
    /// `rustfmt.toml`.
    pub rustfmt: &'a str,
    /// `tasks/clippy.toml`.
    pub clippy: &'a str,
    /// `tasks/course.yaml`.
    pub course: &'a str,
}

/// The files of the workspace, without those of students.
pub(crate) fn files(
    repository: &RepositoryFiles<'_>,
    course: &str,
    students: usize,
    calendar: &DemoCalendar,
) -> Vec<DemoFile> {
    let readme = include_str!("solution/readme.txt");
    let readme = readme.replace("@students@", &students.to_string()).replace("@at@", &calendar.graded_at());
    let readme = readme.replace("@year@", &calendar.earlier_year().to_string());
    vec![
        DemoFile::new("Cargo.toml", manifest(repository)),
        DemoFile::new("Cargo.lock", repository.lock),
        DemoFile::new(".cargo/config.toml", cargo_config(repository)),
        DemoFile::new("rust-toolchain.toml", repository.toolchain),
        DemoFile::new("rustfmt.toml", repository.rustfmt),
        DemoFile::new(".gitignore", "/target\n/.wb\n/scoreboard\n/grades/pseudonyms.secret\n"),
        DemoFile::new("README.md", readme),
        DemoFile::new("tasks/clippy.toml", repository.clippy),
        DemoFile::new("tasks/course.yaml", course),
    ]
}

/// The repository's manifest with the course's tasks as its members, and the framework by its path.
fn manifest(repository: &RepositoryFiles<'_>) -> String {
    let folder = toml_text(repository.folder);
    let folder = folder.trim_matches('"');
    let line = |line: &str| match line.starts_with("members = ") {
        true => "members = [\"tasks/*\"]".to_owned(),
        false => line.replace("path = \"framework/", &format!("path = \"{folder}/framework/")),
    };
    repository.manifest.lines().map(|text| line(text) + "\n").collect()
}

/// `cargo wb` starts the repository's, and both share one folder of built files.
fn cargo_config(repository: &RepositoryFiles<'_>) -> String {
    let manifest = toml_text(&format!("{}/Cargo.toml", repository.folder));
    let target = toml_text(&format!("{}/target", repository.folder));
    let alias = format!(
        "wb = [\"run\", \"--manifest-path\", {manifest}, \"--package\", \"wb-cli\", \"--bin\", \"wb\", \"--\"]"
    );
    let line = |line: &str| if line.starts_with("wb = ") { alias.clone() } else { line.to_owned() };
    let text: String = repository.cargo_config.lines().map(|text| line(text) + "\n").collect();
    format!(
        "{text}\n# The framework is built once for the repository and for this course.\n[build]\ntarget-dir = {target}\n"
    )
}

fn toml_text(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
