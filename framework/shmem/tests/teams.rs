//! Laws of teams on threads and in virtual time: every algorithm of the catalogue, overlapping teams in one seeded
//! order, reused slots, completion, and every invalid call.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering::SeqCst},
};

use rstest::rstest;
use wb_algorithms::barriers::{GroupConfig, catalogue, compiled_plan::SignalEncoding};
use wb_shmem::{Error, Result, Shmem, Team, team_slots::SLOTS};

use super::support::{TestBackend, pes, unwrap_all};

/// The numbers of PEs that have entered each of some barriers.
#[derive(Clone)]
struct EntryCounts(Arc<[AtomicI64]>);

impl EntryCounts {
    fn new(barriers: usize) -> Self {
        Self((0..barriers).map(|_| AtomicI64::new(0)).collect())
    }

    /// Enters barrier `which` and leaves it; `all` must have entered by then.
    fn check_call(&self, which: usize, all: usize, call: impl FnOnce() -> Result<()>) -> Result<()> {
        self.0[which].fetch_add(1, SeqCst);
        call()?;
        assert!(self.0[which].load(SeqCst) >= all as i64, "left barrier {which} too early");
        Ok(())
    }
}

#[rstest]
fn every_algorithm_holds_on_teams_that_overlap(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    let runs = |entry: &&wb_algorithms::barriers::BarrierEntry| {
        entry.in_memory(0, &GroupConfig::new(2), SignalEncoding::Add).is_some()
    };
    let entries: Vec<_> = catalogue::all().into_iter().filter(runs).collect();
    assert!(entries.len() > 15, "the catalogue is there");
    for entry in entries {
        let entered = EntryCounts::new(60);
        unwrap_all(pes(on, 4, move |shmem| {
            let world = shmem.world();
            let teams = [(0, 1, 3), (1, 1, 3), (0, 2, 2)];
            let teams =
                teams.map(|(start, stride, size)| shmem.team_split_strided(&world, start, stride, size));
            let teams = teams.into_iter().collect::<Result<Vec<_>>>()?;
            for turn in 0..20 {
                for (at, team) in teams.iter().enumerate().filter(|(_, team)| team.my_pe().is_some()) {
                    // Some are defined for two PEs only: all PEs get the same error, and the team continues with
                    // another.
                    let config = GroupConfig::new(team.n_pes());
                    let defined = matches!(entry.in_memory(0, &config, SignalEncoding::Add), Some(Ok(_)));
                    let sync = || match shmem.team_sync_by(team, entry.name) {
                        Err(Error::Comm(wb_comm::Error::Setup(_))) if !defined => shmem.team_sync(team),
                        done => done,
                    };
                    entered.check_call(3 * turn + at, team.n_pes(), sync)?;
                }
            }
            Ok(())
        }));
    }
}

/// The same calls on every PE, in one random order.
fn order(seed: u64, count: usize) -> Vec<usize> {
    let mut random = oorandom::Rand32::new(seed);
    (0..count).map(|_| random.rand_range(0..3) as usize).collect()
}

#[rstest]
fn overlapping_teams_in_one_order_with_algorithms_in_turn(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    const NAMES: [&str; 3] = ["dissemination", "central_counter", "npu_pull"];
    for seed in 0..4 {
        let order = order(seed, 300);
        let entered = EntryCounts::new(order.len());
        unwrap_all(pes(on, 3, move |shmem| {
            let world = shmem.world();
            let pair = |start| shmem.team_split_strided(&world, start, 1, 2);
            let teams = [world, pair(0)?, pair(1)?];
            for (at, &which) in order.iter().enumerate() {
                let team = &teams[which];
                if team.my_pe().is_some() {
                    let call = || shmem.team_sync_by(team, NAMES[at % 3]);
                    entered.check_call(at, team.n_pes(), call)?;
                }
            }
            Ok(())
        }));
    }
}

#[rstest]
fn slots_come_back_and_what_is_left_in_them_wakes_nobody(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    let entered = EntryCounts::new(4 * 40);
    unwrap_all(pes(on, 4, move |shmem| {
        let world = shmem.world();
        for turn in 0..40 {
            let first = shmem.team_split_strided(&world, 0, 1, 2 + turn as i64 % 3)?;
            let second = shmem.team_split_strided(&world, 1, 2, 2)?;
            for (at, team) in [first, second].iter().enumerate().filter(|(_, team)| team.my_pe().is_some()) {
                let name = ["dissemination", "central_counter"][turn % 2];
                for again in 0..2 {
                    let which = 4 * turn + 2 * at + again;
                    entered.check_call(which, team.n_pes(), || shmem.team_sync_by(team, name))?;
                }
            }
            for team in [first, second].iter().filter(|team| team.my_pe().is_some()) {
                shmem.team_destroy(team)?;
            }
        }
        Ok(())
    }));
}

