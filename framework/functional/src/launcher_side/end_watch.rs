//! Watches the end of a job on several hosts: a launcher that waits for a host that it does not reach does not end by itself.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use crate::evidence::journal::JournalReader;

/// How long the job may take to end after rank 0 has noted that it ends.
const END_MAX: Duration = Duration::from_secs(10);

/// The end of rank 0, as its journal has it.
pub(crate) struct EndWatch {
    journal: JournalReader,
    noted_at: Option<Instant>,
}

impl EndWatch {
    /// The watch over the job in a folder.
    pub(crate) fn new(folder: &Path) -> Self {
        Self { journal: JournalReader::new(folder, 0), noted_at: None }
    }

    /// Whether rank 0 noted its end so long ago that the launcher does not end by itself.
    pub(crate) fn is_overdue(&mut self) -> bool {
        if self.noted_at.is_none() && self.journal.has_ending() {
            self.noted_at = Some(Instant::now());
        }
        self.noted_at.is_some_and(|noted_at| noted_at.elapsed() > END_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::journal::{Journal, JournalEvent};

    #[test]
    fn a_job_is_overdue_some_time_after_rank_0_has_noted_its_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut watch = EndWatch::new(folder.path());
        let of_another = Journal::create(folder.path(), 1).expect("a journal");
        of_another.write(&JournalEvent::Exiting).expect("written");
        assert!(!watch.is_overdue() && watch.noted_at.is_none());
        let journal = Journal::create(folder.path(), 0).expect("a journal");
        journal.write(&JournalEvent::Exiting).expect("written");
        assert!(!watch.is_overdue() && watch.noted_at.is_some());
        watch.noted_at = Instant::now().checked_sub(END_MAX * 2);
        assert!(watch.is_overdue());
    }
}
