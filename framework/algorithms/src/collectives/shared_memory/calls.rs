//! The records of a rank's last calls, which explain why two ranks do not make the same calls.
//!
//! Every flag contains a digest of all calls of its writer so far, so a reader takes no payload of another call. The digest says that the
//! calls differ; the records, which every rank writes into its own part of the segment, say how. A rank writes about three words for a call,
//! and no other rank reads them unless something is wrong or it has waited for long.
use wb_comm::{
    BorrowedBuffers, CallSite, CollectiveCall, CollectiveCounts, CollectiveKind, Datatype, Operation,
    SourceLocation, UserOperation, Verb,
};

use super::{layout::RECORD_WORDS, words::WORD_BYTES};

/// The number of calls that are kept. A rank is never more than K rounds ahead of one that waits for it, so 2 K calls are enough to find the
/// first difference.
pub(super) const KEPT_CALLS: usize = 2 * super::SegmentLayout::SLOTS;

/// Bits of a digest in a flag.
const DIGEST_BITS: u32 = 24;

/// Bytes of a record for the names of files.
const TEXT_BYTES: usize = (RECORD_WORDS - TEXT_WORD) * WORD_BYTES;

/// The word of a record at which these begin.
pub(super) const TEXT_WORD: usize = 4;

/// The flag of a round: its number, which may wrap around, and the digest of all calls so far.
#[inline]
pub(super) fn flag(round: u64, digest: u64) -> i64 {
    (round << DIGEST_BITS | digest) as i64
}

/// The arguments of a call that must be the same on all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) site: CallSite,
    pub(super) operation: Option<Operation>,
    datatype: Datatype,
    /// Verb, type, operation and root; and the elements of a rank's block, or of all blocks.
    pub(super) numbers: [u64; 2],
}

/// Spreads the bits of a number (the multiplier of Fibonacci hashing).
#[inline]
fn mix(value: u64, with: u64) -> u64 {
    let mixed = (value ^ with).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 32
}

#[cold]
fn text_digest(text: &str) -> u64 {
    text.bytes().fold(0, |digest, byte| mix(digest, u64::from(byte)))
}

/// The number of an operation among [`Operation::ALL`]; that of a user's is the next one.
#[inline]
fn operation_number(operation: Operation) -> usize {
    match operation {
        Operation::Sum => 0,
        Operation::Prod => 1,
        Operation::Min => 2,
        Operation::Max => 3,
        Operation::BitAnd => 4,
        Operation::BitOr => 5,
        Operation::BitXor => 6,
        Operation::LogicalAnd => 7,
        Operation::LogicalOr => 8,
        Operation::LogicalXor => 9,
        Operation::MinLoc => 10,
        Operation::MaxLoc => 11,
        Operation::User(_) => Operation::ALL.len(),
    }
}

/// No number.
const NONE: usize = 0xff;

impl Call {
    #[inline]
    pub(super) fn new(kind: &CollectiveKind<'_>, buffers: &BorrowedBuffers<'_>, site: CallSite) -> Self {
        use CollectiveKind::{Allgather, Alltoall, Gather, Scatter};
        let (send, recv) = (buffers.send.count(), buffers.recv.count());
        let count = match kind {
            Gather { .. } | Allgather | Alltoall => send,
            Scatter { .. } => recv,
            // The longer one has the elements of all blocks, or both are equal, or a rank has one of them only.
            _ => send.max(recv),
        };
        let datatype = if send > 0 { buffers.send.datatype() } else { buffers.recv.datatype() };
        Self::of_elements(kind, (datatype, count), site)
    }

    /// A call with blocks of this number of elements.
    #[inline]
    pub(super) fn of_elements(
        kind: &CollectiveKind<'_>,
        (datatype, count): (Datatype, usize),
        site: CallSite,
    ) -> Self {
        let operation = kind.operation();
        let arguments = site.verb as usize
            | datatype.number().unwrap_or(NONE) << 8
            | operation.map_or(NONE, operation_number) << 16
            | kind.root().map_or(0, |root| root + 1) << 24;
        Self { site, operation, datatype, numbers: [arguments as u64, count as u64] }
    }

    /// The digest of this call after the calls with the digest `before`.
    #[inline]
    pub(super) fn digest(&self, before: u64) -> u64 {
        let [arguments, count] = self.numbers;
        let mut digest = mix(mix(before, arguments), count);
        if let Some(Operation::User(operation)) = self.operation {
            digest = mix(digest, text_digest(operation.made().file()) ^ u64::from(operation.made().line()));
        }
        if let Datatype::Struct(made) = self.datatype {
            digest = mix(digest, text_digest(made.name()) ^ made.size() as u64);
        }
        digest >> (64 - DIGEST_BITS)
    }

    /// The lines of the call and of its operation, as they are in a record.
    #[cold]
    pub(super) fn lines(&self) -> Vec<u8> {
        let made = match self.operation {
            Some(Operation::User(operation)) => operation.made(),
            _ => self.site.location,
        };
        let text = format!(
            "{}\n{}\n{}\n{}\n",
            self.site.location.file(),
            self.site.location.line(),
            made.file(),
            made.line()
        );
        let start = text.len().saturating_sub(TEXT_BYTES);
        let mut bytes = text.as_bytes()[start..].to_vec();
        bytes.resize(TEXT_BYTES, b' ');
        bytes
    }

    /// The call that a record describes; `None` if it is not one.
    pub(super) fn from_record(words: &[u8; RECORD_WORDS * WORD_BYTES]) -> Option<CollectiveCall> {
        let word = |at: usize| -> usize {
            let bytes = words[at * WORD_BYTES..][..WORD_BYTES].try_into().expect("a word");
            u64::from_ne_bytes(bytes) as usize
        };
        let (arguments, count) = (word(1), word(2));
        let text = String::from_utf8_lossy(&words[TEXT_WORD * WORD_BYTES..]).into_owned();
        let mut lines = text.lines();
        let mut location = || {
            let (file, line) = (lines.next()?, lines.next()?.parse().ok()?);
            Some(SourceLocation::from_record(file, line))
        };
        let site = CallSite { verb: *Verb::ALL.get(arguments & NONE)?, location: location()? };
        let datatype = Datatype::ALL.get(arguments >> 8 & NONE).copied();
        let operation = match arguments >> 16 & NONE {
            NONE => None,
            number => match Operation::ALL.get(number) {
                Some(known) => Some(*known),
                None => {
                    let datatype = datatype.unwrap_or(Datatype::U8);
                    Some(Operation::User(UserOperation::recorded(datatype, true, location()?)))
                }
            },
        };
        let root = (arguments >> 24).checked_sub(1);
        let counts = CollectiveCounts::Equal(count);
        Some(CollectiveCall { root, datatype, counts, operation, ..CollectiveCall::new(site) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_an_operation_is_its_place_in_the_list() {
        for (number, operation) in Operation::ALL.into_iter().enumerate() {
            assert_eq!(operation_number(operation), number, "{operation}");
        }
    }
}
