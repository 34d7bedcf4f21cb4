//! Admission and limits; clients and servers that are silent, flood, violate the protocol or die: the others continue or
//! get an error in time.
use std::{
    io::{self, ErrorKind, Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

use rstest::rstest;
use wb_comm::Barrier;
use wb_control::{Client, Credentials, RetryPolicy, Secret, Server};

use crate::{
    protocol::{FromServer, Lines, Op, Request},
    server::{CONNECTIONS_PER_CLIENT, MAX_KEYS},
};

use super::{TIMEOUT, check_barrier_law, client, join, make_all, proxy::Proxy, start, wait_until};

const SHORT_RETRY: RetryPolicy = RetryPolicy { reply_timeout: Duration::from_millis(200), max_attempts: 3 };

/// A connection that says what a test wants.
struct RawConnection(Lines);

impl RawConnection {
    fn to(server: &Server) -> Self {
        let stream = TcpStream::connect(server.credentials().address).expect("connected");
        Self(Lines::new(stream, TIMEOUT).expect("options"))
    }

    fn write(&self, text: &str) -> io::Result<()> {
        self.0.stream().write_all(text.as_bytes())
    }

    fn read(&mut self) -> FromServer {
        self.0.receive(Some(Instant::now() + TIMEOUT)).expect("a line")
    }

    fn ask(&mut self, line: &str) -> FromServer {
        self.write(line).expect("sent");
        self.read()
    }

    /// Returns when the server has closed the connection.
    fn wait_for_close(&mut self) {
        self.0.stream().set_read_timeout(Some(TIMEOUT)).expect("an option");
        if let Err(error) = self.0.stream().read_to_end(&mut vec![]) {
            assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{error}");
        }
    }
}

/// The line of a request of the client that is known by the number 5.
fn request(server: &Server, id: u64, op: Op) -> String {
    let token = server.credentials().token;
    let client = serde_json::from_str("5").expect("a number");
    serde_json::to_string(&Request { token, client, id, op }).expect("a line") + "\n"
}

fn add() -> Op {
    Op::Add { key: "k".into(), delta: 1 }
}

fn get(key: &str, wait: u64) -> Op {
    Op::Get { key: key.into(), wait }
}

/// The reply to a request with this value.
fn reply(id: u64, value: &str) -> FromServer {
    FromServer::Reply { id, answer: Ok(Some(value.into())) }
}

/// The server serves members, as a new group of three.
fn assert_serves(server: &Server) {
    let join = |rank| join(server.credentials(), rank, 3, RetryPolicy::default());
    check_barrier_law(3, join, 5, |_, _| 0).expect("the law");
}

#[rstest]
#[case::http("GET / HTTP/1.1\r\n\r\n", "not a line of the protocol")]
#[case::empty("\n", "not a line of the protocol")]
#[case::another_protocol("{\"version\":3,\"token\":1,\"client\":2}\n", "unknown field `version`")]
#[case::no_operation("{\"token\":1,\"client\":5,\"id\":2}\n", "missing field `op`")]
#[case::another_token(
    "{\"token\":1,\"client\":5,\"id\":2,\"op\":{\"remove\":{\"key\":\"k\"}}}\n",
    "the token is not that of this server"
)]
#[case::long_line(&("x".repeat(4096) + "\n"), "a line of more than 4096 bytes")]
#[case::endless_line(&"y".repeat(20_000), "a line of more than 4096 bytes")]
fn a_line_that_violates_the_protocol_is_refused_with_the_reason(
    #[case] line: &str,
    #[case] reason: &str,
    #[values(false, true)] is_client: bool,
) {
    let server = start(4);
    let mut raw = RawConnection::to(&server);
    if is_client {
        assert_eq!(raw.ask(&request(&server, 1, add())), reply(1, "1"));
    }
    match raw.ask(line) {
        FromServer::Refused(why) => assert!(why.contains(reason), "{line:.40}: {why}"),
        other => panic!("{line:.40}: {other:?}"),
    }
    raw.wait_for_close();
    assert_eq!(server.store().clients.len(), usize::from(is_client));
    assert_serves(&server);
}

#[test]
fn a_rank_joins_once_and_the_members_agree_about_the_size() {
    let server = start(8);
    let join = |rank, size| join(server.credentials(), rank, size, SHORT_RETRY);
    let _first = join(0, 2).expect("the first member");
    for (rank, size, reason) in [
        (
            0,
            2,
            "rank 0 of 2, group world, barrier 0: this member cannot join the group: rank 0 has joined already",
        ),
        (1, 3, "rank 1 of 3, group world, barrier 0: this member cannot join the group: its size is 2"),
        (2, 2, "there is no rank 2 in a group of 2"),
        (0, 0, "there is no rank 0 in a group of 0"),
    ] {
        let message = join(rank, size).expect_err("it cannot be").to_string();
        assert!(message.contains(reason), "{message}");
    }
    join(1, 2).expect("the other member");
}

