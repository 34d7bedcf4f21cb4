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
