//! The MPI session of this process: MPI is initialised once and finalised once, by every rank or by none.
//!
//! `MPI_Finalize` is collective: a process that calls it while another is lost waits for ever. So it runs when the
//! process exits (Open MPI reports a run without it as a failure), but only if [`skip_finalize`] was not called, no
//! communicator of a case is open (as after a call of `exit` within a case) and no thread is in a blocking call.
//!
//! MPICH 4.0.2 on several hosts that TCP connects does not always return from it: some ranks still close connections while
//! others already wait for the launcher and serve none. There all ranks meet in a barrier and exit without it, which `mpiexec` and
//! `srun` report as success.
use std::{
    mem,
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use mpi::{
    Threading,
    ffi::{
        MPI_Barrier, MPI_Comm, MPI_Comm_rank, MPI_Comm_set_errhandler, MPI_Comm_size, MPI_Finalize,
        MPI_Finalized,
    },
};
use wb_comm::{Error, Rank, Result, text::setup};

use crate::{
    attached_buffer::AttachedBuffer,
    blocked_call,
    check::check,
    datatype::{Datatypes, UserOps},
    derived_types::DerivedTypes,
    handles,
    library::library,
    truncation_workaround,
};

/// The data that are constant from initialisation to the end.
pub(crate) struct Session {
    /// The rank of this process in the job.
    pub(crate) rank: Rank,
    /// The size of the job.
    pub(crate) size: usize,
    /// The handles of all element types.
    pub(crate) datatypes: Datatypes,
    /// The reductions that users have defined.
    pub(crate) user_ops: UserOps,
    /// The memory for buffered sends.
    pub(crate) attached_buffer: AttachedBuffer,
    /// The types of layouts.
    pub(crate) derived_types: DerivedTypes,
    thread_support: Threading,
}

// SAFETY: the handles inside are names of objects that live until MPI_Finalize; no code changes them after
// `initialize`, and the thread level (at least Serialized, or Funneled where only the thread of `initialize` calls MPI) allows their use.
unsafe impl Send for Session {}
// SAFETY: as above.
unsafe impl Sync for Session {}

/// `funneled` in the ranks of a benchmark whose only thread that calls MPI is the one that initialises it.
const THREAD_LEVEL_VARIABLE: &str = "WB_THREAD_LEVEL";

static SESSION: OnceLock<Session> = OnceLock::new();
static SKIP_FINALIZE: AtomicBool = AtomicBool::new(false);
static OPEN_COMMUNICATORS: AtomicUsize = AtomicUsize::new(0);

/// The session, once there is one.
pub(crate) fn current() -> Option<&'static Session> {
    SESSION.get()
}

/// Initialises MPI if necessary. Callers hold the only job handle, so two threads never call this at the same time.
pub(crate) fn initialize() -> Result<&'static Session> {
    if let Some(session) = SESSION.get() {
        return Ok(session);
    }
    if !handles::agree_with_bindings() {
        return Err(Error::Setup(setup::mixed_bindings()));
    }
    truncation_workaround::apply();
    let wanted = wanted_level();
    let (universe, level) =
        mpi::initialize_with_threading(wanted).ok_or_else(|| Error::Setup(setup::initialised_before()))?;
    // Its drop would call MPI_Finalize immediately and unconditionally; `finalize_at_exit` calls it at exit, if at all.
    mem::forget(universe);
    // SAFETY: `finalize_at_exit` is a plain C function that does not unwind and lives as long as the process.
    if unsafe { libc::atexit(finalize_at_exit) } != 0 {
        return Err(Error::Setup(setup::no_exit_hook()));
    }
    if level < wanted.min(Threading::Serialized) {
        return Err(Error::Setup(setup::thread_level(format!("{level:?}"))));
    }
    let session = from_environment(level)?;
    Ok(SESSION.get_or_init(|| session))
}

/// The thread level that is asked for: `MPI_THREAD_MULTIPLE`; in a benchmark that sets [`THREAD_LEVEL_VARIABLE`], that of a program in which only the
/// thread that initialises MPI calls it.
fn wanted_level() -> Threading {
    let is_funneled = std::env::var(THREAD_LEVEL_VARIABLE).is_ok_and(|level| level == "funneled");
    if is_funneled { Threading::Funneled } else { Threading::Multiple }
}

