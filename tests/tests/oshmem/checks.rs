//! What every PE of a job keeps.
use std::{rc::Rc, thread, time::Duration};

use wb_algorithms::barriers::{
    GroupConfig,
    adapters::{MemoryBarrier, MessageBarrier},
    catalogue,
    compiled_plan::SignalEncoding,
};
use wb_comm::{Barrier, CallSite, Memory, Transport, Until, Verb};
use wb_shmem::oshmem::{
    ActiveSet, ActiveSetBarrier, BarrierAll, Error, ShmemLibrary, SymmetricMemory, SyncAll,
};
use wb_tests::barrier_laws::{LawEffort, LawRun, TeamWindowMemory, shmem::ShmemLibraryBarriers};
use wb_world::World;

/// A name, and what is run by all PEs.
pub(crate) type Check = (&'static str, fn(&'static ShmemLibrary, &Rc<dyn Transport>));

/// All of them, in this order.
pub(crate) const ALL: &[Check] = &[
    ("puts and gets", |shmem, _| puts_and_gets(shmem)),
    ("atomics", |shmem, _| atomics(shmem)),
    ("waits", |shmem, _| waits(shmem)),
    ("bad arguments", |shmem, _| bad_arguments(shmem)),
    ("shmem_barrier_all", |shmem, _| library_barrier(shmem, &mut BarrierAll(shmem))),
    ("shmem_sync_all", |shmem, _| library_barrier(shmem, &mut SyncAll(shmem))),
    ("the laws of barriers", laws),
    ("active sets", |shmem, _| active_sets(shmem)),
    ("every program of the catalogue", |shmem, _| every_program(shmem)),
    ("one job, three kinds", one_job_three_kinds),
];

fn law(shmem: &ShmemLibrary, barrier: &mut dyn Barrier, episodes: i64) {
    law_with_one_late(shmem, barrier, episodes, Duration::ZERO);
}

/// No PE leaves episode b before every PE has entered it; one PE after the other is `late`, the second one first.
fn law_with_one_late(shmem: &ShmemLibrary, barrier: &mut dyn Barrier, episodes: i64, late: Duration) {
    let entered = shmem.allocate(1, 0).expect("room");
    for episode in 1..=episodes {
        if episode as usize % shmem.size() == shmem.pe() {
            thread::sleep(late);
        }
        entered.store(0, episode).expect("an own cell");
        barrier.wait().expect("a barrier");
        for pe in 0..shmem.size() {
            let seen = entered.get(pe, 0).expect("a PE");
            assert!(seen >= episode, "PE {} left episode {episode} before PE {pe} entered", shmem.pe());
        }
    }
    shmem.barrier_all();
    entered.free();
}

/// What every barrier of the workbench is held to, the completion of puts among it.
fn laws(shmem: &'static ShmemLibrary, transport: &Rc<dyn Transport>) {
    let world = World::new(Rc::clone(transport));
    let team_memory = TeamWindowMemory::new(&world, 1 << 14).expect("a window");
    let [completing, synchronising] = ["shmem_barrier_all", "shmem_sync_all"]
        .map(|name| catalogue::find(name).expect("the catalogue has it"));
    for (entry, partner) in [(completing, synchronising), (synchronising, completing)] {
        let effort = LawEffort::between_processes(shmem.size(), wb_process::usable_cores());
        let barrier_provider = ShmemLibraryBarriers(shmem);
        let law_run = LawRun {
            world: &world,
            memory: &team_memory,
            provider: &barrier_provider,
            entry,
            partner,
            effort,
        };
        let kept = law_run.run().unwrap_or_else(|why| panic!("{why}"));
        assert!(kept.starts_with(&["stamps", "storm", "clean"]), "{kept:?}");
        assert_eq!(kept.contains(&"complete"), entry.guarantee.memory, "{}: {kept:?}", entry.name);
        team_memory.clear(&world).expect("a barrier");
    }
    team_memory.free().expect("no region is held");
}

