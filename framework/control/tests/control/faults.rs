//! Admission and limits; clients and servers that are silent, flood, violate the protocol or die: the others continue or
//! get an error in time.
use std::{
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

use rstest::rstest;
use wb_comm::Barrier;
use wb_control::{Client, ControlBarrier, Credentials, RetryPolicy, Secret, Server, StoreLimits};

use super::{TIMEOUT, assert_serves, client, make_all, member, proxy::Proxy, start, wait_until};

const SHORT_RETRY: RetryPolicy = RetryPolicy {
    reply_timeout: Duration::from_millis(200),
    max_attempts: 3,
    initial_backoff: Duration::from_millis(5),
};

/// A connection that says what a test wants.
struct RawConnection(BufReader<TcpStream>);

impl RawConnection {
    fn to(server: &Server) -> Self {
        let stream = TcpStream::connect(server.address()).expect("connected");
        stream.set_read_timeout(Some(TIMEOUT)).expect("an option");
        stream.set_write_timeout(Some(TIMEOUT)).expect("an option");
        Self(BufReader::new(stream))
    }

    /// As rank 0 of 2 of group "raw", a client that is known by `digit`.
    fn joined(server: &Server, digit: char) -> Self {
        let mut raw = Self::to(server);
        raw.send(&hello(server.credentials().token, digit, "\"rank\":0,\"size\":2"));
        assert_eq!(raw.read_line(), "\"welcome\"");
        raw
    }

    fn send(&mut self, text: &str) {
        self.0.get_mut().write_all(text.as_bytes()).expect("sent");
    }

    fn read_line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).expect("a line or the end");
        line.trim_end().to_owned()
    }

    fn ask(&mut self, id: u64, op: &str) -> String {
        self.send(&format!("{{\"id\":{id},\"op\":{op}}}\n"));
        self.read_line()
    }

    /// Returns when the server has closed the connection.
    fn wait_for_close(&mut self) {
        if let Err(error) = self.0.read_to_end(&mut vec![]) {
            assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{error}");
        }
    }
}

fn hello(token: Secret, digit: char, member: &str) -> String {
    let (token, client) = (String::from(token), digit.to_string().repeat(32));
    format!(
        "{{\"version\":3,\"token\":\"{token}\",\"client\":\"{client}\",\"member\":{{\"group\":\"raw\",{member}}}}}\n"
    )
}

const ADD: &str = "{\"add\":{\"key\":\"k\",\"delta\":1}}";
const GET: &str = "{\"get\":{\"key\":\"later\",\"wait\":60000}}";

/// `TOKEN` stands for the server's token.
#[rstest]
#[case::http("GET / HTTP/1.1\r\n\r\n", "not a line of protocol version 3")]
#[case::empty("\n", "not a line of protocol")]
#[case::version_2(
    "{\"hello\":{\"version\":2,\"client\":5,\"last\":0}}\n",
    "not a line of protocol version 3"
)]
#[case::version_4("TOKEN", "this server speaks 3")]
#[case::request_first("{\"id\":1,\"op\":{\"remove\":{\"key\":\"k\"}}}\n", "not a line of protocol")]
#[case::long_line(&("x".repeat(4096) + "\n"), "a line of more than 4096 bytes")]
#[case::endless_line(&"y".repeat(20_000), "a line of more than 4096 bytes")]
fn a_first_line_that_is_no_hello_is_refused_with_the_reason(#[case] said: &str, #[case] reason: &str) {
    let server = start(StoreLimits::default());
    let later = hello(server.credentials().token, '5', "\"rank\":0,\"size\":1").replace(":3,", ":4,");
    let said = if said == "TOKEN" { &later } else { said };
    let mut raw = RawConnection::to(&server);
    raw.send(said);
    let answer = raw.read_line();
    assert!(answer.starts_with("{\"refused\":") && answer.contains(reason), "{said:.40}: {answer}");
    raw.wait_for_close();
    assert_eq!(server.statistics().members, 0);
    assert_serves(&server, "g");
}

