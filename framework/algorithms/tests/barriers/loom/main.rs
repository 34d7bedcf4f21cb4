//! Barriers on shared cells in every order of execution that the memory model allows (loom).
//!
//! The programs are the ones that run everywhere: [`Cells`] is generic over its atomic, and here the atomic is loom's.
//! Beside the barrier each rank has a plain cell, which it writes before an episode, and reads those of the others after;
//! that read may be stale in loom unless the barrier orders the two, and a wait that cannot end is reported too.
//!
//! Two ranks pass two or three episodes (so every parity of a sense and every reuse of a cell is met) and nothing is left out.
//! With three ranks the orders of polls without success alone would take hours: there all orders are varied up to the first poll
//! without success of any rank, and from there on one continuation is run. Loom's bound on preemptions does not help, since it
//! keeps a rank that waits on the core until the end.
pub(crate) mod atomic;
mod orderings;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::Ordering},
};

use atomic::{Atomic, FRUITLESS_POLLS};
use loom::{model::Builder, sync::atomic::AtomicI64, thread};
use wb_comm::{
    Cells, Spacing, SpinPolicy,
    cells::{Orderings, ReleaseAcquire, required_len},
};

use crate::barriers::{
    BarrierProgram, GroupConfig,
    catalogue::{
        self,
        program::{central_counter::CentralCounter, core_sync_all::CoreSyncAll},
    },
    compiled_plan::{CompiledPlan, SignalEncoding},
};

/// `size` ranks pass `episodes` of a barrier; each writes the episode's number, relaxed, before it and reads every rank's
/// after it. Cells of even and odd episodes differ, so what is read must be exact.
fn pass<P: BarrierProgram + 'static, O: Orderings>(programs: &Arc<Vec<P>>, episodes: i64) {
    let size = programs.len();
    let cells = programs.iter().map(|program| program.cells(size)).max().unwrap_or_default();
    let atom = |_| Atomic::<O>::new(programs[0].initial());
    let atoms: Arc<Vec<_>> = Arc::new((0..required_len(size, cells, Spacing::Packed)).map(atom).collect());
    let data: Arc<Vec<_>> = Arc::new((0..2 * size).map(|_| AtomicI64::new(0)).collect());
    let part = |rank: usize| {
        let (programs, atoms, data) = (Arc::clone(programs), Arc::clone(&atoms), Arc::clone(&data));
        move || {
            let spin_policy = SpinPolicy { spins_before_yield: 0 };
            let mut memory = Cells::new(&atoms, rank, size, cells, Spacing::Packed, spin_policy);
            for episode in 1..=episodes {
                let data = &data[episode as usize % 2 * size..][..size];
                data[rank].store(episode, Ordering::Relaxed);
                programs[rank].episode(&mut memory, episode).expect("nothing interrupts");
                for (other, cell) in data.iter().enumerate().filter(|(other, _)| *other != rank) {
                    let value = cell.load(Ordering::Relaxed);
                    assert_eq!(value, episode, "rank {rank} reads what rank {other} wrote");
                }
            }
        }
    };
    let others: Vec<_> = (1..size).map(|rank| thread::spawn(part(rank))).collect();
    part(0)();
    others.into_iter().for_each(|other| other.join().expect("loom tells of panics itself"));
}

/// All executions, each varied up to the `fruitless_polls`th poll without success.
fn explore<P, O>(programs: Vec<P>, episodes: i64, fruitless_polls: usize)
where
    P: BarrierProgram + Send + Sync + 'static,
    O: Orderings,
{
    let mut builder = Builder::new();
    builder.max_branches = 20_000;
    let programs = Arc::new(programs);
    builder.check(move || {
        FRUITLESS_POLLS.set(fruitless_polls);
        pass::<P, O>(&programs, episodes);
    });
}

/// A pattern of the catalogue as flags in memory.
fn flags(name: &str, size: usize, encoding: SignalEncoding) -> Vec<CompiledPlan> {
    let plans =
        catalogue::find(name).and_then(|entry| entry.plans(&GroupConfig::new(size)).expect("a pattern"));
    let plans = plans.expect("defined for two and three");
    (0..size).map(|rank| CompiledPlan::from_plans(rank, &plans, encoding).expect("all is heard")).collect()
}

#[test]
fn two_ranks_with_flags() {
    for encoding in SignalEncoding::ALL {
        explore::<_, ReleaseAcquire>(flags("dissemination", 2, encoding), 2, usize::MAX);
    }
}

#[test]
fn two_ranks_that_count() {
    explore::<_, ReleaseAcquire>(vec![CentralCounter; 2], 2, usize::MAX);
    explore::<_, ReleaseAcquire>(vec![CoreSyncAll; 2], 3, usize::MAX);
}

#[test]
fn three_ranks_with_flags() {
    explore::<_, ReleaseAcquire>(flags("dissemination", 3, SignalEncoding::Put), 1, 1);
}

#[test]
fn three_ranks_that_count() {
    explore::<_, ReleaseAcquire>(vec![CentralCounter; 3], 1, 1);
    explore::<_, ReleaseAcquire>(vec![CoreSyncAll; 3], 2, 1);
}

/// The result of the exploration of wrong cells.
fn refused(explore: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(explore)).expect_err("loom must find the fault");
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

#[test]
fn canary_relaxed_cells_let_old_values_through() {
    let message = refused(|| {
        explore::<_, orderings::Relaxed>(flags("dissemination", 2, SignalEncoding::Put), 1, usize::MAX);
    });
    assert!(message.contains("reads what rank"), "{message}");
    let message = refused(|| explore::<_, orderings::Relaxed>(vec![CentralCounter; 2], 1, usize::MAX));
    assert!(message.contains("reads what rank"), "{message}");
}

/// The sense is changed before the count is reset: a fast rank's next arrival is lost.
struct SenseFirst;

impl BarrierProgram for SenseFirst {
    fn cells(&self, _: usize) -> usize {
        2
    }
    fn episode<M: wb_comm::Memory>(&self, m: &mut M, epoch: i64) -> wb_comm::Result<()> {
        if m.fetch_add(0, 0, 1)? < m.size() as i64 - 1 {
            return m.poll(0, 1, wb_comm::Until::Equal(epoch % 2));
        }
        m.put(0, 1, epoch % 2)?;
        m.put(0, 0, 0)
    }
}

#[test]
fn canary_a_count_that_is_reset_too_late_is_found() {
    assert_ne!(refused(|| explore::<_, ReleaseAcquire>(vec![SenseFirst, SenseFirst], 2, usize::MAX)), "");
}
