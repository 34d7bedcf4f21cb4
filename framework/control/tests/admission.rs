//! Admission: members join, whatever is done by clients without a token, with another client's number, or without a
//! hello.
mod support;

use std::{
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    net::TcpStream,
    sync::atomic::{AtomicBool, Ordering::SeqCst},
    thread,
    time::{Duration, Instant},
};

use support::barrier_law::{MemberBarrier, check_barrier_law, make_all, no_delay};
use wb_control::{
    Client, ControlBarrier, Credentials, RetryPolicy, Secret, Server, Store, StoreLimits, StoreLink, TcpLink,
    protocol::{StoreOp, StoreRequest},
};

const TIMEOUT: Duration = Duration::from_secs(20);
/// More silent connections than the server takes.
const SILENT_CONNECTIONS: usize = 1000;

fn deadline() -> Instant {
    Instant::now() + TIMEOUT
}

/// The server's first line in reply to `hello`.
fn first_reply(server: &Server, hello: &str) -> String {
    let mut stream = TcpStream::connect(server.address()).expect("connected");
    stream.set_read_timeout(Some(TIMEOUT)).expect("an option");
    stream.write_all(hello.as_bytes()).expect("sent");
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).expect("a line");
    line
}

/// Every member joins, and passes some barriers.
fn assert_members_join(server: Credentials, size: usize) {
    let join = |rank| ControlBarrier::connect(server, rank, size, TIMEOUT).expect("joined");
    let members =
        make_all(size, join).into_iter().map(|barrier| Box::new(barrier) as MemberBarrier).collect();
    check_barrier_law(members, 10, no_delay).expect("the law");
}

#[test]
fn without_the_token_nobody_is_a_client() {
    let server = Server::start(StoreLimits::default()).expect("a server");
    let right = server.credentials().token;
    let mut almost = right.to_hex().into_bytes();
    almost[31] = if almost[31] == b'0' { b'1' } else { b'0' };
    let almost = String::from_utf8(almost).expect("digits").parse().expect("a secret");
    for token in [Secret::random(), almost] {
        let message = Client::connect(Credentials { token, ..server.credentials() }, RetryPolicy::default());
        let message = message.expect_err("another token").to_string();
        assert!(
            message.contains("the token is not this server's") && !message.contains(&right.to_hex()),
            "{message}"
        );
    }
    for (field, part) in [
        ("", "missing field `token`"),
        (",\"token\":\"\"", "a secret is 32"),
        (",\"token\":null", "not a line of protocol"),
    ] {
        let key = "0".repeat(32);
        let hello =
            format!("{{\"hello\":{{\"version\":2,\"client\":1,\"last\":0{field},\"key\":\"{key}\"}}}}\n");
        let answer = first_reply(&server, &hello);
        assert!(answer.starts_with("{\"refused\"") && answer.contains(part), "{answer}");
    }
    assert_eq!((server.statistics().clients, server.statistics().requests()), (0, 0));
    assert_members_join(server.credentials(), 3);
}

