//! Laws of the verbs with one buffer (`MPI_IN_PLACE`): each gives what its form with two buffers gives.
use wb_world::{Error, Operation, World};

use super::{Law, counts, element, elements, ragged};

pub(super) const LAWS: &[Law] = &[
    ("in place: allreduce and reduce give what they give with two buffers", reduced),
    ("in place: scan and exscan give what they give with two buffers", scanned),
    ("in place: the blocks of a reduction are at the start", scattered_reductions),
    ("in place: gather and allgather take the own block from its place", gathered),
    ("in place: scatter leaves the own block of the root at its place", scattered),
    ("in place: alltoall replaces each block by that from its rank", alltoall),
    ("in place: a buffer that is not one block for each rank is an error before anything is sent", refused),
];

fn reduced(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    // Not commutative: the result is the contribution of the last rank.
    let last = Operation::user(false, |_: i64, b: i64| b);
    for count in counts(size) {
        let mut expected = vec![0; count];
        world.allreduce(&elements(rank, count), &mut expected, Operation::Sum).expect("allreduce");
        let mut data = elements(rank, count);
        world.allreduce_in_place(&mut data, Operation::Sum).expect("allreduce_in_place");
        assert_eq!(data, expected, "count {count}");
        let mut data = elements(rank, count);
        world.allreduce_in_place(&mut data, last).expect("allreduce_in_place");
        assert_eq!(data, elements(size - 1, count), "rank order");
        for root in 0..size {
            let mut data = elements(rank, count);
            world.reduce_in_place(&mut data, Operation::Sum, root).expect("reduce_in_place");
            assert_eq!(data, if rank == root { expected.clone() } else { elements(rank, count) });
        }
    }
}

fn scanned(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    for count in counts(size) {
        let sum = |ranks: usize| {
            let of = |position| (0..ranks).map(|rank| element(rank, position)).sum::<i64>();
            (0..count).map(of).collect::<Vec<_>>()
        };
        let mut data = elements(rank, count);
        world.scan_in_place(&mut data, Operation::Sum).expect("scan_in_place");
        assert_eq!(data, sum(rank + 1), "count {count}");
        let mut data = elements(rank, count);
        world.exscan_in_place(&mut data, Operation::Sum).expect("exscan_in_place");
        assert_eq!(data, if rank == 0 { elements(0, count) } else { sum(rank) }, "count {count}");
    }
}

fn scattered_reductions(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let lengths: Vec<usize> = (0..size).map(ragged).collect();
    let sum = |position| (0..size).map(|rank| element(rank, position)).sum::<i64>();
    let mut data = elements(rank, lengths.iter().sum());
    world.reduce_scatter_in_place(&mut data, &lengths, Operation::Sum).expect("reduce_scatter_in_place");
    let start: usize = lengths[..rank].iter().sum();
    assert_eq!(data[..lengths[rank]], (start..start + lengths[rank]).map(sum).collect::<Vec<_>>());
    for count in counts(size) {
        let mut data = elements(rank, count * size);
        world
            .reduce_scatter_block_in_place(&mut data, Operation::Sum)
            .expect("reduce_scatter_block_in_place");
        assert_eq!(data[..count], (rank * count..(rank + 1) * count).map(sum).collect::<Vec<_>>());
    }
}

fn gathered(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    for count in counts(size) {
        let all: Vec<i64> = (0..size).flat_map(|rank| elements(rank, count)).collect();
        let own_at_its_place = || {
            let mut data = vec![-1; count * size];
            data[rank * count..][..count].copy_from_slice(&elements(rank, count));
            data
        };
        for root in 0..size {
            let mut data = if rank == root { own_at_its_place() } else { elements(rank, count) };
            world.gather_in_place(&mut data, root).expect("gather_in_place");
            assert_eq!(data, if rank == root { all.clone() } else { elements(rank, count) }, "root {root}");
        }
        let mut data = own_at_its_place();
        world.allgather_in_place(&mut data).expect("allgather_in_place");
        assert_eq!(data, all, "count {count}");
    }
}

fn scattered(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    for count in counts(size) {
        for root in 0..size {
            let all = elements(root, count * size);
            let mut data = if rank == root { all.clone() } else { vec![-1; count] };
            world.scatter_in_place(&mut data, root).expect("scatter_in_place");
            assert_eq!(data, if rank == root { &all[..] } else { &all[rank * count..][..count] });
        }
    }
}

fn alltoall(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    for count in counts(size) {
        let mut data = elements(rank, count * size);
        world.alltoall_in_place(&mut data).expect("alltoall_in_place");
        let block = |from| (rank * count..(rank + 1) * count).map(move |position| element(from, position));
        assert_eq!(data, (0..size).flat_map(block).collect::<Vec<_>>(), "count {count}");
    }
}

fn refused(world: &World) {
    let size = world.size();
    if size > 1 {
        let mut long = vec![0; size + 1];
        let all_refused = [
            world.allgather_in_place(&mut long),
            world.alltoall_in_place(&mut long),
            world.gather_in_place(&mut long, world.rank()),
            world.scatter_in_place(&mut long, world.rank()),
            world.reduce_scatter_block_in_place(&mut long, Operation::Sum),
        ];
        for refused in all_refused {
            assert!(matches!(refused, Err(Error::Blocks { .. })), "{refused:?}");
        }
        let refused = world.reduce_scatter_in_place(&mut long, &vec![1; size], Operation::Sum);
        assert!(matches!(refused, Err(Error::Count { .. })), "{refused:?}");
    }
}
