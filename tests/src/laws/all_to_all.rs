//! Laws of the verbs in which every rank gets data from all ranks.
use wb_world::World;

use super::{Law, counts, element, elements, ragged};

pub(super) const LAWS: &[Law] = &[
    ("barrier: no rank leaves before every rank has entered", barrier),
    ("allgather: every rank has all blocks in rank order", allgather),
    ("allgatherv: blocks of different lengths", allgatherv),
    ("alltoall: block j goes to rank j", alltoall),
    ("alltoallv: blocks of different lengths", alltoallv),
];

/// Each rank's clock reading before the barrier must not be later than any rank's reading after it; the readings are
/// of one machine's clock.
fn barrier(world: &World) {
    for _ in 0..3 {
        let before = world.now();
        world.barrier().expect("barrier");
        let after = world.now();
        let mut readings = vec![0u64; 2 * world.size()];
        world.allgather(&[before, after], &mut readings).expect("allgather");
        let last_in = readings.iter().step_by(2).max();
        let first_out = readings.iter().skip(1).step_by(2).min();
        assert!(last_in <= first_out, "a rank left at {first_out:?}, one entered at {last_in:?}");
    }
}

fn allgather(world: &World) {
    for count in counts(world.size()) {
        let mut all = vec![-1; count * world.size()];
        world.allgather(&elements(world.rank(), count), &mut all).expect("allgather");
        let expected: Vec<_> = (0..world.size()).flat_map(|rank| elements(rank, count)).collect();
        assert_eq!(all, expected, "count {count}");
    }
}

fn allgatherv(world: &World) {
    let lengths: Vec<_> = (0..world.size()).map(ragged).collect();
    let expected: Vec<_> = (0..world.size()).flat_map(|rank| elements(rank, ragged(rank))).collect();
    let mut all = vec![-1; expected.len()];
    world.allgatherv(&elements(world.rank(), ragged(world.rank())), &mut all, &lengths).expect("allgatherv");
    assert_eq!(all, expected);
}

fn alltoall(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    for count in counts(size) {
        let mut received = vec![-1; count * size];
        world.alltoall(&elements(rank, count * size), &mut received).expect("alltoall");
        let block = |from| (rank * count..(rank + 1) * count).map(move |position| element(from, position));
        let expected: Vec<_> = (0..size).flat_map(block).collect();
        assert_eq!(received, expected, "count {count}");
    }
}

/// Rank i sends `ragged(i + j)` elements to rank j.
fn alltoallv(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let lengths: Vec<_> = (0..size).map(|peer| ragged(rank + peer)).collect();
    let send: Vec<_> = (0..size).flat_map(|to| vec![element(rank, to); ragged(rank + to)]).collect();
    let expected: Vec<_> =
        (0..size).flat_map(|from| vec![element(from, rank); ragged(from + rank)]).collect();
    let mut received = vec![-1; expected.len()];
    world.alltoallv(&send, &lengths, &mut received, &lengths).expect("alltoallv");
    assert_eq!(received, expected);
}
