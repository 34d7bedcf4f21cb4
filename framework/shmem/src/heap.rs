//! The symmetric heap: arrays that exist on every PE, under one handle.
//!
//! Each array is a window of its own in one passive epoch from allocation to the end. A handle is a plain value, as an
//! address is in C, but it is checked: the use of a freed array is an error, not a stray access.
use std::{cell::Ref, fmt, marker::PhantomData};

use wb_algorithms::collectives::Algorithms;
use wb_comm::{Assertion, CallSite, Datatype, ErasedWindow, Rank, Verb, View, ViewMut, WindowKind, Wire};

use crate::{ArrayShape, Error, Result, Shmem};

/// A symmetric array of elements of type `T`: the same handle on every PE.
pub struct Symmetric<T> {
    index: usize,
    len: usize,
    element: PhantomData<T>,
}

impl<T> Clone for Symmetric<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Symmetric<T> {}

impl<T> fmt::Debug for Symmetric<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "symmetric array {} of {}", self.index, self.len)
    }
}

impl<T> Symmetric<T> {
    /// The number of elements of each PE.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The heap's data about an array.
pub(crate) struct HeapArray {
    pub(crate) window: Box<dyn ErasedWindow>,
}

impl HeapArray {
    pub(crate) fn free(self, site: CallSite) -> Result<()> {
        self.window.unlock_all(site)?;
        Ok(self.window.free(site)?)
    }
}

impl Shmem {
    /// Collective: an array of `count` zeros on every PE (`shmem_calloc`).
    ///
    /// # Errors
    /// [`Error::Asymmetric`] on every PE when they ask for different arrays; the errors of the transport.
    #[track_caller]
    pub fn malloc<T: Wire>(&self, count: usize) -> Result<Symmetric<T>> {
        let site = CallSite::caller(Verb::WindowCreate);
        self.check_symmetric(ArrayShape { count, datatype: T::DATATYPE }, site)?;
        let window = self.transport.window(WindowKind::Allocate, T::DATATYPE, count, site)?;
        window.write(0, View::from_slice(&vec![T::default(); count]))?;
        window.lock_all(Assertion::default(), site)?;
        window.sync(site)?;
        let index = self.heap.borrow().len();
        self.heap.borrow_mut().push(Some(HeapArray { window }));
        self.world_barrier(site)?;
        Ok(Symmetric { index, len: count, element: PhantomData })
    }

    fn check_symmetric(&self, mine: ArrayShape, site: CallSite) -> Result<()> {
        // All structs have one number: an array of them is compared by its length.
        let requested = [mine.count, mine.datatype.number().unwrap_or(Datatype::ALL.len())];
        let mut all = vec![0usize; 2 * self.n_pes()];
        Algorithms(&*self.transport).allgather(&requested, &mut all, site)?;
        match all.chunks(2).position(|theirs| theirs != requested) {
            None => Ok(()),
            Some(pe) => {
                let theirs = ArrayShape {
                    count: all[2 * pe],
                    datatype: Datatype::ALL.get(all[2 * pe + 1]).copied().unwrap_or(mine.datatype),
                };
                Err(Error::Asymmetric { pe, theirs, me: self.my_pe(), mine })
            }
        }
    }

    /// Collective: frees an array (`shmem_free`).
    ///
    /// # Errors
    /// [`Error::NotAllocated`] the second time, before any PE waits; the errors of the transport.
    #[track_caller]
    pub fn free<T: Wire>(&self, array: Symmetric<T>) -> Result<()> {
        let site = CallSite::caller(Verb::WindowFree);
        drop(self.window(array, "free")?);
        self.complete(site)?;
        self.world_barrier(site)?;
        let array = self.heap.borrow_mut()[array.index].take();
        array.expect("just looked at").free(site)
    }

    /// The window of an allocated array.
    pub(crate) fn window<T: Wire>(
        &self,
        array: Symmetric<T>,
        call: &'static str,
    ) -> Result<Ref<'_, dyn ErasedWindow>> {
        let window = Ref::filter_map(self.heap.borrow(), |heap| {
            let window = &*heap.get(array.index)?.as_ref()?.window;
            (window.datatype() == T::DATATYPE && window.count(window.rank()) == array.len).then_some(window)
        });
        window.map_err(|_| Error::NotAllocated { call })
    }

