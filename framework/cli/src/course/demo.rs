//! `cargo wb course demo`: a synthetic course in a folder of its own.

use std::{fs, path::Path};

use serde_json::json;
use wb_messages::{Lang, course as text};
use wb_report::demo::{DemoFile, DemoInput, RepositoryFiles, course};

use crate::{
    CommandStatus,
    arguments::DemoArgs,
    error::{CliError, Result},
    output, record_input,
    workspace::Workspace,
};

pub(crate) fn run(wanted: &DemoArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    let root = workspace.root();
    if is_used(&wanted.out) {
        return Err(CliError::Usage(text::demo_folder_used(lang, wanted.out.display())));
    }
    let files = demo_files(root, wanted)?;
    files.iter().try_for_each(|file| write(&wanted.out, file))?;
    let tasks = files.iter().filter(|file| file.path.ends_with("/Cargo.toml")).count();
    match json {
        true => output::print_json(&json!({ "folder": wanted.out, "files": files.len(), "tasks": tasks })),
        false => println!("{}", text::demo_written(lang, wanted.out.display(), wanted.students, tasks)),
    }
    Ok(CommandStatus::Success)
}

/// Whether something is in the folder, or it is a file.
fn is_used(out: &Path) -> bool {
    match fs::read_dir(out) {
        Ok(mut entries) => entries.next().is_some(),
        Err(_) => out.exists(),
    }
}

fn demo_files(root: &Path, wanted: &DemoArgs) -> Result<Vec<DemoFile>> {
    let read = |name: &str| {
        let path = root.join(name);
        record_input::read(&path).map_err(CliError::system("read", path))
    };
    let repository = RepositoryFiles {
        folder: &root.to_string_lossy(),
        manifest: &read("Cargo.toml")?,
        lock: &read("Cargo.lock")?,
        cargo_config: &read(".cargo/config.toml")?,
        toolchain: &read("rust-toolchain.toml")?,
        rustfmt: &read("rustfmt.toml")?,
        clippy: &read("tasks/clippy.toml")?,
        course: &read("tasks/course.yaml")?,
    };
    let students = usize::from(wanted.students);
    Ok(course(&DemoInput { students, seed: wanted.seed, repository })?)
}

fn write(out: &Path, file: &DemoFile) -> Result<()> {
    let path = out.join(&file.path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(CliError::system("create", folder))?;
    }
    fs::write(&path, &file.text).map_err(CliError::system("write", path))
}
