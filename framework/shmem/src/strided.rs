//! The PEs of a team: a start, a stride and a size, fully validated.
use std::fmt;

use crate::{Error, Result};

/// The PEs start, start + stride, ...; `size` of them.
///
/// A PE belongs to it iff it is not below the start, its distance from the start is a multiple of the stride, and the
/// quotient is below the size; all three, since a multiple alone also holds for PEs before the start and after the end.
///
/// ```
/// use wb_shmem::StridedSet;
/// let odd = StridedSet::new(1, 2, 3, 8)?;
/// assert_eq!(odd.pes().collect::<Vec<_>>(), [1, 3, 5]);
/// assert_eq!((odd.index_of(3), odd.index_of(2), odd.index_of(7)), (Some(1), None, None));
/// let error = StridedSet::new(1, 2, 3, 5).expect_err("PE 5 is not there").to_string();
/// assert!(error.contains("does not fit: its parent has PEs 0..=4"), "{error}");
/// # Ok::<(), wb_shmem::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StridedSet {
    start: usize,
    stride: usize,
    size: usize,
}

impl StridedSet {
    /// The set, among PEs `0..n_pes`.
    ///
    /// # Errors
    /// [`Error::InvalidStride`] below 1, [`Error::EmptyTeam`] below 1, [`Error::Outside`] if the first or the last member does not
    /// exist.
    pub fn new(start: i64, stride: i64, size: i64, n_pes: usize) -> Result<Self> {
        if stride < 1 {
            return Err(Error::InvalidStride { stride });
        }
        if size < 1 {
            return Err(Error::EmptyTeam { size });
        }
        let outside = || Error::Outside { start, stride, size, parent: n_pes };
        let last = (size - 1).checked_mul(stride).and_then(|span| start.checked_add(span));
        let last = last.and_then(|last| usize::try_from(last).ok()).filter(|last| *last < n_pes);
        let (Ok(first), Some(_)) = (usize::try_from(start), last) else { return Err(outside()) };
        let number = |n: i64| usize::try_from(n).map_err(|_| outside());
        Ok(Self { start: first, stride: number(stride)?, size: number(size)? })
    }

    /// All of `n_pes` PEs.
    ///
    /// # Errors
    /// [`Error::EmptyTeam`] for none.
    pub fn all(n_pes: usize) -> Result<Self> {
        Self::new(0, 1, i64::try_from(n_pes).unwrap_or(i64::MAX), n_pes)
    }

    /// The first member.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The distance from one member to the next.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The number of members, at least 1.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of `pe` among the members; `None` for others.
    pub fn index_of(&self, pe: usize) -> Option<usize> {
        let distance = pe.checked_sub(self.start)?;
        let index = distance / self.stride;
        (distance.is_multiple_of(self.stride) && index < self.size).then_some(index)
    }

    /// Member number `index`.
    pub fn pe(&self, index: usize) -> Option<usize> {
        (index < self.size).then(|| self.start + index * self.stride)
    }

    /// The members, ascending.
    pub fn pes(&self) -> impl Iterator<Item = usize> + use<> {
        let Self { start, stride, size } = *self;
        (0..size).map(move |index| start + index * stride)
    }

    /// The part of this set whose member numbers `part` names, in this set's own numbers.
    ///
    /// # Panics
    /// When `part` was made for a larger parent.
    pub fn subset(&self, part: &Self) -> Self {
        assert!(part.start + (part.size - 1) * part.stride < self.size, "{part} is no part of {self}");
        Self {
            start: self.start + part.start * self.stride,
            stride: part.stride * self.stride,
            size: part.size,
        }
    }
}

impl fmt::Display for StridedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(start {}, stride {}, size {})", self.start, self.stride, self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_and_pe_are_inverse_and_others_have_no_index() {
        for (start, stride, size) in [(0, 1, 8), (2, 3, 2), (7, 1, 1), (1, 2, 3), (0, 7, 2)] {
            let set = StridedSet::new(start, stride, size, 8).expect("sound");
            let members: Vec<_> = set.pes().collect();
            for pe in 0..20 {
                assert_eq!(
                    set.index_of(pe),
                    members.iter().position(|&member| member == pe),
                    "{set}, PE {pe}"
                );
            }
            assert!((0..set.size()).all(|index| set.pe(index) == Some(members[index])));
            assert_eq!(set.pe(set.size()), None);
        }
    }

    #[test]
    fn each_bad_number_is_named() {
        let refusal =
            |start, stride, size| StridedSet::new(start, stride, size, 4).expect_err("bad").to_string();
        assert_eq!(refusal(0, 0, 2), "a team's stride must be at least 1, not 0");
        assert_eq!(refusal(0, -1, 2), "a team's stride must be at least 1, not -1");
        assert_eq!(refusal(0, 1, 0), "a team has at least 1 member, not 0");
        assert_eq!(refusal(0, 1, -3), "a team has at least 1 member, not -3");
        for (start, stride, size) in
            [(-1, 1, 2), (4, 1, 1), (0, 1, 5), (2, 2, 2), (0, i64::MAX, 3), (i64::MAX, 1, 2)]
        {
            let text = refusal(start, stride, size);
            assert!(text.contains("does not fit: its parent has PEs 0..=3"), "{text}");
        }
        let none = StridedSet::all(0).expect_err("no PE").to_string();
        assert_eq!(none, "a team has at least 1 member, not 0");
    }

    #[test]
    fn a_part_of_a_part_counts_in_the_whole() {
        let even = StridedSet::new(0, 2, 4, 8).expect("sound");
        let part = StridedSet::new(1, 2, 2, even.size()).expect("sound");
        assert_eq!(even.subset(&part).pes().collect::<Vec<_>>(), [2, 6]);
    }
}
