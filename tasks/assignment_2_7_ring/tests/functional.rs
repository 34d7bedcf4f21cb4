//! The assignment itself: its laws, the outputs that it refuses, and a solution on several ranks.
use assignment_2_7_ring::{Delivery, Letter, Reference, Ring};
use workbench::{
    Invalid, Place, Problem, Result, Rooted, Task, Verdict, World, assignment_laws::check_assignment,
    functional,
};

#[test]
fn keeps_the_laws_and_finds_mistakes() {
    check_assignment::<Ring>(&[
        ("ranks: the direct way", |input, delivery| Delivery {
            route: vec![input.from, input.to],
            ..delivery
        }),
        ("ranks: the other direction", |_, delivery| Delivery {
            route: delivery.route.into_iter().rev().collect(),
            ..delivery
        }),
        ("an element is missing", |_, mut delivery| {
            delivery.data.pop();
            delivery
        }),
        ("the sign of zero", |_, mut delivery| {
            delivery.data.iter_mut().for_each(|x| *x += 0.0);
            delivery
        }),
        ("no route", |_, delivery| Delivery { route: vec![], ..delivery }),
        ("twice around", |_, mut delivery| {
            let around = delivery.route[1..].to_vec();
            delivery.route.extend(around);
            delivery
        }),
    ]);
}

#[test]
fn without_a_fixed_number_of_ranks_the_route_must_be_a_ring_still() {
    let letter = Letter { data: vec![], from: 0, to: 0, ranks: None };
    let check = |route: &[i32]| Ring::check(&letter, &Delivery { data: vec![], route: route.to_vec() });
    for right in [&[0, 0][..], &[0, 1, 0], &[0, 1, 2, 3, 0]] {
        assert_eq!(check(right), Verdict::Right, "{right:?}");
    }
    for wrong in [&[0][..], &[0, 2, 0], &[0, 1, 0, 1, 0], &[0, 1], &[0, 2, 1, 0], &[]] {
        assert_ne!(check(wrong), Verdict::Right, "{wrong:?}");
    }
}

const TAG: i32 = 1;

/// Every rank passes what it receives on to the next one; each vector makes one full circle.
struct Passing;

impl Task for Passing {
    type Problem = Ring;
    type Prepared = Rooted<Letter>;
    type Raw = Rooted<Delivery>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Letter, ranks: usize) -> std::result::Result<(), Invalid> {
        Reference.validation(input, ranks)?;
        let exists = |rank: i32| usize::try_from(rank).is_ok_and(|rank| rank < ranks);
        Invalid::unless(exists(input.from) && exists(input.to), "a rank that does not exist")?;
        Invalid::unless(input.ranks.is_none_or(|fixed| fixed == ranks), "another number of ranks")
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Letter>) -> Result<Rooted<Letter>> {
        Ok(input)
    }

    /// A message is the route, its length and the receiver in front of it, and behind it the numbers.
    fn run(&self, world: &World, letter: &Rooted<Letter>) -> Result<Rooted<Delivery>> {
        let (rank, ranks) = (world.rank(), world.size());
        let (next, before) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
        let with_rank = |mut route: Vec<i32>, is_delivered: bool| {
            if !is_delivered {
                route.push(rank as i32);
            }
            route
        };
        if let Some(letter) = letter.as_ref().here() {
            if ranks == 1 {
                return Ok(Rooted::Here(Delivery { data: letter.data.clone(), route: vec![0, 0] }));
            }
            world.send(&[letter.to, letter.from], next, TAG)?;
            world.send(&letter.data, next, TAG)?;
            let (route, _) = world.recv_vec::<i32>(before, TAG)?;
            let (data, _) = world.recv_vec::<f64>(before, TAG)?;
            let is_delivered = route.last() == Some(&letter.to) && route.len() > 2;
            let route = with_rank(route[1..].to_vec(), is_delivered);
            return Ok(Rooted::Here(Delivery { data, route }));
        }
        let (route, _) = world.recv_vec::<i32>(before, TAG)?;
        let (data, _) = world.recv_vec::<f64>(before, TAG)?;
        let is_delivered = route.len() > 2 && route.last() == Some(&route[0]);
        world.send(&with_rank(route, is_delivered), next, TAG)?;
        world.send(&data, next, TAG)?;
        Ok(Rooted::Elsewhere)
    }

    fn postprocessing(&self, _world: &World, delivery: Rooted<Delivery>) -> Result<Rooted<Delivery>> {
        Ok(delivery)
    }
}

#[test]
fn a_solution_on_several_ranks_passes() {
    functional(Passing).against_reference().graded();
}
