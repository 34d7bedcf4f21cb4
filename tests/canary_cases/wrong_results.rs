//! Wrong results, errors, and a reference that does not agree.
use std::time::Duration;

use workbench::{ANY_SOURCE, functional};

use crate::number_task::{NUMBER, distribute, solution, test};

#[test]
fn the_result_is_wrong_everywhere() {
    test(|world, number| Ok(distribute(world, number)? + 1));
}

/// Where sleeping takes time, the message of rank 2 arrives first; in virtual time that of rank 1 does.
#[test]
fn the_first_message_decides() {
    test(|world, number| {
        let number = distribute(world, number)?;
        let senders = 1..world.size().min(3);
        let mut result = [number];
        if senders.contains(&world.rank()) {
            std::thread::sleep(Duration::from_millis(if world.rank() == 1 { 40 } else { 0 }));
            world.send(&[world.rank()], 0, 5)?;
        } else if world.rank() == 0 {
            let mut first = None;
            for _ in senders {
                let source = world.recv(&mut [0_usize], ANY_SOURCE, 5)?.source;
                first.get_or_insert(source);
            }
            result[0] += u64::from(first != Some(1));
        }
        world.bcast(&mut result, 0)?;
        Ok(result[0])
    });
}

#[test]
fn a_call_returns_an_error() {
    test(|world, number| {
        let number = distribute(world, number)?;
        world.send(&[number], world.size(), 0)?;
        Ok(number)
    });
}

#[test]
fn the_reference_is_wrong() {
    let reference = solution(|_, number| Ok(number.unwrap_or_default() + 1));
    functional(solution(distribute)).against(reference).ranks([2]).check(|_| [NUMBER]);
}

/// Rank 0 fails at the first check and does not reach the second; no other rank may continue alone.
#[test]
fn the_first_of_two_checks_fails() {
    test(|world, number| Ok(distribute(world, number)? + 1));
    test(distribute);
}

/// A right one at the end: whatever came before it must not touch it.
#[test]
fn z_right_after_all() {
    test(distribute);
}
