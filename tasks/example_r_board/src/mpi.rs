//! The parallel version: strips of the rod, with the halos in one window and the board in another.
//!
//! | stage | operations |
//! |---|---|
//! | preprocessing | the root scatters the strips |
//! | run | windows are opened; each step exchanges the halos and computes; then the notices are put on the board |
//! | postprocessing | the root, which already has the board, gathers the strips |
//!
//! A step costs one synchronisation and two puts of one number, so the speed-up is near P only for strips of many
//! cells.
use workbench::{Invalid, Place, Rank, Result, Rooted, Task, Window, World};

use crate::{
    fence, locks,
    problem::{Diary, Heat, Notice, Rod},
    pscw,
    seq::Seq,
    strip::{self, Strip},
};

/// The rank that has the rod at the beginning, and the board in its window.
pub const ROOT: Rank = 0;

/// The synchronisation that opens and closes epochs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Fence: all ranks together.
    Fence,
    /// Post, start, complete, wait: only origins and their targets.
    Pscw,
    /// Lock, unlock: the target does not take part.
    Locks,
}

/// Computes the rod by strips with the synchronisation that is measured: [`By::Pscw`].
pub struct Mpi;

/// The input of one rank's `run`.
pub struct Share {
    strip: Strip,
    steps: usize,
    alarm: f64,
    /// The number of cells of each rank.
    counts: Vec<usize>,
}

/// The ranks that have the cells next to a strip. A rank without cells has no neighbours and is not a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbours {
    /// The rank that has the cell to the left of the strip.
    pub left: Option<Rank>,
    /// The rank that has the cell to the right of the strip.
    pub right: Option<Rank>,
}

impl Neighbours {
    /// The neighbours of `rank`; the ranks with cells precede those without.
    pub fn of(rank: Rank, counts: &[usize]) -> Self {
        let has_cells = |rank: &Rank| counts.get(*rank).is_some_and(|count| *count > 0);
        let here = |neighbour: Option<Rank>| neighbour.filter(|n| has_cells(n) && has_cells(&rank));
        Self { left: here(rank.checked_sub(1)), right: here(rank.checked_add(1)) }
    }

    /// The neighbours that exist.
    pub fn ranks(self) -> Vec<Rank> {
        [self.left, self.right].into_iter().flatten().collect()
    }
}

/// The number of elements of a window of halos: the cells left and right of a strip, once for even and once for odd
/// steps. So no rank waits for a neighbour that still reads the previous halos.
pub const HALOS: usize = 4;

/// The index of the left halo in the window in this step; the right halo is the next element.
pub fn left_halo(step: usize) -> usize {
    step % 2 * 2
}

impl Task for Mpi {
    type Problem = Heat;
    type Prepared = Share;
    type Raw = (Share, Vec<Notice>);

    const OUTPUT: Place = Place::Home;

    fn validation(&self, rod: &Rod, ranks: usize) -> std::result::Result<(), Invalid> {
        By::Pscw.validation(rod, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Rod>) -> Result<Share> {
        By::Pscw.preprocessing(world, input)
    }

    fn run(&self, world: &World, share: &Share) -> Result<Self::Raw> {
        By::Pscw.run(world, share)
    }

    fn postprocessing(&self, world: &World, raw: Self::Raw) -> Result<Rooted<Diary>> {
        By::Pscw.postprocessing(world, raw)
    }
}

impl Task for By {
    type Problem = Heat;
    type Prepared = Share;
    type Raw = (Share, Vec<Notice>);

    const OUTPUT: Place = Place::Home;

