//! The judge's end of a rank's connection.
//!
//! The invariant: *a rank can neither block the judge nor fill its memory.* A message to a rank that reads nothing ends at a
//! deadline. A thread reads the messages of a rank; it waits where the judge has not taken the earlier ones, and refuses an
//! output that is much larger than the input.
use std::{
    io::{self, Write},
    os::unix::net::UnixStream,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::SyncSender,
    },
    thread,
    time::{Duration, Instant},
};

use serde::Serialize;
use wb_process::JobExit;
use wb_runner::clock;

use crate::message::{self, FromRank};

/// The interval at which a blocked write looks at its deadline.
const WRITE_INTERVAL: Duration = Duration::from_millis(50);

/// The deadline of a message where its pass has no limit.
const STALLED: Duration = Duration::from_secs(60);

/// The bytes of one write: a rank that reads slowly is noticed between two of them.
const WRITE_BYTES: usize = 1 << 20;

/// The bytes that any output may have.
const LEAST_OUTPUT_LIMIT: u64 = 1 << 26;

/// The bytes that an output may have for each byte of its input.
const OUTPUT_FACTOR: u64 = 4;

/// An event of a job.
pub(crate) enum RankEvent {
    /// A message of a rank, and when it had arrived.
    Message {
        rank: usize,
        at_ns: u64,
        message: FromRank,
        payload: Option<Vec<u8>>,
    },
    /// A rank closed its connection.
    Lost,
    /// A rank sent what is not a message.
    Unreadable {
        rank: usize,
        error: String,
    },
    Ended(JobExit),
}

/// The connection of the judge to a rank, as the judge writes to it.
pub(crate) struct RankStream(UnixStream);

impl RankStream {
    pub(crate) fn new(stream: UnixStream) -> io::Result<Self> {
        stream.set_write_timeout(Some(WRITE_INTERVAL))?;
        Ok(Self(stream))
    }

    /// Sends a message, at most until the deadline.
    ///
    /// # Errors
    /// `TimedOut` when the rank does not read it, others when the rank is lost.
    pub(crate) fn send(
        &mut self,
        message: &impl Serialize,
        payload: Option<&[u8]>,
        deadline: Option<Instant>,
    ) -> io::Result<()> {
        let deadline = deadline.unwrap_or_else(|| Instant::now() + STALLED);
        message::write(&mut DeadlineWriter { stream: &mut self.0, deadline }, message, payload)
    }

    /// Reads the rank's messages on a thread of its own, which notes when each arrived.
    pub(crate) fn read_messages(
        &self,
        rank: usize,
        events: SyncSender<RankEvent>,
        output_limit: OutputLimit,
    ) -> io::Result<()> {
        let mut stream = self.0.try_clone()?;
        let read = move || {
            loop {
                let event = match message::read::<FromRank>(&mut stream, || output_limit.bytes()) {
                    Ok((message, payload)) => {
                        RankEvent::Message { rank, at_ns: clock::now(), message, payload }
                    }
                    Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                        RankEvent::Unreadable { rank, error: error.to_string() }
                    }
                    Err(_) => RankEvent::Lost,
                };
                let is_last = !matches!(event, RankEvent::Message { .. });
                if events.send(event).is_err() || is_last {
                    return;
                }
            }
        };
        thread::Builder::new().name(format!("wb-judge-{rank}")).spawn(read)?;
        Ok(())
    }
}

/// A stream whose writes end at a deadline.
struct DeadlineWriter<'a> {
    stream: &'a mut UnixStream,
    deadline: Instant,
}

impl Write for DeadlineWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = &bytes[..bytes.len().min(WRITE_BYTES)];
        while Instant::now() < self.deadline {
            match self.stream.write(part) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                other => return other,
            }
        }
        Err(io::ErrorKind::TimedOut.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// The largest output of the current pass.
#[derive(Clone, Default)]
pub(crate) struct OutputLimit(Arc<AtomicU64>);

impl OutputLimit {
    /// The pass has an input of this many bytes.
    pub(crate) fn set_input(&self, bytes: usize) {
        self.0.store(bytes as u64 * OUTPUT_FACTOR, Ordering::Relaxed);
    }

    fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed).max(LEAST_OUTPUT_LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_that_reads_nothing_or_slowly_ends_the_message_at_its_deadline() {
        for reads_slowly in [false, true] {
            let (ours, mut theirs) = UnixStream::pair().expect("a connection");
            let (input, begin) = (vec![0; 1 << 25], Instant::now());
            let reader = thread::spawn(move || {
                let mut buffer = [0; 512];
                while reads_slowly && io::Read::read(&mut theirs, &mut buffer).is_ok_and(|read| read > 0) {
                    thread::sleep(Duration::from_millis(1));
                }
                // The connection stays open until the writer has given up.
                thread::sleep(Duration::from_millis(400).saturating_sub(begin.elapsed()));
            });
            let mut rank = RankStream::new(ours).expect("a stream");
            let deadline = Some(begin + Duration::from_millis(200));
            let error = rank.send(&"input", Some(&input), deadline).expect_err("it is not read");
            assert_eq!(error.kind(), io::ErrorKind::TimedOut, "{error}");
            assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
            drop(rank);
            reader.join().expect("it ends");
        }
    }

    #[test]
    fn an_output_may_be_larger_than_the_input_within_reason() {
        let limit = OutputLimit::default();
        assert_eq!(limit.bytes(), LEAST_OUTPUT_LIMIT);
        limit.set_input(1 << 30);
        assert_eq!(limit.bytes(), 1 << 32);
    }
}
