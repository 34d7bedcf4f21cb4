//! Tests windows in virtual time: the cost of each call, computed by hand, and the times of arrivals.
use wb_comm::{CallSite, Datatype, LockKind, Transport, Until, Verb, WindowKind, WordUpdate};
use wb_world::{Assertion, Error, FrameworkCalls as _, Operation, Result, World};

use crate::sim::{Link, Machine};

const LINK: Link = Link {
    latency: 1000,
    overhead: 100,
    gap: 0,
    per_byte: 1000,
    processor_per_byte: 0,
    eager_limit: 4096,
    segments: Vec::new(),
};

/// The cost of a poll of the rank's own memory.
const POLL: u64 = 10;

fn flat(link: Link) -> Machine {
    Machine { poll: POLL, ..Machine::flat("flat", link) }
}

/// Runs a program on ranks with a window of four integers, whose clocks start together; returns the results by rank.
fn on_window<R: Send + 'static>(
    size: usize,
    program: impl Fn(&World, &wb_world::Window<i64>, &dyn Fn() -> u64) -> R + Send + Sync + 'static,
) -> Vec<R> {
    let ran = crate::sim::run(flat(LINK), size, move |transport| {
        let world = World::new(transport);
        let window = world.window::<i64>(4).expect("window");
        // All ranks leave `dup` at the same time.
        world.dup().expect("dup");
        let begun = world.transport().now();
        let outcome = program(&world, &window, &|| world.transport().now() - begun);
        window.free().expect("free");
        outcome
    });
    ran.into_iter().map(|(outcome, _)| outcome).collect()
}

#[test]
fn a_lock_asks_and_a_flush_waits_for_answers() {
    let times = on_window(2, |world, window, now| {
        if world.rank() == 1 {
            return vec![];
        }
        let mut times = vec![];
        let lock = window.lock(LockKind::Exclusive, 1).expect("lock");
        times.push(now());
        lock.put(&[7], 0).expect("put");
        times.push(now());
        lock.flush().expect("flush");
        times.push(now());
        let ticket = lock.get(2, 0).expect("get");
        lock.flush().expect("flush");
        assert_eq!(ticket.take().expect("flushed"), [7, 0]);
        times.push(now());
        lock.unlock().expect("unlock");
        times.push(now());
        times
    });
    let lock = 100 + 1000 + 1000;
    let put = lock + 100;
    // The last of 8 bytes arrives 7 ns after the first; the answer is empty; a flush polls.
    let flushed = put + 1000 + 7 + 1000 + POLL;
    let got = flushed + 100 + 1000 + (1000 + 15) + POLL;
    assert_eq!(times[0], [lock, put, flushed, got, got + 100]);
}

#[test]
fn a_lock_that_is_held_is_granted_when_its_unlock_arrives() {
    let times = on_window(3, |world, window, now| {
        if world.rank() == 2 {
            return 0;
        }
        let lock = window.lock(LockKind::Exclusive, 2).expect("lock");
        let locked = now();
        world.work(5000, 0);
        lock.unlock().expect("unlock");
        locked
    });
    assert_eq!(times, [2100, 2100 + 5000 + 100 + 1000 + 1000, 0]);
}

#[test]
fn a_lock_of_all_asks_once_whatever_the_size() {
    for size in [2, 9] {
        let times = on_window(size, |_, window, now| {
            let all = window.lock_all().expect("lock_all");
            let locked = now();
            all.unlock_all().expect("unlock_all");
            locked
        });
        assert_eq!(times[0], 0, "rank 0 keeps it");
        assert!(times[1..].iter().all(|time| *time == 2100), "{times:?}");
    }
}

#[test]
fn a_start_waits_for_its_post_and_a_wait_for_its_complete() {
    let times = on_window(2, |world, window, now| {
        if world.rank() == 1 {
            let exposure = window.post(&[0]).expect("post");
            let posted = now();
            exposure.wait().expect("wait");
            let waited = now();
            assert_eq!(window.read_all().expect("read"), [0, 5, 0, 0]);
            return [posted, waited, now()];
        }
        let access = window.start(&[1]).expect("start");
        let started = now();
        access.put(&[5], 1, 1).expect("put");
        let put = now();
        access.complete().expect("complete");
        [started, put, now()]
    });
    let (started, put) = (100 + 1000, 100 + 1000 + 100);
    let answered = put + 1007 + 1000;
    let completed = answered + 100;
    assert_eq!(times[0], [started, put, completed]);
    assert_eq!(times[1], [100, completed + 1000, completed + 1000 + POLL]);
}

