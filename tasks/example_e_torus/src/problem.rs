//! The problem: send a vector from one rank to another over a torus.
use workbench::{Problem, Rank, Verdict, Workload, noise};

use crate::torus::Torus;

/// The input. It is on rank `from` only.
#[derive(Clone, Debug, PartialEq)]
pub struct Letter {
    /// The vector.
    pub data: Vec<f64>,
    /// The rank that has the input.
    pub from: i32,
    /// The rank that the vector is for.
    pub to: i32,
    /// The number of ranks of the torus.
    pub ranks: usize,
}

impl Letter {
    /// Whether both ranks exist.
    pub fn has_ranks(&self) -> bool {
        [self.from, self.to].iter().all(|rank| usize::try_from(*rank).is_ok_and(|rank| rank < self.ranks))
    }
}

/// The output. It is on rank `from`: rank `to` sends it back over the torus.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivery {
    /// The vector as rank `to` received it.
    pub data: Vec<f64>,
    /// The ranks that the vector was on, from `from` to `to`, both included.
    pub route: Vec<i32>,
}

/// The problem.
pub struct Routing;

impl Problem for Routing {
    type Input = Letter;
    type Output = Delivery;

    /// Another shortest route is right, too.
    const ONE_ANSWER: bool = false;

    /// The sender; rank 0 when it does not exist, where the validation rejects the input.
    fn home(input: &Letter, ranks: usize) -> Rank {
        usize::try_from(input.from).ok().filter(|&from| from < ranks).unwrap_or(0)
    }

    /// `"opposite"`: `size` numbers from rank 0 to the rank that is farthest from it.
    fn workload(request: &Workload) -> Option<Letter> {
        let data = noise::reals(request.seed).take(request.size).collect();
        let to = i32::try_from(Torus::of(request.ranks).opposite(0)).ok()?;
        (request.name == "opposite").then_some(Letter { data, from: 0, to, ranks: request.ranks })
    }

    /// The vector must be the same bit by bit. The route must go from neighbour to neighbour, and be a shortest one.
    fn check(input: &Letter, Delivery { data, route }: &Delivery) -> Verdict {
        let same = Verdict::each(data, &input.data, |got, expected| got.to_bits() == expected.to_bits());
        if same != Verdict::Right {
            return same;
        }
        if (route.first(), route.last()) != (Some(&input.from), Some(&input.to)) {
            return Verdict::Wrong(format!(
                "the route {route:?} does not lead from rank {} to rank {}",
                input.from, input.to
            ));
        }
        let torus = Torus::of(input.ranks);
        let ranks: Vec<Rank> = route.iter().filter_map(|rank| usize::try_from(*rank).ok()).collect();
        if ranks.len() != route.len() || ranks.iter().any(|rank| *rank >= input.ranks) {
            return Verdict::Wrong(format!("the route {route:?} has a rank that does not exist"));
        }
        if let Some(pair) = ranks.windows(2).find(|pair| torus.distance(pair[0], pair[1]) != 1) {
            return Verdict::Wrong(format!("ranks {} and {} are no neighbours", pair[0], pair[1]));
        }
        let shortest = torus.distance(ranks[0], ranks[ranks.len() - 1]);
        Verdict::of(ranks.len() == shortest + 1, || {
            format!("the route has {} links, a shortest one has {shortest}", ranks.len() - 1)
        })
    }

    /// The vector passes every rank of the route, there or back.
    fn least_sent_bytes(input: &Letter, Delivery { route, .. }: &Delivery, ranks: usize) -> Vec<u64> {
        let bytes = size_of_val(&*input.data) as u64;
        let passes = |rank: usize| route.len() > 1 && route.contains(&(rank as i32));
        (0..ranks).map(|rank| if passes(rank) { bytes } else { 0 }).collect()
    }
}
