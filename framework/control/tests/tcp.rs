//! The barrier over real connections on this machine: counts, many clients, broken connections, versions, a whole job.
mod support;

use std::{
    rc::Rc,
    sync::{Arc, Mutex, atomic::Ordering::SeqCst},
    time::Duration,
};

use support::{
    barrier_law::{MemberBarrier, check_barrier_law, make_all, no_delay, random_delay},
    proxy::Proxy,
};
use wb_comm::{Barrier, CallSite, ThreadRanks, Transport, Verb, job::RankTermination};
use wb_control::{
    Client, ControlBarrier, Credentials, GroupMember, HostedBarrier, Result, RetryPolicy, Server, Statistics,
    Store, StoreLimits,
};

const TIMEOUT: Duration = Duration::from_secs(30);

fn join_all(server: Credentials, size: usize) -> Vec<MemberBarrier> {
    let join = |rank| ControlBarrier::connect(server, rank, size, TIMEOUT).expect("joined");
    make_all(size, join).into_iter().map(|barrier| Box::new(barrier) as MemberBarrier).collect()
}

fn request_counts(counted: Statistics, since: Statistics) -> [u64; 4] {
    let of = |s: Statistics| [s.adds, s.sets, s.gets, s.removes];
    std::array::from_fn(|kind| of(counted)[kind] - of(since)[kind])
}

/// An episode costs 2P + 1 requests, and 2 more from the third on.
fn check_law_and_request_count(size: usize, episodes: u64) {
    let server = Server::start(StoreLimits::default()).expect("a server");
    let members = join_all(server.credentials(), size);
    let joined = server.statistics();
    check_barrier_law(members, episodes, no_delay).unwrap_or_else(|why| panic!("P = {size}: {why}"));
    let (counted, p) = (server.statistics(), size as u64);
    let expected = [p * episodes, episodes, p * episodes, 2 * (episodes - 2)];
    assert_eq!(request_counts(counted, joined), expected, "P = {size}: Add, Set, Get, Remove");
    assert_eq!((counted.repeats, counted.parked), (0, 0), "P = {size}");
    let generations = counted.keys - (size + 1);
    assert_eq!(generations, 4, "P = {size}: two generations of two keys are left");
    server.shut_down();
}

#[test]
fn two_to_64_clients() {
    for size in [2, 3, 4, 5, 8, 16, 33, 64] {
        check_law_and_request_count(size, 20);
    }
}

#[test]
fn a_thousand_back_to_back_at_eight() {
    check_law_and_request_count(8, 1000);
}

#[test]
fn broken_connections_are_opened_again_and_nothing_counts_twice() {
    let server = Server::start(StoreLimits::default()).expect("a server");
    let proxy = Proxy::new(server.address(), 20);
    let through_proxy = Credentials { address: proxy.address, ..server.credentials() };
    let persistence =
        RetryPolicy { max_attempts: 12, initial_backoff: Duration::from_millis(1), ..RetryPolicy::default() };
    let join = |rank| -> Result<_> {
        let client = Client::connect(through_proxy, persistence)?;
        ControlBarrier::join(client, GroupMember::new(rank, 4), TIMEOUT)
    };
    let members = make_all(4, |rank| join(rank).expect("joined"));
    check_barrier_law(
        members.into_iter().map(|barrier| Box::new(barrier) as MemberBarrier).collect(),
        100,
        random_delay,
    )
    .expect("the law");
    let (broken, counted) = (proxy.broken.load(SeqCst), server.statistics());
    assert!(broken > 20 && counted.repeats > 5, "{broken} connections were broken, {counted:?}");
    assert_eq!(counted.requests(), 8 + 100 * 9 + 98 * 2, "{counted:?}");
}

#[test]
fn those_who_go_on_agree_the_next_version() {
    let server = Server::start(StoreLimits::default()).expect("a server");
    let at = server.credentials();
    let ended = make_all(3, |rank| {
        // Rank 1 is the least patient, so the others learn from it.
        let patience = if rank == 1 { Duration::from_millis(300) } else { TIMEOUT };
        let mut barrier = ControlBarrier::connect(at, rank, 3, patience).expect("joined");
        barrier.wait().expect("all three are there");
        if rank == 2 {
            return None;
        }
        let lost = barrier.wait().expect_err("rank 2 has gone").to_string();
        assert!(lost.contains("barrier 2") && lost.contains("2 of 3 had arrived"), "{lost}");
        let mut next = if rank == 0 { barrier.lead(0, 2) } else { barrier.follow(1, 2) }.expect("agreed");
        for _ in 0..5 {
            next.wait().expect("both are there");
        }
        Some((next.member().version, next.entered_count()))
    });
    assert_eq!(ended, [Some((2, 5)), Some((2, 5)), None]);
    // A process that was started again and knows nothing of this.
    let message =
        ControlBarrier::connect(at, 2, 3, Duration::from_millis(100)).expect_err("version 1 is over");
    assert!(message.to_string().contains("rank 2 of 3, group world, version 1, joining"), "{message}");
}

