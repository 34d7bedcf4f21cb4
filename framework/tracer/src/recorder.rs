//! The recorder of a rank, and a call from its entry to its return.
use std::{
    cell::Cell,
    collections::BTreeMap,
    ffi::c_int,
    io,
    path::Path,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

use wb_mpi::{
    ffi::{self, MPI_Comm, MPI_Datatype, MPI_Status},
    handles,
};
use wb_record::{
    CollectiveShape, Envelope, EventKind, LogEnd, LogEntry, LogStart, TraceEvent, UnrecordedCalls,
    max_calls_per_rank,
};
use wb_text::{Lang, tracer as text};

use crate::{
    call_site::CallSites,
    communicators::{self, Communicator, Communicators},
    completion::{Requests, Started},
    log_file::LogFile,
    trampoline::{Function, Words},
};

/// The variable that names the folder of the logs.
const FOLDER: &str = "WB_TRACE_FOLDER";

/// The space of a log for each call that it may contain, on average.
const BYTES_PER_CALL: usize = 64;

/// The calls of other threads than that of the recorder.
static CALLS_OF_OTHER_THREADS: AtomicU64 = AtomicU64::new(0);
static IS_RECORDING: AtomicBool = AtomicBool::new(false);

thread_local! {
    static STATE: Cell<ThreadState> = const { Cell::new(ThreadState::NotRecorded) };
}

/// A thread of the program.
enum ThreadState {
    /// Its calls are passed on.
    NotRecorded,
    /// A recorded call is executed: calls of the library itself are passed on.
    InCall,
    /// Its next call is recorded.
    Ready(&'static mut Recorder),
}

/// The state of a rank.
pub(crate) struct Recorder {
    pub(crate) log: LogFile,
    pub(crate) communicators: Communicators,
    pub(crate) requests: Requests,
    sites: CallSites,
    unrecorded: BTreeMap<&'static str, u64>,
    calls_left: usize,
}

/// Executes a call of the program: by `record` if its thread has a recorder.
pub(crate) fn observe(
    function: &'static Function,
    words: Words,
    caller: usize,
    record: impl FnOnce(&mut Call<'_>) -> c_int,
) -> c_int {
    match STATE.replace(ThreadState::InCall) {
        ThreadState::Ready(recorder) => {
            let mut call = Call { recorder, function, words, caller, begin_ns: 0, end_ns: 0 };
            let code = record(&mut call);
            STATE.set(ThreadState::Ready(recorder));
            code
        }
        state => {
            let is_first = matches!(state, ThreadState::NotRecorded);
            STATE.set(state);
            if IS_RECORDING.load(Relaxed) {
                CALLS_OF_OTHER_THREADS.fetch_add(is_first.into(), Relaxed);
                communicators::note_unrecorded(function.name, &words);
            }
            // SAFETY: these are the arguments of the program.
            let code = unsafe { function.call(&words) };
            if is_first && code == handles::SUCCESS && function.name.starts_with("MPI_Init") {
                initialise();
            }
            code
        }
    }
}

/// Makes this thread's recorder, if the environment names a folder.
fn initialise() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    match Recorder::new(Path::new(&folder)) {
        Ok(recorder) => {
            IS_RECORDING.store(true, Relaxed);
            STATE.set(ThreadState::Ready(Box::leak(Box::new(recorder))));
        }
        Err(error) => {
            let message = text::not_recorded(folder.to_string_lossy().into_owned(), error.to_string());
            eprintln!("{}", message.in_language(Lang::from_environment()));
        }
    }
}

impl Recorder {
    fn new(folder: &Path) -> io::Result<Self> {
        let mut communicators = Communicators::default();
        let world = communicators.add(handles::COMM_WORLD, "world".to_owned());
        let (rank, ranks) = (world.rank, world.size);
        communicators.add(handles::COMM_SELF, format!("self.{rank}"));
        let calls_left = max_calls_per_rank(ranks as usize);
        let mut log = LogFile::create(&folder.join(format!("rank-{rank}")), calls_left * BYTES_PER_CALL)?;
        log.write(&LogEntry::Start(LogStart {
            rank,
            ranks,
            begin_ns: now(),
            clock: clock_identity()?,
            program: std::env::current_exe()?.to_string_lossy().into_owned(),
            thread_level: thread_level().to_owned(),
        }));
        communicators.log_new(&mut log);
        let (requests, sites, unrecorded) = Default::default();
        Ok(Self { log, communicators, requests, sites, unrecorded, calls_left })
    }

    /// Counts a call that is not recorded.
    pub(crate) fn count_unrecorded(&mut self, function: &'static str) {
        *self.unrecorded.entry(function).or_default() += 1;
    }
}

/// The running kernel and its time namespace: both determine the clock.
fn clock_identity() -> io::Result<String> {
    let kernel = std::fs::read_to_string("/proc/sys/kernel/random/boot_id")?;
    let namespace = std::fs::read_link("/proc/self/ns/time").unwrap_or_default();
    Ok(format!("{} {}", kernel.trim(), namespace.display()))
}

fn thread_level() -> &'static str {
    let mut level = 0;
    // SAFETY: MPI is initialised, and the address is that of a variable.
    unsafe { ffi::MPI_Query_thread(&raw mut level) };
    let levels = ["MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"];
    // The levels are in this order, in MPICH and in Open MPI.
    usize::try_from(level).ok().and_then(|level| levels.get(level)).unwrap_or(&"")
}

/// The clock of the host, nanoseconds.
pub(crate) fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the address is that of a variable.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// A call of the program.
pub(crate) struct Call<'a> {
    pub(crate) recorder: &'a mut Recorder,
    function: &'static Function,
    words: Words,
    caller: usize,
    pub(crate) begin_ns: u64,
    pub(crate) end_ns: u64,
}