/// The member waits for a key meanwhile, which it gets: no other client takes over its connection or its request.
#[test]
fn a_session_is_not_taken_over_by_its_number() {
    let server = Server::start(StoreLimits::default()).expect("a server");
    let (number, key) = (77, Secret::random());
    let mut member = TcpLink::new(server.credentials());
    member.open((number, key), 0, deadline()).expect("a new client");
    let ask = |id, op| StoreRequest { id, op };
    let add = |delta| StoreOp::Add { key: "k".into(), delta };
    member.exchange(&ask(1, add(1)), deadline()).expect("an answer");
    let wait = ask(2, StoreOp::Get { key: "later".into(), wait: 20_000 });
    thread::scope(|scope| {
        let waiting = scope.spawn(|| member.exchange(&wait, deadline()));
        while server.statistics().parked == 0 {
            thread::sleep(Duration::from_millis(1));
        }
        for (token, key, last) in [
            // The number and nothing else.
            (Secret::random(), Secret::random(), 2),
            // A member that knows another's number, as one that comes back and as a new one.
            (server.credentials().token, Secret::random(), 2),
            (server.credentials().token, Secret::random(), 0),
            // The session's key without the token.
            (Secret::random(), key, 2),
        ] {
            let mut attacker = TcpLink::new(Credentials { token, ..server.credentials() });
            let message =
                attacker.open((number, key), last, deadline()).expect_err("not its session").to_string();
            assert!(message.contains("another key") || message.contains("the token is not"), "{message}");
        }
        assert_eq!(server.statistics().parked, 1, "the member still waits");
        let mut other = Client::connect(server.credentials(), RetryPolicy::default()).expect("a client");
        other.set("later", "now").expect("set");
        let answer = waiting.join().expect("no panic").expect("the member's own connection");
        assert_eq!(answer, wb_control::protocol::ReplyBody::Value("now".into()));
    });
    // The owner of the key may come back, and a request that it repeats counts once.
    let mut again = TcpLink::new(server.credentials());
    again.open((number, key), 2, deadline()).expect("its own session");
    again.exchange(&ask(3, add(1)), deadline()).expect("an answer");
    assert_eq!(again.exchange(&ask(3, add(1)), deadline()), Ok(wb_control::protocol::ReplyBody::Sum(2)));
}

#[test]
fn a_thousand_silent_connections_keep_no_member_out() {
    // Silent connections may stay longer than the test: no member is admitted because a timeout expires.
    let limits = StoreLimits { hello_timeout: 10 * TIMEOUT, ..StoreLimits::default() };
    let server = Server::start(limits).expect("a server");
    let connect = |_| TcpStream::connect(server.address()).expect("connected");
    let silent: Vec<_> = (0..SILENT_CONNECTIONS).map(connect).collect();
    let started = Instant::now();
    assert_members_join(server.credentials(), 8);
    assert!(started.elapsed() < TIMEOUT, "{:?}", started.elapsed());
    let strangers = server.statistics().unauthenticated;
    assert!((1..=limits.max_unauthenticated).contains(&strangers), "{strangers} of {SILENT_CONNECTIONS}");
    drop(silent);
}

#[test]
fn connections_that_come_without_end_keep_no_member_out() {
    let server = Server::start(StoreLimits { hello_timeout: 10 * TIMEOUT, ..StoreLimits::default() })
        .expect("a server");
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut kept = std::collections::VecDeque::new();
            while !over.load(SeqCst) {
                kept.extend(TcpStream::connect(server.address()));
                kept.drain(..kept.len().saturating_sub(SILENT_CONNECTIONS));
            }
        });
        assert_members_join(server.credentials(), 4);
        over.store(true, SeqCst);
    });
}

/// Each sends a hello byte by byte, which does not move the time by which the hello has to be complete.
#[test]
fn who_says_hello_too_slowly_is_cut_off_while_it_speaks() {
    let limits = StoreLimits { hello_timeout: Duration::from_millis(400), ..StoreLimits::default() };
    let server = Server::start(limits).expect("a server");
    let slow: Vec<_> = (0..64).map(|_| TcpStream::connect(server.address()).expect("connected")).collect();
    let started = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut left = slow;
            while !left.is_empty() {
                assert!(started.elapsed() < TIMEOUT, "{} are still connected", left.len());
                left.retain_mut(|stream| stream.write_all(b" ").is_ok() && !is_closed(stream));
                // Slow enough that the length limit of a hello does not end it.
                thread::sleep(limits.hello_timeout / 4);
            }
        });
        assert_members_join(server.credentials(), 4);
    });
    assert!(started.elapsed() >= limits.hello_timeout, "they had their time");
    assert_eq!(server.statistics().unauthenticated, 0);
}

/// Has the server closed it, possibly after a refusal?
fn is_closed(stream: &mut TcpStream) -> bool {
    stream.set_nonblocking(true).expect("an option");
    let mut rest = vec![];
    let ended = stream.read_to_end(&mut rest);
    stream.set_nonblocking(false).expect("an option");
    !matches!(ended, Err(error) if error.kind() == ErrorKind::WouldBlock)
}
