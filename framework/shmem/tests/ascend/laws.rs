//! Laws of the machine: whatever the barrier of each level, no core leaves a barrier before all its cores have entered.
use std::{
    sync::atomic::{AtomicBool, AtomicI64, Ordering::SeqCst},
    thread,
    time::Duration,
};

use wb_comm::Barrier;

use crate::ascend::{
    AscendMachine, Core, CoreBarrier, CoreSet, Npu, NpuBarrierKind, StreamBarrier, on_threads,
};

const LIMIT: Duration = Duration::from_secs(60);

fn levels(pes: usize) -> Vec<(CoreBarrier, NpuBarrierKind)> {
    let hosts = (0..pes).map(|pe| pe % 2).collect();
    let npu_barrier = [
        NpuBarrierKind::Pull,
        NpuBarrierKind::Push,
        NpuBarrierKind::Group(2),
        NpuBarrierKind::Group(3),
        NpuBarrierKind::GroupBySize,
        NpuBarrierKind::CrossHost,
        NpuBarrierKind::Sys(hosts),
    ];
    let kinds = [CoreBarrier::SyncAll, CoreBarrier::Software];
    kinds.into_iter().flat_map(|kind| npu_barrier.clone().map(|npu_barrier| (kind, npu_barrier))).collect()
}

fn machines() -> Vec<AscendMachine> {
    let shapes = [(1, 1, 0), (1, 4, 0), (2, 1, 0), (2, 2, 1), (3, 1, 2), (4, 4, 0), (4, 1, 3)];
    let each = shapes.into_iter().flat_map(|(pes, vector, cube)| {
        levels(pes).into_iter().map(move |(core_barrier, npu_barrier)| AscendMachine {
            pes,
            vector,
            cube,
            core_barrier,
            npu_barrier,
        })
    });
    each.collect()
}

#[test]
fn nobody_leaves_before_all_cores_of_all_pes_have_entered() {
    for machine in machines() {
        let (entered, size) = (AtomicI64::new(0), (machine.pes * machine.cores_per_pe()) as i64);
        let done = on_threads(&machine, LIMIT, |npu| {
            let world = npu.world()?;
            npu.run(|core| {
                for episode in 1..=100 {
                    entered.fetch_add(1, SeqCst);
                    core.barrier(&world, CoreSet::All)?;
                    assert!(entered.load(SeqCst) >= episode * size, "{machine:?}");
                }
                Ok(())
            })
        });
        assert!(done.is_ok(), "{machine:?}: {done:?}");
    }
}

/// How many of the others leave `call` although core `late` of PE `late_pe` has not entered.
fn early_exits(machine: &AscendMachine, late: (usize, usize), call: impl Fn(&mut Core<'_>) + Sync) -> i64 {
    let (left, early) = (AtomicI64::new(0), AtomicI64::new(0));
    let done = on_threads(machine, LIMIT, |npu| {
        npu.run(|core| {
            call(core);
            if (core.pe(), core.id()) == late {
                thread::sleep(Duration::from_millis(2));
                early.store(left.load(SeqCst), SeqCst);
            }
            call(core);
            left.fetch_add(1, SeqCst);
            Ok(())
        })
    });
    assert!(done.is_ok(), "{machine:?}: {done:?}");
    early.load(SeqCst)
}

#[test]
fn each_single_core_is_waited_for() {
    for machine in machines().into_iter().filter(|machine| machine.pes > 1 && machine.pes < 4) {
        for late in (0..machine.pes).flat_map(|pe| (0..machine.cores_per_pe()).map(move |core| (pe, core))) {
            let all = early_exits(&machine, late, |core| {
                let world = on_world(core);
                core.barrier(&world, CoreSet::All).expect("all come");
            });
            assert_eq!(all, 0, "{machine:?}, {late:?} late");
        }
    }
}

fn on_world(core: &Core<'_>) -> crate::ascend::NpuTeam {
    core.npu().world().expect("a sound machine")
}

#[test]
fn cube_cores_run_ahead_of_the_vector_cores_barrier() {
    let machine = AscendMachine { cube: 2, ..AscendMachine::new(2, 2) };
    let vector_only = |core: &mut Core<'_>| {
        let world = on_world(core);
        if core.is_vector() {
            core.barrier(&world, CoreSet::Vector).expect("all come");
        }
    };
    // Four cube cores pass the core that is late; no vector core does.
    assert!(early_exits(&machine, (0, 0), vector_only) <= 4);
    assert!((0..50).any(|_| early_exits(&machine, (1, 1), vector_only) > 0), "canary: nobody runs ahead");
    assert!((0..50).all(|_| early_exits(&machine, (1, 1), vector_only) <= 4));
}

