//! Assigns a core to every rank: two ranks on one core would measure the scheduler.
use std::io;

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_setaffinity};

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
    let of_host = if cpus.is_empty() { wb_process::node_cpus() } else { vec![] };
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
    fn a_bound_thread_is_where_it_was_put_until_it_is_put_elsewhere() {
        let bound = std::thread::spawn(|| {
            let cpus = wb_process::node_cpus();
            bind(&cpus[..1]).expect("bound");
            (cpus.len(), wb_process::usable_cores(), bind_rank(0, usize::MAX, &[]).expect("bound"))
        });
        let (of_node, bound, lifted) = bound.join().expect("the thread");
        assert_eq!((bound, lifted), (1, of_node));
    }
}
