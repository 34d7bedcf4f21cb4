//! One-sided access on threads and in virtual time: data arrives, atomics count, signals carry their data, and invalid
//! calls are reported.

use rstest::rstest;
use wb_comm::{Operation, Until};
use wb_shmem::{Error, Result, SignalOp};

use super::support::{TestBackend, pes, unwrap_all};

#[rstest]
fn what_is_put_is_there_after_a_barrier_and_what_is_got_is_what_was_there(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    for n in 1..=5 {
        unwrap_all(pes(on, n, move |shmem| {
            let me = shmem.my_pe();
            let (words, reals) = (shmem.malloc::<u16>(3 * n)?, shmem.malloc::<f64>(2)?);
            for turn in 0..10u16 {
                let mine = [turn, me as u16, 7];
                (0..n).try_for_each(|pe| shmem.put(words, 3 * me, &mine, pe))?;
                shmem.p(reals, 1, f64::from(turn) + me as f64, (me + 1) % n)?;
                shmem.barrier_all()?;
                let expected: Vec<_> = (0..n as u16).flat_map(|pe| [turn, pe, 7]).collect();
                assert_eq!(shmem.local(words)?, expected);
                let left = (me + n - 1) % n;
                assert_eq!(shmem.local(reals)?, [0.0, f64::from(turn) + left as f64]);
                assert_eq!(shmem.g(reals, 1, (me + 1) % n)?, f64::from(turn) + me as f64);
                let mut theirs = [0; 2];
                shmem.get(words, 1, &mut theirs, left)?;
                assert_eq!(theirs, [0, 7]);
                shmem.barrier_all()?;
            }
            shmem.free(words)
        }));
    }
}

#[rstest]
fn atomics_count_every_pe(#[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend) {
    for n in 1..=5 {
        let tickets = unwrap_all(pes(on, n, move |shmem| {
            let counters = shmem.malloc::<i64>(4)?;
            let ticket = shmem.atomic_fetch_add(counters, 0, 1, 0)?;
            (0..n).try_for_each(|pe| shmem.atomic_add(counters, 1, pe as i64, pe))?;
            let first = shmem.atomic_compare_swap(counters, 2, 0, 1 + shmem.my_pe() as i64, n - 1)? == 0;
            shmem.atomic_fetch_op(counters, 3, 1 << shmem.my_pe(), Operation::BitOr, 0)?;
            shmem.barrier_all()?;
            assert_eq!(shmem.atomic_fetch(counters, 0, 0)?, n as i64);
            assert_eq!(shmem.local(counters)?[1], (n * shmem.my_pe()) as i64);
            assert_eq!(shmem.atomic_fetch(counters, 2, n - 1)? == 1 + shmem.my_pe() as i64, first);
            assert_eq!(shmem.atomic_fetch(counters, 3, 0)?, (1 << n) - 1);
            shmem.barrier_all()?;
            shmem.atomic_set(counters, 0, 9, shmem.my_pe())?;
            shmem.quiet()?;
            assert_eq!(shmem.atomic_swap(counters, 0, 5, shmem.my_pe())?, 9);
            Ok((ticket, first))
        }));
        let mut numbers: Vec<_> = tickets.iter().map(|(ticket, _)| *ticket).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..n as i64).collect::<Vec<_>>());
        assert_eq!(tickets.iter().filter(|(_, first)| *first).count(), 1);
    }
}

