//! The examples of `docs/world.md`: one call of every verb. They run on every backend, so each line of the page is tested.
//!
//! A comment names the verb of the statement below it, as in `// World::send`; `verbs.rs` reads them from this file.
use wb_world::{ANY_SOURCE, ANY_TAG, LockKind, Operation, Rank, Result, Status, Window, World};

use super::Law;

pub(super) const LAWS: &[Law] = &[
    ("the examples of messages", |world| messages(world).expect("messages")),
    ("the examples of requests", |world| requests(world).expect("requests")),
    ("the examples of communicators", |world| communicators(world).expect("communicators")),
    ("the examples of rooted operations", |world| rooted(world).expect("rooted operations")),
    ("the examples of reductions", |world| reductions(world).expect("reductions")),
    ("the examples of exchanges", |world| exchanges(world).expect("exchanges")),
    ("the examples of block reductions", |world| block_reductions(world).expect("block reductions")),
    ("the examples of active targets", |world| active_targets(world).expect("active targets")),
    ("the examples of locks", |world| locks(world).expect("locks")),
];

const TAG: i32 = 7;

fn messages(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
    let mut mine = [0];
    // World::sendrecv
    world.sendrecv(&[rank], next, TAG, &mut mine, before, TAG)?;
    assert_eq!(mine, [before]);
    let (first, second) = (0, 1);
    let mut data = [0.0; 2];
    if size > 1 && rank == first {
        // World::send
        world.send(&[1.5, 2.5], second, TAG)?;
        // World::ssend
        world.ssend(&[3.5, 4.5], second, TAG)?;
        world.send(&[1_u64, 2, 3], second, TAG)?;
    }
    if rank == second {
        // World::probe
        let status: Status = world.probe(first, TAG)?;
        assert_eq!(status.source, first);
        // World::iprobe
        let arrived: Option<Status> = world.iprobe(ANY_SOURCE, ANY_TAG)?;
        assert!(arrived.is_some());
        // World::recv
        world.recv(&mut data, first, TAG)?;
        assert_eq!(data, [1.5, 2.5]);
        world.recv(&mut data, first, TAG)?;
        // World::recv_vec
        let (numbers, _status) = world.recv_vec::<u64>(first, TAG)?;
        assert_eq!(numbers, [1, 2, 3]);
    }
    Ok(())
}

fn requests(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
    // World::irecv
    let mut receive = world.irecv::<usize>(1, before, TAG)?;
    // World::isend
    let mut send = world.isend(vec![rank], next, TAG)?;
    // SendRequest::test
    let _may_be_sent = send.test()?;
    // RecvRequest::test
    let _may_be_here = receive.test()?;
    // RecvRequest::wait
    let (data, _status) = receive.wait()?;
    // SendRequest::wait
    let buffer = send.wait()?;
    assert_eq!((data, buffer), (vec![before], vec![rank]));
    Ok(())
}

fn communicators(world: &World) -> Result<()> {
    let color = (world.rank() % 2) as u32;
    // World::split
    let half = world.split(Some(color), 0)?;
    assert!(half.is_some());
    // World::dup
    let duplicate = world.dup()?;
    // World::barrier
    world.barrier()?;
    assert_eq!(duplicate.size(), world.size());
    Ok(())
}

fn rooted(world: &World) -> Result<()> {
    let (rank, size, root) = (world.rank(), world.size(), 0);
    let mut data = [if rank == root { 5 } else { 0 }];
    // World::bcast
    world.bcast(&mut data, root)?;
    assert_eq!(data, [5]);
    let all: Vec<usize> = (0..size).collect();
    let counts = vec![1; size];
    let is_root = rank == root;
    let mut mine = [0];
    // World::scatter
    world.scatter(is_root.then_some(&all), &mut mine, root)?;
    // World::scatterv
    world.scatterv(is_root.then_some((&all, &counts)), &mut mine, root)?;
    assert_eq!(mine, [rank]);
    let mut collected = vec![0; size];
    // World::gather
    world.gather(&mine, is_root.then_some(&mut collected), root)?;
    // World::gatherv
    world.gatherv(&mine, is_root.then_some((&mut collected, &counts)), root)?;
    assert!(!is_root || collected == all);
    // World::allgather
    world.allgather(&mine, &mut collected)?;
    // World::allgatherv
    world.allgatherv(&mine, &mut collected, &counts)?;
    assert_eq!(collected, all);
    Ok(())
}

