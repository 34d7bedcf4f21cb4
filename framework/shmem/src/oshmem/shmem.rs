//! [`ShmemLibrary`]: this process as a PE, and arrays on the symmetric heap.
use std::{
    cell::OnceCell,
    env,
    ffi::{c_int, c_long},
    marker::PhantomData,
    sync::atomic::{AtomicBool, Ordering},
};

use wb_comm::Until;

use crate::oshmem::{
    Error, Result,
    functions::{self, Calls, LinkedMpi},
    randomisation,
};

/// `SHMEM_THREAD_SERIALIZED`, `SHMEM_THREAD_MULTIPLE`.
const SERIALIZED: c_int = 2;
const MULTIPLE: c_int = 3;

/// `SHMEM_CMP_EQ`, `SHMEM_CMP_NE`, `SHMEM_CMP_GE` of Open MPI's `shmem.h`.
const EQUAL: c_int = 0;
const NOT_EQUAL: c_int = 1;
const AT_LEAST: c_int = 5;

thread_local! {
    static SHARED: OnceCell<Result<&'static ShmemLibrary>> = const { OnceCell::new() };
}

static STARTED: AtomicBool = AtomicBool::new(false);

/// A started library; at most one in a process, and for the thread that started it.
///
/// It is never finalised: `shmem_finalize` of Open MPI 4.1.4 crashes (its issue 11604), and so do its exit handlers. A
/// process ends with `wb_mpi::MPI.leave()`, which finalises MPI, and `wb_process::exit_now`; the launcher then reports
/// success.
pub struct ShmemLibrary {
    pub(crate) calls: Calls,
    library: String,
    pe: usize,
    size: usize,
    here: PhantomData<*const ()>,
}

/// Could [`ShmemLibrary::start`] work in a job on this machine? Loads the library, starts nothing.
///
/// # Errors
/// The reason.
pub fn available() -> Result<()> {
    if functions::linked_mpi() == LinkedMpi::Other {
        return Err(Error::OtherMpi);
    }
    functions::load().map(drop)
}

impl ShmemLibrary {
    /// Starts the library: `shmem_init_thread`, collective over the job.
    ///
    /// Where MPI is used too, it is initialised first: then MPI has our settings, and this call joins the initialised
    /// library. PE numbers are ranks.
    ///
    /// # Errors
    /// A reason to print beside "skipped": no library, the wrong MPI, no job, randomised addresses; already started.
    pub fn start() -> Result<Self> {
        if functions::linked_mpi() == LinkedMpi::Other {
            return Err(Error::OtherMpi);
        }
        let (calls, library) = functions::load()?;
        if env::var_os("OMPI_COMM_WORLD_SIZE").is_none() {
            return Err(Error::NoJob);
        }
        if randomisation::is_enabled() {
            return Err(Error::Randomised);
        }
        if STARTED.swap(true, Ordering::SeqCst) {
            return Err(Error::Started);
        }
        let mut provided = -1;
        // SAFETY: the first call of this process, with room for the answer.
        let code = unsafe { (calls.init_thread)(MULTIPLE, &mut provided) };
        if code != 0 || provided < SERIALIZED {
            return Err(Error::Threads(provided));
        }
        // SAFETY: started.
        let (pe, size) = unsafe { ((calls.my_pe)(), (calls.n_pes)()) };
        assert!(0 <= pe && pe < size, "OpenSHMEM numbers PEs from 0: PE {pe} of {size}");
        Ok(Self { calls, library, pe: pe as usize, size: size as usize, here: PhantomData })
    }

