//! Laws of Ascend's compositions: 1 to 4 PEs of 1 to 4 cores, back to back, and with each single core late.
use std::{
    sync::atomic::{AtomicBool, AtomicI64, Ordering::SeqCst},
    thread,
    time::Duration,
};

use wb_comm::{Barrier, Cells, Error, Memory, Result, Spacing, SpinPolicy, Until, cells::required_len};

use crate::barriers::{
    BarrierProgram, ErasedProgram, GroupConfig, MemoryOrdering, MemorySubset,
    adapters::MemoryBarrier,
    ascend::{CoreContext, NpuBarrier, ThreeLevels},
    catalogue::{self, program::core_sync_all::CoreSyncAll},
    compiled_plan::SignalEncoding,
    explore::{Configuration, explore},
};

const ROWS: [&str; 4] = ["three_level", "three_level_push", "three_level_group", "three_level_cross_host"];

fn group_config(pes: usize, cores: usize) -> GroupConfig {
    let size = pes * cores;
    GroupConfig { size, nodes: (0..size).map(|core| core / cores).collect(), radix: Some(3) }
}

type MakeProgram<'a> = &'a (dyn Fn() -> Box<dyn ErasedProgram> + Sync);

fn row<'a>(name: &'static str, config: &'a GroupConfig) -> impl Fn() -> Box<dyn ErasedProgram> + Sync + 'a {
    let entry = catalogue::find(name).expect("in the catalogue");
    move || entry.in_memory(0, config, SignalEncoding::Add).expect("a program").expect("sound")
}

/// Every core runs `body` with its barrier; sets the flag to end waits without success.
fn cores(
    make: MakeProgram<'_>,
    size: usize,
    stop: &AtomicBool,
    body: impl Fn(usize, &mut dyn Barrier) + Sync,
) {
    let first = make();
    let cells = first.cells(size);
    let atoms = (0..required_len(size, cells, Spacing::Packed)).map(|_| AtomicI64::new(first.initial()));
    let all: Vec<_> = atoms.collect();
    thread::scope(|scope| {
        for core in 0..size {
            let (all, body) = (&all, &body);
            scope.spawn(move || {
                let cells = Cells::new(all, core, size, cells, Spacing::Packed, SpinPolicy::SHARED_CORE);
                body(core, &mut MemoryBarrier::new(make(), cells.with_interrupt(stop)));
            });
        }
    });
}

/// How many of the others leave although core `late` has not entered.
fn early_exits(make: MakeProgram<'_>, size: usize, late: usize) -> i64 {
    let (left, early, stop) = (AtomicI64::new(0), AtomicI64::new(0), AtomicBool::new(false));
    cores(make, size, &stop, |core, barrier| {
        // One barrier before: a missing reset of a wrong one shows in the second.
        barrier.wait().expect("all come");
        if core == late {
            thread::sleep(Duration::from_millis(3));
            early.store(left.load(SeqCst), SeqCst);
        }
        barrier.wait().expect("all come");
        left.fetch_add(1, SeqCst);
    });
    early.load(SeqCst)
}

#[test]
fn nobody_leaves_before_all_cores_of_all_pes_have_entered() {
    for name in ROWS {
        for (pes, cores_each) in (1..=4).flat_map(|pes| (1..=4).map(move |cores| (pes, cores))) {
            let config = group_config(pes, cores_each);
            let (entered, size) = (AtomicI64::new(0), config.size);
            cores(&row(name, &config), size, &AtomicBool::new(false), |_, barrier| {
                for episode in 1..=500 {
                    entered.fetch_add(1, SeqCst);
                    barrier.wait().expect("nothing interrupts");
                    assert!(entered.load(SeqCst) >= episode * size as i64, "{name}: {pes} x {cores_each}");
                }
            });
        }
    }
}

#[test]
fn each_single_core_is_waited_for() {
    for name in ROWS {
        for (pes, cores) in [(1, 4), (2, 2), (3, 2), (4, 1), (2, 4), (6, 2)] {
            let config = group_config(pes, cores);
            for late in 0..config.size {
                let early = early_exits(&row(name, &config), config.size, late);
                assert_eq!(early, 0, "{name}: {pes} x {cores}, core {late} late");
            }
        }
    }
}