    /// The window of elements `at .. at + count` of `pe`, if all of them exist.
    pub(crate) fn checked_window<T: Wire>(
        &self,
        call: &'static str,
        array: Symmetric<T>,
        (at, count): (usize, usize),
        pe: Rank,
    ) -> Result<Ref<'_, dyn ErasedWindow>> {
        self.check_pe(pe)?;
        if at.checked_add(count).is_none_or(|end| end > array.len) {
            return Err(Error::Bounds { call, at, count, len: array.len });
        }
        self.window(array, call)
    }

    /// Puts `data` into the elements of `pe` from `at` on, some time later (`shmem_put`, `shmem_put_nbi`). The caller
    /// may reuse `data` immediately.
    ///
    /// # Errors
    /// [`Error::Pe`], [`Error::Bounds`], [`Error::NotAllocated`]; the errors of the transport. The same for all
    /// following functions.
    #[track_caller]
    pub fn put<T: Wire>(&self, array: Symmetric<T>, at: usize, data: &[T], pe: Rank) -> Result<()> {
        let window = self.checked_window("put", array, (at, data.len()), pe)?;
        self.has_pending.set(true);
        Ok(window.put(pe, at, View::from_slice(data), CallSite::caller(Verb::Put))?)
    }

    /// One element: see [`put`](Self::put) (`shmem_p`).
    ///
    /// # Errors
    /// See [`put`](Self::put).
    #[track_caller]
    pub fn p<T: Wire>(&self, array: Symmetric<T>, at: usize, value: T, pe: Rank) -> Result<()> {
        self.put(array, at, &[value], pe)
    }

    /// Copies the elements of `pe` from `at` on (`shmem_get`).
    ///
    /// # Errors
    /// See [`put`](Self::put).
    #[track_caller]
    pub fn get<T: Wire>(&self, array: Symmetric<T>, at: usize, into: &mut [T], pe: Rank) -> Result<()> {
        let site = CallSite::caller(Verb::Get);
        let window = self.checked_window("get", array, (at, into.len()), pe)?;
        let fetched = window.get(pe, at, into.len(), site)?;
        window.flush(Some(pe), site)?;
        let block = fetched.take()?;
        into.copy_from_slice(block.view().slice().expect("the window's own type"));
        Ok(())
    }

    /// One element of `pe` (`shmem_g`).
    ///
    /// # Errors
    /// See [`put`](Self::put).
    #[track_caller]
    pub fn g<T: Wire>(&self, array: Symmetric<T>, at: usize, pe: Rank) -> Result<T> {
        let mut value = [T::default()];
        self.get(array, at, &mut value, pe)?;
        Ok(value[0])
    }

    /// Copies own elements from `at` on.
    ///
    /// # Errors
    /// See [`put`](Self::put).
    #[track_caller]
    pub fn read<T: Wire>(&self, array: Symmetric<T>, at: usize, into: &mut [T]) -> Result<()> {
        let window = self.checked_window("read", array, (at, into.len()), self.my_pe())?;
        window.sync(CallSite::caller(Verb::WindowSync))?;
        Ok(window.read(at, ViewMut::from_slice(into))?)
    }

    /// All own elements.
    ///
    /// # Errors
    /// See [`put`](Self::put).
    #[track_caller]
    pub fn local<T: Wire>(&self, array: Symmetric<T>) -> Result<Vec<T>> {
        let mut all = vec![T::default(); array.len];
        self.read(array, 0, &mut all)?;
        Ok(all)
    }

    /// Sets own elements from `at` on.
    ///
    /// # Errors
    /// See [`put`](Self::put).
    #[track_caller]
    pub fn write<T: Wire>(&self, array: Symmetric<T>, at: usize, from: &[T]) -> Result<()> {
        let window = self.checked_window("write", array, (at, from.len()), self.my_pe())?;
        window.write(at, View::from_slice(from))?;
        Ok(window.sync(CallSite::caller(Verb::WindowSync))?)
    }
}
