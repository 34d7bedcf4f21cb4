//! The backends of the tests: threads, or virtual time on a machine of the library.
use std::rc::Rc;

use wb_comm::Transport;
use wb_shmem::{Result, Shmem};

#[derive(Clone, Copy, Debug)]
pub(crate) enum TestBackend {
    Threads,
    VirtualTime,
}

impl TestBackend {
    /// Every rank of `n` runs `job`.
    pub(crate) fn run<R: Send + 'static>(
        self,
        n: usize,
        job: impl Fn(Rc<dyn Transport>) -> R + Send + Sync + 'static,
    ) -> Vec<R> {
        match self {
            Self::Threads => wb_local::threads::run(n, job),
            Self::VirtualTime => {
                let cluster = wb_local::sim::machine_library::find("cluster-ib").expect("it comes along");
                let machine = cluster.machine("cluster-ib", n).expect("a cluster has room");
                wb_local::sim::run(machine, n, job).into_iter().map(|(outcome, _)| outcome).collect()
            }
        }
    }
}

/// Every PE of `n` runs `body` between init and finalize.
pub(crate) fn pes<R: Send + 'static>(
    on: TestBackend,
    n: usize,
    body: impl Fn(&Shmem) -> Result<R> + Send + Sync + 'static,
) -> Vec<Result<R>> {
    on.run(n, move |transport| {
        let shmem = Shmem::init(&*transport)?;
        let result = body(&shmem)?;
        shmem.finalize()?;
        Ok(result)
    })
}

/// The results of all PEs.
pub(crate) fn unwrap_all<R: std::fmt::Debug>(results: Vec<Result<R>>) -> Vec<R> {
    results.into_iter().collect::<Result<_>>().expect("every PE comes to its end")
}
