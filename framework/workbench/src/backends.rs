//! The choice of backend: real MPI when it is linked, threads and virtual time always. Nothing else lists backends.
use wb_comm::Backends;

/// What can run ranks in this program.
pub fn backends() -> Backends {
    Backends { processes: processes(), ..in_one_process() }
}

/// What can run ranks in this program without MPI.
pub fn in_one_process() -> Backends {
    Backends {
        processes: None,
        threads: &wb_threads::Local::USUAL,
        watched_threads: &wb_threads::Local::WATCHED,
        retelling: |eager_limit| Box::new(wb_threads::Local { eager_limit, races: false }),
        virtual_time: &wb_sim::Machines::USUAL,
        watched_virtual_time: &wb_sim::Machines::WATCHED,
        orders: &wb_sim::Exhaustive::FULL,
    }
}

#[cfg(feature = "mpi")]
fn processes() -> Option<&'static dyn wb_comm::Processes> {
    Some(&wb_mpi::MPI)
}

#[cfg(not(feature = "mpi"))]
fn processes() -> Option<&'static dyn wb_comm::Processes> {
    None
}
