//! Tests programs of the `World` API in virtual time: their results and their clocks.
use wb_comm::{Code, Verb, job::RankTermination};
use wb_world::{ANY_SOURCE, Error, Operation, Result, World};

use crate::sim::{Link, Machine, Simulator};

const LINK: Link = Link {
    latency: 1000,
    overhead: 100,
    gap: 0,
    per_byte: 1000,
    processor_per_byte: 0,
    eager_limit: 4096,
    segments: Vec::new(),
};

fn flat(link: Link) -> Machine {
    Machine::flat("flat", link)
}

fn run<R: Send + 'static>(
    size: usize,
    program: impl Fn(&World) -> R + Send + Sync + 'static,
) -> Vec<(R, u64)> {
    crate::sim::run(flat(LINK), size, move |transport| program(&World::new(transport)))
}

#[test]
fn a_message_costs_what_the_model_says() {
    let ran = run(2, |world| {
        if world.rank() == 0 {
            world.send(&[7u8; 2001], 1, 0).expect("sent");
        } else {
            let mut data = [0u8; 2001];
            world.recv(&mut data, 0, 0).expect("received");
            assert_eq!(data, [7; 2001]);
        }
        world.now()
    });
    assert_eq!(ran, [(100, 100), (100 + 1000 + 2000 + 100, 3200)]);
}

#[test]
fn a_long_message_asks_first_and_its_sender_waits() {
    let late = run(2, |world| {
        if world.rank() == 0 {
            world.send(&[7u8; 5001], 1, 0).expect("sent");
        } else {
            world.work(10_000, 0);
            world.recv(&mut [0u8; 5001], 0, 0).expect("received");
        }
        world.now()
    });
    // Matched at 10000; requested until 11000; its last byte leaves at 16000, arrives at 17000.
    assert_eq!(late.clocks(), [16_000, 17_100]);
    let early = run(2, |world| {
        if world.rank() == 0 {
            world.work(10_000, 0);
            world.send(&[7u8; 5001], 1, 0).expect("sent");
        } else {
            world.recv(&mut [0u8; 5001], 0, 0).expect("received");
        }
    });
    // Its header arrives at 11100, which is when it is matched.
    assert_eq!(early.clocks(), [17_100, 18_200]);
}

#[test]
fn a_synchronous_send_hears_of_its_receive() {
    let ran = run(2, |world| {
        if world.rank() == 0 {
            world.ssend(&[1u8], 1, 0).expect("sent");
        } else {
            world.work(5000, 0);
            world.recv(&mut [0u8], 0, 0).expect("received");
        }
    });
    assert_eq!(ran.clocks(), [6000, 5100]);
}

#[test]
fn the_dissemination_barrier_keeps_its_closed_form() {
    for size in 2..=33usize {
        let ran = run(size, |world| {
            let mut barrier = world.barrier_by("dissemination").expect("everybody makes it");
            let entered = world.now();
            barrier.wait().expect("everybody comes");
            world.now() - entered
        });
        let rounds = u64::from(size.next_power_of_two().trailing_zeros());
        assert!(ran.iter().all(|(took, _)| *took == rounds * (2 * 100 + 1000)), "P = {size}: {ran:?}");
    }
}

#[test]
fn a_wildcard_takes_what_arrives_first() {
    let ran = run(3, |world| {
        let mut from = vec![];
        if world.rank() == 0 {
            for _ in 0..2 {
                let mut data = [0i32];
                from.push(world.recv(&mut data, ANY_SOURCE, 0).expect("somebody sends").source);
            }
        } else {
            world.work(if world.rank() == 1 { 9000 } else { 10 }, 0);
            world.send(&[1i32], 0, 0).expect("sent");
        }
        from
    });
    assert_eq!(ran[0].0, [2, 1]);
}

#[test]
fn polling_takes_time_and_sees_what_has_arrived() {
    let ran = run(2, |world| {
        if world.rank() == 0 {
            world.work(300, 0);
            world.send(&[1i32], 1, 5).expect("sent");
            return 0;
        }
        let mut polls = 0;
        while world.iprobe(0, 5).expect("a look").is_none() {
            polls += 1;
        }
        world.recv(&mut [0i32], 0, 5).expect("it is there");
        polls
    });
    // It arrives at 300 + 100 + 1000 + 3.
    assert_eq!(ran[1], (141, 1410 + 100));
}

