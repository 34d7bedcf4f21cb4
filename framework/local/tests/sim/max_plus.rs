//! Tests the max-plus executor: it agrees with ranks that run in virtual time, and with closed forms.
use std::sync::Arc;

use oorandom::Rand32;
use wb_algorithms::{
    barriers::{GroupConfig, adapters::MessageBarrier, catalogue},
    collectives::{Algorithms, CollectiveContext, broadcast},
};
use wb_comm::{
    Barrier, BorrowedBuffers, CallSite, CollectiveKind, Collectives, MessageTag, Op, Operation, Result,
    SendMode, Source, Transport, Verb, View, ViewMut,
};
use wb_config::NoiseSettings;

use crate::sim::{
    CostSegment, Link, Machine, Nics, machine_library,
    max_plus::{ArrivalPattern, MaxPlusRun, Noise, PathStep, Recording, RecordingError},
};

#[path = "max_plus/closed_forms.rs"]
mod closed_forms;
#[path = "max_plus/refusals.rs"]
mod refusals;

fn site() -> CallSite {
    CallSite::caller(Verb::Barrier)
}

/// The program of every rank of a job.
type Program = Arc<dyn Fn(&dyn Transport) -> Result<()> + Send + Sync>;

/// One episode of a barrier of the catalogue; `None` if it is not a pattern or is not defined for the setting.
fn barrier(name: &str, setting: &GroupConfig) -> Option<Program> {
    let plans = catalogue::find(name).expect("a row").plans(setting)?.ok()?;
    Some(Arc::new(move |transport| MessageBarrier::new(&plans[transport.rank()], transport, site()).wait()))
}

fn record(size: usize, program: &Program) -> Recording {
    Recording::from_program(size, |transport| program(transport)).expect("it does not depend on data")
}

fn link(latency: u64, overhead: u64, gap: u64) -> Link {
    Link {
        latency,
        overhead,
        gap,
        per_byte: 0,
        processor_per_byte: 0,
        eager_limit: usize::MAX,
        segments: Vec::new(),
    }
}

fn flat(link: Link) -> Machine {
    Machine { cores_per_group: 1 << 20, bytes_per_second: 1, poll: 1, ..Machine::flat("flat", link) }
}

/// A machine whose links all differ: latencies, gaps, costs of bytes, thresholds; between nodes also by size, where
/// longer messages may cost less.
fn heterogeneous_machine() -> Machine {
    let link = |latency, eager, pieces: &[CostSegment]| Link {
        latency,
        overhead: 37,
        gap: 53,
        per_byte: 700,
        processor_per_byte: 300,
        eager_limit: eager,
        segments: pieces.to_vec(),
    };
    let piece = |from, overhead, serial| CostSegment {
        min_bytes: from,
        overhead,
        processor_per_byte: 900,
        serial,
        per_byte: 1100,
    };
    Machine {
        cores_per_group: 2,
        groups_per_node: 2,
        core: link(101, 64, &[]),
        node: link(307, 32, &[piece(20, 90, 400), piece(50, 3, 10)]),
        network: link(1009, 16, &[piece(1, 41, 2000), piece(8, 17, 30), piece(41, 500, 7000)]),
        ..flat(link(1, 1, &[]))
    }
}

/// The same machine, whose nodes of four ranks have this number of NICs, slow enough to cause waits.
fn heterogeneous_machine_with_nics(per_node: usize) -> Machine {
    Machine { nics: Some(Nics { per_node, gap: 211 }), ..heterogeneous_machine() }
}

fn setting(machine: &Machine, size: usize) -> GroupConfig {
    GroupConfig { nodes: (0..size).map(|rank| machine.node_of(rank)).collect(), ..GroupConfig::new(size) }
}

/// Runs three episodes back to back in both executors and compares the exits of each rank. The max-plus executor runs
/// the episodes one by one, which is not possible where ranks share NICs, and in one recording. The critical path of
/// the last run must be a chain.
#[track_caller]
fn check_agreement(size: usize, program: &Program, machine: &Machine, entry: &ArrivalPattern, what: &str) {
    let recording = record(size, program);
    let really = by_event_loop(size, program, machine, entry);
    let mut run = MaxPlusRun::new(&recording, machine, entry, Noise::none());
    let mut episode = || run.episode().unwrap_or_else(|fault| panic!("{what}: {fault}"));
    if machine.nics.is_none() {
        for (number, exits) in really.iter().enumerate() {
            assert_eq!(&episode().exits, exits, "{what}, episode {number}");
        }
        check_path(&run, &really[2], what);
    }
    let recording = recording.repeated(3);
    let mut run = MaxPlusRun::new(&recording, machine, entry, Noise::none());
    let all = run.episode().unwrap_or_else(|fault| panic!("{what}: {fault}"));
    assert_eq!([&all.entries, &all.exits], [&really[1], &really[2]], "{what}, all at once");
    check_path(&run, &all.exits, what);
}

