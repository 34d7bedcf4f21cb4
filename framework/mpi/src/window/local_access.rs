//! Reads and writes of own elements of a window, possibly concurrent with accesses of other processes.
//!
//! They are atomic accesses of the elements' size, so a concurrent access of MPI or of another process gives an older
//! or newer value, never a torn one (128-bit integers may be torn in the middle).
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use wb_comm::{Rank, Result, View, ViewMut};

use super::window_inner::WindowInner;

impl WindowInner {
    /// Copies own elements from `at` on; the caller has checked range and type.
    pub(crate) fn read(&self, at: usize, mut into: ViewMut<'_>) -> Result<()> {
        self.win()?;
        let size = self.datatype.size();
        let bytes = into.bytes();
        // SAFETY: elements `at` and following are own elements, as many as `bytes` has.
        unsafe { load(self.base.add(at * size), bytes, size) };
        Ok(())
    }

    /// Sets own elements from `at` on; the caller has checked range and type.
    pub(crate) fn write(&self, at: usize, from: View<'_>) -> Result<()> {
        self.win()?;
        let size = self.datatype.size();
        // SAFETY: as for `read`.
        unsafe { store(self.base.add(at * size), from.bytes(), size) };
        Ok(())
    }

    /// A word that this process can access directly: an own one in the unified model, any one of a shared window. The
    /// caller has checked range and type.
    #[inline]
    pub(crate) fn local_word(&self, target: Rank, at: usize) -> Option<&AtomicI64> {
        if !self.is_unified {
            return None;
        }
        if target == self.communicator.rank {
            // SAFETY: an own element of 8 bytes, aligned by MPI, in memory that lives as long as the window.
            return Some(unsafe { &*self.base.cast::<AtomicI64>().add(at) });
        }
        self.shared_words()?.get(self.displacements[target] + at)
    }
}

macro_rules! by_size {
    ($size:expr, $do:ident($($argument:expr),*)) => {
        match $size {
            1 => $do!(AtomicU8, u8, $($argument),*),
            2 => $do!(AtomicU16, u16, $($argument),*),
            4 => $do!(AtomicU32, u32, $($argument),*),
            _ => $do!(AtomicU64, u64, $($argument),*),
        }
    };
}

/// # Safety
/// `from` has as many bytes as `into`, aligned for elements of `size` bytes (or 8, if that is less).
unsafe fn load(from: *const u8, into: &mut [u8], size: usize) {
    macro_rules! each {
        ($atom:ident, $word:ident, $from:expr, $into:expr) => {
            for (n, bytes) in $into.chunks_exact_mut(size_of::<$word>()).enumerate() {
                // SAFETY: the caller's promise.
                let value = unsafe { &*$from.cast::<$atom>().add(n) }.load(Relaxed);
                bytes.copy_from_slice(&value.to_ne_bytes());
            }
        };
    }
    by_size!(size, each(from, into));
}

/// # Safety
/// `to` has as many bytes as `from`, aligned for elements of `size` bytes (or 8, if that is less).
unsafe fn store(to: *mut u8, from: &[u8], size: usize) {
    macro_rules! each {
        ($atom:ident, $word:ident, $to:expr, $from:expr) => {
            for (n, bytes) in $from.chunks_exact(size_of::<$word>()).enumerate() {
                let value = $word::from_ne_bytes(bytes.try_into().expect("a chunk of this size"));
                // SAFETY: the caller's promise.
                unsafe { &*$to.cast::<$atom>().add(n) }.store(value, Relaxed);
            }
        };
    }
    by_size!(size, each(to, from));
}

#[cfg(test)]
mod tests {
    use wb_comm::{Block, Datatype};

    use super::*;

    #[test]
    fn elements_of_every_size_are_copied_whole() {
        for &datatype in Datatype::ALL {
            let mut memory = Block::zeroed(datatype, 5);
            let bytes: Vec<u8> = (0..3 * datatype.size() as u8).collect();
            let size = datatype.size();
            let start = memory.view_mut().bytes().as_mut_ptr();
            let mut back = vec![0; bytes.len()];
            // SAFETY: elements 1 to 3 of five.
            unsafe {
                store(start.add(size), &bytes, size);
                load(start.add(size), &mut back, size);
            }
            assert_eq!(back, bytes, "{datatype}");
            assert!(memory.view().bytes()[..size].iter().all(|byte| *byte == 0));
        }
    }
}
