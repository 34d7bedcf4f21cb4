//! Programs with a `main` of their own that speak to the judge without running a task.
use std::{
    io::{self, Write},
    os::unix::net::UnixStream,
    process::ExitCode,
    time::Duration,
};

use serde::{Serialize, de::IgnoredAny};
use wb_performance::judge::RankArguments;
use wb_process::ProcessIdentity;
use wb_runner::{
    channel::{PROTOCOL_VERSION, RunnerAddress, frame},
    clock,
};

/// Each kind, and a part of the reason of its verdict.
pub(crate) const KINDS: [(&str, &str); 12] = [
    ("own: never connects", "before all ranks were connected"),
    ("own: guesses the secret", "is not a rank of this job"),
    ("own: speaks another version", "of the channel to its judge"),
    ("own: is one rank too many", "is not a rank of this job"),
    ("own: sees another world", "the launcher does not belong to the linked library"),
    ("own: names itself twice", "out of turn"),
    ("own: gives signs", "`Alive` out of turn"),
    ("own: connects twice", "connected to the judge twice"),
    ("own: answers before the start", "before its start"),
    ("own: sends an output of its own", "the output of rank 0"),
    ("own: states other times", "states times that cannot be"),
    ("own: sends too much", "sent what is not a message"),
];

/// Those that state another rank or another number of ranks than their launcher, or that are ranks of a launcher and never connect.
pub(crate) const OF_LAUNCHERS: [&str; 3] =
    ["own: never connects", "own: is one rank too many", "own: sees another world"];

/// Whether the judge refuses a program of this kind for what it does.
pub(crate) fn is_noticed(kind: &str, why: &str) -> bool {
    let expected = KINDS.iter().any(|(known, reason)| *known == kind && why.contains(reason));
    // The first of two programs that is noticed decides which of the reasons it is; a second connection of a rank may come when all
    // ranks are connected and no further one is accepted.
    expected
        || OUT_OF_TURN.contains(&kind) && why.contains("out of turn")
        || kind == "own: connects twice" && why.contains("ended without an answer")
        // An answer that arrives in the moment of the start has times before it.
        || kind == "own: answers before the start" && why.contains("times that cannot be")
}

/// Two ranks of these do something else, too, which may be noticed first.
const OUT_OF_TURN: [&str; 3] =
    ["own: connects twice", "own: answers before the start", "own: sends an output of its own"];

/// The first rank of MPI connects as every rank.
pub(crate) const IS_ALL_RANKS: &str = "own: is all ranks";

/// A rank that connects and takes no message of the judge.
pub(crate) const NEVER_READS: &str = "own: never reads";

/// A rank whose answer comes after the limit, and before the judge stops waiting.
pub(crate) const ANSWERS_LATE: &str = "own: answers late";

/// The time that the first rank of such a program takes: the limit of these tests is one second, and the judge waits half a second more.
const LATE: Duration = Duration::from_millis(1200);

/// Ranks of which the first one takes its start signal, and with it the input, after this time.
pub(crate) const STARTS_LATE: (&str, Duration) = ("own: starts late", Duration::from_millis(300));

/// A rank that reports the end of the timed region together with its readiness.
pub(crate) const ENDS_AT_ONCE: &str = "own: ends at once";

/// Ranks of one process, of which the last one is lost and the first one then reports a failure.
pub(crate) const LOSES_ONE: &str = "own: loses one";

/// A rank that sends messages which the judge does not await.
pub(crate) const FLOODS: &str = "own: floods";

/// The bytes of all messages of such a rank.
pub(crate) const FLOOD_BYTES: usize = 1 << 30;

const FLOOD_MESSAGES: usize = 1 << 10;

/// The bytes that the judge takes as the output of a small input.
const OUTPUT_BYTES_MAX: usize = 1 << 26;

/// Programs of these kinds begin with this.
pub(crate) const PREFIX: &str = "own: ";

/// A message as the channel writes it; the names are those of the channel.
#[derive(Serialize)]
enum Frame {
    Hello(Hello),
    Alive,
    Work(Forged),
}

#[derive(Serialize)]
struct Hello {
    version: u32,
    secret: String,
    member: usize,
    process: ProcessIdentity,
    host: String,
}

/// A message of a rank; the names are those of the judge's protocol.
#[derive(Serialize)]
enum Forged {
    Joined { size: usize, thread_level: Option<String> },
    Ready,
    Done,
    Output(Statement),
    Failed { stage: Option<()>, is_late: bool, reason: String },
}

#[derive(Default, Serialize)]
struct Statement {
    start_ns: u64,
    end_ns: u64,
    stages_ns: [u64; 4],
    counts: wb_world::Counts,
}

fn send(to: &mut impl Write, message: Forged, payload: Option<&[u8]>) -> io::Result<()> {
    frame::write(to, &Frame::Work(message), payload)
}