#[test]
fn a_member_that_violates_the_protocol_is_refused_with_the_reason() {
    let server = start(StoreLimits::default());
    let (long, second) = ("x".repeat(5000), hello(server.credentials().token, '5', "\"rank\":0,\"size\":2"));
    for (said, reason) in [(long, "more than 4096 bytes"), (second, "unknown field `version`")] {
        let mut raw = RawConnection::joined(&server, '5');
        raw.send(&said);
        let answer = raw.read_line();
        assert!(answer.starts_with("{\"refused\":") && answer.contains(reason), "{answer}");
        raw.wait_for_close();
    }
    assert_serves(&server, "g");
}

#[test]
fn without_the_token_nobody_is_a_client() {
    let server = start(StoreLimits::default());
    let mut almost = server.credentials().to_string();
    let last = if almost.pop() == Some('0') { '1' } else { '0' };
    almost.push(last);
    for token in [Secret::random(), almost.parse::<Credentials>().expect("credentials").token] {
        let at = Credentials { token, ..server.credentials() };
        let message =
            Client::connect(at, member("a", 0, 1), RetryPolicy::default()).expect_err("another token");
        assert!(message.to_string().contains("the token is not that of this server"), "{message}");
    }
    assert_eq!((server.statistics().members, server.statistics().requests), (0, 0));
}

#[test]
fn a_rank_joins_once_and_the_members_agree_about_the_size() {
    let server = start(StoreLimits::default());
    let _first = RawConnection::joined(&server, '5');
    let join = |rank, size| Client::connect(server.credentials(), member("raw", rank, size), SHORT_RETRY);
    for (rank, size, reason) in [
        (0, 2, "rank 0 has joined already"),
        (1, 3, "this rank has a group of 3, rank 0 of 2"),
        (2, 2, "rank 2 in a group of 2"),
        (0, 0, "rank 0 in a group of 0"),
    ] {
        let message = join(rank, size).expect_err("it cannot be").to_string();
        assert!(message.contains(reason), "{message}");
    }
    join(1, 2).expect("the other member");
}

#[test]
fn a_repeated_request_counts_once_on_any_connection_and_a_new_one_again() {
    let server = start(StoreLimits::default());
    let mut first = RawConnection::joined(&server, '5');
    let sum = |id: u64, sum: u64| format!("{{\"reply\":{{\"id\":{id},\"answer\":{{\"sum\":{sum}}}}}}}");
    assert!(first.ask(0, ADD).contains("is older than 0"), "requests count from 1");
    assert_eq!([first.ask(1, ADD), first.ask(1, ADD), first.ask(2, ADD)], [sum(1, 1), sum(1, 1), sum(2, 2)]);
    let mut again = RawConnection::joined(&server, '5');
    first.wait_for_close();
    assert_eq!([again.ask(2, ADD), again.ask(3, ADD)], [sum(2, 2), sum(3, 3)]);
    assert!(again.ask(2, ADD).contains("is older than 3"));
    assert_eq!((server.statistics().requests, server.statistics().repeats), (3, 2));
}

#[test]
fn a_parked_get_is_answered_late_or_when_the_key_is_set_or_to_the_connection_that_repeats_it() {
    let server = start(StoreLimits::default());
    let mut one = client(&server, "one").expect("a client");
    let started = Instant::now();
    assert_eq!(one.get("never", Duration::from_millis(150)), Ok(None));
    assert!((150..2000).contains(&started.elapsed().as_millis()), "{:?}", started.elapsed());
    assert_eq!(server.statistics().requests, 1, "asked once, not again and again");
    let mut lost = RawConnection::joined(&server, '5');
    lost.send(&format!("{{\"id\":1,\"op\":{GET}}}\n"));
    wait_until("parked", || server.statistics().parked == 1);
    drop(lost);
    wait_until("the connection has ended", || server.statistics().parked == 0);
    let mut again = RawConnection::joined(&server, '5');
    again.send(&format!("{{\"id\":1,\"op\":{GET}}}\n"));
    wait_until("parked again", || server.statistics().parked == 1);
    one.set("later", "now").expect("set");
    assert_eq!(again.read_line(), "{\"reply\":{\"id\":1,\"answer\":{\"value\":\"now\"}}}");
    assert_eq!((server.statistics().parked, server.statistics().repeats), (0, 1));
}