#[test]
fn a_repeated_request_counts_once_on_any_connection_and_a_new_one_again() {
    let server = start(4);
    let ask = |raw: &mut RawConnection, id| raw.ask(&request(&server, id, add()));
    let mut first = RawConnection::to(&server);
    assert!(format!("{:?}", ask(&mut first, 0)).contains("requests count from 1"));
    for (id, sum) in [(1, "1"), (1, "1"), (2, "2")] {
        assert_eq!(ask(&mut first, id), reply(id, sum));
    }
    let mut again = RawConnection::to(&server);
    assert_eq!(ask(&mut again, 2), reply(2, "2"));
    assert_eq!(ask(&mut again, 3), reply(3, "3"));
    assert!(format!("{:?}", ask(&mut again, 2)).contains("is older than 3"));
    let store = server.store();
    assert_eq!((store.requests, store.repeats), (3, 2));
}

#[test]
fn a_parked_get_is_answered_when_its_time_is_over_or_the_key_is_set_also_on_a_second_connection() {
    let server = start(4);
    let mut one = client(&server);
    let started = Instant::now();
    assert_eq!(one.get("never", Duration::from_millis(150)), Ok(None));
    assert!((150..2000).contains(&started.elapsed().as_millis()), "{:?}", started.elapsed());
    assert_eq!(server.store().requests, 2, "asked once, not again and again");
    let mut connections = [(); 2].map(|()| RawConnection::to(&server));
    for (number, connection) in connections.iter().enumerate() {
        connection.write(&request(&server, 1, get("later", 60_000))).expect("sent");
        wait_until("parked", || server.store().parked == number + 1);
    }
    let mut newest = RawConnection::to(&server);
    assert_eq!(newest.ask(&request(&server, 2, add())), reply(2, "1"));
    one.set("later", "now").expect("set");
    assert_eq!(connections.each_mut().map(RawConnection::read), [reply(1, "now"), reply(1, "now")]);
    assert_eq!(
        newest.ask(&request(&server, 2, add())),
        reply(2, "1"),
        "the answer of the newest request stays"
    );
    assert_eq!(server.store().repeats, 2);
}

#[test]
fn beyond_a_limit_the_request_is_an_error_and_the_others_continue() {
    let server = start(2);
    let (mut one, _two) = (client(&server), client(&server));
    let third = Client::connect(server.credentials(), SHORT_RETRY).map(drop);
    one.set("a", "text").expect("set");
    one.set("b", "1").expect("set");
    (2..MAX_KEYS).for_each(|key| one.set(&key.to_string(), "").expect("set"));
    for (refused, part) in [
        (third, "there are 2 clients, more are not allowed"),
        (one.set("d", ""), "there are 4096 keys, more are not allowed"),
        (one.add("a", 1).map(drop), "was set to a text"),
        (one.add("b", i64::MAX).map(drop), "leaves 64 bits"),
    ] {
        let message = refused.expect_err("a limit").to_string();
        assert!(message.contains(part), "{message}");
    }
    one.remove("a").expect("removed");
    one.remove("a").expect("not there");
    assert_eq!((one.add("b", -3), one.set("d", "123")), (Ok(-2), Ok(())));
    let long = one.set("b", &"x".repeat(4096)).expect_err("a limit").to_string();
    assert!(long.contains("a line of more than 4096 bytes"), "{long}");
}

/// One more closes the oldest, so members that ask at once are admitted.
#[test]
fn silent_connections_keep_no_member_out() {
    let server = Server::start_with(Ipv4Addr::LOCALHOST, 8, 10 * TIMEOUT).expect("a server");
    let mut silent: Vec<_> = (0..24).map(|_| RawConnection::to(&server)).collect();
    silent.drain(..8).for_each(|mut oldest| oldest.wait_for_close());
    assert_eq!(server.store().silent.len(), 8 * CONNECTIONS_PER_CLIENT);
    assert_serves(&server);
}

/// The request comes byte by byte, which does not move the time by which it has to be complete.
#[test]
fn a_slow_stranger_is_cut_off_and_a_slow_client_is_not() {
    let silence_timeout = Duration::from_millis(300);
    let server = Server::start_with(Ipv4Addr::LOCALHOST, 1, silence_timeout).expect("a server");
    let (started, slow, mut member) =
        (Instant::now(), RawConnection::to(&server), RawConnection::to(&server));
    assert_eq!(member.ask(&request(&server, 1, add())), reply(1, "1"));
    while slow.write(" ").is_ok() {
        assert!(started.elapsed() < TIMEOUT, "it is still connected");
        thread::sleep(Duration::from_millis(20));
    }
    assert!(started.elapsed() >= silence_timeout, "it had its time");
    // A rank may compute for hours.
    let line = request(&server, 2, add());
    let (first, rest) = line.split_at(9);
    member.write(first).expect("sent");
    thread::sleep(silence_timeout);
    assert_eq!(member.ask(rest), reply(2, "2"));
}

