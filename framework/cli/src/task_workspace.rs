//! A workspace for one task: the framework, the crate of its assignment, and the task.
//!
//! The invariant: *a grade sees the sources of a task's library and its settings, and nothing else of its folder*, but the tests where no
//! assignment has a crate with better ones. The manifest, the test program and the benchmark are made here, so no other task can make
//! a build fail, and what a student writes into `Cargo.toml`, `benches/` or, with a crate, `tests/` decides nothing.
//!
//! Paths below the root are those of the whole workspace, so cargo takes the libraries that it has built there.
use std::{
    collections::BTreeSet,
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use wb_config::{TaskSettings, VersionStatus};

use crate::{
    error::{CliError, Result},
    workspace::{AssignmentEntry, Workspace},
};

/// What builds read at the root, besides manifest and libraries; each need not exist. Settings of cargo are those of the whole workspace,
/// in whose root this one is.
const ROOT_FILES: [&str; 3] = ["rust-toolchain.toml", "rustfmt.toml", "tasks/clippy.toml"];

/// The folder of graded workspaces, in the root of the whole one.
const GRADED: &str = "target/wb/graded";

/// The folder of workspaces with tasks as they are.
const UNCHANGED: &str = "target/wb/unchanged";

/// What programs of a task read beside it.
const COURSE: &str = "tasks/course.yaml";

/// The version of the package: cargo does not take what it has built from the task's own manifest.
const VERSION: &str = "0.0.0-graded";

/// Makes the workspace in which the programs of a graded task are built, or brings it up to date.
///
/// # Errors
/// A file cannot be read or written, or a source is a link.
pub(crate) fn graded(
    workspace: &Workspace,
    (task, folder, settings): (&str, &Path, &TaskSettings),
    assignment: Option<&AssignmentEntry>,
) -> Result<Workspace> {
    let root = workspace.root().join(GRADED).join(task);
    let write = || write_graded(workspace.root(), &root, (task, folder, settings), assignment);
    write().map_err(CliError::system("write", &root))?;
    Workspace::of_task(&root, workspace)
}

/// Makes a workspace with the folder of a task as it is.
///
/// # Errors
/// A file cannot be read or written, or cargo refuses the manifest of the task.
pub(crate) fn unchanged(
    workspace: &Workspace,
    (task, folder): (&str, &Path),
    assignment: Option<&AssignmentEntry>,
) -> Result<Workspace> {
    let root = workspace.root().join(UNCHANGED).join(task);
    let write = || {
        write_members(workspace.root(), &root, task, assignment)?;
        link(folder, &root.join("tasks").join(task))
    };
    write().map_err(CliError::system("write", &root))?;
    Workspace::of_task(&root, workspace)
}

fn write_members(
    from: &Path,
    root: &Path,
    task: &str,
    assignment: Option<&AssignmentEntry>,
) -> io::Result<()> {
    let packages: Vec<&str> = assignment.map(|one| &*one.name).into_iter().chain([task]).collect();
    write_root(from, root, &packages)?;
    let crates = root.join("tasks");
    assignment.map_or(Ok(()), |one| link(&one.folder, &crates.join(&one.name)))
}

fn write_graded(
    from: &Path,
    root: &Path,
    (task, folder, settings): (&str, &Path, &TaskSettings),
    assignment: Option<&AssignmentEntry>,
) -> io::Result<()> {
    write_members(from, root, task, assignment)?;
    let (package, mut files) = (root.join("tasks").join(task), BTreeSet::new());
    let copied: &[&str] = if assignment.is_some() { &["src"] } else { &["src", "tests"] };
    for part in copied.iter().filter(|part| folder.join(part).is_dir()) {
        copy_sources(&folder.join(part), &package.join(part), &mut files)?;
    }
    let settings_file = ("task.yaml", fs::read_to_string(folder.join("task.yaml"))?);
    let tests =
        files.iter().filter(|file| file.strip_prefix(&package).is_ok_and(|below| below.starts_with("tests")));
    let tests: String = tests.filter_map(|file| fs::read_to_string(file).ok()).collect();
    let manifest = ("Cargo.toml", manifest(task, assignment, &tests));
    let mut written = programs(task, settings, assignment);
    written.extend([manifest, settings_file]);
    // A task without tests is graded as that.
    let has_tests = assignment.is_some() || files.contains(&package.join("tests/functional.rs"));
    written.extend((!has_tests).then(|| ("tests/functional.rs", String::new())));
    for (file, text) in written {
        write(&package.join(file), text.as_bytes())?;
        files.insert(package.join(file));
    }
    remove_others(&package, &files)
}

/// Writes what a workspace with these packages of `tasks` has besides them.
pub(crate) fn write_root(from: &Path, root: &Path, packages: &[&str]) -> io::Result<()> {
    let text = fs::read_to_string(from.join("Cargo.toml"))?;
    let mut manifest: toml::Table = text.parse().map_err(io::Error::other)?;
    let workspace = manifest.get_mut("workspace").and_then(toml::Value::as_table_mut);
    let workspace = workspace.ok_or_else(|| io::Error::other("Cargo.toml has no [workspace]"))?;
    let libraries = folders_of_libraries(workspace);
    let is_library = |member: &&str| libraries.contains(member.split('/').next().unwrap_or_default());
    let members = workspace.get("members").and_then(toml::Value::as_array).into_iter().flatten();
    let members = members.filter_map(toml::Value::as_str).filter(is_library).map(str::to_owned);
    let members: Vec<_> = members.chain(packages.iter().map(|name| format!("tasks/{name}"))).collect();
    workspace.insert("members".to_owned(), members.into());
    for entry in libraries.iter().map(String::as_str).chain(ROOT_FILES) {
        if from.join(entry).exists() {
            link(&from.join(entry), &root.join(entry))?;
        }
    }
    write(&root.join("Cargo.toml"), toml::to_string(&manifest).map_err(io::Error::other)?.as_bytes())?;
    if from.join("Cargo.lock").exists() {
        fs::copy(from.join("Cargo.lock"), root.join("Cargo.lock"))?;
    }
    write(&root.join(COURSE), &fs::read(from.join(COURSE))?)
}

/// The folders at the root of the packages that all others may depend on.
fn folders_of_libraries(workspace: &toml::Table) -> BTreeSet<String> {
    let dependencies = workspace.get("dependencies").and_then(toml::Value::as_table);
    let paths = dependencies.into_iter().flatten().filter_map(|(_, found)| found.get("path")?.as_str());
    paths.filter_map(|path| path.split('/').next()).map(str::to_owned).collect()
}

/// Crates of the workspace that tests of a task may use.
const OF_TESTS: [&str; 3] = ["approx", "proptest", "rstest"];

/// The manifest of a task; `tests` are the texts of its own tests.
fn manifest(task: &str, assignment: Option<&AssignmentEntry>, tests: &str) -> String {
    let of_assignment = |AssignmentEntry { name, .. }: &AssignmentEntry| {
        format!("{name} = {{ path = \"../{name}\", default-features = false }}\n")
    };
    let of_tests =
        OF_TESTS.iter().filter(|name| tests.contains(*name)).map(|name| format!("{name}.workspace = true\n"));
    let dependency = assignment.map_or_else(String::new, of_assignment)
        + "\n[dev-dependencies]\n"
        + &of_tests.collect::<String>();
    format!(
        r#"[package]
name = "{task}"
version = "{VERSION}"
edition.workspace = true
rust-version.workspace = true
publish = false

[package.metadata.task]

[lints.rust]
unsafe_code = "forbid"

[lib]
test = false
doctest = false
bench = false

[[test]]
name = "functional"

[[bench]]
name = "performance"
harness = false

[features]
default = ["mpi"]
mpi = ["workbench/mpi"]

[dependencies]
workbench.workspace = true
{dependency}"#
    )
}

/// The programs of a task: what each contains, by its path in the package.
fn programs(
    task: &str,
    settings: &TaskSettings,
    assignment: Option<&AssignmentEntry>,
) -> Vec<(&'static str, String)> {
    let Some(AssignmentEntry { name, problem, .. }) = assignment else {
        let benchmark = format!("workbench::performance!({task}::Seq, {task}::Mpi);\n");
        return vec![("benches/performance.rs", benchmark)];
    };
    let is_enabled = |status| status == VersionStatus::Enabled;
    // In place of a version that is not enabled, which is neither tested nor measured.
    let reference = format!("<{name}::{problem} as workbench::Assignment>::Reference::default()");
    let version = |status, own: &str| match is_enabled(status) {
        true => format!("of_the_assignment({task}::{own})"),
        false => reference.clone(),
    };
    let seq = version(settings.status.seq, "Seq");
    let mpi = version(settings.status.mpi, "Mpi");
    let checked = format!(
        "/// A version must solve the problem of the assignment.\n\
         fn of_the_assignment<T: workbench::Task<Problem = {name}::{problem}>>(version: T) -> T {{\n    version\n}}\n\n"
    );
    let test = |status, test: &str, version: &str, ranks: &str| match is_enabled(status) {
        true => format!(
            "#[test]\nfn {test}() {{\n    workbench::functional({version}).against_reference(){ranks}.graded();\n}}\n"
        ),
        false => String::new(),
    };
    let seq_test = test(settings.status.seq, "seq_answers_the_assignment", &seq, ".ranks([1])");
    let mpi_test = test(settings.status.mpi, "mpi_answers_the_assignment", &mpi, "");
    let tests = format!("{checked}{seq_test}{mpi_test}");
    let benchmark = format!("{checked}workbench::performance!({seq}, {mpi});\n");
    vec![("tests/functional.rs", tests), ("benches/performance.rs", benchmark)]
}

/// A link to `target`, in place of another one.
pub(crate) fn link(target: &Path, link: &Path) -> io::Result<()> {
    if fs::read_link(link).is_ok_and(|current| current == target) {
        return Ok(());
    }
    link.parent().map_or(Ok(()), fs::create_dir_all)?;
    match fs::symlink_metadata(link) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(link)?,
        Ok(_) => fs::remove_file(link)?,
        Err(_) => {}
    }
    symlink(target, link)
}

/// Writes a file whose content differs; another keeps its time, by which cargo sees what is fresh.
fn write(file: &Path, content: &[u8]) -> io::Result<()> {
    if !file.is_symlink() && fs::read(file).is_ok_and(|current| current == content) {
        return Ok(());
    }
    file.parent().map_or(Ok(()), fs::create_dir_all)?;
    wb_process::write_atomically(file, content)
}

/// Copies the files of a folder of sources. A link could lead to what is neither graded nor dated.
fn copy_sources(from: &Path, to: &Path, copied: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, copy) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            copy_sources(&entry.path(), &copy, copied)?;
        } else if kind.is_file() {
            write(&copy, &fs::read(entry.path())?)?;
            copied.insert(copy);
        } else {
            return Err(io::Error::other(format!("{} is a link", entry.path().display())));
        }
    }
    Ok(())
}

/// Removes the files of a folder that are not among these.
fn remove_others(folder: &Path, files: &BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.is_symlink() {
            remove_others(&path, files)?;
        } else if !files.contains(&path) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}
