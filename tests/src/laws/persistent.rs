//! Laws of persistent requests.
use wb_world::{Error, Operation, World};

use super::{Law, counts, element, elements, ragged};

pub(super) const LAWS: &[Law] = &[
    ("a persistent send and receive transmit what their buffers hold at each start", point_to_point),
    ("every mode has a persistent send", modes),
    ("start_all starts all, and wait_all completes them", start_all),
    ("a request in the wrong state is refused, and works on", states),
];

/// Persistent collectives: they need nonblocking ones.
pub(super) const COLLECTIVE_LAWS: &[Law] = &[
    ("persistent rooted collectives give at each start what their blocking forms give", rooted),
    ("persistent exchanges give at each start what their blocking forms give", exchanges),
    ("persistent reductions give at each start what their blocking forms give", reductions),
    ("persistent collectives may be started in different orders", any_order),
];

fn neighbours(world: &World) -> (usize, usize) {
    let (rank, size) = (world.rank(), world.size());
    ((rank + 1) % size, (rank + size - 1) % size)
}

fn point_to_point(world: &World) {
    let (next, before) = neighbours(world);
    for count in [0, 1, 20_000] {
        let mut send = world.send_init(vec![0; count], next, 0).expect("send_init");
        let mut receive = world.recv_init::<i64>(count + 1, before, 0).expect("recv_init");
        for turn in 0..3 {
            let value = |rank| elements(rank + 10 * turn, count);
            send.data_mut().expect("inactive").copy_from_slice(&value(world.rank()));
            receive.start().expect("start");
            send.start().expect("start");
            let status = receive.wait().expect("wait");
            while !send.test().expect("test") {}
            send.wait().expect("wait");
            assert_eq!((status.source, status.bytes), (before, 8 * count));
            assert_eq!(receive.data().expect("inactive"), value(before), "turn {turn}");
        }
    }
}

fn modes(world: &World) {
    let (next, before) = neighbours(world);
    world.buffer_attach(2 * (8 + World::BSEND_OVERHEAD)).expect("buffer_attach");
    let mut receives = [0, 1, 2].map(|tag| world.recv_init::<i64>(1, before, tag).expect("recv_init"));
    let mut sends = [
        world.ssend_init(elements(world.rank(), 1), next, 0).expect("ssend_init"),
        world.bsend_init(elements(world.rank(), 1), next, 1).expect("bsend_init"),
        world.rsend_init(elements(world.rank(), 1), next, 2).expect("rsend_init"),
    ];
    for _ in 0..2 {
        world.start_all(&mut receives).expect("start_all");
        world.sendrecv(&[0_u8; 0], before, 3, &mut [0_u8; 0], next, 3).expect("sendrecv");
        world.start_all(&mut sends).expect("start_all");
        for receive in &mut receives {
            receive.wait().expect("wait");
            assert_eq!(receive.data().expect("inactive"), elements(before, 1));
        }
        for send in &mut sends {
            send.wait().expect("wait");
        }
    }
    world.buffer_detach().expect("buffer_detach");
}

fn start_all(world: &World) {
    let (next, before) = neighbours(world);
    let mut receives: Vec<_> =
        (0..4).map(|tag| world.recv_init::<i64>(3, before, tag).expect("recv_init")).collect();
    let mut sends: Vec<_> =
        (0..4).map(|tag| world.send_init(elements(world.rank(), 3), next, tag).expect("send_init")).collect();
    for _ in 0..2 {
        world.start_all(&mut receives).expect("start_all");
        world.start_all(&mut sends).expect("start_all");
        let statuses = world.wait_all(receives.iter_mut().collect::<Vec<_>>()).expect("wait_all");
        assert_eq!(statuses.iter().map(|status| status.tag).collect::<Vec<_>>(), [0, 1, 2, 3]);
        world.wait_all(sends.iter_mut().collect::<Vec<_>>()).expect("wait_all");
        assert!(receives.iter().all(|receive| receive.data().expect("inactive") == elements(before, 3)));
    }
}

