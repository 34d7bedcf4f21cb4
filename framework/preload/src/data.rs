//! The program's buffers: their types, and the bytes that an algorithm reads and writes.
//!
//! Operations that only move data move bytes, whatever their type: ranks may describe the same elements by different types, and all have to take
//! the call or none. A buffer whose type has gaps, or another order than its memory, is packed before and unpacked after the call.
use std::{
    cell::RefCell,
    ffi::{CStr, c_char, c_int, c_void},
    ptr,
};

use wb_comm::{BorrowedBuffers, Datatype, Operation, View, ViewMut};
use wb_mpi::{
    ffi::{self, MPI_Comm, MPI_Datatype, MPI_Op},
    handles,
};

use crate::counts::Reason;

/// What is known of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ElementType {
    /// Bytes of data of an element.
    pub(crate) size: usize,
    /// Whether elements lie side by side in memory, in the order of their bytes.
    is_contiguous: bool,
    /// The type of reductions, if the algorithms have it.
    pub(crate) number: Option<Datatype>,
}

thread_local! {
    /// The predefined types that this thread has met: they are few, and live as long as the process.
    static PREDEFINED: RefCell<Vec<(MPI_Datatype, ElementType)>> = const { RefCell::new(Vec::new()) };
}

impl ElementType {
    /// The type of a handle.
    ///
    /// # Errors
    /// [`Reason::Arguments`]: the library knows no such type.
    #[inline]
    pub(crate) fn new(datatype: MPI_Datatype) -> Result<Self, Reason> {
        let known = |known: &[(MPI_Datatype, Self)]| {
            known.iter().find(|(handle, _)| *handle == datatype).map(|(_, known)| *known)
        };
        match PREDEFINED.with_borrow(|all| known(all)) {
            Some(known) => Ok(known),
            None => Self::look_up(datatype),
        }
    }

    #[cold]
    fn look_up(datatype: MPI_Datatype) -> Result<Self, Reason> {
        if datatype == handles::DATATYPE_NULL {
            return Err(Reason::Arguments);
        }
        let (mut size, mut lower, mut extent, mut combiner) = (0, 0, 0, 0);
        let (mut integers, mut addresses, mut types) = (0, 0, 0);
        // SAFETY: a type of the program, and places for the answers.
        let codes = unsafe {
            [
                ffi::PMPI_Type_size(datatype, &mut size),
                ffi::PMPI_Type_get_extent(datatype, &mut lower, &mut extent),
                ffi::PMPI_Type_get_envelope(
                    datatype,
                    &mut integers,
                    &mut addresses,
                    &mut types,
                    &mut combiner,
                ),
            ]
        };
        if codes.iter().any(|code| *code != handles::SUCCESS) {
            return Err(Reason::Arguments);
        }
        let size = usize::try_from(size).map_err(|_| Reason::Arguments)?;
        if combiner != handles::COMBINER_NAMED {
            return Ok(Self { size, is_contiguous: false, number: None });
        }
        let number = number(&name(datatype)).filter(|number| number.size() as i64 == extent as i64);
        let new = Self { size, is_contiguous: lower == 0 && extent as usize == size, number };
        PREDEFINED.with_borrow_mut(|all| all.push((datatype, new)));
        Ok(new)
    }
}

/// The name of a predefined type.
fn name(datatype: MPI_Datatype) -> String {
    let mut name = [0 as c_char; ffi::MPI_MAX_OBJECT_NAME as usize + 1];
    let mut length: c_int = 0;
    // SAFETY: room for the longest name and its zero, which stays if the call fails.
    unsafe {
        ffi::PMPI_Type_get_name(datatype, name.as_mut_ptr(), &mut length);
        CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned()
    }
}