    /// The library, started at the first call of this thread ([`start`](Self::start), collective) and never ended: for
    /// programs that need it in several places.
    ///
    /// # Errors
    /// As [`start`](Self::start), the same each time.
    pub fn shared() -> Result<&'static Self> {
        SHARED.with(|shared| {
            shared.get_or_init(|| Self::start().map(|shmem| &*Box::leak(Box::new(shmem)))).clone()
        })
    }

    /// The library's file.
    pub fn library(&self) -> &str {
        &self.library
    }

    /// This PE (`shmem_my_pe`).
    pub fn pe(&self) -> usize {
        self.pe
    }

    /// The number of PEs (`shmem_n_pes`).
    pub fn size(&self) -> usize {
        self.size
    }

    /// Every PE has arrived and all puts are complete (`shmem_barrier_all`). Collective.
    pub fn barrier_all(&self) {
        // SAFETY: started; the same for the other verbs here.
        unsafe { (self.calls.barrier_all)() }
    }

    /// Every PE has arrived (`shmem_sync_all`). Collective.
    pub fn sync_all(&self) {
        // SAFETY: as above.
        unsafe { (self.calls.sync_all)() }
    }

    /// Returns when all puts of this PE are complete (`shmem_quiet`).
    pub fn quiet(&self) {
        // SAFETY: as above.
        unsafe { (self.calls.quiet)() }
    }

    /// Orders the puts of this PE before its later ones, at each PE (`shmem_fence`).
    pub fn fence(&self) {
        // SAFETY: as above.
        unsafe { (self.calls.fence)() }
    }

    /// `cells` longs at every PE, all `initial` (`shmem_malloc`). Collective, with a barrier at its end.
    ///
    /// # Errors
    /// [`Error::Heap`] at all PEs when the heap is full.
    pub fn allocate(&self, cells: usize, initial: i64) -> Result<SymmetricLongs<'_>> {
        let bytes = cells.max(1).checked_mul(size_of::<c_long>());
        let bytes = bytes.ok_or(Error::Heap { longs: cells })?;
        // SAFETY: started; a size that is not 0.
        let start = unsafe { (self.calls.malloc)(bytes) }.cast::<c_long>();
        if start.is_null() {
            return Err(Error::Heap { longs: cells });
        }
        // SAFETY: `shmem_malloc` gave room for so many longs, aligned to a word; no PE puts before the barrier.
        (0..cells).for_each(|cell| unsafe { start.add(cell).write(initial) });
        self.barrier_all();
        Ok(SymmetricLongs { shmem: self, start, cells })
    }

    pub(crate) fn check_pe(&self, pe: usize) -> Result<c_int> {
        match pe < self.size {
            true => Ok(pe as c_int),
            false => Err(Error::Pe { pe, size: self.size }),
        }
    }
}

/// An array of longs at every PE.
///
/// Dropping it does not free it: freeing is collective, see [`free`](Self::free).
///
/// # Errors
/// Every function: [`Error::Pe`], [`Error::Cell`].
pub struct SymmetricLongs<'s> {
    pub(crate) shmem: &'s ShmemLibrary,
    start: *mut c_long,
    cells: usize,
}