#[test]
fn everybody_waits_and_everybody_is_told() {
    let job = |transport| {
        let world = World::new(transport);
        let left = (world.rank() + 2) % 3;
        Box::new(world.recv(&mut [0i32], left, 7).map(drop)) as Box<dyn std::any::Any + Send>
    };
    let simulator = Simulator::from(flat(LINK));
    let simulated = simulator.simulate(3, None, std::sync::Arc::new(job));
    assert_eq!(simulated.outcome.blocked.len(), 3);
    for ended in simulated.outcome.ranks {
        let RankTermination::Returned(value) = ended else { panic!("it returns") };
        let result = value.downcast::<Result<()>>().expect("a result");
        assert!(matches!(*result, Err(Error::Deadlock { .. })), "{result:?}");
    }
}

/// A wait for a time ends at that time, and polls are no livelock where a message is far ahead. Long waits end late by 0.4 % at most.
#[test]
fn waiting_for_a_time_or_for_a_late_message_ends() {
    const WAIT: u64 = 50_000_000;
    let ran = run(3, |world| {
        match world.rank() {
            0 => while world.now() < WAIT {},
            1 => while world.now() < WAIT && world.iprobe(0, 5).expect("alive").is_none() {},
            _ => while world.iprobe(0, 6).expect("it comes").is_none() {},
        }
        let waited = world.now();
        if world.rank() == 0 {
            world.work(WAIT, 0);
            world.send(&[0u8], 2, 6).expect("sent");
        } else if world.rank() == 2 {
            world.recv(&mut [0u8], 0, 6).expect("it is there");
        }
        waited
    });
    for ((waited, _), expected) in ran.into_iter().zip([WAIT, WAIT, 2 * WAIT]) {
        assert!((expected..expected + expected / 256 + 10_000).contains(&waited), "{waited} of {expected}");
    }
}

#[test]
fn a_reading_of_the_clock_takes_time_only_where_nothing_else_has() {
    let ran = run(1, |world| {
        let times = [(); 3].map(|()| (world.now(), world.work(7, 0)).0);
        (times, [world.now(), world.now(), world.now()])
    });
    assert_eq!(ran[0], (([0, 7, 14], [21, 31, 41]), 41));
}

#[test]
fn looking_for_ever_for_what_never_comes_ends_and_is_diagnosed() {
    let job = |transport| {
        let world = World::new(transport);
        let poll = || -> Result<()> {
            if world.rank() == 0 {
                return world.send(&[1], 1, 4);
            }
            while world.iprobe(0, 5)?.is_none() {}
            Ok(())
        };
        Box::new(poll()) as Box<dyn std::any::Any + Send>
    };
    let outcome = Simulator::from(flat(LINK)).simulate(2, None, std::sync::Arc::new(job)).outcome;
    let called: Vec<_> = outcome.blocked.iter().map(|call| (call.rank, call.verb, call.tag)).collect();
    assert_eq!(called, [(1, Verb::Iprobe, Some(5))]);
    assert_eq!(outcome.findings[0].code, Code::NearMiss, "{outcome:?}");
    let RankTermination::Returned(value) = &outcome.ranks[1] else { panic!("{outcome:?}") };
    let result = value.downcast_ref::<Result<()>>().expect("a result");
    assert!(matches!(result, Err(Error::Interrupted { .. })), "{result:?}");
}

/// At the limit every rank may be blocked, while a message is in flight.
#[test]
fn calls_that_complete_until_the_limit_are_counted_and_are_no_deadlock() {
    let limit = std::time::Duration::from_millis(50);
    for size in [1, 2, 3] {
        let job = move |transport| {
            let world = World::new(transport);
            let (right, left) = ((world.rank() + 1) % size, (world.rank() + size - 1) % size);
            let turn = || world.sendrecv(&[0_i32], right, 0, &mut [0_i32], left, 0);
            let turns = (0..).try_for_each(|at: u64| {
                // The limit has passed when the rank waits for its message again.
                std::thread::sleep(if at == 9 { limit } else { std::time::Duration::ZERO });
                turn().map(drop)
            });
            Box::new(turns) as Box<dyn std::any::Any + Send>
        };
        let simulator = Simulator::from(flat(LINK));
        let outcome = simulator.simulate(size, Some(limit), std::sync::Arc::new(job)).outcome;
        assert!(outcome.timed_out && outcome.findings.is_empty(), "{outcome:?}");
        assert!(outcome.calls.len() == size && outcome.calls.iter().all(|calls| *calls > 2), "{outcome:?}");
    }
}