fn states(world: &World) {
    let (next, before) = neighbours(world);
    let mut send = world.send_init(vec![world.rank()], next, 0).expect("send_init");
    let refused = send.wait();
    assert!(matches!(refused, Err(Error::PersistentState { active: false, .. })), "{refused:?}");
    send.start().expect("start");
    let refused = send.start();
    assert!(matches!(refused, Err(Error::PersistentState { active: true, .. })), "{refused:?}");
    let line = line!() + 1;
    assert!(send.data_mut().is_err(), "it is active");
    assert_eq!(world.last_error_site().map(|site| site.location.line()), Some(line));
    let mut data = [0];
    world.recv(&mut data, before, 0).expect("recv");
    send.wait().expect("wait");
    assert_eq!(data, [before]);
}

fn rooted(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let lengths: Vec<usize> = (0..size).map(ragged).collect();
    let total: usize = lengths.iter().sum();
    let root = size - 1;
    let is_root = rank == root;
    let mut copy = world.bcast_init(vec![-1; 3], root).expect("bcast_init");
    let mut scatter = world.scatter_init(is_root.then(|| vec![0; 2 * size]), 2, root).expect("scatter_init");
    let all = is_root.then(|| (elements(root, total), &lengths[..]));
    let mut scatterv = world.scatterv_init(all, ragged(rank), root).expect("scatterv_init");
    let mut gather = world.gather_init(vec![0_i64; 2], root).expect("gather_init");
    let counts = is_root.then_some(&lengths[..]);
    let mut gatherv = world.gatherv_init(elements(rank, ragged(rank)), counts, root).expect("gatherv_init");
    for turn in 0..2 {
        let value = |rank: usize, count| elements(rank + 20 * turn, count);
        if is_root {
            copy.result_mut().expect("inactive").copy_from_slice(&value(root, 3));
            scatter.send_mut().expect("inactive").copy_from_slice(&value(root, 2 * size));
        }
        gather.send_mut().expect("inactive").copy_from_slice(&value(rank, 2));
        let mut all = [&mut copy, &mut scatter, &mut scatterv, &mut gather, &mut gatherv];
        world.start_all(all.iter_mut().map(|request| &mut **request)).expect("start_all");
        world.wait_all(Vec::from(all)).expect("wait_all");
        assert_eq!(copy.result_mut().expect("inactive"), value(root, 3));
        assert_eq!(scatter.result_mut().expect("inactive"), &value(root, 2 * size)[2 * rank..][..2]);
        let start: usize = lengths[..rank].iter().sum();
        assert_eq!(scatterv.result_mut().expect("inactive"), &elements(root, total)[start..][..ragged(rank)]);
        let blocks: Vec<i64> = (0..size).flat_map(|rank| value(rank, 2)).collect();
        assert_eq!(gather.result_mut().expect("inactive"), if is_root { &blocks[..] } else { &[] });
        let ragged_blocks: Vec<i64> = (0..size).flat_map(|rank| elements(rank, ragged(rank))).collect();
        assert_eq!(gatherv.result_mut().expect("inactive"), if is_root { &ragged_blocks[..] } else { &[] });
    }
}

fn exchanges(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let lengths: Vec<usize> = (0..size).map(ragged).collect();
    let mut barrier = world.barrier_init().expect("barrier_init");
    let mut allgather = world.allgather_init(vec![0_i64; 2]).expect("allgather_init");
    let mut allgatherv =
        world.allgatherv_init(elements(rank, ragged(rank)), &lengths).expect("allgatherv_init");
    let mut alltoall = world.alltoall_init(vec![0_i64; size]).expect("alltoall_init");
    let ones = vec![1; size];
    let mut alltoallv = world.alltoallv_init(vec![0_i64; size], &ones, &ones).expect("alltoallv_init");
    for turn in 0..2 {
        let value = |rank: usize, count| elements(rank + 20 * turn, count);
        barrier.start().expect("start");
        allgather.send_mut().expect("inactive").copy_from_slice(&value(rank, 2));
        alltoall.send_mut().expect("inactive").copy_from_slice(&value(rank, size));
        alltoallv.send_mut().expect("inactive").copy_from_slice(&value(rank, size));
        let mut all = [&mut allgather, &mut allgatherv, &mut alltoall, &mut alltoallv];
        world.start_all(all.iter_mut().map(|request| &mut **request)).expect("start_all");
        world.wait_all(Vec::from(all)).expect("wait_all");
        barrier.wait().expect("wait");
        let blocks: Vec<i64> = (0..size).flat_map(|rank| value(rank, 2)).collect();
        assert_eq!(allgather.result_mut().expect("inactive"), blocks);
        let ragged_blocks: Vec<i64> = (0..size).flat_map(|rank| elements(rank, ragged(rank))).collect();
        assert_eq!(allgatherv.result_mut().expect("inactive"), ragged_blocks);
        let from_all: Vec<i64> = (0..size).map(|from| element(from + 20 * turn, rank)).collect();
        assert_eq!(alltoall.result_mut().expect("inactive"), from_all);
        assert_eq!(alltoallv.result_mut().expect("inactive"), from_all);
    }
}