/// When each rank exits each of three episodes.
fn by_event_loop(size: usize, program: &Program, machine: &Machine, entry: &ArrivalPattern) -> [Vec<u64>; 3] {
    let (entries, program) = (entry.times(size), Arc::clone(program));
    let ran = crate::sim::run(machine.clone(), size, move |transport| {
        transport.work(entries[transport.rank()], 0);
        [(); 3].map(|()| {
            program(&*transport).expect("it ends");
            transport.now()
        })
    });
    [0, 1, 2].map(|episode| ran.iter().map(|(exits, _)| exits[episode]).collect())
}

#[track_caller]
fn check_path(run: &MaxPlusRun<'_>, exits: &[u64], what: &str) {
    let path = run.critical_path(exits);
    let last = exits.iter().max().expect("a rank");
    assert!(is_a_chain(&path.steps, *last), "{what}: {path:?}");
}

/// Does the path lead from an entry to the last exit, each step from the place and time of the one before?
fn is_a_chain(steps: &[PathStep], exit: u64) -> bool {
    let Some(PathStep::Entry { rank, at }) = steps.first() else { return false };
    let (mut who, mut when) = (*rank, *at);
    for step in &steps[1..] {
        let (from, to, begins, ends) = match *step {
            PathStep::Entry { .. } => return false,
            PathStep::Message { from, to, called_at: called, arrives } => (from, to, called, arrives),
            PathStep::Acknowledgement { from, to, posted, completed_at } => (from, to, posted, completed_at),
            PathStep::Exit { rank, at } => (rank, rank, when, at),
        };
        if from != who || begins < when || ends < begins {
            return false;
        }
        (who, when) = (to, ends);
    }
    when == exit && matches!(steps.last(), Some(PathStep::Exit { .. }))
}

