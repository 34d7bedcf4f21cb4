//! Refused calls and their error messages.
use wb_comm::{
    Block, BorrowedBuffers, CallSite, CollectiveKind, Error, JobHandle, MessageTag, Op, ProcessRanks,
    SendMode, Transport, Verb, View, ViewMut,
};
use wb_mpi::MPI;

use crate::point_to_point::{post, wait_all};

pub(crate) fn bad_arguments(_: &dyn JobHandle, world: &dyn Transport) {
    assert!(["multiple", "serialized"].contains(&wb_mpi::thread_level().expect("initialised")));
    let size = world.size();
    let nobody = |role| Error::Rank { role, rank: size as i64, size };
    assert_eq!(try_send(world, size), Err(nobody("destination")));
    assert_eq!(try_recv(world, size), Err(nobody("source")));
    let posted = world.post_send(
        size,
        MessageTag::user(0),
        Block::from_vec(vec![1u8]),
        SendMode::Standard,
        CallSite::caller(Verb::Isend),
    );
    assert_eq!(posted.err(), Some(nobody("destination")));
    let probed = world.iprobe(size.into(), MessageTag::user(0).into(), CallSite::caller(Verb::Iprobe));
    assert_eq!(probed.err(), Some(nobody("source")));
    one_bad_operation_spoils_the_round(world);
    collective_arguments(world);
}

fn try_send(world: &dyn Transport, to: usize) -> wb_comm::Result<()> {
    let op =
        Op::Send { to, tag: MessageTag::user(0), data: View::from_slice(&[1u8]), mode: SendMode::Standard };
    world.post_and_wait(&mut [op], CallSite::caller(Verb::Send))
}

fn try_recv(world: &dyn Transport, from: usize) -> wb_comm::Result<()> {
    let mut data = [0u8];
    let tag = MessageTag::user(0).into();
    let op = Op::Recv { from: from.into(), tag, data: ViewMut::from_slice(&mut data), status: None };
    world.post_and_wait(&mut [op], CallSite::caller(Verb::Recv))
}

/// If one operation of a round cannot be posted, none is: no leftover may stay (the caller checks it).
fn one_bad_operation_spoils_the_round(world: &dyn Transport) {
    let size = world.size();
    let send = |to| Op::Send {
        to,
        tag: MessageTag::user(0),
        data: View::from_slice(&[1u8]),
        mode: SendMode::Standard,
    };
    let refused = world.post_and_wait(&mut [send(0), send(0), send(size)], CallSite::caller(Verb::Send));
    assert_eq!(refused, Err(Error::Rank { role: "destination", rank: size as i64, size }));
}

fn collective_arguments(world: &dyn Transport) {
    let size = world.size();
    let library = world.native_collectives().expect("MPI has one");
    let send = vec![0u8; 2];
    let mut recv = vec![0u8; 2 * size + 1];
    let kind = CollectiveKind::Allgather;
    let refused = library.run(kind, BorrowedBuffers::new(&send, &mut recv), CallSite::caller(kind.verb()));
    let (got, expected) = (2 * size + 1, 2 * size);
    assert_eq!(refused, Err(Error::Count { verb: "allgather", buffer: "recv", got, expected }));
    let wide = [1i128];
    let operation = wb_comm::Operation::Sum;
    let mut sum = [0i128];
    let kind = CollectiveKind::Allreduce { operation };
    let refused = library.run(kind, BorrowedBuffers::new(&wide, &mut sum), CallSite::caller(kind.verb()));
    assert_eq!(refused, Err(Error::Operation { operation, datatype: wb_comm::Datatype::I128 }));
}

/// Lengths of the buffer and of the message: eager, rendezvous, and far above every limit.
const CAPACITY: usize = 3;
const MESSAGE_COUNTS: [usize; 4] = [5, 1500, 50_000, 1_000_000];
/// The value behind the buffer, which must stay unchanged.
const GUARD_VALUE: i32 = -7;

