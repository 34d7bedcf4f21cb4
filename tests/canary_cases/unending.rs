//! Loops of calls that do not end: calls that complete for ever, and polls that never find anything.
use workbench::Result;

use crate::number_task::{distribute, test};

#[test]
fn messages_in_a_ring() {
    test(|world, number| {
        let number = distribute(world, number)?;
        let (rank, size) = (world.rank(), world.size());
        let mut other = [number];
        while other != [0] {
            world.sendrecv(&[number], (rank + 1) % size, 1, &mut other, (rank + size - 1) % size, 1)?;
        }
        Ok(number)
    });
}

#[test]
fn messages_to_the_root_and_barriers() {
    test(|world, number| {
        let number = distribute(world, number)?;
        loop {
            let sources = 1..world.size();
            match world.rank() {
                0 => sources
                    .map(|source| world.recv(&mut [0_u64], source, 1))
                    .collect::<Result<Vec<_>>>()
                    .map(drop)?,
                _ => world.send(&[number], 0, 1)?,
            }
            world.barrier()?;
        }
    });
}

/// The message has another tag.
#[test]
fn probes_for_a_message_of_another_tag() {
    test(|world, number| {
        let number = distribute(world, number)?;
        match world.rank() {
            0 => world.send(&[number], 1, 17)?,
            1 => while world.iprobe(0, 18)?.is_none() {},
            _ => {}
        }
        world.barrier()?;
        Ok(number)
    });
}

/// No rank sends.
#[test]
fn tests_of_a_request_without_a_message() {
    test(|world, number| {
        let number = distribute(world, number)?;
        if world.rank() == 1 {
            let mut request = world.irecv::<u64>(1, 0, 19)?;
            while !request.test()? {}
            request.wait()?;
        }
        world.barrier()?;
        Ok(number)
    });
}

/// No rank looks at the error of its send; rank 1 ends, and the others wait.
#[test]
fn a_message_that_was_refused_is_awaited() {
    test(|world, number| {
        let number = distribute(world, number)?;
        let _ignored = world.send(&[number], world.size() + world.rank(), 20);
        if world.rank() != 1 {
            world.recv(&mut [0_u64], 1, 20)?;
        }
        Ok(number)
    });
}

/// The ranks of one process share the lock; separate processes do not.
#[test]
fn a_lock_is_held_over_a_barrier() {
    static LOCK: std::sync::Mutex<()> = std::sync::Mutex::new(());
    test(|world, number| {
        let number = distribute(world, number)?;
        let _held = LOCK.lock();
        world.barrier()?;
        Ok(number)
    });
}
