//! The strips of a sparse matrix: how the rows are divided, scattered and gathered.
//!
//! A strip is sent in three parts: the lengths of its rows, its columns and its values. Starts are positions in the whole
//! matrix, so the lengths are sent instead.
use workbench::{Rank, Result, Wire, World};

use crate::crs::Crs;

/// The number of rows of each rank's strip, so that the strips need about the same number of multiplications: a strip ends
/// where the sum over all rows so far passes the rank's share. Rows without multiplications are divided evenly.
pub fn heights(multiplications: &[u64], ranks: usize) -> Vec<usize> {
    // Each row counts a little by itself, so that rows without multiplications are divided, too.
    let ends: Vec<u64> = multiplications
        .iter()
        .scan(0, |sum, row| {
            *sum += row + 1;
            Some(*sum)
        })
        .collect();
    let all = u128::from(ends.last().copied().unwrap_or(0));
    let end = |rank: Rank| {
        let share = all * (rank as u128 + 1) / ranks as u128;
        ends.partition_point(|end| u128::from(*end) <= share)
    };
    (0..ranks).map(|rank| end(rank) - if rank == 0 { 0 } else { end(rank - 1) }).collect()
}

/// Scatters the root's matrix of `width` columns in strips of these heights.
///
/// # Errors
/// Those of the collective calls.
pub fn scatter(
    world: &World,
    matrix: Option<&Crs>,
    width: usize,
    heights: &[usize],
    root: Rank,
) -> Result<Crs> {
    let all_lengths = matrix.map(Crs::lengths);
    let mut lengths = vec![0; heights[world.rank()]];
    world.scatterv(all_lengths.as_ref().map(|all| (&all[..], heights)), &mut lengths, root)?;
    let counts = all_lengths.map(|lengths| sums(&lengths, heights));
    let count = lengths.iter().sum();
    let (mut columns, mut values) = (vec![0; count], vec![0.0; count]);
    world.scatterv(matrix.map(|m| &m.columns[..]).zip(counts.as_deref()), &mut columns, root)?;
    world.scatterv(matrix.map(|m| &m.values[..]).zip(counts.as_deref()), &mut values, root)?;
    Ok(Crs { width, starts: starts(&lengths), columns, values })
}

/// Broadcasts the root's matrix to every rank.
///
/// # Errors
/// Those of the collective calls.
pub fn replicate(world: &World, matrix: Option<Crs>, root: Rank) -> Result<Crs> {
    let mut sizes = matrix.as_ref().map_or([0; 3], |m| [m.width, m.starts.len(), m.columns.len()]);
    world.bcast(&mut sizes, root)?;
    let [width, starts, count] = sizes;
    let room = || Crs { width, starts: vec![0; starts], columns: vec![0; count], values: vec![0.0; count] };
    let mut copy = matrix.unwrap_or_else(room);
    world.bcast(&mut copy.starts, root)?;
    world.bcast(&mut copy.columns, root)?;
    world.bcast(&mut copy.values, root)?;
    Ok(copy)
}

/// Gathers strips of these heights on the root.
///
/// # Errors
/// Those of the collective calls.
pub fn gather(world: &World, strip: &Crs, heights: &[usize], root: Rank) -> Result<Option<Crs>> {
    let lengths = collect(world, &strip.lengths(), heights, root)?;
    let counts = lengths.as_ref().map(|lengths| sums(lengths, heights)).unwrap_or_default();
    let columns = collect(world, &strip.columns, &counts, root)?;
    let values = collect(world, &strip.values, &counts, root)?;
    let parts = lengths.zip(columns).zip(values);
    Ok(parts.map(|((lengths, columns), values)| Crs {
        width: strip.width,
        starts: starts(&lengths),
        columns,
        values,
    }))
}

/// Gathers parts of these counts, which the root knows.
fn collect<T: Wire>(world: &World, part: &[T], counts: &[usize], root: Rank) -> Result<Option<Vec<T>>> {
    let mut all = (world.rank() == root).then(|| vec![T::default(); counts.iter().sum()]);
    world.gatherv(part, all.as_mut().map(|all| (&mut all[..], counts)), root)?;
    Ok(all)
}

/// The number of elements in each strip.
fn sums(lengths: &[usize], heights: &[usize]) -> Vec<usize> {
    let mut lengths = lengths.iter();
    heights.iter().map(|height| lengths.by_ref().take(*height).sum()).collect()
}

/// The starts of rows of these lengths.
fn starts(lengths: &[usize]) -> Vec<usize> {
    let mut starts = vec![0];
    starts.extend(lengths.iter().scan(0, |end, length| {
        *end += length;
        Some(*end)
    }));
    starts
}
