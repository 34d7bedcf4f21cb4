//! The form that a rank visits: for the watchdog, and in a file that can be read after the rank has died.
use std::{fs::File, io, os::unix::fs::FileExt, path::Path, sync::Arc};

use wb_runner::RankWatchdog;

use crate::job_spec;

pub(crate) struct CurrentForm {
    watchdog: Arc<RankWatchdog<usize>>,
    slot: usize,
    file: File,
}

impl CurrentForm {
    /// That of rank `rank`, which has this slot of `watchdog`.
    pub(crate) fn new(
        folder: &Path,
        rank: usize,
        (watchdog, slot): (Arc<RankWatchdog<usize>>, usize),
    ) -> io::Result<Self> {
        watchdog.arm(slot);
        Ok(Self { watchdog, slot, file: File::create(job_spec::current_form_file(folder, rank))? })
    }

    /// Records that the rank enters the form of that number.
    pub(crate) fn enter(&self, form: usize) -> io::Result<()> {
        self.watchdog.enter(self.slot, form);
        self.watchdog.arm(self.slot);
        self.file.write_all_at(&(form as u64).to_le_bytes(), 0)
    }
}

/// The last form of a rank, from the file that it writes.
pub(crate) fn last_form(folder: &Path, rank: usize) -> Option<usize> {
    let bytes = std::fs::read(job_spec::current_form_file(folder, rank)).ok()?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?) as usize)
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use super::*;

    #[test]
    fn a_rank_that_stands_still_is_named_with_its_form() {
        let folder = tempfile::tempdir().expect("a folder");
        let (report, reported) = mpsc::channel();
        let hung = move |_, form, _| report.send(form).expect("the test listens");
        let watchdog = RankWatchdog::start(1, Some(Duration::from_millis(300)), hung).expect("a thread");
        let form = CurrentForm::new(folder.path(), 1, (watchdog, 0)).expect("a file");
        form.enter(4).expect("written");
        assert_eq!(reported.recv_timeout(Duration::from_secs(10)), Ok(Some(4)));
        assert_eq!((last_form(folder.path(), 1), last_form(folder.path(), 0)), (Some(4), None));
    }
}
