//! Runs a law on ranks that are threads, so that a hang ends and every failure is reported with its rank.
use std::{
    any::Any,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use wb_comm::{ThreadRanks, Transport, job::RankTermination};
use wb_world::World;

use super::{TeamMemory, TeamThreadMemory};

/// After the limit waiting ranks have this time to give up and return.
const GRACE: Duration = Duration::from_secs(5);

/// The program of every rank; an error is the broken law, reported on the rank that saw it.
pub type LawProgram = dyn Fn(&World, &TeamThreadMemory) -> Result<(), String> + Send + Sync;

/// Runs `part` on `size` threads, at most about `limit` long.
///
/// # Errors
/// The failure of the first rank that reports one, and the number of other ranks that failed.
pub fn on_threads(size: usize, limit: Duration, part: &Arc<LawProgram>) -> Result<(), String> {
    let memory = Arc::new(TeamThreadMemory::default());
    let given_up = Arc::clone(memory.stop_flag());
    let (its_part, its_ground) = (Arc::clone(part), memory);
    let job = Arc::new(move |transport: Rc<dyn Transport>| -> Box<dyn Any + Send> {
        let guard = StopOnPanic(Arc::clone(its_ground.stop_flag()));
        let result = its_part(&World::new(transport), &its_ground);
        if result.is_ok() {
            std::mem::forget(guard);
        }
        Box::new(result)
    });
    let (over, is_over) = mpsc::channel::<()>();
    let outcome = thread::scope(|scope| {
        scope.spawn(move || {
            if is_over.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                given_up.store(true, Relaxed);
            }
        });
        let outcome = wb_local::threads::LocalThreads::default().run(size, Some(limit + GRACE), job);
        drop(over);
        outcome
    });
    let mut wrong: Vec<_> =
        outcome.ranks.into_iter().enumerate().filter_map(|(rank, ended)| failure_text(rank, ended)).collect();
    wrong.extend(outcome.findings.iter().map(|finding| format!("P = {size}: {finding}")));
    match (wrong.first(), wrong.len()) {
        (None, _) => Ok(()),
        (Some(only), 1) => Err(only.clone()),
        (Some(first), all) => Err(format!("{first} (and {} more)", all - 1)),
    }
}

fn failure_text(rank: usize, ended: RankTermination) -> Option<String> {
    match ended {
        RankTermination::Returned(result) => {
            result.downcast::<Result<(), String>>().expect("a part returns this").err()
        }
        RankTermination::Panicked(text) => Some(format!("rank {rank} panicked: {text}")),
        RankTermination::Unfinished | RankTermination::Starved(_) => {
            Some(format!("rank {rank} did not come back"))
        }
    }
}

/// A rank that fails must not leave the others waiting in memory, where no rank sees that it has ended.
struct StopOnPanic(Arc<AtomicBool>);

impl Drop for StopOnPanic {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
