//! A reduction over a binomial tree of sends and receives.
use workbench::{Error, Invalid, Place, Rank, Result, Rooted, Task, World};

use crate::{
    problem::{Sum, Vectors},
    seq::Seq,
};

const TAG: i32 = 17;

/// Sums the vectors of all ranks on any root.
pub struct Mpi;

/// The vector of one rank.
pub struct Piece {
    root: Rank,
    buf: Vec<f64>,
}

impl Task for Mpi {
    type Problem = Sum;
    type Prepared = Piece;
    type Raw = Piece;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, job: &Vectors, np: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(job, np)?;
        Invalid::unless(job.root < np, "the root must be a rank")
    }

    fn preprocessing(&self, world: &World, job: Rooted<Vectors>) -> Result<Piece> {
        if let Rooted::Here(job) = job {
            for peer in 1..world.size() {
                let lo = peer * job.len0;
                let head = [job.len0 as u64, job.root as u64];
                world.send(&head, peer, TAG)?;
                world.send(&job.buf[lo..lo + job.len0], peer, TAG)?;
            }
            let buf = job.buf[..job.len0].to_vec();
            return Ok(Piece { root: job.root, buf });
        }
        let mut head = [0_u64; 2];
        world.recv(&mut head, 0, TAG)?;
        let mut buf = vec![0.0; head[0] as usize];
        world.recv(&mut buf, 0, TAG)?;
        Ok(Piece { root: head[1] as usize, buf })
    }

    fn run(&self, world: &World, piece: &Piece) -> Result<Piece> {
        let buf = collect_sum(piece.root, piece.buf.clone(), world)?;
        Ok(Piece { root: piece.root, buf })
    }

    fn postprocessing(&self, world: &World, piece: Piece) -> Result<Rooted<Vec<f64>>> {
        let mut buf = piece.buf;
        if piece.root != 0 {
            if world.rank() == piece.root {
                world.send(&buf, 0, TAG)?;
            }
            if world.rank() == 0 {
                world.recv(&mut buf, piece.root, TAG)?;
            }
        }
        Ok(Rooted::on(world.rank() == 0, || buf))
    }
}

/// Numbers from the root: rank 0 of the tree is the root.
fn relative(rank: Rank, root: Rank, np: usize) -> usize {
    (rank + np - root) % np
}

/// In step k every number with the bit k sends to the number without it and is done.
fn collect_sum(root: Rank, mut buf: Vec<f64>, world: &World) -> Result<Vec<f64>> {
    let np = world.size();
    let me = relative(world.rank(), root, np);
    let mut peer = vec![0.0; buf.len()];
    let mut mask = 1;
    while mask < np {
        if me & mask != 0 {
            let dst = (me - mask + root) % np;
            world.send(&buf, dst, TAG)?;
            break;
        }
        if me + mask < np {
            let src = (me + mask + root) % np;
            let info = world.recv(&mut peer, src, TAG)?;
            if info.count_of::<f64>() != Some(buf.len()) {
                return Err(Error::Count { verb: "reduce", buffer: "buf", got: 0, expected: buf.len() });
            }
            for k in 0..buf.len() {
                buf[k] += peer[k];
            }
            world.work(buf.len() as u64, 0);
        }
        mask *= 2;
    }
    Ok(buf)
}
