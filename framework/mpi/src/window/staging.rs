//! Origin buffers of one-sided operations: MPI may read and write them until a synchronisation, so we own them.
//!
//! What is put is copied: small things side by side into one chunk that is used again and again, so that a steady stream
//! of them allocates nothing; large things into chunks of their own. What is got lands in a block that the window keeps
//! until it has come, whatever the user does with his end. A window that is never freed leaks both: MPI may still write.
use std::{cell::RefCell, mem, ptr::NonNull, rc::Rc};

use wb_comm::{Block, Completion, Fetched, Layout, Rank, Result, Ticket, View};

/// The reused chunk, in units of 16 bytes: room for 512 words.
const CHUNK_UNITS: usize = 256;
const UNIT: usize = size_of::<u128>();
/// Once so much lies in chunks of their own, a passive epoch completes what it has before it takes more.
const PATIENCE_BYTES: usize = 16 << 20;

/// See the module.
pub(crate) struct Staging {
    first: Chunk,
    /// Bytes of `first` in use.
    used: usize,
    more: Vec<Chunk>,
    more_bytes: usize,
    /// By target: operations not known to be complete.
    pending: Box<[usize]>,
    landings: Vec<(Rank, Rc<Landing>)>,
    completion: Completion,
}

/// Memory of fixed size that is reached through raw pointers only, because MPI looks at it at any time.
struct Chunk {
    start: NonNull<u128>,
    units: usize,
}

/// What an operation brings.
pub(crate) struct Landing {
    block: RefCell<Option<Block>>,
    ticket: Ticket,
}

/// The user's end of it.
pub(crate) struct Brought(Rc<Landing>);

impl Fetched for Brought {
    fn take(self: Box<Self>) -> Result<Block> {
        self.0.ticket.check()?;
        Ok(self.0.block.take().expect("taken once: taking consumes"))
    }
}

impl Chunk {
    fn of(units: usize) -> Self {
        let start = Box::into_raw(vec![0u128; units].into_boxed_slice()).cast();
        Self { start: NonNull::new(start).expect("no box is null"), units }
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        let all = NonNull::slice_from_raw_parts(self.start, self.units);
        // SAFETY: made by `into_raw` of a box of this length, and given back once.
        drop(unsafe { Box::from_raw(all.as_ptr()) });
    }
}

impl Staging {
    /// For a window of `size` ranks.
    pub(crate) fn of(size: usize) -> Self {
        Self {
            first: Chunk::of(CHUNK_UNITS),
            used: 0,
            more: vec![],
            more_bytes: 0,
            pending: vec![0; size].into(),
            landings: vec![],
            completion: Completion::of(size),
        }
    }

    /// Is there room for `bytes` without another chunk or with one that patience allows?
    pub(crate) fn has_room(&self, bytes: usize) -> bool {
        bytes <= self.rest() || (bytes > CHUNK_UNITS * UNIT && self.more_bytes < PATIENCE_BYTES)
    }

    /// Bytes of the first chunk that are free.
    fn rest(&self) -> usize {
        self.first.units * UNIT - self.used
    }

