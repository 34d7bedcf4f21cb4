//! A window from its creation to its end: the handle, its memory, the locks that this rank holds.
//!
//! It lives in the case's registry: freeing it is collective, so dropping a user's handle must not free it. Its memory
//! lives as long as the window; references into it do not outlive the handle.
use std::{
    cell::{Cell, RefCell},
    ffi::{c_int, c_void},
    ptr,
    rc::Rc,
    sync::atomic::AtomicI64,
};

use mpi::ffi::{
    MPI_Aint, MPI_Comm, MPI_Datatype, MPI_Win, MPI_Win_allocate, MPI_Win_allocate_shared, MPI_Win_create,
    MPI_Win_free, MPI_Win_get_attr, MPI_Win_set_errhandler, MPI_Win_shared_query, MPI_Win_unlock,
    MPI_Win_unlock_all,
};
use wb_comm::{Block, Context, Datatype, Error, Rank, Result, WindowKind, text};

use super::{groups::GroupCache, scratch::Scratch, shared_memory, staging::Staging};
use crate::{
    check::{self, check},
    communicator::{MpiCommunicator, RegisteredResource, all_gather, barrier},
    handles, progress_workaround,
};

/// A window and its memory (see the module).
pub(crate) struct WindowInner {
    pub(crate) communicator: Rc<MpiCommunicator>,
    pub(crate) kind: WindowKind,
    pub(crate) datatype: Datatype,
    pub(crate) mpi_datatype: MPI_Datatype,
    /// The number of elements of each rank.
    pub(crate) counts: Box<[usize]>,
    pub(crate) groups: GroupCache,
    pub(crate) staging: RefCell<Staging>,
    /// Whether private and public copy are the same.
    pub(crate) is_unified: bool,
    pub(super) scratch: Scratch,
    /// The start of the own elements.
    pub(super) base: *mut u8,
    /// The start of each rank's part in `shared_words`.
    pub(super) displacements: Box<[usize]>,
    /// The parts of all ranks, where they are contiguous words in memory that all ranks map.
    pub(super) shared_words: Option<(*const AtomicI64, usize)>,
    win: MPI_Win,
    /// The memory at `base` where it is ours; MPI uses it as long as the window lives.
    _memory: Option<Block>,
    is_open: Cell<bool>,
    locked_targets: RefCell<Vec<Rank>>,
    is_all_locked: Cell<bool>,
}

/// A window just made: the handle, own elements, and their memory.
struct NewWindow {
    win: MPI_Win,
    base: *mut u8,
    memory: Option<Block>,
    kind: WindowKind,
}

impl WindowInner {
    /// Collective: makes the window, zeroes it and keeps it until it is freed.
    pub(crate) fn create(
        communicator: &Rc<MpiCommunicator>,
        kind: WindowKind,
        datatype: Datatype,
        count: usize,
    ) -> Result<Rc<Self>> {
        let counts = all_gather(communicator, count as u64)?;
        let counts: Box<[usize]> = counts.into_iter().map(|count| count as usize).collect();
        // Every rank checks all parts. If one does not fit memory, every rank refuses, and no rank waits for another
        // below.
        let starts = part_displacements(&counts, datatype)?;
        let bytes = part_bytes(count, datatype)?;
        let comm = communicator.comm_of(Context::User)?;
        progress_workaround::keep_window()?;
        let NewWindow { win, base, memory, kind } =
            create_window(communicator, kind, datatype, count, bytes)?;
        // SAFETY: a window just made and a predefined handler.
        let code = unsafe { MPI_Win_set_errhandler(win, handles::ERRORS_RETURN) };
        check("MPI_Win_set_errhandler", code)?;
        let all = match (kind, datatype) {
            (WindowKind::Shared, Datatype::I64) => map_shared_words(win, &counts)?,
            _ => None,
        };
        let opened = Rc::new(Self {
            communicator: Rc::clone(communicator),
            kind,
            datatype,
            mpi_datatype: communicator.registry.session.datatypes.get(datatype)?,
            groups: GroupCache::new(comm)?,
            staging: RefCell::new(Staging::new(counts.len())),
            is_unified: is_unified(win)?,
            scratch: Scratch::new(counts.len()),
            displacements: starts,
            counts,
            base,
            shared_words: all,
            win,
            _memory: memory,
            is_open: Cell::new(true),
            locked_targets: RefCell::default(),
            is_all_locked: Cell::new(false),
        });
        // SAFETY: own elements, which no other rank accesses before the barrier below.
        unsafe { ptr::write_bytes(opened.base, 0, bytes) };
        communicator.registry.register(Rc::clone(&opened) as Rc<dyn RegisteredResource>);
        barrier(communicator)?;
        Ok(opened)
    }

