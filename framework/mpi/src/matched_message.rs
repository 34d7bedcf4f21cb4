//! Messages that matched probes have taken.
use std::rc::Rc;

use mpi::ffi::{MPI_Improbe, MPI_Message, MPI_Mprobe, MPI_Mrecv};
use wb_comm::{CallSite, Code, PendingMessage, Result, Source, Status, TagPattern, ViewMut, text::leaks};

use crate::{
    blocked_call::{self, WaitTarget},
    check::{self, check},
    communicator::MpiCommunicator,
    handles,
    message_args::empty_status,
};

pub(crate) struct MpiMessage {
    /// `MPI_MESSAGE_NULL` once it is received.
    message: MPI_Message,
    status: Status,
    communicator: Rc<MpiCommunicator>,
    /// The probe.
    site: CallSite,
}

/// Takes a message out of its queue; `None` if there is none and the call does not wait.
pub(crate) fn probe(
    communicator: &Rc<MpiCommunicator>,
    (from, tag): (Source, TagPattern),
    waits: bool,
    site: CallSite,
) -> Result<Option<MpiMessage>> {
    let comm = communicator.comm_of(tag.context)?;
    let (source, mpi_tag) = (communicator.to_source(from)?, communicator.to_recv_tag(tag.tag));
    let (mut raw, mut message, mut flag) = (empty_status(), handles::MESSAGE_NULL, 1);
    if waits {
        let target = WaitTarget::from(from, tag.tag, 0).without_size();
        let _inside = blocked_call::enter(site, target.with_job_rank(communicator.has_job_ranks));
        // SAFETY: a live communicator, one message and one status for the answer.
        check("MPI_Mprobe", unsafe { MPI_Mprobe(source, mpi_tag, comm, &mut message, &mut raw) })?;
    } else {
        // SAFETY: as above, and one int.
        let code = unsafe { MPI_Improbe(source, mpi_tag, comm, &mut flag, &mut message, &mut raw) };
        check("MPI_Improbe", code)?;
    }
    if flag == 0 {
        return Ok(None);
    }
    let status = check::to_status(&raw)?;
    Ok(Some(MpiMessage { message, status, communicator: Rc::clone(communicator), site }))
}

impl PendingMessage for MpiMessage {
    fn status(&self) -> Status {
        self.status
    }

    fn receive(mut self: Box<Self>, mut into: ViewMut<'_>, site: CallSite) -> Result<Status> {
        let count = check::to_count(into.count())?;
        let datatype = self.communicator.registry.session.datatypes.get(into.datatype())?;
        self.communicator.count_messages(-1);
        let bytes = into.bytes();
        let (start, capacity) = (bytes.as_mut_ptr().cast(), bytes.len());
        let mut raw = empty_status();
        let Status { source, tag, .. } = self.status;
        let code = {
            let _inside =
                blocked_call::enter(site, WaitTarget::from(Source::Rank(source), Some(tag), capacity));
            // SAFETY: the exclusive view has room for `count` elements of `datatype` for as long as the call lasts; the message is ours.
            unsafe { MPI_Mrecv(start, count, datatype, &mut self.message, &mut raw) }
        };
        check::check_receive("MPI_Mrecv", code, &raw, capacity)
    }
}

impl Drop for MpiMessage {
    fn drop(&mut self) {
        if self.message != handles::MESSAGE_NULL {
            let Status { source, tag, bytes, .. } = self.status;
            let what = leaks::matched_message(source, tag, bytes, &*self.communicator.name.borrow());
            self.communicator.registry.note_leak(Code::UnreceivedMessage, self.site, vec![what]);
        }
    }
}
