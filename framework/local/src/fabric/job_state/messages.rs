//! Posting operations, matching messages with receives, and completing both.
use smallvec::SmallVec;
use wb_comm::{CallSite, Context, MessageTag, Rank, Result, SendMode, Source, Status, TagPattern};

use crate::fabric::{
    delivery::{Completion, DeliveryModel, Event},
    job_state::JobState,
    matching::{
        mailbox::PostedReceive,
        message::{Message, OperationId, RecvBuffer, SendProtocol},
        operation::{Direction, OperationStatus, PostedOperation, RoundRole, user_tag, user_tag_of},
    },
};

impl<P: DeliveryModel> JobState<P> {
    /// Posts a send: its message leaves. Returns its operation, if it is incomplete or has to be kept.
    pub(crate) fn post_send(
        &mut self,
        communicator: usize,
        to: Rank,
        mut message: Box<Message>,
        send_mode: SendMode,
        kept: bool,
    ) -> Option<OperationId> {
        let group = &mut self.communicators[communicator];
        group.open_messages += 1;
        let (owner, receiver) = (group.members[message.source], group.members[to]);
        if message.tag.context == Context::User {
            self.ranks[owner].send_history.record(communicator, message.tag.tag, message.site, to);
        }
        let bytes = message.bytes.len();
        // The message of a buffered send occupies the attached buffer until it is matched.
        let is_buffered = send_mode == SendMode::Buffered;
        let until_match = is_buffered || send_mode.is_synchronous();
        let mode = self.delivery.send_protocol(owner, receiver, bytes, until_match);
        let open = mode != SendProtocol::Eager;
        let (place, direction) = ((communicator, to), (Direction::Send, Source::Rank(to)));
        let operation = |status| PostedOperation {
            tag: user_tag_of(message.tag),
            is_synchronous: send_mode.is_synchronous(),
            status,
            ..PostedOperation::open(owner, place, direction, bytes, message.site)
        };
        let status = if open { OperationStatus::Open } else { OperationStatus::Sent };
        let sent = (open || kept).then(|| self.operations.insert(operation(status)));
        let id = match sent.filter(|_| is_buffered && open) {
            Some(sent) => {
                self.ranks[owner].attached_buffer.occupy(sent, bytes);
                kept.then(|| self.operations.insert(operation(OperationStatus::Sent)))
            }
            None => sent,
        };
        message.clock = self.race_detector.as_mut().map(|races| races.publish(owner));
        message.protocol = mode;
        message.send = sent.filter(|_| open);
        let arrive = Event::MessageArrival { communicator, to, message };
        let now = self.delivery.send(owner, receiver, bytes, mode, arrive);
        self.process_events(now);
        self.continue_collectives();
        id
    }

    /// Posts a receive: takes its message or queues it.
    pub(crate) fn post_receive(
        &mut self,
        communicator: usize,
        rank: Rank,
        (source, tag): (Source, TagPattern),
        buffer: RecvBuffer,
        site: CallSite,
    ) -> OperationId {
        if source == Source::Any && self.delivery.can_choose_messages() {
            self.requeue_unexpected(communicator, rank);
        }
        let operation = self.insert_receive((communicator, rank), (source, tag), (buffer, None), site);
        let posted_at = self.delivery.local_time(self.communicators[communicator].members[rank]);
        self.match_or_queue((communicator, rank), (source, tag), (buffer, posted_at), operation);
        self.continue_collectives();
        operation
    }

    /// A receive that is in no mailbox yet.
    pub(super) fn insert_receive(
        &mut self,
        (communicator, rank): (usize, Rank),
        (source, tag): (Source, TagPattern),
        (buffer, round): (RecvBuffer, Option<RoundRole>),
        site: CallSite,
    ) -> OperationId {
        let (owner, direction) =
            (self.communicators[communicator].members[rank], (Direction::Receive, source));
        let open = PostedOperation::open(owner, (communicator, rank), direction, buffer.bytes, site);
        self.operations.insert(PostedOperation { tag: user_tag(tag), round, ..open })
    }

