//! The messages between a judge and its ranks, and how a stream carries them.
//!
//! A frame is the length of its header, the length of its payload, the header and the payload. The header is one of the
//! messages below; the payload is an input or an output. Both are MessagePack, which keeps every bit of a floating-point
//! number and describes itself, so that the types of an assignment may use any attribute of serde.
use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use wb_record::Version;
use wb_task::Stage;
use wb_world::Counts;

/// The largest header; a larger one is not from our program.
const MAX_HEADER: u32 = 1 << 20;

/// The largest input.
pub(crate) const MAX_PAYLOAD: u64 = 1 << 32;

/// The bytes by which a buffer grows while a payload is read: a length that was only announced takes no memory.
const PAYLOAD_STEP: u64 = 1 << 22;

/// The part of a pass that is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PassRegion {
    /// `run` alone, with the data in place.
    Run,
    /// All four stages, up to the arrival of the outputs.
    Pipeline,
    /// Nothing: the cost of the signals themselves.
    Nothing,
}

/// The order for one pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PassOrder {
    pub(crate) version: Version,
    pub(crate) region: PassRegion,
    /// The rank that has the input.
    pub(crate) home: usize,
    /// The limit of all stages in nanoseconds.
    pub(crate) limit_ns: Option<u64>,
    /// Whether the pass has a communicator of its own, which is searched for leaks.
    pub(crate) is_isolated: bool,
}

/// The order for calls of a communication assignment's verb.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CallOrder {
    pub(crate) verb: MeasuredVerb,
    /// The elements of one call.
    pub(crate) count: usize,
}

/// Which verb of a communication assignment is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MeasuredVerb {
    /// The student's.
    Own,
    /// The library's.
    Library,
}

/// From the judge to a rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum ToRank {
    /// Prepare a pass; the payload is the input, on the home rank only.
    Prepare(PassOrder),
    /// Prepare calls of a verb; the payload is this rank's elements of all calls, one call after the other.
    PrepareCalls(CallOrder),
    /// Begin the timed region.
    Start,
    /// Make the output from the result of `run`.
    Collect,
    /// Search for the leaks of the last pass, which all ranks have ended.
    FindLeaks {
        /// Whether a message may still be on its way.
        is_patient: bool,
    },
    /// There are no more passes.
    End,
}

/// What a rank states about a pass. The judge cannot verify it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankStatement {
    /// The clock at the begin of the timed region.
    pub start_ns: u64,
    /// The clock at the end of the timed region.
    pub end_ns: u64,
    /// The times of the stages, in their order.
    pub stages_ns: [u64; 4],
    /// Its communication in all stages.
    pub counts: Counts,
    /// Whether data from another rank may have arrived.
    #[serde(default)]
    pub has_received: bool,
    /// One-port rounds, where the backend's messages carry their number.
    #[serde(default)]
    pub rounds: Option<u64>,
}

/// Whether the statements of all ranks leave a message that was sent and not received.
pub(crate) fn may_be_on_its_way(statements: &[RankStatement]) -> bool {
    let count =
        |of: fn(&Counts) -> u64| statements.iter().map(|rank| of(&rank.counts)).fold(0, u64::wrapping_add);
    count(|counts| counts.sends) != count(|counts| counts.receives)
}

/// From a rank to the judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum FromRank {
    /// The first message of a rank.
    Hello { token: String, rank: usize, size: usize, thread_level: Option<String> },
    /// The rank waits for the start.
    Ready,
    /// The timed region is over; in `Nothing` this is the last message.
    Done,
    /// The end of a pass; the payload is the output, where there is one.
    Output(RankStatement),
    /// Messages that were not received, and other leaks.
    Leaks(Vec<String>),
    /// Validation refused the input.
    Refused { reason: String },
    /// The pass failed on this rank.
    Failed { stage: Option<Stage>, is_late: bool, reason: String },
}

/// A value as bytes.
pub(crate) fn encode(value: &impl Serialize) -> io::Result<Vec<u8>> {
    rmp_serde::to_vec_named(value).map_err(io::Error::other)
}

