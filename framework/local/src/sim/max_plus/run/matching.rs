//! Messages and the receives that match them.
use super::*;

impl MaxPlusRun<'_> {
    /// A message, or its header, arrives at its receiver. Those of one sender arrive in the order of sending.
    pub(super) fn message_arrived(&mut self, sender: Rank, send: usize, arrives: u64) {
        let sending = self.read_send(&self.recording.program(sender), send);
        let SendOp { to: receiver, bytes, is_synchronous: synchronous, .. } = sending;
        let Some(recv) = self.matching_receive(sender, sending) else { return };
        let whole = bytes <= self.machine.link(sender, receiver).eager_limit;
        if whole && !synchronous {
            return self.set_completion(receiver, recv, arrives);
        }
        let number = self.rendezvous.len();
        self.rendezvous.push(RendezvousSend {
            send,
            recv,
            sender,
            receiver,
            arrives,
            bytes,
            is_whole: whole,
        });
        let slot = self.recording.program(receiver).slot(recv);
        let before = std::mem::replace(&mut self.completion_times[slot], RENDEZVOUS_BIT | number as u64);
        if before != NEVER {
            self.match_rendezvous(number, before & !POSTED_BIT);
        }
    }

    /// The receive that a message of `rank` matches.
    pub(super) fn matching_receive(
        &mut self,
        rank: Rank,
        SendOp { to, bytes, tag, .. }: SendOp,
    ) -> Option<usize> {
        let (program, from_op) = (self.recording.program(to), self.ranks[to].round.start as usize);
        let moments = &self.completion_times;
        let open = |op: usize| {
            let moment = moments[program.slot(op)];
            moment & POSTED_BIT != 0 && (moment == NEVER || moment & RENDEZVOUS_BIT == 0)
        };
        let found = self.matcher.find_receive(self.recording, to, (rank, tag), from_op, open);
        let Some(recv) = found else {
            self.error.get_or_insert(RecordingError::UnreceivedMessage { from: rank, to, tag });
            return None;
        };
        if let RecordedOpKind::Recv { capacity } = self.recording.class(&program, recv).kind
            && capacity < bytes
        {
            self.error.get_or_insert(RecordingError::Truncated { from: rank, to, bytes, capacity });
        }
        if let Some(size) = self.received_bytes.get_mut(program.slot(recv)) {
            *size = bytes;
        }
        Some(recv)
    }

    /// Matches a rendezvous send with its receive, posted at `posted`.
    pub(super) fn match_rendezvous(&mut self, number: usize, posted: u64) {
        let ask = self.rendezvous[number];
        let matched = ask.arrives.max(posted);
        let acknowledged = matched + self.machine.link(ask.sender, ask.receiver).latency;
        if ask.is_whole {
            self.set_completion(ask.receiver, ask.recv, ask.arrives);
            self.set_completion(self.symmetry.representative(ask.sender), ask.send, acknowledged);
        } else {
            let sender = self.symmetry.representative(ask.sender);
            self.events.add_payload(self.machine.node_of(sender), acknowledged, (sender, ask.send), number);
        }
    }
}