pub(crate) fn truncation(_: &dyn JobHandle, world: &dyn Transport) {
    let (rank, size) = (world.rank(), world.size());
    // MPICH reports a truncated message to oneself as a failure of the send.
    if size == 1 && MPI.library().implementation == "MPICH" {
        return;
    }
    let (next, previous) = ((rank + 1) % size, (rank + size - 1) % size);
    // Open MPI silently truncates messages of up to 256 bytes to oneself when the receive is posted first.
    let smallest = usize::from(size == 1);
    for &count in &MESSAGE_COUNTS[smallest..] {
        for receive in [at_once, posted_before, in_a_sendrecv, in_a_round] {
            let mut memory = vec![GUARD_VALUE; count];
            let error = receive(world, next, previous, &vec![1i32; count], &mut memory[..CAPACITY]);
            assert_truncated(error, previous, count);
            assert!(
                memory[CAPACITY..].iter().all(|value| *value == GUARD_VALUE),
                "MPI wrote past {CAPACITY} of {count}"
            );
        }
    }
}

fn assert_truncated(error: Error, from: usize, count: usize) {
    let Error::Truncated { source_rank, tag: 8, sent, capacity: received, .. } = error else {
        panic!("{error:?}")
    };
    assert_eq!((source_rank, received), (from, 4 * CAPACITY));
    // MPICH only reports that it was longer.
    let is_exact = MPI.library().implementation == "Open MPI";
    assert!(if is_exact { sent == 4 * count } else { sent > received }, "{sent} bytes sent");
}

fn at_once(world: &dyn Transport, to: usize, from: usize, data: &[i32], received: &mut [i32]) -> Error {
    let sent = [post(world, to, MessageTag::user(8), data)];
    let tag = MessageTag::user(8).into();
    let mut ops = [Op::Recv { from: from.into(), tag, data: ViewMut::from_slice(received), status: None }];
    let error = world.post_and_wait(&mut ops, CallSite::caller(Verb::Recv)).expect_err("too long");
    wait_all(sent);
    error
}

/// The buffer is a block here, so no memory of ours follows it.
fn posted_before(world: &dyn Transport, to: usize, from: usize, data: &[i32], received: &mut [i32]) -> Error {
    let block = Block::from_vec(received.to_vec());
    let tag = MessageTag::user(8).into();
    let mut posted = world.post_recv(from.into(), tag, block, CallSite::caller(Verb::Irecv)).expect("posted");
    let sent = [post(world, to, MessageTag::user(8), data)];
    let error = loop {
        match posted.test(CallSite::caller(Verb::Wait)) {
            Ok(done) => assert!(!done, "too long"),
            Err(error) => break error,
        }
    };
    assert_eq!(
        posted.wait(CallSite::caller(Verb::Wait)).map(drop),
        Err(error.clone()),
        "a failure stays one"
    );
    wait_all(sent);
    error
}

fn in_a_sendrecv(world: &dyn Transport, to: usize, from: usize, data: &[i32], received: &mut [i32]) -> Error {
    let tag = MessageTag::user(8);
    let mut ops = [
        Op::Send { to, tag, data: View::from_slice(data), mode: SendMode::Standard },
        Op::Recv { from: from.into(), tag: tag.into(), data: ViewMut::from_slice(received), status: None },
    ];
    world.post_and_wait(&mut ops, CallSite::caller(Verb::Sendrecv)).expect_err("too long")
}

/// One operation of a round fails; the others still complete.
fn in_a_round(world: &dyn Transport, to: usize, from: usize, data: &[i32], received: &mut [i32]) -> Error {
    let mut whole = vec![0i32; data.len()];
    let tag = MessageTag::user(8);
    let send = || Op::Send { to, tag, data: View::from_slice(data), mode: SendMode::Standard };
    let mut ops = [
        Op::Recv { from: from.into(), tag: tag.into(), data: ViewMut::from_slice(received), status: None },
        Op::Recv { from: from.into(), tag: tag.into(), data: ViewMut::from_slice(&mut whole), status: None },
        send(),
        send(),
    ];
    let error = world.post_and_wait(&mut ops, CallSite::caller(Verb::Sendrecv)).expect_err("too long");
    assert_eq!(whole, data);
    error
}
