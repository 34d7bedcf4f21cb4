//! The orders of window accesses and locks.
use wb_world::{LockKind, Operation, Result, World};

use super::{Observations, check_reduction, explore_all};
use crate::sim::Reduction;

/// Locks of one part, granted in any order.
fn locked(world: &World, observed: &mut Observations) -> Result<()> {
    let window = world.window::<i64>(1)?;
    if world.rank() > 0 {
        let lock = window.lock(LockKind::Exclusive, 0)?;
        lock.put(&[world.rank() as i64], 0)?;
        lock.unlock()?;
    }
    world.barrier()?;
    if world.rank() == 0 {
        let lock = window.lock(LockKind::Shared, 0)?;
        let ticket = lock.get(1, 0)?;
        lock.unlock()?;
        observed.push(ticket.take()?[0] as usize);
    }
    window.free()
}

/// Two locks of one part can be granted in both orders, and the value of the last put remains. (Without reduction
/// there are millions of runs.)
#[test]
fn locks_are_given_in_all_orders() {
    let (lines, explored) = explore_all(3, locked, Reduction::Full);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(explored.counts.iter().all(|tried| tried.schedules < 100), "{explored:?}");
}

/// Each rank adds to a counter of rank 0 and records its former value; rank 0's own access takes place in the call.
fn counted(world: &World, observed: &mut Observations) -> Result<()> {
    let window = world.window::<i64>(1)?;
    let epoch = window.fence()?;
    let place = epoch.fetch_and_op(1 + world.rank() as i64, 0, 0, Operation::Sum)?;
    epoch.end()?;
    observed.push(place.value()? as usize);
    window.free()
}

/// Two steps: in each, every rank reads its own part, which no other rank accesses then.
fn reads_its_own(world: &World, observed: &mut Observations) -> Result<()> {
    let (window, partner) = (world.window::<i64>(2)?, 1 - world.rank());
    for step in 0..2 {
        let epoch = window.fence()?;
        epoch.put(&[step + 1], partner, step as usize)?;
        epoch.end()?;
        observed.extend(window.read_all()?.into_iter().map(|number| number as usize));
    }
    window.free()
}

#[test]
fn looks_at_own_parts_have_all_their_results() {
    check_reduction(2, counted);
    check_reduction(2, reads_its_own);
}

/// If no rank changes a part while it may be read, there is one run. If ranks add to it, there are two results.
#[test]
fn a_look_at_what_nobody_touches_is_no_choice() {
    fn reads(world: &World, _: &mut Observations) -> Result<()> {
        let window = world.window::<i64>(1)?;
        (0..100).try_for_each(|_| window.read_all().map(drop))?;
        window.free()
    }
    assert_eq!(explore_all(2, reads, Reduction::Full).1.counts.map(|tried| tried.schedules), [1, 1, 0]);
    assert_eq!(
        explore_all(2, reads_its_own, Reduction::Full).1.counts.map(|tried| tried.schedules),
        [1, 1, 0]
    );
    assert_eq!(explore_all(2, counted, Reduction::Full).0.len(), 2);
}

/// Integer sums commute if no rank reads the former value; sums that are rounded do not.
#[test]
fn accumulates_that_commute_are_carried_out_in_one_order() {
    fn adds<T: wb_world::Number + From<u8>>(world: &World, _: &mut Observations) -> Result<()> {
        let window = world.window::<T>(1)?;
        let epoch = window.fence()?;
        if world.rank() > 0 {
            epoch.accumulate(&[T::from(1)], 0, 0, Operation::Sum)?;
        }
        epoch.end()?;
        window.free()
    }
    assert_eq!(explore_all(4, adds::<i64>, Reduction::Full).1.counts.map(|tried| tried.schedules), [1, 1, 0]);
    assert_eq!(explore_all(4, adds::<f64>, Reduction::Full).1.counts.map(|tried| tried.schedules), [6, 6, 0]);
}
