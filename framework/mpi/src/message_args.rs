//! The checked arguments of MPI's sends and receives, and the calls that post them.
use std::{
    ffi::{c_int, c_void},
    marker::PhantomData,
    mem::MaybeUninit,
};

use mpi::ffi::{
    MPI_Comm, MPI_Datatype, MPI_Ibsend, MPI_Irecv, MPI_Irsend, MPI_Isend, MPI_Issend, MPI_Request, MPI_Status,
};
use wb_comm::{
    BSEND_OVERHEAD, Datatype, Error, Layout, LayoutView, LayoutViewMut, MessageTag, Op, Rank, Result,
    SendMode, Source, Status, TagPattern, View, ViewMut,
};

use crate::{
    blocked_call::WaitTarget,
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

/// The elements of a message as MPI takes them: `bytes` in all, which are there as long as they are borrowed.
pub(crate) struct Elements<'a, P> {
    pub(crate) start: P,
    pub(crate) count: c_int,
    pub(crate) datatype: MPI_Datatype,
    pub(crate) bytes: usize,
    borrowed: PhantomData<&'a ()>,
}

/// The checked arguments of a send.
pub(crate) struct SendArgs<'a> {
    pub(crate) comm: MPI_Comm,
    pub(crate) to: c_int,
    pub(crate) tag: c_int,
    pub(crate) elements: Elements<'a, *const c_void>,
    pub(crate) mode: SendMode,
    /// What a call that waits for it shows.
    pub(crate) wait_target: WaitTarget,
}

/// The checked arguments of a receive, whose elements are borrowed exclusively.
pub(crate) struct RecvArgs<'a> {
    pub(crate) comm: MPI_Comm,
    pub(crate) from: c_int,
    pub(crate) tag: c_int,
    pub(crate) elements: Elements<'a, *mut c_void>,
    /// What a call that waits for it shows.
    pub(crate) wait_target: WaitTarget,
}

