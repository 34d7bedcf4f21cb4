//! Rounds of several operations: posted together, then completed one by one.
use std::{
    io::{self, Write},
    process,
};

use mpi::ffi::{MPI_Cancel, MPI_Request, MPI_Wait};
use wb_comm::{CallSite, Op, Result, Status};

use super::MpiTransport;
use crate::{
    blocked_call::{self, WaitTarget},
    check::{self, check},
    handles,
    message_args::{OpArgs, empty_status},
};

/// A posted operation.
pub(super) struct PostedOp {
    request: MPI_Request,
    wait_target: WaitTarget,
    is_receive: bool,
}

impl MpiTransport {
    /// Any number of operations: all are checked, then all posted, then all posted ones completed, even after an error.
    pub(super) fn post_all_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()> {
        for op in ops.iter_mut() {
            self.communicator.op_args(op)?;
        }
        let mut outcome = Ok(());
        // The list is kept from round to round: once it has its length, a barrier's rounds allocate nothing.
        let mut posted = self.posted.take();
        for op in ops.iter_mut() {
            match self.post(op) {
                Ok(op) => posted.push(op),
                Err(error) => {
                    outcome = Err(error);
                    posted.iter_mut().for_each(PostedOp::cancel_receive);
                    break;
                }
            }
        }
        for (op, posted) in ops.iter_mut().zip(posted.drain(..)) {
            outcome = outcome.and(posted.wait(site).map(|received| {
                if let Op::Recv { status, .. } | Op::RecvLayout { status, .. } = op {
                    *status = received;
                }
            }));
        }
        self.posted.replace(posted);
        outcome
    }

    /// The caller keeps the operation's buffer borrowed until the request is complete.
    fn post(&self, op: &mut Op<'_>) -> Result<PostedOp> {
        Ok(match self.communicator.op_args(op)? {
            OpArgs::Send(args) => {
                // SAFETY: the operation borrows the elements; `post_all_and_wait` completes the request before it returns.
                let request = unsafe { args.post(&self.communicator)? };
                PostedOp { request, wait_target: args.wait_target, is_receive: false }
            }
            OpArgs::Recv(args, _) => {
                // SAFETY: as above, and the borrow is exclusive.
                let request = unsafe { args.post(&self.communicator)? };
                PostedOp { request, wait_target: args.wait_target, is_receive: true }
            }
        })
    }
}

impl PostedOp {
    /// After a failed posting: cancels a receive. A send completes by itself when its receiver receives it.
    fn cancel_receive(&mut self) {
        if self.is_receive {
            // SAFETY: an active request. A refusal changes nothing: the request is waited for in any case.
            let _ = unsafe { MPI_Cancel(&mut self.request) };
        }
    }

    /// The status of a receive.
    fn wait(mut self, site: CallSite) -> Result<Option<Status>> {
        let mut raw = empty_status();
        let code = {
            let _inside = blocked_call::enter(site, self.wait_target);
            // SAFETY: an active request of ours, completed here and not used afterwards.
            unsafe { MPI_Wait(&mut self.request, &mut raw) }
        };
        if self.request != handles::REQUEST_NULL {
            // The library may still write into a buffer that the caller gets back on return, so no continuation is sound.
            // Not `eprintln`, which panics where standard error is closed: unwinding would return the buffer.
            let _nobody_listens =
                writeln!(io::stderr(), "MPI_Wait gave up on an unfinished request (code {code}) at {site}");
            process::abort();
        }
        match self.is_receive {
            true => check::check_receive("MPI_Wait", code, &raw, self.wait_target.bytes()).map(Some),
            false => check("MPI_Wait", code).map(|()| None),
        }
    }
}
