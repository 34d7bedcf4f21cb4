//! Assigns a core to every rank: two ranks on one core would measure the scheduler.
use std::io;

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The processors that this process may run on, by number.
#[cfg(target_os = "linux")]
pub(crate) fn allowed() -> io::Result<Vec<usize>> {
    let mask = sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU).filter(|&cpu| mask.is_set(cpu)).collect())
}

/// The processors of this host that its system permits, by number. A launcher may have bound this thread to fewer of them; that binding
/// is lifted.
#[cfg(target_os = "linux")]
pub(crate) fn of_host() -> io::Result<Vec<usize>> {
    // The system removes those that do not exist or are not permitted.
    bind(&(0..CpuSet::MAX_CPU).collect::<Vec<_>>())?;
    allowed()
}

/// As [`allowed`]: a launcher binds nothing here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn of_host() -> io::Result<Vec<usize>> {
    allowed()
}

/// The processors of this machine, by number: only Linux reports those that a process may run on.
#[cfg(not(target_os = "linux"))]
pub(crate) fn allowed() -> io::Result<Vec<usize>> {
    Ok((0..std::thread::available_parallelism()?.get()).collect())
}

/// The processors of rank `rank` of the `ranks` that share `cpus`: one processor if each rank can have its own, otherwise all.
fn cpus_of_rank(rank: usize, ranks: usize, cpus: &[usize]) -> &[usize] {
    if ranks <= cpus.len() { &cpus[rank..=rank] } else { cpus }
}

/// Binds this thread, regardless of the binding by a launcher.
#[cfg(target_os = "linux")]
pub(crate) fn bind(cpus: &[usize]) -> io::Result<()> {
    let mut mask = CpuSet::new();
    cpus.iter().for_each(|&cpu| mask.set(cpu));
    Ok(sched_setaffinity(None, &mask)?)
}

/// Binds nothing: this system chooses the processor of a thread.
#[cfg(not(target_os = "linux"))]
pub(crate) fn bind(_cpus: &[usize]) -> io::Result<()> {
    Ok(())
}

/// Binds this thread as the rank of this number among the `count` that share the cores of its kernel: among `cpus`, or among those of
/// its host if there are none. Returns the number of these cores.
pub(crate) fn bind_rank(number: usize, count: usize, cpus: &[usize]) -> io::Result<usize> {
    let of_host = if cpus.is_empty() { of_host()? } else { vec![] };
    let cpus = if cpus.is_empty() { &of_host } else { cpus };
    bind(cpus_of_rank(number, count, cpus))?;
    Ok(cpus.len())
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn every_rank_has_its_own_core_or_all_share_all() {
        assert_eq!(cpus_of_rank(1, 2, &[3, 5]), [5]);
        assert_eq!(cpus_of_rank(1, 3, &[3, 5]), [3, 5]);
    }

    #[test]
    fn a_bound_thread_is_where_it_was_put_until_that_is_lifted() {
        let bound = std::thread::spawn(|| {
            let first = allowed().expect("an affinity")[0];
            bind(&[first]).expect("bound");
            let now = allowed().expect("an affinity");
            (first, now, of_host().expect("lifted"))
        });
        let (first, now, lifted) = bound.join().expect("the thread");
        assert_eq!(now, [first]);
        assert!(lifted.len() >= allowed().expect("an affinity").len(), "{lifted:?}");
    }
}
