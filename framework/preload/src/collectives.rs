//! Collective calls of the program: taken by an algorithm in shared memory, or passed on.
//!
//! The decision must be the same on all ranks, so it depends on what MPI demands to be the same: the verb, the root, the number of bytes of a
//! block, the operation and the type of a reduction, and the number of calls on the communicator.
use std::{
    ffi::{c_int, c_void},
    panic::Location,
    ptr,
};

use wb_algorithms::collectives::shared_memory::SharedAlgorithm;
use wb_comm::{CallSite, CollectiveKind, Datatype, Rank, SourceLocation, Verb};
use wb_mpi::{
    ffi::{MPI_Comm, MPI_Datatype, MPI_Op},
    handles,
};

use crate::{
    communicator::{self, Communicator},
    counts::{self, Reason},
    data::{ElementType, Elements, Exchange, operation},
    failure,
};

/// A buffer as a program passes it.
#[derive(Clone, Copy)]
pub(crate) struct Buffer {
    pub(crate) address: *const c_void,
    pub(crate) count: c_int,
    pub(crate) datatype: MPI_Datatype,
}

/// The arguments of a call as the program passes them.
#[derive(Clone, Copy)]
struct CallArguments {
    send: Buffer,
    recv: Buffer,
    /// Of a reduction.
    op: MPI_Op,
    /// Of an operation that has one.
    root: c_int,
}

impl CallArguments {
    fn new(send: Buffer, recv: Buffer, root: Option<c_int>) -> Self {
        Self { send, recv, op: handles::SUM, root: root.unwrap_or(0) }
    }

    /// Whether two calls differ in the addresses of their buffers only.
    #[inline]
    fn differs_in_addresses(&self, other: &Self) -> bool {
        let key = |of: &Self| {
            let Self { send, recv, op, root } = *of;
            (send.count, send.datatype, recv.count, recv.datatype, op, root)
        };
        key(self) == key(other)
    }

    #[inline]
    fn is_in_place(&self) -> bool {
        self.send.is_in_place() || self.recv.is_in_place()
    }
}

/// A call that an algorithm took, and that may come again: programs repeat their calls, and to understand one takes as long as to perform it.
#[derive(Clone, Copy)]
pub(crate) struct TakenCall {
    arguments: CallArguments,
    call: Call,
    /// Elements that this rank sends and gets.
    counts: (usize, usize),
    algorithm: &'static SharedAlgorithm,
}

impl Buffer {
    /// No elements: the argument of a call without this buffer.
    fn none() -> Self {
        Self { address: ptr::null(), count: 0, datatype: handles::BYTE }
    }

    fn is_in_place(&self) -> bool {
        self.address == handles::in_place().cast_const()
    }

    /// `blocks` times the elements.
    #[inline]
    fn blocks(&self, blocks: usize) -> Result<Elements, Reason> {
        let count = usize::try_from(self.count).map_err(|_| Reason::Arguments)?;
        let of = ElementType::new(self.datatype)?;
        // All ranks know the length of a block; what does not fit is passed on by all of them.
        let bytes = count.checked_mul(of.size).and_then(|bytes| bytes.checked_mul(blocks));
        match bytes.is_some_and(|bytes| c_int::try_from(bytes).is_ok()) {
            true => Ok(Elements::any(self.address, count * blocks, self.datatype, of)),
            false => Err(Reason::Length),
        }
    }
}

/// A call that the algorithms understand.
#[derive(Clone, Copy)]
struct Call {
    kind: CollectiveKind<'static>,
    /// Bytes of a block, the same on all ranks.
    bytes: usize,
    exchange: Exchange,
}

impl Call {
    /// A call that moves bytes.
    fn moving(
        kind: CollectiveKind<'static>,
        bytes: usize,
        send: Option<Elements>,
        recv: Option<Elements>,
    ) -> Self {
        let exchange = Exchange { element: Datatype::U8, send, recv, is_source: false, discarded: 0 };
        Self { kind, bytes, exchange }
    }
}

impl Communicator {
    fn root(&self, root: c_int) -> Result<Rank, Reason> {
        usize::try_from(root).ok().filter(|root| *root < self.size).ok_or(Reason::Arguments)
    }
}

/// Where all ranks of all programs call from: the lines of the program are not known.
fn site(verb: Verb) -> CallSite {
    CallSite { verb, location: SourceLocation::native(Location::caller()) }
}

