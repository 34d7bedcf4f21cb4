//! The checked arguments of MPI's sends and receives, and the calls that post them.
use std::{
    ffi::{c_int, c_void},
    mem::MaybeUninit,
};

use mpi::ffi::{
    MPI_Comm, MPI_Datatype, MPI_Ibsend, MPI_Irecv, MPI_Irsend, MPI_Isend, MPI_Issend, MPI_Request, MPI_Status,
};
use wb_comm::{
    BSEND_OVERHEAD, Datatype, Error, Layout, LayoutView, LayoutViewMut, MessageTag, Rank, Result, SendMode,
    Source, TagPattern, View, ViewMut,
};

use crate::{
    check::{self, check},
    communicator::MpiCommunicator,
    handles,
};

/// A status before MPI has filled it.
#[inline]
pub(crate) fn empty_status() -> MPI_Status {
    // SAFETY: a C struct of integers, for which zeroes are a value.
    unsafe { MaybeUninit::<MPI_Status>::zeroed().assume_init() }
}

/// The checked arguments of a send.
pub(crate) struct SendArgs {
    pub(crate) comm: MPI_Comm,
    pub(crate) to: c_int,
    pub(crate) tag: c_int,
    pub(crate) count: c_int,
    pub(crate) datatype: MPI_Datatype,
}

/// The checked arguments of a receive.
pub(crate) struct RecvArgs {
    pub(crate) comm: MPI_Comm,
    pub(crate) from: c_int,
    pub(crate) tag: c_int,
    pub(crate) count: c_int,
    pub(crate) datatype: MPI_Datatype,
}

impl MpiCommunicator {
    #[inline]
    pub(crate) fn to_source(&self, from: Source) -> Result<c_int> {
        match from {
            Source::Any => Ok(handles::ANY_SOURCE),
            Source::Rank(rank) => check::to_peer("source", rank, self.size),
        }
    }

    #[inline]
    pub(crate) fn to_recv_tag(&self, tag: Option<i32>) -> c_int {
        tag.unwrap_or(handles::ANY_TAG)
    }

    #[inline]
    pub(crate) fn send_args(&self, to: Rank, tag: MessageTag, data: View<'_>) -> Result<SendArgs> {
        let session = self.registry.session;
        Ok(SendArgs {
            comm: self.comm_of(tag.context)?,
            to: check::to_peer("destination", to, self.size)?,
            tag: tag.tag,
            count: check::to_count(data.count())?,
            datatype: session.datatypes.get(data.datatype())?,
        })
    }

    #[inline]
    pub(crate) fn recv_args(&self, from: Source, tag: TagPattern, data: &ViewMut<'_>) -> Result<RecvArgs> {
        Ok(RecvArgs {
            comm: self.comm_of(tag.context)?,
            from: self.to_source(from)?,
            tag: self.to_recv_tag(tag.tag),
            count: check::to_count(data.count())?,
            datatype: self.registry.session.datatypes.get(data.datatype())?,
        })
    }
}

type StartSendCall = unsafe extern "C" fn(
    *const c_void,
    c_int,
    MPI_Datatype,
    c_int,
    c_int,
    MPI_Comm,
    *mut MPI_Request,
) -> c_int;

/// The elements of a layout as MPI takes them.
struct LayoutArgs {
    /// 1, or 0 for a layout without elements.
    count: c_int,
    datatype: MPI_Datatype,
}

impl MpiCommunicator {
    /// Checks that a buffered send can fit the attached buffer. A library may send a short message without it, so it does not say so itself.
    #[inline]
    pub(crate) fn check_mode(&self, mode: SendMode, bytes: usize) -> Result<()> {
        if mode != SendMode::Buffered {
            return Ok(());
        }
        let (needed, attached) = (bytes + BSEND_OVERHEAD, self.registry.session.attached_buffer.size());
        if needed <= attached {
            return Ok(());
        }
        Err(Error::AttachedBuffer { needed, attached, occupied: None })
    }

