//! Runs ranks as threads, to try a function alone: without MPI, harness or task.
use wb_world::World;

/// Runs `program` on `size` ranks that are threads of this process, and returns their results by rank.
///
/// ```
/// let sums = workbench::threads(3, |world| {
///     let mut sum = [0];
///     world.allreduce(&[world.rank()], &mut sum, workbench::Operation::Sum).expect("all ranks take part");
///     sum[0]
/// });
/// assert_eq!(sums, [3, 3, 3]);
/// ```
///
/// # Panics
/// When a rank panics, with its text.
pub fn threads<R: Send + 'static>(
    size: usize,
    program: impl Fn(&World) -> R + Send + Sync + 'static,
) -> Vec<R> {
    wb_local::threads::run(size, move |transport| program(&World::new(transport)))
}
