//! The places of a segment's words.
//!
//! Each rank owns K *lines* (a flag and a payload that fits beside it), one line for its *acknowledgement*, one for the sign that it has
//! left, the *records* of its last calls, and K *slots* for payloads that fit no line. What several ranks poll is apart by 128 bytes, since
//! processors fetch two lines together. For two ranks there is a packed form: one line of 64 bytes has the flags and the payloads of both, so
//! it moves once there and back.
use wb_comm::Rank;

use super::words::WORD_BYTES;

/// Words of the 128 bytes that are fetched together.
const UNIT: usize = 16;

/// Words of a cache line.
pub(super) const LINE_WORDS: usize = 8;

/// Words of the record of a call.
pub(super) const RECORD_WORDS: usize = 32;

/// Where the words of each rank are. It is the same on all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentLayout {
    /// K: lines, and slots, of a rank; a power of two.
    slots: usize,
    /// Words of a payload beside the flag.
    inline_words: usize,
    /// Words of a slot.
    slot_words: usize,
    /// From one rank's lines to the next rank's, and from one line to the next.
    line_steps: (usize, usize),
    /// The first word after the lines, and the distance between those of two ranks.
    tail: (usize, usize),
}

impl SegmentLayout {
    /// K = 4: three rounds may be on their way while the slowest reader reads a fourth.
    pub const SLOTS: usize = 4;

    /// Bytes of a slot. Of 8 to 64 KiB this was the best for two ranks: with shorter ones the rounds of long operations cost more, and with longer
    /// ones less of a broadcast is read while it is written.
    pub const SLOT_BYTES: usize = 32 << 10;

    /// The layout for this number of ranks: packed for two.
    pub fn for_ranks(size: usize) -> Self {
        if size == 2 {
            Self::packed(Self::SLOTS, Self::SLOT_BYTES)
        } else {
            Self::padded(Self::SLOTS, Self::SLOT_BYTES)
        }
    }

    /// The lines of each rank apart, with 56 bytes of payload.
    ///
    /// # Panics
    /// If `slots` is not a power of two.
    pub fn padded(slots: usize, slot_bytes: usize) -> Self {
        let layout = Self::new(slots, LINE_WORDS - 1, slot_bytes);
        let part = slots * UNIT + layout.tail_words();
        Self { line_steps: (part, UNIT), tail: (slots * UNIT, part), ..layout }
    }

    /// The lines of two ranks together, with 24 bytes of payload for each.
    ///
    /// # Panics
    /// If `slots` is not a power of two.
    pub fn packed(slots: usize, slot_bytes: usize) -> Self {
        let layout = Self::new(slots, LINE_WORDS / 2 - 1, slot_bytes);
        let tail = (slots * LINE_WORDS).next_multiple_of(UNIT);
        Self { line_steps: (LINE_WORDS / 2, LINE_WORDS), tail: (tail, layout.tail_words()), ..layout }
    }

    /// The words of one rank, for a memory in which each rank has a part of its own.
    ///
    /// # Panics
    /// If `slots` is not a power of two.
    pub fn of_one_rank(slots: usize, inline_words: usize, slot_bytes: usize) -> Self {
        let layout = Self::new(slots, inline_words, slot_bytes);
        let line = inline_words + 1;
        Self { line_steps: (0, line), tail: (slots * line, 0), ..layout }
    }

    fn new(slots: usize, inline_words: usize, slot_bytes: usize) -> Self {
        assert!(slots.is_power_of_two(), "{slots} slots are not a power of two");
        Self { slots, inline_words, slot_words: slot_bytes / WORD_BYTES, line_steps: (0, 0), tail: (0, 0) }
    }

    /// The words of `size` ranks.
    pub fn words(&self, size: usize) -> usize {
        self.tail.0 + (size - 1) * self.tail.1 + self.tail_words()
    }