#[test]
fn a_fence_waits_for_answers_and_then_for_everybody() {
    let times = on_window(2, |world, window, now| {
        let epoch = window.fence().expect("fence");
        let fenced = now();
        if world.rank() == 0 {
            epoch.put(&[5], 1, 1).expect("put");
        }
        epoch.end().expect("end");
        [fenced, now()]
    });
    let together = 2 * 100 + 1000;
    assert_eq!(times, [[together, together + 100 + 1007 + 1000 + together]; 2]);
}

/// A part is accessed without its rank's processor, and the rank's later writes are not visible yet.
#[test]
fn a_target_that_computes_keeps_nobody_and_shows_nothing_of_its_future() {
    let seen = on_window(2, |world, window, now| {
        if world.rank() == 1 {
            world.work(50_000, 0);
            window.write(0, &[9]).expect("write");
            return vec![];
        }
        let mut seen = vec![];
        for _ in 0..2 {
            let lock = window.lock(LockKind::Shared, 1).expect("lock");
            let ticket = lock.get(1, 0).expect("get");
            lock.unlock().expect("unlock");
            seen.push((ticket.value().expect("unlocked"), now()));
            world.work(60_000, 0);
        }
        seen
    });
    let round = 2100 + 100 + 1000 + 1007 + 100;
    assert_eq!(seen[0], [(0, round), (9, 2 * round + 60_000)]);
}

/// Rank 0 changes a word of rank 1 late; rank 1 waits for it locally, rank 2 remotely.
fn late_word(transport: &dyn Transport) -> Result<u64> {
    let site = CallSite::caller(Verb::WaitUntil);
    let window = transport.window(WindowKind::Allocate, Datatype::I64, 1, site)?;
    window.lock_all(Assertion::default(), site)?;
    let begun = transport.now();
    match window.rank() {
        0 => {
            transport.work(5000, 0);
            assert_eq!(window.fetch_and_update_word(1, 0, WordUpdate::Add(3), site)?, 0);
        }
        _ => window.wait_until(1, 0, Until::AtLeast(3), site)?,
    }
    let took = transport.now() - begun;
    window.unlock_all(site)?;
    window.free(site)?;
    Ok(took)
}

#[test]
fn who_waits_for_a_word_stands_until_it_is_there() {
    let ran = crate::sim::run(flat(LINK), 3, |transport| late_word(&*transport).expect("everybody comes"));
    let took: Vec<_> = ran.into_iter().map(|(took, _)| took).collect();
    // Ranks 1 and 2 acquire `lock_all` 2100 after rank 0, at which it is kept.
    let there = 5000 + 100 + 1007 - 2100;
    assert_eq!(took, [5000 + 100 + 1007 + 1007, there, there + 1000]);
}

#[test]
fn waiting_for_a_word_that_nobody_changes_is_a_deadlock_with_a_name() {
    let ran = crate::sim::run(flat(LINK), 2, |transport| {
        let site = CallSite::caller(Verb::WaitUntil);
        let window = transport.window(WindowKind::Allocate, Datatype::I64, 1, site)?;
        window.wait_until(1 - window.rank(), 0, Until::Equal(1), site)
    });
    for (rank, (waited, _)) in ran.into_iter().enumerate() {
        let Err(Error::Deadlock { blocked }) = waited else { panic!("{waited:?}") };
        assert_eq!(blocked[rank].peer, Some(wb_comm::Source::Rank(1 - rank)), "{blocked:?}");
    }
}

#[test]
fn reading_for_ever_what_never_comes_ends() {
    let ran = crate::sim::run(flat(LINK), 1, |transport| {
        let world = World::new(transport);
        let window = world.window::<i64>(1)?;
        while window.read_all()? == [0] {}
        window.free()
    });
    assert!(matches!(ran[0].0, Err(Error::Interrupted { .. })), "{:?}", ran[0]);
}

#[test]
fn clocks_are_the_same_in_every_run() {
    let program = || {
        on_window(7, |world, window, now| {
            let (rank, size) = (world.rank(), world.size());
            for round in 0..4 {
                world.work((rank * 37 % 11 * round) as u64, 0);
                let lock = window.lock(LockKind::Exclusive, rank * round % size).expect("lock");
                lock.accumulate(&[1], 3, Operation::Sum).expect("accumulate");
                lock.unlock().expect("unlock");
            }
            let epoch = window.fence().expect("fence");
            epoch.put(&[rank as i64], (rank + 1) % size, 0).expect("put");
            epoch.end().expect("end");
            (window.read_all().expect("read"), now())
        })
    };
    let first = program();
    assert_eq!(first.iter().map(|(cells, _)| cells[3]).sum::<i64>(), 4 * 7);
    assert!((0..20).all(|_| program() == first));
}
