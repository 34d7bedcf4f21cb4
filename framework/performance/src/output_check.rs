//! Where an output belongs, and what the oracle says about it.
use wb_task::{Input, Output, Place, Problem, Task, Verdict};
use wb_world::Rooted;

/// What the oracle says of the output here; `None` where there is none and none should be.
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

/// Should this rank have an output?
pub(crate) fn is_output_expected<T: Task>(is_home: bool) -> bool {
    T::OUTPUT == Place::Everywhere || is_home
}

/// What is wrong with the place of an output, whatever it is.
pub(crate) fn misplaced<T: Task>(is_here: bool, is_home: bool) -> Option<Verdict> {
    match (is_here, is_output_expected::<T>(is_home)) {
        (true, false) => Some(Verdict::Wrong("this rank has an output and should have none".into())),
        (false, true) => Some(Verdict::Wrong("this rank has no output and should have one".into())),
        _ => None,
    }
}
