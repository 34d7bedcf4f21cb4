//! Laws of the verbs in which every rank gets data from all ranks.
use wb_world::{Error, Layout, World};

use super::{Law, counts, element, elements, ragged};

pub(super) const LAWS: &[Law] = &[
    ("barrier: no rank leaves before every rank has entered", barrier),
    ("allgather: every rank has all blocks in rank order", allgather),
    ("allgatherv: blocks of different lengths", allgatherv),
    ("alltoall: block j goes to rank j", alltoall),
    ("alltoallv: blocks of different lengths", alltoallv),
    ("alltoallw: every block has a layout of its own, and nothing beside them changes", alltoallw),
    ("alltoallw: layouts that do not fit or share elements are errors before anything is sent", refused),
];

pub(super) const STARTED_LAWS: &[Law] =
    &[("ialltoallw, alltoallw_init: as the blocking one", started_alltoallw)];

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

/// Rank i sends `ragged(i + j)` elements to rank j. Those to and from rank j are `size` apart, from the position of `place(j)` on.
fn strided(world: &World, place: impl Fn(usize) -> usize) -> Vec<Layout> {
    let (rank, size) = (world.rank(), world.size());
    (0..size).map(|peer| Layout::vector(ragged(rank + peer), 1, size).at(place(peer))).collect()
}

/// What this rank sends, what it receives, and the layouts of both; -1 is in no block.
fn exchanged(world: &World) -> [(Vec<i64>, Vec<Layout>); 2] {
    let (rank, size) = (world.rank(), world.size());
    let filled = |layouts: &[Layout], value: &dyn Fn(usize, usize) -> i64| {
        let mut buffer = vec![-1; 3 * size];
        for (peer, layout) in layouts.iter().enumerate() {
            let block: Vec<i64> = (0..layout.count()).map(|position| value(peer, position)).collect();
            layout.unpack(&block, &mut buffer).expect("it fits");
        }
        buffer
    };
    let (to, from) = (strided(world, |peer| size - 1 - peer), strided(world, |peer| size + peer));
    let sent = filled(&to, &|peer, position| element(rank, 10 * peer + position));
    let received = filled(&from, &|peer, position| element(peer, 10 * rank + position));
    [(sent, to), (received, from)]
}

fn alltoallw(world: &World) {
    let [(send, to), (expected, from)] = exchanged(world);
    let mut came = vec![-1; expected.len()];
    world.alltoallw(&send, &to, &mut came, &from).expect("alltoallw");
    assert_eq!(came, expected);
}

fn started_alltoallw(world: &World) {
    let [(send, to), (expected, from)] = exchanged(world);
    let end = from.iter().map(Layout::end).max().unwrap_or(0);
    let expected: Vec<i64> = expected[..end].iter().map(|value| (*value).max(0)).collect();
    let started = world.ialltoallw(send.clone(), &to, &from).expect("ialltoallw");
    let mut made = world.alltoallw_init(send, &to, &from).expect("alltoallw_init");
    assert_eq!(started.wait().expect("wait"), expected);
    for _ in 0..2 {
        made.start().expect("start");
        made.wait().expect("wait");
        assert_eq!(made.result_mut().expect("inactive"), expected);
    }
}

fn refused(world: &World) {
    let size = world.size();
    let [apart, same] = [1, 0].map(|distance: usize| {
        (0..size).map(|peer| Layout::contiguous(1).at(distance * peer)).collect::<Vec<_>>()
    });
    let (send, mut recv) = (vec![0; size], vec![0; size]);
    let short = world.alltoallw(&send[1..], &apart, &mut recv, &apart);
    assert!(matches!(short, Err(Error::Layout(_))), "{short:?}");
    let few = world.alltoallw(&send, &apart, &mut recv, &apart[1..]);
    assert!(matches!(few, Err(Error::Count { buffer: "layouts", .. })), "{few:?}");
    let shared = world.alltoallw(&send, &same, &mut recv, &same);
    assert_eq!(shared.is_err(), size > 1, "{shared:?}");
}
