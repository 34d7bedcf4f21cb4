//! The SHMEM layer and Ascend's machine on real processes: the same programs that run on threads.
use std::sync::atomic::AtomicBool;

use wb_comm::{CallSite, Datatype, Transport, Until, Verb, WindowKind};
use wb_shmem::{
    Error, Result, Shmem, SignalOp, Symmetric, Team,
    ascend::{AscendMachine, CoreBarrier, CoreSet, Npu, NpuBarrierKind},
};

/// Data, atomics, signals and the heap.
pub(crate) fn access(world: &dyn Transport) {
    let shmem = Shmem::init(world).expect("windows");
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    accesses(&shmem).unwrap_or_else(|error| panic!("PE {me} of {n}: {error}"));
    shmem.finalize().expect("everybody");
}

fn accesses(shmem: &Shmem) -> Result<()> {
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let (right, left) = ((me + 1) % n, (me + n - 1) % n);
    let (reals, counters, signals) =
        (shmem.malloc::<f32>(2 * n)?, shmem.malloc::<u64>(3)?, shmem.malloc::<i64>(2)?);
    for turn in 0..5u8 {
        let mine = [f32::from(turn), me as f32];
        (0..n).try_for_each(|pe| shmem.put(reals, 2 * me, &mine, pe))?;
        shmem.barrier_all()?;
        let all: Vec<_> = (0..n).flat_map(|pe| [f32::from(turn), pe as f32]).collect();
        assert_eq!(shmem.local(reals)?, all);
        assert_eq!(shmem.g(reals, 2 * left + 1, right)?, left as f32);
        shmem.atomic_add(counters, 0, 1, right)?;
        shmem.atomic_fetch_add(counters, 1, 1 + u64::from(turn), 0)?;
        shmem.barrier_all()?;
    }
    assert_eq!(shmem.atomic_fetch(counters, 0, me)?, 5);
    assert_eq!(shmem.atomic_fetch(counters, 1, 0)?, 15 * n as u64);
    shmem.barrier_all()?;
    let first = shmem.atomic_compare_swap(counters, 2, 0, 1, 0)? == 0;
    shmem.atomic_add(counters, 0, u64::from(first), 0)?;
    shmem.barrier_all()?;
    assert_eq!(shmem.atomic_fetch(counters, 0, 0)?, 6, "one PE was first");
    for turn in 1..=20 {
        shmem.put_signal((reals, 0), &[turn as f32, me as f32], (signals, 0), SignalOp::Add(1), right)?;
        shmem.wait_until(signals, 0, Until::AtLeast(turn))?;
        assert_eq!(shmem.local(reals)?[..2], [turn as f32, left as f32]);
        shmem.put_signal((reals, 0), &[], (signals, 1), SignalOp::Set(turn), left)?;
        while !shmem.test(signals, 1, Until::Equal(turn))? {}
    }
    let differ = shmem.malloc::<i8>(if me == n - 1 { 2 } else { 1 });
    assert_eq!(matches!(differ, Err(Error::Asymmetric { .. })), n > 1, "{differ:?}");
    assert!(matches!(shmem.p(reals, 2 * n, 0.0, 0), Err(Error::Bounds { .. })));
    assert!(matches!(shmem.p(reals, 0, 0.0, n), Err(Error::Pe { .. })));
    shmem.free(counters)?;
    assert!(matches!(shmem.free(counters), Err(Error::NotAllocated { .. })));
    Ok(())
}

/// Overlapping teams, reused slots, several algorithms, partial barriers.
pub(crate) fn teams(world: &dyn Transport) {
    let shmem = Shmem::init(world).expect("windows");
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    overlapping(&shmem, world).unwrap_or_else(|error| panic!("PE {me} of {n}: {error}"));
    shmem.finalize().expect("everybody");
}

const NAMES: [&str; 5] = ["dissemination", "central_counter", "linear", "npu_pull", "three_level"];

fn overlapping(shmem: &Shmem, clock: &dyn Transport) -> Result<()> {
    let (all, n) = (shmem.world(), shmem.n_pes() as i64);
    let stamps = shmem.malloc::<u64>(2)?;
    let held = |team: &Team, call: &mut dyn FnMut() -> Result<()>| {
        let entered = clock.now();
        call()?;
        shmem.write(stamps, 0, &[entered, clock.now()])?;
        everybody_in_before_anybody_out(shmem, stamps, team)
    };
    for turn in 0..2 {
        let shapes =
            [(0, 1, n), (0, 1, (n - 1).max(1)), (n.min(2) - 1, 1, (n - 1).max(1)), (0, 2, (n + 1) / 2)];
        let split = |(start, stride, size)| shmem.team_split_strided(&all, start, stride, size);
        let teams = shapes.into_iter().map(split).collect::<Result<Vec<_>>>()?;
        for team in teams.iter().filter(|team| team.my_pe().is_some()) {
            for name in NAMES {
                held(team, &mut || shmem.team_sync_by(team, name))?;
            }
            let list: Vec<_> = (0..team.n_pes()).rev().collect();
            held(team, &mut || shmem.partial_barrier(team, &list))?;
            held(team, &mut || shmem.partial_barrier_by_slots(team, &list))?;
        }
        for team in &teams {
            match team.my_pe() {
                Some(_) => shmem.team_destroy(team)?,
                None => assert!(matches!(shmem.team_sync(team), Err(Error::NotMember { .. })), "turn {turn}"),
            }
        }
    }
    assert!(matches!(shmem.team_split_strided(&all, 0, 0, 1), Err(Error::InvalidStride { stride: 0 })));
    Ok(())
}