fn reductions(world: &World) {
    let (rank, size, root, operation) = (world.rank(), world.size(), 0, Operation::Sum);
    for count in counts(size) {
        let lengths: Vec<usize> = (0..size).map(|rank| if rank == 0 { count } else { 0 }).collect();
        let send = || vec![0_i64; count];
        let mut reduce = world.reduce_init(send(), operation, root).expect("reduce_init");
        let mut allreduce = world.allreduce_init(send(), operation).expect("allreduce_init");
        let mut scan = world.scan_init(send(), operation).expect("scan_init");
        let mut exscan = world.exscan_init(send(), operation).expect("exscan_init");
        let mut blocks = world.reduce_scatter_init(send(), &lengths, operation).expect("reduce_scatter_init");
        let mut equal = world
            .reduce_scatter_block_init(vec![0_i64; size * count], operation)
            .expect("reduce_scatter_block_init");
        for turn in 0..2 {
            let value = |rank: usize| elements(rank + 20 * turn, count);
            let sum = |ranks: std::ops::Range<usize>| {
                let add = |sum: Vec<i64>, rank| sum.iter().zip(value(rank)).map(|(a, b)| a + b).collect();
                ranks.fold(vec![0; count], add)
            };
            for request in [&mut reduce, &mut allreduce, &mut scan, &mut exscan, &mut blocks] {
                request.send_mut().expect("inactive").copy_from_slice(&value(rank));
            }
            equal.send_mut().expect("inactive").copy_from_slice(&value(rank).repeat(size));
            let mut all = [&mut reduce, &mut allreduce, &mut scan, &mut exscan, &mut blocks, &mut equal];
            world.start_all(all.iter_mut().map(|request| &mut **request)).expect("start_all");
            all.into_iter().for_each(|request| request.wait().expect("wait"));
            assert_eq!(
                reduce.result_mut().expect("inactive"),
                if rank == root { sum(0..size) } else { vec![] }
            );
            assert_eq!(allreduce.result_mut().expect("inactive"), sum(0..size));
            assert_eq!(scan.result_mut().expect("inactive"), sum(0..rank + 1));
            if rank > 0 {
                assert_eq!(exscan.result_mut().expect("inactive"), sum(0..rank));
            }
            let expected = if rank == 0 { sum(0..size) } else { vec![] };
            assert_eq!(blocks.result_mut().expect("inactive"), expected);
            assert_eq!(equal.result_mut().expect("inactive"), sum(0..size));
        }
    }
}

fn any_order(world: &World) {
    let mut sum = world.allreduce_init(vec![world.rank()], Operation::Sum).expect("allreduce_init");
    let mut largest = world.allreduce_init(vec![world.rank()], Operation::Max).expect("allreduce_init");
    for turn in 0..4 {
        let [first, second] = match (world.rank() + turn) % 2 {
            0 => [&mut sum, &mut largest],
            _ => [&mut largest, &mut sum],
        };
        world.start_all([first, second]).expect("start_all");
        world.wait_all((&mut sum, &mut largest)).expect("wait_all");
        let size = world.size();
        assert_eq!(sum.result_mut().expect("inactive"), [size * (size - 1) / 2]);
        assert_eq!(largest.result_mut().expect("inactive"), [size - 1]);
    }
}
