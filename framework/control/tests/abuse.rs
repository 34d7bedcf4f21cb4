//! Clients and servers that misbehave: one is silent, floods, violates the protocol or dies; the others continue or get
//! an error in time.
mod support;

use std::{
    env, fs,
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use support::barrier_law::{MemberBarrier, check_barrier_law, make_all, no_delay};
use wb_comm::Barrier;
use wb_control::{Client, ControlBarrier, Credentials, RetryPolicy, Secret, Server, Store, StoreLimits};
use wb_process::{Job, die_with_parent};

const TIMEOUT: Duration = Duration::from_secs(20);
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
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("an option");
        Self(BufReader::new(stream))
    }

    fn connected(server: &Server, client: u64) -> Self {
        let mut raw = Self::to(server);
        raw.send(&hello(2, client, 0, server.credentials().token));
        assert_eq!(raw.read_line(), "{\"welcome\":{\"version\":2}}");
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

    /// Returns when the server has closed the connection.
    fn wait_for_close(&mut self) {
        let mut rest = vec![];
        match self.0.read_to_end(&mut rest) {
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{error}"),
        }
    }
}

/// The line of a hello, with a key that is always the same.
fn hello(version: u32, client: u64, last: u64, token: Secret) -> String {
    let (token, key) = (token.to_hex(), "5".repeat(32));
    format!(
        "{{\"hello\":{{\"version\":{version},\"client\":{client},\"last\":{last},\"token\":\"{token}\",\"key\":\"{key}\"}}}}\n"
    )
}

/// A client's view of a server whose address it knows.
fn credentials_for(address: SocketAddr) -> Credentials {
    Credentials { address, token: Secret::random() }
}

/// The server still serves others.
fn assert_still_serves(server: &Server, group: usize) {
    let join = |rank| {
        let client = Client::connect(server.credentials(), RetryPolicy::default()).expect("a client");
        let member = wb_control::GroupMember { group: format!("g{group}"), version: 1, rank, size: 3 };
        Box::new(ControlBarrier::join(client, member, TIMEOUT).expect("joined")) as MemberBarrier
    };
    check_barrier_law(make_all(3, join), 5, no_delay).expect("the law");
}

#[test]
fn lines_that_are_no_protocol_are_refused_with_the_reason() {
    let server = Server::start(StoreLimits::default()).expect("a server");
    let request = "{\"request\":{\"id\":1,\"op\":{\"remove\":{\"key\":\"k\"}}}}\n";
    let token = server.credentials().token;
    let oversize = "x".repeat(StoreLimits::default().max_hello_bytes) + "\n";
    let endless = "y".repeat(2 * StoreLimits::default().max_line_bytes);
    let cases = [
        ("GET / HTTP/1.1\r\n\r\n", "not a line of protocol version 2"),
        ("\n", "not a line of protocol"),
        // Version 1 had no token.
        ("{\"hello\":{\"version\":1,\"client\":5,\"last\":0}}\n", "missing field `token`"),
        (&hello(3, 5, 0, token), "this server speaks 2"),
        (&hello(2, 5, 3, token), "not known"),
        (request, "has to be a hello"),
        ("\"bye\"\n", "has to be a hello"),
        (&oversize, "more than 512 bytes"),
        (&endless, "more than 512 bytes"),
    ];
    for (number, (said, reason)) in cases.into_iter().enumerate() {
        let mut raw = RawConnection::to(&server);
        raw.send(said);
        let answer = raw.read_line();
        assert!(answer.starts_with("{\"refused\":") && answer.contains(reason), "{said:.40}: {answer}");
        raw.wait_for_close();
        assert_still_serves(&server, number);
    }
    let mut twice = RawConnection::connected(&server, 5);
    twice.send(&hello(2, 5, 0, token));
    assert!(twice.read_line().contains("a second hello"));
    for said in [&(endless.clone() + "\n"), &endless] {
        let mut member = RawConnection::connected(&server, 6);
        member.send(said);
        assert!(member.read_line().contains("more than 8192 bytes"), "of a client, {} bytes", said.len());
        member.wait_for_close();
    }
}

