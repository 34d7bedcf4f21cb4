//! What this library knows of a communicator: an attribute, which the first collective call sets and the end of the communicator deletes.
//!
//! All ranks make the same collective calls on a communicator, so their number of calls is the same, and so is what depends on it: after
//! some calls the ranks make a memory together. It is freed where a rank frees the communicator, without the others: the pages stay as
//! long as one rank has them.
use std::{
    cell::Cell,
    env,
    ffi::{c_int, c_void},
    ptr,
    sync::{
        LazyLock, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use wb_algorithms::{
    barriers::select::AUTO,
    collectives::{
        selection::{CollectiveChoice, GroupRules, RankCores, SelectionTable, read_table},
        shared_memory::{AtomicWords, Segment, SegmentLayout, SegmentState, SegmentWords, SharedAlgorithm},
    },
};
use wb_comm::{
    Error, Rank, Result as CommResult, SpinPolicy, Text, Verb, cores::permitted_parallelism,
    text::preload as text,
};
use wb_mpi::{
    ffi::{self, MPI_Comm},
    handles,
};

use crate::{
    collectives::TakenCall,
    counts::{self, Reason},
    data::Scratch,
    failure,
    memory::SharedMemory,
};

/// The calls on a communicator before its memory is made, unless `WB_PRELOAD_AFTER` says another number.
const FIRST_CALLS: u64 = 32;

static CALLS_BEFORE: LazyLock<u64> = LazyLock::new(|| match env::var("WB_PRELOAD_AFTER") {
    Err(_) => FIRST_CALLS,
    Ok(number) => number.parse().unwrap_or_else(|_| failure::end(&text::no_number(number))),
});

/// The most ranks of a communicator whose calls are taken: the algorithms are flat.
const MOST_RANKS: usize = 16;

/// What the environment asks for, or else the table of measurements.
static CHOICE: LazyLock<CollectiveChoice> = LazyLock::new(|| {
    let asked = CollectiveChoice::from_environment(|name| env::var(name).ok());
    let choice = asked.and_then(|asked| asked.map_or_else(|| AUTO.parse(), Ok));
    choice.unwrap_or_else(|error| failure::end(&error.text()))
});

/// The key of the attribute.
static KEY: LazyLock<c_int> = LazyLock::new(|| {
    failure::check_library();
    let mut key = 0;
    // SAFETY: two functions of the types of MPI, a place for the answer, no further state.
    let code =
        unsafe { ffi::PMPI_Comm_create_keyval(Some(do_not_copy), Some(delete), &mut key, ptr::null_mut()) };
    assert_eq!(code, handles::SUCCESS, "MPI_Comm_create_keyval");
    key
});

/// The number of communicators that have ended.
static ENDED: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The communicator of this thread's last call, the number of those that had ended by then, and its attribute.
    static LAST: Cell<Option<(MPI_Comm, u64, *const Mutex<Communicator>)>> = const { Cell::new(None) };
}

/// A communicator as this rank sees it.
pub(crate) struct Communicator {
    pub(crate) rank: Rank,
    pub(crate) size: usize,
    /// Its collective calls so far, of the interposed operations.
    pub(crate) calls: u64,
    stage: Stage,
    pub(crate) scratch: Scratch,
    /// By operation: the last call that was taken, if it may come again at other addresses.
    pub(crate) last_taken: [Option<TakenCall>; counts::OPERATIONS],
}

enum Stage {
    /// Calls are counted.
    FirstCalls,
    Ready(Box<Shared>),
    /// All calls are passed on, for this reason.
    PassedOn(Reason),
}

/// The memory of a communicator.
pub(crate) struct Shared {
    memory: SharedMemory,
    layout: SegmentLayout,
    spin_policy: SpinPolicy,
    state: SegmentState,
    rules: GroupRules,
}

/// The communicator of a handle; `None` if the library has to judge the handle.
#[inline]
pub(crate) fn lock(comm: MPI_Comm) -> Option<MutexGuard<'static, Communicator>> {
    let ended = ENDED.load(Relaxed);
    let last = LAST.get().filter(|(last, number, _)| *last == comm && *number == ended);
    let found = match last {
        Some((.., found)) => found,
        None => {
            let found = attribute(comm)?;
            LAST.set(Some((comm, ended, found)));
            found
        }
    };
    // SAFETY: the attribute of a communicator that has not ended: nothing has deleted it, and the program may not end the communicator while it
    // makes a call on it.
    let communicator: &'static Mutex<Communicator> = unsafe { &*found };
    Some(communicator.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cold]
fn attribute(comm: MPI_Comm) -> Option<*const Mutex<Communicator>> {
    if comm == handles::COMM_NULL {
        return None;
    }
    let (mut value, mut is_there): (*mut c_void, c_int) = (ptr::null_mut(), 0);
    // SAFETY: places for the answers: the value of an attribute is a pointer.
    let code = unsafe { ffi::PMPI_Comm_get_attr(comm, *KEY, (&raw mut value).cast(), &mut is_there) };
    if code != handles::SUCCESS {
        return None;
    }
    if is_there != 0 {
        return Some(value.cast());
    }
    let new = Box::into_raw(Box::new(Mutex::new(Communicator::new(comm)?)));
    // SAFETY: the attribute owns the value from now on; `delete` frees it.
    let code = unsafe { ffi::PMPI_Comm_set_attr(comm, *KEY, new.cast()) };
    if code != handles::SUCCESS {
        // SAFETY: made above, and not stored.
        drop(unsafe { Box::from_raw(new) });
        return None;
    }
    Some(new)
}

/// A communicator that is made from another one has its own attribute.
unsafe extern "C" fn do_not_copy(
    _comm: MPI_Comm,
    _key: c_int,
    _state: *mut c_void,
    _value: *mut c_void,
    _copy: *mut c_void,
    is_copied: *mut c_int,
) -> c_int {
    // SAFETY: the library passes a place for the answer.
    unsafe { *is_copied = 0 };
    handles::SUCCESS
}

/// The end of a communicator.
unsafe extern "C" fn delete(_comm: MPI_Comm, _key: c_int, value: *mut c_void, _state: *mut c_void) -> c_int {
    ENDED.fetch_add(1, Relaxed);
    // SAFETY: made by `attribute`, and deleted once; no call on the communicator is under way.
    drop(unsafe { Box::from_raw(value.cast::<Mutex<Communicator>>()) });
    handles::SUCCESS
}

impl Communicator {
    fn new(comm: MPI_Comm) -> Option<Self> {
        let (mut rank, mut size, mut is_inter) = (0, 0, 0);
        // SAFETY: places for the answers.
        let codes = unsafe {
            [
                ffi::PMPI_Comm_rank(comm, &mut rank),
                ffi::PMPI_Comm_size(comm, &mut size),
                ffi::PMPI_Comm_test_inter(comm, &mut is_inter),
            ]
        };
        if codes.iter().any(|code| *code != handles::SUCCESS) {
            return None;
        }
        let (rank, size) = (rank as Rank, size as usize);
        let stage = match size {
            _ if is_inter != 0 => Stage::PassedOn(Reason::Inter),
            0 | 1 => Stage::PassedOn(Reason::OneRank),
            _ if size > MOST_RANKS => Stage::PassedOn(Reason::ManyRanks),
            _ => Stage::FirstCalls,
        };
        Some(Self {
            rank,
            size,
            calls: 0,
            stage,
            scratch: Scratch::default(),
            last_taken: [None; counts::OPERATIONS],
        })
    }

    /// Counts a call, and makes the memory when it is time.
    ///
    /// # Errors
    /// Why the call is passed on.
    #[inline]
    pub(crate) fn begin_call(&mut self, comm: MPI_Comm) -> Result<(), Reason> {
        self.calls += 1;
        match self.stage {
            Stage::Ready(_) => Ok(()),
            Stage::PassedOn(reason) => Err(reason),
            Stage::FirstCalls => self.count_call(comm),
        }
    }

    #[cold]
    fn count_call(&mut self, comm: MPI_Comm) -> Result<(), Reason> {
        if self.calls <= *CALLS_BEFORE {
            return Err(Reason::FirstCalls);
        }
        let result = Shared::new(comm, self.rank, self.size);
        self.stage = match result {
            Ok(shared) => Stage::Ready(Box::new(shared)),
            Err(reason) => Stage::PassedOn(reason),
        };
        self.begin_stage()
    }

    fn begin_stage(&self) -> Result<(), Reason> {
        match self.stage {
            Stage::Ready(_) => Ok(()),
            Stage::PassedOn(reason) => Err(reason),
            Stage::FirstCalls => Err(Reason::FirstCalls),
        }
    }

    /// The algorithm for a block of this length; `None`: the library is faster.
    #[inline]
    pub(crate) fn choose(&self, verb: Verb, bytes: usize) -> Option<&'static SharedAlgorithm> {
        match &self.stage {
            Stage::Ready(shared) => CHOICE.choose(&shared.rules, verb, bytes),
            _ => None,
        }
    }

    /// Runs a call on the segment, if there is one.
    #[inline]
    pub(crate) fn on_segment(
        &mut self,
        comm: MPI_Comm,
        call: impl FnOnce(&mut Segment<'_, AtomicWords<'_>>, &mut Scratch),
    ) {
        let Stage::Ready(shared) = &mut self.stage else { return };
        let Shared { memory, layout, spin_policy, state, .. } = &mut **shared;
        let words = AtomicWords::new(memory.words(), *spin_policy);
        let on_wait = |_| make_progress(comm);
        call(&mut Segment::new(words, layout, self.rank, state, &on_wait), &mut self.scratch);
    }
}

