//! The assignment itself: its laws, the outputs that it refuses, and a solution on several ranks.
use assignment_2_4_scatter::{Reference, Scattering, Whole};
use workbench::{
    ANY_SOURCE, Assignment, Invalid, Place, Result, Rooted, Task, TypedVec, World,
    assignment_laws::check_assignment, functional,
};

#[test]
fn keeps_the_laws_and_finds_mistakes() {
    check_assignment::<Scattering>(&[
        ("ranks: the parts in another order", |_, mut parts| {
            parts.reverse();
            parts
        }),
        ("ranks: the whole vector as one part", |input, _| vec![input.data.clone()]),
        ("a part is missing", |_, mut parts| {
            parts.pop();
            parts
        }),
        ("an element is missing", |_, mut parts| {
            let last = parts.pop().expect("a part");
            parts.push(last.slice(0..last.count().max(1) - 1));
            parts
        }),
    ]);
}

const HEADER: i32 = 1;
const DATA: i32 = 2;

/// A solution for `int`s: the root sends each rank its part, and collects the parts afterwards.
struct Star;

impl Task for Star {
    type Problem = Scattering;
    type Prepared = (usize, Rooted<Vec<i32>>);
    type Raw = (usize, Vec<i32>);

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Whole, ranks: usize) -> std::result::Result<(), Invalid> {
        Reference.validation(input, ranks)?;
        Invalid::unless(usize::try_from(input.root).is_ok_and(|root| root < ranks), "the root is no rank")?;
        Invalid::unless(input.parts.is_none_or(|parts| parts == ranks), "the parts are not the ranks")?;
        Invalid::unless(input.data.count().is_multiple_of(ranks), "the parts have different lengths")
    }

    /// The other ranks learn the root from its message.
    fn preprocessing(&self, world: &World, input: Rooted<Whole>) -> Result<Self::Prepared> {
        let root = world.rank();
        let Some(input) = input.here() else {
            let (_, status) = world.recv_vec::<u8>(ANY_SOURCE, HEADER)?;
            return Ok((status.source, Rooted::Elsewhere));
        };
        (0..world.size())
            .filter(|rank| *rank != root)
            .try_for_each(|rank| world.send(&[1_u8], rank, HEADER))?;
        let TypedVec::Int(data) = input.data else { unreachable!("the test has ints only") };
        Ok((root, Rooted::Here(data)))
    }

    fn run(&self, world: &World, (root, data): &Self::Prepared) -> Result<Self::Raw> {
        let Some(data) = data.as_ref().here() else {
            return Ok((*root, world.recv_vec::<i32>(*root, DATA)?.0));
        };
        let length = data.len() / world.size();
        let part = |rank: usize| &data[rank * length..(rank + 1) * length];
        (0..world.size())
            .filter(|rank| rank != root)
            .try_for_each(|rank| world.send(part(rank), rank, DATA))?;
        Ok((*root, part(*root).to_vec()))
    }

    fn postprocessing(&self, world: &World, (root, mine): Self::Raw) -> Result<Rooted<Vec<TypedVec>>> {
        if world.rank() != root {
            world.send(&mine, root, DATA)?;
            return Ok(Rooted::Elsewhere);
        }
        let part = |rank: usize| {
            let part = if rank == root { mine.clone() } else { world.recv_vec::<i32>(rank, DATA)?.0 };
            Ok(TypedVec::Int(part))
        };
        Ok(Rooted::Here((0..world.size()).map(part).collect::<Result<Vec<_>>>()?))
    }
}

#[test]
fn a_solution_on_several_ranks_passes() {
    let is_int = |input: &Whole| matches!(input.data, TypedVec::Int(_));
    functional(Star).against_reference().point_to_point_only().ranks([1, 2, 3, 5]).check(|ranks| {
        Scattering::graded_inputs(ranks, 3)
            .into_iter()
            .map(|case| case.input)
            .filter(is_int)
            .collect::<Vec<_>>()
    });
    functional(Star).ranks([1, 3]).refuses("", |ranks| {
        Scattering::refused_inputs(ranks).into_iter().map(|case| case.input).collect::<Vec<_>>()
    });
}