fn library_barrier(shmem: &ShmemLibrary, barrier: &mut dyn Barrier) {
    law(shmem, barrier, 200);
    law_with_one_late(shmem, barrier, 20, Duration::from_millis(2));
}

pub(crate) fn a_barrier_that_does_not_wait(shmem: &ShmemLibrary) {
    struct Nothing;
    impl Barrier for Nothing {
        fn wait(&mut self) -> wb_comm::Result<()> {
            Ok(())
        }
    }
    law_with_one_late(shmem, &mut Nothing, 1, Duration::from_millis(300));
}

fn puts_and_gets(shmem: &ShmemLibrary) {
    let (me, size) = (shmem.pe(), shmem.size());
    let (next, before) = ((me + 1) % size, (me + size - 1) % size);
    let longs = shmem.allocate(8, -1).expect("room");
    longs.put(next, 0, 100 + me as i64).expect("a put");
    longs.put_all(next, 1, &[me as i64, 20, 30]).expect("a put");
    longs.put_all(next, 7, &[]).expect("nothing");
    shmem.barrier_all();
    let got: Vec<_> = (0..5).map(|cell| longs.load(cell).expect("an own cell")).collect();
    assert_eq!(got, [100 + before as i64, before as i64, 20, 30, -1]);
    assert_eq!(longs.get(next, 0), Ok(100 + me as i64));
    let mut three = [0; 3];
    longs.get_all(next, 1, &mut three).expect("a get");
    assert_eq!(three, [me as i64, 20, 30]);
    shmem.barrier_all();
    longs.free();
}

fn atomics(shmem: &ShmemLibrary) {
    const TIMES: i64 = 500;
    let (me, size) = (shmem.pe() as i64, shmem.size() as i64);
    let longs = shmem.allocate(4, 0).expect("room");
    let drawn: Vec<_> = (0..TIMES).map(|_| longs.fetch_add(0, 0, 1).expect("an atomic")).collect();
    assert!(drawn.is_sorted_by(|a, b| a < b), "tickets of PE {me}");
    (0..TIMES).for_each(|_| longs.add(0, 1, 2).expect("an atomic"));
    let first = longs.compare_swap(0, 2, 0, me + 1).expect("an atomic") == 0;
    let other = longs.swap(0, 3, me + 1).expect("an atomic");
    shmem.barrier_all();
    assert_eq!((longs.get(0, 0), longs.get(0, 1)), (Ok(TIMES * size), Ok(2 * TIMES * size)));
    assert_eq!(longs.get(0, 2).expect("a get") == me + 1, first, "one has won");
    assert_ne!(other, me + 1, "no PE swaps with itself");
    shmem.barrier_all();
    longs.free();
}

fn waits(shmem: &ShmemLibrary) {
    let (me, size) = (shmem.pe(), shmem.size());
    let next = (me + 1) % size;
    let mut memory = SymmetricMemory(shmem.allocate(4, 0).expect("room"));
    assert!(!memory.test(3, Until::AtLeast(1)).expect("a test"), "no PE sets it");
    let untils = [Until::Equal(5), Until::NotEqual(5), Until::AtLeast(8), Until::Either(3, 9)];
    for (until, value) in untils.into_iter().zip([5, 6, 8, 9]) {
        // The next one may not be over its last wait yet: each value stays until every PE has read it.
        memory.put(next, 0, value).expect("a put");
        memory.quiet().expect("quiet");
        memory.wait(0, until).expect("a wait");
        memory.poll(next, 0, until).expect("polled");
        assert!(memory.test(0, until).expect("a test") && !memory.test(0, Until::Equal(77)).expect("a test"));
        shmem.barrier_all();
    }
    memory.0.free();
}

