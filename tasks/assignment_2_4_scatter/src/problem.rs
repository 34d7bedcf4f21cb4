//! The problem: cut a vector into equal parts, one for each rank.
use serde::{Deserialize, Serialize};
use workbench::{Problem, Rank, TypedVec, Verdict, Workload};

/// The input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Whole {
    /// The vector; its length is a multiple of the number of ranks.
    pub data: TypedVec,
    /// The number of parts, where it is fixed: that of the ranks.
    pub parts: Option<usize>,
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

    /// `size` numbers of type `"int"`, `"float"` or `"double"`, from rank 0 to each rank.
    fn workload(request: &Workload) -> Option<Whole> {
        Some(Whole {
            data: TypedVec::random(&request.name, request.size, request.seed)?,
            parts: None,
            root: 0,
        })
    }

    /// Part r of P consists of the elements from r n / P to (r + 1) n / P, bit by bit.
    fn check(input: &Whole, output: &Vec<TypedVec>) -> Verdict {
        let (count, parts) = (input.data.count(), output.len());
        if parts == 0 || input.parts.is_some_and(|expected| expected != parts) {
            let expected =
                input.parts.map_or_else(|| "one for each rank".to_owned(), |parts| parts.to_string());
            return Verdict::Wrong(format!("the output has {parts} part(s), expected {expected}"));
        }
        if !count.is_multiple_of(parts) {
            return Verdict::Wrong(format!(
                "{parts} parts cannot have the same length, {count} elements are given"
            ));
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
