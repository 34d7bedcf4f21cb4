//! Messages between two ranks, with every operation that a transport offers.
use std::{thread, time::Duration};

use wb_comm::{
    Block, BlockedCall, CallSite, JobHandle, MessageTag, Op, Pending, ProcessRanks, SendMode, Source,
    TagPattern, Transport, Verb, View, ViewMut, Wire,
};
use wb_mpi::MPI;

use crate::sample::{TestValue, for_every_layout, values};

/// Sends one vector.
#[track_caller]
pub(crate) fn send<T: Wire>(world: &dyn Transport, to: usize, tag: MessageTag, data: &[T]) {
    let op = Op::Send { to, tag, data: View::from_slice(data), mode: SendMode::Standard };
    world.post_and_wait(&mut [op], CallSite::caller(Verb::Send)).expect("sent");
}

/// Posts one vector, for messages to oneself: MPI may let a plain send wait for the receive.
#[track_caller]
pub(crate) fn post<T: Wire>(
    world: &dyn Transport,
    to: usize,
    tag: MessageTag,
    data: &[T],
) -> Box<dyn Pending> {
    world
        .post_send(to, tag, Block::from_vec(data.to_vec()), SendMode::Standard, CallSite::caller(Verb::Isend))
        .expect("posted")
}

/// Waits for sends.
pub(crate) fn wait_all(posted: impl IntoIterator<Item = Box<dyn Pending>>) {
    for send in posted {
        send.wait(CallSite::caller(Verb::Wait)).expect("sent");
    }
}

/// Receives `count` elements and the status.
#[track_caller]
pub(crate) fn recv<T: Wire>(
    world: &dyn Transport,
    from: impl Into<Source>,
    tag: TagPattern,
    count: usize,
) -> (Vec<T>, wb_comm::Status) {
    let mut data = vec![T::default(); count];
    let mut ops = [Op::Recv { from: from.into(), tag, data: ViewMut::from_slice(&mut data), status: None }];
    world.post_and_wait(&mut ops, CallSite::caller(Verb::Recv)).expect("received");
    let [Op::Recv { status, .. }] = ops else { unreachable!("still a receive") };
    (data, status.expect("filled on completion"))
}

/// Any tag of the user's context.
pub(crate) fn any_tag() -> TagPattern {
    TagPattern { context: wb_comm::Context::User, tag: None }
}

pub(crate) fn every_layout_in_a_ring(_: &dyn JobHandle, world: &dyn Transport) {
    for_every_layout!(ring(world));
}

fn ring<T: TestValue>(world: &dyn Transport) {
    let (rank, size) = (world.rank(), world.size());
    let (next, previous) = ((rank + 1) % size, (rank + size - 1) % size);
    for count in [0, 1, 1000, 20_000] {
        let mine = values::<T>(rank, count);
        let mut received = vec![T::default(); count];
        let tag = MessageTag::user(count as i32);
        let mut ops = [
            Op::Send { to: next, tag, data: View::from_slice(&mine), mode: SendMode::Standard },
            Op::Recv {
                from: previous.into(),
                tag: tag.into(),
                data: ViewMut::from_slice(&mut received),
                status: None,
            },
        ];
        world.post_and_wait(&mut ops, CallSite::caller(Verb::Sendrecv)).expect("passed on");
        let [_, Op::Recv { status: Some(status), .. }] = ops else { panic!("no status: {ops:?}") };
        assert_eq!((status.source, status.tag), (previous, count as i32));
        assert_eq!((status.bytes, status.count(T::DATATYPE)), (count * size_of::<T>(), Some(count)));
        assert_eq!(received, values::<T>(previous, count));
    }
}

pub(crate) fn rounds_of_several(_: &dyn JobHandle, world: &dyn Transport) {
    let site = CallSite::caller(Verb::Sendrecv);
    world.post_and_wait(&mut [], site).expect("nothing to do");
    let (rank, size) = (world.rank(), world.size());
    // Every rank sends to every rank, itself included, and receives from every rank: large enough for rendezvous.
    const COUNT: usize = 10_000;
    let out: Vec<Vec<i32>> = (0..size).map(|to| values(rank * size + to, COUNT)).collect();
    let mut into = vec![vec![0i32; COUNT]; size];
    let mut ops = Vec::new();
    for (peer, (out, into)) in out.iter().zip(&mut into).enumerate() {
        let tag = MessageTag::internal(3);
        let mode = if peer % 2 == 0 { SendMode::Synchronous } else { SendMode::Standard };
        ops.push(Op::Recv {
            from: peer.into(),
            tag: tag.into(),
            data: ViewMut::from_slice(into),
            status: None,
        });
        ops.push(Op::Send { to: peer, tag, data: View::from_slice(out), mode });
    }
    world.post_and_wait(&mut ops, site).expect("all exchanged");
    for (peer, op) in ops.iter().step_by(2).enumerate() {
        let Op::Recv { status: Some(status), .. } = op else { panic!("no status: {op:?}") };
        assert_eq!((status.source, status.bytes), (peer, 4 * COUNT));
    }
    for (peer, into) in into.iter().enumerate() {
        assert_eq!(*into, values::<i32>(peer * size + rank, COUNT));
    }
}

pub(crate) fn channels_never_mix(_: &dyn JobHandle, world: &dyn Transport) {
    let me = world.rank();
    let posted =
        [post(world, me, MessageTag::internal(5), &[1u8]), post(world, me, MessageTag::user(5), &[2u8, 2])];
    let (user, status) = recv::<u8>(world, Source::Any, any_tag(), 2);
    assert_eq!((user, status.bytes), (vec![2, 2], 2));
    let (internal, _) = recv::<u8>(world, me, MessageTag::internal(5).into(), 1);
    assert_eq!(internal, [1]);
    wait_all(posted);
}

