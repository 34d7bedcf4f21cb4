//! Every barrier of the catalogue holds on shared memory.
use std::{
    sync::atomic::{AtomicI64, Ordering::SeqCst},
    thread,
};

use wb_comm::{
    Barrier, CallSite, Cells, Error, MessageTag, Op, SendMode, Source, Spacing, SpinPolicy, SplitBarrier,
    Verb, View, ViewMut, cells::required_len,
};

use crate::barriers::{
    BarrierEntry, GroupConfig, Implementation, Plan, PlanStep,
    adapters::{MemoryBarrier, MessageBarrier},
    catalogue,
    compiled_plan::SignalEncoding,
};

fn holds_on_cells(entry: &BarrierEntry, size: usize, encoding: SignalEncoding, spacing: Spacing) {
    let config = GroupConfig::new(size);
    let program = |rank| entry.in_memory(rank, &config, encoding);
    let Some(Ok(first)) = program(0) else { return };
    let cells = first.cells(size);
    let all: Vec<_> =
        (0..required_len(size, cells, spacing)).map(|_| AtomicI64::new(first.initial())).collect();
    let entered = AtomicI64::new(0);
    thread::scope(|scope| {
        for rank in 0..size {
            let (all, entered, program) =
                (&all, &entered, program(rank).expect("as before").expect("as before"));
            scope.spawn(move || {
                let cells =
                    Cells::new(all, rank, size, cells, spacing, SpinPolicy::for_participants(size, 2));
                let mut barrier = MemoryBarrier::new(program, cells);
                for episode in 1..=50 {
                    entered.fetch_add(1, SeqCst);
                    barrier.wait().expect("nothing interrupts");
                    assert!(entered.load(SeqCst) >= episode * size as i64, "{}, P = {size}", entry.name);
                    barrier.wait().expect("nothing interrupts");
                }
            });
        }
    });
}

#[test]
fn every_barrier_holds_on_shared_memory() {
    for entry in catalogue::all() {
        for size in [1, 2, 3, 5, 8] {
            // Programs are what they are; patterns have three encodings.
            let encodings = if matches!(entry.implementation, Implementation::Pattern(_)) {
                &SignalEncoding::ALL[..]
            } else {
                &[SignalEncoding::Add]
            };
            for &encoding in encodings {
                Spacing::ALL.into_iter().for_each(|spacing| holds_on_cells(entry, size, encoding, spacing));
            }
        }
    }
}

/// A part whose last signal is synchronous is over only when the peer waits for it: in two phases, too.
#[test]
fn a_split_barrier_sends_its_synchronous_signals_synchronously() {
    for synchronous in [false, true] {
        let outcome = wb_local::threads::run(2, move |transport| {
            let (rank, site) = (transport.rank(), CallSite::caller(Verb::Barrier));
            let steps = match rank {
                0 => vec![PlanStep::Signal { to: 1, slot: 0, synchronous }],
                _ => vec![PlanStep::Wait { from: 0, slot: 0 }],
            };
            let mut barrier = MessageBarrier::new(&Plan { rank, size: 2, steps }, &*transport, site);
            let (nothing, mut room, tag) = ([0u8; 0], [0u8; 0], MessageTag::user(0));
            if rank == 1 {
                // The other rank has looked before this one takes part.
                let (from, data) = (Source::Rank(0), ViewMut::from_slice(&mut room));
                transport
                    .post_and_wait(&mut [Op::Recv { from, tag: tag.into(), data, status: None }], site)?;
                return barrier.wait().map(|()| true);
            }
            barrier.arrive()?;
            let is_over = barrier.poll()?;
            let data = View::from_slice(&nothing);
            transport.post_and_wait(&mut [Op::Send { to: 1, tag, data, mode: SendMode::Standard }], site)?;
            while !barrier.poll()? {}
            Ok::<_, Error>(is_over)
        });
        let is_over = outcome.into_iter().next().expect("two ranks").expect("nothing fails");
        assert_eq!(is_over, !synchronous);
    }
}