/// The checked arguments of an operation.
pub(crate) enum OpArgs<'a> {
    Send(SendArgs<'a>),
    /// With the status that the operation gets.
    Recv(RecvArgs<'a>, &'a mut Option<Status>),
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
    pub(crate) fn op_args<'a>(&self, op: &'a mut Op<'_>) -> Result<OpArgs<'a>> {
        Ok(match op {
            Op::Send { to, tag, data, mode } => {
                OpArgs::Send(self.send_args(*to, *tag, self.elements(*data)?, *mode)?)
            }
            Op::SendLayout { to, tag, data } => {
                OpArgs::Send(self.send_args(*to, *tag, self.layout_elements(*data)?, SendMode::Standard)?)
            }
            Op::Recv { from, tag, data, status } => {
                OpArgs::Recv(self.recv_args(*from, *tag, self.elements_mut(data)?)?, status)
            }
            Op::RecvLayout { from, tag, data, status } => {
                OpArgs::Recv(self.recv_args(*from, *tag, self.layout_elements_mut(data)?)?, status)
            }
        })
    }

    #[inline]
    pub(crate) fn send_args<'a>(
        &self,
        to: Rank,
        tag: MessageTag,
        elements: Elements<'a, *const c_void>,
        mode: SendMode,
    ) -> Result<SendArgs<'a>> {
        Ok(SendArgs {
            comm: self.comm_of(tag.context)?,
            to: check::to_peer("destination", to, self.size)?,
            tag: tag.tag,
            mode,
            wait_target: WaitTarget::to(to, tag.tag, elements.bytes).with_job_rank(self.has_job_ranks),
            elements,
        })
    }

    #[inline]
    pub(crate) fn recv_args<'a>(
        &self,
        from: Source,
        tag: TagPattern,
        elements: Elements<'a, *mut c_void>,
    ) -> Result<RecvArgs<'a>> {
        Ok(RecvArgs {
            comm: self.comm_of(tag.context)?,
            from: self.to_source(from)?,
            tag: self.to_recv_tag(tag.tag),
            wait_target: WaitTarget::from(from, tag.tag, elements.bytes).with_job_rank(self.has_job_ranks),
            elements,
        })
    }

    #[inline]
    pub(crate) fn elements<'a>(&self, data: View<'a>) -> Result<Elements<'a, *const c_void>> {
        let bytes = data.bytes();
        Ok(Elements {
            start: bytes.as_ptr().cast(),
            count: check::to_count(data.count())?,
            datatype: self.registry.session.datatypes.get(data.datatype())?,
            bytes: bytes.len(),
            borrowed: PhantomData,
        })
    }

    #[inline]
    pub(crate) fn elements_mut<'a>(&self, data: &'a mut ViewMut<'_>) -> Result<Elements<'a, *mut c_void>> {
        let (count, datatype) = (data.count(), data.datatype());
        let bytes = data.bytes();
        Ok(Elements {
            start: bytes.as_mut_ptr().cast(),
            count: check::to_count(count)?,
            datatype: self.registry.session.datatypes.get(datatype)?,
            bytes: bytes.len(),
            borrowed: PhantomData,
        })
    }

    /// The elements that a layout names: the view has checked that they are inside its slice.
    pub(crate) fn layout_elements<'a>(&self, data: LayoutView<'a>) -> Result<Elements<'a, *const c_void>> {
        let (count, datatype, offset) = self.layout_args(data.layout(), data.datatype())?;
        let start = data.as_ptr().wrapping_add(offset).cast();
        Ok(Elements { start, count, datatype, bytes: data.byte_count(), borrowed: PhantomData })
    }

    /// The same of elements that are received.
    pub(crate) fn layout_elements_mut<'a>(
        &self,
        data: &'a mut LayoutViewMut<'_>,
    ) -> Result<Elements<'a, *mut c_void>> {
        let (count, datatype, offset) = self.layout_args(data.layout(), data.datatype())?;
        let start = data.as_mut_ptr().wrapping_add(offset).cast();
        Ok(Elements { start, count, datatype, bytes: data.byte_count(), borrowed: PhantomData })
    }

    /// The number and the type of the elements of a layout, and the bytes before them.
    pub(crate) fn layout_args(
        &self,
        layout: &Layout,
        datatype: Datatype,
    ) -> Result<(c_int, MPI_Datatype, usize)> {
        let session = self.registry.session;
        let element = session.datatypes.get(datatype)?;
        let offset = layout.offset().wrapping_mul(datatype.size());
        match layout.count() {
            0 => Ok((0, element, offset)),
            _ => Ok((1, session.derived_types.get((layout.shape(), None), datatype, element)?, offset)),
        }
    }

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

impl SendArgs<'_> {
    /// # Safety
    /// The elements must stay as they are until the request is complete.
    pub(crate) unsafe fn post(&self, communicator: &MpiCommunicator) -> Result<MPI_Request> {
        let Self { comm, to, tag, mode, elements: Elements { start, count, datatype, bytes, .. }, .. } =
            *self;
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
        let code = unsafe { call(start, count, datatype, to, tag, comm, &mut request) };
        communicator.check_send(name, code, mode, bytes)?;
        Ok(request)
    }
}

impl RecvArgs<'_> {
    /// # Safety
    /// No other code may use the elements until the request is complete.
    pub(crate) unsafe fn post(&self, communicator: &MpiCommunicator) -> Result<MPI_Request> {
        let Self { comm, from, tag, elements: Elements { start, count, datatype, .. }, .. } = *self;
        let mut request = handles::REQUEST_NULL;
        communicator.count_messages(-1);
        // SAFETY: the caller's promise.
        let code = unsafe { MPI_Irecv(start, count, datatype, from, tag, comm, &mut request) };
        check("MPI_Irecv", code)?;
        Ok(request)
    }
}
