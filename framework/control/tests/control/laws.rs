//! The barrier: its law, what it asks of the server, members that are late, and a whole job.
use std::{
    any::Any,
    rc::Rc,
    sync::Arc,
    sync::atomic::{AtomicU32, Ordering::SeqCst},
    time::Duration,
};

use rstest::rstest;
use wb_comm::{Barrier, CallSite, ThreadRanks, Transport, Verb, job::RankTermination};
use wb_control::{Client, ControlBarrier, HostedBarrier, RetryPolicy, StoreLimits};

use super::{
    MemberBarrier, TIMEOUT, check_barrier_law, client, join_all, make_all, member, proxy::Proxy, start,
    wait_until,
};

/// An episode costs 2P + 1 requests, and 2 more from the third on; two generations of two keys are left.
#[rstest]
fn the_law_holds_and_requests_are_counted(
    #[values((2, 20), (3, 20), (4, 20), (5, 20), (8, 1000), (16, 20), (33, 20), (64, 20))] case: (usize, u64),
) {
    let (size, episodes) = case;
    let server = start(StoreLimits::default());
    let members = join_all(server.credentials(), "world", size, RetryPolicy::default());
    check_barrier_law(members, episodes, |_, _| 0).expect("the law");
    let counted = server.statistics();
    assert_eq!(counted.requests, episodes * (2 * size as u64 + 1) + 2 * (episodes - 2), "{counted:?}");
    assert_eq!((counted.repeats, counted.parked, counted.keys, counted.members), (0, 0, 4, size));
}

#[rstest]
fn broken_connections_are_opened_again_and_nothing_counts_twice(#[values(1, 1000, 2000)] seed: u64) {
    let server = start(StoreLimits::default());
    let proxy = Proxy::new(&server, 20, seed);
    let policy =
        RetryPolicy { max_attempts: 12, initial_backoff: Duration::from_millis(1), ..RetryPolicy::default() };
    let members = join_all(proxy.credentials, "world", 4, policy);
    check_barrier_law(members, 100, |_, random| random.rand_range(0..500)).expect("the law");
    let (broken, counted) = (proxy.broken.load(SeqCst), server.statistics());
    assert!(broken > 20 && counted.repeats > 5, "{broken} connections were broken, {counted:?}");
    assert_eq!(counted.requests, 100 * 9 + 98 * 2, "{counted:?}");
}

#[test]
fn two_groups_use_one_server() {
    let server = start(StoreLimits::default());
    make_all(2, |n| {
        let members = join_all(server.credentials(), ["a", "b"][n], 2, RetryPolicy::default());
        check_barrier_law(members, 50, |_, random| random.rand_range(0..500)).expect("the law");
    });
}

#[test]
fn canary_a_barrier_that_waits_for_nobody_is_found() {
    struct Nothing;
    impl Barrier for Nothing {
        fn wait(&mut self) -> wb_comm::Result<()> {
            Ok(())
        }
    }
    let members = (0..2).map(|_| Box::new(Nothing) as MemberBarrier).collect();
    let message =
        check_barrier_law(members, 1, |rank, _| 30_000 * rank as u32).expect_err("rank 0 leaves first");
    assert_eq!(message, "rank 0 left episode 1 before rank 1 entered");
}

/// Rank 1 is played by hand: it gets the key of barrier 2 only when rank 0 has arrived at barrier 3 and has removed its
/// old keys there.
#[test]
fn a_slow_member_finds_its_word_when_the_last_but_one_is_removed() {
    let server = start(StoreLimits::default());
    let connect =
        |rank| Client::connect(server.credentials(), member("world", rank, 2), RetryPolicy::default());
    let (mut zero, mut one) =
        (ControlBarrier::new(connect(0).expect("joined"), TIMEOUT), connect(1).expect("joined"));
    std::thread::scope(|scope| {
        scope.spawn(move || (0..3).try_for_each(|_| zero.wait()).expect("rank 1 comes"));
        for barrier in 1..=2 {
            wait_until("rank 0 waits", || server.statistics().parked == 1);
            assert_eq!(one.add(&format!("world_{barrier}_BA"), 1), Ok(2));
            one.set(&format!("world_{barrier}_BW"), "ok").expect("set");
        }
        // Rank 0 is in barrier 3, the first one there.
        wait_until("rank 0 waits", || server.statistics().parked == 1);
        let mut word = |barrier| one.get(&format!("world_{barrier}_BW"), Duration::ZERO);
        assert_eq!((word(1), word(2)), (Ok(None), Ok(Some("ok".into()))));
        one.set("world_3_BW", "ok").expect("set");
    });
}

