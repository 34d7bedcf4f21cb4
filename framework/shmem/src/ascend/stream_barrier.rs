//! The host's barrier as a [`Barrier`]: enqueued in the stream and waited for, on cores that exist as long as it does.
use std::{
    io,
    sync::Arc,
    thread::{self, JoinHandle},
};

use wb_comm::{Barrier, text::ascend};

use crate::ascend::{CoreSet, Error, Npu, NpuTeam, Result, Stream};

/// One PE's handle; its host is the thread that holds it.
pub struct StreamBarrier {
    stream: Arc<Stream<'static>>,
    team: NpuTeam,
    cores: Vec<JoinHandle<()>>,
}

impl StreamBarrier {
    /// Starts the cores of a PE, which meet those of all others.
    ///
    /// # Errors
    /// [`wb_comm::Error::Setup`] when the system starts no more threads.
    pub fn new(npu: Npu<'static>) -> Result<Self> {
        let (team, cores) = (npu.world()?, npu.machine.cores_per_pe());
        let (npu, stream) = (Arc::new(npu), Arc::new(Stream::new(cores)));
        let mut this = Self { stream, team, cores: vec![] };
        for core in 0..cores {
            let (npu, stream) = (Arc::clone(&npu), Arc::clone(&this.stream));
            let serve = move || stream.run_core(&npu, core);
            let thread = thread::Builder::new().name(format!("core {core}")).spawn(serve);
            let refused = |error: io::Error| {
                Error::from(wb_comm::Error::Setup(ascend::not_started(core, error.to_string())))
            };
            this.cores.push(thread.map_err(refused)?);
        }
        Ok(this)
    }
}

impl Barrier for StreamBarrier {
    fn wait(&mut self) -> wb_comm::Result<()> {
        self.stream.barrier(&self.team, CoreSet::All).map_err(|error| match error {
            Error::Comm(error) => error,
            other => wb_comm::Error::Setup(other.text()),
        })
    }
}

impl Drop for StreamBarrier {
    fn drop(&mut self) {
        self.stream.close();
        // A failed core has reported its error to the core that waited for the stream.
        self.cores.drain(..).for_each(|core| drop(core.join()));
    }
}