fn bad_arguments(shmem: &ShmemLibrary) {
    let size = shmem.size();
    let longs = shmem.allocate(2, 0).expect("room");
    assert_eq!(longs.put(size, 0, 1), Err(Error::Pe { pe: size, size }));
    assert_eq!(longs.get(0, 2), Err(Error::Cell { cell: 2, cells: 2 }));
    assert_eq!(longs.put_all(0, 1, &[1, 2]), Err(Error::Cell { cell: 2, cells: 2 }));
    assert_eq!(longs.get_all(0, usize::MAX, &mut [0; 2]), Err(Error::Cell { cell: usize::MAX, cells: 2 }));
    assert!(matches!(ShmemLibrary::start(), Err(Error::Started)));
    assert!(ShmemLibrary::shared().is_ok_and(|shared| std::ptr::eq(shared, shmem)));
    assert!(matches!(shmem.allocate(usize::MAX, 0), Err(Error::Heap { .. })));
    assert!(matches!(shmem.allocate(1 << 50, 0), Err(Error::Heap { .. })));
    longs.free();
}

/// Two sets that share no PE: the even and the odd ones; with one PE the only one.
fn active_sets(shmem: &ShmemLibrary) {
    let (me, size) = (shmem.pe(), shmem.size());
    let set = ActiveSet { start: me % 2, log_stride: 1, size: (size + 1 - me % 2) / 2 };
    for completes in [true, false] {
        let mut barrier = ActiveSetBarrier::new(shmem, set, completes).expect("a set");
        let entered = shmem.allocate(1, 0).expect("room");
        for episode in 1..=50 {
            entered.store(0, episode).expect("an own cell");
            barrier.wait().expect("a barrier");
            for pe in (0..size).filter(|&pe| set.contains(pe)) {
                assert!(entered.get(pe, 0).expect("a get") >= episode, "PE {pe} has not entered {episode}");
            }
        }
        shmem.barrier_all();
    }
    let too_large = ActiveSet { start: 0, log_stride: 0, size: size + 1 };
    assert!(matches!(ActiveSetBarrier::new(shmem, too_large, true), Err(Error::ActiveSet { .. })));
}

/// Patterns as additions and as pulls, programs as they are; puts of single slots only where the order is promised.
fn every_program(shmem: &ShmemLibrary) {
    let (me, config) = (shmem.pe(), GroupConfig::new(shmem.size()));
    let mut ran = 0;
    for entry in catalogue::all() {
        for encoding in [SignalEncoding::Add, SignalEncoding::Pull] {
            // Not defined for this size, or no program: the same at all PEs.
            let Some(Ok(program)) = entry.in_memory(me, &config, encoding) else { continue };
            let mut memory =
                SymmetricMemory(shmem.allocate(program.cells(config.size), program.initial()).expect("room"));
            eprintln!("PE {me}: {} in style {}", entry.name, encoding.name());
            let erased: &mut dyn Memory = &mut memory;
            law(shmem, &mut MemoryBarrier::new(program, erased), 10);
            memory.0.free();
            ran += 1;
        }
    }
    assert!(ran >= 10, "only {ran} programs ran");
}

/// MPI's barrier, ours over MPI's messages, and OpenSHMEM's take turns in one process.
fn one_job_three_kinds(shmem: &ShmemLibrary, world: &Rc<dyn Transport>) {
    let site = CallSite::caller(Verb::Barrier);
    let dissemination = catalogue::find("dissemination").expect("the catalogue has it");
    let plans = dissemination.plans(&GroupConfig::new(shmem.size())).expect("a pattern").expect("defined");
    let mut ours = MessageBarrier::new(&plans[shmem.pe()], Rc::clone(world), site);
    struct AlternatingBarriers<'a>(&'a ShmemLibrary, &'a dyn Transport, &'a mut dyn Barrier, CallSite, usize);
    impl Barrier for AlternatingBarriers<'_> {
        fn wait(&mut self) -> wb_comm::Result<()> {
            self.4 += 1;
            match self.4 % 3 {
                0 => self.1.native_collectives().expect("MPI has collectives").barrier(self.3),
                1 => self.2.wait(),
                _ => BarrierAll(self.0).wait(),
            }
        }
    }
    law(shmem, &mut AlternatingBarriers(shmem, &**world, &mut ours, site, 0), 300);
}