#[rstest]
fn teams_of_teams_number_their_members_anew(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    unwrap_all(pes(on, 6, |shmem| {
        let world = shmem.world();
        let even = shmem.team_split_strided(&world, 0, 2, 3)?;
        if even.my_pe().is_none() {
            return Ok(());
        }
        let last_two = shmem.team_split_strided(&even, 1, 1, 2)?;
        assert_eq!(last_two.members().pes().collect::<Vec<_>>(), [2, 4]);
        assert_eq!((last_two.translate_pe(1, &world), world.translate_pe(3, &even)), (Some(4), None));
        assert_eq!(last_two.my_pe(), last_two.members().index_of(shmem.my_pe()));
        match last_two.my_pe() {
            Some(_) => shmem.team_barrier(&last_two),
            None => Ok(()),
        }
    }));
}

#[rstest]
fn a_barrier_completes_what_was_put_before_it(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    for name in ["dissemination", "central_counter", "three_level"] {
        unwrap_all(pes(on, 4, move |shmem| {
            let (me, words) = (shmem.my_pe(), shmem.malloc::<u64>(4)?);
            for turn in 1..=50 {
                (0..4).try_for_each(|pe| shmem.p(words, me, turn, pe))?;
                shmem.team_barrier_by(&shmem.world(), name)?;
                assert_eq!(shmem.local(words)?, [turn; 4]);
                shmem.sync_all()?;
            }
            Ok(())
        }));
    }
}

#[rstest]
fn partial_barriers_of_overlapping_lists_complete_and_hold(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    let lists = [vec![0, 1, 2], vec![1, 0], vec![3, 1], vec![0, 1, 2, 3], vec![2, 3], vec![1]];
    let rounds = 30;
    let entered = EntryCounts::new(2 * rounds * lists.len());
    unwrap_all(pes(on, 5, move |shmem| {
        let (me, world) = (shmem.my_pe(), shmem.world());
        let team = shmem.team_split_strided(&world, 1, 1, 4)?;
        let Some(index) = team.my_pe() else { return Ok(()) };
        let words = |turn: usize| turn as u64;
        for turn in 0..rounds {
            for (at, list) in lists.iter().enumerate() {
                let which = 2 * (turn * lists.len() + at);
                if list.contains(&index) {
                    entered.check_call(which, list.len(), || shmem.partial_barrier(&team, list))?;
                }
                let all = if list.contains(&index) { list.len() } else { 0 };
                entered.0[which + 1].fetch_add(i64::from(all > 0), SeqCst);
                shmem.partial_barrier_by_slots(&team, list)?;
                assert!(entered.0[which + 1].load(SeqCst) >= all as i64, "PE {me}, {}", words(turn));
            }
        }
        Ok(())
    }));
}

#[rstest]
fn bad_lists_are_told_before_anybody_waits(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    unwrap_all(pes(on, 4, |shmem| {
        let world = shmem.world();
        let pair = shmem.team_split_strided(&world, 0, 2, 2)?;
        let refusal = |team: &Team, pes: &[usize]| shmem.partial_barrier(team, pes).expect_err("refused");
        let text = |team: &Team, pes: &[usize]| refusal(team, pes).to_string();
        assert_eq!(text(&world, &[]), "a barrier needs at least 1 participant");
        assert_eq!(text(&world, &[0, 1, 2, 3, 4]), "PE 4 is listed, but the team has 4");
        assert_eq!(text(&world, &[1, 0, 1, 2, 3]), "PE 1 is listed twice");
        let (me, other) = (shmem.my_pe(), (shmem.my_pe() + 1) % 4);
        assert_eq!(text(&world, &[other]), format!("PE {me} is not in the subset [{other}]"));
        match pair.my_pe() {
            Some(me) => {
                assert_eq!(text(&pair, &[0, 1, 2]), "PE 2 is listed, but the team has 2");
                // In the numbers of the team.
                let other = 1 - me;
                assert_eq!(text(&pair, &[other]), format!("PE {me} is not in the subset [{other}]"));
            }
            None => assert!(matches!(refusal(&pair, &[0]), Error::NotMember { .. })),
        }
        let by_slots = shmem.partial_barrier_by_slots(&world, &[0, 0]).expect_err("refused");
        assert_eq!(by_slots.to_string(), "PE 0 is listed twice");
        Ok(())
    }));
}

