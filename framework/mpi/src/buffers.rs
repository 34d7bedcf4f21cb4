//! Buffers of collectives as MPI takes them: an address, and counts and displacements that fit `int`s and the buffer.
use std::{
    ffi::{c_int, c_void},
    ptr,
};

use mpi::ffi::MPI_Datatype;
use wb_comm::{RankBlocks, Result, View, ViewMut};

use crate::check::{self, check_length};

/// Counts and displacements of the blocks of all ranks, as MPI takes them.
#[derive(Default)]
pub(crate) struct CountsAndDispls {
    pub(crate) counts: Vec<c_int>,
    pub(crate) displs: Vec<c_int>,
    /// The types of the blocks, where each has its own; the displacements are bytes then.
    pub(crate) datatypes: Vec<MPI_Datatype>,
}

impl CountsAndDispls {
    /// The addresses of both.
    pub(crate) fn addresses(&self) -> (*const c_int, *const c_int) {
        (self.counts.as_ptr(), self.displs.as_ptr())
    }

    /// The blocks of a buffer of `capacity` elements.
    pub(crate) fn for_buffer(
        (verb, buffer): (&'static str, &'static str),
        blocks: RankBlocks<'_>,
        ranks: usize,
        capacity: usize,
    ) -> Result<Self> {
        blocks.check((verb, buffer), capacity, ranks)?;
        // MPI's displacements are ints too, so the whole buffer must be countable.
        check::to_count(blocks.end())?;
        let counts =
            blocks.counts().iter().map(|&count| check::to_count(count)).collect::<Result<Vec<_>>>()?;
        let contiguous = counts.iter().scan(0, |next, count| {
            let start = *next;
            *next += count;
            Some(start)
        });
        let displs = match blocks.displacements() {
            None => contiguous.collect(),
            Some(_) => {
                (0..ranks).map(|rank| check::to_count(blocks.block(rank).start)).collect::<Result<_>>()?
            }
        };
        Ok(Self { counts, displs, datatypes: vec![] })
    }
}

/// The number of elements of a buffer that holds one block of `count` for each of `ranks`. Where the product does not
/// fit, the result is more than any buffer has, and [`check_length`] refuses it.
pub(crate) fn total_count(ranks: usize, count: usize) -> usize {
    ranks.saturating_mul(count)
}

/// The block length of a buffer that holds one block for each of `ranks`.
pub(crate) fn block_count(
    verb: &'static str,
    buffer: &'static str,
    got: usize,
    ranks: usize,
) -> Result<usize> {
    let block = got / ranks;
    check_length(verb, buffer, got, block * ranks).map(|()| block)
}

/// The start of a view, for MPI. Rust gives an empty slice its alignment as its address, and 1 is `MPI_IN_PLACE` in
/// Open MPI. So empty buffers get an address that has no meaning in any library, and a different one to send and to
/// receive.
pub(crate) fn buffer_ptr(view: View<'_>) -> *const c_void {
    match view.count() {
        0 => ptr::without_provenance(4096),
        _ => view.bytes().as_ptr().cast(),
    }
}

/// The same for a buffer that MPI writes.
pub(crate) fn buffer_ptr_mut(view: &mut ViewMut<'_>) -> *mut c_void {
    match view.count() {
        0 => ptr::without_provenance_mut(8192),
        _ => view.bytes().as_mut_ptr().cast(),
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::Error;

    use super::*;

    fn blocks_of(blocks: RankBlocks<'_>, ranks: usize, capacity: usize) -> Result<CountsAndDispls> {
        CountsAndDispls::for_buffer(("gatherv", "recv"), blocks, ranks, capacity)
    }

    #[test]
    fn blocks_with_displacements_stay_inside_the_buffer() {
        let blocks = RankBlocks::new(&[2, 0, 3], &[4, usize::MAX, 0]);
        let made = blocks_of(blocks, 3, 7).expect("they fit");
        assert_eq!((made.counts, made.displs), (vec![2, 0, 3], vec![4, 0, 0]));
        assert!(matches!(blocks_of(blocks, 3, 5).err(), Some(Error::Layout(_))));
    }

    #[test]
    fn blocks_lie_one_after_the_other_and_fill_the_buffer() {
        let blocks = blocks_of(RankBlocks::contiguous(&[2, 0, 3]), 3, 5).expect("they fit");
        assert_eq!((blocks.counts, blocks.displs), (vec![2, 0, 3], vec![0, 2, 2]));
    }

    #[test]
    fn blocks_that_do_not_fill_the_buffer_are_refused() {
        let refused = |counts: &[usize], ranks, capacity| {
            blocks_of(RankBlocks::contiguous(counts), ranks, capacity).err().expect("refused")
        };
        let count = |buffer, got, expected| Error::Count { verb: "gatherv", buffer, got, expected };
        assert_eq!(refused(&[2, 3], 2, 6), count("recv", 6, 5));
        assert_eq!(refused(&[2, 3], 3, 5), count("counts", 2, 3));
        assert_eq!(refused(&[usize::MAX, 2], 2, 1), count("recv", 1, usize::MAX));
    }

    #[test]
    fn empty_buffers_are_at_no_address_with_a_meaning() {
        let special = [0, 1, usize::MAX];
        let send = buffer_ptr(View::from_slice::<u8>(&[])).addr();
        let recv = buffer_ptr_mut(&mut ViewMut::from_slice::<u8>(&mut [])).addr();
        assert!(!special.contains(&send) && !special.contains(&recv) && send != recv);
        let full = [1u8];
        assert_eq!(buffer_ptr(View::from_slice(&full)).addr(), full.as_ptr().addr());
    }

    #[test]
    fn blocks_that_no_buffer_can_hold_do_not_wrap_around_to_few() {
        assert_eq!((total_count(3, 5), total_count(3, 0)), (15, 0));
        for (ranks, count) in [(2, usize::MAX / 2 + 1), (4, usize::MAX / 4 + 1), (usize::MAX, usize::MAX)] {
            assert_eq!(total_count(ranks, count), usize::MAX, "{ranks} x {count}");
            assert!(check_length("scatter", "send", 0, total_count(ranks, count)).is_err());
        }
    }

    #[test]
    fn a_buffer_of_equal_blocks_divides_by_the_ranks() {
        assert_eq!(block_count("alltoall", "send", 6, 3), Ok(2));
        assert_eq!(block_count("alltoall", "send", 0, 3), Ok(0));
        assert!(block_count("alltoall", "send", 7, 3).is_err());
    }
}