    /// The MPI handle.
    #[inline]
    pub(crate) fn win(&self) -> Result<MPI_Win> {
        if self.is_open.get() { Ok(self.win) } else { Err(self.closed_error()) }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.is_open.get()
    }

    #[cold]
    fn closed_error(&self) -> Error {
        Error::Setup(text::window::closed(&*self.communicator.name.borrow()))
    }

    /// Whether this rank holds a lock. Then all its operations are those of passive epochs.
    pub(crate) fn is_passive(&self) -> bool {
        self.is_all_locked.get() || !self.locked_targets.borrow().is_empty()
    }

    pub(crate) fn note_locked(&self, target: Rank) {
        self.locked_targets.borrow_mut().push(target);
    }

    pub(crate) fn note_unlocked(&self, target: Rank) {
        self.locked_targets.borrow_mut().retain(|held| *held != target);
    }

    pub(crate) fn set_all_locked(&self, held: bool) {
        self.is_all_locked.set(held);
    }

    /// See [`wb_comm::Window::shared`].
    pub(crate) fn shared_words(&self) -> Option<&[AtomicI64]> {
        let (start, count) = self.shared_words.filter(|_| self.is_open.get())?;
        // SAFETY: this number of words, checked when the window was made; it is not freed while this borrow lives,
        // because freeing takes the only handle or, at the end of a case, leaves windows that still have one.
        Some(unsafe { std::slice::from_raw_parts(start, count) })
    }

    /// Collective: frees the window.
    pub(crate) fn free(self: &Rc<Self>) -> Result<()> {
        let mut win = self.win()?;
        self.is_open.set(false);
        // SAFETY: a live window, freed once: it is marked closed.
        let freed = check("MPI_Win_free", unsafe { MPI_Win_free(&mut win) });
        if freed.is_err() {
            self.staging.borrow_mut().leak();
        }
        self.communicator.registry.unregister(&**self);
        freed.and(self.groups.free())
    }

    fn release_locks(&self) -> Result<()> {
        if self.is_all_locked.replace(false) {
            // SAFETY: a live window whose locks this rank holds.
            check("MPI_Win_unlock_all", unsafe { MPI_Win_unlock_all(self.win) })?;
        }
        for target in self.locked_targets.take() {
            // SAFETY: a live window and a rank whose lock this rank holds.
            check("MPI_Win_unlock", unsafe { MPI_Win_unlock(target as c_int, self.win) })?;
        }
        Ok(())
    }
}

impl RegisteredResource for WindowInner {
    fn free_leaked(self: Rc<Self>) -> Result<()> {
        // The registry holds one reference, the caller another.
        let in_use = Rc::strong_count(&self) > 2;
        if all_gather(&self.communicator, u64::from(in_use))?.contains(&1) {
            return Err(Error::Setup(text::window::in_use(&*self.communicator.name.borrow())));
        }
        self.release_locks()?;
        self.free()
    }
}

impl Drop for WindowInner {
    fn drop(&mut self) {
        if self.is_open.get() {
            // Never freed: MPI may use all of it for ever.
            self.staging.borrow_mut().leak();
            self.scratch.leak();
            std::mem::forget(self._memory.take());
        }
    }
}

