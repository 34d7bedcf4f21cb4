//! `cargo wb book`: builds the documents as a book in both languages.
//!
//! The book is made by a package of its own, which cargo builds at the first call: mdBook is larger than the whole of this
//! program. The reports beside it are rendered here, from records.

use std::process::{Command, Stdio};

use wb_messages::Lang;

use crate::{
    CommandStatus,
    arguments::BookArgs,
    error::{CliError, Result},
    pages,
    workspace::{Workspace, cargo_path},
};

pub(crate) fn run(wanted: &BookArgs, lang: Lang) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    let out = match &wanted.out {
        Some(out) => std::path::absolute(out).map_err(CliError::system("create", out))?,
        None => workspace.scratch("book")?,
    };
    let scratch = workspace.scratch("published")?;
    let reports = tempfile::tempdir_in(&scratch).map_err(CliError::system("create", scratch))?;
    for line in pages::publish(workspace.root(), &workspace.task_names(), reports.path(), lang)? {
        eprintln!("{}", wb_text::escape::terminal(&line));
    }
    let cargo = cargo_path();
    let mut command = Command::new(&cargo);
    command.args(["run", "--quiet", "--package", "wb-book", "--bin", "wb-book", "--"]);
    command.args([workspace.root(), reports.path(), &out]).arg(lang.code());
    command.current_dir(workspace.root()).stdin(Stdio::null());
    let status = command.status().map_err(CliError::system("run", cargo))?;
    Ok(CommandStatus::from_success(status.success()))
}
