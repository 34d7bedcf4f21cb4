//! What sees all interposed calls of a process.
use std::{ffi::c_int, sync::OnceLock};

use wb_mpi::ffi::{MPI_Comm, MPI_Datatype};

/// An interposed call: the arguments that a recorder may need. What a function does not have is `None`.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "recorders read the fields")]
pub(crate) struct Call {
    /// The name of the function.
    pub(crate) function: &'static str,
    /// The communicator.
    pub(crate) comm: Option<MPI_Comm>,
    /// The root, or the other rank of a message.
    pub(crate) peer: Option<c_int>,
    /// The tag.
    pub(crate) tag: Option<c_int>,
    /// Elements and their type: those of a rank's contribution, or of a message.
    pub(crate) data: Option<(c_int, MPI_Datatype)>,
}

impl Call {
    /// A call with these arguments only.
    pub(crate) fn new(function: &'static str, comm: Option<MPI_Comm>) -> Self {
        Self { function, comm, peer: None, tag: None, data: None }
    }

    /// With a root, or another rank.
    pub(crate) fn peer(self, peer: c_int) -> Self {
        Self { peer: Some(peer), ..self }
    }

    /// With elements.
    pub(crate) fn data(self, count: c_int, datatype: MPI_Datatype) -> Self {
        Self { data: Some((count, datatype)), ..self }
    }
}

/// Sees calls before and after they are made.
pub(crate) trait Recorder: Send + Sync {
    /// Before a call.
    fn before(&self, call: &Call);
    /// After it: the return code.
    fn after(&self, call: &Call, code: c_int);
}

/// The recorder of this process, if it has one.
static RECORDER: OnceLock<Box<dyn Recorder>> = OnceLock::new();

/// Shows all further calls of this process to a recorder. The first one stays.
#[allow(dead_code, reason = "for recorders")]
pub(crate) fn install(recorder: Box<dyn Recorder>) {
    let _the_first_one_stays = RECORDER.set(recorder);
}

/// Makes a call and shows it to the recorder.
#[inline]
pub(crate) fn observe(call: impl FnOnce() -> Call, make: impl FnOnce() -> c_int) -> c_int {
    let Some(recorder) = RECORDER.get() else { return make() };
    let call = call();
    recorder.before(&call);
    let code = make();
    recorder.after(&call, code);
    code
}