#[test]
fn both_sets_alternate_on_states_of_their_own() {
    for kind in [CoreBarrier::SyncAll, CoreBarrier::Software] {
        let machine = AscendMachine { cube: 1, core_barrier: kind, ..AscendMachine::new(3, 2) };
        let (vector, all) = (AtomicI64::new(0), AtomicI64::new(0));
        let done = on_threads(&machine, LIMIT, |npu| {
            let world = npu.world()?;
            npu.run(|core| {
                for episode in 1..=100 {
                    if core.is_vector() {
                        vector.fetch_add(1, SeqCst);
                        core.barrier(&world, CoreSet::Vector)?;
                        assert!(vector.load(SeqCst) >= 6 * episode);
                        core.barrier(&world, CoreSet::Vector)?;
                    }
                    all.fetch_add(1, SeqCst);
                    core.barrier(&world, CoreSet::All)?;
                    assert!(all.load(SeqCst) >= 9 * episode);
                }
                Ok(())
            })
        });
        assert!(done.is_ok(), "{done:?}");
    }
}

#[test]
fn overlapping_teams_alternate_and_slots_are_used_again() {
    for (core_barrier, npu_barrier) in levels(3) {
        let machine = AscendMachine { core_barrier, npu_barrier, ..AscendMachine::new(3, 2) };
        let entered: Vec<_> = (0..3).map(|_| AtomicI64::new(0)).collect();
        let done = on_threads(&machine, LIMIT, |npu| {
            for turn in 1..=8 {
                let shapes = [(0, 1, 3), (0, 1, 2), (1, 1, 2)];
                let teams = shapes.map(|(start, stride, size)| npu.team_split_strided(start, stride, size));
                let teams: Vec<_> = teams.into_iter().collect::<Result<_, _>>()?;
                let mine = |team: &&crate::ascend::NpuTeam| team.members().contains(&npu.pe());
                npu.run(|core| {
                    for episode in 1..=20 {
                        for (team, entered) in teams.iter().zip(&entered).filter(|(team, _)| mine(team)) {
                            entered.fetch_add(1, SeqCst);
                            core.barrier(team, CoreSet::All)?;
                            let all = (20 * (turn - 1) + episode) * 2 * team.members().len() as i64;
                            assert!(entered.load(SeqCst) >= all, "{machine:?}: {team:?}");
                        }
                    }
                    Ok(())
                })?;
                teams.iter().filter(mine).try_for_each(|team| npu.team_destroy(team))?;
            }
            Ok(())
        });
        assert!(done.is_ok(), "{machine:?}: {done:?}");
    }
}

#[test]
fn a_stream_is_served_in_order_and_a_barrier_in_it_waits_for_all_pes() {
    for (core_barrier, npu_barrier) in levels(3) {
        let machine = AscendMachine { core_barrier, npu_barrier, ..AscendMachine::new(3, 2) };
        let (before, wrong) = (AtomicI64::new(0), AtomicBool::new(false));
        let done = on_threads(&machine, LIMIT, |npu| {
            let world = npu.world()?;
            npu.with_stream(|stream| {
                for episode in 1..=30 {
                    stream.launch(|_| {
                        before.fetch_add(1, SeqCst);
                        Ok(())
                    });
                    stream.barrier_on_stream(&world, CoreSet::All);
                    let (before, wrong) = (&before, &wrong);
                    stream.launch(move |_| {
                        wrong.fetch_or(before.load(SeqCst) < 6 * episode, SeqCst);
                        Ok(())
                    });
                }
                stream.synchronize()?;
                stream.barrier(&world, CoreSet::All)?;
                assert!(before.load(SeqCst) == 180, "a host that has waited knows that all kernels ran");
                Ok(())
            })
        });
        assert!(done.is_ok(), "{machine:?}: {done:?}");
        assert!(!wrong.load(SeqCst), "{machine:?}: a kernel ran before the barrier in front of it was over");
    }
}

#[test]
fn the_host_goes_on_before_the_barrier_in_its_stream_is_over() {
    let machine = AscendMachine::new(2, 1);
    let gone_on = AtomicBool::new(false);
    let done = on_threads(&machine, LIMIT, |npu| {
        let world = npu.world()?;
        npu.with_stream(|stream| {
            if npu.pe() == 1 {
                // PE 0's barrier cannot be over before this call.
                while !gone_on.load(SeqCst) {
                    thread::yield_now();
                }
            }
            stream.barrier_on_stream(&world, CoreSet::All);
            gone_on.fetch_or(npu.pe() == 0, SeqCst);
            stream.synchronize()
        })
    });
    assert!(done.is_ok(), "{done:?}");
}

#[test]
fn the_hosts_barrier_holds_with_cores_that_live_on() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let machine = AscendMachine::new(3, 2);
    let cells: Vec<_> = (0..Npu::required(&machine)).map(|_| AtomicI64::new(0)).collect();
    let (cells, entered): (&'static [AtomicI64], _) = (cells.leak(), AtomicI64::new(0));
    thread::scope(|scope| {
        for pe in 0..3 {
            let (machine, entered) = (machine.clone(), &entered);
            scope.spawn(move || {
                let npu = Npu::new(machine, pe, cells, &STOP).expect("a sound machine");
                let mut barrier = StreamBarrier::new(npu).expect("threads start");
                for episode in 1..=200 {
                    entered.fetch_add(1, SeqCst);
                    barrier.wait().expect("all come");
                    assert!(entered.load(SeqCst) >= 3 * episode);
                }
            });
        }
    });
}
