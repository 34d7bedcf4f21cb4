//! The memory of a segment: words that several ranks access, each written by one rank only.
//!
//! [`SegmentWords`] is all that the protocol of a [`Segment`](super::Segment) needs of a memory. [`AtomicWords`] has it on the atomics of a
//! processor, and on those of a model checker. The explorer of barriers (`crate::barriers::explore`) has it with every order in which stores may become visible (the
//! tests of this folder), so the code that is proved is the code that runs.
//!
//! A payload is written and read by relaxed atomic accesses ([`AtomicWord::store_bytes`]), so whatever two ranks do at a time is defined, and an
//! error of the protocol is a wrong value.
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use wb_comm::{
    Rank, Result, SpinPolicy,
    cells::{AtomicWord, Orderings},
};

/// Bytes of a word.
pub const WORD_BYTES: usize = 8;

/// Words that a rank writes, and all ranks read. A word is named by its owner and its place, which a
/// [`SegmentLayout`](super::SegmentLayout) computes.
///
/// # Errors
/// Every method: the errors of the memory. The processor has none.
#[allow(clippy::missing_errors_doc, reason = "said once for the whole trait")]
pub trait SegmentWords {
    /// Writes bytes to own words from `at` on; the rest of the last word is zero. Nothing orders these writes but [`publish`](Self::publish).
    fn write(&mut self, at: usize, bytes: &[u8]) -> Result<()>;

    /// As [`write`](Self::write), of one word.
    fn set(&mut self, at: usize, value: i64) -> Result<()> {
        self.write(at, &value.to_ne_bytes())
    }

    /// Sets an own word; who [waits](Self::spin) for this value sees all writes before.
    fn publish(&mut self, at: usize, value: i64) -> Result<()>;

    /// Copies words of `rank` from `at` on.
    fn read(&mut self, rank: Rank, at: usize, into: &mut [u8]) -> Result<()>;

    /// The value of a word of `rank`, and what was written before it.
    fn load(&mut self, rank: Rank, at: usize) -> Result<i64>;

    /// Waits until a word of `rank` is `least` or later, as [`is_reached`] defines; `None` after some polls without success.
    fn spin(&mut self, rank: Rank, at: usize, least: i64) -> Result<Option<i64>>;

    /// Yields the core between two polls.
    fn yield_core(&mut self);
}

/// Whether `value` is `least` or comes after it. Values wrap around: of two, the one less than half of all values ahead is later.
#[inline]
pub fn is_reached(value: i64, least: i64) -> bool {
    value.wrapping_sub(least) >= 0
}

impl<W: SegmentWords + ?Sized> SegmentWords for &mut W {
    fn write(&mut self, at: usize, bytes: &[u8]) -> Result<()> {
        (**self).write(at, bytes)
    }
    fn publish(&mut self, at: usize, value: i64) -> Result<()> {
        (**self).publish(at, value)
    }
    fn read(&mut self, rank: Rank, at: usize, into: &mut [u8]) -> Result<()> {
        (**self).read(rank, at, into)
    }
    fn load(&mut self, rank: Rank, at: usize) -> Result<i64> {
        (**self).load(rank, at)
    }
    fn spin(&mut self, rank: Rank, at: usize, least: i64) -> Result<Option<i64>> {
        (**self).spin(rank, at, least)
    }
    fn yield_core(&mut self) {
        (**self).yield_core();
    }
}

/// Words as atomics that threads share, or processes with a common window.
#[derive(Debug)]
pub struct AtomicWords<'a, A = AtomicI64> {
    words: &'a [A],
    spin_policy: SpinPolicy,
}

impl<'a, A> AtomicWords<'a, A> {
    /// The words of all ranks.
    pub fn new(words: &'a [A], spin_policy: SpinPolicy) -> Self {
        Self { words, spin_policy }
    }
}

impl<A: AtomicWord> SegmentWords for AtomicWords<'_, A> {
    #[inline]
    fn write(&mut self, at: usize, bytes: &[u8]) -> Result<()> {
        A::store_bytes(&self.words[at..], bytes);
        Ok(())
    }

    #[inline]
    fn set(&mut self, at: usize, value: i64) -> Result<()> {
        self.words[at].store(value, Relaxed);
        Ok(())
    }

    #[inline]
    fn publish(&mut self, at: usize, value: i64) -> Result<()> {
        self.words[at].store(value, A::Orderings::STORE);
        Ok(())
    }

    #[inline]
    fn read(&mut self, _rank: Rank, at: usize, into: &mut [u8]) -> Result<()> {
        A::load_bytes(&self.words[at..], into);
        Ok(())
    }

    #[inline]
    fn load(&mut self, _rank: Rank, at: usize) -> Result<i64> {
        Ok(self.words[at].load(A::Orderings::LOAD))
    }

    #[inline]
    fn spin(&mut self, _rank: Rank, at: usize, least: i64) -> Result<Option<i64>> {
        let word = &self.words[at];
        for polls in 0..=self.spin_policy.spins_before_yield {
            let value = word.load(A::Orderings::LOAD);
            if is_reached(value, least) {
                return Ok(Some(value));
            }
            if polls < self.spin_policy.spins_before_yield {
                A::spin_hint();
            }
        }
        Ok(None)
    }

    #[inline]
    fn yield_core(&mut self) {
        A::yield_core();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stays_later_when_it_wraps_around() {
        assert!(is_reached(5, 5) && is_reached(6, 5) && !is_reached(4, 5));
        assert!(is_reached(i64::MIN, i64::MAX) && !is_reached(i64::MAX, i64::MIN));
    }
}
