//! The examples of `docs/world.md` for requests and layouts: completion of several, send modes, persistent ones, parts of arrays.
//!
//! As in `verb_examples.rs`, a comment names the verb of the statement below it.
use wb_world::{CompletedRequest, Layout, MixedRequest, Operation, PROC_NULL, Result, World};

use super::Law;

pub(super) const LAWS: &[Law] = &[
    ("the examples of completion", |world| completion(world).expect("completion")),
    ("the examples of send modes", |world| send_modes(world).expect("send modes")),
    ("the examples of matched probes", |world| matched_probes(world).expect("matched probes")),
    ("the examples of layouts", |world| layouts(world).expect("layouts")),
    ("the examples of persistent requests", |world| persistent(world).expect("persistent requests")),
    ("the example of a repeated halo exchange", |world| {
        let smoothed = smooth(world, vec![7.0; 4], 3).expect("halos");
        assert_eq!(smoothed, [7.0; 4]);
        let (rank, last) = (world.rank() as f64, world.size() as f64 - 1.0);
        let (left, right) = ((rank - 1.0).max(0.0), (rank + 1.0).min(last));
        let smoothed = smooth(world, vec![rank; 4], 1).expect("halos");
        assert_eq!(smoothed, [left, (left + 2.0 * rank) / 3.0, (2.0 * rank + right) / 3.0, right]);
    }),
];

/// The laws that need nonblocking collectives.
pub(super) const COLLECTIVE_LAWS: &[Law] = &[
    ("the examples of persistent collectives", |world| {
        rooted_collectives(world).expect("persistent collectives");
    }),
    ("the examples of persistent exchanges", |world| exchanges(world).expect("persistent exchanges")),
    ("the examples of persistent reductions", |world| reductions(world).expect("persistent reductions")),
];

const TAG: i32 = 7;

fn neighbours(world: &World) -> (usize, usize) {
    let (rank, size) = (world.rank(), world.size());
    ((rank + 1) % size, (rank + size - 1) % size)
}

fn completion(world: &World) -> Result<()> {
    let (rank, (next, before)) = (world.rank(), neighbours(world));
    let receive = world.irecv::<usize>(1, before, 0)?;
    let send = world.isend(vec![rank], next, 0)?;
    // World::wait_all
    let ((data, _status), _buffer) = world.wait_all((receive, send))?;
    assert_eq!(data, [before]);
    let receive = world.irecv::<usize>(1, before, 5)?;
    // RecvRequest::cancel
    assert!(receive.cancel()?.is_none());
    let start = |tag| -> Result<[Option<MixedRequest<usize>>; 2]> {
        let receive = world.irecv::<usize>(1, before, tag)?;
        Ok([Some(receive.into()), Some(world.isend(vec![rank], next, tag)?.into())])
    };
    let mut requests = start(1)?;
    // World::wait_any
    while let Some((index, done)) = world.wait_any(&mut requests)? {
        assert_eq!(index == 1, matches!(done, CompletedRequest::Sent(_)));
    }
    let mut requests = start(2)?;
    // World::wait_some
    while !world.wait_some(&mut requests)?.is_empty() {}
    let mut requests = start(3)?;
    while requests.iter().any(Option::is_some) {
        // World::test_any
        let _at_most_one = world.test_any(&mut requests)?;
        // World::test_some
        let _all_that_are_complete = world.test_some(&mut requests)?;
    }
    let mut requests: Vec<_> = start(4)?.into_iter().flatten().collect();
    loop {
        // World::test_all
        let all = world.test_all(&mut requests)?;
        if all.is_some() {
            return Ok(());
        }
    }
}

fn send_modes(world: &World) -> Result<()> {
    let (rank, (next, before)) = (world.rank(), neighbours(world));
    let mut data = [rank];
    // World::sendrecv_replace
    world.sendrecv_replace(&mut data, next, 0, before, 0)?;
    assert_eq!(data, [before]);
    // World::buffer_attach
    world.buffer_attach(2 * (8 + World::BSEND_OVERHEAD))?;
    // World::bsend
    world.bsend(&[rank], next, 1)?;
    // World::ibsend
    let buffered = world.ibsend(vec![rank], next, 1)?;
    buffered.wait()?;
    (0..2).try_for_each(|_| world.recv(&mut data, before, 1).map(drop))?;
    // World::buffer_detach
    let _size = world.buffer_detach()?;
    let receives = [2, 3, 4].map(|tag| world.irecv::<usize>(1, before, tag));
    let [first, second, third] = receives;
    world.sendrecv(&[0_u8; 0], before, 5, &mut [0_u8; 0], next, 5)?;
    // World::rsend
    world.rsend(&[rank], next, 2)?;
    // World::irsend
    let ready = world.irsend(vec![rank], next, 3)?;
    // World::issend
    let synchronous = world.issend(vec![rank], next, 4)?;
    world.wait_all((first?, second?, third?))?;
    world.wait_all([ready, synchronous]).map(drop)
}

