//! Communicators made from communicators.
use std::time::Duration;

use wb_comm::{CallSite, JobHandle, MessageTag, Source, Transport, Verb};

use crate::point_to_point::{any_tag, post, recv, wait_all};

pub(crate) fn splits_and_dups(seat: &dyn JobHandle, world: &dyn Transport) {
    by_parity_in_reverse(world);
    only_the_first(world);
    a_dup_is_another_world(world);
    a_half_of_a_half(world);
    assert_eq!(seat.find_leaks(Duration::ZERO), Ok(vec![]));
}

fn by_parity_in_reverse(world: &dyn Transport) {
    let (rank, size) = (world.rank(), world.size());
    let part = world.split(Some((rank % 2) as u32), -(rank as i32), CallSite::caller(Verb::Split));
    let part = part.expect("split").expect("everybody has a color");
    let members: Vec<usize> = (0..size).rev().filter(|other| other % 2 == rank % 2).collect();
    assert_eq!(part.size(), members.len());
    assert_eq!(members[part.rank()], rank);
    let (next, previous) = ((part.rank() + 1) % part.size(), (part.rank() + part.size() - 1) % part.size());
    let posted = [post(&*part, next, MessageTag::user(0), &[rank as u32])];
    let (data, _) = recv::<u32>(&*part, previous, MessageTag::user(0).into(), 1);
    assert_eq!(data, [members[previous] as u32]);
    wait_all(posted);
}

fn only_the_first(world: &dyn Transport) {
    let color = (world.rank() == 0).then_some(7);
    let part = world.split(color, 0, CallSite::caller(Verb::Split)).expect("split");
    assert_eq!(part.map(|part| (part.rank(), part.size())), color.map(|_| (0, 1)));
}

fn a_dup_is_another_world(world: &dyn Transport) {
    let dup = world.dup(CallSite::caller(Verb::Dup)).expect("duplicated");
    let me = world.rank();
    assert_eq!((dup.rank(), dup.size()), (me, world.size()));
    let posted = [post(world, me, MessageTag::user(1), &[1u8])];
    assert_eq!(dup.iprobe(Source::Any, any_tag(), CallSite::caller(Verb::Iprobe)), Ok(None));
    recv::<u8>(world, me, any_tag(), 1);
    wait_all(posted);
}

fn a_half_of_a_half(world: &dyn Transport) {
    let half = |of: &dyn Transport| {
        let color = (of.rank() * 2 / of.size()) as u32;
        of.split(Some(color), 0, CallSite::caller(Verb::Split)).expect("split").expect("a color")
    };
    let quarter = half(&*half(world));
    let library = quarter.native_collectives().expect("MPI has one");
    library.barrier(CallSite::caller(Verb::Barrier)).expect("all of the quarter");
}
