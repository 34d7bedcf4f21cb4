//! Laws of the nonblocking collectives: each gives what its blocking form gives, several may be active, and no rank needs to wait for one
//! so that another rank's operation continues.
use wb_world::{Operation, World};

use super::{Law, counts, element, elements, ragged, reductions::of_integers};

pub(super) const LAWS: &[Law] = &[
    ("ibarrier: no wait returns before every rank has started", ibarrier),
    ("ibcast, iscatter(v), igather(v): as the blocking ones, for every root", rooted),
    ("iallgather(v), ialltoall(v): as the blocking ones", exchanges),
    ("ireduce, iallreduce, iscan, iexscan: as the blocking ones, for every operation", reductions),
    ("ireduce_scatter(_block): as the blocking ones", reduce_scatters),
    ("reduce_scatter: the block of a rank is that of the reduction", reduce_scatter_is_reduce),
    ("operations that are active together do not disturb each other", several),
    ("an operation continues while its rank waits for a message", progress),
    ("test says when an operation is complete", test),
    ("a refused start leaves the next operation in order", refused),
];

fn ibarrier(world: &World) {
    for _ in 0..3 {
        let before = world.now();
        world.ibarrier().expect("ibarrier").wait().expect("wait");
        let after = world.now();
        let mut readings = vec![0u64; 2 * world.size()];
        world.allgather(&[before, after], &mut readings).expect("allgather");
        let last_in = readings.iter().step_by(2).max();
        let first_out = readings.iter().skip(1).step_by(2).min();
        assert!(last_in <= first_out, "a wait returned at {first_out:?}, one rank started at {last_in:?}");
    }
}

fn rooted(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let lengths: Vec<usize> = (0..size).map(ragged).collect();
    let total = lengths.iter().sum();
    for root in 0..size {
        let is_root = rank == root;
        for count in counts(size) {
            let data = if is_root { elements(root, count) } else { vec![-1; count] };
            let copied = world.ibcast(data, root).expect("ibcast");
            let all = is_root.then(|| elements(root, count * size));
            let scattered = world.iscatter(all, count, root).expect("iscatter");
            let gathered = world.igather(elements(rank, count), root).expect("igather");
            assert_eq!(copied.wait().expect("wait"), elements(root, count), "ibcast, root {root}");
            let block: Vec<i64> =
                (rank * count..(rank + 1) * count).map(|position| element(root, position)).collect();
            assert_eq!(scattered.wait().expect("wait"), block, "iscatter, root {root}");
            let expected: Vec<i64> = (0..size).flat_map(|rank| elements(rank, count)).collect();
            let gathered = gathered.wait().expect("wait");
            assert_eq!(gathered, is_root.then_some(expected), "igather, root {root}, count {count}");
        }
        let all = is_root.then(|| (elements(root, total), &lengths[..]));
        let scattered = world.iscatterv(all, ragged(rank), root).expect("iscatterv").wait().expect("wait");
        let start: usize = lengths[..rank].iter().sum();
        let block: Vec<i64> = (start..start + ragged(rank)).map(|position| element(root, position)).collect();
        assert_eq!(scattered, block, "iscatterv, root {root}");
        let gathered = world.igatherv(block.clone(), is_root.then_some(&lengths[..]), root);
        let gathered = gathered.expect("igatherv").wait().expect("wait");
        assert_eq!(gathered, is_root.then(|| elements(root, total)), "igatherv, root {root}");
    }
}

fn exchanges(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    for count in counts(size) {
        let gathered = world.iallgather(elements(rank, count)).expect("iallgather").wait().expect("wait");
        let mut expected = vec![-1; count * size];
        world.allgather(&elements(rank, count), &mut expected).expect("allgather");
        assert_eq!(gathered, expected, "iallgather, count {count}");
        let exchanged =
            world.ialltoall(elements(rank, count * size)).expect("ialltoall").wait().expect("wait");
        world.alltoall(&elements(rank, count * size), &mut expected).expect("alltoall");
        assert_eq!(exchanged, expected, "ialltoall, count {count}");
    }
    let lengths: Vec<usize> = (0..size).map(ragged).collect();
    let gathered = world.iallgatherv(elements(rank, ragged(rank)), &lengths).expect("iallgatherv");
    let mut expected = vec![-1; lengths.iter().sum()];
    world.allgatherv(&elements(rank, ragged(rank)), &mut expected, &lengths).expect("allgatherv");
    assert_eq!(gathered.wait().expect("wait"), expected, "iallgatherv");
    let lengths: Vec<usize> = (0..size).map(|peer| ragged(rank + peer)).collect();
    let mine = elements(rank, lengths.iter().sum());
    let exchanged = world.ialltoallv(mine.clone(), &lengths, &lengths).expect("ialltoallv");
    let mut expected = vec![-1; mine.len()];
    world.alltoallv(&mine, &lengths, &mut expected, &lengths).expect("alltoallv");
    assert_eq!(exchanged.wait().expect("wait"), expected, "ialltoallv");
}