#[test]
fn a_wait_by_the_clock_that_does_not_end_is_named_with_its_line() {
    wb_comm::panic_place::note_panics();
    let job = |transport| {
        let world = World::new(transport);
        while world.now() < u64::MAX {}
        Box::new(()) as Box<dyn std::any::Any + Send>
    };
    let outcome = Simulator::from(flat(LINK)).simulate(1, None, std::sync::Arc::new(job)).outcome;
    let RankTermination::Panicked(panic) = &outcome.ranks[0] else { panic!("a reading cannot fail") };
    assert_eq!(panic.stop, Some(wb_comm::panic_place::RankStop::EndlessClockWait));
    assert!(panic.text.contains("virtual_time.rs"), "{panic}");
}

#[test]
fn a_rank_that_panics_takes_nobody_with_it() {
    let job = |transport| {
        let world = World::new(transport);
        assert_ne!(world.rank(), 1, "rank 1 will not");
        Box::new(world.barrier()) as Box<dyn std::any::Any + Send>
    };
    let simulator = Simulator::from(flat(LINK));
    let ranks = simulator.simulate(3, None, std::sync::Arc::new(job)).outcome.ranks;
    assert!(matches!(&ranks[1], RankTermination::Panicked(panic) if panic.text.contains("rank 1 will not")));
    for rank in [0, 2] {
        let RankTermination::Returned(value) = &ranks[rank] else { panic!("it returns") };
        let result = value.downcast_ref::<Result<()>>().expect("a result");
        assert!(matches!(result, Err(Error::Peer { rank: 1, .. })), "{result:?}");
    }
}

#[test]
fn a_rank_that_computes_for_ever_is_given_up_at_the_limit_and_named() {
    let job = |transport: std::rc::Rc<dyn wb_comm::Transport>| {
        let world = World::new(transport);
        match world.rank() {
            // Waits for a message that is never sent.
            0 => drop(world.recv(&mut [0u8], 2, 5)),
            1 => {}
            2 => loop {
                std::hint::spin_loop();
            },
            // Is never resumed.
            _ => world.barrier().expect("it is not called"),
        }
        Box::new(()) as Box<dyn std::any::Any + Send>
    };
    let simulator = Simulator::from(flat(LINK));
    let limit = std::time::Duration::from_millis(100);
    let outcome = simulator.simulate(4, Some(limit), std::sync::Arc::new(job)).outcome;
    assert!(outcome.timed_out);
    let [blocked, returned, computes, waited] = &outcome.ranks[..] else { panic!("{:?}", outcome.ranks) };
    assert!(
        matches!((blocked, returned), (RankTermination::Unfinished, RankTermination::Returned(_))),
        "{:?}",
        outcome.ranks
    );
    assert!(
        matches!((computes, waited), (RankTermination::Unfinished, RankTermination::Starved(2))),
        "{:?}",
        outcome.ranks
    );
    let blocked: Vec<_> = outcome.blocked.iter().map(|call| (call.rank, call.tag)).collect();
    assert_eq!(blocked, [(0, Some(5))]);
}

#[test]
fn clocks_are_the_same_in_every_run() {
    let program = |world: &World| {
        let mut sum = [0u64; 100];
        for round in 0..5u64 {
            world.work(world.rank() as u64 * 37 % 11 * round, 0);
            world.allreduce(&[world.rank() as u64; 100], &mut sum, Operation::Sum).expect("all take part");
            let half = world.split(Some(world.rank() as u32 % 2), 0).expect("everybody").expect("a color");
            half.barrier().expect("everybody comes");
        }
        sum[0]
    };
    let first = run(13, program);
    assert!((0..20).all(|_| run(13, program) == first));
    assert_eq!(first[0].0, 78);
}

/// The clocks at the end.
trait Clocks {
    fn clocks(&self) -> Vec<u64>;
}

impl<R> Clocks for Vec<(R, u64)> {
    fn clocks(&self) -> Vec<u64> {
        self.iter().map(|(_, clock)| *clock).collect()
    }
}
