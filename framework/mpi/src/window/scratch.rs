//! The memory that operations on one word of a window use.
use std::cell::Cell;

use wb_comm::{SpinPolicy, cores::permitted_parallelism};

/// Operands and result of the current word operation.
pub(crate) struct Scratch {
    area: *mut ScratchArea,
    pub(super) spin_policy: SpinPolicy,
    /// The number of single polls so far.
    pub(super) single_polls: Cell<u32>,
}

#[derive(Default)]
pub(super) struct ScratchArea {
    pub(super) value: Cell<i64>,
    pub(super) expected: Cell<i64>,
    pub(super) was: Cell<i64>,
}

impl Scratch {
    /// The scratch memory for a window of `size` ranks.
    pub(crate) fn new(size: usize) -> Self {
        Self {
            area: Box::into_raw(Box::default()),
            spin_policy: SpinPolicy::for_participants(size, permitted_parallelism()),
            single_polls: Cell::new(0),
        }
    }

    /// Leaks the memory, which MPI may use for ever.
    pub(crate) fn leak(&mut self) {
        self.area = Box::into_raw(Box::default());
    }

    pub(super) fn area(&self) -> &ScratchArea {
        // SAFETY: made by `into_raw` and not given back before the drop; cells allow writing behind a reference.
        unsafe { &*self.area }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // SAFETY: made by `into_raw`, given back once.
        drop(unsafe { Box::from_raw(self.area) });
    }
}