/// The number that a predefined type of C or Fortran stands for; `None` for complex numbers, characters, truth values and long doubles.
fn number(name: &str) -> Option<Datatype> {
    const { assert!(size_of::<std::ffi::c_long>() == 8 && size_of::<std::ffi::c_longlong>() == 8) };
    Some(match name.strip_prefix("MPI_")? {
        "SIGNED_CHAR" | "INT8_T" | "INTEGER1" => Datatype::I8,
        "SHORT" | "INT16_T" | "INTEGER2" => Datatype::I16,
        "INT" | "INT32_T" | "INTEGER" | "INTEGER4" => Datatype::I32,
        "LONG" | "LONG_LONG" | "LONG_LONG_INT" | "INT64_T" | "INTEGER8" | "AINT" | "OFFSET" | "COUNT" => {
            Datatype::I64
        }
        "UNSIGNED_CHAR" | "UINT8_T" => Datatype::U8,
        "UNSIGNED_SHORT" | "UINT16_T" => Datatype::U16,
        "UNSIGNED" | "UINT32_T" => Datatype::U32,
        "UNSIGNED_LONG" | "UNSIGNED_LONG_LONG" | "UINT64_T" => Datatype::U64,
        "FLOAT" | "REAL" | "REAL4" => Datatype::F32,
        "DOUBLE" | "DOUBLE_PRECISION" | "REAL8" => Datatype::F64,
        "2INT" => Datatype::LocatedI32,
        "FLOAT_INT" => Datatype::LocatedF32,
        "DOUBLE_INT" => Datatype::LocatedF64,
        "LONG_INT" => Datatype::LocatedI64,
        _ => return None,
    })
}

/// The predefined operation of a handle, if it reduces these numbers.
///
/// # Errors
/// [`Reason::Operation`].
#[inline]
pub(crate) fn operation(op: MPI_Op, number: Datatype) -> Result<Operation, Reason> {
    let known = [
        (handles::SUM, Operation::Sum),
        (handles::MAX, Operation::Max),
        (handles::MIN, Operation::Min),
        (handles::PROD, Operation::Prod),
        (handles::LAND, Operation::LogicalAnd),
        (handles::LOR, Operation::LogicalOr),
        (handles::LXOR, Operation::LogicalXor),
        (handles::BAND, Operation::BitAnd),
        (handles::BOR, Operation::BitOr),
        (handles::BXOR, Operation::BitXor),
        (handles::MINLOC, Operation::MinLoc),
        (handles::MAXLOC, Operation::MaxLoc),
    ];
    let found = known.iter().find(|(handle, _)| *handle == op).map(|(_, operation)| *operation);
    found.filter(|operation| operation.is_defined_for(number)).ok_or(Reason::Operation)
}

/// Elements of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements {
    address: *mut u8,
    count: usize,
    datatype: MPI_Datatype,
    /// Bytes of their data.
    pub(crate) bytes: usize,
    /// Whether these are the bytes at the address.
    is_plain: bool,
}

impl Elements {
    /// Numbers of a reduction.
    #[inline]
    pub(crate) fn numbers(
        address: *const c_void,
        count: usize,
        datatype: MPI_Datatype,
        number: Datatype,
    ) -> Self {
        Self {
            address: address.cast_mut().cast(),
            count,
            datatype,
            bytes: count * number.size(),
            is_plain: true,
        }
    }

    /// Elements of any type as bytes.
    #[inline]
    pub(crate) fn any(address: *const c_void, count: usize, datatype: MPI_Datatype, of: ElementType) -> Self {
        let address = address.cast_mut().cast();
        Self { address, count, datatype, bytes: count * of.size, is_plain: of.is_contiguous }
    }

    /// One of equal blocks of the elements.
    pub(crate) fn block(self, block: usize, blocks: usize) -> Self {
        let (mut lower, mut extent) = (0, 0);
        // SAFETY: a type of which the library has answered questions, and places for the answers.
        unsafe { ffi::PMPI_Type_get_extent(self.datatype, &mut lower, &mut extent) };
        let (count, bytes) = (self.count / blocks, self.bytes / blocks);
        #[allow(clippy::unnecessary_cast, reason = "an address has another type in MPICH")]
        let address = self.address.wrapping_byte_offset(extent as isize * (count * block) as isize);
        Self { address, count, bytes, ..self }
    }