/// A rank that frees a communicator, or ends, ends the waits of others for calls that it has not made.
impl Drop for Communicator {
    fn drop(&mut self) {
        if let Stage::Ready(shared) = &self.stage {
            let mut words = AtomicWords::new(shared.memory.words(), shared.spin_policy);
            let _memory_has_no_errors = words.publish(shared.layout.has_left(self.rank), 1);
        }
    }
}

/// A probe lets the library make progress, and fails if the job has.
fn make_progress(comm: MPI_Comm) -> CommResult<()> {
    let mut is_there = 0;
    let mut status = std::mem::MaybeUninit::uninit();
    // SAFETY: a live communicator, and places for the answers. A probe takes no message.
    let code = unsafe {
        ffi::PMPI_Iprobe(handles::ANY_SOURCE, handles::ANY_TAG, comm, &mut is_there, status.as_mut_ptr())
    };
    if code == handles::SUCCESS { Ok(()) } else { Err(Error::Setup(text::library_failed(code))) }
}

impl Shared {
    /// Collective: makes the memory of a communicator.
    ///
    /// # Errors
    /// Why there is none: the same on all ranks.
    fn new(comm: MPI_Comm, rank: Rank, size: usize) -> Result<Self, Reason> {
        let layout = SegmentLayout::for_ranks(size);
        let words = layout.words(size);
        // The file stays open until all ranks have opened it, or failed.
        let (mut memory, _file, mut address) = match (rank == 0).then(|| SharedMemory::create(words)) {
            Some(Ok((memory, file, address))) => (Some(memory), Some(file), address),
            _ => (None, None, [0; 3]),
        };
        let length = address.len() as c_int;
        // SAFETY: three numbers on every rank.
        let code = unsafe { ffi::PMPI_Bcast(address.as_mut_ptr().cast(), length, handles::UINT64, 0, comm) };
        if code == handles::SUCCESS && rank != 0 && address != [0; 3] {
            memory = SharedMemory::open(address, words).ok();
        }
        let (own, mut all) = (c_int::from(memory.is_some()), 0);
        // SAFETY: one number on every rank, and a place for the result.
        let code = unsafe {
            let (own, all) = ((&raw const own).cast(), (&raw mut all).cast());
            ffi::PMPI_Allreduce(own, all, 1, handles::INT, handles::MIN, comm)
        };
        match memory {
            Some(memory) if code == handles::SUCCESS && all == 1 => {
                let (ranks, cores) = (ranks_of_node(size), permitted_parallelism());
                let rules = table(rank, comm).for_group(size, RankCores::new(ranks, cores));
                let spin_policy = SpinPolicy::for_participants(ranks, cores);
                Ok(Self { memory, layout, spin_policy, state: SegmentState::new(size), rules })
            }
            _ if address == [0; 3] => Err(Reason::NoMemory),
            _ => Err(Reason::SeveralNodes),
        }
    }
}