#[rstest]
fn bad_teams_are_told_before_anybody_waits(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    unwrap_all(pes(on, 4, |shmem| {
        let (me, world) = (shmem.my_pe(), shmem.world());
        let split = |start, stride, size| shmem.team_split_strided(&world, start, stride, size);
        assert_eq!(split(0, 0, 2), Err(Error::InvalidStride { stride: 0 }));
        assert_eq!(split(3, -1, 2), Err(Error::InvalidStride { stride: -1 }));
        assert_eq!(split(0, 1, 0), Err(Error::EmptyTeam { size: 0 }));
        assert!(matches!(split(1, 2, 3), Err(Error::Outside { parent: 4, .. })));
        assert!(matches!(split(-1, 1, 2), Err(Error::Outside { .. })));
        let differ = split(0, 1, if me == 2 { 3 } else { 2 }).expect_err("PE 2 differs");
        assert!(matches!(differ, Error::Disagreement { .. }), "{differ}");
        let pair = split(0, 3, 2)?;
        if pair.my_pe().is_none() {
            let calls = [shmem.team_sync(&pair), shmem.team_barrier(&pair), shmem.team_destroy(&pair)];
            for refused in calls {
                let text = refused.expect_err("no member").to_string();
                assert!(
                    text.ends_with(&format!(
                        "PE {me} is not a member of the team (start 0, stride 3, size 2)"
                    ))
                );
            }
            let nested = shmem.team_split_strided(&pair, 0, 1, 1);
            assert!(matches!(nested, Err(Error::NotMember { .. })));
            return Ok(());
        }
        shmem.team_destroy(&pair)?;
        let again = shmem.team_destroy(&pair).expect_err("twice").to_string();
        assert_eq!(again, "team_destroy: the team (start 0, stride 3, size 2) has been destroyed");
        assert!(matches!(shmem.team_sync(&pair), Err(Error::Destroyed { .. })));
        assert_eq!(shmem.team_destroy(&world), Err(Error::World));
        Ok(())
    }));
}

#[rstest]
fn an_old_handle_is_not_the_slots_next_team(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    unwrap_all(pes(on, 2, |shmem| {
        let world = shmem.world();
        let old = shmem.team_split_strided(&world, 0, 1, 2)?;
        shmem.team_destroy(&old)?;
        let new = shmem.team_split_strided(&world, 0, 1, 2)?;
        assert!(matches!(shmem.team_sync(&old), Err(Error::Destroyed { .. })));
        shmem.team_sync(&new)
    }));
}

#[rstest]
fn barriers_that_cannot_run_on_a_team_are_told(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    unwrap_all(pes(on, 3, |shmem| {
        let world = shmem.world();
        let message = |name: &str| shmem.team_sync_by(&world, name).expect_err("refused").to_string();
        assert!(message("disemination").starts_with("there is no barrier \"disemination\""));
        assert!(message("mpi_barrier").starts_with("the barrier mpi_barrier is a library's own"));
        for wrong in catalogue::wrong() {
            assert!(matches!(
                shmem.team_sync_by(&world, wrong.name),
                Err(Error::NotInMemory { wrong: true, .. })
            ));
        }
        Ok(())
    }));
}

#[rstest]
fn slots_come_to_an_end_and_come_back(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    unwrap_all(pes(on, 2, |shmem| {
        let world = shmem.world();
        let split = || shmem.team_split_strided(&world, 0, 1, 2);
        let teams = (1..SLOTS).map(|_| split()).collect::<Result<Vec<_>>>()?;
        assert_eq!(split(), Err(Error::NoSlot { slots: SLOTS }));
        shmem.team_destroy(&teams[7])?;
        shmem.team_sync(&split()?)
    }));
}

#[rstest]
fn the_barrier_that_was_wished_for_is_used_and_all_must_wish_alike(
    #[values(TestBackend::Threads, TestBackend::VirtualTime)] on: TestBackend,
) {
    let run = |wishes: [Option<&'static str>; 3]| {
        on.run(3, move |transport| {
            let shmem = Shmem::init_with(&*transport, wishes[transport.rank()])?;
            (0..20).try_for_each(|_| shmem.barrier_all())?;
            shmem.finalize()
        })
    };
    for name in ["auto", "central_counter", "dissem", "three_level"] {
        unwrap_all(run([Some(name); 3]));
    }
    unwrap_all(run([None, Some("auto"), None]));
    let results = run([Some("linear"), Some("linear"), Some("tree")]);
    let text = |pe: usize| results[pe].as_ref().expect_err("PE 2 differs").to_string();
    assert_eq!(text(0), "the PEs choose different barriers: PE 2 tree, PE 0 linear");
    assert_eq!(text(2), "the PEs choose different barriers: PE 0 linear, PE 2 tree");
    for refused in run([Some("lineal"); 3]).into_iter().chain(run([Some("mpi_barrier"); 3])) {
        assert!(matches!(refused, Err(Error::Comm(wb_comm::Error::Setup(_)))), "{refused:?}");
    }
}
