//! The verdicts as records, for reports: one line for each test, backend and number of ranks.
//!
//! Written only for a task, which has settings that say whose it is: into the file that `WB_RECORDS` names, if it names one; and those of a
//! complete run are kept for a report that runs no tests.
use std::{
    env,
    fs::{self, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use jiff::{Timestamp, Unit};
use wb_config::TaskSettings;
use wb_record::{Backend, Environment, FunctionalRecord, Record, Subject};
use wb_runner::{Backends, environment, subject};

use crate::test::settings::BACKENDS_VARIABLE;

/// The environment variable that names the file.
const RECORDS_VARIABLE: &str = "WB_RECORDS";

/// The records of this process, if it writes any.
static RECORDS: OnceLock<Option<VerdictRecords>> = OnceLock::new();

/// The folder of the state folder that keeps the records of the last complete run of each task.
const KEPT: &str = "verdicts";

/// The ending of the file of a run that is not complete.
const INCOMPLETE: &str = "part";

/// What all lines of this process share.
struct VerdictRecords {
    /// The named file, and then the kept one.
    files: Vec<PathBuf>,
    run: String,
    subject: Subject,
    environment: Environment,
}

/// Appends a verdict, if it is wanted.
///
/// # Panics
/// When the file that was asked for cannot be written: a report that lacks tests would look complete.
pub(crate) fn append(backends: Backends, verdict: FunctionalRecord) {
    let Some(book) = RECORDS.get_or_init(|| VerdictRecords::open(backends)) else { return };
    let line = book.line(verdict);
    for file in &book.files {
        let opened = OpenOptions::new().append(true).create(true).open(file);
        if let Err(error) = opened.and_then(|mut opened| opened.write_all(line.as_bytes())) {
            panic!("{}: {error}", file.display());
        }
    }
}

/// The file of a run of all tests of a task, by the program that has them, on all backends and numbers of ranks; it gets its name at the end of the run.
fn kept_file(task: &str) -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let is_complete = program.file_name()?.to_str()?.starts_with("functional-")
        && wb_process::test_selection() == ["--"]
        && env::var_os(BACKENDS_VARIABLE).is_none()
        && wb_process::launcher_rank().is_none();
    let folder = wb_process::before_main::state_folder().ok().filter(|_| is_complete)?.join(KEPT);
    let file = folder.join(task).with_extension(INCOMPLETE);
    fs::create_dir_all(&folder).and_then(|()| fs::write(&file, "")).ok()?;
    wb_process::at_exit(|| {
        let Some(file) = RECORDS.get().and_then(|records| records.as_ref()?.files.last()) else { return };
        if !wb_process::is_interrupted() {
            // Without it a report names that it has no record of tests.
            let _not_kept = fs::rename(file, file.with_extension("jsonl"));
        }
    });
    Some(file)
}

impl VerdictRecords {
    fn open(backends: Backends) -> Option<Self> {
        let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
        if !folder.join("task.yaml").is_file() {
            return None;
        }
        let name = folder.file_name()?.to_string_lossy().into_owned();
        let named = env::var_os(RECORDS_VARIABLE).map(PathBuf::from);
        let files: Vec<PathBuf> = named.into_iter().chain(kept_file(&name)).collect();
        if files.is_empty() {
            return None;
        }
        let settings = TaskSettings::load(&folder).unwrap_or_else(|error| panic!("{error}"));
        let run = format!("functional-{}-{}", Timestamp::now().as_millisecond(), std::process::id());
        let subject = subject::subject(&name, &settings);
        let mut environment = environment::environment(Path::new(&folder), backends, 0);
        environment.variables.remove(RECORDS_VARIABLE); // It says where this goes, and nothing of the result.
        Some(Self { files, run, subject, environment })
    }

    fn line(&self, verdict: FunctionalRecord) -> String {
        let mut environment = self.environment.clone();
        environment.message_passing.backend = verdict.backend;
        if verdict.backend != Backend::Mpi {
            (environment.message_passing.library, environment.message_passing.version) = (None, None);
        }
        let at = Timestamp::now();
        let at = at.round(Unit::Second).unwrap_or(at).to_string();
        let record = Record::new(self.run.clone(), at, self.subject.clone(), environment, verdict);
        format!("{}\n", record.to_line())
    }
}