    /// Takes the message of a receive from the mailbox, or puts the receive into it.
    pub(super) fn match_or_queue(
        &mut self,
        (communicator, rank): (usize, Rank),
        (source, tag): (Source, TagPattern),
        (buffer, posted_at): (RecvBuffer, u64),
        operation: OperationId,
    ) {
        let group = &mut self.communicators[communicator];
        let step = self.race_detector.as_ref().map_or(0, |races| races.step(group.members[rank]));
        let posted = PostedReceive { operation, source, tag, buffer, posted_at, step };
        match group.mailboxes[rank].take(source, tag) {
            Some(message) => self.match_message(communicator, rank, &posted, message),
            None => group.mailboxes[rank].push_receive(posted),
        }
    }

    pub(super) fn arrive(&mut self, communicator: usize, to: Rank, mut message: Box<Message>) {
        message.arrived_at = self.delivery.event_time();
        let group = &mut self.communicators[communicator];
        let receiver = group.members[to];
        match group.mailboxes[to].take_receive(message.source, message.tag) {
            Some(posted) => self.match_message(communicator, to, &posted, message),
            None => {
                group.mailboxes[to].push_unexpected(message);
                self.unblock_if_satisfied(receiver);
            }
        }
    }

    /// Matches a message and a receive.
    fn match_message(
        &mut self,
        communicator: usize,
        to: Rank,
        posted: &PostedReceive,
        message: Box<Message>,
    ) {
        let group = &mut self.communicators[communicator];
        group.open_messages -= 1;
        let (from, receiver) = (group.members[message.source], group.members[to]);
        let (matched, send, mode) =
            (message.arrived_at.max(posted.posted_at), message.send, message.protocol);
        if let (Some(races), Some(send)) = (&mut self.race_detector, send) {
            // A synchronous send waits for its receive. Another send that happens to wait establishes no order.
            let known = self.operations.get_mut(send).filter(|operation| operation.is_synchronous);
            known.into_iter().for_each(|operation| operation.matched_clock = Some(races.publish(receiver)));
        }
        match (mode, send, message.fit_into(posted.buffer, from)) {
            (SendProtocol::Rendezvous, Some(send), Ok(message)) => {
                let (receive, bytes) = (posted.operation, message.bytes.len());
                let arrival = Event::PayloadArrival { receive, message };
                let now = self.delivery.transfer(
                    (from, receiver),
                    bytes,
                    matched,
                    Event::SendCompletion(send),
                    arrival,
                );
                self.process_events(now.into_iter().flatten());
            }
            (_, send, fitted) => {
                self.complete_receive(posted.operation, fitted);
                if let Some(send) = send {
                    let now = self.delivery.acknowledge(from, receiver, matched, Event::SendCompletion(send));
                    self.process_events(now);
                }
            }
        }
    }

    /// Completes a receive with its message, or with the reason why it fails.
    pub(super) fn complete_receive(&mut self, receive: OperationId, message: Result<Box<Message>>) {
        let completed_at = message
            .as_ref()
            .map_or_else(|_| self.delivery.event_time(), |message| self.arrival_time(message));
        self.complete(receive, OperationStatus::Received(message.map_err(Box::new)), completed_at);
    }

    /// The time at which the receive of a message completed: the arrival of the message, or of its payload.
    fn arrival_time(&self, message: &Message) -> u64 {
        match message.protocol {
            SendProtocol::Rendezvous => self.delivery.event_time(),
            SendProtocol::Eager | SendProtocol::Synchronous => message.arrived_at,
        }
    }

    /// Whether a receive of rank `to` matches a message of rank `from` and its owner posted it before this call: if clocks are kept, the
    /// messages that the sender has received must say so.
    pub(crate) fn has_ready_receive(
        &self,
        communicator: usize,
        (from, to): (Rank, Rank),
        tag: MessageTag,
    ) -> bool {
        let group = &self.communicators[communicator];
        let (sender, receiver) = (group.members[from], group.members[to]);
        let is_known = |posted: &PostedReceive| {
            self.race_detector.as_ref().is_none_or(|races| races.knows_step(sender, receiver, posted.step))
        };
        group.mailboxes[to].has_receive(from, tag, is_known)
    }

    /// Posts the receive of a message that a matched probe has taken.
    pub(crate) fn receive_matched(
        &mut self,
        (communicator, rank): (usize, Rank),
        message: Box<Message>,
        buffer: RecvBuffer,
        site: CallSite,
    ) -> OperationId {
        let (source, tag) = (Source::Rank(message.source), TagPattern::from(message.tag));
        let operation = self.insert_receive((communicator, rank), (source, tag), (buffer, None), site);
        let posted_at = self.delivery.local_time(self.communicators[communicator].members[rank]);
        let posted = PostedReceive { operation, source, tag, buffer, posted_at, step: 0 };
        self.match_message(communicator, rank, &posted, message);
        self.continue_collectives();
        operation
    }

