//! Windows with guards: what arrives where, what a dropped guard leaves, and what only the end of a window shows.
use wb_comm::Verb::*;
use wb_world::{Accumulation, Assertion, Error, FrameworkCalls as _, LockKind, Operation, Rule, World};

use super::{assert_violation, violation};
use crate::laws::Law;

pub(super) const LAWS: &[Law] = &[
    ("fence: a ring of puts", ring),
    ("post and start: a ring of puts", ring_of_posts),
    ("lock: every rank adds to one counter", counter),
    ("lock_all: atomics", atomics),
    ("test gives the epoch back until it is over", test),
    ("locks of different targets may be held together", two_locks),
    ("a ticket is read after the end of its epoch", ticket),
    ("a dropped guard is reported at the next call", dropped),
    ("a call outside the window is refused", range),
    ("free reports an error on every rank when one rank may not free", free_together),
    ("NOSUCCEED at some ranks only is reported at the end", no_succeed),
    ("shared windows", shared),
];

fn around(world: &World) -> (usize, usize) {
    let (rank, size) = (world.rank(), world.size());
    ((rank + 1) % size, (rank + size - 1) % size)
}

fn ring(world: &World) {
    let (next, last) = around(world);
    let window = world.window::<u64>(2).expect("window");
    let mut epoch = window.fence().expect("fence");
    for round in 0..4u64 {
        epoch.put(&[round, world.rank() as u64], next, 0).expect("put");
        epoch = epoch.fence().expect("fence");
        let ticket = epoch.get(2, world.rank(), 0).expect("get");
        epoch = epoch.fence().expect("fence");
        assert_eq!(ticket.take().expect("the epoch is over"), [round, last as u64]);
    }
    epoch.end().expect("end");
    assert_eq!(window.read_all().expect("read"), [3, last as u64]);
    window.free().expect("free");
}

fn ring_of_posts(world: &World) {
    let (next, last) = around(world);
    let window = world.window_of(vec![-1i64; 3]).expect("window");
    for round in 0..20 {
        let exposure = window.post(&[last]).expect("post");
        let access = window.start(&[next]).expect("start");
        access.put(&[round, world.rank() as i64], next, 1).expect("put");
        access.complete().expect("complete");
        exposure.wait().expect("wait");
        assert_eq!(window.read_all().expect("read"), [-1, round, last as i64]);
    }
    window.free().expect("free");
}

/// Every rank fetches a different value, and all values are fetched: exclusion. The order is not specified.
fn counter(world: &World) {
    const EACH: usize = 5;
    let window = world.window::<u64>(usize::from(world.rank() == 0)).expect("window");
    let mut mine = vec![];
    for _ in 0..EACH {
        let lock = window.lock(LockKind::Exclusive, 0).expect("lock");
        let ticket = lock.get(1, 0).expect("get");
        lock.flush().expect("flush");
        let count = ticket.value().expect("flushed");
        lock.put(&[count + 1], 0).expect("put");
        lock.unlock().expect("unlock");
        mine.push(count);
    }
    let mut all = vec![0; EACH * world.size()];
    world.allgather(&mine, &mut all).expect("allgather");
    all.sort_unstable();
    assert_eq!(all, (0..(EACH * world.size()) as u64).collect::<Vec<_>>());
    window.free().expect("free");
}

fn atomics(world: &World) {
    let (rank, size) = (world.rank() as i64, world.size() as i64);
    let window = world.window::<i64>(3).expect("window");
    let all = window.lock_all().expect("lock_all");
    all.accumulate(&[1 + rank], 0, 0, Operation::Sum).expect("accumulate");
    let ticket = all.fetch_and_op(1, 0, 1, Operation::Sum).expect("fetch_and_op");
    let swapped = all.compare_and_swap(0, rank + 1, 0, 2).expect("compare_and_swap");
    all.flush(0).expect("flush");
    assert!((0..size).contains(&ticket.value().expect("flushed")));
    let before = swapped.value().expect("flushed");
    let mut winners = [0i64];
    world.allreduce(&[i64::from(before == 0)], &mut winners, Operation::Sum).expect("allreduce");
    assert_eq!(winners, [1], "only one rank finds 0");
    let seen = all.get_accumulate(&[0, 0, 0], 0, 0, Accumulation::Keep).expect("get_accumulate");
    all.flush_all().expect("flush");
    all.sync().expect("sync");
    let seen = seen.take().expect("flushed");
    assert_eq!(seen[..2], [size * (size + 1) / 2, size]);
    assert!((1..=size).contains(&seen[2]));
    all.unlock_all().expect("unlock_all");
    window.free().expect("free");
}

fn test(world: &World) {
    let (next, last) = around(world);
    let window = world.window::<u8>(1).expect("window");
    let mut exposure = Some(window.post(&[last]).expect("post"));
    let access = window.start(&[next]).expect("start");
    access.put(&[7], next, 0).expect("put");
    access.complete().expect("complete");
    while let Some(open) = exposure {
        exposure = open.test().expect("test");
    }
    drop(exposure);
    assert_eq!(window.read_all().expect("read"), [7]);
    window.free().expect("free");
}