pub(crate) fn probes(_: &dyn JobHandle, world: &dyn Transport) {
    let me = world.rank();
    let iprobe = || world.iprobe(Source::Any, any_tag(), CallSite::caller(Verb::Iprobe)).expect("looked");
    assert_eq!(iprobe(), None);
    let posted = [post(world, me, MessageTag::user(9), &[1i16, 2, 3])];
    let status =
        world.probe(me.into(), MessageTag::user(9).into(), CallSite::caller(Verb::Probe)).expect("there");
    assert_eq!((status.source, status.tag, status.bytes, status.datatype), (me, 9, 6, None));
    assert_eq!(iprobe(), Some(status));
    let (data, received) = recv::<i16>(world, me, MessageTag::user(9).into(), 3);
    assert_eq!((data, received), (vec![1, 2, 3], status));
    wait_all(posted);
    assert_eq!(iprobe(), None);
}

pub(crate) fn posted(_: &dyn JobHandle, world: &dyn Transport) {
    let (rank, size) = (world.rank(), world.size());
    let (next, previous) = ((rank + 1) % size, (rank + size - 1) % size);
    for count in [0, 1, 50_000] {
        let buffer = Block::from_vec(vec![0i64; count]);
        let site = CallSite::caller(Verb::Irecv);
        let mut incoming =
            world.post_recv(previous.into(), MessageTag::user(2).into(), buffer, site).expect("posted");
        let data = Block::from_vec(values::<i64>(rank, count));
        let outgoing = world
            .post_send(next, MessageTag::user(2), data, SendMode::Standard, CallSite::caller(Verb::Isend))
            .expect("posted");
        while !incoming.test(CallSite::caller(Verb::Wait)).expect("tested") {
            thread::yield_now();
        }
        assert_eq!(incoming.test(CallSite::caller(Verb::Wait)), Ok(true), "complete stays complete");
        let received = incoming.wait(CallSite::caller(Verb::Wait)).expect("waited");
        let status = received.status.expect("a receive has one");
        assert_eq!((status.source, status.tag, status.bytes), (previous, 2, 8 * count));
        assert_eq!(received.block.into_vec::<i64>(), Some(values(previous, count)));
        let sent = outgoing.wait(CallSite::caller(Verb::Wait)).expect("waited");
        assert_eq!((sent.status, sent.block.into_vec::<i64>()), (None, Some(values(rank, count))));
    }
}

/// To oneself: the completion does not depend on another rank.
pub(crate) fn posted_synchronously(_: &dyn JobHandle, world: &dyn Transport) {
    let (me, tag) = (world.rank(), MessageTag::user(3));
    let isend = CallSite::caller(Verb::Isend);
    let mut sending =
        world.post_send(me, tag, Block::from_vec(vec![7u8]), SendMode::Synchronous, isend).expect("posted");
    for _ in 0..100 {
        assert_eq!(sending.test(isend), Ok(false), "no receive has started");
    }
    assert_eq!(recv::<u8>(world, me, tag.into(), 1).0, [7]);
    sending.wait(CallSite::caller(Verb::Wait)).expect("received");
}

pub(crate) fn clocks(_: &dyn JobHandle, world: &dyn Transport) {
    let (rank, size) = (world.rank(), world.size());
    let before = world.now();
    // A token passed around the ring carries the latest time: no clock may be behind a time seen earlier on another
    // rank.
    let tag = MessageTag::internal(0);
    let mut token = [0u64];
    if rank > 0 {
        token[0] = recv::<u64>(world, rank - 1, tag.into(), 1).0[0];
    }
    let now = world.now();
    assert!(now >= before && now >= token[0], "{now} lies before {before} or {token:?}");
    if rank + 1 < size {
        send(world, rank + 1, tag, &[now]);
    }
}

pub(crate) fn calls_are_visible(job: &dyn JobHandle, world: &dyn Transport) {
    assert_eq!(MPI.blocked_call(), None);
    let (rank, size) = (world.rank(), world.size());
    let previous = (rank + size - 1) % size;
    let watchdog = thread::spawn(|| {
        let mut calls = (0..5000).map(|_| {
            thread::sleep(Duration::from_millis(1));
            MPI.blocked_call()
        });
        calls.find_map(|call| call)
    });
    if rank > 0 {
        recv::<u8>(world, previous, MessageTag::user(42).into(), 4);
        let seen = watchdog.join().expect("watched").expect("stood in recv for a while");
        assert_eq!(seen, expected(job.rank(), previous));
    } else {
        // Only this rank is late, so that every other rank waits.
        thread::sleep(Duration::from_millis(50));
    }
    if rank + 1 < size {
        send(world, rank + 1, MessageTag::user(42), &[1u8; 4]);
    }
    assert_eq!(MPI.blocked_call(), None);
}

fn expected(rank: usize, previous: usize) -> BlockedCall {
    let line = include_str!("point_to_point.rs")
        .lines()
        .position(|line| line.contains("MessageTag::user(42).into(), 4"))
        .expect("the receive above");
    BlockedCall {
        rank,
        verb: Verb::Recv,
        peer: Some(previous.into()),
        tag: Some(42),
        bytes: Some(4),
        waits_for: vec![previous],
        is_bufferable: false,
        communicator: None,
        started_at: None,
        file: file!().to_owned(),
        line: line as u32 + 1,
    }
}
