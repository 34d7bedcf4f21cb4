//! The graded inputs: every pair of ranks, and vectors of all lengths.
use workbench::{Assignment, AssignmentId, GradedInput, Verdict, noise};

use crate::{
    problem::{Delivery, Letter, Ring, same_bits},
    reference::Reference,
};

impl Assignment for Ring {
    const ID: AssignmentId = workbench::assignment_id!();

    const GRADED_RANKS: &'static [usize] = &[1, 2, 3, 4, 5];

    type Reference = Reference;

    fn graded_inputs(ranks: usize, seed: u64) -> Vec<GradedInput<Letter>> {
        let random = |count| noise::reals(seed).take(count).collect::<Vec<_>>();
        let letter = |name: String, data, from: usize, to: usize| {
            GradedInput::new(name, Letter { data, from: from as i32, to: to as i32, ranks })
        };
        let (last, drawn) = (ranks - 1, seed as usize % ranks);
        let pairs = (0..ranks).flat_map(|from| (0..ranks).map(move |to| (from, to)));
        let mut inputs: Vec<_> = pairs
            .map(|(from, to)| letter(format!("from rank {from} to rank {to}"), random(3), from, to))
            .collect();
        inputs.extend([
            letter("no numbers".into(), vec![], drawn, last),
            letter("special numbers".into(), vec![-0.0, f64::MAX, f64::MIN_POSITIVE, 5e-324], last, 0),
            // Too long for the eager protocol: every sender waits for its receiver.
            letter("numbers that do not fit into an eager message".into(), random(5000), drawn, drawn),
        ]);
        inputs
    }

    fn refused_inputs(ranks: usize) -> Vec<GradedInput<Letter>> {
        let case =
            |name: &str, from, to, ranks| GradedInput::new(name, Letter { data: vec![1.0], from, to, ranks });
        let beyond = ranks as i32;
        vec![
            case("a negative sender", -1, 0, ranks),
            case("a negative receiver", 0, -1, ranks),
            case("a sender one above the last rank", beyond, 0, ranks),
            case("a receiver one above the last rank", 0, beyond, ranks),
            case("a ring of another size", 0, 0, ranks + 1),
        ]
    }

    /// Nothing is computed, so there is no tolerance.
    fn compare(output: &Delivery, expected: &Delivery) -> Verdict {
        match same_bits(&output.data, &expected.data) {
            Verdict::Right => Verdict::equal(&output.route, &expected.route),
            different => different,
        }
    }
}
