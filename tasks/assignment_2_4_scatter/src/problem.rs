//! The problem: cut a vector into equal parts, one for each rank.
use serde::{Deserialize, Serialize};
use workbench::{Problem, Rank, TypedVec, Verdict, Workload};

/// The input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Whole {
    /// The vector; its length is a multiple of the number of parts.
    pub data: TypedVec,
    /// The number of parts: that of the ranks.
    pub parts: usize,
    /// The root; an `int`, as in MPI, so it can be invalid as in MPI.
    pub root: i32,
}

/// The problem. The input is on rank `root` only, and so is the output: the list of the parts that the ranks got.
pub struct Scattering;

impl Problem for Scattering {
    type Input = Whole;
    type Output = Vec<TypedVec>;

    /// The root; rank 0 when the root does not exist, where the validation rejects the input.
    fn home(input: &Whole, ranks: usize) -> Rank {
        usize::try_from(input.root).ok().filter(|&root| root < ranks).unwrap_or(0)
    }

    /// Numbers of type `"int"`, `"float"` or `"double"` from rank 0 to each rank: `size` of them, or a few more where the
    /// number of ranks does not divide `size`.
    fn workload(request: &Workload) -> Option<Whole> {
        let count = request.size.next_multiple_of(request.ranks);
        let data = TypedVec::random(&request.name, count, request.seed)?;
        Some(Whole { data, parts: request.ranks, root: 0 })
    }

    /// Part r of P consists of the elements from r n / P to (r + 1) n / P, bit by bit.
    fn check(input: &Whole, output: &Vec<TypedVec>) -> Verdict {
        let (count, parts) = (input.data.count(), output.len());
        if parts == 0 || parts != input.parts {
            return Verdict::Wrong(format!("the output has {parts} part(s), expected {}", input.parts));
        }
        let part = |rank: usize| rank * (count / parts)..(rank + 1) * (count / parts);
        let wrong = output
            .iter()
            .enumerate()
            .find(|(rank, got)| got.same_bits(&input.data.slice(part(*rank))) != Verdict::Right);
        match wrong {
            None => Verdict::Right,
            Some((rank, got)) => Verdict::Wrong(format!(
                "the part of rank {rank} has {} element(s) of type {} that are not elements {:?} of the input",
                got.count(),
                got.type_name(),
                part(rank)
            )),
        }
    }
}
