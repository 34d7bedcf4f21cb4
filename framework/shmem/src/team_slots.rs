//! The free ones of the 64 slots of team state, and the number of uses of each.
//!
//! Members must use *the same* slot. The first slot that is free here may not be free elsewhere, since members belong
//! to different other teams; two teams that share a slot wake each other. So the free maps of all are combined by AND,
//! and all take the lowest remaining bit. The slot's number of uses is agreed on as well, by maximum: a handle names
//! slot and use, so a handle of a destroyed team is never taken for the next team of the slot.
use wb_comm::{Memory, Rank};

use crate::{Error, Result, StridedSet};

/// The number of slots: one bit each in the combined map.
pub const SLOTS: usize = 64;

/// The cells of a proposal: the map of free slots, start, stride and size of the requested team, the number of uses of each
/// slot.
pub const PROPOSAL: usize = 4 + SLOTS;

/// Publishes the proposal of this PE in its cells from `first` on. The members of the parent then synchronise.
///
/// # Errors
/// The errors of the memory and of `uses`.
pub fn propose<M: Memory>(
    m: &mut M,
    first: usize,
    free_map: u64,
    [start, stride, size]: [i64; 3],
    mut uses: impl FnMut(usize) -> wb_comm::Result<i64>,
) -> wb_comm::Result<()> {
    let request = [free_map.cast_signed(), start, stride, size];
    (first..).zip(request).try_for_each(|(cell, word)| m.store(cell, word))?;
    (0..SLOTS).try_for_each(|slot| m.store(first + 4 + slot, uses(slot)?))
}

/// The slot that is free at all `members`, and the maximum of its numbers of uses; `mine` is the request of this PE, `me`.
///
/// # Errors
/// [`Error::Disagreement`] when a member requests another team, [`Error::NoSlot`]; the errors of the memory.
pub fn agree<M: Memory>(
    m: &mut M,
    first: usize,
    members: &[Rank],
    (parent_size, mine): (usize, &StridedSet),
    me: Rank,
) -> Result<(usize, i64)> {
    let mut maps = vec![];
    for &pe in members {
        maps.push(m.get(pe, first)?.cast_unsigned());
        let [start, stride, size] = [1, 2, 3].map(|at| m.get(pe, first + at));
        let theirs = StridedSet::new(start?, stride?, size?, parent_size)?;
        if theirs != *mine {
            let (theirs, mine) = (theirs.to_string(), mine.to_string());
            return Err(Error::Disagreement { pe, theirs, me, mine });
        }
    }
    let slot = TeamSlots::common_slot(maps)?;
    let uses = members.iter().map(|&pe| m.get(pe, first + 4 + slot));
    let uses = uses.collect::<wb_comm::Result<Vec<_>>>()?;
    Ok((slot, uses.into_iter().max().unwrap_or_default()))
}

/// The free slots of team state, as a bit map of 64, and the number of uses of each. Slot 0 is the world's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamSlots {
    /// Bit s is set: slot s is free here.
    free: u64,
    /// The number of uses of each slot, as known here.
    uses: [i64; SLOTS],
}

impl Default for TeamSlots {
    fn default() -> Self {
        let mut uses = [0; SLOTS];
        uses[0] = 1;
        Self { free: !1, uses }
    }
}

impl TeamSlots {
    /// The slots that are free here, a bit each.
    pub fn free_map(&self) -> u64 {
        self.free
    }

    /// The number of uses of slot `slot`, as known here.
    ///
    /// # Panics
    /// When there is no such slot.
    pub fn uses(&self, slot: usize) -> i64 {
        self.uses[slot]
    }

    /// The common slot for these free maps.
    ///
    /// # Errors
    /// [`Error::NoSlot`] when none is free everywhere.
    pub fn common_slot(maps: impl IntoIterator<Item = u64>) -> Result<usize> {
        let common = maps.into_iter().fold(u64::MAX, |all, map| all & map);
        match common {
            0 => Err(Error::NoSlot { slots: SLOTS }),
            common => Ok(common.trailing_zeros() as usize),
        }
    }

    /// Takes the agreed slot, whose agreed number of former uses is `uses`; returns the number of this use.
    ///
    /// # Panics
    /// When it is not free here: then it was not agreed on.
    pub fn allocate(&mut self, slot: usize, uses: i64) -> i64 {
        assert!(self.free >> slot & 1 == 1, "slot {slot} is taken");
        self.free &= !(1 << slot);
        self.uses[slot] = uses + 1;
        self.uses[slot]
    }

    /// Frees a slot.
    ///
    /// # Errors
    /// [`Error::FreedTwice`] when it is free, [`Error::World`] for slot 0.
    ///
    /// # Panics
    /// When there is no such slot.
    pub fn free(&mut self, slot: usize) -> Result<()> {
        match (slot, self.free >> slot & 1) {
            (0, _) => Err(Error::World),
            (_, 1) => Err(Error::FreedTwice { slot }),
            _ => {
                self.free |= 1 << slot;
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_with_different_histories_agree() {
        let (mut one, mut other) = (TeamSlots::default(), TeamSlots::default());
        for slot in [1, 2, 3] {
            one.allocate(slot, 0);
        }
        one.free(1).expect("in use");
        other.allocate(1, 0);
        // Here slot 1 is the first free one, there slot 2.
        let slot = TeamSlots::common_slot([one.free_map(), other.free_map()]).expect("some are free");
        assert_eq!(slot, 4);
        let uses = one.uses(1).max(other.uses(1));
        assert_eq!((one.uses(1), uses), (1, 1));
    }

    #[test]
    fn a_slot_given_out_again_has_another_number() {
        let mut slots = TeamSlots::default();
        assert_eq!(slots.allocate(5, 0), 1);
        slots.free(5).expect("in use");
        assert_eq!(slots.allocate(5, 7), 8, "another member knew of 7 uses");
    }

    #[test]
    fn freeing_twice_and_freeing_the_world_are_errors() {
        let mut slots = TeamSlots::default();
        slots.allocate(9, 0);
        slots.free(9).expect("in use");
        assert_eq!(slots.free(9), Err(Error::FreedTwice { slot: 9 }));
        assert_eq!(slots.free(0), Err(Error::World));
    }

    #[test]
    fn none_left_is_an_error() {
        assert_eq!(TeamSlots::common_slot([0b10, 0b100]), Err(Error::NoSlot { slots: SLOTS }));
    }
}
