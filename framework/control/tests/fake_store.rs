//! The barrier on a store whose messages are late, reordered, repeated and lost; and canaries that fail there.
mod support;

use std::{sync::Arc, time::Duration};

use support::{
    barrier_law::{MemberBarrier, check_barrier_law, make_all, no_delay, random_delay},
    fake_store::{FakeLink, FakeStore, NO_TIMEOUT, NetworkFaults},
};
use wb_comm::Barrier;
use wb_control::{Client, ControlBarrier, GroupMember, Store, protocol::StoreOp};

const TIMEOUT: Duration = Duration::from_secs(20);
const SHORT_TIMEOUT: Duration = Duration::from_millis(150);

type FakeBarrier = ControlBarrier<Client<FakeLink>>;

fn join(
    world: &Arc<FakeStore>,
    rank: usize,
    size: usize,
    faults: NetworkFaults,
    seed: u64,
    patience: Duration,
) -> FakeBarrier {
    let client =
        Client::with_link(FakeLink::new(world, faults, seed + rank as u64), NO_TIMEOUT).expect("a client");
    ControlBarrier::join(client, GroupMember::new(rank, size), patience).expect("joined")
}

fn boxed(barriers: Vec<FakeBarrier>) -> Vec<MemberBarrier> {
    barriers.into_iter().map(|barrier| Box::new(barrier) as MemberBarrier).collect()
}

#[test]
fn late_lost_and_repeated_messages_do_no_harm() {
    for size in [1, 2, 3, 5, 8] {
        for seed in [1, 1000, 2000] {
            let world = FakeStore::new();
            let members = make_all(size, |rank| join(&world, rank, size, NetworkFaults::MANY, seed, TIMEOUT));
            check_barrier_law(boxed(members), 40, random_delay)
                .unwrap_or_else(|why| panic!("P = {size}, seed {seed}: {why}"));
            let counted = world.lock().store.statistics();
            let (p, joining) = (size as u64, 2 * size as u64);
            let expected = if size == 1 { 0 } else { joining + 40 * (2 * p + 1) + 38 * 2 };
            assert_eq!(counted.requests(), expected, "P = {size}: each counts once, {counted:?}");
            assert!(size < 5 || counted.repeats > 20, "the faults were there: {counted:?}");
        }
    }
}

#[test]
fn two_or_three_generations_are_stored() {
    let world = FakeStore::new();
    let members = make_all(4, |rank| join(&world, rank, 4, NetworkFaults::NONE, 1, TIMEOUT));
    let joined = world.lock().store.statistics().keys;
    assert_eq!(joined, 5, "a rank each, and the size");
    check_barrier_law(boxed(members), 100, random_delay).expect("the law");
    let most = world.lock().max_keys - joined;
    assert!((4..=6).contains(&most), "{most} keys of barriers at one time");
}

