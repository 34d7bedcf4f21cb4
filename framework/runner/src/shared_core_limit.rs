//! The time limit of ranks that share cores and wait without yielding.
//!
//! A rank of MPICH 4 polls while it waits. Where P ranks share c cores, a waiting rank uses the time slices of the ranks
//! that it waits for, and a right program takes about P / c times as long. Open MPI yields, because
//! [`wb_process::launcher_environment`] sets that, and so do ranks on threads: their limit is that of the course at
//! every number of ranks.
use std::time::Duration;

use wb_comm::LibraryInfo;

use crate::Backends;

/// The limit in which each of `ranks` ranks has the processor time of a rank with a core of its own.
pub fn shared_core_limit(limit: Duration, ranks: usize, backends: Backends) -> Duration {
    let library = backends.processes.map(wb_comm::ProcessRanks::library);
    let yields = library.as_ref().is_none_or(yields_when_idle);
    limit * factor(ranks, wb_process::usable_cores(), yields)
}

/// Whether waiting ranks of the library give their processor to others when there are more ranks than cores.
fn yields_when_idle(library: &LibraryInfo) -> bool {
    library.implementation == "Open MPI"
}

/// The number of ranks on the core that has most of them, where they do not yield.
fn factor(ranks: usize, cores: usize, yields: bool) -> u32 {
    if yields { 1 } else { u32::try_from(ranks.div_ceil(cores)).unwrap_or(u32::MAX).max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_that_do_not_yield_have_the_time_of_a_core_of_their_own() {
        let factors = |yields| [1, 2, 3, 4, 5, 17].map(|ranks| factor(ranks, 2, yields));
        assert_eq!(factors(false), [1, 1, 2, 2, 3, 9]);
        assert_eq!(factors(true), [1; 6]);
    }

    #[test]
    fn only_open_mpi_is_set_to_yield() {
        let named = |name: &str| LibraryInfo { implementation: name.into(), ..LibraryInfo::default() };
        assert!(yields_when_idle(&named("Open MPI")));
        assert!(!yields_when_idle(&named("MPICH")));
    }
}
