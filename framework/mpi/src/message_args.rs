//! The checked arguments of MPI's sends and receives, and the calls that post them.
use std::{
    ffi::{c_int, c_void},
    mem::MaybeUninit,
};

use mpi::ffi::{
    MPI_Comm, MPI_Datatype, MPI_Ibsend, MPI_Irecv, MPI_Irsend, MPI_Isend, MPI_Issend, MPI_Request, MPI_Status,
};
use wb_comm::{BSEND_OVERHEAD, Error, MessageTag, Rank, Result, SendMode, Source, TagPattern, View, ViewMut};

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
    pub(crate) fn to_recv_tag(&self, tag: Option<i32>) -> Result<c_int> {
        match tag {
            None => Ok(handles::ANY_TAG),
            Some(tag) => check::to_tag(tag, self.registry.session.tag_ub),
        }
    }

    #[inline]
    pub(crate) fn send_args(&self, to: Rank, label: MessageTag, data: View<'_>) -> Result<SendArgs> {
        let session = self.registry.session;
        Ok(SendArgs {
            comm: self.comm_of(label.context)?,
            to: check::to_peer("destination", to, self.size)?,
            tag: check::to_tag(label.tag, session.tag_ub)?,
            count: check::to_count(data.count())?,
            datatype: session.datatypes.get(data.datatype()),
        })
    }

    #[inline]
    pub(crate) fn recv_args(&self, from: Source, label: TagPattern, data: &ViewMut<'_>) -> Result<RecvArgs> {
        Ok(RecvArgs {
            comm: self.comm_of(label.context)?,
            from: self.to_source(from)?,
            tag: self.to_recv_tag(label.tag)?,
            count: check::to_count(data.count())?,
            datatype: self.registry.session.datatypes.get(data.datatype()),
        })
    }
}

/// A call that starts a send.
type StartSendCall = unsafe extern "C" fn(
    *const c_void,
    c_int,
    MPI_Datatype,
    c_int,
    c_int,
    MPI_Comm,
    *mut MPI_Request,
) -> c_int;

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
}

impl SendArgs {
    /// # Safety
    /// `data` must hold `count` elements of `datatype`, unchanged until the request is complete.
    pub(crate) unsafe fn post(
        &self,
        communicator: &MpiCommunicator,
        data: &[u8],
        mode: SendMode,
    ) -> Result<MPI_Request> {
        let Self { comm, to, tag, count, datatype } = *self;
        let mut request = handles::REQUEST_NULL;
        communicator.check_mode(mode, data.len())?;
        let (name, call): (_, StartSendCall) = match mode {
            SendMode::Standard => ("MPI_Isend", MPI_Isend),
            SendMode::Synchronous => ("MPI_Issend", MPI_Issend),
            SendMode::Buffered => ("MPI_Ibsend", MPI_Ibsend),
            SendMode::Ready => ("MPI_Irsend", MPI_Irsend),
        };
        // SAFETY: the caller's promise.
        let code = unsafe { call(data.as_ptr().cast(), count, datatype, to, tag, comm, &mut request) };
        communicator.check_send(name, code, mode, data.len())?;
        Ok(request)
    }
}

impl RecvArgs {
    /// # Safety
    /// `start` must have room for `count` elements of `datatype`, not used by other code until the request is complete.
    pub(crate) unsafe fn post(&self, start: *mut u8) -> Result<MPI_Request> {
        let Self { comm, from, tag, count, datatype } = *self;
        let mut request = handles::REQUEST_NULL;
        // SAFETY: the caller's promise.
        let code = unsafe { MPI_Irecv(start.cast(), count, datatype, from, tag, comm, &mut request) };
        check("MPI_Irecv", code)?;
        Ok(request)
    }
}
