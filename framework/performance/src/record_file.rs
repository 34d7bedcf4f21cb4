//! The file of a run's records, written line by line, so that an interrupted run keeps its records.
//!
//! Only one run writes it at a time: a lock file protects it. A second run would truncate the file of the first one.
use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use wb_messages::{Lang, performance as text};
use wb_process::{FileLock, LockError};
use wb_record::{Environment, Measurement, Provenance, Record, Subject};
use wb_runner::run_folder;

/// The open and locked file of records.
#[derive(Debug)]
pub(super) struct RecordFile {
    file: File,
    run: String,
    subject: Subject,
    _held: FileLock,
}

impl RecordFile {
    /// Creates an empty file for the records of this run, and its folder.
    pub(super) fn create(path: &Path, (run, subject): (String, Subject), lang: Lang) -> io::Result<Self> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(named)?;
        }
        let held = FileLock::try_acquire(&path.with_extension("lock")).map_err(|locked| match locked {
            LockError::HeldBy(pid) => {
                let by = pid.map_or_else(|| "?".to_owned(), |pid| pid.to_string());
                io::Error::other(text::records_in_use(lang, path.display(), by))
            }
            LockError::Unusable(error) => named(error),
        })?;
        Ok(Self { file: File::create(path).map_err(named)?, run, subject, _held: held })
    }

    /// Appends a record.
    pub(super) fn write(
        &mut self,
        environment: Environment,
        measurement: impl Into<Measurement>,
        provenance: Option<Provenance>,
    ) -> io::Result<()> {
        let at = jiff::Timestamp::now().round(jiff::Unit::Second).map_err(io::Error::other)?;
        let (run, subject) = (self.run.clone(), self.subject.clone());
        let record =
            Record::new(run, at.to_string(), subject, environment, measurement).with_provenance(provenance);
        writeln!(self.file, "{}", record.to_line())
    }
}

/// `wb/perf/<task>.jsonl` in the target directory that this program was built into.
pub(super) fn default_records(task: &str) -> io::Result<PathBuf> {
    Ok(run_folder::state()?.join("perf").join(format!("{task}.jsonl")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_run_is_refused_and_leaves_the_records_of_the_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("perf/task.jsonl");
        let of_run = || ("run".to_owned(), crate::settings::tests::settings(&[1]).subject);
        let mut first = RecordFile::create(&path, of_run(), Lang::En).expect("free");
        writeln!(first.file, "kept").expect("written");
        let refused = RecordFile::create(&path, of_run(), Lang::En).expect_err("in use").to_string();
        assert!(refused.contains(&format!("process {}", std::process::id())), "{refused}");
        assert_eq!(fs::read_to_string(&path).expect("read"), "kept\n");
        drop(first);
        RecordFile::create(&path, of_run(), Lang::En).expect("free again");
    }
}
