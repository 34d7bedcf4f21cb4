//! A rank that panics while the others wait for it.
use crate::number_task::{distribute, test};

#[test]
fn rank_1_panics() {
    test(|world, number| {
        let number = distribute(world, number)?;
        if world.rank() == 1 {
            println!("rank 1 has seen {number}");
            panic!("the canary of rank 1 panics");
        }
        world.recv(&mut [0], 1, 1)?;
        Ok(number)
    });
}

#[test]
fn rank_1_panics_by_abort() {
    test(|world, number| {
        let number = distribute(world, number)?;
        if world.rank() == 1 {
            world.abort(3);
        }
        world.recv(&mut [0], 1, 1)?;
        Ok(number)
    });
}

/// What it prints and what it panics with would clear the screen and reverse a line.
#[test]
fn rank_1_panics_with_hidden_characters() {
    test(|world, number| {
        let number = distribute(world, number)?;
        if world.rank() == 1 {
            println!("printed \u{1b}[2J by rank 1");
            panic!("\u{1b}[2J\u{1b}]0;title\u{7}\0 reversed \u{202e} here");
        }
        world.recv(&mut [0], 1, 1)?;
        Ok(number)
    });
}

/// No rank waits for rank 1 here: the job can continue.
#[test]
fn rank_1_panics_at_the_end() {
    test(|world, number| {
        let number = distribute(world, number)?;
        assert!(world.rank() != 1, "no rank waits for rank {}", world.rank());
        Ok(number)
    });
}

/// The second panic ends the process while the first one is unwound.
#[test]
fn rank_1_panics_in_a_destructor_too() {
    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) {
            assert!(!std::thread::panicking(), "the destructor panics, too");
        }
    }
    test(|world, number| {
        let number = distribute(world, number)?;
        let _guard = Guard;
        assert!(world.rank() != 1, "the cause");
        Ok(number)
    });
}

/// No rank looks at how the thread and the call end.
#[test]
fn a_thread_panics_and_a_call_fails_unnoticed() {
    test(|world, number| {
        let number = distribute(world, number)?;
        let (rank, thread) = (world.rank(), std::thread::Builder::new().name("worker".into()));
        let worker = thread.spawn(move || assert!(rank != 1, "the thread is lost"));
        let _ignored = world.send(&[number], world.size(), 3);
        Ok(number + u64::from(worker.expect("a thread").join().is_err()))
    });
}