fn layouts(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
    // Two rows of three elements.
    let (matrix, column) = (vec![rank; 6], Layout::vector(2, 1, 3));
    let mut received = vec![size; 6];
    if rank == 0 && size > 1 {
        // World::send_layout
        world.send_layout(&matrix, &column.at(2), 1, TAG)?;
    } else if rank == 1 {
        // World::recv_layout
        world.recv_layout(&mut received, &column, 0, TAG)?;
        assert_eq!(received, [0, size, size, 0, size, size]);
    }
    // World::irecv_layout
    let mut receive = world.irecv_layout(vec![size; 6], &column, before, TAG)?;
    // World::isend_layout
    let send = world.isend_layout(matrix, &column.at(1), next, TAG)?;
    // RecvLayoutRequest::test
    let _may_be_here = receive.test()?;
    // RecvLayoutRequest::wait
    let (mut matrix, _status) = receive.wait()?;
    send.wait()?;
    // World::sendrecv_layout
    world.sendrecv_layout(&mut matrix, &column, before, TAG, &column.at(2), next, TAG)?;
    assert_eq!(matrix, [before, size, rank, before, size, rank]);
    Ok(())
}

fn matched_probes(world: &World) -> Result<()> {
    let (rank, (next, before)) = (world.rank(), neighbours(world));
    let sends = [world.isend(vec![rank], next, 0)?, world.isend(vec![rank; 3], next, 0)?];
    // World::mprobe
    let message = world.mprobe(before, 0)?;
    let mut data = [0];
    // ProbedMessage::recv
    message.recv(&mut data)?;
    assert_eq!(data, [before]);
    loop {
        // World::improbe
        let message = world.improbe(before, 0)?;
        if let Some(message) = message {
            // ProbedMessage::recv_vec
            let data = message.recv_vec::<usize>()?;
            assert_eq!(data, [before; 3]);
            break;
        }
    }
    world.wait_all(sends).map(drop)
}

fn persistent(world: &World) -> Result<()> {
    let (rank, (next, before)) = (world.rank(), neighbours(world));
    world.buffer_attach(8 + World::BSEND_OVERHEAD)?;
    // World::recv_init
    let mut receive = world.recv_init::<usize>(1, before, 0)?;
    // World::send_init
    let mut send = world.send_init(vec![rank], next, 0)?;
    for turn in 0..3 {
        send.data_mut()?[0] = rank + turn;
        // PersistentRecv::start
        receive.start()?;
        // PersistentSend::start
        send.start()?;
        // PersistentRecv::test
        let _may_be_here = receive.test()?;
        // PersistentSend::test
        let _may_be_sent = send.test()?;
        // PersistentRecv::wait
        receive.wait()?;
        // PersistentSend::wait
        send.wait()?;
        assert_eq!(receive.data()?, [before + turn]);
    }
    // World::ssend_init
    let synchronous = world.ssend_init(vec![rank], next, 1)?;
    // World::bsend_init
    let buffered = world.bsend_init(vec![rank], next, 2)?;
    // World::rsend_init
    let ready = world.rsend_init(vec![rank], next, 3)?;
    let (mut sends, mut receives) = ([synchronous, buffered, ready], vec![]);
    for tag in 1..4 {
        receives.push(world.recv_init::<usize>(1, before, tag)?);
    }
    // World::start_all
    world.start_all(&mut receives)?;
    world.sendrecv(&[0_u8; 0], before, 5, &mut [0_u8; 0], next, 5)?;
    world.start_all(&mut sends)?;
    world.wait_all(receives.iter_mut().collect::<Vec<_>>())?;
    world.wait_all(sends.iter_mut().collect::<Vec<_>>())?;
    world.buffer_detach().map(drop)
}

