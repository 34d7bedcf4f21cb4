//! Rules that need what other ranks do: checked where they are threads of one process. Each refused call names the other
//! rank's.
use wb_comm::Verb::{self, *};
use wb_world::{Assertion, LockKind, MemoryModel, Rank, Result, Rule, World};

use super::violation;
use crate::laws::Law;

pub(super) const LAWS: &[Law] = &[
    ("7: no lock of an exposed window", lock_exposed),
    ("7: no post of a locked window", post_locked),
    ("8: two origins put to one element between fences", fence_conflict),
    ("8: two origins put to one element of a post", post_conflict),
    ("8: a store by hand and a put", store_and_put),
    ("8: two outstanding accesses under shared locks", lock_conflict),
    ("12: fences that differ", fences_differ),
    ("12: NOPUT", no_put),
    ("12: NOCHECK", no_check),
];

const NONE: Assertion =
    Assertion { no_check: false, no_store: false, no_put: false, no_precede: false, no_succeed: false };

/// Rank 0 is the target, rank 1 an origin, the last rank another.
fn roles(world: &World) -> (bool, bool) {
    (world.rank() == 0, world.rank() == 1)
}

#[track_caller]
fn assert_violation<R>(result: Result<R>, rule: Rule, call: (Rank, Verb), earlier: (Rank, Verb)) {
    let violation = violation(result);
    assert_eq!(violation.rule, rule, "{violation}");
    assert_eq!((violation.call.rank, violation.call.site.verb), call, "{violation}");
    assert_eq!(violation.earlier.map(|call| (call.rank, call.site.verb)), Some(earlier), "{violation}");
}

fn lock_exposed(world: &World) {
    let window = world.window::<i32>(1).expect("window");
    let (target, origin) = roles(world);
    let exposure = target.then(|| window.post(&[1]).expect("post"));
    world.barrier().expect("barrier");
    if origin {
        assert_violation(window.lock(LockKind::Shared, 0), Rule::LockOrPost, (1, Lock), (0, Post));
        assert_violation(window.lock_all(), Rule::LockOrPost, (1, LockAll), (0, Post));
        window.start(&[0]).expect("start").complete().expect("complete");
    }
    exposure.map_or(Ok(()), |exposure| exposure.wait()).expect("wait");
    window.free().expect("free");
}

fn post_locked(world: &World) {
    let window = world.window::<i32>(1).expect("window");
    let (target, origin) = roles(world);
    let lock = origin.then(|| window.lock(LockKind::Shared, 0).expect("lock"));
    world.barrier().expect("barrier");
    if target {
        assert_violation(window.post(&[1]), Rule::LockOrPost, (0, Post), (1, Lock));
    }
    world.barrier().expect("barrier");
    lock.map_or(Ok(()), |lock| lock.unlock()).expect("unlock");
    window.free().expect("free");
}

fn fence_conflict(world: &World) {
    let window = world.window::<i32>(4).expect("window");
    let epoch = window.fence().expect("fence");
    if world.rank() < 2 {
        epoch.put(&[1, 2], 0, world.rank()).expect("a rank alone does not see it");
    }
    let ended = epoch.end();
    match world.rank() {
        0 => assert_violation(ended, Rule::Conflict, (1, Put), (0, Put)),
        _ => ended.expect("it is rank 0's window"),
    }
    // What does not overlap, and what adds up, is legal.
    let epoch = window.fence().expect("fence");
    epoch.accumulate(&[1], 0, 3, wb_world::Operation::Sum).expect("accumulate");
    if world.rank() < 2 {
        epoch.put(&[1], 0, world.rank()).expect("put");
    }
    epoch.end().expect("no conflict");
    window.free().expect("free");
}

fn post_conflict(world: &World) {
    let window = world.window::<i32>(2).expect("window");
    let (origins, target) = ([1, 2], world.rank() == 0);
    if world.size() < 3 {
        return window.free().expect("free");
    }
    let exposure = target.then(|| window.post(&origins).expect("post"));
    if origins.contains(&world.rank()) {
        let access = window.start(&[0]).expect("start");
        access.put(&[5], 0, 1).expect("a rank alone does not see it");
        access.complete().expect("complete");
    }
    let waited = exposure.map(|exposure| exposure.wait());
    if let Some(waited) = waited {
        assert_violation(waited, Rule::Conflict, (origins[1], Put), (1, Put));
    }
    window.free().expect("free");
}