/// The value of these bytes.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<T> {
    rmp_serde::from_slice(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Numbers as bytes, eight for each.
pub(crate) fn encode_numbers(numbers: &[f64]) -> Vec<u8> {
    let mut bytes = vec![0; size_of_val(numbers)];
    for (bytes, number) in bytes.as_chunks_mut().0.iter_mut().zip(numbers) {
        *bytes = number.to_le_bytes();
    }
    bytes
}

/// The numbers of these bytes.
pub(crate) fn decode_numbers(bytes: &[u8]) -> io::Result<Vec<f64>> {
    let (numbers, []) = bytes.as_chunks() else {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a part of a number"));
    };
    Ok(numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect())
}

/// Writes a message with its payload.
pub(crate) fn write(to: &mut impl Write, message: &impl Serialize, payload: Option<&[u8]>) -> io::Result<()> {
    let header = encode(message)?;
    let length = u32::try_from(header.len()).map_err(io::Error::other)?;
    let payload_length = payload.map_or(u64::MAX, |payload| payload.len() as u64);
    let mut frame = Vec::with_capacity(header.len() + 12);
    frame.extend(length.to_le_bytes());
    frame.extend(payload_length.to_le_bytes());
    frame.extend(header);
    // One write for a message without payload: a start signal is one system call.
    to.write_all(&frame)?;
    payload.map_or(Ok(()), |payload| to.write_all(payload))
}

/// Reads a message and its payload, which has at most `max_payload` bytes.
pub(crate) fn read<T: DeserializeOwned>(
    from: &mut impl Read,
    max_payload: impl Fn() -> u64,
) -> io::Result<(T, Option<Vec<u8>>)> {
    let mut lengths = [0; 12];
    from.read_exact(&mut lengths)?;
    let (header, payload) = lengths.split_at(4);
    let header = u32::from_le_bytes(header.try_into().expect("four bytes"));
    let payload = u64::from_le_bytes(payload.try_into().expect("eight bytes"));
    let is_too_long = header > MAX_HEADER || payload != u64::MAX && payload > max_payload();
    if is_too_long {
        let lengths = format!("a message of {header} and {payload} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, lengths));
    }
    let header = read_bytes(from, u64::from(header))?;
    let payload = if payload == u64::MAX { None } else { Some(read_bytes(from, payload)?) };
    Ok((decode(&header)?, payload))
}

fn read_bytes(from: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < length {
        let step = (length - bytes.len() as u64).min(PAYLOAD_STEP);
        if from.take(step).read_to_end(&mut bytes)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_and_its_payload_survive_the_stream() {
        let mut stream = vec![];
        let numbers = [0.1 + 0.2, f64::NAN, f64::INFINITY, -0.0];
        write(&mut stream, &ToRank::Start, None).expect("memory");
        write(&mut stream, &ToRank::Collect, Some(&encode(&numbers).expect("bytes"))).expect("memory");
        let mut from = stream.as_slice();
        assert_eq!(read::<ToRank>(&mut from, || 0).expect("first"), (ToRank::Start, None));
        let (message, payload) = read::<ToRank>(&mut from, || 64).expect("second");
        assert_eq!(message, ToRank::Collect);
        let read_back: [f64; 4] = decode(&payload.expect("a payload")).expect("numbers");
        assert_eq!(read_back.map(f64::to_bits), numbers.map(f64::to_bits));
        assert_eq!(
            read::<ToRank>(&mut from, || 0).expect_err("the end").kind(),
            io::ErrorKind::UnexpectedEof
        );
    }

    #[test]
    fn a_message_may_be_on_its_way_where_more_are_sent_than_received() {
        let of = |sends, receives| {
            let counts = Counts { sends, receives, ..Counts::default() };
            RankStatement { counts, ..RankStatement::default() }
        };
        let found = [2, 3, 4].map(|receives| may_be_on_its_way(&[of(3, 0), of(0, receives)]));
        assert_eq!(found, [true, false, true], "3 messages are sent; 2, 3 or 4 are received");
    }

    #[test]
    fn an_empty_payload_is_a_payload() {
        let mut stream = vec![];
        write(&mut stream, &FromRank::Ready, Some(&[])).expect("memory");
        assert_eq!(read::<FromRank>(&mut stream.as_slice(), || 0).expect("read").1, Some(vec![]));
    }

    #[test]
    fn foreign_bytes_and_announced_lengths_take_no_memory() {
        for (header, payload) in [(u32::MAX, 0), (1, MAX_PAYLOAD + 1)] {
            let frame = [&header.to_le_bytes()[..], &u64::to_le_bytes(payload)].concat();
            let error = read::<FromRank>(&mut frame.as_slice(), || MAX_PAYLOAD).expect_err("refused");
            assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        }
        let mut announced = vec![];
        write(&mut announced, &FromRank::Ready, None).expect("memory");
        announced[4..12].copy_from_slice(&MAX_PAYLOAD.to_le_bytes());
        let error = read::<FromRank>(&mut announced.as_slice(), || MAX_PAYLOAD).expect_err("nothing follows");
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn numbers_survive_bit_by_bit_and_a_part_of_one_is_refused() {
        let numbers = [0.1 + 0.2, f64::NAN, -0.0];
        let bytes = encode_numbers(&numbers);
        let read_back = decode_numbers(&bytes).expect("whole numbers");
        assert_eq!(read_back.iter().map(|n| n.to_bits()).collect::<Vec<_>>(), numbers.map(f64::to_bits));
        assert!(decode_numbers(&bytes[..9]).is_err());
    }
}
