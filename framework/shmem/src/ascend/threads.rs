//! A whole machine in this process: every PE's host is a thread, and so is every core.
use std::{
    sync::{
        atomic::{AtomicBool, AtomicI64, Ordering::Relaxed},
        mpsc,
    },
    thread,
    time::Duration,
};

use crate::ascend::{AscendMachine, Error, Npu, Result, npu::first_failure};

/// Runs `host` once for every PE; returns the results by PE. After `limit` every wait ends with an error.
///
/// # Errors
/// The errors of [`AscendMachine::check`]; the first PE's error that is not the consequence of another's;
/// [`Error::Limit`].
///
/// # Panics
/// When `host` does.
pub fn on_threads<R: Send>(
    machine: &AscendMachine,
    limit: Duration,
    host: impl Fn(&Npu<'_>) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    machine.check()?;
    let inter_pe_memory: Vec<_> = (0..Npu::required(machine)).map(|_| AtomicI64::new(0)).collect();
    let stop = AtomicBool::new(false);
    let (over, done) = mpsc::channel();
    let results = thread::scope(|scope| {
        let start = |pe| {
            let (host, inter_pe_memory, stop, over) = (&host, &inter_pe_memory, &stop, over.clone());
            scope.spawn(move || {
                let result = Npu::new(machine.clone(), pe, inter_pe_memory, stop).and_then(|npu| host(&npu));
                // A PE that has failed never reaches the others' barriers.
                stop.fetch_or(result.is_err(), Relaxed);
                drop(over);
                result
            })
        };
        let hosts: Vec<_> = (0..machine.pes).map(start).collect();
        drop(over);
        let late = done.recv_timeout(limit) == Err::<(), _>(mpsc::RecvTimeoutError::Timeout);
        stop.fetch_or(late, Relaxed);
        let name = |(pe, result): (usize, Result<R>)| match result {
            Err(error) if late && error.is_consequence() => {
                Err(Error::Limit { pe, limit_ms: limit.as_millis() })
            }
            result => result,
        };
        let join = |host: thread::ScopedJoinHandle<'_, Result<R>>| host.join();
        let joined = hosts
            .into_iter()
            .map(join)
            .map(|r| r.unwrap_or_else(|payload| std::panic::resume_unwind(payload)));
        joined.enumerate().map(name).collect()
    });
    first_failure(results)
}
