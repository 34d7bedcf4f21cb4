//! The negative cases of MPICH's own test suite (`test/mpi/errors/rma/win_sync_*`), by their names there.
//!
//! MPICH checks these in its own layer and Open MPI next to none; here they are refused above either, and on threads.
use wb_comm::Verb::*;
use wb_world::{Assertion, LockKind::Shared, Rule, World};

use super::assert_violation;
use crate::laws::Law;

pub(super) const LAWS: &[Law] = &[
    ("win_sync_complete", complete),
    ("win_sync_free_at", free_at),
    ("win_sync_free_pt", free_pt),
    ("win_sync_lock_at", lock_at),
    ("win_sync_lock_fence", lock_fence),
    ("win_sync_lock_pt", lock_pt),
    ("win_sync_nested", nested),
    ("win_sync_op", op),
    ("win_sync_unlock", unlock),
];

const NONE: Assertion =
    Assertion { no_check: false, no_store: false, no_put: false, no_precede: false, no_succeed: false };

/// Complete without start.
fn complete(world: &World) {
    let window = world.window::<i32>(1).expect("window");
    assert_violation(world, window.raw().complete(), Rule::Paired, [Complete, WindowCreate]);
    window.free().expect("free");
}

/// Every rank posts and starts to every rank and gets the element of each.
fn active_target(world: &World, illegal: impl FnOnce(&wb_world::Window<i32>)) {
    let window = world.window_of(vec![world.rank() as i32]).expect("window");
    let (raw, all) = (window.raw(), (0..world.size()).collect::<Vec<_>>());
    raw.post(&all, NONE).expect("post");
    raw.start(&all, NONE).expect("start");
    let tickets: Vec<_> = all.iter().map(|rank| raw.get(1, *rank, 0).expect("get")).collect();
    illegal(&window);
    raw.complete().expect("complete");
    let got: Vec<_> = tickets.into_iter().map(|ticket| ticket.value().expect("the epoch is over")).collect();
    assert_eq!(got, all.iter().map(|rank| *rank as i32).collect::<Vec<_>>());
    assert_violation(world, raw.complete(), Rule::Paired, [Complete, Complete]);
    raw.wait().expect("wait");
    window.free().expect("free");
}

/// Free inside an active target epoch.
fn free_at(world: &World) {
    active_target(world, |w| assert_violation(world, w.raw().free(), Rule::Free, [WindowFree, Post]));
}

/// Free inside a passive target epoch.
fn free_pt(world: &World) {
    let window = world.window::<i32>(1).expect("window");
    let raw = window.raw();
    raw.lock(Shared, 0, NONE).expect("lock");
    assert_violation(world, raw.free(), Rule::Free, [WindowFree, Lock]);
    raw.unlock(0).expect("unlock");
    raw.free().expect("free");
    assert_violation(world, raw.fence(NONE), Rule::Free, [Fence, WindowFree]);
}

/// Lock inside an active target epoch.
fn lock_at(world: &World) {
    active_target(world, |w| {
        assert_violation(world, w.raw().lock(Shared, 0, NONE), Rule::AccessDisjoint, [Lock, Start]);
    });
}

/// A lock takes the place of a fence's epoch: no access after the unlock. The last fence must assert that it ends none (MPI 4.1,
/// 12.5.1); the original does not.
fn lock_fence(world: &World) {
    let window = world.window::<i32>(1).expect("window");
    let raw = window.raw();
    raw.fence(NONE).expect("fence");
    raw.lock(Shared, 0, NONE).expect("lock");
    let _ticket = raw.get(1, 0, 0).expect("get");
    raw.unlock(0).expect("unlock");
    assert_violation(world, raw.get(1, 0, 0), Rule::FenceCandidate, [Get, Lock]);
    assert_violation(world, raw.fence(NONE), Rule::FenceCandidate, [Fence, Get]);
    raw.fence(Assertion { no_precede: true, ..NONE }).expect("fence");
    window.free().expect("free");
}

/// Two locks of one target.
fn lock_pt(world: &World) {
    let window = world.window::<i32>(1).expect("window");
    let raw = window.raw();
    raw.lock(Shared, 0, NONE).expect("lock");
    assert_violation(world, raw.lock(Shared, 0, NONE), Rule::AccessDisjoint, [Lock, Lock]);
    raw.unlock(0).expect("unlock");
    window.free().expect("free");
}

/// Start inside start, and complete twice.
fn nested(world: &World) {
    active_target(world, |w| {
        assert_violation(world, w.raw().start(&[0], NONE), Rule::AccessDisjoint, [Start, Start]);
    });
}

/// An access outside all epochs.
fn op(world: &World) {
    let window = world.window::<i32>(1).expect("window");
    assert_violation(world, window.raw().get(1, 0, 0), Rule::Covered, [Get, WindowCreate]);
    window.free().expect("free");
}

/// Unlock without lock.
fn unlock(world: &World) {
    let window = world.window::<i32>(1).expect("window");
    assert_violation(world, window.raw().unlock(0), Rule::Paired, [Unlock, WindowCreate]);
    window.free().expect("free");
}
