//! A functional test on every backend that this program is linked with.
use wb_functional::Functional;
use wb_task::Task;

/// Starts a functional test of `task`; [`Functional`] documents its checks and options.
///
/// ```no_run
/// # use workbench::{Input, Result, Rooted, Verdict, World, Workload, Invalid, Place, Problem, Task};
/// # struct Sum; struct Mpi; struct Seq;
/// # impl Problem for Sum {
/// #     type Input = Vec<i64>; type Output = i64;
/// #     fn workload(_: &Workload) -> Option<Vec<i64>> { None }
/// #     fn check(input: &Vec<i64>, sum: &i64) -> Verdict { Verdict::same(&[*sum], &[input.iter().sum()]) }
/// # }
/// # macro_rules! solve { ($name:ident) => { impl Task for $name {
/// #     type Problem = Sum; type Prepared = i64; type Raw = i64;
/// #     const OUTPUT: Place = Place::Home;
/// #     fn validation(&self, _: &Vec<i64>, _: usize) -> std::result::Result<(), Invalid> { Ok(()) }
/// #     fn preprocessing(&self, _: &World, input: Rooted<Vec<i64>>) -> Result<i64> { Ok(input.here().map_or(0, |v| v.iter().sum())) }
/// #     fn run(&self, _: &World, sum: &i64) -> Result<i64> { Ok(*sum) }
/// #     fn postprocessing(&self, world: &World, sum: i64) -> Result<Rooted<i64>> { Ok(Rooted::on(world.rank() == 0, || sum)) }
/// # } } }
/// # solve!(Mpi); solve!(Seq);
/// # fn inside_a_test() {
/// workbench::functional(Mpi)
///     .against(Seq)
///     .ranks(1..=4)
///     .check(|ranks| [vec![], vec![7], (0..ranks as i64 + 1).collect()]);
/// # }
/// ```
pub fn functional<T: Task>(task: T) -> Functional<T> {
    Functional::new(crate::backends(), task)
}
