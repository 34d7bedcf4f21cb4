//! Checks the place of an output, and asks the oracle about the output.
use wb_task::{Input, Output, Place, Problem, Task, Verdict};
use wb_world::Rooted;

/// The verdict of the oracle on the output here; `None` where no output exists and none is expected.
pub(crate) fn check_output<T: Task>(
    input: &Input<T>,
    output: &Rooted<Output<T>>,
    is_home: bool,
) -> Option<Verdict> {
    match output {
        Rooted::Here(output) if is_output_expected::<T>(is_home) => Some(T::Problem::check(input, output)),
        _ => misplaced::<T>(output.is_here(), is_home),
    }
}

/// Whether an output is expected on this rank.
pub(crate) fn is_output_expected<T: Task>(is_home: bool) -> bool {
    T::OUTPUT == Place::Everywhere || is_home
}

/// The error in the place of an output, independent of its value.
pub(crate) fn misplaced<T: Task>(is_here: bool, is_home: bool) -> Option<Verdict> {
    match (is_here, is_output_expected::<T>(is_home)) {
        (true, false) => Some(Verdict::Wrong("this rank has an output and should have none".into())),
        (false, true) => Some(Verdict::Wrong("this rank has no output and should have one".into())),
        _ => None,
    }
}
