//! Interrupts a rank that exceeds a limit of time or hangs.
//!
//! A rank arms its slot before a step and disarms it afterwards: two atomic stores outside the timed region. The
//! watching thread sleeps until the earliest deadline, so it wakes up once in each limit and does not disturb the
//! ranks.
use std::{
    io,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use wb_process::stack::{StackSample, Thread};

use crate::clock;

/// The value of a slot that is not armed.
const DISARMED: u64 = u64::MAX;

/// One deadline for each rank of this process, and what each does at present: `S`.
pub struct RankWatchdog<S> {
    deadlines: Vec<AtomicU64>,
    limit_ns: u64,
    subjects: Vec<Mutex<Option<S>>>,
    /// The thread of each rank, once it is registered.
    threads: Vec<OnceLock<Thread>>,
}

impl<S: Clone + Send + 'static> RankWatchdog<S> {
    /// Watches `ranks` ranks. When the limit of one is exceeded, `expired` is called with its number here, its present subject, and a
    /// sample of its thread; without a limit nothing expires. Its slot is disarmed by that.
    ///
    /// # Errors
    /// When the watching thread cannot be started.
    pub fn start(
        ranks: usize,
        limit: Option<Duration>,
        expired: impl Fn(usize, Option<S>, Option<StackSample>) + Send + 'static,
    ) -> io::Result<Arc<Self>> {
        let limit_ns = limit.map_or(DISARMED, |limit| u64::try_from(limit.as_nanos()).unwrap_or(DISARMED));
        let deadlines = (0..ranks).map(|_| AtomicU64::new(DISARMED)).collect();
        let threads = (0..ranks).map(|_| OnceLock::new()).collect();
        let subjects = (0..ranks).map(|_| Mutex::new(None)).collect();
        let watch = Arc::new(Self { deadlines, limit_ns, subjects, threads });
        if limit_ns != DISARMED {
            let watched = Arc::downgrade(&watch);
            let watch = move || {
                while let Some(watch) = watched.upgrade() {
                    match watch.check_deadlines() {
                        Ok(pause) => {
                            drop(watch);
                            thread::sleep(pause);
                        }
                        Err((rank, deadline)) => {
                            // It may have been armed again meanwhile.
                            let slot = &watch.deadlines[rank];
                            let order = (Ordering::AcqRel, Ordering::Relaxed);
                            if slot.compare_exchange(deadline, DISARMED, order.0, order.1).is_ok() {
                                expired(rank, watch.subject(rank), watch.sample(rank));
                            }
                        }
                    }
                }
            };
            thread::Builder::new().name("wb-limit".into()).spawn(watch)?;
        }
        Ok(watch)
    }

    /// Registers the calling thread as that of `rank`.
    pub fn register_thread(&self, rank: usize) {
        if let Some(thread) = Thread::current() {
            self.threads[rank].get_or_init(|| thread);
        }
    }

    /// The thread of `rank`, once it is registered.
    pub fn thread(&self, rank: usize) -> Option<Thread> {
        self.threads[rank].get().copied()
    }

    /// The registered threads.
    pub fn threads(&self) -> impl Iterator<Item = Thread> {
        self.threads.iter().filter_map(OnceLock::get).copied()
    }

    /// A sample of the thread of `rank`, once it is registered.
    pub fn sample(&self, rank: usize) -> Option<StackSample> {
        self.thread(rank)?.sample()
    }

    /// Starts the limit of `rank`'s next step.
    pub fn arm(&self, rank: usize) {
        self.deadlines[rank].store(clock::now().saturating_add(self.limit_ns), Ordering::Release);
    }

    /// Starts a limit of `rank`'s next step that is at least as long as the usual one.
    pub fn arm_for(&self, rank: usize, limit: Duration) {
        let limit_ns = u64::try_from(limit.as_nanos()).unwrap_or(DISARMED);
        self.deadlines[rank].store(clock::now().saturating_add(limit_ns), Ordering::Release);
    }

    /// Ends `rank`'s step.
    pub fn disarm(&self, rank: usize) {
        self.deadlines[rank].store(DISARMED, Ordering::Release);
    }

    /// Sets what `rank` does from now on.
    pub fn enter(&self, rank: usize, subject: S) {
        *self.subjects[rank].lock().unwrap_or_else(PoisonError::into_inner) = Some(subject);
    }

    /// The present subject of `rank`.
    pub fn subject(&self, rank: usize) -> Option<S> {
        self.subjects[rank].lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The time in which nothing can expire, or the rank whose limit is exceeded, and its deadline.
    fn check_deadlines(&self) -> Result<Duration, (usize, u64)> {
        let deadlines = self.deadlines.iter().map(|deadline| deadline.load(Ordering::Acquire));
        let (rank, earliest) =
            deadlines.enumerate().min_by_key(|&(_, deadline)| deadline).unwrap_or((0, DISARMED));
        let now = clock::now();
        if earliest <= now {
            return Err((rank, earliest));
        }
        // A slot that is idle now expires a whole limit from now at the earliest.
        Ok(Duration::from_nanos((earliest - now).min(self.limit_ns)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_step_beyond_the_limit_is_named_and_one_within_it_is_not() {
        let (report, reported) = mpsc::channel();
        let expired = move |rank, subject, _| report.send((rank, subject)).expect("the test listens");
        let watch = RankWatchdog::start(2, Some(Duration::from_millis(40)), expired).expect("a thread");
        watch.enter(1, "matrix");
        watch.arm(0);
        watch.disarm(0);
        assert!(reported.recv_timeout(Duration::from_millis(120)).is_err(), "rank 0 was in time");
        watch.arm(1);
        let named = reported.recv_timeout(Duration::from_secs(5)).expect("rank 1 was not");
        assert_eq!(named, (1, Some("matrix")));
    }
}