/// Smooths a vector of which each rank has a part. The first and the last element of `cells` are the halo.
fn smooth(world: &World, mut cells: Vec<f64>, steps: usize) -> Result<Vec<f64>> {
    let (rank, size, end) = (world.rank(), world.size(), cells.len() - 1);
    let left = if rank > 0 { rank - 1 } else { PROC_NULL };
    let right = if rank + 1 < size { rank + 1 } else { PROC_NULL };
    let mut sends = [world.send_init(vec![0.0], left, 0)?, world.send_init(vec![0.0], right, 1)?];
    let mut receives = [world.recv_init::<f64>(1, left, 1)?, world.recv_init::<f64>(1, right, 0)?];
    for _ in 0..steps {
        sends[0].data_mut()?[0] = cells[1];
        sends[1].data_mut()?[0] = cells[end - 1];
        world.start_all(&mut receives)?;
        world.start_all(&mut sends)?;
        world.wait_all(receives.each_mut())?;
        world.wait_all(sends.each_mut())?;
        cells[0] = receives[0].data()?.first().copied().unwrap_or(cells[0]);
        cells[end] = receives[1].data()?.first().copied().unwrap_or(cells[end]);
        let means: Vec<f64> = cells.windows(3).map(|near| near.iter().sum::<f64>() / 3.0).collect();
        cells[1..end].copy_from_slice(&means);
    }
    Ok(cells)
}

fn rooted_collectives(world: &World) -> Result<()> {
    let (rank, size, root) = (world.rank(), world.size(), 0);
    let (is_root, counts) = (rank == root, vec![1; size]);
    // World::barrier_init
    let mut barrier = world.barrier_init()?;
    // PersistentCollective::start
    barrier.start()?;
    // PersistentCollective::test
    let _may_be_complete = barrier.test()?;
    // PersistentCollective::wait
    barrier.wait()?;
    // World::bcast_init
    let bcast = world.bcast_init(vec![rank; 2], root)?;
    // World::scatter_init
    let scatter = world.scatter_init(is_root.then(|| vec![7; size]), 1, root)?;
    // World::scatterv_init
    let scatterv = world.scatterv_init(is_root.then(|| (vec![7; size], &counts[..])), 1, root)?;
    // World::gather_init
    let gather = world.gather_init(vec![rank], root)?;
    // World::gatherv_init
    let gatherv = world.gatherv_init(vec![rank], is_root.then_some(&counts[..]), root)?;
    let mut all = [bcast, scatter, scatterv, gather, gatherv];
    world.start_all(&mut all)?;
    world.wait_all(all.iter_mut().collect::<Vec<_>>())?;
    assert_eq!(all[0].result_mut()?, [root; 2]);
    assert_eq!(all[2].result_mut()?, [7]);
    Ok(())
}

fn exchanges(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let counts = vec![1; size];
    // World::allgather_init
    let allgather = world.allgather_init(vec![rank])?;
    // World::allgatherv_init
    let allgatherv = world.allgatherv_init(vec![rank], &counts)?;
    // World::alltoall_init
    let alltoall = world.alltoall_init(vec![rank; size])?;
    // World::alltoallv_init
    let alltoallv = world.alltoallv_init(vec![rank; size], &counts, &counts)?;
    let mut all = [allgather, allgatherv, alltoall, alltoallv];
    world.start_all(&mut all)?;
    for request in &mut all {
        request.wait()?;
        assert_eq!(request.result_mut()?, (0..size).collect::<Vec<_>>());
    }
    Ok(())
}

fn reductions(world: &World) -> Result<()> {
    let (rank, size, root, operation) = (world.rank(), world.size(), 0, Operation::Sum);
    // World::reduce_init
    let reduce = world.reduce_init(vec![rank], operation, root)?;
    // World::allreduce_init
    let allreduce = world.allreduce_init(vec![rank], operation)?;
    // World::scan_init
    let scan = world.scan_init(vec![rank], operation)?;
    // World::exscan_init
    let exscan = world.exscan_init(vec![rank], operation)?;
    // World::reduce_scatter_init
    let blocks = world.reduce_scatter_init(vec![1; size], &vec![1; size], operation)?;
    // World::reduce_scatter_block_init
    let equal_blocks = world.reduce_scatter_block_init(vec![1; size], operation)?;
    let mut all = [reduce, allreduce, scan, exscan, blocks, equal_blocks];
    world.start_all(&mut all)?;
    world.wait_all(all.iter_mut().collect::<Vec<_>>())?;
    assert_eq!(all[1].result_mut()?, [size * (size - 1) / 2]);
    assert_eq!(all[5].result_mut()?, [size]);
    Ok(())
}
