//! The pass over recordings: it agrees with ranks that really run in virtual time, and with what is known in closed form.
use std::sync::Arc;

use oorandom::Rand32;
use wb_collectives::{
    Algorithms, Port, broadcast,
    catalogue::{self, Setting},
    over::OverMessages,
};
use wb_comm::{
    Barrier, Collectives, Label, Op, Operation, Result, Site, Source, Transport, Verb, View, ViewMut,
};
use wb_config::NoiseSettings;
use wb_sim::{
    Cards, Link, Machine, Piece, library,
    plan::{Entry, Fault, Leg, Noise, Recording, Run},
};

fn site() -> Site {
    Site::here(Verb::Barrier)
}

/// What every rank of a job does.
type Program = Arc<dyn Fn(&dyn Transport) -> Result<()> + Send + Sync>;

/// One episode of a barrier of the catalogue; `None` for what is no pattern or not defined for the setting.
fn barrier(name: &str, setting: &Setting) -> Option<Program> {
    let plans = catalogue::find(name).expect("a row").plans(setting)?.ok()?;
    Some(Arc::new(move |transport| OverMessages::new(&plans[transport.rank()], transport, site()).wait()))
}

fn record(size: usize, program: &Program) -> Recording {
    Recording::of(size, |transport| program(transport)).expect("it does not depend on data")
}

fn link(latency: u64, overhead: u64, gap: u64) -> Link {
    Link { latency, overhead, gap, per_byte: 0, copy: 0, eager: usize::MAX, pieces: Vec::new() }
}

fn flat(link: Link) -> Machine {
    Machine { cores_per_group: 1 << 20, bytes_per_second: 1, poll: 1, ..Machine::flat("flat", link) }
}

/// Everything differs: distances, gaps, costs of bytes, thresholds; between nodes also by size, where longer messages may
/// cost less.
fn rugged() -> Machine {
    let link = |latency, eager, pieces: &[Piece]| Link {
        latency,
        overhead: 37,
        gap: 53,
        per_byte: 700,
        copy: 300,
        eager,
        pieces: pieces.to_vec(),
    };
    let piece = |from, overhead, serial| Piece { from, overhead, copy: 900, serial, per_byte: 1100 };
    Machine {
        cores_per_group: 2,
        groups_per_node: 2,
        core: link(101, 64, &[]),
        node: link(307, 32, &[piece(20, 90, 400), piece(50, 3, 10)]),
        network: link(1009, 16, &[piece(1, 41, 2000), piece(8, 17, 30), piece(41, 500, 7000)]),
        ..flat(link(1, 1, &[]))
    }
}

/// The same, whose nodes of four ranks have so many cards, which are slow enough to be waited for.
fn rugged_with_cards(per_node: usize) -> Machine {
    Machine { cards: Some(Cards { per_node, gap: 211 }), ..rugged() }
}

fn setting(machine: &Machine, size: usize) -> Setting {
    Setting { nodes: (0..size).map(|rank| machine.node_of(rank)).collect(), ..Setting::of(size) }
}

/// Three episodes back to back, by the pass and by ranks that run in virtual time: each rank leaves at the same time, whether
/// the pass takes one episode after the other, which it cannot where ranks share cards, or all at once. The critical path of
/// what it did last is a chain.
#[track_caller]
fn agree(size: usize, program: &Program, machine: &Machine, entry: &Entry, what: &str) {
    let recording = record(size, program);
    let really = by_ranks(size, program, machine, entry);
    let mut run = Run::new(&recording, machine, entry, Noise::none());
    let mut episode = || run.episode().unwrap_or_else(|fault| panic!("{what}: {fault}"));
    if machine.cards.is_none() {
        for (number, exits) in really.iter().enumerate() {
            assert_eq!(&episode().exits, exits, "{what}, episode {number}");
        }
        chained(&run, &really[2], what);
    }
    let recording = recording.repeated(3);
    let mut run = Run::new(&recording, machine, entry, Noise::none());
    let all = run.episode().unwrap_or_else(|fault| panic!("{what}: {fault}"));
    assert_eq!([&all.entries, &all.exits], [&really[1], &really[2]], "{what}, all at once");
    chained(&run, &all.exits, what);
}