/// Waits for any message of the judge.
fn receive(from: &mut UnixStream) -> io::Result<()> {
    frame::read::<IgnoredAny>(from, u32::MAX, || frame::MAX_PAYLOAD).map(drop)
}

pub(crate) fn main(arguments: &RankArguments, kind: &str) -> ExitCode {
    if kind == "own: never connects" {
        return ExitCode::SUCCESS;
    }
    // The failure of this program is what the judge must notice.
    let _lost = act(kind, arguments.ranks);
    ExitCode::SUCCESS
}

/// Connects the ranks of this process with the judge.
fn connect(kind: &str, size: usize) -> io::Result<Vec<(usize, UnixStream)>> {
    let ranks = match wb_process::launcher_rank() {
        Some(launched) if kind != IS_ALL_RANKS => vec![launched.rank],
        Some(launched) if launched.rank > 0 => loop {
            std::thread::park();
        },
        _ => (0..size).collect(),
    };
    let Some(RunnerAddress::Folder(folder)) = RunnerAddress::from_environment()? else {
        return Err(io::Error::other("a judge has a folder"));
    };
    let secret = std::fs::read_to_string(folder.join("secret"))?;
    let mut streams = vec![];
    for rank in ranks {
        let times = if kind == "own: connects twice" { 2 } else { 1 };
        for _ in 0..times {
            let mut stream = UnixStream::connect(folder.join("socket"))?;
            let hello = Hello {
                version: PROTOCOL_VERSION + u32::from(kind == "own: speaks another version"),
                secret: if kind == "own: guesses the secret" { "0".repeat(32) } else { secret.clone() },
                member: if kind == "own: is one rank too many" { rank + size } else { rank },
                process: ProcessIdentity::current(),
                host: String::new(),
            };
            frame::write(&mut stream, &Frame::Hello(hello), None)?;
            let size = size + usize::from(kind == "own: sees another world");
            for _ in 0..if kind == "own: names itself twice" { 2 } else { 1 } {
                send(&mut stream, Forged::Joined { size, thread_level: None }, None)?;
            }
            streams.push((rank, stream));
        }
    }
    Ok(streams)
}

fn act(kind: &str, size: usize) -> io::Result<()> {
    let mut streams = connect(kind, size)?;
    if kind == NEVER_READS {
        std::thread::sleep(Duration::from_secs(60));
    }
    if kind == FLOODS {
        // Before all ranks are connected it is refused.
        std::thread::sleep(Duration::from_millis(500));
        let payload = vec![1; FLOOD_BYTES / FLOOD_MESSAGES];
        return (0..FLOOD_MESSAGES).try_for_each(|_| send(&mut streams[0].1, Forged::Ready, Some(&payload)));
    }
    if kind == ENDS_AT_ONCE {
        return end_at_once(&mut streams[0].1);
    }
    loop {
        for (_, stream) in &mut streams {
            receive(stream)?;
            if kind == "own: gives signs" {
                frame::write(stream, &Frame::Alive, None)?;
            }
            send(stream, Forged::Ready, None)?;
        }
        for (rank, stream) in &mut streams {
            if kind == STARTS_LATE.0 && *rank == 0 {
                std::thread::sleep(STARTS_LATE.1);
            }
            if kind != "own: answers before the start" {
                receive(stream)?;
            }
            if kind == LOSES_ONE {
                return lose_one(streams);
            }
            if kind == ANSWERS_LATE && *rank == 0 {
                std::thread::sleep(LATE);
            }
            let start_ns = if kind == "own: states other times" { 0 } else { clock::now() };
            let statement = Statement { start_ns, end_ns: clock::now(), ..Statement::default() };
            let output = match kind {
                "own: sends too much" => vec![0; OUTPUT_BYTES_MAX + 1],
                _ => frame::encode(&-1_i64)?,
            };
            send(stream, Forged::Output(statement), (*rank == 0).then_some(&output))?;
        }
    }
}

/// Answers each order with both messages in one piece, so that the second one has arrived when the judge reads the first.
fn end_at_once(stream: &mut UnixStream) -> io::Result<()> {
    loop {
        receive(stream)?;
        let mut both = vec![];
        send(&mut both, Forged::Ready, None)?;
        send(&mut both, Forged::Done, None)?;
        stream.write_all(&both)?;
        receive(stream)?;
    }
}

/// Closes the last connection, and reports a failure on the first one.
fn lose_one(mut streams: Vec<(usize, UnixStream)>) -> io::Result<()> {
    streams.pop();
    std::thread::sleep(Duration::from_millis(50));
    let failed = Forged::Failed { stage: None, is_late: false, reason: "no partner".into() };
    send(&mut streams[0].1, failed, None)?;
    std::thread::sleep(Duration::from_secs(60));
    Ok(())
}
