//! The choice of backend: MPI when it is linked, threads and virtual time always. Only this module lists backends.
use wb_comm::Backends;

/// The backends that can run ranks in this program.
pub fn backends() -> Backends {
    Backends { processes: processes(), ..in_one_process() }
}

/// The backends that can run ranks in this program without MPI.
pub fn in_one_process() -> Backends {
    Backends {
        processes: None,
        threads: &wb_local::threads::LocalThreads::DEFAULT,
        watched_threads: &wb_local::threads::LocalThreads::WITH_RACE_DETECTION,
        replay_threads: |eager_limit| {
            Box::new(wb_local::threads::LocalThreads {
                eager_limit,
                ..wb_local::threads::LocalThreads::WITH_RACE_DETECTION
            })
        },
        virtual_time: &wb_local::sim::SimulatedMachines::DEFAULT,
        watched_virtual_time: &wb_local::sim::SimulatedMachines::WITH_RACE_DETECTION,
        orders: &wb_local::sim::ExhaustiveChecker::FULL,
    }
}

#[cfg(feature = "mpi")]
fn processes() -> Option<&'static dyn wb_comm::ProcessRanks> {
    Some(&wb_mpi::MPI)
}

#[cfg(not(feature = "mpi"))]
fn processes() -> Option<&'static dyn wb_comm::ProcessRanks> {
    None
}
