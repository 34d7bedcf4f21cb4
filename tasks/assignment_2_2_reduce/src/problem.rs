//! The problem: combine several vectors element by element, on the ranks that have them.
//!
//! The oracle computes sums of `int` in 64 bits, and sums of floating-point numbers in `double` with the bound of the rounding
//! errors of any order: n machine epsilons of the sum of the absolute values.
use serde::{Deserialize, Serialize};
use workbench::{Problem, Rank, TypedVec, Verdict, Workload};

/// How two elements are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Combine {
    /// Their sum.
    Sum,
    /// The smaller one.
    Minimum,
    /// The larger one.
    Maximum,
}

impl Combine {
    /// All of them; one is sent as its index in this list.
    pub const ALL: [Self; 3] = [Self::Sum, Self::Minimum, Self::Maximum];
}

/// The input: vectors of one type and one length, at least one. Rank r gets the vectors r, r + P, r + 2 P, ...
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operands {
    /// The vectors. There may be fewer than ranks, or more.
    pub vectors: Vec<TypedVec>,
    /// How their elements are combined.
    pub combine: Combine,
    /// The root; an `int`, as in MPI, so it can be invalid as in MPI.
    pub root: i32,
}

/// The problem. Input and output are on rank `root` only.
pub struct Reducing;

/// The number of vectors of a measured workload.
const VECTORS: u64 = 4;

impl Problem for Reducing {
    type Input = Operands;
    type Output = TypedVec;

    /// The root; rank 0 when the root does not exist, where the validation rejects the input.
    fn home(input: &Operands, ranks: usize) -> Rank {
        usize::try_from(input.root).ok().filter(|&root| root < ranks).unwrap_or(0)
    }

    /// The sum of vectors of `size` numbers of type `"int"`, `"float"` or `"double"` on rank 0.
    fn workload(request: &Workload) -> Option<Operands> {
        let vector = |i| {
            TypedVec::random(&request.name, request.size, request.seed.wrapping_mul(VECTORS).wrapping_add(i))
        };
        let vectors = (0..VECTORS).map(vector).collect::<Option<Vec<_>>>()?;
        Some(Operands { vectors, combine: Combine::Sum, root: 0 })
    }

    fn check(Operands { vectors, combine, .. }: &Operands, output: &TypedVec) -> Verdict {
        let count = vectors.first().map_or(0, TypedVec::count);
        let types = [Some(output), vectors.first()].map(|vector| vector.map(TypedVec::type_name));
        if types[0] != types[1] || output.count() != count {
            return Verdict::Wrong(format!(
                "{} element(s) of type {}, expected {count} of type {}",
                output.count(),
                output.type_name(),
                types[1].unwrap_or("none")
            ));
        }
        let epsilon = match output {
            TypedVec::Int(_) => 0.0,
            TypedVec::Float(_) => f64::from(f32::EPSILON),
            TypedVec::Double(_) => f64::EPSILON,
        };
        let wrong =
            (0..count).find_map(|at| wrong_element(vectors, *combine, element(output, at), at, epsilon));
        wrong.map_or(Verdict::Right, Verdict::Wrong)
    }
}

/// What is wrong with the element `got` at `at`.
fn wrong_element(
    vectors: &[TypedVec],
    combine: Combine,
    got: f64,
    at: usize,
    epsilon: f64,
) -> Option<String> {
    let terms = || vectors.iter().map(|vector| element(vector, at));
    let (expected, bound) = match combine {
        Combine::Sum => {
            let sizes: f64 = terms().map(f64::abs).sum();
            (terms().sum(), epsilon * vectors.len() as f64 * sizes)
        }
        Combine::Minimum => (terms().fold(f64::INFINITY, f64::min), 0.0),
        Combine::Maximum => (terms().fold(f64::NEG_INFINITY, f64::max), 0.0),
    };
    // The comparison is written so that NaN is wrong, too.
    let is_right = (got - expected).abs() <= bound;
    (!is_right)
        .then(|| format!("element {at} is {got}, expected {expected} with an error of at most {bound:e}"))
}

/// An element as a double, which holds every `int` and every `float`.
fn element(vector: &TypedVec, at: usize) -> f64 {
    match vector {
        TypedVec::Int(numbers) => numbers[at].into(),
        TypedVec::Float(numbers) => numbers[at].into(),
        TypedVec::Double(numbers) => numbers[at],
    }
}
