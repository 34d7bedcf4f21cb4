//! The library's own barriers as [`Barrier`]s.
use std::ffi::{c_int, c_long};

use wb_comm::Barrier;

use crate::oshmem::{Error, Result, ShmemLibrary, SymmetricLongs};

/// `shmem_barrier_all`: every PE has arrived, all puts are complete.
pub struct BarrierAll<'s>(pub &'s ShmemLibrary);

impl Barrier for BarrierAll<'_> {
    fn wait(&mut self) -> wb_comm::Result<()> {
        self.0.barrier_all();
        Ok(())
    }
}

/// `shmem_sync_all`: every PE has arrived.
pub struct SyncAll<'s>(pub &'s ShmemLibrary);

impl Barrier for SyncAll<'_> {
    fn wait(&mut self) -> wb_comm::Result<()> {
        self.0.sync_all();
        Ok(())
    }
}

/// PEs `start`, `start + 2^log_stride`, ...: an active set of OpenSHMEM before teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveSet {
    /// The first PE.
    pub start: usize,
    /// Logarithm of the distance from one to the next.
    pub log_stride: usize,
    /// The number of PEs.
    pub size: usize,
}

impl ActiveSet {
    /// Whether `pe` is a member.
    pub fn contains(self, pe: usize) -> bool {
        let Some(beyond) = pe.checked_sub(self.start) else { return false };
        // An unrepresentable stride leads from the first PE to no other.
        let Some(stride) = self.stride() else { return beyond == 0 && self.size > 0 };
        beyond.is_multiple_of(stride) && beyond / stride < self.size
    }

    fn stride(self) -> Option<usize> {
        u32::try_from(self.log_stride).ok().and_then(|shift| 1usize.checked_shl(shift))
    }

    /// # Errors
    /// [`Error::ActiveSet`] unless all are among `pes` PEs, [`Error::Outside`] unless `pe` is in it.
    fn validate(self, pe: usize, pes: usize) -> Result<Self> {
        let Self { start, log_stride, size } = self;
        let last =
            size.checked_sub(1).zip(self.stride()).and_then(|(steps, stride)| steps.checked_mul(stride));
        let fits = last.and_then(|last| last.checked_add(start)).is_some_and(|last| last < pes);
        match (fits, fits && self.contains(pe)) {
            (true, true) => Ok(self),
            (true, false) => Err(Error::Outside { pe }),
            (false, _) => Err(Error::ActiveSet { start, log_stride, size, pes }),
        }
    }
}

/// `SHMEM_SYNC_VALUE`, and the largest work array that any version requires.
const SYNC_VALUE: c_long = -1;
const SYNC_LONGS: usize = 64;

/// `shmem_barrier` over an active set. Two work arrays alternate: the library may still use one when a member enters
/// the next episode.
pub struct ActiveSetBarrier<'s> {
    shmem: &'s ShmemLibrary,
    set: ActiveSet,
    /// The work array in symmetric memory, in two halves.
    work: SymmetricLongs<'s>,
    episode: usize,
    completes: bool,
}

impl<'s> ActiveSetBarrier<'s> {
    /// The barrier over `set`, with `shmem_barrier` (puts are complete at its return) or else `shmem_sync`. Collective over *all*
    /// PEs, each with a set of which it is a member: the work arrays are symmetric.
    ///
    /// # Errors
    /// [`Error::ActiveSet`], [`Error::Outside`], [`Error::Heap`].
    pub fn new(shmem: &'s ShmemLibrary, set: ActiveSet, completes: bool) -> Result<Self> {
        let set = set.validate(shmem.pe(), shmem.size());
        // Collective, so called before anything that may fail at this PE only.
        let work = shmem.allocate(2 * SYNC_LONGS, SYNC_VALUE)?;
        Ok(Self { shmem, set: set?, work, episode: 0, completes })
    }

    fn episode(&mut self) -> Result<()> {
        let work = self.work.local_address(self.episode % 2 * SYNC_LONGS)?;
        self.episode += 1;
        let ActiveSet { start, log_stride, size } = self.set;
        let (start, log_stride, size) = (start as c_int, log_stride as c_int, size as c_int);
        let calls = &self.shmem.calls;
        let call = if self.completes { calls.barrier } else { calls.sync };
        // SAFETY: started; a set that was checked, that this PE is in; a symmetric work array of enough longs that was
        // set to SHMEM_SYNC_VALUE at all PEs before a barrier.
        unsafe { call(start, log_stride, size, work) };
        Ok(())
    }
}

impl Barrier for ActiveSetBarrier<'_> {
    fn wait(&mut self) -> wb_comm::Result<()> {
        Ok(self.episode()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn active_sets_are_checked() {
        let set = |start, log_stride, size| ActiveSet { start, log_stride, size };
        assert_eq!(set(1, 1, 2).validate(3, 4), Ok(set(1, 1, 2)));
        assert_eq!(set(1, 1, 2).validate(2, 4), Err(Error::Outside { pe: 2 }));
        assert_eq!(set(1, 1, 2).validate(5, 6), Err(Error::Outside { pe: 5 }));
        for bad in
            [set(0, 0, 0), set(0, 0, 5), set(2, 1, 2), set(0, 64, 2), set(0, 1000, 1), set(usize::MAX, 0, 2)]
        {
            assert!(matches!(bad.validate(0, 4), Err(Error::ActiveSet { .. })), "{bad:?}");
        }
        let endless = set(1, 64, 3);
        assert_eq!([0, 1, 2, 3].map(|pe| endless.contains(pe)), [false, true, false, false]);
        assert!(!set(1, 64, 0).contains(1) && !set(0, 1 << 40, 2).contains(1));
    }

    /// Every argument of the library fits an int.
    #[test]
    fn a_set_that_is_accepted_fits_the_library_s_ints() {
        let numbers = [0, 1, 2, 3, 31, 32, 63, 64, 65, 1 << 31, 1 << 32, usize::MAX - 1, usize::MAX];
        let count = numbers.len();
        for case in 0..count.pow(3) {
            let [start, log_stride, size] =
                [case % count, case / count % count, case / count.pow(2)].map(|at| numbers[at]);
            let set = ActiveSet { start, log_stride, size };
            for pe in 0..4 {
                if set.validate(pe, 4).is_ok() {
                    let fits = [start, log_stride, size].map(|number| c_int::try_from(number).is_ok());
                    assert!(fits == [true; 3] && set.contains(pe), "{set:?}");
                    assert!(
                        (start..4).step_by(1 << log_stride.min(60)).take(size).any(|member| member == pe)
                    );
                }
            }
        }
    }
}
