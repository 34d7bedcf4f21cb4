//! Runs a trial on ranks that are threads, so that a hang ends and every failure is told with its rank.
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

use wb_comm::{Threads, Transport, job::Ended};
use wb_world::World;

use super::{Ground, OnThreads};

/// After the limit waiting ranks are told to give up; so long they have to come back.
const GRACE: Duration = Duration::from_secs(5);

/// What every rank runs; an error is what broke, told on the rank that saw it.
pub type Part = dyn Fn(&World, &OnThreads) -> Result<(), String> + Send + Sync;

/// Runs `part` on `size` threads, at most about `limit` long.
///
/// # Errors
/// What went wrong on the first rank that says so, and on how many others something did.
pub fn on_threads(size: usize, limit: Duration, part: &Arc<Part>) -> Result<(), String> {
    let ground = Arc::new(OnThreads::default());
    let given_up = Arc::clone(ground.given_up());
    let (its_part, its_ground) = (Arc::clone(part), ground);
    let job = Arc::new(move |transport: Rc<dyn Transport>| -> Box<dyn Any + Send> {
        let guard = GiveUp(Arc::clone(its_ground.given_up()));
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
        let outcome = wb_threads::Local::default().run(size, Some(limit + GRACE), job);
        drop(over);
        outcome
    });
    let mut wrong: Vec<_> =
        outcome.ranks.into_iter().enumerate().filter_map(|(rank, ended)| wrong(rank, ended)).collect();
    wrong.extend(outcome.findings.iter().map(|finding| format!("P = {size}: {finding}")));
    match (wrong.first(), wrong.len()) {
        (None, _) => Ok(()),
        (Some(only), 1) => Err(only.clone()),
        (Some(first), all) => Err(format!("{first} (and {} more)", all - 1)),
    }
}

fn wrong(rank: usize, ended: Ended) -> Option<String> {
    match ended {
        Ended::Returned(result) => {
            result.downcast::<Result<(), String>>().expect("a part returns this").err()
        }
        Ended::Panicked(text) => Some(format!("rank {rank} panicked: {text}")),
        Ended::Lost | Ended::Waited(_) => Some(format!("rank {rank} did not come back")),
    }
}

/// A rank that fails must not leave the others waiting in memory, where nobody sees that it has ended.
struct GiveUp(Arc<AtomicBool>);

impl Drop for GiveUp {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
