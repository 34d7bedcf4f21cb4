//! This process as one rank of a launcher's job.
use std::{io, rc::Rc, time::Duration};

use wb_comm::{Finding, JobHandle, ProcessRanks, Transport, panic_place};

/// A rank's stack, as on threads.
const STACK_BYTES: usize = 8 << 20;

/// Runs a rank on a thread with an ordinary stack, as the ranks of the other backend; this includes the sequential version. The C library's
/// allocator treats the first thread differently from all others, and a large buffer can cost ten times as much there: the comparison would
/// measure allocators.
///
/// # Errors
/// That of the rank, its panic, or that of the system when it refuses a thread.
pub fn on_rank_thread<T: Send + 'static>(
    rank: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let thread = std::thread::Builder::new().name("rank".into()).stack_size(STACK_BYTES);
    let ended = thread.spawn(rank)?.join();
    ended.unwrap_or_else(|panic| Err(io::Error::other(panic_place::panic_text(&*panic))))
}

/// A rank that has joined its job.
pub struct ProcessRank {
    /// The rank.
    pub rank: usize,
    /// The number of ranks that it sees.
    pub size: usize,
    handle: Rc<dyn JobHandle>,
    processes: &'static dyn ProcessRanks,
}

impl ProcessRank {
    /// Joins the job of this process, which ends with its launcher.
    ///
    /// # Errors
    /// When the library or the system refuses.
    pub fn join(processes: &'static dyn ProcessRanks) -> io::Result<Self> {
        wb_process::die_with_parent()?;
        let handle = processes.init().map_err(io::Error::other)?;
        Ok(Self { rank: handle.rank(), size: handle.size(), handle, processes })
    }

    /// Collective: a communicator of all ranks.
    ///
    /// # Errors
    /// The library's error.
    pub fn open(&self) -> io::Result<Rc<dyn Transport>> {
        let transport = self.handle.open_communicator(self.size).map_err(io::Error::other)?;
        Ok(transport.expect("a job's communicator of all ranks has every rank"))
    }

    /// Collective: what the work so far has left behind, such as messages that no rank received within this time.
    ///
    /// # Errors
    /// The library's error.
    pub fn find_leaks(&self, timeout: Duration) -> io::Result<Vec<Finding>> {
        self.handle.find_leaks(timeout).map_err(io::Error::other)
    }

    /// Leaves the job. A rank that has not succeeded ends this process: the others may wait for it for ever, and its end makes the launcher
    /// terminate them.
    ///
    /// # Errors
    /// The library's error.
    pub fn leave(self, has_succeeded: bool) -> io::Result<()> {
        if !has_succeeded {
            self.processes.skip_finalize();
            wb_process::exit_now(1);
        }
        self.handle.free_communicators().map_err(io::Error::other)
    }
}
