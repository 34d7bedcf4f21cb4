//! Tests faults in virtual time: each changes the times that it should and no result.
use std::sync::Arc;

use wb_comm::{RankFunction, ThreadRanks as _, job::RankTermination};
use wb_world::{Operation, World};

use crate::sim::{Faults, Link, Machine, Simulator};

fn machine() -> Machine {
    let link = Link {
        latency: 1000,
        overhead: 100,
        gap: 0,
        per_byte: 1000,
        processor_per_byte: 0,
        eager_limit: 4096,
        segments: Vec::new(),
    };
    Machine::flat("flat", link)
}

fn simulator(faults: &[&str]) -> Simulator {
    let faults = Faults::parse(faults).expect("faults that there are");
    Simulator { faults, ..Simulator::from(machine()) }
}

/// Runs a program with faults; the results of the ranks are usually times.
fn run<R: Send + 'static>(
    faults: &[&str],
    size: usize,
    program: impl Fn(&World) -> R + Send + Sync + 'static,
) -> Vec<R> {
    let job: RankFunction = Arc::new(move |transport| Box::new(program(&World::new(transport))));
    let returned = |ended| match ended {
        RankTermination::Returned(value) => *value.downcast::<R>().expect("what the program returns"),
        other => panic!("{other:?}"),
    };
    simulator(faults).run(size, None, job).ranks.into_iter().map(returned).collect()
}

#[test]
fn a_slow_rank_computes_and_talks_slowly_and_nobody_else_does() {
    let program = |world: &World| {
        world.work(10_000, 0);
        let computed = world.now();
        match world.rank() {
            0 => world.send(&[7u8], 1, 0).expect("sent"),
            _ => drop(world.recv(&mut [0u8], 0, 0).expect("received")),
        }
        (computed, world.now())
    };
    assert_eq!(run(&[], 2, program), [(10_000, 10_100), (10_000, 11_200)]);
    assert_eq!(run(&["slow:0:2.5"], 2, program), [(25_000, 25_250), (10_000, 26_350)]);
    assert_eq!(run(&["slow:1:2.5"], 2, program), [(10_000, 10_100), (25_000, 25_250)]);
}

#[test]
fn a_late_rank_is_waited_for() {
    let program = |world: &World| {
        let entered = world.now();
        world.barrier().expect("all come");
        (entered, world.now())
    };
    let (together, late) = (run(&[], 4, program), run(&["late:2:50000"], 4, program));
    assert_eq!(late.iter().map(|(entered, _)| *entered).collect::<Vec<_>>(), [0, 0, 50_000, 0]);
    for (rank, ((_, before), (_, after))) in together.iter().zip(&late).enumerate() {
        assert!(*after > 50_000 && *after <= 50_000 + before, "rank {rank}: {before}, {after}");
    }
}

#[test]
fn a_deaf_rank_hears_nothing_while_it_computes() {
    let program = |world: &World| {
        match world.rank() {
            0 => world.send(&[7u8; 5001], 1, 0).expect("sent"),
            _ => {
                let request = world.irecv::<u8>(5001, 0, 0).expect("posted");
                world.work(20_000, 0);
                let (data, _) = request.wait().expect("received");
                assert_eq!(data, [7; 5001]);
            }
        }
        world.now()
    };
    // Requested at 1100 and arrived at 8100, long before the receive waits; or requested at 20000 and arrived at
    // 27000.
    assert_eq!(run(&[], 2, program), [7100, 20_100]);
    assert_eq!(run(&["deaf:1"], 2, program), [26_000, 27_100]);
    assert_eq!(run(&["deaf:0"], 2, program), [7100, 20_100], "rank 0 is in its call");
}

