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

use wb_config::CourseSettings;
use wb_messages::{Lang, slurm as text};

use crate::{
    CommandStatus,
    arguments::SlurmArgs,
    error::{CliError, Result},
    step::{CommandStep, OutputMode},
    system_probe::{Flavour, find},
    workspace::Workspace,
};
use batch_script::BatchScript;

/// The time limit of the build before a job is submitted.
const BUILD_LIMIT: Duration = Duration::from_secs(3600);

/// A command that runs as a job.
pub(crate) struct SlurmJob<'a> {
    /// The name after which the job is named.
    pub(crate) name: &'a str,
    /// The MPI library of its ranks; `None` where ranks are threads.
    pub(crate) flavour: Option<Flavour>,
    /// Its options.
    pub(crate) wanted: &'a SlurmArgs,
    /// The number of elements of the array that measures a run in parts; `None` for a job that is no array.
    pub(crate) parts: Option<u32>,
}

/// The outcome of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SlurmOutcome {
    /// Its script was written, and nothing was submitted.
    Written,
    /// It could not be built, which was reported.
    NotBuilt,
    Ended {
        number: String,
        status: CommandStatus,
    },
}

impl SlurmOutcome {
    pub(crate) fn status(&self) -> CommandStatus {
        match self {
            Self::Written => CommandStatus::Success,
            Self::NotBuilt => CommandStatus::Failure,
            Self::Ended { status, .. } => *status,
        }
    }
}

/// Runs this process's command as a job. `build` builds what the job runs: on this host, which has the network that downloads
/// need, and before nodes are allocated.
pub(crate) fn run(
    workspace: &Workspace,
    job: &SlurmJob<'_>,
    (title, build): (String, Command),
    lang: Lang,
) -> Result<SlurmOutcome> {
    let wanted = &job.wanted.or(CourseSettings::cluster_defaults(workspace.root())?);
    let job = &SlurmJob { wanted, ..*job };
    let folder = job_folder(&workspace.scratch("slurm")?, job.name, wanted)?;
    let here = std::env::current_dir().map_err(CliError::system("read", "."))?;
    let launcher = launcher(job, lang)?;
    let script = BatchScript::new(job, launcher, (&here, &folder), std::env::args().collect());
    let script = script.map_err(|line| CliError::Usage(text::invalid_line(lang, line)))?.to_string();
    if let Some(file) = &wanted.batch {
        write_new(file, &script, lang)?;
        println!("{}", text::written(lang, file.display()));
        return Ok(SlurmOutcome::Written);
    }
    let log = folder.join("build.log");
    let step =
        CommandStep { title, command: build, limit: BUILD_LIMIT, show: OutputMode::Failure, log: &log };
    if !step.run(lang)?.is_success() {
        return Ok(SlurmOutcome::NotBuilt);
    }
    let file = folder.join("job.sbatch");
    fs::write(&file, &script).map_err(CliError::system("write", &file))?;
    let number = scheduler::submit(&file, lang)?;
    let status = follow::follow(&number, job.parts, &folder, lang)?;
    Ok(SlurmOutcome::Ended { number, status })
}

/// The launcher of a job whose command line names none: `srun`, if it starts ranks through the interface of the library, else the
/// library's own one. Where there is no Slurm a script is written for one that has the interface.
fn launcher(job: &SlurmJob<'_>, lang: Lang) -> Result<Option<&'static str>> {
    let Some(flavour) = job.flavour else { return Ok(None) };
    if job.wanted.batch.is_some() && find("srun").is_none() {
        return Ok(Some(SRUN));
    }
    let interface = match flavour {
        Flavour::OpenMpi => "pmix",
        Flavour::Mpich => "pmi2",
    };
    if scheduler::has_interface(interface, lang)? {
        return Ok(Some(SRUN));
    }
    eprintln!("{}", text::no_interface(lang, interface, flavour.name()));
    Ok(Some("mpirun"))
}

/// Slurm's launcher.
const SRUN: &str = "srun";

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
