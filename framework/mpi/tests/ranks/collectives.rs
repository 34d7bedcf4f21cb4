//! The library's collectives against what a rank can work out alone.
use wb_comm::{Collectives, Layout, Operation, Seat, Site, Transport, Verb, View, ViewMut};

use crate::sample::{Sample, Summand, for_every_layout, for_every_number, values};

/// Lengths around the interesting ones. Every layout is tried with the first, the others with three of them: a library
/// that spins takes milliseconds a call where ranks share a core.
fn counts(size: usize) -> (usize, [usize; 4]) {
    (size + 1, [0, 1, size, 1000])
}

/// A length that differs from rank to rank and can be zero.
fn uneven(rank: usize, count: usize) -> usize {
    (rank * 3 + count) % (count + 1)
}

fn library(world: &dyn Transport) -> &dyn Collectives {
    world.library().expect("MPI has one")
}

pub(crate) fn rooted(_: &dyn Seat, world: &dyn Transport) {
    library(world).barrier(Site::here(Verb::Barrier)).expect("everybody");
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

fn rooted_for<T: Sample>(world: &dyn Transport, root: usize, count: usize) {
    bcast::<T>(world, root, count);
    scatter_and_gather::<T>(world, root, count);
    scatterv_and_gatherv::<T>(world, root, count);
}

fn bcast<T: Sample>(world: &dyn Transport, root: usize, count: usize) {
    let mut data = if world.rank() == root { values(root, count) } else { vec![T::default(); count] };
    library(world).bcast(ViewMut::of(&mut data), root, Site::here(Verb::Bcast)).expect("broadcast");
    assert_eq!(data, values::<T>(root, count));
}

/// The root's message stays in its context, where no other rank has called the collective.
pub(crate) fn what_one_rank_called_alone_reaches_no_later_case(seat: &dyn Seat, world: &dyn Transport) {
    if world.rank() == 0 {
        let data = &mut [1_i64; 10];
        library(world).bcast(ViewMut::of(data), 0, Site::here(Verb::Bcast)).expect("short enough to be kept");
    }
    seat.close_after_failure().expect("closed");
    let later = seat.open(seat.size()).expect("opened").expect("all ranks are in it");
    bcast::<i64>(&*later, 0, 1);
    drop(later);
    seat.close().expect("closed");
}

fn scatter_and_gather<T: Sample>(world: &dyn Transport, root: usize, count: usize) {
    let (rank, size) = (world.rank(), world.size());
    let is_root = rank == root;
    let all: Vec<T> = values(root, count * size);
    let mut mine = vec![T::default(); count];
    let dealt = is_root.then(|| View::of(&all));
    library(world).scatter(dealt, ViewMut::of(&mut mine), root, Site::here(Verb::Scatter)).expect("dealt");
    assert_eq!(mine, all[rank * count..][..count]);
    let mut met = vec![T::default(); count * size];
    let room = is_root.then(|| ViewMut::of(&mut met));
    library(world).gather(View::of(&mine), room, root, Site::here(Verb::Gather)).expect("met");
    assert!(!is_root || met == all);
}

fn scatterv_and_gatherv<T: Sample>(world: &dyn Transport, root: usize, count: usize) {
    let (rank, size) = (world.rank(), world.size());
    let is_root = rank == root;
    let counts: Vec<usize> = (0..size).map(|rank| uneven(rank, count)).collect();
    let start: usize = counts[..rank].iter().sum();
    let all: Vec<T> = values(root, counts.iter().sum());
    let mut mine = vec![T::default(); counts[rank]];
    let dealt = is_root.then(|| (View::of(&all), &counts[..]));
    library(world).scatterv(dealt, ViewMut::of(&mut mine), root, Site::here(Verb::Scatterv)).expect("dealt");
    assert_eq!(mine, all[start..][..counts[rank]]);
    let mut met = vec![T::default(); all.len()];
    let room = is_root.then(|| (ViewMut::of(&mut met), &counts[..]));
    library(world).gatherv(View::of(&mine), room, root, Site::here(Verb::Gatherv)).expect("met");
    assert!(!is_root || met == all);
}

pub(crate) fn to_all(_: &dyn Seat, world: &dyn Transport) {
    let (first, others) = counts(world.size());
    for_every_layout!(allgather(world, first));
    for_every_layout!(allgatherv(world, first));
    for count in others {
        allgather::<f64>(world, count);
        allgatherv::<u8>(world, count);
    }
}

fn allgather<T: Sample>(world: &dyn Transport, count: usize) {
    let mine: Vec<T> = values(world.rank(), count);
    let mut met = vec![T::default(); count * world.size()];
    library(world)
        .allgather(View::of(&mine), ViewMut::of(&mut met), Site::here(Verb::Allgather))
        .expect("met");
    let expected: Vec<T> = (0..world.size()).flat_map(|rank| values(rank, count)).collect();
    assert_eq!(met, expected);
}

fn allgatherv<T: Sample>(world: &dyn Transport, count: usize) {
    let counts: Vec<usize> = (0..world.size()).map(|rank| uneven(rank, count)).collect();
    let mine: Vec<T> = values(world.rank(), counts[world.rank()]);
    let mut met = vec![T::default(); counts.iter().sum()];
    library(world)
        .allgatherv(View::of(&mine), ViewMut::of(&mut met), &counts, Site::here(Verb::Allgatherv))
        .expect("met");
    let expected: Vec<T> = (0..world.size()).flat_map(|rank| values(rank, counts[rank])).collect();
    assert_eq!(met, expected);
}

pub(crate) fn reductions(_: &dyn Seat, world: &dyn Transport) {
    let (first, others) = counts(world.size());
    for operation in Operation::ALL {
        for_every_number!(reduction(world, operation, first));
    }
    for count in others {
        reduction::<i32>(world, Operation::Sum, count);
        reduction::<f64>(world, Operation::Max, count);
    }
}

/// All small whole numbers, so that any order of the reduction gives the same.
fn summands<T: Summand>(rank: usize, count: usize) -> Vec<T> {
    (0..count).map(|n| T::of(1 + (rank + n) % 3)).collect()
}

/// The reduction over `ranks`, worked out here.
fn folded<T: Summand>(operation: Operation, ranks: std::ops::Range<usize>, count: usize) -> Vec<T> {
    let first = ranks.start;
    ranks.skip(1).fold(summands::<T>(first, count), |so_far, rank| {
        let mut next = summands::<T>(rank, count);
        operation.fold(View::of(&so_far), ViewMut::of(&mut next));
        next
    })
}

fn reduction<T: Summand>(world: &dyn Transport, operation: Operation, count: usize) {
    if !operation.admits(T::LAYOUT) {
        return;
    }
    let (rank, size) = (world.rank(), world.size());
    let mine: Vec<T> = summands(rank, count);
    let mut result = vec![T::default(); count];
    library(world)
        .allreduce(View::of(&mine), ViewMut::of(&mut result), operation, Site::here(Verb::Allreduce))
        .expect("reduced");
    assert_eq!(result, folded::<T>(operation, 0..size, count), "{operation} {}", T::LAYOUT);

    let root = count % size;
    let mut result = vec![T::default(); count];
    let room = (rank == root).then(|| ViewMut::of(&mut result));
    library(world).reduce(View::of(&mine), room, operation, root, Site::here(Verb::Reduce)).expect("reduced");
    assert!(rank != root || result == folded::<T>(operation, 0..size, count));

    let mut result = vec![T::default(); count];
    library(world)
        .scan(View::of(&mine), ViewMut::of(&mut result), operation, Site::here(Verb::Scan))
        .expect("scanned");
    assert_eq!(result, folded::<T>(operation, 0..rank + 1, count));

    let mut result = vec![T::of(55); count];
    library(world)
        .exscan(View::of(&mine), ViewMut::of(&mut result), operation, Site::here(Verb::Exscan))
        .expect("scanned");
    let expected = if rank == 0 { vec![T::of(55); count] } else { folded::<T>(operation, 0..rank, count) };
    assert_eq!(result, expected, "exscan leaves rank 0 alone");
}

pub(crate) fn exchanges(_: &dyn Seat, world: &dyn Transport) {
    let (first, others) = counts(world.size());
    for_every_layout!(alltoall(world, first));
    for_every_layout!(alltoallv(world, first));
    for count in others {
        alltoall::<f64>(world, count);
        alltoallv::<u8>(world, count);
    }
    assert_eq!(Layout::ALL.len(), 14, "for_every_layout names them all");
}

/// What `from` sends to `to`.
fn letter<T: Sample>(from: usize, to: usize, count: usize) -> Vec<T> {
    values(from * 5 + to, count)
}

fn alltoall<T: Sample>(world: &dyn Transport, count: usize) {
    let (rank, size) = (world.rank(), world.size());
    let send: Vec<T> = (0..size).flat_map(|to| letter(rank, to, count)).collect();
    let mut recv = vec![T::default(); send.len()];
    library(world)
        .alltoall(View::of(&send), ViewMut::of(&mut recv), Site::here(Verb::Alltoall))
        .expect("exchanged");
    let expected: Vec<T> = (0..size).flat_map(|from| letter(from, rank, count)).collect();
    assert_eq!(recv, expected);
}

fn alltoallv<T: Sample>(world: &dyn Transport, count: usize) {
    let (rank, size) = (world.rank(), world.size());
    let length = |from: usize, to: usize| uneven(from * 2 + to, count);
    let send_counts: Vec<usize> = (0..size).map(|to| length(rank, to)).collect();
    let recv_counts: Vec<usize> = (0..size).map(|from| length(from, rank)).collect();
    let send: Vec<T> = (0..size).flat_map(|to| letter(rank, to, length(rank, to))).collect();
    let mut recv = vec![T::default(); recv_counts.iter().sum()];
    library(world)
        .alltoallv(
            View::of(&send),
            &send_counts,
            ViewMut::of(&mut recv),
            &recv_counts,
            Site::here(Verb::Alltoallv),
        )
        .expect("exchanged");
    let expected: Vec<T> = (0..size).flat_map(|from| letter(from, rank, length(from, rank))).collect();
    assert_eq!(recv, expected);
}