fn reductions(world: &World) -> Result<()> {
    let (rank, size, root) = (world.rank(), world.size(), 0);
    let mut sum = [0];
    // World::reduce
    world.reduce(&[rank], (rank == root).then_some(&mut sum), Operation::Sum, root)?;
    // World::allreduce
    world.allreduce(&[rank], &mut sum, Operation::Sum)?;
    assert_eq!(sum, [size * (size - 1) / 2]);
    let mut partial = [1];
    // World::reduce_local
    world.reduce_local(&[rank], &mut partial, Operation::Sum)?;
    assert_eq!(partial, [rank + 1]);
    // World::scan
    world.scan(&[rank], &mut sum, Operation::Sum)?;
    assert_eq!(sum, [rank * (rank + 1) / 2]);
    // World::exscan
    world.exscan(&[rank], &mut sum, Operation::Sum)?;
    assert!(rank == 0 || sum == [rank * (rank - 1) / 2]);
    Ok(())
}

fn exchanges(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let (send, mut recv) = (vec![rank; size], vec![0; size]);
    // World::alltoall
    world.alltoall(&send, &mut recv)?;
    let counts = vec![1; size];
    // World::alltoallv
    world.alltoallv(&send, &counts, &mut recv, &counts)?;
    assert_eq!(recv, (0..size).collect::<Vec<_>>());
    Ok(())
}

fn block_reductions(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let (send, counts, mut block) = (vec![rank; size], vec![1; size], [0]);
    // World::reduce_scatter
    world.reduce_scatter(&send, &mut block, &counts, Operation::Sum)?;
    // World::reduce_scatter_block
    world.reduce_scatter_block(&send, &mut block, Operation::Sum)?;
    assert_eq!(block, [size * (size - 1) / 2]);
    Ok(())
}

/// The examples that need nonblocking collectives.
pub(super) const NONBLOCKING_LAWS: &[Law] = &[
    ("the examples of started collectives", |world| started_collectives(world).expect("started collectives")),
    ("the examples of started exchanges", |world| started_exchanges(world).expect("started exchanges")),
    ("the examples of started reductions", |world| started_reductions(world).expect("started reductions")),
];

fn started_collectives(world: &World) -> Result<()> {
    let (rank, size, root) = (world.rank(), world.size(), 0);
    let is_root = rank == root;
    // World::ibarrier
    let mut all_entered = world.ibarrier()?;
    // CollectiveRequest::test
    let _may_be_complete = all_entered.test()?;
    // CollectiveRequest::wait
    all_entered.wait()?;
    let data = vec![if is_root { 5 } else { 0 }];
    // World::ibcast
    let copy = world.ibcast(data, root)?;
    assert_eq!(copy.wait()?, [5]);
    let all: Vec<usize> = (0..size).collect();
    let counts = vec![1; size];
    // World::iscatter
    let block = world.iscatter(is_root.then(|| all.clone()), 1, root)?;
    assert_eq!(block.wait()?, [rank]);
    // World::iscatterv
    let block = world.iscatterv(is_root.then(|| (all.clone(), &counts[..])), 1, root)?;
    assert_eq!(block.wait()?, [rank]);
    // World::igather
    let blocks: Option<Vec<usize>> = world.igather(vec![rank], root)?.wait()?;
    assert_eq!(blocks, is_root.then(|| all.clone()));
    // World::igatherv
    let blocks = world.igatherv(vec![rank], is_root.then_some(&counts), root)?;
    assert_eq!(blocks.wait()?, is_root.then_some(all));
    Ok(())
}

fn started_exchanges(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let all: Vec<usize> = (0..size).collect();
    let counts = vec![1; size];
    // World::iallgather
    let blocks = world.iallgather(vec![rank])?;
    assert_eq!(blocks.wait()?, all);
    // World::iallgatherv
    let blocks = world.iallgatherv(vec![rank], &counts)?;
    assert_eq!(blocks.wait()?, all);
    // World::ialltoall
    let blocks = world.ialltoall(vec![rank; size])?;
    assert_eq!(blocks.wait()?, all);
    // World::ialltoallv
    let blocks = world.ialltoallv(vec![rank; size], &counts, &counts)?;
    assert_eq!(blocks.wait()?, all);
    Ok(())
}

