//! The barrier: its law, what it asks of the server, members that are late, and a whole job.
use std::{
    any::Any,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
    time::Duration,
};

use rstest::rstest;
use wb_comm::{Barrier, CallSite, ThreadRanks, Transport, Verb, job::RankTermination};
use wb_control::{Client, ControlBarrier, HostedBarrier, RetryPolicy};

use super::{TIMEOUT, check_barrier_law, client, join, make_all, proxy::Proxy, start, wait_until};

/// For a proxy that breaks connections.
const PERSISTENT: RetryPolicy = RetryPolicy { reply_timeout: Duration::from_secs(2), max_attempts: 12 };

/// The requests of joining and of `episodes` barriers: each is 2P + 1, and 2 more from the third on.
fn request_count(size: u64, episodes: u64) -> u64 {
    4 * size + 1 + episodes * (2 * size + 1) + 2 * (episodes - 2)
}

/// P + 2 keys are left of joining, and two generations of two keys of the barriers.
#[rstest]
fn the_law_holds_and_requests_are_counted(
    #[values((2, 20), (3, 20), (4, 20), (5, 20), (8, 1000), (16, 20), (33, 20), (64, 20))] case: (usize, u64),
) {
    let (size, episodes) = case;
    let server = start(size);
    let join = |rank| join(server.credentials(), rank, size, RetryPolicy::default());
    check_barrier_law(size, join, episodes, |_, _| 0).expect("the law");
    let store = server.store();
    assert_eq!((store.requests, store.repeats), (request_count(size as u64, episodes), 0));
    assert_eq!((store.parked, store.keys.len(), store.clients.len()), (0, 4 + size + 2, size));
}

#[rstest]
fn the_law_holds_while_connections_break(#[values(1, 1000, 2000)] seed: u64) {
    let server = start(4);
    let proxy = Proxy::new(&server, 20, seed);
    let join = |rank| join(proxy.credentials, rank, 4, PERSISTENT);
    check_barrier_law(4, join, 100, |_, random| random.rand_range(0..500)).expect("the law");
    let (broken, repeats) = (proxy.broken.load(SeqCst), server.store().repeats);
    assert!(broken > 20 && repeats > 5, "{broken} connections were broken, {repeats} requests repeated");
    assert_eq!(server.store().requests, request_count(4, 100));
}

/// Also where it is the reply that is lost, and the request is sent again.
#[test]
fn each_of_10_000_adds_counts_once_while_connections_break() {
    let server = start(4);
    let proxy = Proxy::new(&server, 20, 1);
    let mut sums = make_all(4, |_| {
        let mut client = Client::connect(proxy.credentials, PERSISTENT).expect("a client");
        (0..2500).map(|_| client.add("k", 1).expect("added")).collect::<Vec<_>>()
    })
    .concat();
    sums.sort_unstable();
    assert!(sums.into_iter().eq(1..=10_000), "each sum is the answer to one Add");
    let repeats = server.store().repeats;
    assert!(repeats > 50, "{repeats} requests were repeated");
}

