//! The cache lines that an algorithm moves are those that its row says.
use std::{cmp, collections::HashSet, thread};

use crate::collectives::shared_memory::{
    AtomicWords, CacheLines, Segment, SegmentLayout, SegmentWords, SharedAlgorithm, SharedExtent, all,
};
use wb_comm::{Rank, Result, SpinPolicy};

use super::{TestCall, both, buffers, compose, kind, memory, site, states};

/// Counts the lines of flags and payloads of other ranks that a rank reads in a round, and those that it writes.
struct Counted<'a> {
    words: AtomicWords<'a>,
    layout: SegmentLayout,
    rank: Rank,
    read: HashSet<(Rank, usize)>,
    written: HashSet<usize>,
    lines: CacheLines,
}

impl Counted<'_> {
    /// The words of a line that are for data.
    fn lines(&self, rank: Rank, at: usize, words: usize) -> Vec<usize> {
        let tail = self.layout.acknowledgement(rank)..self.layout.payload(rank, 0, self.layout.slot_bytes());
        if tail.contains(&at) { vec![] } else { (at / 8..=(at + words.max(1) - 1) / 8).collect() }
    }
}

impl SegmentWords for Counted<'_> {
    fn write(&mut self, at: usize, bytes: &[u8]) -> Result<()> {
        let lines = self.lines(self.rank, at, bytes.len().div_ceil(8));
        self.written.extend(lines);
        self.words.write(at, bytes)
    }
    fn publish(&mut self, at: usize, value: i64) -> Result<()> {
        let lines = self.lines(self.rank, at, 1);
        self.written.extend(lines);
        if at == self.layout.acknowledgement(self.rank) {
            self.lines.read += self.read.drain().count();
            self.lines.written += self.written.drain().count();
        }
        self.words.publish(at, value)
    }
    fn read(&mut self, rank: Rank, at: usize, into: &mut [u8]) -> Result<()> {
        let lines = self.lines(rank, at, into.len().div_ceil(8));
        self.read.extend(lines.into_iter().map(|line| (rank, line)));
        self.words.read(rank, at, into)
    }
    fn load(&mut self, rank: Rank, at: usize) -> Result<i64> {
        self.words.load(rank, at)
    }
    fn spin(&mut self, rank: Rank, at: usize, least: i64) -> Result<Option<i64>> {
        let lines = self.lines(rank, at, 1);
        self.read.extend(lines.into_iter().map(|line| (rank, line)));
        self.words.spin(rank, at, least)
    }
    fn yield_core(&mut self) {
        self.words.yield_core();
    }
}

/// The most lines that a rank writes, and reads, in a call.
fn counted(algorithm: &SharedAlgorithm, call: TestCall, layout: SegmentLayout, size: usize) -> CacheLines {
    let (words, mut states) = (memory(&layout, size), states(size));
    let mut most = CacheLines { written: 0, read: 0 };
    thread::scope(|scope| {
        let run = |(rank, state)| {
            let words = AtomicWords::new(&words, SpinPolicy::SHARED_CORE);
            scope.spawn(move || {
                let (read, written) = (HashSet::new(), HashSet::new());
                let lines = CacheLines { written: 0, read: 0 };
                let mut counted = Counted { words, layout, rank, read, written, lines };
                let mut segment =
                    Segment::new(&mut counted as &mut dyn SegmentWords, &layout, rank, state, &|_| Ok(()));
                let (send, mut recv, result) = buffers(call, compose(), rank, size);
                let both = both(&send, &mut recv);
                algorithm
                    .run_on_any(&mut segment, kind(call, compose()), both, site(call.verb))
                    .expect("all call it");
                assert!(result.is_none_or(|result| result == recv), "{call:?} in any memory");
                counted.lines
            })
        };
        for rank in states.iter_mut().enumerate().map(run).collect::<Vec<_>>() {
            let lines = rank.join().expect("no panic");
            most = CacheLines {
                written: cmp::max(most.written, lines.written),
                read: cmp::max(most.read, lines.read),
            };
        }
    });
    most
}

#[test]
fn every_algorithm_moves_the_lines_of_its_row() {
    for algorithm in all() {
        let verb = algorithm.verbs[0];
        let verb = if verb == wb_comm::Verb::ReduceScatter { algorithm.verbs[1] } else { verb };
        for (size, layout) in [
            (2, SegmentLayout::padded(4, 1024)),
            (3, SegmentLayout::padded(2, 1024)),
            (4, SegmentLayout::padded(4, 4096)),
        ] {
            for count in [size, 2 * size, 8 * size, 96, 120 * size, 1200] {
                let call = TestCall { verb, root: 1, count, number: 0 };
                let row = (algorithm.lines)(SharedExtent { size, bytes: 8 * count, layout });
                let found = counted(algorithm, call, layout, size);
                assert_eq!(found, row, "{}: {count} elements, P = {size}", algorithm.name);
            }
        }
    }
}
