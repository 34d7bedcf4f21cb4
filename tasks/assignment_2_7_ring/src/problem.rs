//! The problem: send a vector from one rank to another over a ring, in which each rank sends to the next one only.
use serde::{Deserialize, Serialize};
use workbench::{Problem, Rank, Verdict, Workload, noise};

/// The input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Letter {
    /// The vector.
    pub data: Vec<f64>,
    /// The rank that has the input.
    pub from: i32,
    /// The rank that the vector is for. Where it is `from`, the vector goes once around the ring.
    pub to: i32,
    /// The number of ranks of the ring.
    pub ranks: usize,
}

/// The output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Delivery {
    /// The vector as rank `to` received it.
    pub data: Vec<f64>,
    /// The ranks that the vector was on, from `from` to `to`, both included.
    pub route: Vec<i32>,
}

/// Right when both vectors are the same bit by bit.
pub(crate) fn same_bits(got: &[f64], expected: &[f64]) -> Verdict {
    Verdict::each(got, expected, |got, expected| got.to_bits() == expected.to_bits())
}

/// The problem. Input and output are on rank `from` only: rank `to` sends the delivery on around the ring.
pub struct Ring;

impl Problem for Ring {
    type Input = Letter;
    type Output = Delivery;

    /// The sender; rank 0 when it does not exist, where the validation rejects the input.
    fn home(input: &Letter, ranks: usize) -> Rank {
        usize::try_from(input.from).ok().filter(|&from| from < ranks).unwrap_or(0)
    }

    /// `"around"`: `size` numbers once around the ring, from rank 0 to rank 0.
    fn workload(request: &Workload) -> Option<Letter> {
        let data = noise::reals(request.seed).take(request.size).collect();
        (request.name == "around").then_some(Letter { data, from: 0, to: 0, ranks: request.ranks })
    }

    /// The vector must be the same bit by bit, and each rank of the route the one behind the rank before it.
    fn check(input: &Letter, Delivery { data, route }: &Delivery) -> Verdict {
        let same = same_bits(data, &input.data);
        if same != Verdict::Right {
            return same;
        }
        if (route.first(), route.last()) != (Some(&input.from), Some(&input.to)) || route.len() < 2 {
            return Verdict::Wrong(format!(
                "the route {route:?} does not lead from rank {} to rank {} in one step or more",
                input.from, input.to
            ));
        }
        let is_last = |rank: i32| usize::try_from(rank).is_ok_and(|rank| rank + 1 == input.ranks);
        let follows = |pair: &[i32]| pair[1] == if is_last(pair[0]) { 0 } else { pair[0].saturating_add(1) };
        let wrong = route.windows(2).position(|pair| !follows(pair));
        let again = route[1..].iter().enumerate().find(|(at, rank)| route[1..][..*at].contains(rank));
        match (wrong, again) {
            (Some(at), _) => Verdict::Wrong(format!(
                "rank {} of the route is not followed by rank {}",
                route[at],
                route[at + 1]
            )),
            (None, Some((_, rank))) => Verdict::Wrong(format!("the route leads to rank {rank} twice")),
            (None, None) => Verdict::Right,
        }
    }

    /// The vector passes every rank: to the receiver, and from there on to the sender.
    fn least_sent_bytes(input: &Letter, _: &Delivery, ranks: usize) -> Vec<u64> {
        vec![size_of_val(&*input.data) as u64; ranks]
    }
}