/// Makes a call: by an algorithm, or by the library.
#[inline]
fn make(
    verb: Verb,
    comm: MPI_Comm,
    arguments: CallArguments,
    describe: impl FnOnce(&Communicator) -> Result<Call, Reason>,
    pass_on: impl FnOnce() -> c_int,
) -> c_int {
    let Some(mut communicator) = communicator::lock(comm) else { return pass_on() };
    let begun = communicator.begin_call(comm);
    if begun.is_ok() && repeat(&mut communicator, verb, comm, &arguments) {
        return handles::SUCCESS;
    }
    let described = begun.and_then(|()| describe(&communicator));
    let decision = described.as_ref().map_err(|reason| *reason).and_then(|call| {
        let Exchange { send, recv, .. } = call.exchange;
        if [send, recv].into_iter().flatten().any(|elements| elements.is_missing()) {
            return Err(Reason::Arguments);
        }
        let algorithm = communicator.choose(verb, call.bytes).ok_or(Reason::Length)?;
        Ok(TakenCall { arguments, call: *call, counts: call.exchange.counts(), algorithm })
    });
    counts::count(verb, decision.map(drop));
    if let Ok(taken) = decision {
        return take(&mut communicator, comm, taken);
    }
    // A rank that takes the call must not wait for this one.
    let nothing = Call::moving(CollectiveKind::Barrier, 0, None, None);
    let Call { kind, bytes, exchange: Exchange { element, .. } } = described.unwrap_or(nothing);
    communicator.on_segment(comm, |segment, _| {
        let elements = (element, bytes / element.size());
        let _memory_has_no_errors = segment.record_other(&kind, elements, site(verb));
    });
    drop(communicator);
    pass_on()
}

/// Runs a call that is like the last one of its verb; `false` if it is not.
#[inline]
fn repeat(communicator: &mut Communicator, verb: Verb, comm: MPI_Comm, arguments: &CallArguments) -> bool {
    let last = communicator.last_taken[counts::row(verb)].as_ref();
    let is_like =
        |last: &&TakenCall| last.arguments.differs_in_addresses(arguments) && !arguments.is_in_place();
    let Some(last) = last.filter(is_like) else { return false };
    let addresses = (arguments.send.address, arguments.recv.address);
    let Some(buffers) = last.call.exchange.buffers_at(addresses, last.counts) else { return false };
    let (kind, algorithm) = (last.call.kind, last.algorithm);
    counts::count(verb, Ok(()));
    let (calls, rank) = (communicator.calls, communicator.rank);
    communicator.on_segment(comm, |segment, _| {
        if let Err(error) = algorithm.run(segment, kind, buffers, site(verb)) {
            failure::abort(&error, (calls, rank), verb, comm);
        }
    });
    true
}

/// Runs a call by its algorithm.
#[cold]
fn take(communicator: &mut Communicator, comm: MPI_Comm, taken: TakenCall) -> c_int {
    let TakenCall { call, algorithm, .. } = taken;
    let verb = call.kind.verb();
    let may_repeat = call.exchange.is_plain() && !taken.arguments.is_in_place();
    communicator.last_taken[counts::row(verb)] = may_repeat.then_some(taken);
    let (calls, rank) = (communicator.calls, communicator.rank);
    let mut code = handles::SUCCESS;
    communicator.on_segment(comm, |segment, scratch| {
        let run =
            |buffers: wb_comm::BorrowedBuffers<'_>| algorithm.run(segment, call.kind, buffers, site(verb));
        match call.exchange.run(scratch, comm, run) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => failure::abort(&error, (calls, rank), verb, comm),
            Err(failed) => code = failed,
        }
    });
    code
}

pub(crate) fn barrier(comm: MPI_Comm, pass_on: impl FnOnce() -> c_int) -> c_int {
    let call = |_: &Communicator| Ok(Call::moving(CollectiveKind::Barrier, 0, None, None));
    make(Verb::Barrier, comm, CallArguments::new(Buffer::none(), Buffer::none(), None), call, pass_on)
}

pub(crate) fn bcast(data: Buffer, root: c_int, comm: MPI_Comm, pass_on: impl FnOnce() -> c_int) -> c_int {
    let call = |communicator: &Communicator| {
        let (root, data) = (communicator.root(root)?, data.blocks(1)?);
        let mut call = Call::moving(CollectiveKind::Bcast { root }, data.bytes, None, Some(data));
        call.exchange.is_source = communicator.rank == root;
        Ok(call)
    };
    make(Verb::Bcast, comm, CallArguments::new(Buffer::none(), data, Some(root)), call, pass_on)
}