fn part_bytes(count: usize, datatype: Datatype) -> Result<usize> {
    let fits = |bytes: &usize| *bytes < isize::MAX as usize - CACHE_LINE_BYTES;
    let bytes = count.checked_mul(datatype.size()).filter(fits);
    bytes.ok_or_else(|| size_error(count, datatype))
}

fn size_error(count: usize, datatype: Datatype) -> Error {
    Error::Setup(text::window::too_large(count, datatype.to_string()))
}

fn create_window(
    communicator: &MpiCommunicator,
    kind: WindowKind,
    datatype: Datatype,
    count: usize,
    bytes: usize,
) -> Result<NewWindow> {
    let comm = communicator.comm_of(Context::User)?;
    if kind != WindowKind::Create {
        shared_memory::check(communicator, bytes)?;
    }
    match kind {
        WindowKind::Allocate => allocate(comm, datatype, bytes),
        WindowKind::Shared => allocate_shared(comm, datatype, bytes),
        WindowKind::Create => {
            let mut memory = Block::zeroed(datatype, count);
            let base = memory.view_mut().bytes().as_mut_ptr();
            let (win, code) = create(comm, base, datatype, bytes);
            let refused = u64::from(code != handles::SUCCESS && check::error_class(code) == handles::ERR_WIN);
            if all_gather(communicator, refused)?.contains(&0) {
                check("MPI_Win_create", code)?;
                return Ok(NewWindow { win, base, memory: Some(memory), kind });
            }
            // The library has no transport that can access our memory, on any rank: it allocates the memory itself.
            shared_memory::check(communicator, bytes)?;
            allocate(comm, datatype, bytes)
        }
    }
}

fn create(comm: MPI_Comm, base: *mut u8, datatype: Datatype, bytes: usize) -> (MPI_Win, c_int) {
    let mut win = handles::WIN_NULL;
    let (size, unit) = (bytes as MPI_Aint, datatype.size() as c_int);
    // SAFETY: this number of bytes of a block that lives as long as the window; one handle for the answer.
    let code = unsafe { MPI_Win_create(base.cast(), size, unit, handles::INFO_NULL, comm, &mut win) };
    (win, code)
}

/// Parts are whole cache lines: neighbours do not share any, and MPICH 4.0 returns a wrong address for a part that
/// follows one whose size is not a multiple of 16.
const CACHE_LINE_BYTES: usize = 64;

fn allocate(comm: MPI_Comm, datatype: Datatype, bytes: usize) -> Result<NewWindow> {
    let (mut win, mut base) = (handles::WIN_NULL, ptr::null_mut::<c_void>());
    let bytes = bytes.next_multiple_of(CACHE_LINE_BYTES);
    let (size, unit, answer) = (bytes as MPI_Aint, datatype.size() as c_int, (&raw mut base).cast());
    // SAFETY: MPI writes the address of the memory into `base` and the handle into `win`.
    let code = unsafe { MPI_Win_allocate(size, unit, handles::INFO_NULL, comm, answer, &mut win) };
    check("MPI_Win_allocate", code)?;
    Ok(NewWindow { win, base: non_null(base), memory: None, kind: WindowKind::Allocate })
}

fn allocate_shared(comm: MPI_Comm, datatype: Datatype, bytes: usize) -> Result<NewWindow> {
    let (mut win, mut base) = (handles::WIN_NULL, ptr::null_mut::<c_void>());
    let (size, unit, answer) = (bytes as MPI_Aint, datatype.size() as c_int, (&raw mut base).cast());
    // SAFETY: as above.
    let code = unsafe { MPI_Win_allocate_shared(size, unit, handles::INFO_NULL, comm, answer, &mut win) };
    check("MPI_Win_allocate_shared", code)?;
    Ok(NewWindow { win, base: non_null(base), memory: None, kind: WindowKind::Shared })
}

