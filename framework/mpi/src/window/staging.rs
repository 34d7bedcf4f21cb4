//! The buffers of one-sided operations at the origin: MPI may access them until a synchronisation, so we own them.
//!
//! The data of puts are copied: small ones next to each other into one reused chunk, so that a steady stream of puts
//! allocates nothing; large ones into chunks of their own. Fetched data are written to a block that the window keeps
//! until the fetch is complete, even if the user drops the ticket. A window that is never freed leaks both: MPI may
//! still write.
use std::{cell::RefCell, mem, ptr::NonNull, rc::Rc};

use wb_comm::{Block, CompletionTicket, CompletionTracker, Datatype, PendingFetch, Rank, Result, View};

/// The reused chunk, in units of 16 bytes: room for 512 words.
const CHUNK_UNITS: usize = 256;
const UNIT: usize = size_of::<u128>();
/// When the separate chunks hold this number of bytes, a passive epoch completes its operations before it stages more.
const FLUSH_THRESHOLD_BYTES: usize = 16 << 20;

/// The staging buffers of a window (see the module).
pub(crate) struct Staging {
    reused: Chunk,
    /// Bytes of `first` in use.
    used: usize,
    extra: Vec<Chunk>,
    extra_bytes: usize,
    /// For each target, the number of operations not known to be complete.
    pending: Box<[usize]>,
    fetches: Vec<(Rank, Rc<FetchBuffer>)>,
    completion: CompletionTracker,
}

/// Memory of fixed size that is accessed through raw pointers only, because MPI may access it at any time.
struct Chunk {
    start: NonNull<u128>,
    units: usize,
}

/// The buffer of a fetching operation.
pub(crate) struct FetchBuffer {
    block: RefCell<Option<Block>>,
    ticket: CompletionTicket,
}

/// The user's handle of it.
pub(crate) struct FetchResult(Rc<FetchBuffer>);

impl PendingFetch for FetchResult {
    fn take(self: Box<Self>) -> Result<Block> {
        self.0.ticket.check()?;
        Ok(self.0.block.take().expect("taken once: taking consumes"))
    }
}

