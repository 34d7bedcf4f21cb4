//! A reduction over a binomial tree of sends and receives.
use workbench::{Error, Invalid, Place, Rank, Result, Rooted, Task, World};

use crate::{
    problem::{Sum, Vectors},
    seq::Seq,
};

/// In step k every number with the bit k sends to the number without it and is done.
fn collect_sum(root: Rank, mut buf: Vec<f64>, world: &World) -> Result<Vec<f64>> {
    let mut mask = 1;
    let mut peer = vec![0.0; buf.len()];
    let np = world.size();
    let me = relative(world.rank(), root, np);
    while np > mask {
        if 0 != mask & me {
            let dst = (root + (me - mask)) % np;
            world.send(&buf, dst, TAG)?;
            break;
        }
        if np > mask + me {
            let src = (root + me + mask) % np;
            let info = world.recv(&mut peer, src, TAG)?;
            if info.count_of::<f64>() != Some(buf.len()) {
                return Err(Error::Count { verb: "reduce", buffer: "buf", got: 0, expected: buf.len() });
            }
            world.work(buf.len() as u64, 0);
            for k in 0..buf.len() {
                buf[k] = peer[k] + buf[k];
            }
        }
        mask *= 2;
    }
    Ok(buf)
}

/// Numbers from the root: rank 0 of the tree is the root.
fn relative(rank: Rank, root: Rank, np: usize) -> usize {
    (rank + np - root) % np
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
                let head = [job.len0 as u64, job.root as u64];
                world.send(&head, peer, TAG)?;
                let lo = job.len0 * peer;
                world.send(&job.buf[lo..lo + job.len0], peer, TAG)?;
            }
            return Ok(Piece { buf: job.buf[..job.len0].to_vec(), root: job.root });
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
            if 0 == world.rank() {
                world.recv(&mut buf, piece.root, TAG)?;
            }
            if piece.root == world.rank() {
                world.send(&buf, 0, TAG)?;
            }
        }
        Ok(Rooted::on(world.rank() == 0, || buf))
    }
}

/// The vector of one rank.
pub struct Piece {
    root: Rank,
    buf: Vec<f64>,
}

/// Sums the vectors of all ranks on any root.
pub struct Mpi;

const TAG: i32 = 17;
