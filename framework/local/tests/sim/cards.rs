//! Tests the NICs that the ranks of a node share against closed forms of the queueing times, in both executors.
use std::sync::Arc;

use wb_comm::{CallSite, MessageTag, Op, Result, SendMode, Source, Transport, Verb, View, ViewMut};

use crate::sim::{
    Link, Machine, Nics, Simulator,
    fault::Faults,
    max_plus::{ArrivalPattern, MaxPlusRun, Noise, Recording, RecordingError},
};

/// The bytes of every message: a microsecond from the first to the last.
const BYTES: usize = 1001;

/// A machine whose nodes have `cores` cores, on a network with L = 1 us, o = 100 ns, 1 ns per byte.
fn machine(cores: usize, cards: Option<Nics>) -> Machine {
    let (eager, pieces) = (1 << 20, Vec::new());
    let link = Link {
        latency: 1000,
        overhead: 100,
        gap: 0,
        per_byte: 1000,
        processor_per_byte: 0,
        eager_limit: eager,
        segments: pieces,
    };
    Machine { cores_per_group: cores, nics: cards, ..Machine::flat("cards", link) }
}

fn cards(per_node: usize) -> Option<Nics> {
    Some(Nics { per_node, gap: 7 })
}

/// The program of one rank.
type Program = fn(&dyn Transport) -> Result<()>;

/// Each rank of the lower half sends a message to the corresponding rank of the upper half.
fn halves(transport: &dyn Transport) -> Result<()> {
    let (rank, half) = (transport.rank(), transport.size() / 2);
    let mut data = vec![0_u8; BYTES];
    match rank.checked_sub(half) {
        None => transport.post_and_wait(&mut [send(rank + half, &data)], site()),
        Some(from) => transport.post_and_wait(&mut [receive(from, &mut data)], site()),
    }
}

/// Every other rank sends a message to rank 0.
fn gather(transport: &dyn Transport) -> Result<()> {
    let mut data = vec![vec![0_u8; BYTES]; transport.size()];
    let mut ops: Vec<Op<'_>> = match transport.rank() {
        0 => data.iter_mut().enumerate().skip(1).map(|(from, data)| receive(from, data)).collect(),
        _ => vec![send(0, &data[0])],
    };
    transport.post_and_wait(&mut ops, site())
}

fn send(to: usize, data: &[u8]) -> Op<'_> {
    Op::Send { to, tag: MessageTag::internal(1), data: View::from_slice(data), mode: SendMode::Standard }
}

fn receive(from: usize, data: &mut [u8]) -> Op<'_> {
    let (from, tag) = (Source::Rank(from), MessageTag::internal(1).into());
    Op::Recv { from, tag, data: ViewMut::from_slice(data), status: None }
}

fn site() -> CallSite {
    CallSite::caller(Verb::Send)
}

/// The last exit, in both executors.
#[track_caller]
fn last_exit(size: usize, program: Program, machine: &Machine) -> u64 {
    let recording = Recording::from_program(size, program).expect("it does not depend on data");
    let mut run = MaxPlusRun::new(&recording, machine, &ArrivalPattern::Simultaneous, Noise::none());
    let exits = run.episode().expect("it ends").exits;
    let ran = crate::sim::run(machine.clone(), size, move |transport| program(&*transport).expect("it ends"));
    assert_eq!(exits, ran.iter().map(|(_, clock)| *clock).collect::<Vec<_>>());
    exits.into_iter().max().expect("some ranks")
}

#[test]
fn ranks_of_a_node_queue_at_their_card() {
    let alone = 2 * 100 + 1000 + 1000;
    for cores in [1, 2, 8] {
        let of = |cards| last_exit(2 * cores, halves, &machine(cores, cards));
        assert_eq!(of(None), alone);
        assert_eq!(of(cards(cores)), alone);
        // The last message leaves after all others, when the NIC of the other node is free again.
        assert_eq!(of(cards(1)), alone + (cores as u64 - 1) * (1000 + 7));
    }
    assert_eq!(last_exit(16, halves, &machine(8, cards(2))), last_exit(8, halves, &machine(4, cards(1))));
}

#[test]
fn messages_within_a_node_pass_no_card() {
    let shared = machine(16, cards(1));
    assert_eq!(last_exit(16, halves, &shared), last_exit(16, halves, &machine(16, None)));
}

#[test]
fn messages_from_many_nodes_queue_at_the_card_of_one() {
    // Nine nodes of one rank: eight messages leave at the same time and enter the ninth node one by one, 7 ns apart.
    assert_eq!(last_exit(9, gather, &machine(1, cards(1))), 100 + 1000 + 8 * 1000 + 7 * 7 + 100);
    assert_eq!(last_exit(9, gather, &machine(1, None)), 100 + 1000 + 1000 + 8 * 100);
}

#[test]
fn payloads_that_were_asked_for_queue_too() {
    let mut shared = machine(4, cards(1));
    shared.network.eager_limit = 100;
    // The headers, 7 ns apart, are answered in that order; the payloads then also wait for each other's bytes.
    assert_eq!(last_exit(8, halves, &shared), 100 + 3 * 1000 + 3 * 1007 + 1000 + 100);
}

#[test]
fn a_rank_that_computes_keeps_no_card_of_another_from_its_work() {
    let faults = Faults::parse(&["deaf:0"]).expect("there is such a fault");
    let simulator = Simulator { faults, ..Simulator::from(machine(2, cards(1))) };
    let job = |transport: std::rc::Rc<dyn Transport>| {
        halves(&*transport).expect("it ends");
        transport.work(1_000_000, 0);
        Box::new(()) as Box<dyn std::any::Any + Send>
    };
    let simulated = simulator.simulate(4, None, Arc::new(job));
    // Rank 0 ends its call before its message reaches the NIC, and then computes for a millisecond.
    assert_eq!(simulated.clocks, [1_000_100, 1_000_100, 1_002_200, 1_003_207]);
}

#[test]
fn episodes_that_overlap_at_a_card_are_refused() {
    let recording = Recording::from_program(8, halves).expect("it does not depend on data");
    let machine = machine(4, cards(1));
    let mut run = MaxPlusRun::new(&recording, &machine, &ArrivalPattern::Simultaneous, Noise::none());
    assert!(run.episode().is_ok());
    assert_eq!(run.episode(), Err(RecordingError::EpisodesOverlap));
    // On one node no message passes a NIC.
    let recording = Recording::from_program(4, halves).expect("it does not depend on data");
    let mut run = MaxPlusRun::new(&recording, &machine, &ArrivalPattern::Simultaneous, Noise::none());
    assert!((0..3).all(|_| run.episode().is_ok()));
}

#[test]
#[should_panic(expected = "cards on a network with an L or an o of 0")]
fn cards_without_times_to_order_messages_by_are_refused() {
    let mut machine = machine(4, cards(1));
    machine.network.overhead = 0;
    last_exit(8, halves, &machine);
}