/// The barrier law, checked with the clock that all processes of this machine share.
fn everybody_in_before_anybody_out(shmem: &Shmem, stamps: Symmetric<u64>, team: &Team) -> Result<()> {
    shmem.team_barrier(team)?;
    let (mut last_in, mut first_out) = (0, u64::MAX);
    for pe in team.members().pes() {
        let mut theirs = [0; 2];
        shmem.get(stamps, 0, &mut theirs, pe)?;
        last_in = last_in.max(theirs[0]);
        first_out = first_out.min(theirs[1]);
    }
    assert!(last_in <= first_out, "PE {}: {} in, {} out", shmem.my_pe(), last_in, first_out);
    shmem.team_barrier(team)
}

/// PEs are processes, cores are their threads: PEs share a window as memory, which cores access without MPI.
pub(crate) fn cores(world: &dyn Transport) {
    let site = CallSite::caller(Verb::WindowCreate);
    let nodes = world.nodes(site).expect("nodes");
    for npu_barrier in [
        NpuBarrierKind::Pull,
        NpuBarrierKind::Push,
        NpuBarrierKind::Group(2),
        NpuBarrierKind::CrossHost,
        NpuBarrierKind::Sys(nodes),
    ] {
        for core_barrier in [CoreBarrier::SyncAll, CoreBarrier::Software] {
            let npu_barrier = npu_barrier.clone();
            on_machine(
                world,
                &AscendMachine { core_barrier, npu_barrier, cube: 1, ..AscendMachine::new(world.size(), 2) },
            );
        }
    }
}

fn on_machine(world: &dyn Transport, machine: &AscendMachine) {
    let site = CallSite::caller(Verb::WindowCreate);
    let each = Npu::required(machine).div_ceil(machine.pes);
    let window = world.window(WindowKind::Shared, Datatype::I64, each, site).expect("one node");
    let zeros = vec![0i64; each];
    window.write(0, wb_comm::View::from_slice(&zeros)).expect("own part");
    window.fence(wb_comm::Assertion::default(), site).expect("all are zero");
    let stop = AtomicBool::new(false);
    let npu = Npu::new(machine.clone(), world.rank(), window.shared_words().expect("shared"), &stop)
        .expect("sound");
    let mut stamps = vec![];
    for set in CoreSet::ALL {
        stamps.extend(stamps_of(&npu, set).expect("all come"));
    }
    window.fence(wb_comm::Assertion::default(), site).expect("all have left");
    let mut all = vec![0u64; stamps.len() * machine.pes];
    let buffers = wb_comm::BorrowedBuffers::new(&stamps, &mut all);
    let library = world.native_collectives().expect("MPI has one");
    library.run(wb_comm::CollectiveKind::Allgather, buffers, site).expect("all ranks take part");
    for turn in 0..stamps.len() / 2 {
        let of = |which| all.chunks(stamps.len()).map(move |theirs| theirs[2 * turn + which]);
        let (last_in, first_out) = (of(0).max(), of(1).min());
        assert!(last_in <= first_out, "{machine:?}, turn {turn}: {last_in:?} in, {first_out:?} out");
    }
    window.free(site).expect("everybody");
}

/// For each of some barriers: the time when the last core of this PE entered, and when the first one left.
fn stamps_of(npu: &Npu<'_>, set: CoreSet) -> wb_shmem::ascend::Result<Vec<u64>> {
    const TURNS: usize = 5;
    let world = npu.world()?;
    let of_cores = npu.run(|core| {
        let mut stamps = vec![];
        for _ in 0..if set == CoreSet::All || core.is_vector() { TURNS } else { 0 } {
            let entered = now();
            core.barrier(&world, set)?;
            stamps.push((entered, now()));
        }
        Ok(stamps)
    })?;
    let of_turn = |turn: usize| of_cores.iter().filter_map(move |stamps| stamps.get(turn));
    let last_in = |turn| of_turn(turn).map(|stamp| stamp.0).max().expect("some core");
    let first_out = |turn| of_turn(turn).map(|stamp| stamp.1).min().expect("some core");
    Ok((0..TURNS).flat_map(|turn| [last_in(turn), first_out(turn)]).collect())
}

/// Nanoseconds of the clock that all processes of this machine share; threads may read it.
fn now() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    u64::try_from(now.tv_sec * 1_000_000_000 + now.tv_nsec).expect("after the machine's start")
}
