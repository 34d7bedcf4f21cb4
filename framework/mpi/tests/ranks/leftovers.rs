//! Messages and requests that nobody took, windows that nobody freed; and which ranks share a node.
use std::{env, time::Duration};

use wb_comm::{
    Assertion, Block, Code, Error, Finding, Label, Layout, Leftover, Match, Seat, Site, Source, Transport,
    Verb, WindowKind, nodes,
};

use crate::{
    launch,
    point_to_point::{post, wait_all},
    windows::open,
};

fn barrier(world: &dyn Transport) {
    world.library().expect("MPI has one").barrier(Site::here(Verb::Barrier)).expect("everybody");
}

pub(crate) fn on_every_communicator(seat: &dyn Seat, world: &dyn Transport) {
    let (rank, size) = (world.rank(), world.size());
    let next = (rank + 1) % size;
    let split = || world.split(Some(0), 0, Site::here(Verb::Split)).expect("split").expect("a color");
    // The handles are gone before the sweep: the registry is what finds their messages.
    let mut posted = vec![post(&*split(), next, Label::user(4), &[1.5f32; 3])];
    let second = split();
    let dup_of_second = second.dup(Site::here(Verb::Dup)).expect("duplicated");
    drop(second);
    posted.push(post(&*dup_of_second, next, Label::user(6), &[7i128]));
    drop(dup_of_second);
    posted.push(post(world, next, Label::user(1), &[0u8; 0]));
    posted.push(post(world, next, Label::user(2), &[1u64; 500]));
    barrier(world);
    let found = seat.sweep(Duration::from_millis(100)).expect("swept");
    let source = (rank + size - 1) % size;
    let left = |tag, bytes, communicator: &str| {
        let (to, communicator) = (rank, communicator.to_owned());
        Finding::from(Leftover { source, to, tag, bytes, communicator, sent: None })
    };
    assert_eq!(
        found,
        [
            left(1, 0, "world"),
            left(2, 4000, "world"),
            left(4, 12, "split 1 of world"),
            left(6, 16, "dup 1 of split 2 of world"),
        ]
    );
    wait_all(posted);
    assert_eq!(seat.sweep(Duration::ZERO), Ok(vec![]), "what was found was also received");
}

/// How many findings of this code there are now, each with a line of these tests.
fn left(seat: &dyn Seat, code: Code) -> usize {
    let found = seat.sweep(Duration::ZERO).expect("swept");
    for finding in &found {
        assert_eq!((finding.code, finding.rank), (code, seat.rank()), "{finding}");
        assert!(finding.places[0].file.contains("tests/ranks/") && finding.places[0].line > 0, "{finding}");
    }
    found.len()
}

pub(crate) fn abandoned_requests(seat: &dyn Seat, world: &dyn Transport) {
    assert_eq!(left(seat, Code::RequestLeft), 0);
    let me = world.rank();
    let never = Match::from(Label::user(77));
    let block = || Block::of(vec![0u32; 16]);
    drop(world.post_recv(me.into(), never, block(), Site::here(Verb::Irecv)).expect("posted"));
    assert_eq!(left(seat, Code::RequestLeft), 1);
    drop(world.post_recv(Source::Any, never, block(), Site::here(Verb::Irecv)).expect("posted"));
    assert_eq!(left(seat, Code::RequestLeft), 1);
    // Two that the abandoned ones catch, so that nothing stays active; a third that is waited for does not count.
    wait_all([1u32, 2].map(|value| post(world, me, Label::user(77), &[value])));
    let posted = world.post_recv(me.into(), never, block(), Site::here(Verb::Irecv)).expect("posted");
    let sent = [post(world, me, Label::user(77), &[3u32])];
    let third = posted.wait(Site::here(Verb::Wait)).expect("waited").block.into_vec::<u32>();
    assert_eq!(third.expect("the type it was made of")[0], 3);
    wait_all(sent);
    assert_eq!(left(seat, Code::RequestLeft), 0);
}

/// They are counted, and freed with the case, also when their locks are still held.
pub(crate) fn windows(seat: &dyn Seat, world: &dyn Transport) {
    assert_eq!(left(seat, Code::WindowLeft), 0);
    let locked = open(world, WindowKind::Allocate, Layout::I64, 3);
    locked.lock_all(Assertion::default(), Site::here(Verb::LockAll)).expect("shared");
    drop(locked);
    for kind in [WindowKind::Create, WindowKind::Shared] {
        drop(open(world, kind, Layout::F32, world.rank()));
    }
    assert_eq!(left(seat, Code::WindowLeft), 3);
    let held = open(world, WindowKind::Allocate, Layout::I64, 1);
    // Nobody's memory is freed under his eyes: the case cannot be closed yet.
    let refused = seat.close().expect_err("in use").to_string();
    assert!(refused.ends_with("is still in use when its case is closed"), "{refused}");
    held.write(0, wb_comm::View::of(&[1i64])).expect("still alive");
    held.free(Site::here(Verb::WindowFree)).expect("freed");
}

pub(crate) fn nodes(world: &dyn Transport) {
    let found = world.nodes(Site::here(Verb::Nodes));
    if env::var_os(nodes::VARIABLE).is_none() {
        assert_eq!(found, Ok(vec![0; world.size()]), "one machine is one node");
        return;
    }
    assert_eq!(found, nodes::parse(launch::INJECTED, world.size()));
    let key = -(world.rank() as i32);
    let part = world.split(Some(0), key, Site::here(Verb::Split)).expect("split").expect("a color");
    assert_eq!(part.nodes(Site::here(Verb::Nodes)), Ok(vec![0, 0, 0, 1, 1]));
    assert!(matches!(nodes::parse("1x4", world.size()), Err(Error::Setup(_))));
}
