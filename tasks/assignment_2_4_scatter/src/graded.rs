//! The graded inputs: the three types, parts of every kind of length, and every kind of root.
use workbench::{Assignment, AssignmentId, GradedInput, TypedVec, Verdict};

use crate::{
    problem::{Scattering, Whole},
    reference::Reference,
};

impl Assignment for Scattering {
    const ID: AssignmentId = workbench::assignment_id!();

    const GRADED_RANKS: &'static [usize] = &[1, 2, 3, 4, 5, 8];

    type Reference = Reference;

    fn graded_inputs(ranks: usize, seed: u64) -> Vec<GradedInput<Whole>> {
        let (last, drawn) = (ranks - 1, seed as usize % ranks);
        let random = |name: &str, each: usize| {
            TypedVec::random(name, each * ranks, seed).expect("one of the three types")
        };
        let special = [-0.0, f64::MAX, f64::MIN_POSITIVE, 5e-324].repeat(ranks);
        let cases = [
            ("no elements from the last rank", TypedVec::Int(vec![]), last),
            ("one int for each rank", random("int", 1), 0),
            ("one int for each rank, from the last one", random("int", 1), last),
            ("seven floats for each rank", random("float", 7), drawn),
            ("special doubles", TypedVec::Double(special), drawn),
            ("a hundred doubles for each rank", random("double", 100), 0),
            // Too long for the eager protocol: every sender waits for its receiver.
            ("parts that do not fit into an eager message", random("double", 2000), last),
        ];
        let every_root =
            (0..ranks).map(|root| (format!("three floats each from rank {root}"), random("float", 3), root));
        let cases = cases.into_iter().map(|(name, data, root)| (name.to_owned(), data, root));
        cases
            .chain(every_root)
            .map(|(name, data, root)| GradedInput::new(name, Whole { data, parts: ranks, root: root as i32 }))
            .collect()
    }

    fn refused_inputs(ranks: usize) -> Vec<GradedInput<Whole>> {
        let case = |name: &str, count, parts, root| {
            GradedInput::new(name, Whole { data: TypedVec::Int(vec![1; count]), parts, root })
        };
        let mut refused = vec![
            case("a negative root", ranks, ranks, -1),
            case("a root one above the last rank", ranks, ranks, ranks as i32),
            case("more parts than ranks", 2 * (ranks + 1), ranks + 1, 0),
            case("no parts", ranks, 0, 0),
        ];
        // One rank gets any number of elements.
        if ranks > 1 {
            refused.push(case("a length that the number of ranks does not divide", ranks + 1, ranks, 0));
        }
        refused
    }

    /// Nothing is computed, so there is no tolerance.
    fn compare(output: &Vec<TypedVec>, expected: &Vec<TypedVec>) -> Verdict {
        if output.len() != expected.len() {
            return Verdict::Wrong(format!("{} part(s), expected {}", output.len(), expected.len()));
        }
        let verdicts = output.iter().zip(expected).map(|(got, expected)| got.same_bits(expected));
        verdicts.into_iter().find(|verdict| *verdict != Verdict::Right).unwrap_or(Verdict::Right)
    }
}
