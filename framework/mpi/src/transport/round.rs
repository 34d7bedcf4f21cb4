//! Rounds of several operations: posted together, then completed one by one.
use std::{
    io::{self, Write},
    process,
};

use mpi::ffi::{MPI_Cancel, MPI_Request, MPI_Wait};
use wb_comm::{CallSite, Op, Result, SendMode};

use super::MpiTransport;
use crate::{
    blocked_call::{self, WaitTarget},
    check::{self, check},
    handles,
    message_args::empty_status,
};

impl MpiTransport {
    /// Any number of operations: all are checked, then all posted, then all posted ones completed, even after an error.
    pub(super) fn post_all_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()> {
        for op in ops.iter_mut() {
            self.check_op(op)?;
        }
        let mut outcome = Ok(());
        // The list is kept from round to round: once it has its length, a barrier's rounds allocate nothing.
        let mut posted = self.requests.take();
        for op in ops.iter_mut() {
            match self.post(op) {
                Ok(request) => posted.push(request),
                Err(error) => {
                    outcome = Err(error);
                    cancel_receives(&ops[..posted.len()], &mut posted);
                    break;
                }
            }
        }
        for (op, request) in ops.iter_mut().zip(posted.drain(..)) {
            outcome = outcome.and(wait_for(op, request, site));
        }
        self.requests.replace(posted);
        outcome
    }

    fn check_op(&self, op: &mut Op<'_>) -> Result<()> {
        match op {
            Op::Send { to, tag, data, .. } => self.communicator.send_args(*to, *tag, *data).map(drop),
            Op::Recv { from, tag, data, .. } => self.communicator.recv_args(*from, *tag, data).map(drop),
            Op::SendLayout { to, tag, data } => {
                self.communicator.layout_send_args(*to, *tag, *data).map(drop)
            }
            Op::RecvLayout { from, tag, data, .. } => {
                self.communicator.layout_recv_args(*from, *tag, data).map(drop)
            }
        }
    }

    /// The caller keeps the operation's buffer borrowed until the request is complete.
    fn post(&self, op: &mut Op<'_>) -> Result<MPI_Request> {
        match op {
            Op::Send { to, tag, data, mode } => {
                let (args, bytes) = (self.communicator.send_args(*to, *tag, *data)?, data.bytes());
                // SAFETY: the operation borrows the buffer; `post_all_and_wait` completes the request before it
                // returns.
                unsafe { args.post(&self.communicator, (bytes.as_ptr(), bytes.len()), *mode) }
            }
            Op::Recv { from, tag, data, .. } => {
                let incoming = self.communicator.recv_args(*from, *tag, data)?;
                // SAFETY: as above, and the borrow is exclusive.
                unsafe { incoming.post(&self.communicator, data.bytes().as_mut_ptr()) }
            }
            Op::SendLayout { to, tag, data } => {
                let (args, start) = self.communicator.layout_send_args(*to, *tag, *data)?;
                // SAFETY: as above; the view has checked that its elements are there.
                unsafe { args.post(&self.communicator, (start, data.byte_count()), SendMode::Standard) }
            }
            Op::RecvLayout { from, tag, data, .. } => {
                let (args, start) = self.communicator.layout_recv_args(*from, *tag, data)?;
                // SAFETY: as above, and the borrow is exclusive.
                unsafe { args.post(&self.communicator, start) }
            }
        }
    }
}

/// After a failed posting: cancels receives. Sends complete by themselves when their receiver receives them.
fn cancel_receives(ops: &[Op<'_>], posted: &mut [MPI_Request]) {
    for (op, request) in ops.iter().zip(posted) {
        if matches!(op, Op::Recv { .. } | Op::RecvLayout { .. }) {
            // SAFETY: an active request. A refusal changes nothing: the request is waited for in any case.
            let _ = unsafe { MPI_Cancel(request) };
        }
    }
}

fn wait_for(op: &mut Op<'_>, mut request: MPI_Request, site: CallSite) -> Result<()> {
    let wait = match op {
        Op::Send { to, tag, data, .. } => WaitTarget::to(*to, tag.tag, data.bytes().len()),
        Op::Recv { from, tag, data, .. } => WaitTarget::from(*from, tag.tag, data.bytes().len()),
        Op::SendLayout { to, tag, data } => WaitTarget::to(*to, tag.tag, data.byte_count()),
        Op::RecvLayout { from, tag, data, .. } => WaitTarget::from(*from, tag.tag, data.byte_count()),
    };
    let mut raw = empty_status();
    let code = {
        let _inside = blocked_call::enter(site, wait);
        // SAFETY: an active request of ours, completed here and not used afterwards.
        unsafe { MPI_Wait(&mut request, &mut raw) }
    };
    if request != handles::REQUEST_NULL {
        // The library may still write into a buffer that the caller gets back on return, so no continuation is sound.
        // Not `eprintln`, which panics where standard error is closed: unwinding would return the buffer.
        let _nobody_listens =
            writeln!(io::stderr(), "MPI_Wait gave up on an unfinished request (code {code}) at {site}");
        process::abort();
    }
    match op {
        Op::Send { .. } | Op::SendLayout { .. } => check("MPI_Wait", code),
        Op::RecvLayout { data, status, .. } => {
            *status = Some(check::check_receive("MPI_Wait", code, &raw, data.byte_count())?);
            Ok(())
        }
        Op::Recv { data, status, .. } => {
            *status = Some(check::check_receive("MPI_Wait", code, &raw, data.bytes().len())?);
            Ok(())
        }
    }
}