#[test]
fn who_asks_and_never_reads_is_cut_off() {
    let server = start(4);
    let mut loud = RawConnection::to(&server);
    loud.ask(&request(&server, 1, Op::Set { key: "k".into(), value: "v".repeat(3000) }));
    let ended = (2..).find_map(|id| loud.write(&request(&server, id, get("k", 0)).repeat(100)).err());
    let ended = ended.expect("an end").kind();
    assert!([ErrorKind::ConnectionReset, ErrorKind::BrokenPipe].contains(&ended), "{ended}");
    assert_serves(&server);
}

#[test]
fn a_server_that_is_silent_or_talks_nonsense_ends_in_an_error() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let at = Credentials { address: listener.local_addr().expect("an address"), token: Secret::random() };
    let connect = |policy| Client::connect(at, policy).expect_err("no server").to_string();
    let started = Instant::now();
    assert!(connect(SHORT_RETRY).contains("nothing came in time"));
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    let server = thread::spawn(move || {
        // The connections of the attempts before.
        (0..3).for_each(|_| drop(listener.accept()));
        let admitted = "{\"reply\":{\"id\":1,\"answer\":{\"Ok\":null}}}\n";
        let text = format!("{admitted}{}", admitted.replace('1', "2").replace("null", "\"text\""));
        let long = "x".repeat(1 << 20);
        let other = admitted.repeat(2);
        [&long, "220 ready\n", "{\"refused\":\"because\"}\n", &other, &text].map(|line| {
            let (mut stream, _) = listener.accept().expect("a client");
            let _closed_by_the_client = stream.write_all(line.as_bytes());
            stream
        })
    });
    for part in ["a line of more than", "breaks the protocol: not a line", "refused this client: because"] {
        let message = connect(RetryPolicy { max_attempts: 1, ..RetryPolicy::default() });
        assert!(message.contains(part), "{message}");
    }
    for part in ["breaks the protocol: not expected now", "breaks the protocol: \"text\" is not a sum"] {
        let mut client = Client::connect(at, RetryPolicy::default()).expect("welcome");
        let message = client.add("k", 1).expect_err("no such reply").to_string();
        assert!(message.contains(part), "{message}");
    }
    drop(server.join().expect("no panic"));
}

#[test]
fn a_server_that_shuts_down_says_so_to_those_who_wait() {
    let server = start(4);
    let at = server.credentials();
    let mut zero = join(at, 0, 2, RetryPolicy::default()).expect("joined");
    let mut idle = client(&server);
    let waiting = thread::spawn(move || zero.wait());
    wait_until("parked", || server.store().parked == 1);
    let started = Instant::now();
    drop(server);
    assert!(started.elapsed() < Duration::from_millis(900), "{:?}", started.elapsed());
    let message = waiting.join().expect("no panic").expect_err("the server is gone").to_string();
    let refused = format!("the store at {} refused this client: the server shuts down", at.address);
    assert!(message.contains(&format!("rank 0 of 2, group world, barrier 1: {refused}")), "{message}");
    let lost = idle.add("k", 1).expect_err("the server is gone");
    assert_eq!(idle.set("k", "v"), Err(lost), "the client is of no use any more");
    let refused = TcpStream::connect(at.address).map(drop).map_err(|error| error.kind());
    assert_eq!(refused, Err(ErrorKind::ConnectionRefused), "the port is free");
}

#[test]
fn a_server_that_dies_ends_every_member_in_an_error_that_stays() {
    let server = start(4);
    let proxy = Proxy::new(&server, 0, 1);
    let at = proxy.credentials;
    let run = |rank| {
        let mut barrier = join(at, rank, 4, SHORT_RETRY).expect("joined");
        let ended = (1u64..).find_map(|number| barrier.wait().err().map(|error| (number, error.to_string())));
        let (number, message) = ended.expect("it ends");
        assert_eq!(barrier.wait().expect_err("and stays so").to_string(), message);
        (number, message)
    };
    let ended = thread::scope(|scope| {
        scope.spawn(|| {
            wait_until("barriers run", || server.store().requests > 100);
            proxy.kill();
        });
        make_all(4, run)
    });
    for (rank, (barrier, message)) in ended.iter().enumerate() {
        let store = format!("the store at {} does not answer", at.address);
        let place = format!("rank {rank} of 4, group world, barrier {barrier}: {store}");
        assert!(*barrier > 1 && message.contains(&place), "{message}");
    }
}
