//! What is refused, and with which words.
use wb_comm::{Block, Channel, Error, Label, Match, Op, Seat, Site, Transport, Verb, View, ViewMut};

use crate::point_to_point::send;

pub(crate) fn bad_arguments(_: &dyn Seat, world: &dyn Transport) {
    let max = wb_mpi::tag_upper_bound().expect("initialised");
    assert!(max >= 32767, "MPI promises at least that");
    assert!(["multiple", "serialized"].contains(&wb_mpi::thread_level().expect("initialised")));
    let size = world.size();
    let nobody = |role| Error::Rank { role, rank: size as i64, size };
    assert_eq!(try_send(world, size, 0), Err(nobody("destination")));
    assert_eq!(try_recv(world, size, Some(0)), Err(nobody("source")));
    assert_eq!(try_send(world, 0, -1), Err(Error::Tag { tag: -1, max }));
    assert_eq!(try_recv(world, 0, Some(-5)), Err(Error::Tag { tag: -5, max }));
    if let Some(above) = max.checked_add(1) {
        assert_eq!(try_send(world, 0, above), Err(Error::Tag { tag: above, max }));
    }
    let posted = world.post_send(size, Label::user(0), Block::of(vec![1u8]), Site::here(Verb::Isend));
    assert_eq!(posted.err(), Some(nobody("destination")));
    let probed = world.iprobe(size.into(), Label::user(0).into(), Site::here(Verb::Iprobe));
    assert_eq!(probed.err(), Some(nobody("source")));
    one_bad_operation_spoils_the_round(world);
    collective_arguments(world);
}

fn try_send(world: &dyn Transport, to: usize, tag: i32) -> wb_comm::Result<()> {
    let op = Op::Send { to, label: Label::user(tag), data: View::of(&[1u8]), synchronous: false };
    world.round(&mut [op], Site::here(Verb::Send))
}

fn try_recv(world: &dyn Transport, from: usize, tag: Option<i32>) -> wb_comm::Result<()> {
    let mut data = [0u8];
    let label = Match { channel: Channel::User, tag };
    let op = Op::Recv { from: from.into(), label, data: ViewMut::of(&mut data), status: None };
    world.round(&mut [op], Site::here(Verb::Recv))
}

/// Nothing of a round is posted if one of its operations cannot be: no leftover may stay (the caller sweeps).
fn one_bad_operation_spoils_the_round(world: &dyn Transport) {
    let size = world.size();
    let send = |to| Op::Send { to, label: Label::user(0), data: View::of(&[1u8]), synchronous: false };
    let refused = world.round(&mut [send(0), send(0), send(size)], Site::here(Verb::Send));
    assert_eq!(refused, Err(Error::Rank { role: "destination", rank: size as i64, size }));
}

fn collective_arguments(world: &dyn Transport) {
    let size = world.size();
    let library = world.library().expect("MPI has one");
    let mut room = [0u8; 3];
    let refused = library.bcast(ViewMut::of(&mut room), size, Site::here(Verb::Bcast));
    assert_eq!(refused, Err(Error::Rank { role: "root", rank: size as i64, size }));
    let send = vec![0u8; 2];
    let mut recv = vec![0u8; 2 * size + 1];
    let refused = library.allgather(View::of(&send), ViewMut::of(&mut recv), Site::here(Verb::Allgather));
    let (got, expected) = (2 * size + 1, 2 * size);
    assert_eq!(refused, Err(Error::Count { verb: "allgather", buffer: "recv", got, expected }));
    let wide = [1i128];
    let operation = wb_comm::Operation::Sum;
    let mut sum = [0i128];
    let refused =
        library.allreduce(View::of(&wide), ViewMut::of(&mut sum), operation, Site::here(Verb::Allreduce));
    assert_eq!(refused, Err(Error::Operation { operation, layout: wb_comm::Layout::I128 }));
}

pub(crate) fn truncation(_: &dyn Seat, world: &dyn Transport) {
    let me = world.rank();
    for count in [5, 100_000] {
        let expected = Err(Error::Truncated { source_rank: me, tag: 8, sent: 4 * count, room: 12 });
        let data = vec![1i32; count];
        let mut room = [0i32; 3];
        let label = Label::user(8);
        let mut ops = [
            Op::Send { to: me, label, data: View::of(&data), synchronous: false },
            Op::Recv { from: me.into(), label: label.into(), data: ViewMut::of(&mut room), status: None },
        ];
        assert_eq!(world.round(&mut ops, Site::here(Verb::Sendrecv)), expected);
    }
    let short = Err(Error::Truncated { source_rank: me, tag: 8, sent: 20, room: 12 });
    send(world, me, Label::user(8), &[1i32; 5]);
    let mut room = [0i32; 3];
    let mut ops =
        [Op::Recv { from: me.into(), label: Label::user(8).into(), data: ViewMut::of(&mut room), status: None }];
    assert_eq!(world.round(&mut ops, Site::here(Verb::Recv)), short);
    posted_truncation(world, short.clone());
    several_truncation(world, short);
}

fn posted_truncation(world: &dyn Transport, short: wb_comm::Result<()>) {
    let me = world.rank();
    let room = Block::of(vec![0i32; 3]);
    let site = Site::here(Verb::Irecv);
    let posted = world.post_recv(me.into(), Label::user(8).into(), room, site).expect("posted");
    send(world, me, Label::user(8), &[1i32; 5]);
    assert_eq!(posted.wait(Site::here(Verb::Wait)).map(drop), short);
}

/// One operation of a round fails, the others are completed all the same.
fn several_truncation(world: &dyn Transport, short: wb_comm::Result<()>) {
    let me = world.rank();
    let (mut first, mut second) = ([0i32; 3], [0i32; 5]);
    let data = [9i32; 5];
    let label = Label::user(8);
    let send = || Op::Send { to: me, label, data: View::of(&data), synchronous: false };
    let mut ops = [
        Op::Recv { from: me.into(), label: label.into(), data: ViewMut::of(&mut first), status: None },
        Op::Recv { from: me.into(), label: label.into(), data: ViewMut::of(&mut second), status: None },
        send(),
        send(),
    ];
    assert_eq!(world.round(&mut ops, Site::here(Verb::Sendrecv)), short);
    assert_eq!(second, data);
}
