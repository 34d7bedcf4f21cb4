//! What lets Open MPI's windows between hosts continue when a rank has no part in them.
//!
//! There a window's `complete`, `fence` or `flush` waits for UCX to flush the connections to every rank of the job with which this process
//! has ever shared a window, and the other side answers only inside of the library, and only while it has a window
//! (4.1.4: `ompi_osc_ucx_unregister_progress`). So a process that has had a window keeps one, and ranks that wait outside of the
//! library call it now and then.
use std::sync::atomic::{AtomicBool, Ordering};

use mpi::ffi::{MPI_Iprobe, MPI_Win_create_dynamic};
use wb_comm::Result;

use crate::{check::check, handles, message_args::empty_status};

/// The variable by which a launcher lets UCX carry windows.
const UCX_VARIABLE: &str = "OMPI_MCA_osc_ucx_tls";

/// Makes the window that this process keeps to its end, the first time that it is called in a job that UCX carries. It is empty, and no other rank
/// takes part.
pub(crate) fn keep_window() -> Result<()> {
    static IS_KEPT: AtomicBool = AtomicBool::new(false);
    if std::env::var_os(UCX_VARIABLE).is_none() || IS_KEPT.swap(true, Ordering::SeqCst) {
        return Ok(());
    }
    let mut win = handles::WIN_NULL;
    // SAFETY: initialised, a predefined communicator, no hints, one handle for the answer.
    let code = unsafe { MPI_Win_create_dynamic(handles::INFO_NULL, handles::COMM_SELF, &mut win) };
    check("MPI_Win_create_dynamic", code)
}

/// Lets the library continue. No rank sends on the communicator of this process alone, so no message is found.
pub(crate) fn progress() {
    let (mut flag, mut status) = (0, empty_status());
    // SAFETY: initialised, a predefined communicator, one int and one status for the answers.
    let code = unsafe {
        MPI_Iprobe(handles::ANY_SOURCE, handles::ANY_TAG, handles::COMM_SELF, &mut flag, &mut status)
    };
    // The next call of the rank returns its error.
    let _unreported = check("MPI_Iprobe", code);
}