#[test]
fn every_pattern_takes_the_time_that_ranks_take() {
    let free = [flat(link(1000, 100, 0)), flat(link(1000, 100, 250)), heterogeneous_machine()];
    let machines: Vec<_> = free.into_iter().chain([1, 2, 4].map(heterogeneous_machine_with_nics)).collect();
    let mut compared = 0;
    for entry in catalogue::all() {
        for size in [1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 33] {
            for machine in &machines {
                let Some(program) = barrier(entry.name, &setting(machine, size)) else { continue };
                for skew in
                    [ArrivalPattern::Simultaneous, ArrivalPattern::Random { last: 3000, seed: size as u64 }]
                {
                    check_agreement(size, &program, machine, &skew, &format!("{}, P = {size}", entry.name));
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1000, "{compared} comparisons");
}

#[test]
fn collectives_with_payloads_do_too() {
    for size in [2, 3, 5, 8, 11] {
        for count in [1, 8, 40, 200] {
            let bcast: Program = Arc::new(move |transport| {
                Algorithms(transport).bcast(&mut vec![0_u8; count], size - 1, site())
            });
            let allreduce: Program = Arc::new(move |transport| {
                let (out, mut into) = (vec![0_u8; count], vec![0_u8; count]);
                let kind = CollectiveKind::Allreduce { operation: Operation::Max };
                Algorithms(transport).run(kind, BorrowedBuffers::new(&out, &mut into), site())
            });
            let alltoall: Program = Arc::new(move |transport| {
                let (out, mut into) = (vec![0_u8; count * size], vec![0_u8; count * size]);
                let buffers = BorrowedBuffers::new(&out, &mut into);
                Algorithms(transport).run(CollectiveKind::Alltoall, buffers, site())
            });
            for (verb, program) in [("bcast", bcast), ("allreduce", allreduce), ("alltoall", alltoall)] {
                let what = format!("{verb} of {count} bytes, P = {size}");
                for machine in [heterogeneous_machine(), heterogeneous_machine_with_nics(1)] {
                    check_agreement(size, &program, &machine, &ArrivalPattern::Ramp { last: 5000 }, &what);
                }
            }
        }
    }
}

#[test]
fn every_broadcast_does_too() {
    let mut compared = 0;
    for broadcast in broadcast::all() {
        for size in [2, 3, 4, 7, 8, 11] {
            for bytes in [1, 17, 40, 300] {
                let program: Program = Arc::new(move |transport| {
                    let comm = CollectiveContext::new(transport, Verb::Bcast, site());
                    broadcast.run(&comm, ViewMut::from_slice(&mut vec![0_u8; bytes]), size - 1, 16)
                });
                let what = format!("{} of {bytes} bytes, P = {size}", broadcast.name);
                for machine in [heterogeneous_machine(), heterogeneous_machine_with_nics(1)] {
                    check_agreement(
                        size,
                        &program,
                        &machine,
                        &ArrivalPattern::Random { last: 3000, seed: bytes as u64 },
                        &what,
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 600, "{compared} comparisons");
}

/// One operation of a random program.
#[derive(Clone, Copy)]
enum RandomOp {
    Send { to: usize, tag: i32, bytes: usize, synchronous: bool },
    Recv { from: usize, tag: i32, bytes: usize },
}

impl RandomOp {
    fn op<'a>(&self, buffer: &'a mut Vec<u8>) -> Op<'a> {
        match *self {
            Self::Send { to, tag, bytes, synchronous } => {
                let mode = if synchronous { SendMode::Synchronous } else { SendMode::Standard };
                buffer.resize(bytes, 0);
                Op::Send { to, tag: MessageTag::internal(tag), data: View::from_slice(buffer), mode }
            }
            Self::Recv { from, tag, bytes } => {
                buffer.resize(bytes, 0);
                let (from, tag) = (Source::Rank(from), MessageTag::internal(tag).into());
                Op::Recv { from, tag, data: ViewMut::from_slice(buffer), status: None }
            }
        }
    }
}

/// Every rank exchanges messages of random sizes with random partners, several in a round, some synchronous.
fn random_program(size: usize, rounds: usize, seed: u64) -> Program {
    let mut random = Rand32::new(seed);
    let mut plan = vec![vec![vec![]; size]; rounds];
    for round in &mut plan {
        for _ in 0..2 * size {
            let mut below = |limit: usize| random.rand_range(0..limit as u32) as usize;
            let (from, to, tag, bytes) = (below(size), below(size), below(3) as i32, below(100));
            let synchronous = below(4) == 0;
            round[from].push(RandomOp::Send { to, tag, bytes, synchronous });
            round[to].push(RandomOp::Recv { from, tag, bytes: 100 });
        }
    }
    Arc::new(move |transport| {
        plan.iter().try_for_each(|round| {
            let mine = &round[transport.rank()];
            let mut buffers = vec![vec![]; mine.len()];
            let mut ops: Vec<_> = mine.iter().zip(&mut buffers).map(|(one, buffer)| one.op(buffer)).collect();
            transport.post_and_wait(&mut ops, site())
        })
    })
}

#[test]
fn random_programs_do_too() {
    for seed in 0..300 {
        let size = 2 + seed as usize % 9;
        let (program, skew) = (random_program(size, 4, seed), ArrivalPattern::Random { last: 2000, seed });
        for machine in
            [heterogeneous_machine(), heterogeneous_machine_with_nics(1), heterogeneous_machine_with_nics(3)]
        {
            check_agreement(size, &program, &machine, &skew, &format!("seed {seed}, {:?}", machine.nics));
        }
    }
}

/// Rank 0 sends two messages by rendezvous; rank 1 enters late and posts their receives in the other order in one
/// round.
#[test]
fn payloads_that_are_asked_for_at_once_go_in_the_order_of_sending() {
    let program: Program = Arc::new(|transport| {
        let (mut one, mut other) = (vec![], vec![]);
        let planned = match transport.rank() {
            0 => [(1, 50), (2, 5000)].map(|(tag, bytes)| RandomOp::Send {
                to: 1,
                tag,
                bytes,
                synchronous: false,
            }),
            _ => [(2, 5000), (1, 50)].map(|(tag, bytes)| RandomOp::Recv { from: 0, tag, bytes }),
        };
        transport.post_and_wait(&mut [planned[0].op(&mut one), planned[1].op(&mut other)], site())
    });
    let machine = Machine { cores_per_group: 1, groups_per_node: 1, ..heterogeneous_machine() };
    check_agreement(
        2,
        &program,
        &machine,
        &ArrivalPattern::OneLate { rank: 1, delay: 50_000 },
        "receives in the other order",
    );
}
