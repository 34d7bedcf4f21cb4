//! The graded inputs: the three types, lengths around the number of ranks, and every kind of root.
use workbench::{Assignment, AssignmentId, GradedInput, TypedVec, Verdict};

use crate::{
    problem::{Broadcasting, Sent},
    reference::Reference,
};

impl Assignment for Broadcasting {
    const ID: AssignmentId = workbench::assignment_id!();

    const GRADED_RANKS: &'static [usize] = &[1, 2, 3, 4, 5, 8];

    type Reference = Reference;

    fn graded_inputs(ranks: usize, seed: u64) -> Vec<GradedInput<Sent>> {
        let (last, drawn) = (ranks - 1, seed as usize % ranks);
        let random = |name: &str, count| TypedVec::random(name, count, seed).expect("one of the three types");
        let special = [0.0, -0.0, f64::MIN_POSITIVE, f64::MAX, f64::MIN, 5e-324];
        let cases = [
            ("one int from rank 0", random("int", 1), 0),
            ("one int from the last rank", random("int", 1), last),
            ("extreme ints", TypedVec::Int(vec![i32::MAX, i32::MIN, 0, -1]), drawn),
            ("no floats", TypedVec::Float(vec![]), last),
            ("no doubles from rank 0", TypedVec::Double(vec![]), 0),
            ("floats, fewer than ranks", random("float", ranks.max(2) - 1), drawn),
            ("special floats", TypedVec::Float(vec![-0.0, f32::MAX, f32::MIN_POSITIVE, 1e-45]), last),
            ("special doubles", TypedVec::Double(special.to_vec()), drawn),
            ("ints, no divisor of the number of ranks", random("int", 1009), drawn),
            ("floats from rank 0", random("float", 500), 0),
            // Too long for the eager protocol: every sender waits for its receiver.
            ("doubles that do not fit into an eager message", random("double", 5000), last),
        ];
        let every_root =
            (0..ranks).map(|root| (format!("doubles from rank {root}"), random("double", 3), root));
        let cases = cases.into_iter().map(|(name, data, root)| (name.to_owned(), data, root));
        let sent = |(name, data, root)| GradedInput::new(name, Sent { data, root: root as i32 });
        cases.chain(every_root).map(sent).collect()
    }

    fn refused_inputs(ranks: usize) -> Vec<GradedInput<Sent>> {
        let case = |name: &str, root| GradedInput::new(name, Sent { data: TypedVec::Int(vec![1]), root });
        vec![
            case("a negative root", -1),
            case("the smallest root", i32::MIN),
            case("a root one above the last rank", ranks as i32),
            case("a root far above the last rank", ranks as i32 + 100),
        ]
    }

    /// Nothing is computed, so there is no tolerance.
    fn compare(output: &TypedVec, expected: &TypedVec) -> Verdict {
        output.same_bits(expected)
    }
}