    /// Whether there are elements at the null address, which only types with absolute addresses may have.
    pub(crate) fn is_missing(&self) -> bool {
        self.is_plain && self.bytes > 0 && self.address.is_null()
    }

    /// Whether an algorithm may use the program's memory as elements of this type.
    #[inline]
    fn is_direct(&self, element: Datatype) -> bool {
        self.is_plain && self.address.addr().is_multiple_of(element.align())
    }

    #[inline]
    fn overlaps(&self, other: &Self) -> bool {
        let range = |of: &Self| of.address.addr()..of.address.addr() + of.bytes;
        let (one, other) = (range(self), range(other));
        one.start < other.end && other.start < one.end
    }

    /// Copies the data out of the program's memory, to a place with room for it.
    ///
    /// # Errors
    /// The code of the library.
    fn pack(&self, into: *mut u8, comm: MPI_Comm) -> Result<(), c_int> {
        if self.is_plain {
            // SAFETY: the program's elements, and room for them, which is not the program's.
            unsafe { ptr::copy_nonoverlapping(self.address, into, self.bytes) };
            return Ok(());
        }
        let (mut position, bytes, count) = (0, self.bytes as c_int, self.count as c_int);
        // SAFETY: the program's elements of this type, and room for their bytes.
        let code = unsafe {
            ffi::PMPI_Pack(self.address.cast(), count, self.datatype, into.cast(), bytes, &mut position, comm)
        };
        assert!(code != handles::SUCCESS || position == bytes, "{position} bytes of {bytes} are packed");
        if code == handles::SUCCESS { Ok(()) } else { Err(code) }
    }

    /// Copies data into the program's memory.
    ///
    /// # Errors
    /// The code of the library.
    fn unpack(&self, from: *const u8, comm: MPI_Comm) -> Result<(), c_int> {
        if self.is_plain {
            // SAFETY: as in `pack`.
            unsafe { ptr::copy_nonoverlapping(from, self.address, self.bytes) };
            return Ok(());
        }
        let (mut position, bytes, count) = (0, self.bytes as c_int, self.count as c_int);
        // SAFETY: bytes of elements of this type, and the program's memory for them.
        let code = unsafe {
            ffi::PMPI_Unpack(
                from.cast(),
                bytes,
                &mut position,
                self.address.cast(),
                count,
                self.datatype,
                comm,
            )
        };
        if code == handles::SUCCESS { Ok(()) } else { Err(code) }
    }
}

/// Memory of a communicator for what cannot be read and written where the program has it.
#[derive(Debug, Default)]
pub(crate) struct Scratch([Vec<u128>; 2]);

/// What a rank sends and gets in a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exchange {
    /// The type of the elements for the algorithm.
    pub(crate) element: Datatype,
    pub(crate) send: Option<Elements>,
    pub(crate) recv: Option<Elements>,
    /// The elements to be received have their values before the call: those of the root of a broadcast. They are not written.
    pub(crate) is_source: bool,
    /// Bytes that this rank gets and the program does not want.
    pub(crate) discarded: usize,
}

impl Exchange {
    /// Whether all elements are bytes at the program's addresses, of types that live as long as the process.
    pub(crate) fn is_plain(&self) -> bool {
        let is_plain = |elements: &Elements| elements.is_plain && elements.bytes > 0;
        self.discarded == 0 && [&self.send, &self.recv].into_iter().flatten().all(is_plain)
    }

