//! The library's collectives, compared with results that a rank computes alone.
use wb_comm::{
    BorrowedBuffers, CallSite, CollectiveKind, Collectives, Datatype, JobHandle, RankBlocks, Transport, Verb,
    Wire,
};

use crate::sample::{TestValue, for_every_layout, values};

/// Lengths around the limits. Every layout is tested with the first, the others with three of them: a library that
/// spins takes milliseconds a call where ranks share a core.
fn counts(size: usize) -> (usize, [usize; 4]) {
    (size + 1, [0, 1, size, 1000])
}

/// A length that differs from rank to rank and can be zero.
fn uneven_count(rank: usize, count: usize) -> usize {
    (rank * 3 + count) % (count + 1)
}

fn library(world: &dyn Transport) -> &dyn Collectives {
    world.native_collectives().expect("MPI has one")
}

/// Runs the library's operation.
#[track_caller]
fn run<T: Wire>(world: &dyn Transport, kind: CollectiveKind<'_>, send: &[T], recv: &mut [T]) {
    let site = CallSite::caller(kind.verb());
    library(world).run(kind, BorrowedBuffers::new(send, recv), site).expect("every rank takes part");
}

pub(crate) fn rooted(_: &dyn JobHandle, world: &dyn Transport) {
    library(world).barrier(CallSite::caller(Verb::Barrier)).expect("everybody");
    let (first, others) = counts(world.size());
    for_every_layout!(rooted_for(world, world.size() - 1, first));
    for root in 0..world.size() {
        for count in others {
            rooted_for::<u8>(world, root, count);
            rooted_for::<i32>(world, root, count);
            rooted_for::<f64>(world, root, count);
        }
    }
}

fn rooted_for<T: TestValue>(world: &dyn Transport, root: usize, count: usize) {
    bcast::<T>(world, root, count);
    scatter_and_gather::<T>(world, root, count);
    scatterv_and_gatherv::<T>(world, root, count);
}

fn bcast<T: TestValue>(world: &dyn Transport, root: usize, count: usize) {
    let mut data = if world.rank() == root { values(root, count) } else { vec![T::default(); count] };
    run(world, CollectiveKind::Bcast { root }, &[], &mut data);
    assert_eq!(data, values::<T>(root, count));
}

/// The root's message stays in its context, where no other rank has called the collective.
pub(crate) fn what_one_rank_called_alone_reaches_no_later_case(job: &dyn JobHandle, world: &dyn Transport) {
    if world.rank() == 0 {
        let data = &mut [1_i64; 10];
        run(world, CollectiveKind::Bcast { root: 0 }, &[], data);
    }
    job.close_after_failure().expect("closed");
    let later = job.open_communicator(job.size()).expect("opened").expect("all ranks are in it");
    bcast::<i64>(&*later, 0, 1);
    drop(later);
    job.free_communicators().expect("closed");
}

fn scatter_and_gather<T: TestValue>(world: &dyn Transport, root: usize, count: usize) {
    let (rank, size) = (world.rank(), world.size());
    let is_root = rank == root;
    let all: Vec<T> = values(root, count * size);
    let mut mine = vec![T::default(); count];
    let dealt = if is_root { &all[..] } else { &[] };
    run(world, CollectiveKind::Scatter { root }, dealt, &mut mine);
    assert_eq!(mine, all[rank * count..][..count]);
    let mut received = vec![T::default(); if is_root { count * size } else { 0 }];
    run(world, CollectiveKind::Gather { root }, &mine, &mut received);
    assert!(!is_root || received == all);
}

fn scatterv_and_gatherv<T: TestValue>(world: &dyn Transport, root: usize, count: usize) {
    let (rank, size) = (world.rank(), world.size());
    let is_root = rank == root;
    let counts: Vec<usize> = (0..size).map(|rank| uneven_count(rank, count)).collect();
    let start: usize = counts[..rank].iter().sum();
    let all: Vec<T> = values(root, counts.iter().sum());
    let mut mine = vec![T::default(); counts[rank]];
    let dealt = if is_root { &all[..] } else { &[] };
    let on_root = is_root.then_some(&counts[..]);
    run(
        world,
        CollectiveKind::Scatterv { blocks: on_root.map(RankBlocks::contiguous), root },
        dealt,
        &mut mine,
    );
    assert_eq!(mine, all[start..][..counts[rank]]);
    let mut received = vec![T::default(); if is_root { all.len() } else { 0 }];
    run(
        world,
        CollectiveKind::Gatherv { blocks: on_root.map(RankBlocks::contiguous), root },
        &mine,
        &mut received,
    );
    assert!(!is_root || received == all);
}

pub(crate) fn all_to_all_family(_: &dyn JobHandle, world: &dyn Transport) {
    let (first, others) = counts(world.size());
    for_every_layout!(allgather(world, first));
    for_every_layout!(allgatherv(world, first));
    for count in others {
        allgather::<f64>(world, count);
        allgatherv::<u8>(world, count);
    }
    assert_eq!(Datatype::ALL.len(), 14 + 4, "for_every_layout names all but the located ones");
}

fn allgather<T: TestValue>(world: &dyn Transport, count: usize) {
    let mine: Vec<T> = values(world.rank(), count);
    let mut received = vec![T::default(); count * world.size()];
    run(world, CollectiveKind::Allgather, &mine, &mut received);
    let expected: Vec<T> = (0..world.size()).flat_map(|rank| values(rank, count)).collect();
    assert_eq!(received, expected);
}

fn allgatherv<T: TestValue>(world: &dyn Transport, count: usize) {
    let counts: Vec<usize> = (0..world.size()).map(|rank| uneven_count(rank, count)).collect();
    let mine: Vec<T> = values(world.rank(), counts[world.rank()]);
    let mut received = vec![T::default(); counts.iter().sum()];
    run(world, CollectiveKind::Allgatherv { blocks: counts[..].into() }, &mine, &mut received);
    let expected: Vec<T> = (0..world.size()).flat_map(|rank| values(rank, counts[rank])).collect();
    assert_eq!(received, expected);
}
