//! The channel as both ends see it, and what it does with anything else.
use std::{
    io::{self, Read, Write},
    net::Ipv4Addr,
    os::unix::net::UnixStream,
    sync::{
        Arc,
        atomic::AtomicU64,
        mpsc::{self, Receiver},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    address::{secret_path, socket_path},
    frame,
    listener::{ChannelEvent, MemberStream, Refusal, RunnerChannel, Transfer},
    *,
};

/// The longest that an event may take.
const SOON: Duration = Duration::from_secs(20);

fn open(members: usize, transfer: Transfer) -> (RunnerChannel, Receiver<ChannelEvent<String>>) {
    let mut channel = RunnerChannel::in_folder().expect("a folder");
    let (sender, events) = mpsc::sync_channel(64);
    channel.accept::<String, _>(members, transfer, sender).expect("a thread");
    (channel, events)
}

fn joined(events: &Receiver<ChannelEvent<String>>) -> (usize, MemberStream) {
    match events.recv_timeout(SOON) {
        Ok(ChannelEvent::Joined { member, process, pid, stream, .. }) => {
            assert_eq!(process, ProcessIdentity::current());
            assert_eq!(pid, Some(std::process::id()));
            (member, stream.expect("the way to it"))
        }
        other => panic!("{other:?}"),
    }
}

fn raw(channel: &RunnerChannel) -> UnixStream {
    UnixStream::connect(socket_path(channel.folder().expect("on this host"))).expect("it listens")
}

/// Both ends, and how much was sent until the other end was closed.
fn exchange(mut channel: RunnerChannel, is_on_this_host: bool) {
    let (sender, events) = mpsc::sync_channel(64);
    channel.accept::<String, ChannelEvent<String>>(2, Transfer::default(), sender).expect("a thread");
    let address: RunnerAddress = channel.address().to_string().parse().expect("an address");
    assert_eq!(address, *channel.address());
    let member = RunnerLink::connect(&address, 1).expect("it listens");
    // This process is the runner, too.
    member.permit_end();
    let Ok(ChannelEvent::Joined { member: 1, pid, stream: Some(mut stream), .. }) = events.recv_timeout(SOON)
    else {
        panic!("member 1 has connected")
    };
    assert_eq!(pid, is_on_this_host.then(std::process::id));
    stream.send(&"order", Some(&[7]), None).expect("it reads");
    assert_eq!(member.receive::<String>().expect("an order"), ("order".to_owned(), Some(vec![7])));
    member.send(&"answer", None).expect("it reads");
    member.close();
    let mut seen = vec![];
    loop {
        match events.recv_timeout(SOON).expect("an event") {
            ChannelEvent::Alive { member: 1, is_asked_to_end: false } => assert!(!is_on_this_host),
            ChannelEvent::Message { member: 1, message, payload: None, .. } => seen.push(message),
            ChannelEvent::Closed { member: 1 } => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(seen, ["answer"]);
}

#[test]
fn a_member_gets_orders_and_answers_and_its_end_is_seen_last() {
    exchange(RunnerChannel::on_this_host().expect("a socket"), true);
    exchange(RunnerChannel::in_folder().expect("a folder"), true);
    exchange(RunnerChannel::between_hosts(&[Ipv4Addr::LOCALHOST.to_string()]).expect("a port"), false);
    assert!(
        RunnerChannel::between_hosts(&["no such host".into()])
            .is_err_and(|error| { error.to_string().starts_with("host no such host: ") })
    );
    for text in ["", "local:name", "folder:", "tcp:127.0.0.1:4", "tcp:secret@127.0.0.1", "pigeon:3"] {
        let error = text.parse::<RunnerAddress>().expect_err(text).to_string();
        assert!(error.starts_with("WB_RUNNER is not") && !error.contains("secret@"), "{error}");
    }
}

#[test]
fn strangers_other_versions_and_second_members_are_refused_and_members_are_not() {
    let (channel, events) = open(2, Transfer::default());
    let secret = secret_path(channel.folder().expect("on this host"));
    let secret = std::fs::read_to_string(secret).expect("readable");
    let hello = |version, secret: &str, member| {
        let (process, host) = (ProcessIdentity::current(), String::new());
        ToRunner::<String>::Hello(Hello { version, secret: secret.to_owned(), member, process, host })
    };
    let introduce = |message: &ToRunner<String>| {
        let mut stream = raw(&channel);
        frame::write(&mut stream, message, None).expect("it reads");
        stream
    };
    let guess = secret.replace(|digit| digit != '0', "0");
    let refused = [
        (hello(PROTOCOL_VERSION, &guess, 0), Refusal::Stranger),
        (ToRunner::Work("work".to_owned()), Refusal::Stranger),
        (hello(PROTOCOL_VERSION + 1, &secret, 0), Refusal::Version(PROTOCOL_VERSION + 1)),
        (hello(PROTOCOL_VERSION, &secret, 2), Refusal::NoSuchMember(2)),
    ];
    for (message, expected) in &refused {
        let mut stream = introduce(message);
        match events.recv_timeout(SOON) {
            Ok(ChannelEvent::Refused(refusal)) => assert_eq!(refusal, *expected),
            other => panic!("{other:?}"),
        }
        assert_eq!(stream.read(&mut [0]).expect("closed"), 0, "{expected:?}");
    }
    let first = introduce(&hello(PROTOCOL_VERSION, &secret, 0));
    let (number, _stream) = joined(&events);
    assert_eq!(number, 0);
    let _second = introduce(&hello(PROTOCOL_VERSION, &secret, 0));
    assert!(matches!(events.recv_timeout(SOON), Ok(ChannelEvent::Refused(Refusal::Twice(0)))));
    frame::write(&mut &first, &hello(PROTOCOL_VERSION, &secret, 0), None).expect("it reads");
    assert!(matches!(events.recv_timeout(SOON), Ok(ChannelEvent::Unreadable { member: 0, .. })));
    let _other = RunnerLink::connect(channel.address(), 1).expect("it listens");
    assert_eq!(joined(&events).0, 1);
    let socket = socket_path(channel.folder().expect("on this host"));
    let begin = Instant::now();
    while UnixStream::connect(&socket).is_ok() {
        assert!(begin.elapsed() < SOON, "all members have joined");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_member_that_reads_nothing_or_slowly_ends_the_message_at_its_deadline() {
    for reads_slowly in [false, true] {
        let (channel, events) = open(1, Transfer::default());
        let begin = Instant::now();
        let member = RunnerLink::connect(channel.address(), 0).expect("it listens");
        let (_, mut stream) = joined(&events);
        let reader = thread::spawn(move || {
            let mut buffer = [0; 512];
            while reads_slowly && member.read_some(&mut buffer).is_ok_and(|read| read > 0) {
                thread::sleep(Duration::from_millis(1));
            }
            // The connection stays open until the writer has given up.
            thread::sleep(Duration::from_millis(400).saturating_sub(begin.elapsed()));
        });
        let deadline = Some(begin + Duration::from_millis(200));
        let error = stream.send(&"input", Some(&vec![0; 1 << 25]), deadline).expect_err("it is not read");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut, "{error}");
        assert!(begin.elapsed() < SOON / 2, "{:?}", begin.elapsed());
        drop((stream, channel, events));
        reader.join().expect("it ends");
    }
}

#[test]
fn numbers_survive_bit_by_bit_and_an_empty_payload_is_one() {
    let numbers = [0.1 + 0.2, f64::NAN, f64::INFINITY, -0.0];
    let mut stream = vec![];
    frame::write(&mut stream, &"start", None).expect("memory");
    frame::write(&mut stream, &"input", Some(&frame::encode(&numbers).expect("bytes"))).expect("memory");
    frame::write(&mut stream, &"empty", Some(&[])).expect("memory");
    let mut from = stream.as_slice();
    let mut read = || frame::read::<String>(&mut from, 64, || 64);
    assert_eq!(read().expect("first"), ("start".to_owned(), None));
    let back: [f64; 4] = frame::decode(&read().expect("second").1.expect("a payload")).expect("numbers");
    assert_eq!(back.map(f64::to_bits), numbers.map(f64::to_bits));
    assert_eq!(read().expect("third").1, Some(vec![]));
    assert_eq!(read().expect_err("the end").kind(), io::ErrorKind::UnexpectedEof);
}

#[test]
fn lengths_that_are_too_long_are_refused_and_announced_ones_take_no_memory() {
    for (header, payload) in [(u32::MAX, 0), (1, frame::MAX_PAYLOAD + 1)] {
        let bytes = [&header.to_le_bytes()[..], &u64::to_le_bytes(payload)].concat();
        let error = frame::read::<String>(&mut bytes.as_slice(), 1 << 20, || frame::MAX_PAYLOAD);
        assert_eq!(error.expect_err("refused").kind(), io::ErrorKind::InvalidData);
    }
    let mut announced = vec![];
    frame::write(&mut announced, &"output", None).expect("memory");
    announced[4..12].copy_from_slice(&frame::MAX_PAYLOAD.to_le_bytes());
    let error = frame::read::<String>(&mut announced.as_slice(), 64, || frame::MAX_PAYLOAD);
    assert_eq!(error.expect_err("nothing follows").kind(), io::ErrorKind::UnexpectedEof);
}

/// Changes bytes of a right conversation, cuts it, or repeats a part.
fn mutate(bytes: &mut Vec<u8>, random: &mut oorandom::Rand32) {
    for _ in 0..=random.rand_range(0..4) {
        let at = random.rand_range(0..bytes.len() as u32) as usize;
        match random.rand_range(0..4) {
            0 => bytes[at] ^= 1 << random.rand_range(0..8),
            1 => bytes[at] = random.rand_u32() as u8,
            2 => bytes.truncate(at.max(1)),
            _ => bytes.extend_from_within(at..(at + 9).min(bytes.len())),
        }
    }
}

#[test]
fn no_sequence_of_bytes_panics_hangs_or_passes_for_another_message() {
    let max_payload = Arc::new(AtomicU64::new(1 << 10));
    let transfer = Transfer { max_message: 1 << 10, max_payload, ..Transfer::default() };
    let hello = Hello {
        version: PROTOCOL_VERSION,
        secret: "0123456789abcdef0123456789abcdef".into(),
        member: 3,
        process: ProcessIdentity::current(),
        host: "node1".into(),
    };
    let mut right = vec![];
    frame::write(&mut right, &ToRunner::<String>::Hello(hello), None).expect("memory");
    frame::write(&mut right, &ToRunner::Work("done"), Some(&[1, 2, 3])).expect("memory");
    frame::write(&mut right, &ToRunner::<String>::AskedToEnd, None).expect("memory");
    let mut random = oorandom::Rand32::new(32);
    let (mut whole, mut refused) = (0, 0);
    for _ in 0..100_000 {
        let mut bytes = right.clone();
        mutate(&mut bytes, &mut random);
        let mut from = bytes.as_slice();
        loop {
            let limit = || transfer.max_payload.load(std::sync::atomic::Ordering::Relaxed);
            match frame::read::<ToRunner<String>>(&mut from, transfer.max_message, limit) {
                Ok((message, payload)) => {
                    whole += 1;
                    assert!(payload.is_none_or(|payload| payload.len() <= 1 << 10));
                    assert!(frame::head(&message, None).expect("memory").len() <= 1 << 11);
                }
                Err(error) => {
                    let kinds = [io::ErrorKind::InvalidData, io::ErrorKind::UnexpectedEof];
                    assert!(kinds.contains(&error.kind()), "{error}");
                    refused += 1;
                    break;
                }
            }
        }
    }
    assert!(whole > 50_000 && refused == 100_000, "{whole} messages are whole, {refused} ends");
}

#[test]
fn bytes_that_are_no_messages_neither_stop_the_runner_nor_keep_members_away() {
    let (channel, events) = open(1, Transfer::default());
    let address = channel.address().clone();
    let others = thread::spawn(move || {
        let mut random = oorandom::Rand32::new(7);
        for _ in 0..500 {
            let mut stream = raw(&channel);
            let bytes: Vec<u8> = (0..random.rand_range(1..40)).map(|_| random.rand_u32() as u8).collect();
            // It may be closed by now.
            let _refused = stream.write_all(&bytes);
        }
        let member = RunnerLink::connect(&address, 0).expect("it listens");
        (channel, member)
    });
    while !matches!(events.recv_timeout(SOON).expect("an event"), ChannelEvent::Joined { member: 0, .. }) {}
    others.join().expect("no panic");
}
