//! The values of a status: envelope and element count.
use wb_comm::{Error, Op, Rank, Result, Status, Wire};
use wb_record::Envelope;

use crate::call_tracer::rank_number;

/// The envelope of a message to or from `peer`, as a log stores it.
pub(crate) fn message_envelope(peer: Rank, tag: i32, bytes: usize) -> Envelope {
    Envelope { peer: rank_number(peer), tag, bytes: bytes as u64 }
}

/// The envelope of a received message, as a log stores it.
pub(crate) fn source_envelope(status: &Status) -> Envelope {
    message_envelope(status.source, status.tag, status.bytes)
}

pub(crate) fn receive_status(op: &Op<'_>) -> Status {
    match op {
        Op::Recv { status: Some(status), .. } | Op::RecvLayout { status: Some(status), .. } => *status,
        _ => unreachable!("a round that succeeded has filled the status of its receives"),
    }
}

/// The number of elements `T` in the message.
#[inline]
pub(crate) fn element_count<T: Wire>(status: &Status) -> Result<usize> {
    let &Status { source: source_rank, tag, bytes, datatype } = status;
    if let Some(sent) = datatype.filter(|sent| sent.find_difference(T::DATATYPE, bytes).is_some()) {
        return Err(Error::Type { source_rank, tag, sent, expected: T::DATATYPE, sent_by: None });
    }
    let partial = || Error::PartialElement { source_rank, tag, bytes, expected: T::DATATYPE };
    status.count(T::DATATYPE).ok_or_else(partial)
}