/// How much of a reduction of a megabyte is hidden behind computing: the time that a wait after it takes less than one without computing.
fn hidden_percent(faults: &[&str], size: usize) -> f64 {
    const WORK: u64 = 100_000_000;
    let reduce = |world: &World, work: u64| {
        let sum = world.iallreduce(vec![1.0; 131_072], Operation::Sum).expect("started");
        world.work(work, 0);
        assert_eq!(sum.wait().expect("complete")[7], world.size() as f64);
        world.now()
    };
    let longest =
        |work| run(faults, size, move |world| reduce(world, work)).into_iter().max().expect("ranks");
    let (alone, behind) = (longest(0), longest(WORK));
    assert!(alone < WORK, "{alone} ns are longer than the computing");
    100.0 * (1.0 - (behind - WORK) as f64 / alone as f64)
}

#[test]
fn a_started_reduction_is_hidden_behind_computing_and_not_without_asynchronous_progress() {
    for size in [2, 3, 4, 8] {
        let without: Vec<String> = (0..size).map(|rank| format!("deaf:{rank}")).collect();
        let without: Vec<&str> = without.iter().map(String::as_str).collect();
        let (hidden, hidden_without) = (hidden_percent(&[], size), hidden_percent(&without, size));
        println!("P = {size}: {hidden:.1} % hidden, {hidden_without:.1} % without asynchronous progress");
        assert!(hidden > 80.0, "P = {size}: {hidden} %");
        assert!(hidden_without.abs() < 1.0, "P = {size}: {hidden_without} %");
    }
}

/// Copies in the memory of a node cost a started operation as much as a blocking one.
#[test]
fn a_started_operation_that_is_waited_for_at_once_costs_as_much_as_a_blocking_one() {
    let machine = crate::sim::machine_library::find("cluster-ib").expect("a machine");
    for size in [2, 4, 16] {
        let machine = machine.machine("cluster-ib", size).expect("it has the cores");
        let times = |program: fn(&World)| {
            let ended = crate::sim::run(machine.clone(), size, move |transport| {
                let world = World::new(transport);
                program(&world);
                world.now()
            });
            ended.into_iter().map(|(time, _)| time).max().expect("ranks") as f64
        };
        let blocking = times(|world| {
            let mut sum = vec![0.0; 131_072];
            world.allreduce(&vec![1.0; 131_072], &mut sum, Operation::Sum).expect("all take part");
        });
        let started = times(|world| {
            let sum = world.iallreduce(vec![1.0; 131_072], Operation::Sum).expect("started");
            sum.wait().expect("complete");
        });
        let ratio = started / blocking;
        println!("P = {size}: blocking {blocking} ns, started {started} ns, ratio {ratio:.2}");
        assert!((0.99..1.01).contains(&ratio), "P = {size}: {ratio}");
    }
}

/// A long message is requested by its receiver: the operation of its sender is complete when it has left.
#[test]
fn a_started_operation_is_complete_when_its_long_messages_have_left() {
    let complete = |faults: &[&str]| {
        let ended = run(faults, 2, |world| {
            world.work(10_000 * world.rank() as u64, 0);
            let data = world.ibcast(vec![1_u8; 1_000_000], 0).expect("started");
            data.wait().expect("complete");
            let complete = world.now();
            world.work(100_000_000, 0);
            complete
        });
        [ended[0], ended[1]]
    };
    // The second rank comes after 10 us. Its request and the first byte take 1 us each, and all bytes take 1 ms.
    for faults in [&[][..], &["deaf:0"]] {
        let [root, other] = complete(faults);
        assert!((1_010_000..1_012_000).contains(&root), "the root is complete at {root} ns");
        assert!((1_011_000..1_013_000).contains(&other), "the other is complete at {other} ns");
    }
}

/// A rank runs ahead of the rounds of its operations: the messages that it sends later do not delay them.
#[test]
fn a_later_message_does_not_delay_the_payloads_of_a_started_operation() {
    const WORK: u64 = 100_000_000;
    let machine = crate::sim::machine_library::find("cluster-ib").expect("a machine");
    let machine = machine.machine("cluster-ib", 2).expect("it has the cores");
    let ended = crate::sim::run(machine, 2, |transport| {
        let world = World::new(transport);
        let (rank, mut word) = (world.rank(), [0_u8]);
        world.work(10_000 * u64::from(rank == 0), 0);
        let sum = world.iallreduce(vec![1.0; 131_072], Operation::Sum).expect("started");
        // The first rank sends after its work; the other waits for the operation at once.
        if rank == 0 {
            world.work(WORK, 0);
            world.send(&[1_u8], 1, 0).expect("sent");
        }
        sum.wait().expect("complete");
        let complete = world.now();
        if rank == 1 {
            world.recv(&mut word, 0, 0).expect("received");
        }
        (complete, world.now())
    });
    let (complete, received) = ended[1].0;
    assert!(complete * 10 < received, "complete at {complete} ns, the later message came at {received} ns");
}