    /// Copies `data` to where it stays until all operations on `target` are complete.
    pub(crate) fn stage(&mut self, target: Rank, data: View<'_>) -> *const u8 {
        let bytes = data.bytes();
        let place = self.place(bytes.len());
        // SAFETY: `place` has room for that many bytes that nobody uses.
        unsafe { place.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        self.pending[target] += 1;
        place
    }

    fn place(&mut self, bytes: usize) -> *mut u8 {
        let units = bytes.div_ceil(UNIT);
        if bytes <= self.rest() {
            let offset = self.used;
            // Elements have at most 16 bytes; multiples of 8 keep words aligned and dense.
            self.used += bytes.next_multiple_of(8);
            // SAFETY: inside the chunk: `bytes` fit into the rest, and its size is a multiple of 8.
            return unsafe { self.first.start.cast::<u8>().add(offset) }.as_ptr();
        }
        let chunk = Chunk::of(units);
        let start = chunk.start.cast().as_ptr();
        self.more_bytes += units * UNIT;
        self.more.push(chunk);
        start
    }

    /// Room for what an operation on `target` brings: where MPI may write, and the user's end.
    pub(crate) fn land(&mut self, target: Rank, layout: Layout, count: usize) -> (*mut u8, Box<dyn Fetched>) {
        let mut block = Block::zeroed(layout, count);
        let start = block.view_mut().bytes().as_mut_ptr();
        let ticket = self.completion.ticket(target);
        let landing = Rc::new(Landing { block: RefCell::new(Some(block)), ticket });
        self.landings.push((target, Rc::clone(&landing)));
        self.pending[target] += 1;
        (start, Box::new(Brought(landing)))
    }

    /// The targets of operations that are not known to be complete.
    pub(crate) fn open_targets(&self) -> impl Iterator<Item = Rank> {
        self.pending.iter().enumerate().filter(|(_, pending)| **pending > 0).map(|(target, _)| target)
    }

    /// Everything so far on `target` is complete here; `None`: on all ranks.
    pub(crate) fn complete(&mut self, target: Option<Rank>) {
        self.completion.complete(target);
        match target {
            Some(target) => {
                if mem::take(&mut self.pending[target]) == 0 {
                    return;
                }
                self.landings.retain(|(of, _)| *of != target);
            }
            None => {
                self.pending.fill(0);
                self.landings.clear();
            }
        }
        if self.pending.iter().all(|pending| *pending == 0) {
            self.used = 0;
            self.more.clear();
            self.more_bytes = 0;
        }
    }

    /// MPI may use the buffers for ever.
    pub(crate) fn leak(&mut self) {
        mem::forget(mem::take(&mut self.landings));
        mem::forget(mem::take(&mut self.more));
        mem::forget(mem::replace(&mut self.first, Chunk::of(0)));
        self.used = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_things_lie_side_by_side_until_all_are_complete() {
        let mut staging = Staging::of(2);
        let first = staging.stage(0, View::of(&[1i64]));
        let second = staging.stage(1, View::of(&[2i64]));
        assert_eq!(second.addr() - first.addr(), 8);
        // SAFETY: staged above and kept.
        assert_eq!(unsafe { (*first.cast::<i64>(), *second.cast::<i64>()) }, (1, 2));
        staging.complete(Some(0));
        assert_eq!(staging.open_targets().collect::<Vec<_>>(), [1]);
        assert_ne!(staging.stage(0, View::of(&[3i64])), first, "rank 1's is still in use");
        staging.complete(Some(0));
        staging.complete(Some(1));
        assert_eq!(staging.stage(0, View::of(&[3u8; 3])), first);
        assert_eq!(staging.stage(0, View::of(&[4i64])), second, "aligned again");
    }

    #[test]
    fn a_full_chunk_asks_for_completion_and_large_things_have_their_own() {
        let mut staging = Staging::of(1);
        let all = CHUNK_UNITS * UNIT;
        staging.stage(0, View::of(&vec![7u8; all]));
        assert!(!staging.has_room(1) && staging.has_room(all + 1));
        staging.stage(0, View::of(&[8u8]));
        staging.stage(0, View::of(&vec![9u8; all + 1]));
        assert_eq!(staging.more.len(), 2);
        staging.complete(None);
        assert!(staging.more.is_empty() && staging.has_room(1));
    }

    /// Every size up to past the chunk's end, from every fill: nothing lies outside its chunk or over what lies there.
    #[test]
    fn what_is_staged_stays_inside_its_chunk_and_overlaps_nothing() {
        let all = CHUNK_UNITS * UNIT;
        let data = vec![7u8; all + 1];
        for (before, after) in [0, 1, 7, 8, all - 9, all - 8, all - 7, all - 1, all]
            .into_iter()
            .flat_map(|before| [0, 1, 7, 8, 9, 16, all - 1, all, all + 1].map(|after| (before, after)))
        {
            let mut staging = Staging::of(1);
            let places =
                [before, after].map(|bytes| (staging.stage(0, View::of(&data[..bytes])).addr(), bytes));
            let chunks: Vec<_> = [&staging.first].into_iter().chain(&staging.more).collect();
            for (place, bytes) in places {
                let inside = |chunk: &&Chunk| {
                    let start = chunk.start.as_ptr().addr();
                    start <= place && place + bytes <= start + chunk.units * UNIT
                };
                assert!(chunks.iter().any(inside), "{before}, then {after}");
            }
            let [(first, _), (second, _)] = places;
            let apart = first + before <= second || second + after <= first;
            assert!(apart || before == 0 || after == 0, "{before}, then {after}");
        }
    }

    #[test]
    fn after_a_leak_nothing_is_staged_in_memory_that_is_not_there() {
        let mut staging = Staging::of(1);
        staging.stage(0, View::of(&[1i64; 3]));
        staging.leak();
        assert_eq!(staging.rest(), 0);
        let place = staging.stage(0, View::of(&[2i64]));
        assert_eq!(place, staging.more[0].start.as_ptr().cast_const().cast());
    }

    #[test]
    fn what_lands_can_be_taken_once_it_is_complete() {
        let mut staging = Staging::of(2);
        let (start, brought) = staging.land(1, Layout::I64, 2);
        let (_, dropped) = staging.land(1, Layout::I64, 2);
        drop(dropped);
        // SAFETY: room for two words, written by nobody else.
        unsafe { start.cast::<i64>().write(5) };
        assert_eq!(staging.landings.len(), 2, "MPI may still write into what the user dropped");
        staging.complete(Some(1));
        assert!(staging.landings.is_empty());
        assert_eq!(brought.take().expect("complete").into_vec::<i64>(), Some(vec![5, 0]));
        let (_, early) = staging.land(0, Layout::U8, 1);
        assert!(early.take().is_err());
    }
}
