//! The problem: collect a part of each rank in one vector.
use workbench::{Problem, Rank, TypedVec, Verdict, Workload};

/// The input: a vector for each rank. It is on rank `root` only; in `preprocessing` each rank gets its part.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// The part of each rank, in rank order; all of one type and length.
    pub parts: Vec<TypedVec>,
    /// The root; an `int`, as in MPI, so it can be invalid as in MPI.
    pub root: i32,
}

impl Parts {
    /// The part of rank 0, of whose type and length are all others; `None` when there is no part.
    pub fn first(&self) -> Option<&TypedVec> {
        self.parts.first()
    }

    /// Whether all parts have the same type and length.
    pub fn are_alike(&self) -> bool {
        let kind = |part: &TypedVec| (part.type_name(), part.count());
        self.parts.windows(2).all(|pair| kind(&pair[0]) == kind(&pair[1]))
    }
}

/// The problem. The output is one vector on rank `root`: the parts one after the other.
pub struct Gathering;

impl Problem for Gathering {
    type Input = Parts;
    type Output = TypedVec;

    /// The root; rank 0 when the root does not exist, where the validation rejects the input.
    fn home(input: &Parts, ranks: usize) -> Rank {
        usize::try_from(input.root).ok().filter(|&root| root < ranks).unwrap_or(0)
    }

    /// Numbers of type `"int"`, `"float"` or `"double"` for rank 0: `size` in all, or a few more where the number of
    /// ranks does not divide `size`.
    fn workload(request: &Workload) -> Option<Parts> {
        let count = request.size.div_ceil(request.ranks);
        let all = TypedVec::random(&request.name, count * request.ranks, request.seed)?;
        let part = |rank| all.slice(rank * count..(rank + 1) * count);
        Some(Parts { parts: (0..request.ranks).map(part).collect(), root: 0 })
    }

    /// Each part must be in the output bit by bit, at the position of its rank.
    fn check(input: &Parts, output: &TypedVec) -> Verdict {
        let count = input.first().map_or(0, TypedVec::count);
        let expected = count * input.parts.len();
        if output.count() != expected {
            return Verdict::Wrong(format!("{} elements, expected {expected}", output.count()));
        }
        let wrong = (0..input.parts.len()).find_map(|rank| {
            match output.slice(rank * count..(rank + 1) * count).same_bits(&input.parts[rank]) {
                Verdict::Right => None,
                _ => Some(format!("the part of rank {rank} is not at element {}", rank * count)),
            }
        });
        wrong.map_or(Verdict::Right, Verdict::Wrong)
    }
}
