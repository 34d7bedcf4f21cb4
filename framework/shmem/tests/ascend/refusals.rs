//! Invalid calls on the machine: each results in a clear error, and no core waits for ever.
use std::{sync::atomic::AtomicBool, time::Duration};

use crate::ascend::{AscendMachine, CoreBarrier, CoreSet, Error, Npu, NpuBarrierKind, on_threads};

const LIMIT: Duration = Duration::from_secs(30);

fn error_text<R: std::fmt::Debug + Send>(
    machine: &AscendMachine,
    host: impl Fn(&Npu<'_>) -> Result<R, Error> + Sync,
) -> String {
    on_threads(machine, LIMIT, host).expect_err("refused").to_string()
}

#[test]
fn machines_without_cores_are_refused() {
    let run = |machine: AscendMachine| error_text(&machine, |_| Ok(()));
    let text = "a machine needs at least 1 PE with at least 1 vector core, not ";
    assert_eq!(run(AscendMachine::new(0, 1)), format!("{text}0 with 1"));
    assert_eq!(run(AscendMachine { cube: 3, ..AscendMachine::new(2, 0) }), format!("{text}2 with 0"));
    for radix in [0, 1] {
        let npu_barrier = NpuBarrierKind::Group(radix);
        assert!(
            run(AscendMachine { npu_barrier, ..AscendMachine::new(2, 1) })
                .contains("is not allowed: at least 2")
        );
    }
    let npu_barrier = NpuBarrierKind::Sys(vec![0]);
    assert_eq!(
        run(AscendMachine { npu_barrier, ..AscendMachine::new(2, 1) }),
        "1 hosts are named for 2 PEs: one for each"
    );
    let stop = AtomicBool::new(false);
    let refused =
        |pe, cells| Npu::new(AscendMachine::new(2, 1), pe, cells, &stop).map(drop).expect_err("refused");
    assert_eq!(refused(2, &[]), Error::Pe { pe: 2, pes: 2 });
    assert!(matches!(refused(1, &[]), Error::Memory { got: 0, .. }));
}

#[test]
fn a_core_outside_the_set_is_told_so_and_the_others_do_not_wait_for_ever() {
    let machine = AscendMachine { cube: 1, ..AscendMachine::new(1, 2) };
    for call in 0..3 {
        let text = error_text(&machine, |npu| {
            let world = npu.world()?;
            npu.run(|core| match call {
                0 => core.sync_all(CoreSet::Vector),
                1 => core.core_barrier(CoreSet::Vector),
                _ => core.barrier(&world, CoreSet::Vector),
            })
        });
        assert_eq!(text, "core 2 of PE 0 is a cube core: it must not call a barrier of the vector cores");
    }
}

#[test]
fn sync_all_and_the_software_barrier_do_not_mix_on_one_state() {
    let mixed = error_text(&AscendMachine::new(1, 2), |npu| {
        npu.run(|core| core.sync_all(CoreSet::All).and_then(|()| core.core_barrier(CoreSet::All)))
    });
    assert_eq!(
        mixed,
        "the software barrier on the state of all cores, which SyncAll uses: the two must not be mixed"
    );
    // At the same time: one of the two gets the error, neither waits for ever.
    let mixed = error_text(&AscendMachine::new(1, 2), |npu| {
        npu.run(
            |core| if core.id() == 0 { core.sync_all(CoreSet::All) } else { core.core_barrier(CoreSet::All) },
        )
    });
    assert!(mixed.ends_with("the two must not be mixed"), "{mixed}");
    let machine = AscendMachine { core_barrier: CoreBarrier::Software, ..AscendMachine::new(2, 2) };
    let mixed = error_text(&machine, |npu| {
        let world = npu.world()?;
        npu.run(|core| core.barrier(&world, CoreSet::All).and_then(|()| core.sync_all(CoreSet::All)))
    });
    assert!(mixed.starts_with("SyncAll on the state of all cores"), "{mixed}");
    // The two sets have states of their own.
    let done = on_threads(&AscendMachine::new(1, 2), LIMIT, |npu| {
        npu.run(|core| core.sync_all(CoreSet::Vector).and_then(|()| core.core_barrier(CoreSet::All)))
    });
    assert!(done.is_ok(), "{done:?}");
}

#[test]
fn teams_that_do_not_fit_are_refused_on_every_pe() {
    for (start, stride, size) in
        [(0, 0, 2), (0, -1, 2), (0, 1, 0), (0, 1, -1), (2, 1, 2), (0, 2, 3), (-1, 1, 1)]
    {
        let refused = on_threads(&AscendMachine::new(3, 1), LIMIT, |npu| {
            Ok(npu.team_split_strided(start, stride, size).expect_err("refused"))
        });
        let refused = refused.expect("everybody is told");
        assert!(refused.iter().all(|error| matches!(error, Error::Team(_))), "{refused:?}");
    }
    let refused = on_threads(&AscendMachine::new(3, 1), LIMIT, |npu| {
        let size = if npu.pe() == 1 { 3 } else { 2 };
        Ok(npu.team_split_strided(0, 1, size).expect_err("refused").to_string())
    });
    let first = "the PEs split a team differently: PE 1 asks for (start 0, stride 1, size 3), \
                 PE 0 for (start 0, stride 1, size 2)";
    assert_eq!(refused.expect("everybody is told")[0], first);
}

#[test]
fn members_only_and_only_until_the_team_is_destroyed() {
    let machine = AscendMachine::new(3, 1);
    let outside = error_text(&machine, |npu| {
        let team = npu.team_split_strided(0, 1, 2)?;
        npu.run(|core| core.barrier(&team, CoreSet::All))
    });
    assert_eq!(outside, "PE 2 is not a member of the team (start 0, stride 1, size 2)");
    let destroyed = on_threads(&machine, LIMIT, |npu| {
        let first = npu.team_split_strided(0, 1, 3)?;
        npu.team_destroy(&first)?;
        let second = npu.team_split_strided(0, 1, 3)?;
        let again = npu.team_destroy(&first).expect_err("the slot is the second team's now");
        let used = npu.run(|core| core.barrier(&first, CoreSet::All)).expect_err("destroyed");
        assert_eq!(again, used);
        let world = npu.team_destroy(&npu.world()?).expect_err("lives for ever").to_string();
        assert_eq!(world, "the world team cannot be destroyed");
        drop(second);
        Ok(again.to_string())
    });
    assert_eq!(destroyed.expect("told")[2], "the team (start 0, stride 1, size 3) has been destroyed");
}

#[test]
fn slots_come_to_an_end() {
    let text = error_text(&AscendMachine::new(2, 1), |npu| {
        (0..64).try_for_each(|_| npu.team_split_strided(0, 1, 2).map(drop))
    });
    assert_eq!(text, "no team slot is free at all members: at most 64 teams exist at a time; destroy some");
}

#[test]
fn a_kernel_that_panics_or_never_comes_ends_in_an_error() {
    let machine = AscendMachine::new(2, 2);
    let panicked = error_text(&machine, |npu| {
        let world = npu.world()?;
        npu.run(|core| match (core.pe(), core.id()) {
            (1, 0) => panic!("on purpose"),
            _ => core.barrier(&world, CoreSet::All),
        })
    });
    assert_eq!(panicked, "core 0 of PE 1 panicked");
    let in_stream = error_text(&machine, |npu| {
        let world = npu.world()?;
        npu.with_stream(|stream| {
            stream.launch(|core| if core.id() == 1 { panic!("on purpose") } else { Ok(()) });
            stream.barrier(&world, CoreSet::All)
        })
    });
    assert!(in_stream.starts_with("core 1 of PE "), "{in_stream}");
    let absent = on_threads(&machine, Duration::from_millis(50), |npu| {
        let world = npu.world()?;
        npu.run(|core| if core.id() == 1 { Ok(()) } else { core.barrier(&world, CoreSet::All) })
    });
    let absent = absent.expect_err("core 1 does not come");
    assert!(matches!(absent, Error::Limit { limit_ms: 50, .. }), "{absent}");
}