#[test]
fn a_rank_that_joins_twice_is_told() {
    let server = Server::start(StoreLimits::default()).expect("a server");
    let mut members = join_all(server.credentials(), 2);
    let message =
        ControlBarrier::connect(server.credentials(), 1, 2, TIMEOUT).expect_err("there is a rank 1");
    assert!(message.to_string().contains("rank 1 has joined already"), "{message}");
    let message = members[0].wait().expect_err("the version is over").to_string();
    assert!(message.contains("barrier 1") && message.contains("rank 1 has joined already"), "{message}");
}

#[test]
fn members_that_disagree_about_the_size_are_told() {
    let server = Server::start(StoreLimits::default()).expect("a server");
    let at = server.credentials();
    let mut zero = ControlBarrier::connect(at, 0, 3, TIMEOUT).expect("rank 0 says how many");
    let message = ControlBarrier::connect(at, 1, 4, TIMEOUT).expect_err("another size").to_string();
    assert!(message.contains("rank 1 of 4") && message.contains("a group of 4, rank 0 of 3"), "{message}");
    let message = zero.wait().expect_err("the version is over").to_string();
    assert!(message.contains("rank 0 of 3") && message.contains("a group of 4, rank 0 of 3"), "{message}");
}

#[test]
fn an_arrival_too_many_is_told() {
    let server = Server::start(StoreLimits::default()).expect("a server");
    let mut members = join_all(server.credentials(), 2);
    let mut intruder = Client::connect(server.credentials(), RetryPolicy::default()).expect("a client");
    intruder.add("world_1_1_BA", 2).expect("counted");
    let message = members[0].wait().expect_err("too many").to_string();
    assert!(message.contains("this is arrival 3 of 2"), "{message}");
    let message = members[1].wait().expect_err("too many").to_string();
    assert!(message.contains("arrival"), "{message}");
}

#[test]
fn groups_that_cannot_be_are_refused() {
    let server = Server::start(StoreLimits::default()).expect("a server");
    for (rank, size, part) in [(0, 0, "0 members"), (2, 2, "rank 2"), (7, 2, "rank 7")] {
        let message =
            ControlBarrier::connect(server.credentials(), rank, size, TIMEOUT).expect_err("it cannot be");
        assert!(message.to_string().contains(part), "{message}");
    }
    for (group, version, part) in [("", 1, "name"), ("a_b", 1, "name"), ("a", 0, "from 1")] {
        let client = Client::connect(server.credentials(), RetryPolicy::default()).expect("a client");
        let member = GroupMember { group: group.into(), version, rank: 0, size: 2 };
        let message = ControlBarrier::join(client, member, TIMEOUT).expect_err("it cannot be");
        assert!(message.to_string().contains(part), "{message}");
    }
}

#[test]
fn two_groups_use_one_server() {
    let server = Server::start(StoreLimits::default()).expect("a server");
    let join = |group: &'static str, rank| {
        let client = Client::connect(server.credentials(), RetryPolicy::default()).expect("a client");
        let member = GroupMember { group: group.into(), version: 1, rank, size: 2 };
        ControlBarrier::join(client, member, TIMEOUT).expect("joined")
    };
    let mut members = make_all(4, |n| Some(join(if n < 2 { "a" } else { "b" }, n % 2)));
    let mut pair = |from: usize| {
        let of = |n: usize| Box::new(members[n].take().expect("once")) as MemberBarrier;
        [from, from + 1].map(of).into_iter().collect::<Vec<_>>()
    };
    let (a, b) = (Mutex::new(Some(pair(0))), Mutex::new(Some(pair(2))));
    let take = |n: usize| if n == 0 { a.lock() } else { b.lock() }.expect("no panic").take().expect("once");
    make_all(2, |n| check_barrier_law(take(n), 50, random_delay).expect("the law"));
}

/// Rank 0 drops its part while the others have not yet asked for the last word.
#[test]
fn a_server_that_is_dropped_waits_for_the_last_word_of_all() {
    let job = |transport: Rc<dyn Transport>| -> Box<dyn std::any::Any + Send> {
        for _ in 0..20 {
            let mut hosted =
                HostedBarrier::start(&*transport, TIMEOUT, CallSite::caller(Verb::Barrier)).expect("started");
            (0..5).for_each(|_| hosted.wait().expect("the server is there"));
        }
        Box::new(())
    };
    let outcome = wb_threads::LocalThreads::default().run(6, Some(TIMEOUT), Arc::new(job));
    for (rank, ended) in outcome.ranks.iter().enumerate() {
        assert!(matches!(ended, RankTermination::Returned(_)), "rank {rank}: {ended:?}");
    }
}

#[test]
fn rank_0_of_a_job_keeps_the_server_until_everybody_has_left() {
    let job = |transport: Rc<dyn Transport>| -> Box<dyn std::any::Any + Send> {
        let mut hosted =
            HostedBarrier::start(&*transport, TIMEOUT, CallSite::caller(Verb::Barrier)).expect("started");
        assert_eq!(hosted.server().is_some(), transport.rank() == 0);
        for _ in 0..20 {
            hosted.wait().expect("everybody is there");
        }
        hosted.leave().expect("left in order");
        Box::new(())
    };
    for size in [1, 2, 5] {
        let outcome = wb_threads::LocalThreads::default().run(size, Some(TIMEOUT), Arc::new(job));
        for (rank, ended) in outcome.ranks.iter().enumerate() {
            assert!(matches!(ended, RankTermination::Returned(_)), "P = {size}, rank {rank}: {ended:?}");
        }
        assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
    }
}
