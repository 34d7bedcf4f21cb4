//! A solution on several ranks, over a binomial tree: rank v without its lowest set bit is the parent of v, where v counts
//! from the root.
use std::ops::Add;

use assignment_2_2_reduce::{Combine, Operands, Reducing, Reference};
use workbench::{ANY_SOURCE, Invalid, Place, Rank, Result, Rooted, Task, TypedVec, World};

const HEADER: i32 = 1;
const DATA: i32 = 2;

/// Every rank combines its own vectors with those of its children.
pub(crate) struct Tree;

/// What a rank has of the result, and the root.
pub(crate) struct Partial {
    result: TypedVec,
    combine: Combine,
    root: Rank,
}

fn send(world: &World, part: &TypedVec, to: Rank) -> Result<()> {
    match part {
        TypedVec::Int(part) => world.send(part, to, DATA),
        TypedVec::Float(part) => world.send(part, to, DATA),
        TypedVec::Double(part) => world.send(part, to, DATA),
    }
}

fn receive(world: &World, name: &str, from: Rank) -> Result<TypedVec> {
    Ok(match name {
        "int" => TypedVec::Int(world.recv_vec(from, DATA)?.0),
        "float" => TypedVec::Float(world.recv_vec(from, DATA)?.0),
        _ => TypedVec::Double(world.recv_vec(from, DATA)?.0),
    })
}

fn combine(into: &mut TypedVec, other: &TypedVec, how: Combine) {
    match (into, other) {
        (TypedVec::Int(into), TypedVec::Int(other)) => combine_elements(into, other, how),
        (TypedVec::Float(into), TypedVec::Float(other)) => combine_elements(into, other, how),
        (TypedVec::Double(into), TypedVec::Double(other)) => combine_elements(into, other, how),
        _ => unreachable!("validation refuses vectors of different types"),
    }
}

fn combine_elements<T: Copy + PartialOrd + Add<Output = T>>(into: &mut [T], other: &[T], how: Combine) {
    for (into, other) in into.iter_mut().zip(other) {
        *into = match how {
            Combine::Sum => *into + *other,
            Combine::Minimum if other < into => *other,
            Combine::Maximum if other > into => *other,
            Combine::Minimum | Combine::Maximum => *into,
        };
    }
}

/// A vector that changes no result: zeros in a sum, elsewhere a vector that is combined anyway.
fn neutral(of: &TypedVec, how: Combine) -> TypedVec {
    match (how, of) {
        (Combine::Sum, TypedVec::Int(of)) => TypedVec::Int(vec![0; of.len()]),
        (Combine::Sum, TypedVec::Float(of)) => TypedVec::Float(vec![0.0; of.len()]),
        (Combine::Sum, TypedVec::Double(of)) => TypedVec::Double(vec![0.0; of.len()]),
        (Combine::Minimum | Combine::Maximum, of) => of.clone(),
    }
}

impl Task for Tree {
    type Problem = Reducing;
    type Prepared = Partial;
    type Raw = Rooted<TypedVec>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Operands, ranks: usize) -> std::result::Result<(), Invalid> {
        Reference.validation(input, ranks)?;
        let root = usize::try_from(input.root).ok().filter(|&root| root < ranks);
        Invalid::unless(root.is_some(), "the root is no rank")
    }

    /// The root sends each rank what its vectors make; the others learn everything else from the header.
    fn preprocessing(&self, world: &World, input: Rooted<Operands>) -> Result<Partial> {
        let Some(input) = input.here() else {
            let (header, status) = world.recv_vec::<u8>(ANY_SOURCE, HEADER)?;
            let (name, how) = (TypedVec::TYPES[usize::from(header[0])], Combine::ALL[usize::from(header[1])]);
            let result = receive(world, name, status.source)?;
            return Ok(Partial { result, combine: how, root: status.source });
        };
        let (root, ranks, how) = (world.rank(), world.size(), input.combine);
        let share = |rank: Rank| {
            let mut result = neutral(&input.vectors[0], how);
            let mine = input.vectors.iter().skip(rank).step_by(ranks);
            for (at, vector) in mine.enumerate() {
                match at {
                    0 => result = vector.clone(),
                    _ => combine(&mut result, vector, how),
                }
            }
            result
        };
        let name = TypedVec::TYPES.iter().position(|name| *name == input.vectors[0].type_name());
        let how_sent = Combine::ALL.iter().position(|known| *known == how);
        let header = [name, how_sent].map(|at| at.expect("it is in the list") as u8);
        for rank in (0..ranks).filter(|rank| *rank != root) {
            world.send(&header, rank, HEADER)?;
            send(world, &share(rank), rank)?;
        }
        Ok(Partial { result: share(root), combine: how, root })
    }

    fn run(&self, world: &World, partial: &Partial) -> Result<Rooted<TypedVec>> {
        let (ranks, root) = (world.size(), partial.root);
        let place = (world.rank() + ranks - root) % ranks;
        let mut result = partial.result.clone();
        let mut bit = 1;
        while bit < ranks {
            if place & bit != 0 {
                send(world, &result, (place - bit + root) % ranks)?;
                return Ok(Rooted::Elsewhere);
            }
            if place + bit < ranks {
                let part = receive(world, result.type_name(), (place + bit + root) % ranks)?;
                combine(&mut result, &part, partial.combine);
            }
            bit *= 2;
        }
        Ok(Rooted::Here(result))
    }

    fn postprocessing(&self, _world: &World, result: Rooted<TypedVec>) -> Result<Rooted<TypedVec>> {
        Ok(result)
    }
}
