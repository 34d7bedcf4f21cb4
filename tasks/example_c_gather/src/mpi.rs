//! The parallel version: each rank gets its part, and the root gathers the parts over the tree.
//!
//! At first only the root has information: the other ranks know neither the type, nor the length, nor the root.
//!
//! | stage | communication | messages |
//! |---|---|---|
//! | preprocessing | the root sends each rank the type, then its part | 2 (P - 1) |
//! | run | the parts go over the tree to the root | P - 1, none if the parts are empty |
//! | postprocessing | the vector on the root is the output | none |
//!
//! A rank receives the type from any source: the sender is the root.
use workbench::{ANY_SOURCE, Communication, Invalid, Place, Rank, Result, Rooted, Task, TypedVec, World};

use crate::{
    gather::gather,
    problem::{Gathering, Parts},
    seq::Seq,
};

/// The tag of the type, which is the first message from the root.
const TYPE_TAG: i32 = 2;

/// The tag of a part before it is gathered.
const PART_TAG: i32 = 3;

/// Gathers the parts over the tree.
pub struct Mpi;

/// The part of one rank, and the root.
pub struct Share {
    part: TypedVec,
    root: i32,
}

impl Task for Mpi {
    type Problem = Gathering;
    type Prepared = Share;
    type Raw = Rooted<TypedVec>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Parts, ranks: usize) -> std::result::Result<(), Invalid> {
        let parts = input.parts.len();
        Invalid::unless(parts == ranks, format!("there are {parts} parts for {ranks} ranks"))?;
        Seq.validation(input, 1)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Parts>) -> Result<Share> {
        let Some(Parts { mut parts, root }) = input.here() else {
            let mut code = [0];
            let root = world.recv(&mut code, ANY_SOURCE, TYPE_TAG)?.source;
            let part = receive(world, code[0], root)?;
            return Ok(Share { part, root: i32::try_from(root).expect("MPI numbers its ranks with an int") });
        };
        for to in (0..world.size()).filter(|to| *to != world.rank()) {
            world.send(&[code(&parts[to])], to, TYPE_TAG)?;
            send(world, &parts[to], to)?;
        }
        Ok(Share { part: parts.swap_remove(world.rank()), root })
    }

    fn run(&self, world: &World, Share { part, root }: &Share) -> Result<Rooted<TypedVec>> {
        Ok(match part {
            TypedVec::Int(part) => whole(world, part, *root)?.map(TypedVec::Int),
            TypedVec::Float(part) => whole(world, part, *root)?.map(TypedVec::Float),
            TypedVec::Double(part) => whole(world, part, *root)?.map(TypedVec::Double),
        })
    }

    fn postprocessing(&self, _world: &World, all: Rooted<TypedVec>) -> Result<Rooted<TypedVec>> {
        Ok(all)
    }
}

/// Gathers the parts in a new vector on the root.
fn whole<T: workbench::Wire>(world: &World, part: &[T], root: i32) -> Result<Rooted<Vec<T>>> {
    let is_root = usize::try_from(root) == Ok(world.rank());
    let mut all = is_root.then(|| vec![T::default(); part.len() * world.size()]);
    gather(part, all.as_deref_mut(), root, world)?;
    Ok(all.into())
}

/// The type as a number that can be sent.
fn code(part: &TypedVec) -> u8 {
    match part {
        TypedVec::Int(_) => 0,
        TypedVec::Float(_) => 1,
        TypedVec::Double(_) => 2,
    }
}

fn send(world: &World, part: &TypedVec, to: Rank) -> Result<()> {
    match part {
        TypedVec::Int(part) => world.send(part, to, PART_TAG),
        TypedVec::Float(part) => world.send(part, to, PART_TAG),
        TypedVec::Double(part) => world.send(part, to, PART_TAG),
    }
}

/// Receives a part of the type with this [`code`].
fn receive(world: &World, code: u8, from: Rank) -> Result<TypedVec> {
    Ok(match code {
        0 => TypedVec::Int(world.recv_vec(from, PART_TAG)?.0),
        1 => TypedVec::Float(world.recv_vec(from, PART_TAG)?.0),
        2 => TypedVec::Double(world.recv_vec(from, PART_TAG)?.0),
        _ => unreachable!("the root sends the code of one of the three types, not {code}"),
    })
}

/// The function above together with the library's `MPI_Gather`, for the measurement of latency and bandwidth.
impl Communication for Mpi {
    const OPERATION: &'static str = "gather";
    const ALGORITHM: &'static str = "binomial tree";
    const MESSAGES: &'static str = "P - 1";
    const ROUNDS: &'static str = "ceil(log2 P)";

    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let (mine, room) = split(world, data, root);
        gather(&mine, room, i32::try_from(root).expect("MPI numbers its ranks with an int"), world)
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let (mine, room) = split(world, data, root);
        world.gather(&mine, room, root)
    }

    fn messages(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }

    fn rounds(&self, ranks: usize) -> u64 {
        ranks.next_power_of_two().trailing_zeros().into()
    }
}

/// This rank's part, and on the root the room for all parts.
fn split<'d>(world: &World, data: &'d mut [f64], root: Rank) -> (Vec<f64>, Option<&'d mut [f64]>) {
    let count = data.len() / world.size();
    let mine = data[..count].to_vec();
    (mine, (world.rank() == root).then_some(&mut data[..count * world.size()]))
}