    /// Checks the code of a send; a buffered one that does not fit has an error of its own.
    #[inline]
    pub(crate) fn check_send(
        &self,
        call: &'static str,
        code: c_int,
        mode: SendMode,
        bytes: usize,
    ) -> Result<()> {
        if mode == SendMode::Buffered
            && code != handles::SUCCESS
            && check::error_class(code) == handles::ERR_BUFFER
        {
            let attached = self.registry.session.attached_buffer.size();
            return Err(Error::AttachedBuffer { needed: bytes + BSEND_OVERHEAD, attached, occupied: None });
        }
        check(call, code)
    }

    /// As [`send_args`](Self::send_args), with the address that MPI takes.
    pub(crate) fn layout_send_args(
        &self,
        to: Rank,
        tag: MessageTag,
        data: LayoutView<'_>,
    ) -> Result<(SendArgs, *const u8)> {
        let (nothing, layout) = (View::from_slice::<u8>(&[]), data.layout());
        let LayoutArgs { count, datatype } = self.layout_args(layout, data.datatype())?;
        let start = data.as_ptr().wrapping_add(layout.offset().wrapping_mul(data.datatype().size()));
        Ok((SendArgs { count, datatype, ..self.send_args(to, tag, nothing)? }, start))
    }

    /// As [`recv_args`](Self::recv_args), with the address that MPI takes.
    pub(crate) fn layout_recv_args(
        &self,
        from: Source,
        tag: TagPattern,
        data: &mut LayoutViewMut<'_>,
    ) -> Result<(RecvArgs, *mut u8)> {
        let (nothing, layout) = (ViewMut::from_slice::<u8>(&mut []), data.layout());
        let LayoutArgs { count, datatype } = self.layout_args(layout, data.datatype())?;
        let start = data.as_mut_ptr().wrapping_add(layout.offset().wrapping_mul(data.datatype().size()));
        Ok((RecvArgs { count, datatype, ..self.recv_args(from, tag, &nothing)? }, start))
    }

    fn layout_args(&self, layout: &Layout, datatype: Datatype) -> Result<LayoutArgs> {
        let session = self.registry.session;
        let element = session.datatypes.get(datatype)?;
        if layout.count() == 0 {
            return Ok(LayoutArgs { count: 0, datatype: element });
        }
        Ok(LayoutArgs {
            count: 1,
            datatype: session.derived_types.get((layout.shape(), None), datatype, element)?,
        })
    }
}

impl SendArgs {
    /// # Safety
    /// The elements that `count` and `datatype` name from `start` on, `bytes` in all, must be there, unchanged until the request is complete.
    pub(crate) unsafe fn post(
        &self,
        communicator: &MpiCommunicator,
        (start, bytes): (*const u8, usize),
        mode: SendMode,
    ) -> Result<MPI_Request> {
        let Self { comm, to, tag, count, datatype } = *self;
        let mut request = handles::REQUEST_NULL;
        communicator.check_mode(mode, bytes)?;
        communicator.count_messages(1);
        let (name, call): (_, StartSendCall) = match mode {
            SendMode::Standard => ("MPI_Isend", MPI_Isend),
            SendMode::Synchronous => ("MPI_Issend", MPI_Issend),
            SendMode::Buffered => ("MPI_Ibsend", MPI_Ibsend),
            SendMode::Ready => ("MPI_Irsend", MPI_Irsend),
        };
        // SAFETY: the caller's promise.
        let code = unsafe { call(start.cast(), count, datatype, to, tag, comm, &mut request) };
        communicator.check_send(name, code, mode, bytes)?;
        Ok(request)
    }
}

impl RecvArgs {
    /// # Safety
    /// There must be room for the elements that `count` and `datatype` name from `start` on, not used by other code until the request is complete.
    pub(crate) unsafe fn post(&self, communicator: &MpiCommunicator, start: *mut u8) -> Result<MPI_Request> {
        let Self { comm, from, tag, count, datatype } = *self;
        let mut request = handles::REQUEST_NULL;
        communicator.count_messages(-1);
        // SAFETY: the caller's promise.
        let code = unsafe { MPI_Irecv(start.cast(), count, datatype, from, tag, comm, &mut request) };
        check("MPI_Irecv", code)?;
        Ok(request)
    }
}
