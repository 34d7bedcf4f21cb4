//! The examples of `docs/world.md` of verbs with displacements, with one buffer, and with layouts.
//!
//! A comment names the verb of the statement below it, as in `verb_examples.rs`.
use wb_world::{Layout, Operation, RankBlocks, Result, World};

use super::Law;

pub(super) const LAWS: &[Law] = &[
    ("the examples of displacements", |world| displacements(world).expect("displacements")),
    ("the examples of reductions in place", |world| reductions_in_place(world).expect("reductions in place")),
    ("the examples of blocks in place", |world| blocks_in_place(world).expect("blocks in place")),
    ("the examples of layouts in collectives", |world| layouts(world).expect("layouts in collectives")),
];

pub(super) const NONBLOCKING_LAWS: &[Law] = &[("the examples of started displacements", |world| {
    started_displacements(world).expect("started displacements");
    transpositions(world).expect("started layouts");
})];

fn displacements(world: &World) -> Result<()> {
    let (rank, size, root) = (world.rank(), world.size(), 0);
    let is_root = rank == root;
    let ones = vec![1; size];
    // One element of each rank, the last rank's first.
    let starts: Vec<usize> = (0..size).rev().collect();
    let blocks = RankBlocks::new(&ones, &starts);
    let mut all = vec![0; size];
    // World::gatherv_at
    world.gatherv_at(&[rank], is_root.then_some((&mut all, blocks)), root)?;
    let mut mine = [0];
    // World::scatterv_at
    world.scatterv_at(is_root.then_some((&all, blocks)), &mut mine, root)?;
    assert_eq!(mine, [rank]);
    // World::allgatherv_at
    world.allgatherv_at(&[rank], &mut all, blocks)?;
    assert_eq!(all, starts);
    let mut recv = vec![0; size];
    // World::alltoallv_at
    world.alltoallv_at(&all, blocks, &mut recv, blocks)?;
    assert_eq!(recv, vec![rank; size]);
    Ok(())
}

fn started_displacements(world: &World) -> Result<()> {
    let (rank, size, root) = (world.rank(), world.size(), 0);
    let is_root = rank == root;
    let ones = vec![1; size];
    let starts: Vec<usize> = (0..size).rev().collect();
    let blocks = RankBlocks::new(&ones, &starts);
    // World::igatherv_at
    let collected = world.igatherv_at(vec![rank], is_root.then_some(blocks), root)?;
    assert_eq!(collected.wait()?, is_root.then_some(starts.clone()));
    // World::iscatterv_at
    let block = world.iscatterv_at(is_root.then(|| (starts.clone(), blocks)), 1, root)?;
    assert_eq!(block.wait()?, [rank]);
    // World::iallgatherv_at
    let collected = world.iallgatherv_at(vec![rank], blocks)?;
    assert_eq!(collected.wait()?, starts);
    // World::ialltoallv_at
    let exchanged = world.ialltoallv_at(starts.clone(), blocks, blocks)?;
    assert_eq!(exchanged.wait()?, vec![rank; size]);
    Ok(())
}

fn transpositions(world: &World) -> Result<()> {
    let (rank, size) = (world.rank(), world.size());
    // Each rank has two rows of a matrix of numbers; column j of them goes to rank j.
    let columns: Vec<Layout> = (0..size).map(|at| Layout::vector(2, 1, size).at(at)).collect();
    let pairs: Vec<Layout> = (0..size).map(|at| Layout::contiguous(2).at(2 * at)).collect();
    let rows: Vec<usize> = (0..2 * size).map(|at| at % size).collect();
    // World::ialltoallw
    let column = world.ialltoallw(rows.clone(), &columns, &pairs)?;
    // World::alltoallw_init
    let mut exchange = world.alltoallw_init(rows.clone(), &columns, &pairs)?;
    exchange.start()?;
    exchange.wait()?;
    let mut received = vec![0; 2 * size];
    // World::alltoallw
    world.alltoallw(&rows, &columns, &mut received, &pairs)?;
    assert_eq!(received, vec![rank; 2 * size]);
    assert_eq!((column.wait()?, exchange.result_mut()?), (received.clone(), &mut received[..]));
    Ok(())
}

fn reductions_in_place(world: &World) -> Result<()> {
    let (rank, size, root) = (world.rank(), world.size(), 0);
    let total = size * (size - 1) / 2;
    let mut sum = [rank];
    // World::allreduce_in_place
    world.allreduce_in_place(&mut sum, Operation::Sum)?;
    assert_eq!(sum, [total]);
    let mut sum = [rank];
    // World::reduce_in_place
    world.reduce_in_place(&mut sum, Operation::Sum, root)?;
    assert_eq!(sum, [if rank == root { total } else { rank }]);
    let mut sum = [1];
    // World::scan_in_place
    world.scan_in_place(&mut sum, Operation::Sum)?;
    assert_eq!(sum, [rank + 1]);
    let mut sum = [1];
    // World::exscan_in_place
    world.exscan_in_place(&mut sum, Operation::Sum)?;
    assert_eq!(sum, [rank.max(1)]);
    let (mut sums, counts) = (vec![rank; size], vec![1; size]);
    // World::reduce_scatter_in_place
    world.reduce_scatter_in_place(&mut sums, &counts, Operation::Sum)?;
    assert_eq!(sums[0], total);
    let mut sums = vec![rank; size];
    // World::reduce_scatter_block_in_place
    world.reduce_scatter_block_in_place(&mut sums, Operation::Sum)?;
    assert_eq!(sums[0], total);
    Ok(())
}

fn blocks_in_place(world: &World) -> Result<()> {
    let (rank, size, root) = (world.rank(), world.size(), 0);
    let all: Vec<usize> = (0..size).collect();
    let mut data = if rank == root { vec![0; size] } else { vec![rank] };
    // World::gather_in_place
    world.gather_in_place(&mut data, root)?;
    assert_eq!(data, if rank == root { &all[..] } else { &all[rank..=rank] });
    // World::scatter_in_place
    world.scatter_in_place(&mut data, root)?;
    assert_eq!(data, if rank == root { &all[..] } else { &all[rank..=rank] });
    let mut data = vec![rank; size];
    // World::allgather_in_place
    world.allgather_in_place(&mut data)?;
    assert_eq!(data, all);
    // World::alltoall_in_place
    world.alltoall_in_place(&mut data)?;
    assert_eq!(data, vec![rank; size]);
    Ok(())
}

fn layouts(world: &World) -> Result<()> {
    let (rank, size, root) = (world.rank(), world.size(), 0);
    let is_root = rank == root;
    let mut matrix: Vec<usize> = (0..3 * size).map(|place| if is_root { place } else { 0 }).collect();
    let column = Layout::vector(3, 1, size).resized(1);
    // World::bcast_layout
    world.bcast_layout(&mut matrix, &column, root)?;
    assert_eq!(column.pack(&matrix)?, [0, size, 2 * size]);
    let mut mine = [0; 3];
    // World::scatter_layout
    world.scatter_layout(is_root.then_some((&matrix, &column)), &mut mine, root)?;
    assert_eq!(mine, [rank, size + rank, 2 * size + rank]);
    // World::gather_layout
    world.gather_layout(&mine, is_root.then_some((&mut matrix, &column)), root)?;
    assert!(!is_root || matrix == (0..3 * size).collect::<Vec<_>>());
    Ok(())
}