#[test]
fn two_groups_use_one_server() {
    let server = start(4);
    make_all(2, |n| {
        let join = |rank| Ok(ControlBarrier::join(client(&server), ["a", "b"][n], rank, 2, TIMEOUT)?);
        check_barrier_law(2, join, 50, |_, random| random.rand_range(0..500)).expect("the law");
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
    let broken = check_barrier_law(2, |_| Ok(Nothing), 1, |rank, _| 30_000 * rank as u32);
    assert_eq!(broken, Err("rank 0 left episode 1 before rank 1 entered".into()));
}

/// Rank 1 is played by hand: it gets the key of barrier 2 only when rank 0 has arrived at barrier 3 and has removed its
/// old keys there.
#[test]
fn a_slow_member_finds_its_word_when_the_last_but_one_is_removed() {
    let server = start(4);
    let mut zero = join(server.credentials(), 0, 2, RetryPolicy::default()).expect("joined");
    let mut one = client(&server);
    std::thread::scope(|scope| {
        scope.spawn(move || (0..3).try_for_each(|_| zero.wait()).expect("rank 1 comes"));
        for barrier in 1..=2 {
            wait_until("rank 0 waits", || server.store().parked == 1);
            assert_eq!(one.add(&format!("world_{barrier}_BA"), 1), Ok(2));
            one.set(&format!("world_{barrier}_BW"), "ok").expect("set");
            wait_until("rank 0 leaves the barrier", || {
                server.store().keys.contains_key(&format!("world_{}_BA", barrier + 1))
            });
        }
        wait_until("rank 0 waits", || server.store().parked == 1);
        let mut word = |barrier| one.get(&format!("world_{barrier}_BW"), Duration::ZERO);
        assert_eq!((word(1), word(2)), (Ok(None), Ok(Some("ok".into()))));
        one.set("world_3_BW", "ok").expect("set");
    });
}

/// Rank 0 is the least patient. Rank 2 is the last to arrive, so it is released; it learns at the next barrier.
#[test]
fn a_late_member_ends_the_group_for_those_who_waited() {
    let (server, failures) = (start(3), AtomicU32::new(0));
    let ended = make_all(3, |rank| {
        let timeout = if rank == 0 { Duration::from_millis(600) } else { TIMEOUT };
        let mut barrier = ControlBarrier::join(client(&server), "world", rank, 3, timeout).expect("joined");
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
    let abandoned = "this group was abandoned: rank 0 of 3";
    let parts = [
        "rank 0 of 3, group world, barrier 2: not all members came in".to_owned(),
        format!("rank 1 of 3, group world, barrier 2: {abandoned}"),
        format!("rank 2 of 3, group world, barrier 3: {abandoned}"),
    ];
    for (failed, part) in ended.iter().zip(parts) {
        assert!(failed.contains(&part) && failed.contains("2 of 3 had arrived"), "{failed}");
    }
}

#[test]
fn an_arrival_too_many_is_told() {
    let server = start(4);
    let join = |rank| join(server.credentials(), rank, 2, RetryPolicy::default());
    let members = [0, 1].map(|rank| join(rank).expect("joined"));
    client(&server).add("world_1_BA", 2).expect("counted");
    for (rank, mut member) in members.into_iter().enumerate() {
        let message = member.wait().expect_err("too many").to_string();
        let arrival = format!("rank {rank} of 2, group world, barrier 1: this is arrival {} of 2", rank + 3);
        assert!(message.contains(&arrival), "{message}");
    }
}

#[test]
fn a_member_that_leaves_after_the_patience_is_named_by_rank_0() {
    let server = start(4);
    let zero = ControlBarrier::join(client(&server), "world", 0, 2, Duration::from_millis(100));
    let message = zero.expect("joined").leave().expect_err("rank 1 does not leave").to_string();
    assert!(message.contains("rank 0 of 2") && message.contains("1 of 2 had arrived"), "{message}");
}

/// Rank 0 leaves, or drops its part, while the others have not yet asked for the last word.
#[rstest]
fn rank_0_of_a_job_keeps_the_server_until_everybody_has_left(#[values(1, 2, 5)] size: usize) {
    let job = |transport: Rc<dyn Transport>| -> Box<dyn Any + Send> {
        for round in 0..20 {
            let hosted = HostedBarrier::start(&*transport, TIMEOUT, CallSite::caller(Verb::Barrier));
            let mut hosted = hosted.expect("started");
            (0..5).for_each(|_| hosted.wait().expect("everybody is there"));
            if round % 2 == 0 {
                hosted.leave().expect("left in order");
            }
        }
        Box::new(())
    };
    let outcome = wb_local::threads::LocalThreads::default().run(size, Some(TIMEOUT), Arc::new(job));
    for (rank, ended) in outcome.ranks.iter().enumerate() {
        assert!(matches!(ended, RankTermination::Returned(_)), "rank {rank}: {ended:?}");
    }
    assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
}
