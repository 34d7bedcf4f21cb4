//! Interrupts a rank that hangs: a thread checks a few times a second whether its rank has made progress.
use std::{
    fs::File,
    io,
    os::unix::fs::FileExt,
    path::Path,
    sync::{
        Arc,
        atomic::{
            AtomicU64, AtomicUsize,
            Ordering::{Relaxed, SeqCst},
        },
    },
    thread,
    time::{Duration, Instant},
};

use crate::job_spec;

/// The interval between the checks. It is long, because a check takes the core of a rank that is being measured.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// The current step of a rank.
pub(crate) struct RankWatchdog {
    steps: AtomicU64,
    form: AtomicUsize,
    form_file: File,
}

/// The number that represents "no form yet".
const NO_FORM: usize = usize::MAX;

impl RankWatchdog {
    /// Watches rank `rank`; `hung` is called with the number of the form once a step has taken longer than `limit`.
    pub(crate) fn start(
        folder: &Path,
        rank: usize,
        limit: Duration,
        hung: impl Fn(Option<usize>) + Send + 'static,
    ) -> io::Result<Arc<Self>> {
        let standing = File::create(job_spec::current_form_file(folder, rank))?;
        let watch =
            Arc::new(Self { steps: AtomicU64::new(0), form: AtomicUsize::new(NO_FORM), form_file: standing });
        let watched = Arc::clone(&watch);
        let look = move || {
            let (mut seen, mut since) = (0, Instant::now());
            loop {
                thread::sleep(POLL_INTERVAL);
                let steps = watched.steps.load(SeqCst);
                if steps != seen {
                    (seen, since) = (steps, Instant::now());
                } else if since.elapsed() > limit {
                    hung(watched.form());
                    return;
                }
            }
        };
        thread::Builder::new().name("watch".into()).spawn(look)?;
        Ok(watch)
    }

    /// Records that the rank enters the form of that number.
    pub(crate) fn enter(&self, form: usize) -> io::Result<()> {
        self.form.store(form, Relaxed);
        self.steps.fetch_add(1, SeqCst);
        self.form_file.write_all_at(&(form as u64).to_le_bytes(), 0)
    }

    /// The current form of the rank.
    pub(crate) fn form(&self) -> Option<usize> {
        Some(self.form.load(Relaxed)).filter(|&form| form != NO_FORM)
    }
}

/// The last form of a rank, from the file that it writes.
pub(crate) fn last_form(folder: &Path, rank: usize) -> Option<usize> {
    let bytes = std::fs::read(job_spec::current_form_file(folder, rank)).ok()?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?) as usize)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_rank_that_stands_still_is_named_with_its_form() {
        let folder = tempfile::tempdir().expect("a folder");
        let (tell, told) = mpsc::channel();
        let hung = move |form| tell.send(form).expect("somebody listens");
        let watch =
            RankWatchdog::start(folder.path(), 1, Duration::from_millis(300), hung).expect("a thread");
        watch.enter(4).expect("written");
        assert_eq!(told.recv_timeout(Duration::from_secs(10)), Ok(Some(4)));
        assert_eq!(last_form(folder.path(), 1), Some(4));
        assert_eq!(last_form(folder.path(), 0), None);
    }
}
