//! Bad calls on the machine: a clear error each, and nobody waits for ever.
use std::{sync::atomic::AtomicBool, time::Duration};

use wb_ascend::{Between, CoreBarrier, Error, Machine, Npu, Set, on_threads};

const LIMIT: Duration = Duration::from_secs(30);

fn told<R: std::fmt::Debug + Send>(
    machine: &Machine,
    host: impl Fn(&Npu<'_>) -> Result<R, Error> + Sync,
) -> String {
    on_threads(machine, LIMIT, host).expect_err("refused").to_string()
}

#[test]
fn machines_without_cores_are_refused() {
    let run = |machine: Machine| told(&machine, |_| Ok(()));
    let text = "a machine needs at least 1 PE with at least 1 vector core, not ";
    assert_eq!(run(Machine::of(0, 1)), format!("{text}0 with 1"));
    assert_eq!(run(Machine { cube: 3, ..Machine::of(2, 0) }), format!("{text}2 with 0"));
    for radix in [0, 1] {
        let between = Between::Group(radix);
        assert!(run(Machine { between, ..Machine::of(2, 1) }).contains("is not allowed: at least 2"));
    }
    let between = Between::Sys(vec![0]);
    assert_eq!(run(Machine { between, ..Machine::of(2, 1) }), "1 hosts are named for 2 PEs: one for each");
    let stop = AtomicBool::new(false);
    let refused = |pe, cells| Npu::new(Machine::of(2, 1), pe, cells, &stop).map(drop).expect_err("refused");
    assert_eq!(refused(2, &[]), Error::Pe { pe: 2, pes: 2 });
    assert!(matches!(refused(1, &[]), Error::Memory { got: 0, .. }));
}

#[test]
fn a_core_outside_the_set_is_told_so_and_the_others_do_not_wait_for_ever() {
    let machine = Machine { cube: 1, ..Machine::of(1, 2) };
    for call in 0..3 {
        let text = told(&machine, |npu| {
            let world = npu.world()?;
            npu.run(|core| match call {
                0 => core.sync_all(Set::Vector),
                1 => core.core_barrier(Set::Vector),
                _ => core.barrier(&world, Set::Vector),
            })
        });
        assert_eq!(text, "core 2 of PE 0 is a cube core: it must not call a barrier of the vector cores");
    }
}

#[test]
fn sync_all_and_the_software_barrier_do_not_mix_on_one_state() {
    let mixed = told(&Machine::of(1, 2), |npu| {
        npu.run(|core| core.sync_all(Set::All).and_then(|()| core.core_barrier(Set::All)))
    });
    assert_eq!(
        mixed,
        "the software barrier on the state of all cores, which SyncAll uses: the two must not be mixed"
    );
    // At the same time: one of the two is told, neither waits for ever.
    let mixed = told(&Machine::of(1, 2), |npu| {
        npu.run(|core| if core.id() == 0 { core.sync_all(Set::All) } else { core.core_barrier(Set::All) })
    });
    assert!(mixed.ends_with("the two must not be mixed"), "{mixed}");
    let machine = Machine { cores: CoreBarrier::Software, ..Machine::of(2, 2) };
    let mixed = told(&machine, |npu| {
        let world = npu.world()?;
        npu.run(|core| core.barrier(&world, Set::All).and_then(|()| core.sync_all(Set::All)))
    });
    assert!(mixed.starts_with("SyncAll on the state of all cores"), "{mixed}");
    // The two sets have states of their own.
    let done = on_threads(&Machine::of(1, 2), LIMIT, |npu| {
        npu.run(|core| core.sync_all(Set::Vector).and_then(|()| core.core_barrier(Set::All)))
    });
    assert!(done.is_ok(), "{done:?}");
}

#[test]
fn teams_that_do_not_fit_are_refused_on_every_pe() {
    for (start, stride, size) in
        [(0, 0, 2), (0, -1, 2), (0, 1, 0), (0, 1, -1), (2, 1, 2), (0, 2, 3), (-1, 1, 1)]
    {
        let refused = on_threads(&Machine::of(3, 1), LIMIT, |npu| {
            Ok(npu.team_split_strided(start, stride, size).expect_err("refused"))
        });
        let refused = refused.expect("everybody is told");
        assert!(refused.iter().all(|error| matches!(error, Error::Team(_))), "{refused:?}");
    }
    let refused = on_threads(&Machine::of(3, 1), LIMIT, |npu| {
        let size = if npu.pe() == 1 { 3 } else { 2 };
        Ok(npu.team_split_strided(0, 1, size).expect_err("refused").to_string())
    });
    let first = "the PEs split a team differently: PE 1 asks for (start 0, stride 1, size 3), \
                 PE 0 for (start 0, stride 1, size 2)";
    assert_eq!(refused.expect("everybody is told")[0], first);
}

#[test]
fn members_only_and_only_until_the_team_is_destroyed() {
    let machine = Machine::of(3, 1);
    let outside = told(&machine, |npu| {
        let team = npu.team_split_strided(0, 1, 2)?;
        npu.run(|core| core.barrier(&team, Set::All))
    });
    assert_eq!(outside, "PE 2 is not a member of the team (start 0, stride 1, size 2)");
    let destroyed = on_threads(&machine, LIMIT, |npu| {
        let first = npu.team_split_strided(0, 1, 3)?;
        npu.team_destroy(&first)?;
        let second = npu.team_split_strided(0, 1, 3)?;
        let again = npu.team_destroy(&first).expect_err("the slot is the second team's now");
        let used = npu.run(|core| core.barrier(&first, Set::All)).expect_err("destroyed");
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
    let text =
        told(&Machine::of(2, 1), |npu| (0..64).try_for_each(|_| npu.team_split_strided(0, 1, 2).map(drop)));
    assert_eq!(text, "no team slot is free at all members: at most 64 teams exist at a time; destroy some");
}

#[test]
fn a_kernel_that_panics_or_never_comes_ends_in_an_error() {
    let machine = Machine::of(2, 2);
    let panicked = told(&machine, |npu| {
        let world = npu.world()?;
        npu.run(|core| match (core.pe(), core.id()) {
            (1, 0) => panic!("on purpose"),
            _ => core.barrier(&world, Set::All),
        })
    });
    assert_eq!(panicked, "core 0 of PE 1 panicked");
    let in_stream = told(&machine, |npu| {
        let world = npu.world()?;
        npu.with_stream(|stream| {
            stream.launch(|core| if core.id() == 1 { panic!("on purpose") } else { Ok(()) });
            stream.barrier(&world, Set::All)
        })
    });
    assert!(in_stream.starts_with("core 1 of PE "), "{in_stream}");
    let absent = on_threads(&machine, Duration::from_millis(50), |npu| {
        let world = npu.world()?;
        npu.run(|core| if core.id() == 1 { Ok(()) } else { core.barrier(&world, Set::All) })
    });
    let absent = absent.expect_err("core 1 does not come");
    assert!(matches!(absent, Error::Limit { limit_ms: 50, .. }), "{absent}");
}
