//! Unreceived messages, incomplete requests, windows that are not freed; and the ranks that share a node.
use std::time::Duration;

use wb_comm::{
    Assertion, Block, CallSite, Code, Datatype, Finding, JobHandle, MessageTag, Source, TagPattern,
    Transport, UnreceivedMessage, Verb, WindowKind,
};

use crate::{
    point_to_point::{post, recv, wait_all},
    windows::open,
};

fn barrier(world: &dyn Transport) {
    world
        .native_collectives()
        .expect("MPI has one")
        .barrier(CallSite::caller(Verb::Barrier))
        .expect("everybody");
}

pub(crate) fn on_every_communicator(job: &dyn JobHandle, world: &dyn Transport) {
    let (rank, size) = (world.rank(), world.size());
    let next = (rank + 1) % size;
    let split = || world.split(Some(0), 0, CallSite::caller(Verb::Split)).expect("split").expect("a color");
    // The handles are dropped before the search: the registry finds their messages.
    let mut posted = vec![post(&*split(), next, MessageTag::user(4), &[1.5f32; 3])];
    let second = split();
    let dup_of_second = second.dup(CallSite::caller(Verb::Dup)).expect("duplicated");
    drop(second);
    posted.push(post(&*dup_of_second, next, MessageTag::user(6), &[7i128]));
    drop(dup_of_second);
    posted.push(post(world, next, MessageTag::user(1), &[0u8; 0]));
    posted.push(post(world, next, MessageTag::user(2), &[1u64; 500]));
    barrier(world);
    let found = job.find_leaks(Duration::from_millis(100)).expect("swept");
    let source = (rank + size - 1) % size;
    let left = |tag, bytes, communicator: &str| {
        let (to, communicator) = (rank, communicator.to_owned());
        Finding::from(UnreceivedMessage { source, dest: to, tag, bytes, communicator, sent_at: None })
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
    assert_eq!(job.find_leaks(Duration::ZERO), Ok(vec![]), "what was found was also received");
}

/// Dropped communicators are freed when others are made, except those on which something is left.
pub(crate) fn on_dropped_communicators(job: &dyn JobHandle, world: &dyn Transport) {
    let (rank, size) = (world.rank(), world.size());
    let (next, source) = ((rank + 1) % size, (rank + size - 1) % size);
    let dup = || world.dup(CallSite::caller(Verb::Dup)).expect("duplicated");
    let (message, request, site) = (dup(), dup(), CallSite::caller(Verb::Irecv));
    // MPICH completes a send to the own rank only when it is received.
    if size > 1 {
        wait_all([post(&*message, next, MessageTag::user(4), &[1.5f32; 3])]);
    }
    let block = Block::from_vec(vec![0u8]);
    drop(request.post_recv(Source::Any, MessageTag::user(7).into(), block, site).expect("posted"));
    drop((message, request));
    for _ in 0..50 {
        let copy = dup();
        let posted = [post(&*copy, next, MessageTag::user(5), &[7u8])];
        recv::<u8>(&*copy, source, MessageTag::user(5).into(), 1);
        wait_all(posted);
    }
    let found = job.find_leaks(Duration::from_millis(100)).expect("swept");
    let codes: Vec<_> = found.iter().map(|finding| finding.code).collect();
    let expected = [Code::RequestLeak, Code::UnreceivedMessage];
    assert_eq!(codes, expected[..size.min(2)], "{found:?}");
}

/// The number of findings of this code now, each with a line of these tests.
fn leak_count(job: &dyn JobHandle, code: Code) -> usize {
    let found = job.find_leaks(Duration::ZERO).expect("swept");
    for finding in &found {
        assert_eq!((finding.code, finding.rank), (code, job.rank()), "{finding}");
        assert!(
            finding.locations[0].file.contains("tests/ranks/") && finding.locations[0].line > 0,
            "{finding}"
        );
    }
    found.len()
}

pub(crate) fn abandoned_requests(job: &dyn JobHandle, world: &dyn Transport) {
    assert_eq!(leak_count(job, Code::RequestLeak), 0);
    let me = world.rank();
    let never = TagPattern::from(MessageTag::user(77));
    let block = || Block::from_vec(vec![0u32; 16]);
    drop(world.post_recv(me.into(), never, block(), CallSite::caller(Verb::Irecv)).expect("posted"));
    assert_eq!(leak_count(job, Code::RequestLeak), 1);
    drop(world.post_recv(Source::Any, never, block(), CallSite::caller(Verb::Irecv)).expect("posted"));
    assert_eq!(leak_count(job, Code::RequestLeak), 1);
    // The abandoned receives match the first two, so that nothing stays active. The third is waited for and does not
    // count.
    wait_all([1u32, 2].map(|value| post(world, me, MessageTag::user(77), &[value])));
    let posted = world.post_recv(me.into(), never, block(), CallSite::caller(Verb::Irecv)).expect("posted");
    let sent = [post(world, me, MessageTag::user(77), &[3u32])];
    let third = posted.wait(CallSite::caller(Verb::Wait)).expect("waited").block.into_vec::<u32>();
    assert_eq!(third.expect("the type it was made of")[0], 3);
    wait_all(sent);
    assert_eq!(leak_count(job, Code::RequestLeak), 0);
}

/// They are counted, and freed with the case, even when their locks are still held.
pub(crate) fn windows(job: &dyn JobHandle, world: &dyn Transport) {
    assert_eq!(leak_count(job, Code::WindowLeak), 0);
    let locked = open(world, WindowKind::Allocate, Datatype::I64, 3);
    locked.lock_all(Assertion::default(), CallSite::caller(Verb::LockAll)).expect("shared");
    drop(locked);
    for kind in [WindowKind::Create, WindowKind::Shared] {
        drop(open(world, kind, Datatype::F32, world.rank()));
    }
    assert_eq!(leak_count(job, Code::WindowLeak), 3);
    let held = open(world, WindowKind::Allocate, Datatype::I64, 1);
    // Memory in use is not freed: the case cannot be closed yet.
    let refused = job.free_communicators().expect_err("in use").to_string();
    assert!(refused.ends_with("is still in use when its case is closed"), "{refused}");
    held.write(0, wb_comm::View::from_slice(&[1i64])).expect("still alive");
    held.free(CallSite::caller(Verb::WindowFree)).expect("freed");
}

pub(crate) fn nodes(world: &dyn Transport) {
    let found = world.nodes(CallSite::caller(Verb::Nodes));
    assert_eq!(found, Ok(vec![0; world.size()]), "one machine is one node");
}