    /// K.
    #[inline]
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// The most bytes of a payload in a line.
    #[inline]
    pub fn inline_bytes(&self) -> usize {
        self.inline_words * WORD_BYTES
    }

    /// The most bytes of a payload.
    #[inline]
    pub fn slot_bytes(&self) -> usize {
        self.slot_words * WORD_BYTES
    }

    fn tail_words(&self) -> usize {
        let words = 2 * UNIT + super::calls::KEPT_CALLS * RECORD_WORDS + self.slots * self.slot_words;
        words.next_multiple_of(UNIT)
    }

    #[inline]
    fn tail(&self, rank: Rank) -> usize {
        self.tail.0 + rank * self.tail.1
    }

    /// The flag of a line; its payload follows.
    #[inline]
    pub fn flag(&self, rank: Rank, slot: usize) -> usize {
        rank * self.line_steps.0 + slot * self.line_steps.1
    }

    /// The payload of a round: beside the flag if it fits, else in the slot.
    #[inline]
    pub fn payload(&self, rank: Rank, slot: usize, bytes: usize) -> usize {
        if bytes <= self.inline_bytes() {
            self.flag(rank, slot) + 1
        } else {
            self.record(rank, super::calls::KEPT_CALLS) + slot * self.slot_words
        }
    }

    /// The last round that the rank has completed.
    #[inline]
    pub fn acknowledgement(&self, rank: Rank) -> usize {
        self.tail(rank)
    }

    /// Not zero once the rank takes part in no further call.
    #[inline]
    pub fn has_left(&self, rank: Rank) -> usize {
        self.tail(rank) + UNIT
    }

    /// The record of a call, by its place among those that are kept.
    #[inline]
    pub(super) fn record(&self, rank: Rank, place: usize) -> usize {
        self.tail(rank) + 2 * UNIT + place * RECORD_WORDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a rank, by what they are for.
    fn words(layout: &SegmentLayout, rank: Rank) -> Vec<std::ops::Range<usize>> {
        let single = [layout.acknowledgement(rank), layout.has_left(rank)];
        let mut all: Vec<_> = single.into_iter().map(|place| place..place + 1).collect();
        all.extend((0..super::super::calls::KEPT_CALLS).map(|place| {
            let start = layout.record(rank, place);
            start..start + RECORD_WORDS
        }));
        for slot in 0..layout.slots() {
            let (line, payload) = (layout.flag(rank, slot), layout.payload(rank, slot, layout.slot_bytes()));
            assert_eq!(layout.payload(rank, slot, layout.inline_bytes()), line + 1);
            all.push(line..line + 1 + layout.inline_words);
            all.push(payload..payload + layout.slot_words);
        }
        all
    }

    #[test]
    fn no_two_places_share_a_word_and_all_are_in_the_segment() {
        for (size, layout) in [
            (1, SegmentLayout::padded(4, 1024)),
            (2, SegmentLayout::packed(4, 1024)),
            (2, SegmentLayout::packed(1, 64)),
            (3, SegmentLayout::padded(2, 64)),
            (17, SegmentLayout::for_ranks(17)),
        ] {
            let mut all: Vec<_> = (0..size).flat_map(|rank| words(&layout, rank)).collect();
            all.sort_by_key(|range| range.start);
            assert!(all.windows(2).all(|pair| pair[0].end <= pair[1].start), "{layout:?}");
            assert!(all.last().is_some_and(|last| last.end <= layout.words(size)), "{layout:?}");
        }
    }

    #[test]
    fn flags_of_a_packed_round_share_a_line_and_padded_ones_share_none() {
        let lines = |layout: SegmentLayout| [0, 1].map(|rank| layout.flag(rank, 3) / LINE_WORDS);
        let [packed, padded] = [SegmentLayout::packed(4, 64), SegmentLayout::padded(4, 64)].map(lines);
        assert!(packed[0] == packed[1] && padded[0].abs_diff(padded[1]) > 1);
    }
}