    /// A member probes its mailbox.
    pub(crate) fn probe_mailbox(
        &mut self,
        (communicator, rank): (usize, Rank),
        source: Source,
        tag: TagPattern,
    ) -> Option<Status> {
        let group = &self.communicators[communicator];
        let message = group.mailboxes[rank].find(source, tag)?;
        if let (Some(races), Some(clock)) = (&mut self.race_detector, &message.clock) {
            races.join(group.members[rank], clock);
        }
        Some(message.status())
    }

    /// Takes an operation that is complete or is cancelled; a cancelled one leaves no trace.
    pub(crate) fn take_operation(&mut self, id: OperationId) -> PostedOperation {
        let operation = self.operations.remove(id).expect("an operation is taken once");
        if !operation.is_done() {
            let mailbox = &mut self.communicators[operation.communicator].mailboxes[operation.mailbox];
            match operation.direction {
                Direction::Send => mailbox.cancel_send(id),
                Direction::Receive => drop(mailbox.cancel_receive(id)),
                Direction::Both => self.cancel_collective(id),
            }
        }
        operation
    }

    /// Takes a receive that no message has matched, which then never receives one; whether there was none.
    pub(crate) fn cancel_receive(&mut self, id: OperationId) -> bool {
        let PostedOperation { communicator, mailbox, .. } = self.operations[id];
        let is_unmatched = self.communicators[communicator].mailboxes[mailbox].cancel_receive(id);
        if is_unmatched {
            self.operations.remove(id);
        }
        is_unmatched
    }

    /// Records that the request of an operation was dropped. The operation continues, as in MPI: a send is still
    /// received, and a receive still takes the message that it matches.
    ///
    /// Once the job has failed, dropped requests are a consequence and are not counted.
    pub(crate) fn drop_request(&mut self, id: OperationId) {
        if self.is_leak_counted() {
            let finding = self.request_leak(&self.operations[id]);
            self.findings.push(finding);
            self.dropped_requests.push(id);
        }
    }

    pub(super) fn complete(&mut self, id: OperationId, progress: OperationStatus, completed_at: u64) {
        // An operation of a failed job may still be in flight.
        let Some(operation) = self.operations.get_mut(id) else { return };
        assert!(!operation.is_done(), "an operation completes once");
        let progress = match (operation.round, progress) {
            (Some(RoundRole::Receive(collective, part)), OperationStatus::Received(message)) => {
                return self.round_received(id, (collective, part), message);
            }
            (Some(RoundRole::Send(collective)), OperationStatus::Sent) => {
                self.operations.remove(id);
                return self.round_message_completed(id, collective);
            }
            (_, progress) => progress,
        };
        operation.status = progress;
        operation.completed_at = completed_at;
        if operation.is_awaited {
            let (owner, failed) = (operation.owner, operation.has_failed());
            self.operation_completed(owner, failed);
        }
    }

    /// A rank observes the completed operations of one call.
    pub(crate) fn note_completions(&mut self, rank: Rank, ids: &[Option<OperationId>]) {
        if let Some(races) = &mut self.race_detector {
            let acquired = ids.iter().flatten().filter_map(|id| self.operations[*id].received_clock());
            acquired.for_each(|clock| races.join(rank, clock));
        }
        if P::TIMED {
            let mut completions: SmallVec<[Completion; 4]> = SmallVec::new();
            for id in ids.iter().flatten() {
                completions.push(self.completion(&self.operations[*id]));
            }
            self.delivery.note_completions(rank, &mut completions);
        }
    }

    fn completion(&self, operation: &PostedOperation) -> Completion {
        let received = match &operation.status {
            OperationStatus::Received(Ok(message)) => {
                let members = &self.communicators[operation.communicator].members;
                Some((members[message.source], message.bytes.len()))
            }
            _ => None,
        };
        Completion { completed_at: operation.completed_at, received }
    }

    /// Puts the messages in a member's mailbox back in flight.
    pub(crate) fn requeue_unexpected(&mut self, communicator: usize, to: Rank) {
        let messages = self.communicators[communicator].mailboxes[to].take_unexpected();
        let arrive = |message| Event::MessageArrival { communicator, to, message };
        self.delivery.requeue_messages(messages.map(arrive).collect());
    }
}
