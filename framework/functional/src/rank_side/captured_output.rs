//! The output of a rank during a run, for the report of its failure.
use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use wb_runner::output_tail;

/// This process's output, if it goes to a file.
#[derive(Debug)]
pub(crate) struct CapturedOutput {
    file: Option<PathBuf>,
    /// The length of the file when the run began.
    start: AtomicU64,
}

impl CapturedOutput {
    /// Of a process whose output goes to the file of its rank, or else to that of its job.
    pub(crate) fn new(of_job: Option<PathBuf>) -> Self {
        let of_rank = wb_process::before_main::rank_log().map(Path::to_owned);
        Self { file: of_rank.or(of_job), start: AtomicU64::new(0) }
    }

    /// A run begins.
    pub(crate) fn begin(&self) {
        let length =
            self.file.as_ref().and_then(|file| std::fs::metadata(file).ok()).map_or(0, |data| data.len());
        self.start.store(length, Relaxed);
    }

    /// The last lines since the run began.
    pub(crate) fn tail(&self) -> String {
        self.file
            .as_ref()
            .map(|file| output_tail::last_lines(file, self.start.load(Relaxed)))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_said_since_the_beginning_of_the_run_is_shown() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("output");
        std::fs::write(&file, "before\n").expect("written");
        let spoken = CapturedOutput::new(Some(file.clone()));
        spoken.begin();
        assert_eq!(spoken.tail(), "");
        let said: String = (0..20).map(|line| format!("line {line}\n")).collect();
        std::fs::write(&file, format!("before\n{said}")).expect("written");
        let shown = spoken.tail();
        assert_eq!((shown.lines().next(), shown.lines().last()), (Some("line 8"), Some("line 19")));
    }
}
