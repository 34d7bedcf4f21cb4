//! The calls that were taken and those that were passed on.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The collective functions, in the order of the report.
pub(crate) const FUNCTIONS: [&str; 8] = [
    "MPI_Barrier",
    "MPI_Bcast",
    "MPI_Reduce",
    "MPI_Allreduce",
    "MPI_Allgather",
    "MPI_Gather",
    "MPI_Scatter",
    "MPI_Alltoall",
];

static PASSED_ON: [AtomicU64; FUNCTIONS.len()] = [const { AtomicU64::new(0) }; FUNCTIONS.len()];

/// Counts a call.
pub(crate) fn passed_on(function: usize) {
    PASSED_ON[function].fetch_add(1, Relaxed);
}

/// Writes the report.
pub(crate) fn report() {
    for (function, count) in FUNCTIONS.iter().zip(&PASSED_ON) {
        eprintln!("{function}: {} passed on", count.load(Relaxed));
    }
}
