//! The store alone, at times that the test chooses: which data it keeps, and until when.
use std::time::{Duration, Instant};

use wb_control::{
    Secret, StoreLimits, StoreState,
    protocol::{Hello, Reply, ReplyBody, StoreOp, StoreRequest, VERSION},
};

const MEMORY: Duration = Duration::from_secs(60);
const A_MOMENT: Duration = Duration::from_millis(1);

/// A store, now, and the hello of client 1 with its key.
fn store(at: Instant) -> (StoreState, Hello) {
    let mut state = StoreState::new(StoreLimits { session_timeout: MEMORY, ..StoreLimits::default() });
    let (token, key) = (Secret::random(), Secret::random());
    let hello = Hello { version: VERSION, client: 1, last: 0, token, key };
    state.hello(at, hello).expect("a new client");
    (state, hello)
}

fn get(id: u64, key: &str, wait: u64) -> StoreRequest {
    StoreRequest { id, op: StoreOp::Get { key: key.to_owned(), wait } }
}

fn set(id: u64, key: &str) -> StoreRequest {
    StoreRequest { id, op: StoreOp::Set { key: key.to_owned(), value: "ok".to_owned() } }
}

#[test]
fn a_client_that_is_away_is_forgotten_at_the_deadline_that_is_named() {
    let now = Instant::now();
    let (mut state, hello) = store(now);
    state.disconnected(now, 1);
    assert_eq!(state.next_deadline(), Some(now + MEMORY));
    state.expire(now + MEMORY - A_MOMENT);
    assert_eq!(state.statistics().clients, 1);
    state.expire(now + MEMORY);
    assert_eq!((state.statistics().clients, state.next_deadline()), (0, None));
    let again = Hello { last: 1, ..hello };
    assert!(state.hello(now + MEMORY, again).expect_err("it is forgotten").contains("is not known"));
}

#[test]
fn a_client_that_comes_back_is_not_forgotten() {
    let now = Instant::now();
    let (mut state, hello) = store(now);
    state.disconnected(now, 1);
    state.hello(now + MEMORY / 2, hello).expect("it comes back in time");
    assert_eq!(state.next_deadline(), None);
    state.expire(now + 2 * MEMORY);
    assert_eq!(state.statistics().clients, 1);
}

#[test]
fn a_parked_get_is_answered_at_the_deadline_that_is_named_though_others_are_away_longer() {
    let now = Instant::now();
    let (mut state, hello) = store(now);
    state.hello(now, Hello { client: 2, key: Secret::random(), ..hello }).expect("another client");
    state.disconnected(now, 2);
    let wait = Duration::from_secs(1);
    assert_eq!(state.request(now, 1, get(1, "key", 1000)), []);
    assert_eq!(state.next_deadline(), Some(now + wait));
    assert_eq!(state.expire(now + wait - A_MOMENT), []);
    assert_eq!(state.expire(now + wait), [(1, Reply { id: 1, answer: ReplyBody::Late })]);
}

#[test]
fn a_new_request_takes_the_parked_one_back() {
    let now = Instant::now();
    let (mut state, hello) = store(now);
    state.hello(now, Hello { client: 2, key: Secret::random(), ..hello }).expect("another client");
    state.request(now, 1, get(1, "first", 1000));
    state.request(now, 1, get(2, "second", 2000));
    assert_eq!(state.statistics().parked, 1);
    // Nothing but its own reply: no client waits for the first key.
    assert_eq!(state.request(now, 2, set(1, "first")), [(2, Reply { id: 1, answer: ReplyBody::Done })]);
    assert_eq!(state.next_deadline(), Some(now + Duration::from_secs(2)));
}

#[test]
fn requests_are_numbered_from_one() {
    let now = Instant::now();
    let (mut state, _) = store(now);
    let refused = state.request(now, 1, set(0, "key"));
    assert!(matches!(&refused[..], [(1, Reply { id: 0, answer: ReplyBody::Wrong(_) })]), "{refused:?}");
    assert_eq!(state.statistics().repeats, 0);
}