/// Wrong: groups of 3 whose two cores do not synchronise between the rounds, so each forwards only the arrivals that it
/// has received itself.
#[derive(Clone, Copy)]
struct GroupWithoutMeetings;

impl NpuBarrier for GroupWithoutMeetings {
    fn cells(&self, _pes: usize) -> usize {
        4
    }

    fn episode<L: CoreContext>(&self, core: &mut L, epoch: i64) -> Result<()> {
        let i = core.vector_core().expect("vector cores only") + 1;
        let mut m = core.pe_memory();
        for (round, distance) in [(0, 1), (1, 3)] {
            let (to, slot) = ((m.rank() + i * distance) % m.size(), 2 * round + i - 1);
            if i * distance < m.size() {
                m.put(to, slot, epoch)?;
                m.wait(slot, Until::AtLeast(epoch))?;
            }
        }
        Ok(())
    }
}

#[test]
fn canary_cores_that_do_not_meet_between_rounds_let_somebody_leave() {
    let config = group_config(6, 2);
    let make = || {
        Box::new(ThreeLevels::new(CoreSyncAll, GroupWithoutMeetings, &config.nodes)) as Box<dyn ErasedProgram>
    };
    let worst = (0..config.size).map(|late| early_exits(&make, config.size, late)).max();
    assert!(worst > Some(0), "PE r has heard of PE r - 5 by 2 + 3, which no core does alone");
}

#[test]
fn a_core_that_belongs_to_no_pe_is_told_so() {
    let atoms: Vec<_> = (0..64).map(|_| AtomicI64::new(0)).collect();
    let mut cells = Cells::new(&atoms, 2, 3, 8, Spacing::Packed, SpinPolicy::SHARED_CORE);
    let made_for_two = ThreeLevels::new(CoreSyncAll, GroupWithoutMeetings, &[0, 1]);
    let message = BarrierProgram::episode(&made_for_two, &mut cells, 1).expect_err("two cores, not three");
    assert_eq!(message, Error::Setup(wb_comm::text::barrier::made_for_others(2_usize, 3_usize)));
}

#[test]
fn every_order_of_cores_and_of_arrivals_is_safe() {
    for name in ROWS {
        let entry = catalogue::find(name).expect("in the catalogue");
        for (pes, cores) in [(1, 2), (1, 3), (2, 1), (3, 1), (2, 2)] {
            let configuration =
                Configuration::from_entry(entry, &group_config(pes, cores), SignalEncoding::Add, 2);
            let configuration = configuration.expect("a program").expect("sound");
            let found =
                explore(&configuration, MemoryOrdering::UNORDERED, 1_000_000).expect("no error of its own");
            assert!(found.is_safe(), "{name}: {pes} x {cores}: {found}");
        }
    }
}

/// Wrong: level 2 by a core that has not synchronised with the others of its PE.
#[derive(Clone, Copy)]
struct WithoutFirstMeeting;

impl BarrierProgram for WithoutFirstMeeting {
    fn cells(&self, _size: usize) -> usize {
        4
    }

    /// Cores 0 and 1 are PE 0, cores 2 and 3 PE 1; the first cores synchronise, then each PE's cores.
    fn episode<M: Memory>(&self, m: &mut M, epoch: i64) -> Result<()> {
        let (pe, first) = (m.rank() / 2, m.rank().is_multiple_of(2));
        if first {
            m.add(2 * (1 - pe), 0, 1)?;
            m.wait(0, Until::AtLeast(epoch))?;
        }
        CoreSyncAll.episode(&mut MemorySubset::new(m, &[[0, 1], [2, 3]][pe], usize::from(!first), 1), epoch)
    }
}

#[test]
fn canary_level_2_without_level_1_before_it_is_a_violation() {
    let programs = (0..4).map(|_| Box::new(WithoutFirstMeeting) as Box<dyn ErasedProgram>).collect();
    let found = explore(&Configuration::with_episodes(programs, 1), MemoryOrdering::IMMEDIATE, 100_000)
        .expect("no error of its own");
    assert_eq!(found.name(), "violation", "{found}");
}
