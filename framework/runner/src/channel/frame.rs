//! A message and its payload as bytes.
//!
//! A frame is the length of its header, the length of its payload, the header and the payload. The header is a message; the payload is an
//! input or an output. Both are MessagePack, which keeps every bit of a floating-point number and describes itself, so that the types of an
//! assignment may use any attribute of serde.
use std::io::{self, Read, Write};

use serde::{Serialize, de::DeserializeOwned};

/// The largest payload.
pub const MAX_PAYLOAD: u64 = 1 << 32;

/// The bytes by which a buffer grows while it is read: a length that was only announced takes no memory.
const STEP: u64 = 1 << 22;

/// The length of the payload of a frame that has none.
const NO_PAYLOAD: u64 = u64::MAX;

/// A value as bytes.
///
/// # Errors
/// When serde refuses the value.
pub fn encode(value: &impl Serialize) -> io::Result<Vec<u8>> {
    rmp_serde::to_vec_named(value).map_err(io::Error::other)
}

/// The value of these bytes.
///
/// # Errors
/// `InvalidData` when they are not such a value.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<T> {
    rmp_serde::from_slice(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Writes a message with its payload. One without payload is written by one call, so a start signal is one call of the system.
///
/// # Errors
/// Those of the stream.
pub fn write(to: &mut impl Write, message: &impl Serialize, payload: Option<&[u8]>) -> io::Result<()> {
    to.write_all(&head(message, payload)?)?;
    payload.map_or(Ok(()), |payload| to.write_all(payload))
}

/// All of a frame but its payload.
pub(super) fn head(message: &impl Serialize, payload: Option<&[u8]>) -> io::Result<Vec<u8>> {
    let header = encode(message)?;
    let length = u32::try_from(header.len()).map_err(io::Error::other)?;
    let payload_length = payload.map_or(NO_PAYLOAD, |payload| payload.len() as u64);
    let mut head = Vec::with_capacity(header.len() + 12);
    head.extend(length.to_le_bytes());
    head.extend(payload_length.to_le_bytes());
    head.extend(header);
    Ok(head)
}

/// Reads a message of at most `max_header` bytes and its payload of at most `max_payload` bytes.
///
/// # Errors
/// `InvalidData` for anything else, and those of the stream.
pub fn read<T: DeserializeOwned>(
    from: &mut impl Read,
    max_header: u32,
    max_payload: impl Fn() -> u64,
) -> io::Result<(T, Option<Vec<u8>>)> {
    let mut lengths = [0; 12];
    from.read_exact(&mut lengths)?;
    let (header, payload) = lengths.split_at(4);
    let header = u32::from_le_bytes(header.try_into().expect("four bytes"));
    let payload = u64::from_le_bytes(payload.try_into().expect("eight bytes"));
    if header > max_header || payload != NO_PAYLOAD && payload > max_payload() {
        let lengths = format!("a message of {header} and {payload} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, lengths));
    }
    let header = read_bytes(from, u64::from(header))?;
    let payload = if payload == NO_PAYLOAD { None } else { Some(read_bytes(from, payload)?) };
    Ok((decode(&header)?, payload))
}

fn read_bytes(from: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < length {
        let step = (length - bytes.len() as u64).min(STEP);
        if from.take(step).read_to_end(&mut bytes)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(bytes)
}