#[allow(clippy::missing_errors_doc, reason = "said once for the whole type")]
impl SymmetricLongs<'_> {
    /// The number of longs of each PE.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Frees the array (`shmem_free`). Collective, with a barrier in it.
    pub fn free(self) {
        // SAFETY: from `shmem_malloc`, given back once: `self` is gone.
        unsafe { (self.shmem.calls.free)(self.start.cast()) }
    }

    /// The cell's address here, which names it at every PE.
    pub(crate) fn local_address(&self, cell: usize) -> Result<*mut c_long> {
        match cell < self.cells {
            // SAFETY: inside the array.
            true => Ok(unsafe { self.start.add(cell) }),
            false => Err(Error::Cell { cell, cells: self.cells }),
        }
    }

    fn remote_address(&self, pe: usize, cell: usize) -> Result<(*mut c_long, c_int)> {
        Ok((self.local_address(cell)?, self.shmem.check_pe(pe)?))
    }

    /// The present value of an own cell (Acquire).
    pub fn load(&self, cell: usize) -> Result<i64> {
        let at = self.local_address(cell)?;
        // SAFETY: a live, aligned cell; others touch it through the library only, whose accesses are word by word.
        Ok(unsafe { std::sync::atomic::AtomicI64::from_ptr(at) }.load(Ordering::Acquire))
    }

    /// Sets an own cell immediately (Release).
    pub fn store(&self, cell: usize, value: i64) -> Result<()> {
        let at = self.local_address(cell)?;
        // SAFETY: as above.
        unsafe { std::sync::atomic::AtomicI64::from_ptr(at) }.store(value, Ordering::Release);
        Ok(())
    }

    /// Sets a cell of `pe` (`shmem_long_p`), some time later.
    pub fn put(&self, pe: usize, cell: usize, value: i64) -> Result<()> {
        let (at, pe) = self.remote_address(pe, cell)?;
        // SAFETY: a symmetric address inside the array, a PE that exists; the same for the other verbs here.
        unsafe { (self.shmem.calls.p)(at, value, pe) };
        Ok(())
    }

    /// Sets cells of `pe` from `cell` on (`shmem_long_put`), some time later.
    pub fn put_all(&self, pe: usize, cell: usize, values: &[i64]) -> Result<()> {
        let Some(last) = values.len().checked_sub(1) else { return Ok(()) };
        let (at, pe) = self.remote_address(pe, cell)?;
        self.local_address(cell.saturating_add(last))?;
        // SAFETY: as above, to the last cell; the values may be used again when the call returns.
        unsafe { (self.shmem.calls.put)(at, values.as_ptr(), values.len(), pe) };
        Ok(())
    }

    /// A cell of `pe` (`shmem_long_g`).
    pub fn get(&self, pe: usize, cell: usize) -> Result<i64> {
        let (at, pe) = self.remote_address(pe, cell)?;
        // SAFETY: as above.
        Ok(unsafe { (self.shmem.calls.g)(at, pe) })
    }

    /// Cells of `pe` from `cell` on (`shmem_long_get`).
    pub fn get_all(&self, pe: usize, cell: usize, into: &mut [i64]) -> Result<()> {
        let Some(last) = into.len().checked_sub(1) else { return Ok(()) };
        let (at, pe) = self.remote_address(pe, cell)?;
        self.local_address(cell.saturating_add(last))?;
        // SAFETY: as above, to the last cell; the call returns when all is there.
        unsafe { (self.shmem.calls.get)(into.as_mut_ptr(), at, into.len(), pe) };
        Ok(())
    }

    /// Adds atomically (`shmem_long_atomic_add`), some time later.
    pub fn add(&self, pe: usize, cell: usize, by: i64) -> Result<()> {
        let (at, pe) = self.remote_address(pe, cell)?;
        // SAFETY: as above.
        unsafe { (self.shmem.calls.add)(at, by, pe) };
        Ok(())
    }

    /// Adds atomically, returns the former value (`shmem_long_atomic_fetch_add`).
    pub fn fetch_add(&self, pe: usize, cell: usize, by: i64) -> Result<i64> {
        let (at, pe) = self.remote_address(pe, cell)?;
        // SAFETY: as above.
        Ok(unsafe { (self.shmem.calls.fetch_add)(at, by, pe) })
    }

    /// Sets atomically, returns the former value (`shmem_long_atomic_swap`).
    pub fn swap(&self, pe: usize, cell: usize, value: i64) -> Result<i64> {
        let (at, pe) = self.remote_address(pe, cell)?;
        // SAFETY: as above.
        Ok(unsafe { (self.shmem.calls.swap)(at, value, pe) })
    }

    /// Sets atomically if it is `expected`, returns the former value (`shmem_long_atomic_compare_swap`).
    pub fn compare_swap(&self, pe: usize, cell: usize, expected: i64, value: i64) -> Result<i64> {
        let (at, pe) = self.remote_address(pe, cell)?;
        // SAFETY: as above.
        Ok(unsafe { (self.shmem.calls.compare_swap)(at, expected, value, pe) })
    }

    /// Returns once an own cell fulfils the condition (`shmem_long_wait_until`). Only the end of the process can
    /// interrupt it: run jobs with a limit.
    pub fn wait_until(&self, cell: usize, until: Until) -> Result<()> {
        let at = self.local_address(cell)?;
        let (comparison, value) = match until {
            Until::Equal(value) => (EQUAL, value),
            Until::NotEqual(value) => (NOT_EQUAL, value),
            Until::AtLeast(value) => (AT_LEAST, value),
            Until::Either(..) => {
                // OpenSHMEM has no such comparison.
                while !self.test(cell, until)? {
                    std::thread::yield_now();
                }
                return Ok(());
            }
        };
        // SAFETY: an own cell of the array.
        unsafe { (self.shmem.calls.wait_until)(at, comparison, value) };
        Ok(())
    }

    /// Whether an own cell fulfils the condition (`shmem_long_test`). Lets the library make progress.
    pub fn test(&self, cell: usize, until: Until) -> Result<bool> {
        let at = self.local_address(cell)?;
        // SAFETY: an own cell of the array.
        let is = |comparison, value| unsafe { (self.shmem.calls.test)(at, comparison, value) != 0 };
        Ok(match until {
            Until::Equal(value) => is(EQUAL, value),
            Until::NotEqual(value) => is(NOT_EQUAL, value),
            Until::AtLeast(value) => is(AT_LEAST, value),
            Until::Either(one, other) => is(EQUAL, one) || is(EQUAL, other),
        })
    }
}