/// When each rank leaves each of three episodes.
fn by_ranks(size: usize, program: &Program, machine: &Machine, entry: &Entry) -> [Vec<u64>; 3] {
    let (entries, program) = (entry.times(size), Arc::clone(program));
    let ran = wb_sim::run(machine.clone(), size, move |transport| {
        transport.work(entries[transport.rank()], 0);
        [(); 3].map(|()| {
            program(&*transport).expect("it ends");
            transport.now()
        })
    });
    [0, 1, 2].map(|episode| ran.iter().map(|(exits, _)| exits[episode]).collect())
}

#[track_caller]
fn chained(run: &Run<'_>, exits: &[u64], what: &str) {
    let path = run.critical_path(exits);
    let last = exits.iter().max().expect("a rank");
    assert!(is_a_chain(&path.legs, *last), "{what}: {path:?}");
}

/// From an entry to the last exit, each leg where and when the last one left off.
fn is_a_chain(legs: &[Leg], exit: u64) -> bool {
    let Some(Leg::Enters { rank, at }) = legs.first() else { return false };
    let (mut who, mut when) = (*rank, *at);
    for leg in &legs[1..] {
        let (from, to, begins, ends) = match *leg {
            Leg::Enters { .. } => return false,
            Leg::Message { from, to, called, arrives } => (from, to, called, arrives),
            Leg::Answer { from, to, posted, over } => (from, to, posted, over),
            Leg::Leaves { rank, at } => (rank, rank, when, at),
        };
        if from != who || begins < when || ends < begins {
            return false;
        }
        (who, when) = (to, ends);
    }
    when == exit && matches!(legs.last(), Some(Leg::Leaves { .. }))
}

#[test]
fn every_pattern_takes_the_time_that_ranks_take() {
    let free = [flat(link(1000, 100, 0)), flat(link(1000, 100, 250)), rugged()];
    let machines: Vec<_> = free.into_iter().chain([1, 2, 4].map(rugged_with_cards)).collect();
    let mut compared = 0;
    for entry in catalogue::all() {
        for size in [1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 33] {
            for machine in &machines {
                let Some(program) = barrier(entry.name, &setting(machine, size)) else { continue };
                for skew in [Entry::Together, Entry::Random { last: 3000, seed: size as u64 }] {
                    agree(size, &program, machine, &skew, &format!("{}, P = {size}", entry.name));
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
                Algorithms(transport).bcast(ViewMut::of(&mut vec![0_u8; count]), size - 1, site())
            });
            let allreduce: Program = Arc::new(move |transport| {
                let (out, mut into) = (vec![0_u8; count], vec![0_u8; count]);
                let (out, into) = (View::of(&out), ViewMut::of(&mut into));
                Algorithms(transport).allreduce(out, into, Operation::Max, site())
            });
            let alltoall: Program = Arc::new(move |transport| {
                let (out, mut into) = (vec![0_u8; count * size], vec![0_u8; count * size]);
                Algorithms(transport).alltoall(View::of(&out), ViewMut::of(&mut into), site())
            });
            for (verb, program) in [("bcast", bcast), ("allreduce", allreduce), ("alltoall", alltoall)] {
                let what = format!("{verb} of {count} bytes, P = {size}");
                for machine in [rugged(), rugged_with_cards(1)] {
                    agree(size, &program, &machine, &Entry::Ramp { last: 5000 }, &what);
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
                    let port = Port::new(transport, Verb::Bcast, site());
                    broadcast.run(&port, ViewMut::of(&mut vec![0_u8; bytes]), size - 1, 16)
                });
                let what = format!("{} of {bytes} bytes, P = {size}", broadcast.name);
                for machine in [rugged(), rugged_with_cards(1)] {
                    agree(size, &program, &machine, &Entry::Random { last: 3000, seed: bytes as u64 }, &what);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 600, "{compared} comparisons");
}

/// One operation of a random program.
#[derive(Clone, Copy)]
enum Planned {
    Send { to: usize, tag: i32, bytes: usize, synchronous: bool },
    Recv { from: usize, tag: i32, bytes: usize },
}

impl Planned {
    fn op<'a>(&self, room: &'a mut Vec<u8>) -> Op<'a> {
        match *self {
            Self::Send { to, tag, bytes, synchronous } => {
                room.resize(bytes, 0);
                Op::Send { to, label: Label::internal(tag), data: View::of(room), synchronous }
            }
            Self::Recv { from, tag, bytes } => {
                room.resize(bytes, 0);
                let (from, label) = (Source::Rank(from), Label::internal(tag).into());
                Op::Recv { from, label, data: ViewMut::of(room), status: None }
            }
        }
    }
}