    fn validation(&self, rod: &Rod, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(rod, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Rod>) -> Result<Share> {
        let rod = input.here();
        let mut numbers = rod.as_ref().map_or([0; 2], |rod| [rod.cells.len(), rod.steps]);
        world.bcast(&mut numbers, ROOT)?;
        let mut alarm = [rod.as_ref().map_or(0.0, |rod| rod.alarm)];
        world.bcast(&mut alarm, ROOT)?;
        let [cells, steps] = numbers;
        let counts = counts(cells, world.size());
        let mut mine = vec![0.0; counts[world.rank()]];
        world.scatterv(rod.as_ref().map(|rod| (&rod.cells[..], &counts[..])), &mut mine, ROOT)?;
        let first = counts[..world.rank()].iter().sum();
        Ok(Share { strip: Strip { first, cells: mine }, steps, alarm: alarm[0], counts })
    }

    fn run(&self, world: &World, share: &Share) -> Result<(Share, Vec<Notice>)> {
        let Share { steps, alarm, ref counts, .. } = *share;
        let halos = world.window::<f64>(HALOS)?;
        let neighbours = Neighbours::of(world.rank(), counts);
        let mut strip = share.strip.clone();
        let mut notices = vec![];
        for step in 1..=steps {
            self.exchange(world, &halos, neighbours, &strip, step)?;
            let [left, right] = read(&halos, neighbours, step, *self)?;
            world.work(strip::flops(strip.cells.len()), 0);
            let next = strip.step(left, right);
            notices.extend(next.notices(&strip, alarm, step));
            strip = next;
        }
        halos.free()?;
        let board = self.pin(world, &notices)?;
        Ok((Share { strip, steps, alarm, counts: counts.clone() }, board))
    }

    fn postprocessing(&self, world: &World, (share, mut notices): Self::Raw) -> Result<Rooted<Diary>> {
        let mut cells = vec![0.0; if world.rank() == ROOT { share.counts.iter().sum() } else { 0 }];
        let room = (world.rank() == ROOT).then_some((&mut cells[..], &share.counts[..]));
        world.gatherv(&share.strip.cells, room, ROOT)?;
        notices.sort_unstable();
        Ok(Rooted::on(world.rank() == ROOT, || Diary { cells, notices }))
    }
}

impl By {
    /// Puts this rank's outermost cells into the neighbours' windows; the neighbours put theirs into this rank's
    /// window.
    fn exchange(
        &self,
        world: &World,
        halos: &Window<f64>,
        neighbours: Neighbours,
        strip: &Strip,
        step: usize,
    ) -> Result<()> {
        let edges = [strip.cells.first(), strip.cells.last()].map(|edge| edge.copied().unwrap_or(0.0));
        match self {
            By::Fence => fence::exchange(halos, neighbours, edges, step),
            By::Pscw => pscw::exchange(halos, neighbours, edges, step),
            By::Locks => locks::exchange(world, halos, neighbours, edges, step),
        }
    }

    /// All notices on the board, on the root, in an undefined order.
    fn pin(&self, world: &World, notices: &[Notice]) -> Result<Vec<Notice>> {
        let mut total = [0u64];
        world.allreduce(&[notices.len() as u64], &mut total, workbench::Operation::Sum)?;
        let room = if world.rank() == ROOT { 1 + 2 * total[0] as usize } else { 0 };
        let board = world.window::<u64>(room)?;
        let numbers: Vec<u64> = notices.iter().flat_map(|n| [n.step as u64, n.cell as u64]).collect();
        let pinned = match self {
            By::Fence => fence::pin(&board, &numbers),
            By::Pscw => pscw::pin(&board, &numbers),
            By::Locks => locks::pin(world, &board, &numbers),
        }?;
        board.free()?;
        let notice = |&[step, cell]: &[u64; 2]| Notice { step: step as usize, cell: cell as usize };
        Ok(pinned.get(1..).unwrap_or_default().as_chunks().0.iter().map(notice).collect())
    }
}

/// The halos that the neighbours have put in this step.
fn read(halos: &Window<f64>, neighbours: Neighbours, step: usize, by: By) -> Result<[Option<f64>; 2]> {
    let mut pair = [0.0; 2];
    match by {
        By::Locks => locks::read(halos, step, &mut pair)?,
        By::Fence | By::Pscw => halos.read(left_halo(step), &mut pair)?,
    }
    Ok([neighbours.left.map(|_| pair[0]), neighbours.right.map(|_| pair[1])])
}

/// The number of cells of each rank. The numbers differ by at most one; ranks without cells are the last.
fn counts(cells: usize, ranks: usize) -> Vec<usize> {
    (0..ranks).map(|rank| cells / ranks + usize::from(rank < cells % ranks)).collect()
}