/// The ranks of the job on this node, as the launcher says, or else those of a communicator.
fn ranks_of_node(size: usize) -> usize {
    let named = ["OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"].iter().find_map(|name| env::var(name).ok());
    named.and_then(|ranks| ranks.parse().ok()).unwrap_or(size)
}

/// Collective: the table of measurements that rank 0 reads, or the built-in one.
fn table(rank: Rank, comm: MPI_Comm) -> SelectionTable {
    let read = if rank == 0 { read_table() } else { Ok(None) };
    let read = read.unwrap_or_else(|error| failure::end(&Text::verbatim(error)));
    let mut text = read.unwrap_or_default().into_bytes();
    let mut length = text.len() as c_int;
    // SAFETY: a number on every rank.
    unsafe { ffi::PMPI_Bcast((&raw mut length).cast(), 1, handles::INT, 0, comm) };
    if length == 0 {
        return SelectionTable::built_in();
    }
    text.resize(length as usize, 0);
    // SAFETY: memory for all bytes on every rank.
    unsafe { ffi::PMPI_Bcast(text.as_mut_ptr().cast(), length, handles::BYTE, 0, comm) };
    let table = String::from_utf8_lossy(&text).parse();
    table.unwrap_or_else(|error: Error| failure::end(&error.text()))
}