fn reductions(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    for (number, operation) in of_integers().into_iter().enumerate() {
        for count in counts(size) {
            let (mine, root) = (elements(rank, count), number % size);
            let all = world.iallreduce(mine.clone(), operation).expect("iallreduce");
            let one = world.ireduce(mine.clone(), operation, root).expect("ireduce");
            let prefix = world.iscan(mine.clone(), operation).expect("iscan");
            let before = world.iexscan(mine.clone(), operation).expect("iexscan");
            let mut expected = vec![-1; count];
            world.allreduce(&mine, &mut expected, operation).expect("allreduce");
            assert_eq!(all.wait().expect("wait"), expected, "iallreduce, {operation}, count {count}");
            let one = one.wait().expect("wait");
            assert_eq!(one, (rank == root).then(|| expected.clone()), "ireduce, {operation}, count {count}");
            world.scan(&mine, &mut expected, operation).expect("scan");
            assert_eq!(prefix.wait().expect("wait"), expected, "iscan, {operation}, count {count}");
            world.exscan(&mine, &mut expected, operation).expect("exscan");
            let before = before.wait().expect("wait");
            assert_eq!(before, (rank > 0).then_some(expected), "iexscan, {operation}, count {count}");
        }
    }
}

fn reduce_scatters(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let lengths: Vec<usize> = (0..size).map(ragged).collect();
    for operation in of_integers() {
        let mine = elements(rank, lengths.iter().sum());
        let block = world.ireduce_scatter(mine.clone(), &lengths, operation).expect("ireduce_scatter");
        let mut expected = vec![-1; ragged(rank)];
        world.reduce_scatter(&mine, &mut expected, &lengths, operation).expect("reduce_scatter");
        assert_eq!(block.wait().expect("wait"), expected, "ireduce_scatter, {operation}");
        let mine = elements(rank, 2 * size);
        let block = world.ireduce_scatter_block(mine.clone(), operation).expect("ireduce_scatter_block");
        let mut expected = [-1; 2];
        world.reduce_scatter_block(&mine, &mut expected, operation).expect("reduce_scatter_block");
        assert_eq!(block.wait().expect("wait"), expected, "ireduce_scatter_block, {operation}");
    }
}

fn reduce_scatter_is_reduce(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let lengths: Vec<usize> = (0..size).map(ragged).collect();
    let start: usize = lengths[..rank].iter().sum();
    for operation in of_integers() {
        let mine = elements(rank, lengths.iter().sum());
        let (mut all, mut block) = (vec![-1; mine.len()], vec![-1; ragged(rank)]);
        world.allreduce(&mine, &mut all, operation).expect("allreduce");
        world.reduce_scatter(&mine, &mut block, &lengths, operation).expect("reduce_scatter");
        assert_eq!(block, all[start..start + ragged(rank)], "{operation}");
    }
}

fn several(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
    let numbered = |number: usize| vec![element(rank, number); 2];
    let sums: Vec<_> = (0..5)
        .map(|number| world.iallreduce(numbered(number), Operation::Sum).expect("iallreduce"))
        .collect();
    let send = world.isend(vec![rank], next, 3).expect("isend");
    let gathered = world.iallgather(vec![rank]).expect("iallgather");
    let mut total = [0];
    world.allreduce(&[rank], &mut total, Operation::Sum).expect("allreduce");
    assert_eq!(gathered.wait().expect("wait"), (0..size).collect::<Vec<_>>());
    for (number, sum) in sums.into_iter().enumerate().rev() {
        let expected: i64 = (0..size).map(|rank| element(rank, number)).sum();
        assert_eq!(sum.wait().expect("wait"), [expected; 2], "operation {number}");
    }
    assert_eq!(world.irecv::<usize>(1, before, 3).expect("irecv").wait().expect("wait").0, [before]);
    send.wait().expect("wait");
    assert_eq!(total, [size * (size - 1) / 2]);
}

/// All ranks start; rank 0 waits for a message that the last rank sends after its own operation is complete.
fn progress(world: &World) {
    let last = world.size() - 1;
    let all = world.iallgather(vec![world.rank()]).expect("iallgather");
    let late = world.ibarrier().expect("ibarrier");
    if world.rank() == 0 && last > 0 {
        world.recv(&mut [0u8], last, 9).expect("recv");
    }
    assert_eq!(all.wait().expect("wait").len(), world.size());
    late.wait().expect("wait");
    if world.rank() == last && last > 0 {
        world.send(&[1u8], 0, 9).expect("send");
    }
}

fn test(world: &World) {
    let mut sum = world.iallreduce(vec![world.rank()], Operation::Sum).expect("iallreduce");
    while !sum.test().expect("test") {
        std::thread::yield_now();
    }
    assert!(sum.test().expect("test"), "it stays complete");
    let expected = world.size() * (world.size() - 1) / 2;
    assert_eq!(sum.wait().expect("wait"), [expected]);
}

fn refused(world: &World) {
    let (size, wrong) = (world.size(), vec![1; world.size() + 1]);
    assert!(world.iallgatherv(vec![1u8], &wrong).is_err(), "a count too many");
    assert!(world.ibcast(vec![1u8], size).is_err(), "no such root");
    assert!(world.iallreduce(vec![1.0], Operation::BitXor).is_err(), "not defined for floats");
    assert_eq!(world.iallgather(vec![7u8]).expect("iallgather").wait().expect("wait"), vec![7u8; size]);
}