/// `root` is that of a reduction to one rank.
pub(crate) fn reduce(
    (send, recv): (*const c_void, *mut c_void),
    (count, datatype, op): (c_int, MPI_Datatype, MPI_Op),
    root: Option<c_int>,
    comm: MPI_Comm,
    pass_on: impl FnOnce() -> c_int,
) -> c_int {
    let buffer = |address| Buffer { address, count, datatype };
    let arguments = CallArguments { op, ..CallArguments::new(buffer(send), buffer(recv), root) };
    let call = |communicator: &Communicator| {
        let number = ElementType::new(datatype)?.number.ok_or(Reason::Operation)?;
        let operation = operation(op, number)?;
        let count = usize::try_from(count).map_err(|_| Reason::Arguments)?;
        let root = root.map(|root| communicator.root(root)).transpose()?;
        let kind = match root {
            Some(root) => CollectiveKind::Reduce { operation, root },
            None => CollectiveKind::Allreduce { operation },
        };
        let gets_result = root.is_none_or(|root| root == communicator.rank);
        let is_in_place = send == handles::in_place().cast_const();
        if is_in_place && !gets_result {
            return Err(Reason::Arguments);
        }
        let elements = |address| Elements::numbers(address, count, datatype, number);
        let send = elements(if is_in_place { recv.cast_const() } else { send });
        let recv = gets_result.then(|| elements(recv));
        let exchange = Exchange { element: number, send: Some(send), recv, is_source: false, discarded: 0 };
        Ok(Call { kind, bytes: send.bytes, exchange })
    };
    let verb = if root.is_some() { Verb::Reduce } else { Verb::Allreduce };
    make(verb, comm, arguments, call, pass_on)
}

/// `root` is that of a gather to one rank.
pub(crate) fn gather(
    (send, recv): (Buffer, Buffer),
    root: Option<c_int>,
    comm: MPI_Comm,
    pass_on: impl FnOnce() -> c_int,
) -> c_int {
    let call = |communicator: &Communicator| {
        let (rank, size) = (communicator.rank, communicator.size);
        let root = root.map(|root| communicator.root(root)).transpose()?;
        let kind = root.map_or(CollectiveKind::Allgather, |root| CollectiveKind::Gather { root });
        if root.is_some_and(|root| root != rank) {
            let send = out_of_place(send)?.blocks(1)?;
            return Ok(Call::moving(kind, send.bytes, Some(send), None));
        }
        let recv = out_of_place(recv)?.blocks(size)?;
        let send = if send.is_in_place() { recv.block(rank, size) } else { send.blocks(1)? };
        same_length(send.bytes, recv.bytes / size)?;
        Ok(Call::moving(kind, send.bytes, Some(send), Some(recv)))
    };
    let verb = if root.is_some() { Verb::Gather } else { Verb::Allgather };
    make(verb, comm, CallArguments::new(send, recv, root), call, pass_on)
}

pub(crate) fn scatter(
    (send, recv): (Buffer, Buffer),
    root: c_int,
    comm: MPI_Comm,
    pass_on: impl FnOnce() -> c_int,
) -> c_int {
    let call = |communicator: &Communicator| {
        let (rank, size) = (communicator.rank, communicator.size);
        let root = communicator.root(root)?;
        let kind = CollectiveKind::Scatter { root };
        if root != rank {
            let recv = out_of_place(recv)?.blocks(1)?;
            return Ok(Call::moving(kind, recv.bytes, None, Some(recv)));
        }
        let send = out_of_place(send)?.blocks(size)?;
        let bytes = send.bytes / size;
        if recv.is_in_place() {
            let mut call = Call::moving(kind, bytes, Some(send), None);
            call.exchange.discarded = bytes;
            return Ok(call);
        }
        let recv = recv.blocks(1)?;
        same_length(bytes, recv.bytes)?;
        Ok(Call::moving(kind, bytes, Some(send), Some(recv)))
    };
    make(Verb::Scatter, comm, CallArguments::new(send, recv, Some(root)), call, pass_on)
}

pub(crate) fn alltoall(
    (send, recv): (Buffer, Buffer),
    comm: MPI_Comm,
    pass_on: impl FnOnce() -> c_int,
) -> c_int {
    let call = |communicator: &Communicator| {
        let size = communicator.size;
        let recv = out_of_place(recv)?.blocks(size)?;
        let send = if send.is_in_place() { recv } else { send.blocks(size)? };
        same_length(send.bytes, recv.bytes)?;
        Ok(Call::moving(CollectiveKind::Alltoall, send.bytes / size, Some(send), Some(recv)))
    };
    make(Verb::Alltoall, comm, CallArguments::new(send, recv, None), call, pass_on)
}

fn out_of_place(buffer: Buffer) -> Result<Buffer, Reason> {
    if buffer.is_in_place() { Err(Reason::Arguments) } else { Ok(buffer) }
}

/// The library reports blocks of different lengths.
fn same_length(sent: usize, got: usize) -> Result<(), Reason> {
    if sent == got { Ok(()) } else { Err(Reason::Arguments) }
}