impl Call<'_> {
    /// Executes the call. Returns whether it has succeeded, and its code.
    pub(crate) fn invoke(&mut self) -> (bool, c_int) {
        let function = self.function;
        self.invoke_as(function, &self.words.clone())
    }

    /// Executes another function as a part of the call.
    pub(crate) fn invoke_as(&mut self, function: &Function, words: &Words) -> (bool, c_int) {
        self.begin_ns = now();
        // SAFETY: the words are the arguments of the program, or others that the function accepts.
        let code = unsafe { function.call(words) };
        self.end_ns = now();
        (code == handles::SUCCESS, code)
    }

    /// The status of the call: that of the program in argument `position`, or `own` if the program ignores it.
    pub(crate) fn status(&mut self, position: usize, own: &mut MPI_Status) -> *const MPI_Status {
        self.array(position, own, ignored_status())
    }

    /// The array in argument `position`, or `own` if the argument is `ignored`.
    pub(crate) fn array<T>(&mut self, position: usize, own: *mut T, ignored: *mut T) -> *const T {
        if self.words[position] == ignored as usize {
            self.words[position] = own as usize;
        }
        self.words[position] as *const T
    }

    /// Writes the event of the call in a communicator with this number.
    pub(crate) fn write(&mut self, communicator: u32, act: EventKind) {
        let (begin_ns, end_ns) = (self.begin_ns, self.end_ns);
        // The next event of the same call begins where this one ends.
        self.begin_ns = end_ns;
        let recorder = &mut *self.recorder;
        let is_written = recorder.calls_left > 0
            && recorder.sites.find(&mut recorder.log, self.function.name, self.caller).is_some_and(|call| {
                recorder.log.write(&LogEntry::Event(TraceEvent { call, communicator, begin_ns, end_ns, act }))
            });
        if is_written {
            recorder.calls_left -= 1;
        } else {
            // What comes later must not be written either: a trace ends where its first call is missing.
            recorder.calls_left = 0;
            recorder.log.leave_out(end_ns - begin_ns);
        }
    }

    /// Records the call on a communicator if it has succeeded.
    pub(crate) fn record(
        &mut self,
        comm: Word,
        (is_ok, code): (bool, c_int),
        act: impl FnOnce(&mut Communicator, &mut Requests) -> EventKind,
    ) -> c_int {
        if is_ok {
            let Recorder { communicators, requests, .. } = &mut *self.recorder;
            match communicators.find(comm.comm()) {
                Some(communicator) => {
                    let (number, act) = (communicator.number, act(communicator, requests));
                    self.write(number, act);
                }
                None => self.recorder.count_unrecorded(self.function.name),
            }
        }
        code
    }

    /// Executes a call that concerns no other rank.
    pub(crate) fn local(&mut self, comm: Word) -> c_int {
        let called = self.invoke();
        self.record(comm, called, |_, _| EventKind::Local)
    }

    /// Executes a call that is only counted.
    pub(crate) fn unrecorded(&mut self) -> c_int {
        let code = self.invoke().1;
        self.recorder.count_unrecorded(self.function.name);
        self.recorder.communicators.forget_freed();
        code
    }

    /// Executes a blocking send.
    pub(crate) fn send(&mut self, comm: Word, to: SendWords, synchronous: bool) -> c_int {
        let called = self.invoke();
        self.record(comm, called, |_, _| {
            message(to).map_or(EventKind::Local, |to| EventKind::Send { to, synchronous })
        })
    }

    /// Executes a blocking receive with this argument as its status.
    pub(crate) fn receive(&mut self, comm: Word, status: usize) -> c_int {
        let mut own = empty_status();
        let status = self.status(status, &mut own);
        let called = self.invoke();
        self.record(comm, called, |_, _| {
            source(status).map_or(EventKind::Local, |from| EventKind::Receive { from })
        })
    }

    /// Executes a send and a receive in one call.
    pub(crate) fn exchange(&mut self, comm: Word, to: SendWords, status: usize) -> c_int {
        let mut own = empty_status();
        let status = self.status(status, &mut own);
        let called = self.invoke();
        self.record(comm, called, |_, _| match (message(to), source(status)) {
            (Some(to), Some(from)) => EventKind::Exchange { to, from },
            (Some(to), None) => EventKind::Send { to, synchronous: false },
            (None, Some(from)) => EventKind::Receive { from },
            (None, None) => EventKind::Local,
        })
    }

    /// Executes the start of a send, or of a receive.
    pub(crate) fn start(&mut self, comm: Word, request: Word, to: Option<SendWords>) -> c_int {
        let called = self.invoke();
        self.record(comm, called, |communicator, requests| {
            let started = Started::message(to);
            let number = requests.add(request.at(0), communicator.number, started);
            started.event(number)
        })
    }

    /// Executes a collective call; `shape` returns its shape and its bytes.
    pub(crate) fn collective(
        &mut self,
        comm: Word,
        request: Option<Word>,
        shape: impl FnOnce(&Communicator) -> (CollectiveShape, u64),
    ) -> c_int {
        let called = self.invoke();
        let is_barrier = ["MPI_Barrier", "MPI_Ibarrier"].contains(&self.function.name);
        self.record(comm, called, |communicator, requests| {
            let (shape, bytes) = shape(communicator);
            let sequence = communicator.next_collective();
            // Without data only a barrier makes a rank wait for others.
            let waits = bytes > 0 || is_barrier;
            let started = if waits { Started::Collective } else { Started::Nothing };
            let request = request.map(|request| requests.add(request.at(0), communicator.number, started));
            match request {
                _ if !waits => EventKind::Local,
                None => EventKind::Collective { sequence, shape, bytes },
                Some(request) => EventKind::StartCollective { sequence, shape, bytes, request },
            }
        })
    }

    /// Executes a collective call that makes a communicator; `color` is the colour of a split.
    pub(crate) fn communicator(&mut self, comm: Word, made: Word, color: Option<Word>) -> c_int {
        let called = self.invoke();
        if called.0 {
            let Recorder { communicators, log, .. } = &mut *self.recorder;
            communicators.forget_freed();
            communicators.add_child(comm.comm(), made.at(0), color.map(Word::int));
            communicators.log_new(log);
        }
        self.record(comm, called, |communicator, _| {
            let sequence = communicator.next_collective();
            EventKind::Collective { sequence, shape: CollectiveShape::All, bytes: 0 }
        })
    }

    /// Executes a call of the members of a group only, which makes a communicator of them.
    pub(crate) fn communicator_of_group(&mut self, comm: Word, made: Word, tag: c_int) -> c_int {
        let called = self.invoke();
        if called.0 {
            let Recorder { communicators, log, .. } = &mut *self.recorder;
            communicators.forget_freed();
            communicators.add_group(comm.comm(), made.at(0), tag);
            communicators.log_new(log);
        }
        self.record(comm, called, |_, _| EventKind::Local)
    }

    /// Executes the release of a communicator.
    pub(crate) fn free_communicator(&mut self, comm: Word) -> c_int {
        let handle: MPI_Comm = comm.at(0);
        let called = self.invoke();
        let communicators = &mut self.recorder.communicators;
        communicators.forget_freed();
        let freed = called.0.then(|| communicators.remove(handle)).flatten();
        freed.into_iter().for_each(|number| self.write(number, EventKind::Local));
        called.1
    }

    /// Ends the log, and executes `MPI_Finalize`.
    pub(crate) fn finalize(&mut self) -> c_int {
        let Recorder { log, unrecorded, .. } = &mut *self.recorder;
        let others = CALLS_OF_OTHER_THREADS.load(Relaxed);
        let others = (others > 0).then_some((&"", &others));
        let counted = unrecorded.iter().chain(others);
        let unrecorded = counted
            .map(|(name, count)| UnrecordedCalls { function: (*name).to_owned(), count: *count })
            .collect();
        log.write_last(&LogEntry::End(LogEnd { end_ns: now(), unrecorded }));
        self.invoke().1
    }
}

