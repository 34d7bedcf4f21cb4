//! The parallel version: each rank combines its own vectors, and the tree combines the results on the root.
//!
//! Rank r has the vectors r, r + P, r + 2 P, ... At first only the root has information: the other ranks know neither the
//! type, nor the length, nor the operation, nor the root.
//!
//! | stage | operations | messages |
//! |---|---|---|
//! | preprocessing | the root sends each rank a header, then its vectors | 2 (P - 1) |
//! | run | each rank combines its vectors; the results go over the tree to the root | P - 1, none for empty vectors |
//! | postprocessing | the vector on the root is the output | none |
//!
//! A rank receives the header from any source: the sender is the root. A rank without vectors takes part with the
//! neutral element of the operation.
use assignment_2_2_reduce::{Combine, Operands, Reducing};
use workbench::{
    ANY_SOURCE, Communication, Invalid, Operation, Place, Rank, Result, Rooted, Task, TypedVec, World,
};

use crate::{
    element::{Element, combined},
    reduce::reduce,
    seq::Seq,
};

/// The tag of the header, which is the first message from the root.
const HEADER_TAG: i32 = 2;

/// The tag of a rank's vectors.
const VECTORS_TAG: i32 = 3;

/// Reduces the vectors over the tree.
pub struct Mpi;

/// What one rank has before the vectors are reduced.
pub struct Share {
    /// This rank's vectors, one after the other.
    vectors: TypedVec,
    /// The number of elements of each vector.
    count: usize,
    combine: Combine,
    root: i32,
}

impl Task for Mpi {
    type Problem = Reducing;
    type Prepared = Share;
    type Raw = Rooted<TypedVec>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Operands, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Operands>) -> Result<Share> {
        let Some(Operands { vectors, combine, root }) = input.here() else { return receive(world) };
        let count = vectors[0].count();
        let of = |rank: Rank| concatenated(&vectors, rank, world.size());
        for to in (0..world.size()).filter(|to| *to != world.rank()) {
            world.send(&[code(&vectors[0]), combine as u64, count as u64], to, HEADER_TAG)?;
            match of(to) {
                TypedVec::Int(mine) => world.send(&mine, to, VECTORS_TAG),
                TypedVec::Float(mine) => world.send(&mine, to, VECTORS_TAG),
                TypedVec::Double(mine) => world.send(&mine, to, VECTORS_TAG),
            }?;
        }
        Ok(Share { vectors: of(world.rank()), count, combine, root })
    }

    fn run(&self, world: &World, share: &Share) -> Result<Rooted<TypedVec>> {
        Ok(match &share.vectors {
            TypedVec::Int(vectors) => reduced(world, vectors, share)?.map(TypedVec::Int),
            TypedVec::Float(vectors) => reduced(world, vectors, share)?.map(TypedVec::Float),
            TypedVec::Double(vectors) => reduced(world, vectors, share)?.map(TypedVec::Double),
        })
    }

    fn postprocessing(&self, _world: &World, result: Rooted<TypedVec>) -> Result<Rooted<TypedVec>> {
        Ok(result)
    }
}

/// Combines this rank's vectors, and then the results of all ranks in a new vector on the root.
fn reduced<T: Element>(world: &World, vectors: &[T], share: &Share) -> Result<Rooted<Vec<T>>> {
    let &Share { count, combine, root, .. } = share;
    world.work(vectors.len() as u64, 3 * size_of_val(vectors) as u64);
    let mine = combined(vectors, count, combine);
    let is_root = usize::try_from(root) == Ok(world.rank());
    let mut result = is_root.then(|| vec![T::default(); count]);
    reduce(&mine, result.as_deref_mut(), combine, root, world)?;
    Ok(result.into())
}

/// The vectors of `rank`, one after the other.
fn concatenated(vectors: &[TypedVec], rank: Rank, ranks: usize) -> TypedVec {
    let mut all = vectors[0].slice(0..0);
    for vector in vectors.iter().skip(rank).step_by(ranks) {
        match (&mut all, vector) {
            (TypedVec::Int(all), TypedVec::Int(vector)) => all.extend(vector),
            (TypedVec::Float(all), TypedVec::Float(vector)) => all.extend(vector),
            (TypedVec::Double(all), TypedVec::Double(vector)) => all.extend(vector),
            _ => unreachable!("validation has refused vectors of different types"),
        }
    }
    all
}

/// The share of a rank that is not the root.
fn receive(world: &World) -> Result<Share> {
    let mut header = [0u64; 3];
    let root = world.recv(&mut header, ANY_SOURCE, HEADER_TAG)?.source;
    let [code, combine, count] = header;
    let vectors = match code {
        0 => TypedVec::Int(world.recv_vec(root, VECTORS_TAG)?.0),
        1 => TypedVec::Float(world.recv_vec(root, VECTORS_TAG)?.0),
        2 => TypedVec::Double(world.recv_vec(root, VECTORS_TAG)?.0),
        _ => unreachable!("the root sends the code of one of the three types, not {code}"),
    };
    let root = i32::try_from(root).expect("MPI numbers its ranks with an int");
    Ok(Share { vectors, count: count as usize, combine: Combine::ALL[combine as usize], root })
}

/// The type as a number that can be sent.
fn code(vector: &TypedVec) -> u64 {
    match vector {
        TypedVec::Int(_) => 0,
        TypedVec::Float(_) => 1,
        TypedVec::Double(_) => 2,
    }
}

/// The function above together with the library's `MPI_Reduce`, for the measurement of latency and bandwidth.
impl Communication for Mpi {
    const OPERATION: &'static str = "reduce";
    const ALGORITHM: &'static str = "binomial tree";
    const MESSAGES: &'static str = "P - 1";
    const ROUNDS: &'static str = "ceil(log2 P)";

    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let mine = data.to_vec();
        let root_number = i32::try_from(root).expect("MPI numbers its ranks with an int");
        reduce(&mine, (world.rank() == root).then_some(data), Combine::Sum, root_number, world)
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let mine = data.to_vec();
        world.reduce(&mine, (world.rank() == root).then_some(data), Operation::Sum, root)
    }

    fn messages(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }

    fn rounds(&self, ranks: usize) -> u64 {
        ranks.next_power_of_two().trailing_zeros().into()
    }
}
