//! Laws of the `v` verbs with displacements.
use wb_world::{Error, RankBlocks, World};

use super::{Law, element, elements, ragged};

pub(super) const LAWS: &[Law] = &[
    ("scatterv_at: blocks of any order, with gaps, and shared ones", scatterv_at),
    ("gatherv_at: blocks arrive at their displacements, and nothing beside them changes", gatherv_at),
    ("allgatherv_at: every rank chooses its displacements", allgatherv_at),
    ("alltoallv_at: displacements in both buffers", alltoallv_at),
    ("blocks that do not fit or share elements are errors before anything is sent", refused),
];

pub(super) const NONBLOCKING_LAWS: &[Law] =
    &[("nonblocking verbs with displacements give what their blocking forms give", nonblocking)];

/// Block r has `ragged(r)` elements; the blocks are in the reverse order, with two elements before each.
struct Reversed {
    counts: Vec<usize>,
    displacements: Vec<usize>,
    length: usize,
}

impl Reversed {
    fn new(size: usize) -> Self {
        Self::of_counts((0..size).map(ragged).collect())
    }

    fn of_counts(counts: Vec<usize>) -> Self {
        let (mut displacements, mut length) = (vec![0; counts.len()], 0);
        for rank in (0..counts.len()).rev() {
            displacements[rank] = length + 2;
            length += 2 + counts[rank];
        }
        Self { counts, displacements, length: length + 1 }
    }

    fn blocks(&self) -> RankBlocks<'_> {
        RankBlocks::new(&self.counts, &self.displacements)
    }

    /// A buffer whose blocks have the elements that `value` names by rank and position, and -1 elsewhere.
    fn buffer(&self, value: impl Fn(usize, usize) -> i64) -> Vec<i64> {
        let mut buffer = vec![-1; self.length];
        for rank in 0..self.counts.len() {
            for position in 0..self.counts[rank] {
                buffer[self.displacements[rank] + position] = value(rank, position);
            }
        }
        buffer
    }
}

fn scatterv_at(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let reversed = Reversed::new(size);
    let twice = vec![2; size];
    let neighbours: Vec<usize> = (0..size).collect();
    for root in 0..size {
        let all = reversed.buffer(|to, position| element(root, 10 * to + position));
        let mut mine = vec![-7; ragged(rank)];
        let send = (rank == root).then(|| (&all[..], reversed.blocks()));
        world.scatterv_at(send, &mut mine, root).expect("scatterv_at");
        let expected: Vec<_> =
            (0..ragged(rank)).map(|position| element(root, 10 * rank + position)).collect();
        assert_eq!(mine, expected, "root {root}");
        let all = elements(root, size + 1);
        let mut shared = [-1; 2];
        let send = (rank == root).then(|| (&all[..], RankBlocks::new(&twice, &neighbours)));
        world.scatterv_at(send, &mut shared, root).expect("scatterv_at");
        assert_eq!(shared, [element(root, rank), element(root, rank + 1)], "root {root}");
    }
}

fn gatherv_at(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let reversed = Reversed::new(size);
    for root in 0..size {
        let mut all = vec![-1; reversed.length];
        let recv = (rank == root).then_some((&mut all[..], reversed.blocks()));
        world.gatherv_at(&elements(rank, ragged(rank)), recv, root).expect("gatherv_at");
        assert_eq!(all, if rank == root { reversed.buffer(element) } else { vec![-1; reversed.length] });
    }
}

fn allgatherv_at(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let reversed = Reversed::new(size);
    let shifted: Vec<usize> = reversed.displacements.iter().map(|start| start + rank).collect();
    let mut all = vec![-1; reversed.length + rank];
    let blocks = RankBlocks::new(&reversed.counts, &shifted);
    world.allgatherv_at(&elements(rank, ragged(rank)), &mut all, blocks).expect("allgatherv_at");
    assert_eq!(all[..rank], vec![-1; rank]);
    assert_eq!(all[rank..], reversed.buffer(element));
}

