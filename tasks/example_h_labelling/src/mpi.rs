//! The parallel version: each rank labels a strip, and the pairs of labels at the borders join the strips.
//!
//! | stage | operations | communication (h rows of w pixels, P ranks) |
//! |---|---|---|
//! | preprocessing | each rank gets its strip | h w bytes |
//! | run | find the components; send the last row's labels to the next rank; gather the pairs on all ranks; write the labels | (P - 1) w numbers, then at most (P - 1) w numbers to every rank |
//! | postprocessing | the root gathers the labels | h w numbers |
//!
//! A border has at most w / 2 pairs, because pixels side by side have the same label. Every rank finds the smallest labels from
//! all pairs, up to (P - 1) w / 2 of them, beside h w / P pixels of its strip. So the efficiency of `run` is near 1 while a strip has
//! many more rows than there are ranks.
//!
//! The labels are eight times as long as the pixels, and in `postprocessing` all of them go to one rank. So the whole pipeline
//! gains less than `run`.
use workbench::{Invalid, Place, Rank, Result, Rooted, Task, World};

use crate::{
    merge::{pairs, smallest},
    problem::{BinaryImage, Labelling},
    seq::Seq,
    strip::{Components, cost},
};

/// The rank that has the image at the beginning and the labels at the end.
const ROOT: Rank = 0;

/// The tag of a row of labels.
const ROW_TAG: i32 = 1;

/// Labels by strips.
pub struct Mpi;

/// A strip of one rank.
pub struct Strip {
    pixels: Vec<u8>,
    columns: usize,
    /// The number of pixels of each rank's strip.
    counts: Vec<usize>,
}

/// The labels of one rank's strip, and the number of pixels of each strip.
pub struct Labels {
    labels: Vec<u64>,
    counts: Vec<usize>,
}

impl Task for Mpi {
    type Problem = Labelling;
    type Prepared = Strip;
    type Raw = Labels;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, image: &BinaryImage, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(image, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<BinaryImage>) -> Result<Strip> {
        let image = input.here();
        let mut shape = image.as_ref().map_or([0; 2], |image| [image.rows, image.columns]);
        world.bcast(&mut shape, ROOT)?;
        let [rows, columns] = shape;
        let counts: Vec<usize> =
            (0..world.size()).map(|rank| height(rows, world.size(), rank) * columns).collect();
        let mut pixels = vec![0; counts[world.rank()]];
        world.scatterv(image.as_ref().map(|image| (&image.pixels[..], &counts[..])), &mut pixels, ROOT)?;
        Ok(Strip { pixels, columns, counts })
    }

    fn run(&self, world: &World, Strip { pixels, columns, counts }: &Strip) -> Result<Labels> {
        let (flops, bytes) = cost(pixels.len());
        world.work(flops, bytes);
        let offset = counts[..world.rank()].iter().sum();
        let components = Components::of(pixels, *columns, offset);
        let mine = border_pairs(world, &components, *columns, counts)?;
        let smaller = smallest(&gather_pairs(world, &mine)?);
        Ok(Labels { labels: components.labels(&smaller), counts: counts.clone() })
    }

    fn postprocessing(&self, world: &World, Labels { labels, counts }: Labels) -> Result<Rooted<Vec<u64>>> {
        let mut all = (world.rank() == ROOT).then(|| vec![0; counts.iter().sum()]);
        world.gatherv(&labels, all.as_mut().map(|all| (&mut all[..], &counts[..])), ROOT)?;
        Ok(all.into())
    }
}

/// The pairs at the border to the rank before. The labels of the last row go to the next rank; ranks without pixels are the
/// last ones, and take no part.
fn border_pairs(
    world: &World,
    components: &Components,
    columns: usize,
    counts: &[usize],
) -> Result<Vec<[u64; 2]>> {
    let (rank, count) = (world.rank(), counts[world.rank()]);
    let has_next = counts.get(rank + 1).is_some_and(|count| *count > 0);
    let sent = match has_next {
        true => Some(world.isend(components.labels_of(count - columns..count), rank + 1, ROW_TAG)?),
        false => None,
    };
    let mut found = vec![];
    if rank > 0 && count > 0 {
        let mut above = vec![0; columns];
        world.recv(&mut above, rank - 1, ROW_TAG)?;
        found = pairs(&above, &components.labels_of(0..columns));
    }
    if let Some(sent) = sent {
        sent.wait()?;
    }
    Ok(found)
}

/// The pairs of all ranks, on every rank.
fn gather_pairs(world: &World, mine: &[[u64; 2]]) -> Result<Vec<[u64; 2]>> {
    let numbers = mine.as_flattened();
    let mut counts = vec![0; world.size()];
    world.allgather(&[numbers.len()], &mut counts)?;
    let mut all = vec![0; counts.iter().sum()];
    world.allgatherv(numbers, &mut all, &counts)?;
    Ok(all.as_chunks().0.to_vec())
}

/// The number of rows of `rank`'s strip, out of `rows` rows. The heights differ by at most one; with fewer rows than ranks
/// the last strips are empty.
fn height(rows: usize, ranks: usize, rank: Rank) -> usize {
    rows / ranks + usize::from(rank < rows % ranks)
}
