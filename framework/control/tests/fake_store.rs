//! The barrier on a store whose messages are late, reordered, repeated and lost; and the canaries that fail there.
mod support;

use std::{sync::Arc, time::Duration};

use support::{
    fake::{FakeLink, Faults, PATIENT, World},
    meeting::{Member, all, at_once, meet, scattered},
};
use wb_comm::Barrier;
use wb_control::{Client, ControlBarrier, Membership, Store, protocol::Op};

const PATIENCE: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(150);

type Fake = ControlBarrier<Client<FakeLink>>;

fn join(world: &Arc<World>, rank: usize, size: usize, faults: Faults, seed: u64, patience: Duration) -> Fake {
    let client = Client::over(FakeLink::new(world, faults, seed + rank as u64), PATIENT).expect("a client");
    ControlBarrier::join(client, Membership::of(rank, size), patience).expect("joined")
}

fn boxed(barriers: Vec<Fake>) -> Vec<Member> {
    barriers.into_iter().map(|barrier| Box::new(barrier) as Member).collect()
}

#[test]
fn late_lost_and_repeated_messages_do_no_harm() {
    for size in [1, 2, 3, 5, 8] {
        for seed in [1, 1000, 2000] {
            let world = World::new();
            let members = all(size, |rank| join(&world, rank, size, Faults::MANY, seed, PATIENCE));
            meet(boxed(members), 40, scattered)
                .unwrap_or_else(|why| panic!("P = {size}, seed {seed}: {why}"));
            let counted = world.inside().state.statistics();
            let (p, joining) = (size as u64, 2 * size as u64);
            let expected = if size == 1 { 0 } else { joining + 40 * (2 * p + 1) + 38 * 2 };
            assert_eq!(counted.requests(), expected, "P = {size}: each counts once, {counted:?}");
            assert!(size < 5 || counted.repeats > 20, "the faults were there: {counted:?}");
        }
    }
}

#[test]
fn two_or_three_generations_are_stored() {
    let world = World::new();
    let members = all(4, |rank| join(&world, rank, 4, Faults::NONE, 1, PATIENCE));
    let joined = world.inside().state.statistics().keys;
    assert_eq!(joined, 5, "a rank each, and the size");
    meet(boxed(members), 100, scattered).expect("the law");
    let most = world.inside().most_keys - joined;
    assert!((4..=6).contains(&most), "{most} keys of barriers at one time");
}

#[test]
fn canary_a_client_that_repeats_under_a_new_number_counts_twice() {
    let world = World::new();
    let faults = Faults { lost_reply: 200, renumbers: true, ..Faults::NONE };
    let clients = all(3, |rank| {
        let faults = if rank == 2 { faults } else { Faults::NONE };
        // Joining counts too, so it is done by honest clients; the third barrier changes its habits afterwards.
        let client = Client::over(FakeLink::new(&world, faults, 7 + rank as u64), PATIENT).expect("a client");
        ControlBarrier::join(client, Membership::of(rank, 3), SHORT)
    });
    let ended = match clients.into_iter().collect::<Result<Vec<_>, _>>() {
        Err(error) => error.to_string(),
        Ok(members) => meet(boxed(members), 40, at_once).expect_err("an arrival is counted twice"),
    };
    let found = ["before rank", "arrival", "rank 2 has joined already", "had arrived"];
    assert!(found.iter().any(|part| ended.contains(part)), "{ended}");
}

#[test]
fn canary_a_barrier_that_waits_for_nobody_is_found() {
    struct Nothing;
    impl Barrier for Nothing {
        fn wait(&mut self) -> wb_comm::Result<()> {
            Ok(())
        }
    }
    let late: support::meeting::Delay = |rank, _| Duration::from_millis(30 * rank as u64);
    let members = (0..2).map(|_| Box::new(Nothing) as Member).collect();
    let told = meet(members, 1, late).expect_err("rank 0 leaves first");
    assert_eq!(told, "rank 0 left episode 1 before rank 1 entered");
}