/// Of four ranks the second gets the data of a broadcast from the first and sends it to the fourth.
#[test]
fn a_rank_sends_a_broadcast_on_no_earlier_than_it_has_started_it() {
    let program = |world: &World| {
        world.work(if world.rank() == 1 { 1_000_000 } else { 0 }, 0);
        let data = world.ibcast(vec![world.rank()], 0).expect("started").wait().expect("complete");
        (data, world.now())
    };
    let ended = run(&[], 4, program);
    assert!(ended.iter().all(|(data, _)| *data == [0]), "{ended:?}");
    assert!(ended[2].1 < 10_000 && ended[3].1 > 1_000_000, "{ended:?}");
}

#[test]
fn a_deaf_sender_lets_its_receiver_wait() {
    let program = |world: &World| {
        match world.rank() {
            0 => {
                let request = world.isend(vec![7u8; 5001], 1, 0).expect("posted");
                world.work(20_000, 0);
                request.wait().expect("sent");
            }
            _ => drop(world.recv(&mut [0u8; 5001], 0, 0).expect("received")),
        }
        world.now()
    };
    let (with, without) = (run(&[], 2, program), run(&["deaf:0"], 2, program));
    assert!(with[1] < 10_000 && without[1] > 26_000, "{with:?}, {without:?}");
}

/// A program with messages that could overtake each other, collectives, computation and a wildcard receive.
fn busy(world: &World) -> (u64, u64) {
    let (rank, size) = (world.rank(), world.size());
    let mut seen = 0;
    for round in 0..10u64 {
        world.work(1000 + 100 * rank as u64, 0);
        let (next, last) = ((rank + 1) % size, (rank + size - 1) % size);
        let requests = [round, round + 1].map(|number| world.isend(vec![number], next, 3).expect("posted"));
        for number in [round, round + 1] {
            let mut got = [0];
            world.recv(&mut got, last, 3).expect("received");
            assert_eq!(got, [number], "messages of one sender come in their order");
        }
        requests.into_iter().for_each(|request| drop(request.wait().expect("sent")));
        let mut sum = [0];
        world.allreduce(&[rank as u64 + round], &mut sum, Operation::Sum).expect("all take part");
        seen += sum[0];
    }
    (seen, world.now())
}

#[test]
fn one_seed_of_jitter_gives_one_run_and_another_gives_another() {
    let plain = run(&[], 8, busy);
    let jittered = run(&["jitter:7"], 8, busy);
    for _ in 0..20 {
        assert_eq!(run(&["jitter:7"], 8, busy), jittered);
    }
    let other = run(&["jitter:8"], 8, busy);
    assert_ne!(other, jittered);
    for ((plain, jittered), other) in plain.iter().zip(&jittered).zip(&other) {
        assert_eq!((plain.0, plain.0), (jittered.0, other.0), "answers are the same");
        assert!(plain.1 < jittered.1 && plain.1 < other.1, "jitter makes nothing faster");
    }
}

#[test]
fn all_faults_together_change_times_only() {
    let faults = ["slow:1:3", "jitter:2:100", "late:3:9999", "deaf:2", "slow:1:2"];
    let answers = |ran: Vec<(u64, u64)>| ran.into_iter().map(|(seen, _)| seen).collect::<Vec<_>>();
    assert_eq!(answers(run(&faults, 5, busy)), answers(run(&[], 5, busy)));
    assert_eq!(run(&faults, 5, busy), run(&faults, 5, busy));
}
