//! The graded inputs: the three types and operations, vectors around the number of ranks, and every kind of root.
use workbench::{Assignment, AssignmentId, GradedInput, Tolerance, TypedVec, Verdict};

use crate::{
    problem::{Combine, Operands, Reducing},
    reference::Reference,
};

impl Assignment for Reducing {
    const ID: AssignmentId = workbench::assignment_id!();

    const GRADED_RANKS: &'static [usize] = &[1, 2, 3, 4, 5, 8];

    type Reference = Reference;

    fn graded_inputs(ranks: usize, seed: u64) -> Vec<GradedInput<Operands>> {
        use Combine::{Maximum, Minimum, Sum};
        let (last, drawn) = (ranks - 1, seed as usize % ranks);
        let random = |name: &str, vectors: usize, count| -> Vec<TypedVec> {
            let vector =
                |i| TypedVec::random(name, count, seed.wrapping_add(i)).expect("one of the three types");
            (0..vectors as u64).map(vector).collect()
        };
        let extreme = vec![TypedVec::Int(vec![i32::MAX, -1]), TypedVec::Int(vec![i32::MIN, i32::MAX])];
        let cancelling = vec![TypedVec::Double(vec![1e9, 0.5]), TypedVec::Double(vec![-1e9, 0.25])];
        let cases = [
            ("a vector for each rank, sum of ints to rank 0", random("int", ranks, 7), Sum, 0),
            ("a vector for each rank, sum of floats to the last rank", random("float", ranks, 7), Sum, last),
            ("a vector for each rank, sum of doubles", random("double", ranks, 1009), Sum, drawn),
            ("minima of ints", random("int", ranks, 5), Minimum, last),
            ("maxima of floats", random("float", ranks, 5), Maximum, 0),
            ("minima of doubles", random("double", ranks, 5), Minimum, drawn),
            ("one vector", random("int", 1, 3), Sum, last),
            ("fewer vectors than ranks", random("double", ranks.max(2) - 1, 3), Maximum, drawn),
            ("more vectors than ranks", random("int", 2 * ranks + 1, 3), Sum, drawn),
            ("empty vectors", random("double", ranks, 0), Sum, last),
            ("extreme ints", extreme, Maximum, drawn),
            ("sums that cancel", cancelling, Sum, 0),
            // Too long for the eager protocol: every sender waits for its receiver.
            ("vectors that do not fit into an eager message", random("double", ranks, 5000), Sum, last),
        ];
        let every_root =
            (0..ranks).map(|root| (format!("sums to rank {root}"), random("int", ranks, 2), Sum, root));
        let cases =
            cases.into_iter().map(|(name, vectors, combine, root)| (name.to_owned(), vectors, combine, root));
        cases
            .chain(every_root)
            .map(|(name, vectors, combine, root)| {
                GradedInput::new(name, Operands { vectors, combine, root: root as i32 })
            })
            .collect()
    }

    fn refused_inputs(ranks: usize) -> Vec<GradedInput<Operands>> {
        let case = |name: &str, vectors: &[TypedVec], root| {
            GradedInput::new(name, Operands { vectors: vectors.to_vec(), combine: Combine::Sum, root })
        };
        let one = TypedVec::Int(vec![1]);
        vec![
            case("a negative root", std::slice::from_ref(&one), -1),
            case("a root one above the last rank", std::slice::from_ref(&one), ranks as i32),
            case("no vector", &[], 0),
            case("vectors of different lengths", &[one.clone(), TypedVec::Int(vec![1, 2])], 0),
            case("vectors of different types", &[one, TypedVec::Float(vec![1.0])], 0),
        ]
    }

    /// The ranks may add in another order than the reference.
    fn compare(output: &TypedVec, expected: &TypedVec) -> Verdict {
        match (output, expected) {
            (TypedVec::Float(got), TypedVec::Float(expected)) => {
                Verdict::close(got, expected, Tolerance { absolute: 1e-2, relative: 1e-5 })
            }
            (TypedVec::Double(got), TypedVec::Double(expected)) => {
                Verdict::close(got, expected, Tolerance { absolute: 1e-9, relative: 1e-12 })
            }
            (got, expected) => got.same_bits(expected),
        }
    }
}