    /// The numbers of elements that this rank sends and gets, as an algorithm sees them.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let count = |of: Option<Elements>| of.map_or(0, |of| of.bytes / self.element.size());
        (count(self.send), count(self.recv))
    }

    /// The [plain](Self::is_plain) elements, of these [counts](Self::counts), at other addresses; `None` if an algorithm may not use them there.
    #[inline]
    pub(crate) fn buffers_at(
        &self,
        (send, recv): (*const c_void, *const c_void),
        (sent, received): (usize, usize),
    ) -> Option<BorrowedBuffers<'static>> {
        let send = self.send.map(|elements| Elements { address: send.cast_mut().cast(), ..elements });
        let recv = self.recv.map(|elements| Elements { address: recv.cast_mut().cast(), ..elements });
        let is_usable = |of: &Elements| of.is_direct(self.element) && !of.is_missing();
        if ![&send, &recv].into_iter().flatten().all(is_usable) {
            return None;
        }
        if let (Some(send), Some(recv)) = (&send, &recv)
            && send.overlaps(recv)
        {
            return None;
        }
        debug_assert_eq!((sent, received), self.counts());
        // SAFETY: the program's elements, aligned, which nothing writes during the call, as MPI demands: the others do not overlap them.
        let view = |of: Elements| unsafe { View::from_raw(of.address, sent, self.element) };
        // SAFETY: the same, and they are for this call alone.
        let view_mut = |of: Elements| unsafe { ViewMut::from_raw(of.address, received, self.element) };
        Some(BorrowedBuffers {
            send: send.map_or_else(|| View::empty(self.element), view),
            recv: recv.map_or_else(|| ViewMut::empty(self.element), view_mut),
        })
    }

    /// Runs an algorithm on the buffers.
    ///
    /// # Errors
    /// The code of the library.
    #[inline]
    pub(crate) fn run<R>(
        &self,
        scratch: &mut Scratch,
        comm: MPI_Comm,
        algorithm: impl FnOnce(BorrowedBuffers<'_>) -> R,
    ) -> Result<R, c_int> {
        let [send_room, recv_room] = &mut scratch.0;
        let nothing = View::empty(self.element);
        let (send, recv) = (self.send.filter(|send| send.bytes > 0), self.recv.filter(|recv| recv.bytes > 0));
        let direct = recv.filter(|recv| recv.is_direct(self.element));
        let (into, bytes) = match (direct, recv) {
            (Some(direct), _) => (direct.address, direct.bytes),
            (None, Some(recv)) => (room(recv_room, recv.bytes), recv.bytes),
            (None, None) => (room(recv_room, self.discarded), self.discarded),
        };
        if let (None, Some(recv), true) = (direct, recv, self.is_source) {
            recv.pack(into, comm)?;
        }
        let count = |bytes: usize| bytes / self.element.size();
        let send = match send {
            None => nothing,
            Some(send) => {
                let is_shared = direct.is_some_and(|recv| recv.overlaps(&send));
                let from = if send.is_direct(self.element) && !is_shared {
                    send.address
                } else {
                    let from = room(send_room, send.bytes);
                    send.pack(from, comm)?;
                    from
                };
                // SAFETY: the program's elements, or their copy: aligned, and not written while the view lives, which does not overlap the other.
                unsafe { View::from_raw(from, count(send.bytes), self.element) }
            }
        };
        // SAFETY: room for all elements, aligned; in the program's memory it is for this call alone, as MPI demands.
        let into_view = unsafe { ViewMut::from_raw(into, count(bytes), self.element) };
        let result = algorithm(BorrowedBuffers { send, recv: into_view });
        if let (None, Some(recv), false) = (direct, recv, self.is_source) {
            recv.unpack(into, comm)?;
        }
        Ok(result)
    }
}

/// Room for this number of bytes, aligned for every element.
#[inline]
fn room(memory: &mut Vec<u128>, bytes: usize) -> *mut u8 {
    if bytes.div_ceil(size_of::<u128>()) > memory.len() {
        memory.resize(bytes.div_ceil(size_of::<u128>()), 0);
    }
    memory.as_mut_ptr().cast()
}
