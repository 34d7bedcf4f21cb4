//! The problem: one rank has a vector, and every rank needs it.
use workbench::{Problem, Rank, Verdict, Workload};

/// A vector of one of the three types of the assignment.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// C's `int`.
    Int(Vec<i32>),
    /// C's `float`.
    Float(Vec<f32>),
    /// C's `double`.
    Double(Vec<f64>),
}

/// The input.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The vector.
    pub data: Data,
    /// The root; an `int`, as in MPI, so it can be invalid as in MPI.
    pub root: i32,
}

/// The problem. The input is on rank `root` only; the output is on every rank.
pub struct Broadcasting;

impl Problem for Broadcasting {
    type Input = Input;
    type Output = Data;

    /// The root; rank 0 when the root does not exist, where the validation rejects the input.
    fn home(input: &Input, ranks: usize) -> Rank {
        usize::try_from(input.root).ok().filter(|&root| root < ranks).unwrap_or(0)
    }

    /// `size` numbers of type `"int"`, `"float"` or `"double"`, positive and negative, with root 0.
    fn workload(request: &Workload) -> Option<Input> {
        let numbers = (0..request.size).map(|i| {
            // Knuth's multiplicative hash: neighbouring elements differ, and every seed gives other numbers.
            let mixed = (i as u64 + request.seed).wrapping_mul(2_654_435_761);
            mixed as u32 as i32
        });
        let data = match request.name.as_str() {
            "int" => Data::Int(numbers.collect()),
            "float" => Data::Float(numbers.map(|n| n as f32 / 1024.0).collect()),
            "double" => Data::Double(numbers.map(|n| f64::from(n) / 1024.0).collect()),
            _ => return None,
        };
        Some(Input { data, root: 0 })
    }

    /// A broadcast computes nothing, so the output must be bitwise equal to the input.
    fn check(input: &Input, output: &Data) -> Verdict {
        match (output, &input.data) {
            (Data::Int(got), Data::Int(sent)) => Verdict::same(got, sent),
            (Data::Float(got), Data::Float(sent)) => {
                Verdict::each(got, sent, |g, s| g.to_bits() == s.to_bits())
            }
            (Data::Double(got), Data::Double(sent)) => {
                Verdict::each(got, sent, |g, s| g.to_bits() == s.to_bits())
            }
            (got, sent) => {
                Verdict::Wrong(format!("the type is {}, expected {}", got.type_name(), sent.type_name()))
            }
        }
    }
}

impl Data {
    /// The number of elements.
    pub fn count(&self) -> usize {
        match self {
            Self::Int(numbers) => numbers.len(),
            Self::Float(numbers) => numbers.len(),
            Self::Double(numbers) => numbers.len(),
        }
    }

    /// The name of the type in C.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Double(_) => "double",
        }
    }
}