#[test]
fn canary_a_client_that_repeats_under_a_new_number_counts_twice() {
    let world = FakeStore::new();
    let faults = NetworkFaults { lost_reply: 200, renumbers: true, ..NetworkFaults::NONE };
    let clients = make_all(3, |rank| {
        let faults = if rank == 2 { faults } else { NetworkFaults::NONE };
        // Joining counts too, so the clients behave correctly until the third barrier.
        let client =
            Client::with_link(FakeLink::new(&world, faults, 7 + rank as u64), NO_TIMEOUT).expect("a client");
        ControlBarrier::join(client, GroupMember::new(rank, 3), SHORT_TIMEOUT)
    });
    let ended = match clients.into_iter().collect::<Result<Vec<_>, _>>() {
        Err(error) => error.to_string(),
        Ok(members) => {
            check_barrier_law(boxed(members), 40, no_delay).expect_err("an arrival is counted twice")
        }
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
    let late: support::barrier_law::ArrivalDelay = |rank, _| Duration::from_millis(30 * rank as u64);
    let members = (0..2).map(|_| Box::new(Nothing) as MemberBarrier).collect();
    let message = check_barrier_law(members, 1, late).expect_err("rank 0 leaves first");
    assert_eq!(message, "rank 0 left episode 1 before rank 1 entered");
}

/// Rank 1 gets the key of barrier 2 only when rank 0 has arrived at barrier 3 and has removed its old keys there.
fn run_with_slow_get(interval: u64) -> Result<(), String> {
    let world = FakeStore::new();
    let mut members = make_all(2, |rank| {
        let mut link = FakeLink::new(&world, NetworkFaults::NONE, rank as u64);
        if rank == 1 {
            let seen = Arc::clone(&world);
            link.request_hook = Some(Box::new(move |op| {
                if matches!(op, StoreOp::Get { key, .. } if key == "world_1_2_BW") {
                    seen.wait_for("world_1_3_BA", true);
                    seen.wait_for(&format!("world_1_{}_BW", 3 - interval), false);
                }
            }));
        }
        let client = Client::with_link(link, NO_TIMEOUT).expect("a client");
        let barrier = ControlBarrier::join(client, GroupMember::new(rank, 2), Duration::from_secs(2));
        barrier.expect("joined").with_removal_interval(interval)
    });
    // Rank 1 is the last to arrive at barrier 2, so it is known who is first at barrier 3.
    let order: support::barrier_law::ArrivalDelay = |rank, _| Duration::from_millis(20 * rank as u64);
    check_barrier_law(boxed(std::mem::take(&mut members)), 4, order)
}

#[test]
fn a_slow_member_finds_its_word_when_the_last_but_one_is_removed() {
    run_with_slow_get(2).expect("interval 2 is safe");
}

#[test]
fn canary_removing_the_last_generation_takes_the_word_from_a_slow_member() {
    let message = run_with_slow_get(1).expect_err("the key is gone before it was read");
    assert!(message.contains("barrier 2") || message.contains("barrier 3"), "{message}");
    assert!(message.contains("not all members came") || message.contains("abandoned"), "{message}");
}

#[test]
fn a_late_member_ends_the_version_for_those_who_waited() {
    let world = FakeStore::new();
    let ended = make_all(3, |rank| {
        let mut barrier = join(&world, rank, 3, NetworkFaults::NONE, 1, SHORT_TIMEOUT * (1 + rank as u32));
        barrier.wait().expect("the first one");
        if rank == 2 {
            world.wait_for("world_1_3_BW", true);
            // The last to arrive, so this one is released; no other member reaches the next barrier.
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
    let world = FakeStore::new();
    let mut barriers = make_all(2, |rank| join(&world, rank, 2, NetworkFaults::NONE, 1, SHORT_TIMEOUT));
    let mut one = barriers.pop().expect("rank 1");
    let mut zero = barriers.pop().expect("rank 0");
    zero.wait().expect_err("rank 1 does not come");
    // The last to arrive overwrites the key that rank 0 left there, and is released.
    one.wait().expect("everybody had arrived");
    let message = one.wait().expect_err("rank 0 never comes").to_string();
    assert!(
        message.contains("barrier 2") && message.contains("abandoned") && message.contains("1 of 2"),
        "{message}"
    );
}

#[test]
fn a_store_that_loses_everything_ends_in_an_error() {
    let world = FakeStore::new();
    let mut client = Client::with_link(
        FakeLink::new(&world, NetworkFaults { lost_request: 1000, ..NetworkFaults::NONE }, 1),
        wb_control::RetryPolicy { max_attempts: 3, ..NO_TIMEOUT },
    )
    .expect("the hello is heard");
    let first = client.add("k", 1).expect_err("nothing arrives");
    assert!(first.to_string().contains("does not answer"), "{first}");
    assert_eq!(client.set("k", "v").expect_err("the client is of no use any more"), first);
    assert_eq!(world.lock().store.statistics().keys, 0);
}
