//! The parallel version: the vector makes one circle, from rank `from` over rank `to` back to rank `from`.
//!
//! | stage | communication | messages |
//! |---|---|---|
//! | preprocessing | the ranks get a communicator of their own | 1 collective call |
//! | run | a header and the vector go once around the ring | 2 P; none on one rank |
//! | postprocessing | the delivery on rank `from` is the output | none |
//!
//! The other ranks know neither the sender nor the receiver. They do not need to: each rank receives from the rank before
//! it and sends to the next one, and only rank `from` sends first. The header is `to` and then the route. A rank adds its
//! number to the route while the vector is on its way to rank `to`; from there on the route is complete.
//!
//! The vector continues behind rank `to`, because the output is on rank `from`. So each circle costs P messages of the
//! vector, whatever the distance from `from` to `to`.
use assignment_2_7_ring::{Delivery, Letter, Ring};
use workbench::{Communication, Invalid, Place, Rank, Result, Rooted, Task, World};

use crate::{
    circle::{DATA_TAG, Neighbours},
    seq::Seq,
};

/// The tag of the header.
const HEADER_TAG: i32 = 2;

/// Sends the vector around the ring.
pub struct Mpi;

/// What a rank has before the circle.
pub struct Share {
    /// The communicator of the ring, in which no other messages are.
    ring: World,
    letter: Rooted<Letter>,
}

impl Task for Mpi {
    type Problem = Ring;
    type Prepared = Share;
    type Raw = Rooted<Delivery>;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &Letter, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, letter: Rooted<Letter>) -> Result<Share> {
        Ok(Share { ring: world.dup()?, letter })
    }

    fn run(&self, _world: &World, Share { ring, letter }: &Share) -> Result<Rooted<Delivery>> {
        let Some(letter) = letter.as_ref().here() else { return pass_on(ring) };
        if ring.size() == 1 {
            let route = vec![letter.from, letter.to];
            return Ok(Rooted::Here(Delivery { data: letter.data.clone(), route }));
        }
        let Neighbours { next, before } = Neighbours::of(ring);
        ring.send(&[letter.to, letter.from], next, HEADER_TAG)?;
        ring.send(&letter.data, next, DATA_TAG)?;
        let (mut header, _) = ring.recv_vec(before, HEADER_TAG)?;
        let (data, _) = ring.recv_vec(before, DATA_TAG)?;
        note(&mut header, ring);
        Ok(Rooted::Here(Delivery { data, route: header.split_off(1) }))
    }

    fn postprocessing(&self, _world: &World, delivery: Rooted<Delivery>) -> Result<Rooted<Delivery>> {
        Ok(delivery)
    }
}

/// Receives the header and the vector from the rank before, and then sends them to the next one.
///
/// Both are received first: on two ranks rank `from` still sends the vector, while a header that was sent before would wait for
/// its receive. If the library keeps no message, neither of them would continue.
fn pass_on(ring: &World) -> Result<Rooted<Delivery>> {
    let Neighbours { next, before } = Neighbours::of(ring);
    let (mut header, _) = ring.recv_vec(before, HEADER_TAG)?;
    let (data, _) = ring.recv_vec::<f64>(before, DATA_TAG)?;
    note(&mut header, ring);
    ring.send(&header, next, HEADER_TAG)?;
    ring.send(&data, next, DATA_TAG)?;
    Ok(Rooted::Elsewhere)
}

/// Adds this rank to the route in the header, unless the vector has been on rank `to`.
fn note(header: &mut Vec<i32>, ring: &World) {
    let (to, route) = header.split_first().expect("a header begins with the receiver");
    // A route of one rank is that of a sender that may be the receiver, too: the vector has not moved yet.
    let is_delivered = route.len() > 1 && route.last() == Some(to);
    if !is_delivered {
        header.push(i32::try_from(ring.rank()).expect("MPI numbers its ranks with an int"));
    }
}

/// The data of the root once around the ring: every rank has them afterwards.
impl Communication for Mpi {
    const OPERATION: &'static str = "sendrecv";
    const ALGORITHM: &'static str = "ring";
    const MESSAGES: &'static str = "P";
    const ROUNDS: &'static str = "P";

    /// On one rank the only message is one to itself, which needs a receive that has started.
    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let Neighbours { next, before } = Neighbours::of(world);
        if world.rank() != root {
            world.recv(data, before, DATA_TAG)?;
            return world.send(data, next, DATA_TAG);
        }
        let back = world.irecv::<f64>(data.len(), before, DATA_TAG)?;
        world.send(data, next, DATA_TAG)?;
        data.copy_from_slice(&back.wait()?.0);
        Ok(())
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let Neighbours { next, before } = Neighbours::of(world);
        if world.rank() != root {
            world.recv(data, before, DATA_TAG)?;
            return world.send(data, next, DATA_TAG);
        }
        let mut back = vec![0.0; data.len()];
        world.sendrecv(data, next, DATA_TAG, &mut back, before, DATA_TAG)?;
        data.copy_from_slice(&back);
        Ok(())
    }

    fn messages(&self, ranks: usize) -> u64 {
        ranks as u64
    }

    fn rounds(&self, ranks: usize) -> u64 {
        ranks as u64
    }
}