/// An argument of a call which the library has accepted, or will check.
#[derive(Clone, Copy)]
pub(crate) struct Word(pub(crate) usize);

impl Word {
    /// The argument as an integer.
    pub(crate) fn int(self) -> c_int {
        self.0 as c_int
    }

    /// The argument as the length of an array.
    pub(crate) fn length(self) -> usize {
        self.int().max(0) as usize
    }

    /// The argument as a rank.
    pub(crate) fn rank(self) -> u32 {
        self.int() as u32
    }

    /// The argument as a communicator.
    pub(crate) fn comm(self) -> MPI_Comm {
        self.handle()
    }

    /// The argument as a handle, which is an address in Open MPI, and an integer of half a word in MPICH.
    fn handle<T: Copy>(self) -> T {
        const { assert!(size_of::<T>() <= size_of::<usize>() && cfg!(target_endian = "little")) };
        // SAFETY: handles are integers or addresses, and the first bytes of a word are its low ones.
        unsafe { (&raw const self.0).cast::<T>().read() }
    }

    /// The handle as an argument.
    pub(crate) fn from_handle<T: Copy>(handle: T) -> Self {
        const { assert!(size_of::<T>() <= size_of::<usize>() && cfg!(target_endian = "little")) };
        let mut word = 0;
        // SAFETY: as above.
        unsafe { (&raw mut word).cast::<T>().write(handle) };
        Self(word)
    }

