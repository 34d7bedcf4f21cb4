//! This process as one rank of a launcher's job.
use std::{io, rc::Rc};

use wb_comm::{JobHandle, ProcessRanks, Transport};

/// A rank that has joined its job.
pub struct ProcessRank {
    /// Its number.
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