/// A valid address for no elements, where the library may return null.
fn non_null(base: *mut c_void) -> *mut u8 {
    if base.is_null() { ptr::without_provenance_mut(64) } else { base.cast() }
}

/// The start of all words, if they are contiguous, as MPI specifies by default.
fn map_shared_words(win: MPI_Win, counts: &[usize]) -> Result<Option<(*const AtomicI64, usize)>> {
    let mut start: Option<*const AtomicI64> = None;
    let mut before = 0;
    for (rank, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let (mut size, mut unit, mut base) = (0, 0, ptr::null_mut::<AtomicI64>());
        let answer = (&raw mut base).cast();
        // SAFETY: a live shared window and one of its ranks; MPI writes size, unit and address.
        let code = unsafe { MPI_Win_shared_query(win, rank as c_int, &mut size, &mut unit, answer) };
        check("MPI_Win_shared_query", code)?;
        let start = *start.get_or_insert(base);
        let has_all = usize::try_from(size).is_ok_and(|size| size / size_of::<AtomicI64>() >= count);
        if !has_all || !base.is_aligned() || base.cast_const() != start.wrapping_add(before) {
            return Ok(None);
        }
        // The caller has checked that all words together fit memory.
        before += count;
    }
    Ok(Some((start.unwrap_or(ptr::without_provenance(64)), before)))
}

/// The start of each rank's part when the parts are contiguous. All parts together fit memory, as address arithmetic
/// requires.
fn part_displacements(counts: &[usize], datatype: Datatype) -> Result<Box<[usize]>> {
    let mut next = 0usize;
    let mut start = |&count: &usize| {
        let end = next.checked_add(count).filter(|&end| part_bytes(end, datatype).is_ok());
        let end = end.ok_or_else(|| size_error(count, datatype))?;
        Ok(std::mem::replace(&mut next, end))
    };
    counts.iter().map(&mut start).collect()
}

fn is_unified(win: MPI_Win) -> Result<bool> {
    let mut value: *const c_int = ptr::null();
    let mut found = 0;
    let answer = (&raw mut value).cast::<c_void>();
    // SAFETY: for this predefined attribute MPI writes the address of an int of its own into `value`.
    let code = unsafe { MPI_Win_get_attr(win, handles::WIN_MODEL, answer, &mut found) };
    check("MPI_Win_get_attr", code)?;
    // SAFETY: found, so it points to an int that lives as long as the window.
    Ok(found != 0 && !value.is_null() && unsafe { *value } == handles::WIN_UNIFIED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_fit_no_memory_are_refused_and_no_size_wraps_around() {
        for &datatype in Datatype::ALL {
            let most = (isize::MAX as usize - CACHE_LINE_BYTES - 1) / datatype.size();
            assert_eq!(part_bytes(most, datatype), Ok(most * datatype.size()), "{datatype}");
            assert_eq!(
                part_bytes(most, datatype).map(|bytes| bytes.next_multiple_of(CACHE_LINE_BYTES) >= bytes),
                Ok(true)
            );
            for count in
                [most + 1, (usize::MAX / datatype.size()).saturating_add(1), usize::MAX / 2 + 1, usize::MAX]
            {
                assert!(part_bytes(count, datatype).is_err(), "{count} elements of {datatype}");
            }
        }
    }

    #[test]
    fn parts_begin_where_the_ones_before_end_as_long_as_all_fit_memory() {
        assert_eq!(part_displacements(&[2, 0, 3, 1], Datatype::I64).as_deref(), Ok(&[0, 2, 2, 5][..]));
        let half = usize::MAX / 16;
        for counts in [vec![usize::MAX, 1], vec![1, usize::MAX], vec![half, half, half], vec![usize::MAX; 3]]
        {
            assert!(part_displacements(&counts, Datatype::I64).is_err(), "{counts:?}");
        }
    }
}