#[test]
fn who_says_nothing_is_cut_off_and_who_is_slow_is_not() {
    let server =
        Server::start(StoreLimits { hello_timeout: Duration::from_millis(300), ..StoreLimits::default() })
            .expect("a server");
    let mut silent = RawConnection::to(&server);
    let mut quiet = RawConnection::connected(&server, 9);
    assert_still_serves(&server, 0);
    silent.wait_for_close();
    // One byte at a time, and a pause that is longer than a hello may take: a rank may compute for hours.
    thread::sleep(Duration::from_millis(400));
    for byte in "{\"request\":{\"id\":1,\"op\":{\"add\":{\"key\":\"k\",\"delta\":3}}}}\n".split_inclusive("")
    {
        quiet.send(byte);
        thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(quiet.read_line(), "{\"reply\":{\"id\":1,\"answer\":{\"sum\":3}}}");
}

#[test]
fn who_asks_and_never_reads_is_cut_off() {
    let server = Server::start(StoreLimits::default()).expect("a server");
    let mut loud = RawConnection::connected(&server, 4);
    let stream = loud.0.get_mut();
    stream.set_write_timeout(Some(Duration::from_secs(20))).expect("an option");
    let mut id = 0u64;
    let started = Instant::now();
    let ended = loop {
        id += 1;
        let line =
            format!("{{\"request\":{{\"id\":{id},\"op\":{{\"get\":{{\"key\":\"k\",\"wait\":0}}}}}}}}\n");
        if let Err(error) = stream.write_all(line.as_bytes()) {
            break error;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{id} requests, and nobody objects");
    };
    assert!([ErrorKind::ConnectionReset, ErrorKind::BrokenPipe].contains(&ended.kind()), "{ended}");
    assert_still_serves(&server, 0);
}

#[test]
fn limits_are_answers_and_the_client_goes_on() {
    let limits = StoreLimits {
        max_key_bytes: 40,
        max_value_bytes: 8,
        max_keys: 3,
        max_parked: 1,
        max_clients: 2,
        ..StoreLimits::default()
    };
    let server = Server::start(limits).expect("a server");
    let connect = || Client::connect(server.credentials(), SHORT_RETRY);
    let (mut one, mut two) = (connect().expect("a client"), connect().expect("another"));
    let message = connect().expect_err("a third one").to_string();
    assert!(message.contains("there are 2 clients"), "{message}");
    for (message, part) in [
        (one.set(&"k".repeat(41), "v"), "key of 41 bytes"),
        (one.set("k", "123456789"), "value of 9 bytes"),
        (one.add("", 1).map(drop), "without a letter"),
    ] {
        let message = message.expect_err("a limit").to_string();
        assert!(message.contains(part), "{message}");
    }
    ["a", "b", "c"].iter().for_each(|key| one.set(key, "v").expect("room"));
    assert!(one.add("d", 1).expect_err("no room").to_string().contains("3 keys"));
    thread::scope(|scope| {
        let parked = scope.spawn(|| two.get("later", TIMEOUT));
        while server.statistics().parked == 0 {
            thread::sleep(Duration::from_millis(1));
        }
        let message = one.get("never", TIMEOUT).expect_err("one is parked").to_string();
        assert!(message.contains("1 Gets are parked"), "{message}");
        one.remove("a").expect("removed");
        one.set("later", "now").expect("room again");
        assert_eq!(parked.join().expect("no panic"), Ok(Some("now".into())));
    });
    drop(two);
    // A client that says goodbye makes room immediately.
    let by = Instant::now() + TIMEOUT;
    while server.statistics().clients > 1 {
        assert!(Instant::now() < by, "{:?}", server.statistics());
    }
    connect().expect("room for another");
}

#[test]
fn a_get_is_answered_late_when_its_time_is_over_and_not_earlier() {
    let server = Server::start(StoreLimits::default()).expect("a server");
    let mut client = Client::connect(server.credentials(), SHORT_RETRY).expect("a client");
    let started = Instant::now();
    assert_eq!(client.get("never", Duration::from_millis(150)), Ok(None));
    assert!((150..2000).contains(&started.elapsed().as_millis()), "{:?}", started.elapsed());
    assert_eq!(server.statistics().gets, 1, "asked once, not again and again");
}

#[test]
fn a_server_that_accepts_and_is_silent_ends_in_an_error() {
    let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let started = Instant::now();
    let message = Client::connect(credentials_for(silent.local_addr().expect("an address")), SHORT_RETRY)
        .expect_err("silence")
        .to_string();
    assert!(message.contains("nothing came in time"), "{message}");
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
}

#[test]
fn a_server_that_talks_nonsense_ends_in_an_error() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let at = listener.local_addr().expect("an address");
    let server = thread::spawn(move || {
        for said in [vec![b'x'; 1 << 20], b"220 ready\n".to_vec(), b"{\"refused\":\"because\"}\n".to_vec()] {
            let (mut stream, _) = listener.accept().expect("a client");
            let _closed_by_the_client = stream.write_all(&said);
        }
    });
    let once = RetryPolicy { max_attempts: 1, ..SHORT_RETRY };
    for part in ["a line without end", "breaks the protocol", "refused this client: because"] {
        let message = Client::connect(credentials_for(at), once).expect_err("nonsense").to_string();
        assert!(message.contains(part), "{message}");
    }
    server.join().expect("no panic");
}

#[test]
fn a_server_that_shuts_down_says_so_to_those_who_wait() {
    let server = Server::start(StoreLimits::default()).expect("a server");
    let mut zero = ControlBarrier::connect(server.credentials(), 0, 2, TIMEOUT).expect("joined");
    let waiting = thread::spawn(move || zero.wait());
    while server.statistics().parked == 0 {
        thread::sleep(Duration::from_millis(1));
    }
    let (started, at) = (Instant::now(), server.address());
    server.shut_down();
    let message = waiting.join().expect("no panic").expect_err("the server is gone").to_string();
    assert!(
        message.contains("rank 0 of 2") && message.contains("barrier 1") && message.contains("shuts down"),
        "{message}"
    );
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    let refused = TcpStream::connect(at).map(drop).map_err(|error| error.kind());
    assert_eq!(refused, Err(std::io::ErrorKind::ConnectionRefused), "the port is free");
}

const ADDRESS_FILE: &str = "WB_CONTROL_ADDRESS_FILE";

/// A server in a process of its own, killed while barriers continue; with the variable set, this test is that process.
#[test]
fn a_server_process_that_is_killed_ends_every_member_in_an_error() {
    if let Some(file) = env::var_os(ADDRESS_FILE) {
        return serve(file.as_ref());
    }
    let folder = env::temp_dir().join(format!("wb-control-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder of our own");
    let (file, output) = (folder.join("address"), folder.join("output"));
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args(["a_server_process_that_is_killed_ends_every_member_in_an_error", "--exact", "--nocapture"]);
    let job = Job::spawn_to_files(
        {
            command.env(ADDRESS_FILE, &file);
            command
        },
        &output,
        &output,
    );
    let job = job.expect("the server starts");
    let at = credentials_in(&file);
    let run = |rank| {
        let mut barrier = ControlBarrier::connect(at, rank, 8, TIMEOUT).expect("joined");
        let ended =
            (1u64..).find_map(|episode| barrier.wait().err().map(|error| (episode, error.to_string())));
        ended.expect("it ends")
    };
    let ended = thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(500));
            // Dropped, a job is killed immediately.
            drop(job);
        });
        make_all(8, run)
    });
    for (rank, (episode, message)) in ended.iter().enumerate() {
        assert!(*episode > 1, "the server was killed before the first barrier");
        assert!(
            message.contains(&format!("rank {rank} of 8")) && message.contains(&format!("barrier {episode}")),
            "{message}"
        );
        assert!(message.contains(&format!("the store at {} does not answer", at.address)), "{message}");
    }
    fs::remove_dir_all(&folder).expect("removed");
}

fn serve(file: &Path) {
    die_with_parent().expect("the kernel takes it");
    let server = Server::start(StoreLimits::default()).expect("a server");
    let unfinished = file.with_extension("unfinished");
    fs::write(&unfinished, server.credentials().to_string()).expect("written");
    fs::rename(unfinished, file).expect("whole at once");
    thread::sleep(Duration::from_secs(60));
}

fn credentials_in(file: &Path) -> Credentials {
    let by = Instant::now() + TIMEOUT;
    loop {
        if let Ok(text) = fs::read_to_string(file) {
            return text.parse().expect("credentials");
        }
        assert!(Instant::now() < by, "the server does not tell its address");
        thread::sleep(Duration::from_millis(5));
    }
}
