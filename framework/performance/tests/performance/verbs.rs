//! Communication assignments: a broadcast, and a scatter that is right or wrong.
use wb_record::{Measurement, Sweep};
use wb_task::Communication;
use wb_world::{Rank, Result, World};

use super::measure;

/// A broadcast in which the root sends to one rank after the other.
pub(super) struct LinearBcast;

impl Communication for LinearBcast {
    const OPERATION: &'static str = "bcast";
    const ALGORITHM: &'static str = "linear";
    const MESSAGES: &'static str = "P - 1";
    const ROUNDS: &'static str = "P - 1";

    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        if world.rank() != root {
            return world.recv(data, root, 0).map(drop);
        }
        (0..world.size()).filter(|&rank| rank != root).try_for_each(|rank| world.send(data, rank, 0))
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        world.bcast(data, root)
    }

    fn messages(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }

    fn rounds(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }
}

/// A scatter in which the root sends each rank its part in turn: the right one, or its neighbour's.
pub(super) struct LinearScatter {
    pub(super) is_skewed: bool,
}

impl Communication for LinearScatter {
    const OPERATION: &'static str = "scatter";
    const MESSAGES: &'static str = "P - 1";
    const ROUNDS: &'static str = "P - 1";

    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let (size, part) = (world.size(), data.len() / world.size());
        if world.rank() != root {
            return world.recv(&mut data[..part], root, 0).map(drop);
        }
        let of = |rank: Rank| (rank + usize::from(self.is_skewed)) % size * part;
        for rank in (0..size).filter(|&rank| rank != root) {
            world.send(&data[of(rank)..][..part], rank, 0)?;
        }
        data.copy_within(root * part..(root + 1) * part, 0);
        Ok(())
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let part = data.len() / world.size();
        let mut mine = vec![0.0; part];
        let all = (world.rank() == root).then(|| &data[..part * world.size()]);
        world.scatter(all, &mut mine, root)?;
        data[..part].copy_from_slice(&mine);
        Ok(())
    }

    fn messages(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }

    fn rounds(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }
}

/// A scatter of fewer elements than ranks; a broadcast always moves something.
pub(super) fn a_size_at_which_nothing_moves_is_marked_and_not_sampled() {
    let sweeps = |case| -> Vec<Sweep> {
        let run = measure(case, "3", None);
        let sweeps = run.measurements().filter_map(|measurement| match measurement {
            Measurement::Sweep(sweep) => Some(sweep.clone()),
            _ => None,
        });
        sweeps.collect()
    };
    let scatter = sweeps("dealt");
    assert!(scatter.iter().any(|sweep| sweep.moves_nothing), "{scatter:?}");
    for sweep in scatter {
        assert_eq!(sweep.moves_nothing, sweep.count < 3, "{sweep:?}");
        assert!(!sweep.moves_nothing || sweep.student_ns.len() == 1, "{sweep:?}");
    }
    let broadcast = sweeps("linear");
    assert!(!broadcast.is_empty() && broadcast.iter().all(|sweep| !sweep.moves_nothing), "{broadcast:?}");
}
