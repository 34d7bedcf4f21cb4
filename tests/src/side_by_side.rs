//! Runs of other programs, several at a time: most of them wait for limits, for launchers and for ranks that wait for each other.
use std::{
    sync::{Mutex, PoisonError},
    thread,
};

/// How many run at a time.
const AT_A_TIME: usize = 3;

/// Calls `run` for every one of `inputs`, several at a time; gives the results in the order of the inputs.
///
/// # Panics
/// When a run panics.
pub fn side_by_side<I: Send, T: Send>(inputs: Vec<I>, run: impl Fn(I) -> T + Sync) -> Vec<T> {
    let queue = Mutex::new(inputs.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        let mut results = vec![];
        while let Some((number, input)) = next() {
            results.push((number, run(input)));
        }
        results
    };
    let mut results: Vec<(usize, T)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_A_TIME).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no run panics")).collect()
    });
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}