fn store_and_put(world: &World) {
    let window = world.window::<i32>(2).expect("window");
    let (target, origin) = roles(world);
    for (element, model) in [(0, MemoryModel::Unified), (1, MemoryModel::Unified), (1, MemoryModel::Separate)]
    {
        window.assume(model);
        let exposure = target.then(|| window.post(&[1]).expect("post"));
        if target {
            window.write(element, &[3]).expect("write");
        }
        if origin {
            let access = window.start(&[0]).expect("start");
            access.put(&[5], 0, 0).expect("put");
            access.complete().expect("complete");
        }
        match exposure.map(|exposure| exposure.wait()) {
            Some(waited) if (element, model) == (1, MemoryModel::Unified) => {
                waited.expect("elsewhere, in one memory");
            }
            Some(waited) => assert_violation(waited, Rule::Conflict, (1, Put), (0, WindowWrite)),
            None => {}
        }
    }
    window.free().expect("free");
}

fn lock_conflict(world: &World) {
    let window = world.window::<i32>(2).expect("window");
    let (reader, origin) = roles(world);
    let lock = (origin || reader).then(|| window.lock(LockKind::Shared, 0).expect("lock"));
    if let Some(lock) = lock.as_ref().filter(|_| origin) {
        lock.put(&[5], 0).expect("put");
    }
    world.barrier().expect("barrier");
    if let Some(lock) = lock.as_ref().filter(|_| reader) {
        assert_violation(lock.get(2, 0), Rule::Conflict, (0, Get), (1, Put));
        assert_violation(window.read_all(), Rule::Conflict, (0, WindowRead), (1, Put));
        lock.put(&[6], 1).expect("elsewhere");
    }
    world.barrier().expect("barrier");
    if let Some(lock) = lock.as_ref().filter(|_| origin) {
        lock.flush().expect("flush");
    }
    world.barrier().expect("barrier");
    if let Some(lock) = &lock {
        let _ticket = lock.get(1, 0).expect("the put is complete");
    }
    lock.map_or(Ok(()), |lock| lock.unlock()).expect("unlock");
    window.free().expect("free");
}

fn fences_differ(world: &World) {
    let window = world.window::<i32>(1).expect("window");
    let no_precede = world.rank() == 0;
    let fenced = window.raw().fence(Assertion { no_precede, ..NONE });
    let violation = violation(fenced);
    assert_eq!((violation.rule, violation.call.rank), (Rule::Assertions, world.rank()));
    let earlier = violation.earlier.expect("another rank's");
    assert_eq!(earlier.rank == 0, world.rank() != 0, "{violation}");
    super::violation(window.free());
}

fn no_put(world: &World) {
    let window = world.window::<i32>(1).expect("window");
    let (target, origin) = roles(world);
    let no_put = target;
    let epoch = window.fence_with(Assertion { no_put, ..NONE }).expect("fence");
    if origin {
        epoch.put(&[1], 0, 0).expect("a rank alone does not see it");
    }
    let ended = epoch.end();
    match target {
        true => assert_violation(ended, Rule::Assertions, (1, Put), (0, Fence)),
        false => ended.expect("it is rank 0's promise"),
    }
    window.free().expect("free");
}

fn no_check(world: &World) {
    let window = world.window::<i32>(1).expect("window");
    let (target, origin) = roles(world);
    let promise = Assertion { no_check: true, ..NONE };
    if origin {
        let violation = violation(window.start_with(&[0], promise));
        assert_eq!((violation.rule, violation.earlier), (Rule::Assertions, None), "no rank has posted");
    }
    world.barrier().expect("barrier");
    let exposure = target.then(|| window.post(&[1]).expect("post"));
    world.barrier().expect("barrier");
    if origin {
        assert_violation(window.start_with(&[0], promise), Rule::Assertions, (1, Start), (0, Post));
        window.start(&[0]).expect("start").complete().expect("complete");
    }
    exposure.map_or(Ok(()), |exposure| exposure.wait()).expect("wait");
    let lock = target.then(|| window.lock(LockKind::Exclusive, 0).expect("lock"));
    world.barrier().expect("barrier");
    if origin {
        assert_violation(
            window.lock_with(LockKind::Shared, 0, promise),
            Rule::Assertions,
            (1, Lock),
            (0, Lock),
        );
    }
    world.barrier().expect("barrier");
    lock.map_or(Ok(()), |lock| lock.unlock()).expect("unlock");
    window.free().expect("free");
}