fn from_environment(level: Threading) -> Result<Session> {
    return_errors(handles::COMM_WORLD)?;
    // Calls without a valid communicator raise their errors here.
    return_errors(handles::COMM_SELF)?;
    let (rank, size) = rank_and_size(handles::COMM_WORLD)?;
    let (datatypes, attached_buffer) = (Datatypes::commit()?, AttachedBuffer::default());
    Ok(Session {
        rank,
        size,
        datatypes,
        user_ops: UserOps::default(),
        attached_buffer,
        derived_types: DerivedTypes::default(),
        thread_support: level,
    })
}

/// Makes calls return the codes of errors on `comm`.
pub(crate) fn return_errors(comm: MPI_Comm) -> Result<()> {
    // SAFETY: a live communicator and a predefined handler.
    check("MPI_Comm_set_errhandler", unsafe { MPI_Comm_set_errhandler(comm, handles::ERRORS_RETURN) })
}

/// This process's rank in `comm` and the number of its ranks.
pub(crate) fn rank_and_size(comm: MPI_Comm) -> Result<(Rank, usize)> {
    let (mut rank, mut size) = (0, 0);
    // SAFETY: a live communicator, one int for the answer.
    check("MPI_Comm_rank", unsafe { MPI_Comm_rank(comm, &mut rank) })?;
    // SAFETY: as above.
    check("MPI_Comm_size", unsafe { MPI_Comm_size(comm, &mut size) })?;
    assert!(0 <= rank && rank < size, "MPI numbers ranks from 0: rank {rank} of {size}");
    Ok((rank as Rank, size as usize))
}

/// The thread level that MPI provides: `"multiple"`, `"serialized"`, or `"funneled"` if that was asked for; `None` before MPI is initialised.
pub fn thread_level() -> Option<&'static str> {
    current().map(|session| match session.thread_support {
        Threading::Single => "single",
        Threading::Funneled => "funneled",
        Threading::Serialized => "serialized",
        Threading::Multiple => "multiple",
    })
}

/// Prevents the call of `MPI_Finalize` at exit.
pub(crate) fn skip_finalize() {
    SKIP_FINALIZE.store(true, Ordering::SeqCst);
}

/// Counts communicators that were made and not freed yet.
pub(crate) fn communicators_opened(communicators: usize) {
    OPEN_COMMUNICATORS.fetch_add(communicators, Ordering::SeqCst);
}

/// The counterpart of [`communicators_opened`].
pub(crate) fn communicators_closed(communicators: usize) {
    OPEN_COMMUNICATORS.fetch_sub(communicators, Ordering::SeqCst);
}

/// Calls `MPI_Finalize` now, under the conditions of the module.
pub(crate) fn finalize() {
    finalize_at_exit();
}

/// Whether the ranks of a job of this size are on several hosts, by the variables of Hydra or of Slurm.
fn spans_hosts(size: usize, variable: impl Fn(&str) -> Option<String>) -> bool {
    let number = |name: &str| variable(name).and_then(|value| value.parse::<usize>().ok());
    number("MPI_LOCALNRANKS").is_some_and(|here| here < size)
        || number("SLURM_STEP_NUM_NODES").is_some_and(|nodes| nodes > 1)
}

extern "C" fn finalize_at_exit() {
    let mid_case = OPEN_COMMUNICATORS.load(Ordering::SeqCst) > 0 || blocked_call::is_inside();
    if mid_case || SKIP_FINALIZE.load(Ordering::SeqCst) {
        return;
    }
    let mut finalized = 0;
    // SAFETY: callable at any time after initialisation, which registered this function.
    let answered = unsafe { MPI_Finalized(&mut finalized) } == handles::SUCCESS;
    if answered && finalized == 0 {
        if let Some(session) = current() {
            session.derived_types.free();
            session.datatypes.free();
            session.user_ops.free();
            if library().implementation == "MPICH"
                && spans_hosts(session.size, |name| std::env::var(name).ok())
            {
                // SAFETY: initialised, not finalised; every rank of the job comes here. A failure has no caller to return to.
                let _ = unsafe { MPI_Barrier(handles::COMM_WORLD) };
                return;
            }
        }
        // SAFETY: initialised, not finalised, and every handle that could still be used is closed. A failure has no
        // caller left to return to; the launcher sees it.
        let _ = unsafe { MPI_Finalize() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_on_several_hosts_is_known_by_the_variables_of_its_launcher() {
        let spans =
            |name: &str, value: &str| spans_hosts(4, |asked| (asked == name).then(|| value.to_owned()));
        assert!(spans("MPI_LOCALNRANKS", "2") && !spans("MPI_LOCALNRANKS", "4"));
        assert!(spans("SLURM_STEP_NUM_NODES", "2") && !spans("SLURM_STEP_NUM_NODES", "1"));
        assert!(!spans("OTHER", "2"));
    }
}