/// Everybody exchanges with random partners, several messages of random sizes a round, some synchronous.
fn random_program(size: usize, rounds: usize, seed: u64) -> Program {
    let mut random = Rand32::new(seed);
    let mut plan = vec![vec![vec![]; size]; rounds];
    for round in &mut plan {
        for _ in 0..2 * size {
            let mut below = |limit: usize| random.rand_range(0..limit as u32) as usize;
            let (from, to, tag, bytes) = (below(size), below(size), below(3) as i32, below(100));
            let synchronous = below(4) == 0;
            round[from].push(Planned::Send { to, tag, bytes, synchronous });
            round[to].push(Planned::Recv { from, tag, bytes: 100 });
        }
    }
    Arc::new(move |transport| {
        plan.iter().try_for_each(|round| {
            let mine = &round[transport.rank()];
            let mut rooms = vec![vec![]; mine.len()];
            let mut ops: Vec<_> = mine.iter().zip(&mut rooms).map(|(one, room)| one.op(room)).collect();
            transport.round(&mut ops, site())
        })
    })
}

#[test]
fn random_programs_do_too() {
    for seed in 0..300 {
        let size = 2 + seed as usize % 9;
        let (program, skew) = (random_program(size, 4, seed), Entry::Random { last: 2000, seed });
        for machine in [rugged(), rugged_with_cards(1), rugged_with_cards(3)] {
            agree(size, &program, &machine, &skew, &format!("seed {seed}, {:?}", machine.cards));
        }
    }
}

/// Rank 0 sends two messages that have to ask; rank 1 comes late and posts their receives in the other order, at once.
#[test]
fn payloads_that_are_asked_for_at_once_go_in_the_order_of_sending() {
    let program: Program = Arc::new(|transport| {
        let (mut one, mut other) = (vec![], vec![]);
        let planned = match transport.rank() {
            0 => [(1, 50), (2, 5000)].map(|(tag, bytes)| Planned::Send {
                to: 1,
                tag,
                bytes,
                synchronous: false,
            }),
            _ => [(2, 5000), (1, 50)].map(|(tag, bytes)| Planned::Recv { from: 0, tag, bytes }),
        };
        transport.round(&mut [planned[0].op(&mut one), planned[1].op(&mut other)], site())
    });
    let machine = Machine { cores_per_group: 1, groups_per_node: 1, ..rugged() };
    agree(2, &program, &machine, &Entry::OneLate { rank: 1, by: 50_000 }, "receives in the other order");
}

fn recorded(name: &str, setting: &Setting) -> Recording {
    record(setting.size, &barrier(name, setting).expect("a pattern"))
}

fn cost(name: &str, machine: &Machine, size: usize) -> u64 {
    let recording = recorded(name, &setting(machine, size));
    Run::new(&recording, machine, &Entry::Together, Noise::none()).episode().expect("it ends").cost()
}

#[test]
fn closed_forms_hold() {
    let (latency, overhead, gap) = (1000, 100, 250);
    for size in [1_usize, 2, 3, 4, 6, 8, 15, 16, 17, 64, 100, 1000] {
        let rounds = size.next_power_of_two().trailing_zeros() as u64;
        let free = flat(link(latency, overhead, 0));
        assert_eq!(cost("dissemination", &free, size), rounds * (2 * overhead + latency), "P = {size}");
        if size.is_power_of_two() {
            let wanted = rounds * (2 * overhead + latency);
            assert_eq!(cost("recursive_doubling", &free, size), wanted, "P = {size}");
        }
        if size > 1 {
            let p = size as u64;
            // L + 2 o to the root, which receives the others in o each; then sends go max(o, g) apart.
            let wanted = 2 * latency + 4 * overhead + (p - 2) * (overhead + overhead.max(gap));
            assert_eq!(cost("linear", &flat(link(latency, overhead, gap)), size), wanted, "P = {size}");
            let lap = p * (latency + 2 * overhead);
            // The very last send is synchronous: over L after its message has come, which then is still to be received.
            let wanted = 2 * lap - overhead + latency;
            assert_eq!(cost("double_ring", &free, size), wanted, "P = {size}");
        }
    }
}

#[test]
fn episodes_follow_each_other_and_keep_their_pace() {
    let machine = flat(link(1000, 100, 0));
    let recording = recorded("dissemination", &Setting::of(16));
    let mut run = Run::new(&recording, &machine, &Entry::OneLate { rank: 3, by: 5000 }, Noise::none());
    let exits: Vec<u64> = (0..4).map(|_| run.episode().expect("it ends").last_exit()).collect();
    assert_eq!(exits, [9800, 14_600, 19_400, 24_200]);
}