impl Chunk {
    fn new(units: usize) -> Self {
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
    /// The buffers for a window of `size` ranks.
    pub(crate) fn new(size: usize) -> Self {
        Self {
            reused: Chunk::new(CHUNK_UNITS),
            used: 0,
            extra: vec![],
            extra_bytes: 0,
            pending: vec![0; size].into(),
            fetches: vec![],
            completion: CompletionTracker::new(size),
        }
    }

    /// Whether there is room for `bytes` without another chunk, or with a separate chunk below the flush threshold.
    pub(crate) fn has_room(&self, bytes: usize) -> bool {
        bytes <= self.free_bytes() || (bytes > CHUNK_UNITS * UNIT && self.extra_bytes < FLUSH_THRESHOLD_BYTES)
    }

    /// The number of free bytes of the first chunk.
    fn free_bytes(&self) -> usize {
        self.reused.units * UNIT - self.used
    }

    /// Copies `data` to a place where it stays until all operations on `target` are complete.
    pub(crate) fn stage(&mut self, target: Rank, data: View<'_>) -> *const u8 {
        let bytes = data.bytes();
        let place = self.allocate(bytes.len());
        // SAFETY: `place` has room for that many bytes, which no other code uses.
        unsafe { place.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        self.pending[target] += 1;
        place
    }

    fn allocate(&mut self, bytes: usize) -> *mut u8 {
        let units = bytes.div_ceil(UNIT);
        if bytes <= self.free_bytes() {
            let offset = self.used;
            // Elements have at most 16 bytes; multiples of 8 keep words aligned and dense.
            self.used += bytes.next_multiple_of(8);
            // SAFETY: inside the chunk: `bytes` fit into the rest, and its size is a multiple of 8.
            return unsafe { self.reused.start.cast::<u8>().add(offset) }.as_ptr();
        }
        let chunk = Chunk::new(units);
        let start = chunk.start.cast().as_ptr();
        self.extra_bytes += units * UNIT;
        self.extra.push(chunk);
        start
    }

    /// A buffer for the result of an operation on `target`: the address for MPI, and the user's handle.
    pub(crate) fn fetch_buffer(
        &mut self,
        target: Rank,
        datatype: Datatype,
        count: usize,
    ) -> (*mut u8, Box<dyn PendingFetch>) {
        let mut block = Block::zeroed(datatype, count);
        let start = block.view_mut().bytes().as_mut_ptr();
        let ticket = self.completion.ticket(target);
        let landing = Rc::new(FetchBuffer { block: RefCell::new(Some(block)), ticket });
        self.fetches.push((target, Rc::clone(&landing)));
        self.pending[target] += 1;
        (start, Box::new(FetchResult(landing)))
    }

    /// The targets of operations that are not known to be complete.
    pub(crate) fn incomplete_targets(&self) -> impl Iterator<Item = Rank> {
        self.pending.iter().enumerate().filter(|(_, pending)| **pending > 0).map(|(target, _)| target)
    }

    /// All operations so far on `target` are complete at the origin; `None`: on all ranks.
    pub(crate) fn complete(&mut self, target: Option<Rank>) {
        self.completion.complete(target);
        match target {
            Some(target) => {
                if mem::take(&mut self.pending[target]) == 0 {
                    return;
                }
                self.fetches.retain(|(of, _)| *of != target);
            }
            None => {
                self.pending.fill(0);
                self.fetches.clear();
            }
        }
        if self.pending.iter().all(|pending| *pending == 0) {
            self.used = 0;
            self.extra.clear();
            self.extra_bytes = 0;
        }
    }

    /// Leaks the buffers, which MPI may use for ever.
    pub(crate) fn leak(&mut self) {
        mem::forget(mem::take(&mut self.fetches));
        mem::forget(mem::take(&mut self.extra));
        mem::forget(mem::replace(&mut self.reused, Chunk::new(0)));
        self.used = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_things_lie_side_by_side_until_all_are_complete() {
        let mut staging = Staging::new(2);
        let first = staging.stage(0, View::from_slice(&[1i64]));
        let second = staging.stage(1, View::from_slice(&[2i64]));
        assert_eq!(second.addr() - first.addr(), 8);
        // SAFETY: staged above and kept.
        assert_eq!(unsafe { (*first.cast::<i64>(), *second.cast::<i64>()) }, (1, 2));
        staging.complete(Some(0));
        assert_eq!(staging.incomplete_targets().collect::<Vec<_>>(), [1]);
        assert_ne!(staging.stage(0, View::from_slice(&[3i64])), first, "rank 1's is still in use");
        staging.complete(Some(0));
        staging.complete(Some(1));
        assert_eq!(staging.stage(0, View::from_slice(&[3u8; 3])), first);
        assert_eq!(staging.stage(0, View::from_slice(&[4i64])), second, "aligned again");
    }

    #[test]
    fn a_full_chunk_asks_for_completion_and_large_things_have_their_own() {
        let mut staging = Staging::new(1);
        let all = CHUNK_UNITS * UNIT;
        staging.stage(0, View::from_slice(&vec![7u8; all]));
        assert!(!staging.has_room(1) && staging.has_room(all + 1));
        staging.stage(0, View::from_slice(&[8u8]));
        staging.stage(0, View::from_slice(&vec![9u8; all + 1]));
        assert_eq!(staging.extra.len(), 2);
        staging.complete(None);
        assert!(staging.extra.is_empty() && staging.has_room(1));
    }

    /// Every size up to more than a chunk, at every fill level: no data lie outside their chunk or overwrite others.
    #[test]
    fn what_is_staged_stays_inside_its_chunk_and_overlaps_nothing() {
        let all = CHUNK_UNITS * UNIT;
        let data = vec![7u8; all + 1];
        for (before, after) in [0, 1, 7, 8, all - 9, all - 8, all - 7, all - 1, all]
            .into_iter()
            .flat_map(|before| [0, 1, 7, 8, 9, 16, all - 1, all, all + 1].map(|after| (before, after)))
        {
            let mut staging = Staging::new(1);
            let places = [before, after]
                .map(|bytes| (staging.stage(0, View::from_slice(&data[..bytes])).addr(), bytes));
            let chunks: Vec<_> = [&staging.reused].into_iter().chain(&staging.extra).collect();
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
        let mut staging = Staging::new(1);
        staging.stage(0, View::from_slice(&[1i64; 3]));
        staging.leak();
        assert_eq!(staging.free_bytes(), 0);
        let place = staging.stage(0, View::from_slice(&[2i64]));
        assert_eq!(place, staging.extra[0].start.as_ptr().cast_const().cast());
    }

    #[test]
    fn what_lands_can_be_taken_once_it_is_complete() {
        let mut staging = Staging::new(2);
        let (start, fetched) = staging.fetch_buffer(1, Datatype::I64, 2);
        let (_, dropped) = staging.fetch_buffer(1, Datatype::I64, 2);
        drop(dropped);
        // SAFETY: room for two words, which no other code writes.
        unsafe { start.cast::<i64>().write(5) };
        assert_eq!(staging.fetches.len(), 2, "MPI may still write into what the user dropped");
        staging.complete(Some(1));
        assert!(staging.fetches.is_empty());
        assert_eq!(fetched.take().expect("complete").into_vec::<i64>(), Some(vec![5, 0]));
        let (_, early) = staging.fetch_buffer(0, Datatype::U8, 1);
        assert!(early.take().is_err());
    }
}
