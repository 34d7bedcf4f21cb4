//! Batcher's odd-even merge sort for any number of lines.
//!
//! The stages are those of Knuth's algorithm M (The Art of Computer Programming 3, 5.2.2), after K. E. Batcher, Sorting
//! networks and their applications, AFIPS Spring Joint Computer Conference 32, 1968. With `t = ceil(log2 P)`:
//!
//! ```text
//! for p = 2^(t-1), ..., 2, 1:              lines are merged in groups of 2^t / p
//!     compare i with i + p                    where i & p = 0
//!     for d = 2^(t-1) - p, 2^(t-2) - p, ..., p:
//!         compare i with i + d                where i & p = p
//! ```
//!
//! There are t (t + 1) / 2 stages, and in each of them a line is compared with one other line at most.
//!
//! The network sorts blocks, too, if all of them have the same length: after a comparison the first block has the smaller
//! half of all numbers of both, the second one the larger half, both in order.
use workbench::Rank;

/// The block that a rank keeps after a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// The smaller numbers.
    Lower,
    /// The larger numbers.
    Upper,
}

/// A stage of the network: lines i and i + `distance` are compared, where `i & mask == pattern`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    mask: usize,
    pattern: usize,
    distance: usize,
}

impl Stage {
    /// All stages for `lines` lines, in order.
    pub fn all(lines: usize) -> Vec<Self> {
        let top = lines.next_power_of_two() / 2;
        let halves = |from: usize| std::iter::successors(Some(from), |p| Some(p / 2)).take_while(|p| *p > 0);
        let merge = |mask: usize| {
            let first = Self { mask, pattern: 0, distance: mask };
            let others = halves(top).take_while(move |q| *q > mask);
            std::iter::once(first).chain(others.map(move |q| Self {
                mask,
                pattern: mask,
                distance: q - mask,
            }))
        };
        halves(top).flat_map(merge).collect()
    }

    /// The line that `line` is compared with, and the half that it keeps; `None` if it takes no part.
    pub fn partner(self, line: Rank, lines: usize) -> Option<(Rank, Half)> {
        let begins = |line: usize| line & self.mask == self.pattern && line + self.distance < lines;
        if begins(line) {
            return Some((line + self.distance, Half::Lower));
        }
        let above = line.checked_sub(self.distance)?;
        begins(above).then_some((above, Half::Upper))
    }
}

/// The half that a rank keeps of its own block and another one, both in order and of the same length.
///
/// # Panics
/// When the lengths differ.
pub fn half(own: &[i32], other: &[i32], which: Half) -> Vec<i32> {
    assert_eq!(own.len(), other.len(), "the network sorts blocks of the same length");
    match which {
        Half::Lower => lower(own, other),
        Half::Upper => upper(own, other),
    }
}

/// The time of [`half`] for `count` numbers, in floating-point operations: that of a comparison of quicksort for each.
pub fn operations(count: usize) -> u64 {
    32 * count as u64
}

/// The smaller half, merged from the beginning. Neither index passes the end, because only one block's length is taken.
fn lower(own: &[i32], other: &[i32]) -> Vec<i32> {
    let (mut i, mut j) = (0, 0);
    let next = |_| {
        let is_own = own[i] <= other[j];
        let smaller = if is_own { own[i] } else { other[j] };
        i += usize::from(is_own);
        j += usize::from(!is_own);
        smaller
    };
    (0..own.len()).map(next).collect()
}

/// The larger half, merged from the end.
fn upper(own: &[i32], other: &[i32]) -> Vec<i32> {
    let mut merged = vec![0; own.len()];
    let (mut i, mut j) = (own.len(), other.len());
    for place in merged.iter_mut().rev() {
        let is_own = own[i - 1] > other[j - 1];
        *place = if is_own { own[i - 1] } else { other[j - 1] };
        i -= usize::from(is_own);
        j -= usize::from(!is_own);
    }
    merged
}
