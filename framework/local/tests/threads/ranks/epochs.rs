//! Windows on threads: the checks of both backends, diagnosed deadlocks, leaks.
use std::time::Duration;

use wb_comm::{Assertion, CallSite, Code, Datatype, LockKind, Result, Transport, Until, Verb, WindowKind};

use super::{
    calls::{error_texts, job_with_limit},
    windows,
};

/// Runs a check, which both backends have, on all small sizes.
fn on_all_sizes(check: fn(&dyn Transport)) {
    for size in 1..=5 {
        let outcome = job_with_limit(size, Duration::from_secs(60), move |world| check(&*world));
        for (rank, ended) in outcome.ranks.iter().enumerate() {
            assert!(
                matches!(ended, wb_comm::job::RankTermination::Returned(_)),
                "P = {size}, rank {rank}: {ended:?}"
            );
        }
        assert_eq!(outcome.findings, [], "P = {size}");
    }
}

macro_rules! checks {
    ($($name:ident)*) => { $(#[test] fn $name() { on_all_sizes(windows::$name); })* };
}
checks!(fences every_layout reductions general_active_target exclusive_locks atomics words shared_memory many_operations
        bad_arguments several);

/// The error that rank 0 gets if all ranks wait for ever.
fn deadlock(size: usize, body: fn(&dyn Transport) -> Result<()>) -> String {
    let outcome = job_with_limit(size, Duration::from_secs(20), move |t| body(&*t));
    assert!(!outcome.timed_out, "found, not waited for");
    let text = outcome.blocked.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    text.split("  at ").next().expect("something").to_owned()
}

const NONE: Assertion =
    Assertion { no_check: false, no_store: false, no_put: false, no_precede: false, no_succeed: false };

#[test]
fn a_start_without_a_post_is_a_deadlock_with_a_name() {
    let text = deadlock(2, |world| {
        let window = windows::open(world, WindowKind::Allocate, Datatype::I64, 1);
        // Both start before they post.
        window.start(&[1 - world.rank()], NONE, CallSite::caller(Verb::Start))?;
        window.post(&[1 - world.rank()], NONE, CallSite::caller(Verb::Post))
    });
    assert_eq!(text, "rank 0 in start waiting for 1");
}

#[test]
fn a_wait_without_a_complete_names_who_has_not_completed() {
    let text = deadlock(3, |world| {
        let window = windows::open(world, WindowKind::Allocate, Datatype::I64, 1);
        if world.rank() == 0 {
            window.post(&[1, 2], NONE, CallSite::caller(Verb::Post))?;
        } else {
            window.start(&[0], NONE, CallSite::caller(Verb::Start))?;
        }
        match world.rank() {
            0 => window.wait(CallSite::caller(Verb::WindowWait)),
            1 => window.complete(CallSite::caller(Verb::Complete)),
            _ => Ok(()),
        }
    });
    assert_eq!(text, "rank 0 in wait waiting for 2");
}

#[test]
fn locks_taken_in_opposite_orders_are_a_deadlock() {
    let text = deadlock(2, |world| {
        let window = windows::open(world, WindowKind::Allocate, Datatype::I64, 1);
        let lock = |target| window.lock(LockKind::Exclusive, target, NONE, CallSite::caller(Verb::Lock));
        lock(world.rank())?;
        windows::barrier(world);
        lock(1 - world.rank())
    });
    assert_eq!(text, "rank 0 in lock waiting for 1");
}

#[test]
fn a_fence_that_not_all_call_is_a_deadlock() {
    let text = deadlock(2, |world| {
        let window = windows::open(world, WindowKind::Allocate, Datatype::I64, 1);
        if world.rank() == 0 { window.fence(NONE, CallSite::caller(Verb::Fence)) } else { Ok(()) }
    });
    assert_eq!(text, "rank 0 in fence");
}

#[test]
fn a_value_that_nobody_sets_is_a_deadlock() {
    let text = deadlock(2, |world| {
        let window = windows::open(world, WindowKind::Allocate, Datatype::I64, 1);
        window.lock_all(NONE, CallSite::caller(Verb::LockAll))?;
        window.wait_until(world.rank(), 0, Until::NotEqual(0), CallSite::caller(Verb::WaitUntil))
    });
    assert_eq!(text, "rank 0 in wait_until waiting for 0");
}

#[test]
fn a_wait_on_shared_memory_ends_with_the_limit() {
    let outcome = job_with_limit(1, Duration::from_millis(50), |world| {
        let window = windows::open(&*world, WindowKind::Shared, Datatype::I64, 1);
        window.wait_until(0, 0, Until::NotEqual(0), CallSite::caller(Verb::WaitUntil))
    });
    assert!(outcome.timed_out);
    assert_eq!(outcome.blocked.first().map(|blocked| blocked.verb), Some(Verb::WaitUntil));
}

#[test]
fn different_collectives_on_a_window_are_an_error_for_all() {
    let outcome = job_with_limit(2, Duration::from_secs(20), |world| {
        let window = windows::open(&*world, WindowKind::Allocate, Datatype::I64, 1);
        match world.rank() {
            0 => window.fence(NONE, CallSite::caller(Verb::Fence)),
            _ => window.free(CallSite::caller(Verb::WindowFree)),
        }
    });
    for text in error_texts(outcome) {
        assert!(text.starts_with("WB0030: "), "{text}");
        assert!(text.contains("fence at ") && text.contains("free at "), "{text}");
    }
}

#[test]
fn a_window_that_is_dropped_without_being_freed_is_reported() {
    let outcome = job_with_limit(2, Duration::from_secs(20), |world| {
        drop(windows::open(&*world, WindowKind::Allocate, Datatype::I64, 1));
    });
    let left: Vec<_> = outcome.findings.iter().map(|finding| (finding.code, finding.rank)).collect();
    assert_eq!(left, [(Code::WindowLeak, 0), (Code::WindowLeak, 1)]);
}