#[test]
fn beyond_a_limit_the_request_is_an_error_and_the_others_continue() {
    let limits = StoreLimits { max_clients: 2, max_keys: 3, max_bytes: 12, ..StoreLimits::default() };
    let server = start(limits);
    let (mut one, _two) =
        (client(&server, "one").expect("a client"), client(&server, "two").expect("a client"));
    let message = client(&server, "three").expect_err("two are there").to_string();
    assert!(message.contains("there are 2 clients, more are not allowed"), "{message}");
    one.add("n", i64::MAX - 1).map(drop).expect_err("20 bytes");
    one.set("a", "text").expect("5 bytes");
    one.set("b", "1").expect("2 bytes");
    one.set("c", "1").expect("2 bytes");
    for (refused, part) in [
        (one.set("d", ""), "there are 3 keys"),
        (one.set("c", "12345"), "13 bytes; 12 are allowed"),
        (one.add("a", 1).map(drop), "was set to a text"),
        (one.add("b", i64::MAX).map(drop), "leaves 64 bits"),
    ] {
        let message = refused.expect_err("a limit").to_string();
        assert!(message.contains(part), "{message}");
    }
    one.set("c", "1234").expect("12 bytes");
    one.remove("a").expect("removed");
    one.remove("a").expect("not there");
    assert_eq!((one.add("b", -3), one.set("d", "123")), (Ok(-2), Ok(())));
    let counted = server.statistics();
    assert_eq!((counted.keys, counted.bytes), (3, 3 + 5 + 4));
}

/// One more closes the oldest, so members that say hello at once are admitted.
#[test]
fn silent_connections_keep_no_member_out() {
    let limits = StoreLimits { max_clients: 16, hello_timeout: 10 * TIMEOUT, ..StoreLimits::default() };
    let server = start(limits);
    let mut silent: Vec<_> = (0..24).map(|_| RawConnection::to(&server)).collect();
    silent.drain(..8).for_each(|mut oldest| oldest.wait_for_close());
    wait_until("16 are left", || server.statistics().strangers == limits.max_clients);
    assert_serves(&server, "g");
    assert!(server.statistics().strangers <= limits.max_clients);
}

/// The hello comes byte by byte, which does not move the time by which it has to be complete.
#[test]
fn a_slow_hello_is_cut_off_and_a_slow_member_is_not() {
    let hello_timeout = Duration::from_millis(300);
    let server = start(StoreLimits { hello_timeout, ..StoreLimits::default() });
    let (started, mut slow) = (Instant::now(), RawConnection::to(&server));
    let mut member = RawConnection::joined(&server, '5');
    while slow.0.get_mut().write_all(b" ").is_ok() {
        assert!(started.elapsed() < TIMEOUT, "it is still connected");
        thread::sleep(Duration::from_millis(20));
    }
    assert!(started.elapsed() >= hello_timeout, "it had its time");
    // A rank may compute for hours; a Get that is parked when its time is over does not lose the request that follows.
    let request = format!("{{\"id\":1,\"op\":{ADD}}}\n");
    let (first, rest) = request.split_at(9);
    member.send(first);
    thread::sleep(hello_timeout);
    member.send(rest);
    assert_eq!(member.read_line(), "{\"reply\":{\"id\":1,\"answer\":{\"sum\":1}}}");
}

#[test]
fn who_asks_and_never_reads_is_cut_off() {
    let server = start(StoreLimits::default());
    let mut loud = RawConnection::joined(&server, '5');
    let long = format!("{{\"set\":{{\"key\":\"k\",\"value\":\"{}\"}}}}", "v".repeat(3000));
    assert_eq!(loud.ask(1, &long), "{\"reply\":{\"id\":1,\"answer\":\"done\"}}");
    let ended = (2..).find_map(|id: u64| {
        let line = format!("{{\"id\":{id},\"op\":{{\"get\":{{\"key\":\"k\",\"wait\":0}}}}}}\n").repeat(100);
        loud.0.get_mut().write_all(line.as_bytes()).err()
    });
    let ended = ended.expect("an end").kind();
    assert!([ErrorKind::ConnectionReset, ErrorKind::BrokenPipe].contains(&ended), "{ended}");
    assert_serves(&server, "g");
}