/// Rank i sends `ragged(i + j)` elements to rank j.
fn exchanged(world: &World) -> (Reversed, Vec<i64>, Vec<i64>) {
    let (rank, size) = (world.rank(), world.size());
    let reversed = Reversed::of_counts((0..size).map(|peer| ragged(rank + peer)).collect());
    let send = reversed.buffer(|to, position| element(rank, 10 * to + position));
    let expected = reversed.buffer(|from, position| element(from, 10 * rank + position));
    (reversed, send, expected)
}

fn alltoallv_at(world: &World) {
    let (reversed, send, expected) = exchanged(world);
    let mut received = vec![-1; reversed.length];
    world.alltoallv_at(&send, reversed.blocks(), &mut received, reversed.blocks()).expect("alltoallv_at");
    assert_eq!(received, expected);
}

fn nonblocking(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let root = size - 1;
    let is_root = rank == root;
    let reversed = Reversed::new(size);
    let all = reversed.buffer(element);
    let send = is_root.then(|| (all.clone(), reversed.blocks()));
    let block = world.iscatterv_at(send, ragged(rank), root).expect("iscatterv_at");
    let blocks = is_root.then(|| reversed.blocks());
    let gathered = world.igatherv_at(elements(rank, ragged(rank)), blocks, root).expect("igatherv_at");
    let everywhere =
        world.iallgatherv_at(elements(rank, ragged(rank)), reversed.blocks()).expect("iallgatherv_at");
    let (pairs, send, expected) = exchanged(world);
    let exchanged = world.ialltoallv_at(send, pairs.blocks(), pairs.blocks()).expect("ialltoallv_at");
    assert_eq!(block.wait().expect("wait"), elements(rank, ragged(rank)));
    // What no block fills has the default value, and the buffer ends with the last block.
    let made = |buffer: &[i64], blocks: RankBlocks<'_>| {
        buffer[..blocks.end()].iter().map(|value| (*value).max(0)).collect::<Vec<_>>()
    };
    assert_eq!(gathered.wait().expect("wait"), is_root.then(|| made(&all, reversed.blocks())));
    assert_eq!(everywhere.wait().expect("wait"), made(&all, reversed.blocks()));
    assert_eq!(exchanged.wait().expect("wait"), made(&expected, pairs.blocks()));
}

fn refused(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let ones = vec![1; size];
    let same = vec![0; size];
    let far: Vec<usize> = (1..=size).collect();
    let all_refused = [
        world.allgatherv_at(&[rank], &mut vec![0; size], RankBlocks::new(&ones, &far)),
        world.gatherv_at(&[rank], Some((&mut vec![0; size][..], RankBlocks::new(&ones, &far))), rank),
        world.alltoallv_at(
            &vec![rank; size],
            RankBlocks::new(&ones, &far),
            &mut vec![0; size],
            RankBlocks::contiguous(&ones),
        ),
        world.scatterv_at(Some((&vec![rank; size][..], RankBlocks::new(&ones, &far))), &mut [0], rank),
    ];
    for refused in all_refused {
        let text = refused.expect_err("one element after the buffer").to_string();
        assert!(
            text.contains(&format!("the block of rank {} has elements {size}..{}", size - 1, size + 1)),
            "{text}"
        );
    }
    let few = world.allgatherv_at(&[rank], &mut vec![0; size], RankBlocks::new(&ones, &far[1..]));
    assert!(matches!(few, Err(Error::Count { buffer: "displacements", .. })), "{few:?}");
    if size > 1 {
        let shared = world.allgatherv_at(&[rank], &mut vec![0; size], RankBlocks::new(&ones, &same));
        let text = shared.expect_err("all blocks are at 0").to_string();
        assert!(text.contains("the blocks of ranks 0 and 1 share elements 0..1"), "{text}");
        let recv = Some((&mut [0; 1][..], RankBlocks::new(&ones, &same)));
        assert!(matches!(world.gatherv_at(&[rank], recv, rank), Err(Error::Layout(_))));
    }
}
