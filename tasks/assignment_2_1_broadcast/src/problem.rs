//! The problem: one rank has a vector, and every rank needs it.
use serde::{Deserialize, Serialize};
use workbench::{Problem, Rank, TypedVec, Verdict, Workload};

/// The input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sent {
    /// The vector.
    pub data: TypedVec,
    /// The root; an `int`, as in MPI, so it can be invalid as in MPI.
    pub root: i32,
}

/// The problem. The input is on rank `root` only; the output is on every rank.
pub struct Broadcasting;

impl Problem for Broadcasting {
    type Input = Sent;
    type Output = TypedVec;

    /// The root; rank 0 when the root does not exist, where the validation rejects the input.
    fn home(input: &Sent, ranks: usize) -> Rank {
        usize::try_from(input.root).ok().filter(|&root| root < ranks).unwrap_or(0)
    }

    /// `size` numbers of type `"int"`, `"float"` or `"double"`, positive and negative, with root 0.
    fn workload(request: &Workload) -> Option<Sent> {
        Some(Sent { data: TypedVec::random(&request.name, request.size, request.seed)?, root: 0 })
    }

    /// A broadcast computes nothing, so the output must be bitwise equal to the input.
    fn check(input: &Sent, output: &TypedVec) -> Verdict {
        output.same_bits(&input.data)
    }
}