#[test]
fn a_server_that_is_silent_or_talks_nonsense_ends_in_an_error() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let at = Credentials { address: listener.local_addr().expect("an address"), token: Secret::random() };
    let connect = |policy| Client::connect(at, member("a", 0, 1), policy).expect_err("no server").to_string();
    let started = Instant::now();
    assert!(connect(SHORT_RETRY).contains("nothing came in time"));
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    let server = thread::spawn(move || {
        // The connections of the attempts before.
        (0..3).for_each(|_| drop(listener.accept()));
        let other = "\"welcome\"\n{\"reply\":{\"id\":7,\"answer\":{\"sum\":1}}}\n";
        let long = "x".repeat(1 << 20);
        [&long, "220 ready\n", "{\"refused\":\"because\"}\n", other].map(|said| {
            let (mut stream, _) = listener.accept().expect("a client");
            let _closed_by_the_client = stream.write_all(said.as_bytes());
            stream
        })
    });
    for part in ["a line of more than", "breaks the protocol: not a line", "refused this client: because"] {
        let message = connect(RetryPolicy { max_attempts: 1, ..RetryPolicy::default() });
        assert!(message.contains(part), "{message}");
    }
    let mut client = Client::connect(at, member("a", 0, 1), RetryPolicy::default()).expect("welcome");
    let message = client.add("k", 1).expect_err("the reply to another request").to_string();
    assert!(message.contains("breaks the protocol: not expected now"), "{message}");
    drop(server.join().expect("no panic"));
}

#[test]
fn a_server_that_shuts_down_says_so_to_those_who_wait() {
    let server = start(StoreLimits::default());
    let mut zero = ControlBarrier::connect(server.credentials(), 0, 2, TIMEOUT).expect("joined");
    let mut idle = client(&server, "idle").expect("a client");
    let waiting = thread::spawn(move || zero.wait());
    wait_until("parked", || server.statistics().parked == 1);
    let (started, at) = (Instant::now(), server.address());
    server.shut_down();
    assert!(started.elapsed() < Duration::from_millis(900), "{:?}", started.elapsed());
    let message = waiting.join().expect("no panic").expect_err("the server is gone").to_string();
    assert!(message.contains("rank 0 of 2, group world, barrier 1"), "{message}");
    assert!(message.contains("the server shuts down"), "{message}");
    let lost = idle.add("k", 1).expect_err("the server is gone");
    assert_eq!(idle.set("k", "v"), Err(lost), "the client is of no use any more");
    let refused = TcpStream::connect(at).map(drop).map_err(|error| error.kind());
    assert_eq!(refused, Err(ErrorKind::ConnectionRefused), "the port is free");
}

#[test]
fn a_server_that_dies_ends_every_member_in_an_error_that_stays() {
    let server = start(StoreLimits::default());
    let proxy = Proxy::new(&server, 0, 1);
    let at = proxy.credentials;
    let run = |rank| {
        let client = Client::connect(at, member("world", rank, 4), SHORT_RETRY).expect("joined");
        let mut barrier = ControlBarrier::new(client, TIMEOUT);
        let ended = (1u64..).find_map(|number| barrier.wait().err().map(|error| (number, error.to_string())));
        let (number, message) = ended.expect("it ends");
        assert_eq!(barrier.wait().expect_err("and stays so").to_string(), message);
        (number, message)
    };
    let ended = thread::scope(|scope| {
        scope.spawn(|| {
            wait_until("barriers run", || server.statistics().requests > 100);
            proxy.kill();
        });
        make_all(4, run)
    });
    for (rank, (barrier, message)) in ended.iter().enumerate() {
        let place = format!("rank {rank} of 4, group world, barrier {barrier}: ");
        let store = format!("the store at {} does not answer", at.address);
        assert!(*barrier > 1 && message.contains(&place) && message.contains(&store), "{message}");
    }
}