/// Rank 1 asks for the word of barrier 2 only when rank 0 has arrived at barrier 3 and removed what it removes there.
fn with_a_slow_get(interval: u64) -> Result<(), String> {
    let world = World::new();
    let mut members = all(2, |rank| {
        let mut link = FakeLink::new(&world, Faults::NONE, rank as u64);
        if rank == 1 {
            let seen = Arc::clone(&world);
            link.gate = Some(Box::new(move |op| {
                if matches!(op, Op::Get { key, .. } if key == "world_1_2_BW") {
                    seen.wait_for("world_1_3_BA", true);
                    seen.wait_for(&format!("world_1_{}_BW", 3 - interval), false);
                }
            }));
        }
        let client = Client::over(link, PATIENT).expect("a client");
        let barrier = ControlBarrier::join(client, Membership::of(rank, 2), Duration::from_secs(2));
        barrier.expect("joined").removing_after(interval)
    });
    // Rank 1 is the last to arrive at barrier 2, so it is known who is first at barrier 3.
    let order: support::meeting::Delay = |rank, _| Duration::from_millis(20 * rank as u64);
    meet(boxed(std::mem::take(&mut members)), 4, order)
}

#[test]
fn a_slow_member_finds_its_word_when_the_last_but_one_is_removed() {
    with_a_slow_get(2).expect("interval 2 is safe");
}

#[test]
fn canary_removing_the_last_generation_takes_the_word_from_a_slow_member() {
    let told = with_a_slow_get(1).expect_err("the key is gone before it was read");
    assert!(told.contains("barrier 2") || told.contains("barrier 3"), "{told}");
    assert!(told.contains("not all members came") || told.contains("abandoned"), "{told}");
}

#[test]
fn a_late_member_ends_the_version_for_those_who_waited() {
    let world = World::new();
    let ended = all(3, |rank| {
        let mut barrier = join(&world, rank, 3, Faults::NONE, 1, SHORT * (1 + rank as u32));
        barrier.wait().expect("the first one");
        if rank == 2 {
            world.wait_for("world_1_3_BW", true);
            // The last of all, so this one is let go; nobody else comes to the next barrier.
            barrier.wait().expect("everybody has arrived by now");
        }
        let failed = barrier.wait().expect_err("the version is over").to_string();
        assert_eq!(barrier.wait().expect_err("and stays so").to_string(), failed);
        failed
    });
    let parts = [
        ["rank 0 of 3", "barrier 2", "2 of 3 had arrived"],
        ["rank 1 of 3", "barrier 2", "abandoned: rank 0 of 3"],
        ["rank 2 of 3", "barrier 3", "abandoned: rank 0 of 3"],
    ];
    for (failed, parts) in ended.iter().zip(parts) {
        assert!(parts.iter().all(|part| failed.contains(part)), "{failed}");
    }
}

#[test]
fn who_is_let_go_learns_at_the_next_barrier_that_the_version_is_over() {
    let world = World::new();
    let mut barriers = all(2, |rank| join(&world, rank, 2, Faults::NONE, 1, SHORT));
    let mut one = barriers.pop().expect("rank 1");
    let mut zero = barriers.pop().expect("rank 0");
    zero.wait().expect_err("rank 1 does not come");
    // The last to arrive sets the word over what rank 0 left there, and is let go.
    one.wait().expect("everybody had arrived");
    let told = one.wait().expect_err("rank 0 never comes").to_string();
    assert!(told.contains("barrier 2") && told.contains("abandoned") && told.contains("1 of 2"), "{told}");
}

#[test]
fn a_store_that_loses_everything_ends_in_an_error() {
    let world = World::new();
    let mut client = Client::over(
        FakeLink::new(&world, Faults { lost_request: 1000, ..Faults::NONE }, 1),
        wb_control::Persistence { attempts: 3, ..PATIENT },
    )
    .expect("the hello is heard");
    let first = client.add("k", 1).expect_err("nothing arrives");
    assert!(first.to_string().contains("does not answer"), "{first}");
    assert_eq!(client.set("k", "v").expect_err("the client is of no use any more"), first);
    assert_eq!(world.inside().state.statistics().keys, 0);
}
