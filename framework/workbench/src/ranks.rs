//! Runs a program without harness and task: on the launcher's ranks if there is a launcher, otherwise on threads.
use wb_world::World;

/// Runs `program` on every rank of the job in which a launcher (`mpirun`) has started this process; without a launcher,
/// on `size` ranks that are threads of this process.
///
/// ```
/// workbench::ranks(3, |world| world.barrier().expect("all ranks take part"));
/// ```
///
/// # Panics
/// When a rank panics; when the job cannot be joined.
pub fn ranks(size: usize, program: impl Fn(&World) + Send + Sync + 'static) {
    let launched = wb_process::launcher_rank().and_then(|_| crate::backends().processes);
    let Some(processes) = launched else {
        crate::threads(size, program);
        return;
    };
    let abort_on_panic = AbortOnPanic(processes);
    let handle = processes.init().expect("a seat in the launcher's job");
    if let Some(transport) = handle.open_communicator(handle.size()).expect("a communicator of all ranks") {
        program(&World::new(transport));
    }
    handle.free_communicators().expect("all communicators are given up");
    drop(abort_on_panic);
}

/// A rank that panics must not wait for the others at the end, because they may wait for it.
struct AbortOnPanic(&'static dyn wb_comm::ProcessRanks);

impl Drop for AbortOnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.skip_finalize();
        }
    }
}