#[test]
fn a_port_that_is_busy_at_the_end_of_an_episode_is_busy_in_the_next() {
    let machine = flat(link(1000, 100, 10_000));
    let recording = recorded("dissemination", &Setting::of(2));
    let mut run = Run::new(&recording, &machine, &Entry::Together, Noise::none());
    let exits: Vec<u64> = (0..3).map(|_| run.episode().expect("it ends").last_exit()).collect();
    assert_eq!(exits, [1200, 11_200, 21_200]);
}

#[test]
fn the_critical_path_of_a_late_rank_begins_there() {
    let machine = flat(link(1000, 100, 0));
    let recording = recorded("dissemination", &Setting::of(8));
    let mut run = Run::new(&recording, &machine, &Entry::OneLate { rank: 5, by: 9000 }, Noise::none());
    let outcome = run.episode().expect("it ends");
    let path = run.critical_path(&outcome.exits);
    assert_eq!(path.legs.first(), Some(&Leg::Enters { rank: 5, at: 9000 }));
    // All but one bit of the way there may be waited for; rank 5's own last round is as late as anybody's.
    assert!(path.hops() >= 1, "{path:?}");
    assert_eq!(outcome.cost(), 3 * 1200);
}

#[test]
fn noise_is_waited_for_by_everybody_and_repeats_by_its_seed() {
    let machine = flat(link(1000, 100, 0));
    let settings = NoiseSettings { every_ns: 20_000, detour_ns: 3000 };
    let last = |size, seed| {
        let recording = recorded("dissemination", &Setting::of(size));
        let mut run = Run::new(&recording, &machine, &Entry::Together, Noise::of(&settings, size, seed));
        (0..20).map(|_| run.episode().expect("it ends").last_exit()).max()
    };
    assert_eq!(last(64, 1), last(64, 1));
    assert_ne!(last(64, 1), last(64, 2));
    // Relative to silence, detours cost 1024 ranks more than 2.
    let slower = |size: usize| {
        let rounds = size.trailing_zeros() as f64;
        last(size, 1).expect("20 episodes") as f64 / (20.0 * rounds * 1200.0)
    };
    assert!(slower(1024) > slower(2) && slower(2) > 1.0, "{} {}", slower(1024), slower(2));
}

fn one_send(size: usize, to: usize, bytes: usize) -> Recording {
    let data = vec![0_u8; bytes];
    let send = |transport: &dyn Transport| match transport.rank() {
        0 => {
            let (label, data) = (Label::internal(1), View::of(&data));
            transport.round(&mut [Op::Send { to, label, data, synchronous: false }], site())
        }
        _ => {
            let (label, mut room) = (Label::internal(1), [0_u8; 4]);
            let data = ViewMut::of(&mut room[..]);
            let recv = Op::Recv { from: Source::Rank(0), label: label.into(), data, status: None };
            transport.round(&mut [recv], site())
        }
    };
    Recording::of(size, send).expect("it can be written down")
}

#[test]
fn what_never_ends_is_told() {
    let machine = flat(link(1, 1, 1));
    let fault = |recording: &Recording| {
        Run::new(recording, &machine, &Entry::Together, Noise::none()).episode().expect_err("a fault")
    };
    let label = Label::internal(1);
    assert_eq!(fault(&one_send(1, 0, 0)), Fault::Stray { from: 0, to: 0, label });
    assert_eq!(fault(&one_send(3, 1, 0)), Fault::Stuck { ranks: 1, rank: 2, peer: 0, label });
    assert_eq!(fault(&one_send(2, 1, 9)), Fault::Truncated { from: 0, to: 1, bytes: 9, room: 4 });
}

#[test]
fn what_depends_on_time_is_refused() {
    let refused = Recording::of(2, |transport| {
        transport.iprobe(Source::Any, Label::internal(0).into(), site()).map(drop)
    });
    let told = refused.expect_err("nobody knows").to_string();
    assert!(told.starts_with("a probe cannot be recorded without a run"), "{told}");
}

#[test]
fn machines_that_come_along_order_as_machines_do() {
    let cost = |name: &str| {
        let machine = library::find(name).expect("it comes along").machine(name, 64).expect("64 cores");
        cost("dissemination", &machine, 64)
    };
    assert!(cost("node-64") <= cost("cluster-ib") && cost("cluster-ib") < cost("cluster-ethernet"));
}