/// Rank 0 is the least patient. Rank 2 is the last to arrive, so it is released; it learns at the next barrier.
#[test]
fn a_late_member_ends_the_group_for_those_who_waited() {
    let server = start(StoreLimits::default());
    let failures = AtomicU32::new(0);
    let ended = make_all(3, |rank| {
        let patience = if rank == 0 { Duration::from_millis(600) } else { TIMEOUT };
        let mut barrier = ControlBarrier::connect(server.credentials(), rank, 3, patience).expect("joined");
        barrier.wait().expect("the first one");
        if rank == 2 {
            wait_until("the others have failed", || failures.load(SeqCst) == 2);
            barrier.wait().expect("everybody has arrived by now");
        }
        let failed = barrier.wait().expect_err("the group is over").to_string();
        failures.fetch_add(1, SeqCst);
        assert_eq!(barrier.wait().expect_err("and stays so").to_string(), failed);
        failed
    });
    let parts = [
        ["rank 0 of 3, group world, barrier 2", "not all members came in", "2 of 3 had arrived"],
        [
            "rank 1 of 3, group world, ",
            "barrier 2: this group was abandoned: rank 0 of 3",
            "2 of 3 had arrived",
        ],
        [
            "rank 2 of 3, group world, ",
            "barrier 3: this group was abandoned: rank 0 of 3",
            "2 of 3 had arrived",
        ],
    ];
    for (failed, parts) in ended.iter().zip(parts) {
        assert!(parts.iter().all(|part| failed.contains(part)), "{failed}");
    }
}

#[test]
fn an_arrival_too_many_is_told() {
    let server = start(StoreLimits::default());
    let mut members = join_all(server.credentials(), "world", 2, RetryPolicy::default());
    client(&server, "other").expect("a client").add("world_1_BA", 2).expect("counted");
    let message = members[0].wait().expect_err("too many").to_string();
    assert!(message.contains("rank 0 of 2") && message.contains("this is arrival 3 of 2"), "{message}");
    let message = members[1].wait().expect_err("too many").to_string();
    assert!(message.contains("this is arrival 4 of 2"), "{message}");
}

#[test]
fn a_member_that_leaves_after_the_patience_is_named_by_rank_0() {
    let server = start(StoreLimits::default());
    let zero =
        ControlBarrier::connect(server.credentials(), 0, 2, Duration::from_millis(100)).expect("joined");
    let message = zero.leave().expect_err("rank 1 does not leave").to_string();
    assert!(message.contains("rank 0 of 2") && message.contains("1 of 2 had arrived"), "{message}");
}

/// Rank 0 leaves, or drops its part, while the others have not yet asked for the last word.
#[rstest]
fn rank_0_of_a_job_keeps_the_server_until_everybody_has_left(#[values(1, 2, 5)] size: usize) {
    let job = |transport: Rc<dyn Transport>| -> Box<dyn Any + Send> {
        for round in 0..20 {
            let hosted = HostedBarrier::start(&*transport, TIMEOUT, CallSite::caller(Verb::Barrier));
            let mut hosted = hosted.expect("started");
            assert_eq!(hosted.server().is_some(), transport.rank() == 0);
            (0..5).for_each(|_| hosted.wait().expect("everybody is there"));
            if round % 2 == 0 {
                hosted.leave().expect("left in order");
            }
        }
        Box::new(())
    };
    let outcome = wb_threads::LocalThreads::default().run(size, Some(TIMEOUT), Arc::new(job));
    for (rank, ended) in outcome.ranks.iter().enumerate() {
        assert!(matches!(ended, RankTermination::Returned(_)), "rank {rank}: {ended:?}");
    }
    assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
}