    /// The argument as an address: the value at this index.
    pub(crate) fn at<T: Copy>(self, index: usize) -> T {
        // SAFETY: a call of MPI with this argument has succeeded, so the array has this element.
        unsafe { *(self.0 as *const T).add(index) }
    }

    fn type_bytes(self) -> u64 {
        let mut bytes = 0;
        let datatype: MPI_Datatype = self.handle();
        // SAFETY: the variable of the binding is a constant.
        if datatype != unsafe { ffi::RSMPI_DATATYPE_NULL } {
            // SAFETY: the program has passed this type to a function of MPI.
            unsafe { ffi::MPI_Type_size(datatype, &raw mut bytes) };
        }
        bytes.max(0) as u64
    }
}

/// The bytes of `count` elements of a type.
pub(crate) fn bytes(count: Word, datatype: Word) -> u64 {
    count.int().max(0) as u64 * datatype.type_bytes()
}

/// The bytes of the elements of a type, as many from each of `ranks` ranks as `counts` says.
pub(crate) fn bytes_of_all(counts: Word, datatype: Word, ranks: u32) -> u64 {
    let count = (0..ranks as usize).map(|rank| counts.at::<c_int>(rank).max(0) as u64);
    count.sum::<u64>() * datatype.type_bytes()
}

/// The bytes of all ranks, where each has a type of its own.
pub(crate) fn bytes_of_types(counts: Word, datatypes: Word, ranks: u32) -> u64 {
    let of_rank = |rank| {
        let datatype: MPI_Datatype = datatypes.at(rank);
        bytes(Word(counts.at::<c_int>(rank) as usize), Word::from_handle(datatype))
    };
    (0..ranks as usize).map(of_rank).sum()
}

/// Whether the program has its contribution in the other buffer.
pub(crate) fn is_in_place(buffer: Word) -> bool {
    buffer.0 == handles::in_place() as usize
}

/// The count, the type, the destination and the tag of a send.
pub(crate) type SendWords = [Word; 4];

/// The message of a send; `None` to no rank.
pub(crate) fn message([count, datatype, dest, tag]: SendWords) -> Option<Envelope> {
    let (peer, tag) = (u32::try_from(dest.int()).ok()?, tag.int());
    Some(Envelope { peer, tag, bytes: bytes(count, datatype) })
}

/// The message that a status describes; `None` of no rank.
pub(crate) fn source(status: *const MPI_Status) -> Option<Envelope> {
    // SAFETY: the library has filled the status.
    let MPI_Status { MPI_SOURCE, MPI_TAG, .. } = unsafe { *status };
    let peer = u32::try_from(MPI_SOURCE).ok()?;
    let mut bytes = 0;
    // SAFETY: as above.
    unsafe { ffi::MPI_Get_count(status, handles::BYTE, &raw mut bytes) };
    Some(Envelope { peer, tag: MPI_TAG, bytes: bytes.max(0) as u64 })
}

/// A status that the library fills.
pub(crate) fn empty_status() -> MPI_Status {
    // SAFETY: a status is made of integers.
    unsafe { std::mem::zeroed() }
}

fn ignored_status() -> *mut MPI_Status {
    // SAFETY: the variable of the binding is a constant.
    unsafe { ffi::RSMPI_STATUS_IGNORE }
}
