//! Laws of communicators made from others.
use wb_world::{Operation, World};

use super::Law;

pub(super) const LAWS: &[Law] = &[
    ("split: colours part, keys order", split),
    ("split: without a colour there is no world", no_color),
    ("dup: the same ranks, separate messages", dup),
];

/// Even and odd ranks part; the key turns their order round.
fn split(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let parity = u32::try_from(rank % 2).expect("0 or 1");
    let key = -i32::try_from(rank).expect("small");
    let part = world.split(Some(parity), key).expect("split").expect("a colour was given");
    let members: Vec<_> = (0..size).filter(|member| member % 2 == rank % 2).rev().collect();
    assert_eq!(part.size(), members.len());
    assert_eq!(members[part.rank()], rank);
    let mut ranks = vec![usize::MAX; members.len()];
    part.allgather(&[rank], &mut ranks).expect("allgather");
    assert_eq!(ranks, members);
    let mut sum = [0];
    part.allreduce(&[rank], &mut sum, Operation::Sum).expect("allreduce");
    assert_eq!(sum[0], members.iter().sum::<usize>());
}

fn no_color(world: &World) {
    let color = (world.rank() == 0).then_some(0);
    let part = world.split(color, 0).expect("split");
    assert_eq!(part.map(|part| part.size()), color.map(|_| 1));
}

fn dup(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let duplicate = world.dup().expect("dup");
    assert_eq!((duplicate.rank(), duplicate.size()), (rank, size));
    let (next, last) = ((rank + 1) % size, (rank + size - 1) % size);
    // Alone, a rank is its own neighbour, and MPICH ends no blocking send to oneself before its receive has begun.
    let outer = world.isend(vec![1i32], next, 0).expect("isend");
    let inner = duplicate.isend(vec![2i32], next, 0).expect("isend");
    let mut received = [0i32];
    duplicate.recv(&mut received, last, 0).expect("recv");
    assert_eq!(received, [2], "a message crossed from one communicator to its twin");
    world.recv(&mut received, last, 0).expect("recv");
    assert_eq!(received, [1]);
    outer.wait().expect("wait");
    inner.wait().expect("wait");
}
