//! The data of a pass: its input, a new one for every repetition and the same ones for every version; the reason why it has no output;
//! and the oracle's verdict on the output and its place.
use std::fmt::{self, Write as _};

use wb_comm::{Text, text::stage};
use wb_task::{Failure, Input, Output, Place, Problem, Task, Verdict, Workload};
use wb_world::Rooted;

use crate::job::WorkloadRequest;

/// The seeds of the inputs of a launch: the same for every version and on every rank.
pub(crate) struct InputSeeds(oorandom::Rand64);

impl InputSeeds {
    pub(crate) fn new(seed: u64) -> Self {
        Self(oorandom::Rand64::new(u128::from(seed)))
    }

    /// The next seed. A problem may add to its seed, so the two upper bits are zero.
    pub(crate) fn next(&mut self) -> u64 {
        self.0.rand_u64() >> 2
    }
}

/// The number of compared bytes of two inputs.
const COMPARED_BYTES: usize = 1 << 16;

/// Whether two inputs differ in the first part of their `Debug` texts.
pub(crate) fn are_different(one: &impl fmt::Debug, other: &impl fmt::Debug) -> bool {
    debug_prefix(one) != debug_prefix(other)
}

/// The first part of a value's `Debug` text.
fn debug_prefix(value: &impl fmt::Debug) -> String {
    struct Bounded(String);
    impl fmt::Write for Bounded {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.push_str(text);
            // The error stops the formatting, so that a large input is not formatted completely.
            if self.0.len() < COMPARED_BYTES { Ok(()) } else { Err(fmt::Error) }
        }
    }
    let mut bounded = Bounded(String::new());
    let _ = write!(bounded, "{value:?}");
    bounded.0
}

/// The reason why a workload could not be measured.
#[derive(Debug)]
pub(crate) enum MeasureError {
    /// A stage failed.
    Task(Failure),
    /// The harness's own communication failed, usually because another rank failed.
    Communication(wb_comm::Error),
    /// The problem has no such workload.
    NoWorkload(String),
}

impl MeasureError {
    /// The reason as a text value that is rendered where it is shown.
    pub(crate) fn text(&self) -> Text {
        match self {
            Self::Task(failure) => failure.text(),
            Self::Communication(error) => error.text(),
            Self::NoWorkload(name) => stage::no_workload(name),
        }
    }
}

impl From<Failure> for MeasureError {
    fn from(failure: Failure) -> Self {
        Self::Task(failure)
    }
}

impl From<wb_comm::Error> for MeasureError {
    fn from(error: wb_comm::Error) -> Self {
        Self::Communication(error)
    }
}

/// The input of the requested workload for this number of ranks.
pub(crate) fn input<T: Task>(
    request: &WorkloadRequest,
    seed: u64,
    ranks: usize,
) -> Result<Input<T>, MeasureError> {
    let wanted = Workload { name: request.name.clone(), size: request.size, ranks, seed };
    T::Problem::workload(&wanted).ok_or_else(|| MeasureError::NoWorkload(request.name.clone()))
}

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
    belongs(T::OUTPUT, is_home)
}

/// Whether an output belongs on a rank.
fn belongs(place: Place, is_home: bool) -> bool {
    place == Place::Everywhere || is_home
}

/// The error in the place of an output, independent of its value.
pub(crate) fn misplaced<T: Task>(is_here: bool, is_home: bool) -> Option<Verdict> {
    misplaced_of(T::OUTPUT, is_here, is_home)
}

fn misplaced_of(place: Place, is_here: bool, is_home: bool) -> Option<Verdict> {
    match (is_here, belongs(place, is_home)) {
        (true, false) => Some(Verdict::Wrong("this rank has an output and should have none".into())),
        (false, true) => Some(Verdict::Wrong("this rank has no output and should have one".into())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_inputs_are_told_apart_by_their_beginnings() {
        assert_ne!(debug_prefix(&vec![1, 2, 3]), debug_prefix(&vec![1, 2, 4]));
        assert_eq!(debug_prefix(&vec![1, 2, 3]), debug_prefix(&vec![1, 2, 3]));
        let long = debug_prefix(&vec![7; 1 << 20]);
        assert!((COMPARED_BYTES..COMPARED_BYTES + 16).contains(&long.len()));
    }

    #[test]
    fn the_seeds_of_a_launch_are_its_own_and_leave_room() {
        let seeds = |seed| {
            let mut seeds = InputSeeds::new(seed);
            [(); 100].map(|()| seeds.next())
        };
        assert_eq!(seeds(7), seeds(7));
        let mut all = [seeds(7), seeds(8)].concat();
        assert!(all.iter().all(|&seed| seed < 1 << 62));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 200);
    }

    #[test]
    fn an_output_is_there_where_it_belongs_and_nowhere_else() {
        let found = |place, is_here, is_home| {
            misplaced_of(place, is_here, is_home).map(|verdict| match verdict {
                Verdict::Wrong(reason) => reason.to_string(),
                other => panic!("{other:?}"),
            })
        };
        for (place, is_home) in [(Place::Home, true), (Place::Everywhere, true), (Place::Everywhere, false)] {
            assert_eq!(found(place, true, is_home), None);
            let missing = found(place, false, is_home).expect("an output is missing");
            assert!(missing.contains("has no output"), "{missing}");
        }
        assert_eq!(found(Place::Home, false, false), None);
        let extra = found(Place::Home, true, false).expect("an output too many");
        assert!(extra.contains("has an output"), "{extra}");
    }
}