#[rstest]
fn a_signal_comes_after_its_data(#[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend) {
    unwrap_all(pes(on, 4, |shmem| {
        let (me, n) = (shmem.my_pe(), shmem.n_pes());
        let (data, signals) = (shmem.malloc::<u64>(64)?, shmem.malloc::<i64>(2)?);
        for turn in 1..=50i64 {
            let (right, payload) = ((me + 1) % n, [(turn as u64) << 8 | me as u64; 64]);
            shmem.put_signal((data, 0), &payload, (signals, 0), SignalOp::Add(1), right)?;
            if turn % 2 == 0 {
                shmem.wait_until(signals, 0, Until::AtLeast(turn))?;
            } else {
                while !shmem.test(signals, 0, Until::AtLeast(turn))? {}
            }
            let left = ((me + n - 1) % n) as u64;
            assert!(shmem.local(data)?.iter().all(|word| *word == (turn as u64) << 8 | left));
            // The data of the right neighbour may be overwritten from now on.
            let back = (me + n - 1) % n;
            shmem.put_signal((data, 0), &[], (signals, 1), SignalOp::Set(turn), back)?;
            shmem.wait_until(signals, 1, Until::Equal(turn))?;
        }
        Ok(())
    }));
}

#[rstest]
fn a_put_arrives_while_its_pe_waits(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    unwrap_all(pes(on, 2, |shmem| {
        let flags = shmem.malloc::<i64>(1)?;
        shmem.atomic_set(flags, 0, 1, 1 - shmem.my_pe())?;
        shmem.wait_until(flags, 0, Until::Equal(1))
    }));
}

#[rstest]
fn bad_access_is_told_before_anything_happens(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    unwrap_all(pes(on, 2, |shmem| {
        let array = shmem.malloc::<i32>(4)?;
        let message = |result: Result<()>| result.expect_err("refused").to_string();
        assert_eq!(message(shmem.p(array, 0, 1, 2)), "PE 2 does not exist: there are 2, numbered from 0");
        assert_eq!(message(shmem.put(array, 3, &[1, 2], 1)), "put: elements 3..5 of a symmetric array of 4");
        // An index below 0 is shown as it was written.
        let below = message(shmem.get(array, usize::MAX, &mut [0; 2], 1));
        assert_eq!(below, "get: elements -1..-1 of a symmetric array of 4");
        assert!(matches!(shmem.atomic_add(array, 4, 1, 0), Err(Error::Bounds { call: "atomic_add", .. })));
        let reals = shmem.malloc::<f64>(1)?;
        let refused = shmem.atomic_fetch_op(reals, 0, 1.0, Operation::BitOr, 0);
        assert!(matches!(refused, Err(Error::Comm(wb_comm::Error::Operation { .. }))), "{refused:?}");
        shmem.free(array)?;
        assert_eq!(message(shmem.free(array)), "free: this symmetric array is not allocated (any more)");
        assert!(matches!(shmem.g(array, 0, 0), Err(Error::NotAllocated { call: "get" })));
        Ok(())
    }));
}

#[rstest]
fn different_arrays_in_one_allocation_are_told_on_every_pe(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    let results = pes(on, 3, |shmem| {
        let count = if shmem.my_pe() == 1 { 5 } else { 4 };
        let asymmetric = shmem.malloc::<i64>(count).expect_err("PE 1 differs").to_string();
        let of_types = match shmem.my_pe() {
            2 => shmem.malloc::<f32>(1).map(drop),
            _ => shmem.malloc::<i32>(1).map(drop),
        };
        Ok((asymmetric, of_types.expect_err("PE 2 differs").to_string()))
    });
    let results = unwrap_all(results);
    let text = "the PEs allocate different arrays together: PE";
    assert_eq!(results[0].0, format!("{text} 1 5 of i64, PE 0 4 of i64"));
    assert_eq!(results[1].0, format!("{text} 0 4 of i64, PE 1 5 of i64"));
    assert_eq!(results[0].1, format!("{text} 2 1 of f32, PE 0 1 of i32"));
}

#[rstest]
fn who_waits_for_nobody_is_told_of_the_deadlock(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    let results = pes(on, 2, |shmem| {
        let flags = shmem.malloc::<i64>(1)?;
        if shmem.my_pe() == 0 {
            return Ok(());
        }
        shmem.wait_until(flags, 0, Until::Equal(1))
    });
    let Err(error) = &results[1] else { panic!("no PE sets the flag: {results:?}") };
    assert!(error.to_string().contains("deadlock"), "{error}");
}
