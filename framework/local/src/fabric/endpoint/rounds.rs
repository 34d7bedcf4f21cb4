//! The operations of a call: they are posted together, and the call returns when all are complete.
use smallvec::SmallVec;
use wb_comm::{Block, CallSite, MessageTag, Op, Pending, Rank, Result, SendMode};

use crate::fabric::{
    endpoint::{
        Endpoint,
        payload::{Payload, ReceiveTarget},
        request::Request,
    },
    job_state::rank_state::{OperationIds, WaitCondition, WaitState},
    matching::{
        message::{Message, RecvBuffer, SendProtocol},
        operation::OperationStatus,
    },
    runtime::Runtime,
};

impl<H: Runtime> Endpoint<H> {
    /// Copies a payload into a message. This is outside the lock, as the copy may be long.
    pub(super) fn pack(&self, tag: MessageTag, data: Payload<'_>, site: CallSite) -> Box<Message> {
        let message = Message {
            source: self.rank,
            tag,
            datatype: data.datatype(),
            bytes: Vec::new(),
            site,
            logical_time: self.context.next_stamp(tag),
            clock: None,
            protocol: SendProtocol::Eager,
            arrived_at: 0,
            send: None,
        };
        self.context.fill_message(message, data)
    }

    /// Posts all operations of a call and completes receives whose messages are there; returns whether it has to wait.
    pub(super) fn post_all(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<bool> {
        for op in &*ops {
            match op {
                Op::Send { to, .. } | Op::SendLayout { to, .. } => {
                    self.check_destination(*to)?;
                }
                Op::Recv { from, .. } | Op::RecvLayout { from, .. } => {
                    self.check_source(*from)?;
                }
            }
        }
        let mut messages: SmallVec<[_; 2]> = SmallVec::new();
        for op in &*ops {
            messages.push(self.pack_send(op, site));
        }
        let mut state = self.enter_call(site)?;
        for op in &*ops {
            if let Op::Send { to, tag, data, mode } = op {
                self.check_mode(&mut state, (*to, *tag), *mode, data.bytes().len())?;
            }
        }
        let mut ids = OperationIds::new();
        for (op, message) in ops.iter().zip(messages) {
            ids.push(match op {
                Op::Send { to, mode, .. } => {
                    let message = message.expect("packed above");
                    state.post_send(self.communicator, *to, message, *mode, false)
                }
                Op::SendLayout { to, .. } => {
                    let message = message.expect("packed above");
                    state.post_send(self.communicator, *to, message, SendMode::Standard, false)
                }
                Op::RecvLayout { from, tag, data, .. } => {
                    let buffer = RecvBuffer::from_layout(data);
                    Some(state.post_receive(self.communicator, self.rank, (*from, *tag), buffer, site))
                }
                Op::Recv { from, tag, data, .. } => {
                    let buffer = RecvBuffer::from_view(data.as_view());
                    Some(state.post_receive(self.communicator, self.rank, (*from, *tag), buffer, site))
                }
            });
        }
        let condition = WaitCondition::Operations(ids);
        match state.block(self.context.rank, WaitState { site, condition }) {
            true => Ok(true),
            false => self.complete_all(state, ops, site).map(|()| false),
        }
    }

    /// Takes the operations of a call and completes its receives. They are complete unless the job has failed.
    pub(super) fn complete_all(
        &self,
        mut state: H::StateGuard<'_>,
        ops: &mut [Op<'_>],
        site: CallSite,
    ) -> Result<()> {
        let ids = state.take_awaited(self.context.rank);
        if let Err(failure) = state.check_failure(self.context.rank, site) {
            ids.iter().flatten().for_each(|id| drop(state.take_operation(*id)));
            return Err(failure);
        }
        let ends = self.context.take_completed(&mut state, &ids);
        drop(state);
        for (op, end) in ops.iter_mut().zip(ends) {
            let OperationStatus::Received(message) = end else { continue };
            let message = message.map_err(|error| *error)?;
            match op {
                Op::Recv { data, status, .. } => {
                    *status =
                        Some(self.context.finish_receive(message, ReceiveTarget::Contiguous(data.bytes())));
                }
                Op::RecvLayout { data, status, .. } => {
                    *status = Some(self.context.finish_receive(message, ReceiveTarget::Layout(data)));
                }
                Op::Send { .. } | Op::SendLayout { .. } => unreachable!("a send receives nothing"),
            }
        }
        Ok(())
    }

    pub(super) fn pack_send(&self, op: &Op<'_>, site: CallSite) -> Option<Box<Message>> {
        match op {
            Op::Send { tag, data, .. } => Some(self.pack(*tag, Payload::Contiguous(*data), site)),
            Op::SendLayout { tag, data, .. } => Some(self.pack(*tag, Payload::Layout(*data), site)),
            Op::Recv { .. } | Op::RecvLayout { .. } => None,
        }
    }

    pub(super) fn start_send(
        &self,
        (to, tag): (Rank, MessageTag),
        message: Box<Message>,
        data: Block,
        mode: SendMode,
        site: CallSite,
    ) -> Result<Box<dyn Pending>> {
        let mut state = self.enter_call(site)?;
        self.check_mode(&mut state, (to, tag), mode, message.bytes.len())?;
        let id = state.post_send(self.communicator, to, message, mode, true).expect("it is kept");
        Ok(Box::new(Request::new(&self.context, id, Some(data), None)))
    }
}
