//! The parallel version: strips of the rod, halos in one window, the board in another.
//!
//! | stage | what happens |
//! |---|---|
//! | preprocessing | the strips are dealt out |
//! | run | windows are opened; each step exchanges the halos and computes; then the notices are pinned |
//! | postprocessing | the strips meet on the root, which has the board already |
//!
//! A step costs a synchronisation and two puts of one number, so the speed-up is near P only for strips of many cells.
use workbench::{Invalid, Place, Rank, Result, Rooted, Task, Window, World};

use crate::{
    fence, locks,
    problem::{Diary, Heat, Notice, Rod},
    pscw,
    seq::Seq,
    strip::{self, Strip},
};

/// The rank that has the rod at the beginning, and where the board hangs.
pub const ROOT: Rank = 0;

/// How epochs are opened and closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// All ranks together.
    Fence,
    /// Post, start, complete, wait: those that have to do with each other.
    Pscw,
    /// Lock, unlock: the target takes no part.
    Locks,
}

/// Steps the rod by strips.
pub struct Mpi(pub By);

/// What one rank steps.
pub struct Share {
    strip: Strip,
    steps: usize,
    alarm: f64,
    /// How many cells each rank has.
    counts: Vec<usize>,
}

/// Who has the cells next to a strip. Ranks without cells have no neighbours and are nobody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbours {
    /// Before it.
    pub left: Option<Rank>,
    /// After it.
    pub right: Option<Rank>,
}

impl Neighbours {
    /// Of `rank`, where the ranks with cells come before those without.
    pub fn of(rank: Rank, counts: &[usize]) -> Self {
        let has_cells = |rank: &Rank| counts.get(*rank).is_some_and(|count| *count > 0);
        let here = |neighbour: Option<Rank>| neighbour.filter(|n| has_cells(n) && has_cells(&rank));
        Self { left: here(rank.checked_sub(1)), right: here(rank.checked_add(1)) }
    }

    /// Both, as far as they exist.
    pub fn ranks(self) -> Vec<Rank> {
        [self.left, self.right].into_iter().flatten().collect()
    }
}

/// Elements of a window of halos: the cells left and right of a strip, once for even and once for odd steps, so that
/// nobody has to wait for a neighbour that still reads the last ones.
pub const HALOS: usize = 4;

/// Where the cell left of a strip is in that step; the one right of it comes next.
pub fn left_halo(step: usize) -> usize {
    step % 2 * 2
}

impl Task for Mpi {
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
            let [left, right] = read(&halos, neighbours, step, self.0)?;
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

impl Mpi {
    /// The neighbours' outermost cells come into this rank's window, and its own into theirs.
    fn exchange(
        &self,
        world: &World,
        halos: &Window<f64>,
        neighbours: Neighbours,
        strip: &Strip,
        step: usize,
    ) -> Result<()> {
        let edges = [strip.cells.first(), strip.cells.last()].map(|edge| edge.copied().unwrap_or(0.0));
        match self.0 {
            By::Fence => fence::exchange(halos, neighbours, edges, step),
            By::Pscw => pscw::exchange(halos, neighbours, edges, step),
            By::Locks => locks::exchange(world, halos, neighbours, edges, step),
        }
    }

    /// All notices on the board, on the root; in no defined order.
    fn pin(&self, world: &World, notices: &[Notice]) -> Result<Vec<Notice>> {
        let mut total = [0u64];
        world.allreduce(&[notices.len() as u64], &mut total, workbench::Operation::Sum)?;
        let room = if world.rank() == ROOT { 1 + 2 * total[0] as usize } else { 0 };
        let board = world.window::<u64>(room)?;
        let numbers: Vec<u64> = notices.iter().flat_map(|n| [n.step as u64, n.cell as u64]).collect();
        let pinned = match self.0 {
            By::Fence => fence::pin(&board, &numbers),
            By::Pscw => pscw::pin(&board, &numbers),
            By::Locks => locks::pin(world, &board, &numbers),
        }?;
        board.free()?;
        let notice = |pair: &[u64]| Notice { step: pair[0] as usize, cell: pair[1] as usize };
        Ok(pinned.get(1..).unwrap_or_default().chunks_exact(2).map(notice).collect())
    }
}

/// The halos that came in that step.
fn read(halos: &Window<f64>, neighbours: Neighbours, step: usize, by: By) -> Result<[Option<f64>; 2]> {
    let mut pair = [0.0; 2];
    match by {
        By::Locks => locks::read(halos, step, &mut pair)?,
        By::Fence | By::Pscw => halos.read(left_halo(step), &mut pair)?,
    }
    Ok([neighbours.left.map(|_| pair[0]), neighbours.right.map(|_| pair[1])])
}

/// How many cells each rank gets: none has more than one more than another, and those without come last.
fn counts(cells: usize, ranks: usize) -> Vec<usize> {
    (0..ranks).map(|rank| cells / ranks + usize::from(rank < cells % ranks)).collect()
}