fn started_reductions(world: &World) -> Result<()> {
    let (rank, size, root) = (world.rank(), world.size(), 0);
    let total = size * (size - 1) / 2;
    // World::ireduce
    let sum: Option<Vec<usize>> = world.ireduce(vec![rank], Operation::Sum, root)?.wait()?;
    assert_eq!(sum, (rank == root).then(|| vec![total]));
    // World::iallreduce
    let sum = world.iallreduce(vec![rank], Operation::Sum)?;
    assert_eq!(sum.wait()?, [total]);
    // World::iscan
    let sum = world.iscan(vec![rank], Operation::Sum)?;
    assert_eq!(sum.wait()?, [rank * (rank + 1) / 2]);
    // World::iexscan
    let sum: Option<Vec<usize>> = world.iexscan(vec![rank], Operation::Sum)?.wait()?;
    assert_eq!(sum, (rank > 0).then(|| vec![rank * rank.saturating_sub(1) / 2]));
    let counts = vec![1; size];
    // World::ireduce_scatter
    let block = world.ireduce_scatter(vec![rank; size], &counts, Operation::Sum)?;
    assert_eq!(block.wait()?, [total]);
    // World::ireduce_scatter_block
    let block = world.ireduce_scatter_block(vec![rank; size], Operation::Sum)?;
    assert_eq!(block.wait()?, [total]);
    Ok(())
}

fn active_targets(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
    // World::window_of
    let window = world.window_of(vec![0_i64; 2])?;
    // Window::fence
    let epoch = window.fence()?;
    // Accesses::put
    epoch.put(&[1], next, 0)?;
    // FenceEpoch::end
    epoch.end()?;
    pairs(&window, next, before)?;
    assert_eq!(window.read_all()?, [1, 2]);
    // Window::free
    window.free()
}

/// Every rank posts to the one before it and starts to the next one.
fn pairs(window: &Window<i64>, next: Rank, before: Rank) -> Result<()> {
    // Window::post
    let exposure = window.post(&[before])?;
    // Window::start
    let access = window.start(&[next])?;
    access.put(&[2], next, 1)?;
    // AccessEpoch::complete
    access.complete()?;
    // ExposureEpoch::test
    let still_open = exposure.test()?;
    if let Some(exposure) = still_open {
        // ExposureEpoch::wait
        exposure.wait()?;
    }
    Ok(())
}

fn locks(world: &World) -> Result<()> {
    // World::window
    let window = world.window::<i64>(4)?;
    // Window::lock
    let lock = window.lock(LockKind::Shared, 0)?;
    // LockEpoch::flush
    lock.flush()?;
    // LockEpoch::flush_local
    lock.flush_local()?;
    // LockEpoch::unlock
    lock.unlock()?;
    // Window::lock_all
    let all = window.lock_all()?;
    // Accesses::accumulate
    all.accumulate(&[1, 1], 0, 0, Operation::Sum)?;
    // Accesses::get_accumulate
    let former = all.get_accumulate(&[1], 0, 2, Operation::Sum)?;
    // LockAllEpoch::flush
    all.flush(0)?;
    // Accesses::fetch_and_op
    let number = all.fetch_and_op(1, 0, 2, Operation::Sum)?;
    // Accesses::compare_and_swap
    let winner = all.compare_and_swap(0, 1, 0, 3)?;
    // LockAllEpoch::flush_all
    all.flush_all()?;
    assert!((0..2 * world.size() as i64).contains(&number.value()?));
    assert!((0..2 * world.size() as i64).contains(&former.value()?));
    assert!((0..2).contains(&winner.value()?));
    // A get beside another rank's accumulate is a conflict (WB0108): all ranks have flushed theirs first.
    world.barrier()?;
    // Accesses::get
    let ticket = all.get(2, 0, 0)?;
    // LockAllEpoch::flush_local
    all.flush_local(0)?;
    // LockAllEpoch::sync
    all.sync()?;
    // LockAllEpoch::unlock_all
    all.unlock_all()?;
    assert!(ticket.take()?[0] >= 1);
    window.free()?;
    // World::window_shared
    let shared = world.window_shared::<u8>(1)?;
    shared.free()
}
