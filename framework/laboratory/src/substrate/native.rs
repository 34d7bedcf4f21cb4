//! Barriers that exist on one substrate only: those of the MPI library, of threads, of the control network, and of an OpenSHMEM library.
use std::{
    sync::{
        Barrier as StdBarrier, Mutex, OnceLock,
        atomic::{AtomicBool, AtomicI64},
    },
    time::Duration,
};

use wb_algorithms::collectives::Algorithms;
use wb_comm::{Barrier, Collectives, Error, Result, Transport, text};
use wb_control::HostedBarrier;
use wb_record::BarrierForm;
use wb_shmem::{
    ascend::{AscendMachine, Npu, StreamBarrier},
    oshmem::{BarrierAll, ShmemLibrary, SyncAll},
};

use super::{BuiltForm, no_form, one_host};
use crate::{
    bench::{BarrierBench, site},
    visit::ErasedBarrier,
};

/// The MPI library's own barriers.
pub(super) fn build_mpi<'g>(form: &BarrierForm, bench: &BarrierBench<'g>) -> BuiltForm<'g> {
    let library = || {
        let backend = bench.transport.backend();
        let none = || Error::Setup(text::barrier::not_in_backend(&form.variant, backend));
        bench.duplicate()?.native_collectives().ok_or_else(none)
    };
    match form.variant.as_str() {
        "mpi_barrier" => Ok(Box::new(Blocking(library()?))),
        "mpi_ibarrier" => Ok(Box::new(NonBlocking(library()?))),
        _ => Err(no_form(form)),
    }
}

/// `MPI_Barrier`.
struct Blocking<'g>(&'g dyn Collectives);

impl Barrier for Blocking<'_> {
    #[inline]
    fn wait(&mut self) -> Result<()> {
        self.0.barrier(site())
    }
}

/// `MPI_Ibarrier` and `MPI_Wait`.
struct NonBlocking<'g>(&'g dyn Collectives);

impl Barrier for NonBlocking<'_> {
    #[inline]
    fn wait(&mut self) -> Result<()> {
        self.0.ibarrier_and_wait(site())
    }
}

/// The barriers of threads of one process: Rust's own barrier, and the host's barrier on a stream that other threads serve.
pub(super) fn build_std<'g>(form: &BarrierForm, bench: &BarrierBench<'g>) -> BuiltForm<'g> {
    match form.variant.as_str() {
        "host_stream" => Ok(Box::new(on_stream(bench)?)),
        "std_barrier" => Ok(Box::new(StdThreadBarrier(shared_barrier(bench.group.size)))),
        _ => Err(no_form(form)),
    }
}

/// The barrier of this process's threads; a process is one job of one size.
fn shared_barrier(size: usize) -> &'static StdBarrier {
    static SHARED: OnceLock<StdBarrier> = OnceLock::new();
    SHARED.get_or_init(|| StdBarrier::new(size))
}

/// Every rank is the host of a PE with one core.
fn on_stream(bench: &BarrierBench<'_>) -> Result<StreamBarrier> {
    static STOP: AtomicBool = AtomicBool::new(false);
    let (machine, pe) = (AscendMachine::new(bench.group.size, 1), bench.transport.rank());
    let between = inter_pe_memory(&machine, pe);
    let npu = Npu::new(machine, pe, between, &STOP).and_then(StreamBarrier::new);
    npu.map_err(|error| Error::Setup(error.text()))
}

/// Memory between the PEs. Each barrier gets new memory, because the old memory holds the counts of the last barrier.
fn inter_pe_memory(machine: &AscendMachine, pe: usize) -> &'static [AtomicI64] {
    static ALL: Mutex<Vec<&'static [AtomicI64]>> = Mutex::new(vec![]);
    static BUILT: Mutex<Vec<usize>> = Mutex::new(vec![]);
    let mut built = BUILT.lock().expect("no holder of the lock panics");
    built.resize(machine.pes, 0);
    built[pe] += 1;
    let mut all = ALL.lock().expect("no holder of the lock panics");
    if all.len() < built[pe] {
        all.push((0..Npu::required(machine)).map(|_| AtomicI64::new(0)).collect::<Vec<_>>().leak());
    }
    all[built[pe] - 1]
}

/// `std::sync::Barrier`.
struct StdThreadBarrier(&'static StdBarrier);

impl Barrier for StdThreadBarrier {
    #[inline]
    fn wait(&mut self) -> Result<()> {
        self.0.wait();
        Ok(())
    }
}

/// How long a member waits in a barrier of the control network; shorter than the laboratory's own limit, so that it can name the
/// missing member.
const WAIT_TIMEOUT: Duration = Duration::from_secs(4);

/// The control network: a key-value store that rank 0 serves over TCP.
pub(super) fn build_tcp<'g>(form: &BarrierForm, bench: &BarrierBench<'g>) -> BuiltForm<'g> {
    match form.variant.as_str() {
        "control_kv" => {
            let barrier = HostedBarrier::start(bench.duplicate()?, WAIT_TIMEOUT, site())?;
            Ok(Box::new(AfterRendezvous { barrier, transport: bench.duplicate()? }))
        }
        _ => Err(no_form(form)),
    }
}

/// A barrier over the control network whose visits begin when every rank has left the visit before.
///
/// A rank that waits for the store makes no progress in MPI. Another rank may still need that: to leave the barrier of the visit before,
/// whose message is not sent yet, or whose access to a window of this rank is not served yet. So every visit here begins with a
/// rendezvous over messages.
struct AfterRendezvous<'g> {
    barrier: HostedBarrier,
    transport: &'g dyn Transport,
}

/// The second one begins when the connections of the first one are open, so no message of it waits for a rank's progress.
const RENDEZVOUS: usize = 2;

impl ErasedBarrier for AfterRendezvous<'_> {
    fn batch(&mut self, episodes: u64) -> Result<(u64, u64)> {
        (0..RENDEZVOUS).try_for_each(|_| Algorithms(self.transport).barrier(site()))?;
        self.barrier.batch(episodes)
    }

    fn record_episodes(&mut self, stamps: &mut Vec<(u64, u64)>) -> Result<()> {
        self.barrier.record_episodes(stamps)
    }
}

/// The barriers of an OpenSHMEM library, in the same job as MPI's; on Open MPI both belong to one installation.
///
/// The first form that needs the library starts it, after all other forms are built. A job with it starts without
/// address space randomisation and ends without exit handlers, since this library crashes otherwise.
pub(super) fn build_shmem<'g>(form: &BarrierForm, bench: &BarrierBench<'g>) -> BuiltForm<'g> {
    one_host(bench)?;
    let shmem = ShmemLibrary::shared()?;
    let (pe, size) = (shmem.pe(), shmem.size());
    if (pe, size) != (bench.rank(), bench.group.size) {
        return Err(Error::Setup(text::shmem::other_ranks(pe, size, bench.rank(), bench.group.size)));
    }
    match form.variant.as_str() {
        "shmem_barrier_all" => Ok(Box::new(BarrierAll(shmem))),
        "shmem_sync_all" => Ok(Box::new(SyncAll(shmem))),
        _ => Err(no_form(form)),
    }
}