/// MPI 2 forbade it; in ascending order, so that no ranks wait for each other in a ring.
fn two_locks(world: &World) {
    let window = world.window::<i32>(world.size()).expect("window");
    let locks: Vec<_> =
        (0..world.size()).map(|target| window.lock(LockKind::Exclusive, target).expect("lock")).collect();
    for lock in locks {
        lock.put(&[1], world.rank()).expect("put");
        lock.unlock().expect("unlock");
    }
    world.barrier().expect("barrier");
    let lock = window.lock(LockKind::Shared, world.rank()).expect("lock");
    let ticket = lock.get(world.size(), 0).expect("get");
    lock.unlock().expect("unlock");
    assert_eq!(ticket.take().expect("unlocked"), vec![1; world.size()]);
    window.free().expect("free");
}

fn ticket(world: &World) {
    let window = world.window::<i32>(1).expect("window");
    let lock = window.lock(LockKind::Shared, 0).expect("lock");
    let early = lock.get(1, 0).expect("get");
    assert!(!early.is_done());
    assert_violation(world, early.take(), Rule::Conflict, [WindowRead, Get]);
    let flushed = lock.get(1, 0).expect("get");
    lock.flush_local().expect("flush_local");
    assert_eq!(flushed.value(), Ok(0));
    lock.unlock().expect("unlock");
    window.free().expect("free");
}

/// Nothing hangs, whichever rank drops: the epoch stays open, and every call but its end reports that.
fn dropped(world: &World) {
    let window = world.window::<i32>(1).expect("window");
    drop(window.lock(LockKind::Shared, 0).expect("lock"));
    assert_violation(world, window.fence(), Rule::Paired, [Fence, Lock]);
    assert_violation(world, window.raw().free(), Rule::Paired, [WindowFree, Lock]);
    window.raw().unlock(0).expect("the end of the epoch");
    let all = window.lock_all().expect("lock_all");
    drop(all);
    assert_violation(world, window.lock_all(), Rule::Paired, [LockAll, LockAll]);
    window.raw().unlock_all().expect("the end of the epoch");
    // No rank posts a window that another has locked.
    world.barrier().expect("barrier");
    match world.rank() {
        0 if world.size() > 1 => {
            drop(window.post(&[1]).expect("post"));
            assert_violation(world, window.start(&[1]), Rule::Paired, [Start, Post]);
            window.raw().wait().expect("the end of the epoch");
        }
        1 => window.start(&[0]).expect("start").complete().expect("complete"),
        _ => {}
    }
    window.free().expect("nothing is open");
}

fn range(world: &World) {
    let window = world.window::<i32>(2).expect("window");
    let epoch = window.fence().expect("fence");
    let text = epoch.put(&[1, 2], 0, 1).expect_err("one too many").to_string();
    assert_eq!(text, "put: elements 1..3 of rank 0, which has opened 2 element(s)");
    assert!(matches!(epoch.get(1, world.size(), 0), Err(Error::Rank { role: "target", .. })));
    assert!(matches!(epoch.get(1, 0, usize::MAX), Err(Error::Range { .. })));
    assert!(matches!(window.read(1, &mut [0, 0]), Err(Error::Range { .. })));
    epoch.end().expect("end");
    window.free().expect("free");
}

fn free_together(world: &World) {
    let window = world.window::<i32>(1).expect("window");
    let raw = window.raw();
    let last = world.size() - 1;
    if world.rank() == last {
        raw.lock(LockKind::Shared, 0, Assertion::default()).expect("lock");
    }
    let violation = violation(raw.free());
    assert_eq!(violation.rule, Rule::Free);
    if world.rank() == last {
        raw.unlock(0).expect("unlock");
    } else {
        assert!(
            violation.situation.to_string().contains(&format!("rank {last} may not free")),
            "{violation}"
        );
    }
    window.free().expect("no rank is inside an epoch");
}

fn no_succeed(world: &World) {
    let window = world.window::<i32>(1).expect("window");
    let raw = window.raw();
    let no_succeed = world.rank() == 0;
    let fenced = raw.fence(Assertion { no_succeed, ..Assertion::default() });
    let message = fenced.and_then(|()| raw.free());
    if world.size() == 1 {
        return message.expect("all ranks return the same");
    }
    assert_eq!(violation(message).rule, Rule::Assertions);
    // Where ranks share memory, the fence has reported the error and the window still exists.
    if world.transport().shares_address_space() {
        violation(raw.free());
    }
}

fn shared(world: &World) {
    let Ok(window) = world.window_shared::<i64>(2) else {
        panic!("all ranks are on one machine");
    };
    window.write(0, &[world.rank() as i64, -1]).expect("write");
    let epoch = window.fence().expect("fence");
    let cells = window.shared();
    // In virtual time this read would not respect the clocks.
    assert_eq!(cells.is_some(), world.transport().backend() != "sim", "a shared window of i64");
    if let Some(cells) = &cells {
        let all: Vec<_> = cells.iter().map(|cell| cell.load(std::sync::atomic::Ordering::Acquire)).collect();
        assert_eq!(all, (0..world.size() as i64).flat_map(|rank| [rank, -1]).collect::<Vec<_>>());
    }
    drop(cells);
    epoch.end().expect("end");
    window.free().expect("free");
}
