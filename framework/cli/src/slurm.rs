//! Commands as jobs of Slurm: the same command runs on the first node of the job, and `srun` starts its ranks on all nodes.
//!
//! What takes time is thus inside the allocation, also the sequential version, which must run on a node like the parallel one.
//! The files of the command are those of the shared folder, so records and reports are where they are on one machine.

mod batch_script;
mod follow;
mod scheduler;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use wb_messages::{Lang, slurm as text};

use crate::{
    CommandStatus,
    arguments::SlurmArgs,
    error::{CliError, Result},
    step::{CommandStep, OutputMode},
    workspace::Workspace,
};
use batch_script::BatchScript;

/// The time limit of the build before a job is submitted.
const BUILD_LIMIT: Duration = Duration::from_secs(3600);

/// Runs this process's command as a job named after `task`. `build` builds what the job runs: on this host, which has the
/// network that downloads need, and before nodes are allocated.
pub(crate) fn run(
    workspace: &Workspace,
    (task, wanted): (&str, &SlurmArgs),
    (title, build): (String, Command),
    lang: Lang,
) -> Result<CommandStatus> {
    let folder = job_folder(&workspace.scratch("slurm")?, task, wanted)?;
    let script = BatchScript::new(wanted, task, workspace.root(), &folder, std::env::args().collect());
    let script = script.map_err(|line| CliError::Usage(text::invalid_line(lang, line)))?.to_string();
    if let Some(file) = &wanted.batch {
        write_new(file, &script, lang)?;
        println!("{}", text::written(lang, file.display()));
        return Ok(CommandStatus::Success);
    }
    let log = folder.join("build.log");
    let step =
        CommandStep { title, command: build, limit: BUILD_LIMIT, show: OutputMode::Failure, log: &log };
    if !step.run(lang)?.is_success() {
        return Ok(CommandStatus::Failure);
    }
    let file = folder.join("job.sbatch");
    fs::write(&file, &script).map_err(CliError::system("write", &file))?;
    let job = scheduler::submit(&file, lang)?;
    follow::follow(&job, &folder, lang)
}

/// The folder for the output of a job: a new one for each that is submitted, since Slurm may give a number again.
fn job_folder(scratch: &Path, task: &str, wanted: &SlurmArgs) -> Result<PathBuf> {
    if wanted.batch.is_some() {
        return Ok(scratch.to_owned());
    }
    let folder = tempfile::Builder::new().prefix(&format!("{task}-")).tempdir_in(scratch);
    Ok(folder.map_err(CliError::system("create", scratch))?.keep())
}

/// Writes a file that does not exist: what a person wrote is not overwritten.
fn write_new(file: &Path, script: &str, lang: Lang) -> Result<()> {
    match fs::File::create_new(file).and_then(|mut to| std::io::Write::write_all(&mut to, script.as_bytes()))
    {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(CliError::Usage(text::exists(lang, file.display())))
        }
        written => written.map_err(CliError::system("write", file)),
    }
}
