//! Collective operations that are started and not complete: their rounds take place while their ranks do something else.
//!
//! A round is over when all its receives have been completed and copied, and its long messages, which wait for a request of the
//! receiver, have left. Then its steps are executed and the next round is posted, at that time: the rank need not be in a call, and its
//! computing does not slow down (another core of the node makes the copies). A delivery model without asynchronous progress delays the
//! arrivals at a rank that computes, and with them the rounds.
//!
//! The messages of an operation have a tag of their own, since several operations may be active on a communicator, each in another round.
use std::{mem, vec};

use smallvec::SmallVec;
use wb_comm::{
    Block, CallSite, CollectiveSchedule, Error, LocalStep, MessageTag, OwnedBuffers, Part, Rank, Round,
    RoundMessage, ScheduleBuffers, Source, View,
};

use crate::fabric::{
    delivery::{DeliveryModel, Event},
    job_state::JobState,
    matching::{
        message::{Message, OperationId, RecvBuffer, SendProtocol},
        operation::{Direction, OperationStatus, PostedOperation, RoundRole},
    },
    races::vector_clock::VectorClock,
};

/// The tag of the first operation of a communicator; verbs have smaller ones.
const FIRST_TAG: u32 = 1 << 10;

/// One rank's part of a collective operation.
#[derive(Debug)]
pub(crate) struct ActiveCollective {
    /// The rounds that are not posted yet.
    rounds: vec::IntoIter<Round>,
    /// The steps of the round whose messages were posted last.
    steps: Vec<LocalStep>,
    buffers: OwnedBuffers,
    scratch: Block,
    tag: MessageTag,
    /// The time at which it was started, or its last round was over.
    time: u64,
    /// The receives of this round that are not complete, and the sends that the receiver has not requested.
    open: SmallVec<[OperationId; 1]>,
    /// What the rank knew at the start and what the messages have brought since, if clocks are kept.
    clock: Option<VectorClock>,
    /// The error of a message of a round that does not fit.
    error: Option<Box<Error>>,
}

impl ActiveCollective {
    fn buffers(&mut self) -> ScheduleBuffers<'_> {
        ScheduleBuffers {
            send: self.buffers.send.view(),
            recv: self.buffers.recv.view_mut(),
            scratch: self.scratch.view_mut(),
        }
    }

    /// Executes the steps of the round that is over, and returns the messages of the next one; `None` after the last.
    fn next_round(&mut self) -> Option<Vec<RoundMessage>> {
        let steps = mem::take(&mut self.steps);
        let mut buffers = self.buffers();
        let executed = steps.into_iter().try_for_each(|step| buffers.execute(step));
        if let Err(error) = executed {
            self.error.get_or_insert(Box::new(error));
        }
        let Round { messages, steps } = self.rounds.next()?;
        self.steps = steps;
        Some(messages)
    }
}

/// The context in which the messages of a round are posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PostedBy {
    /// The rank, in a call.
    Rank,
    /// The arrival of a message.
    Event,
}

impl<P: DeliveryModel> JobState<P> {
    /// Starts a collective operation of a member.
    pub(crate) fn start_collective(
        &mut self,
        (communicator, rank): (usize, Rank),
        schedule: CollectiveSchedule,
        buffers: OwnedBuffers,
        site: CallSite,
    ) -> OperationId {
        let group = &mut self.communicators[communicator];
        let owner = group.members[rank];
        let number = group.next_collective(rank);
        let tag = FIRST_TAG + number % (i32::MAX.cast_unsigned() - FIRST_TAG);
        let datatype = match buffers.send.view() {
            send if send.count() > 0 => send.datatype(),
            _ => buffers.recv.view().datatype(),
        };
        let clock = self.race_detector.as_mut().map(|races| races.publish(owner));
        let bytes = buffers.send.view().bytes().len().max(buffers.recv.view().bytes().len());
        let (place, direction) = ((communicator, rank), (Direction::Both, Source::Any));
        let id = self.operations.insert(PostedOperation::open(owner, place, direction, bytes, site));
        let scratch = Block::zeroed(datatype, schedule.scratch_count());
        let tag = MessageTag::internal(tag.cast_signed());
        let active = ActiveCollective {
            rounds: schedule.into_rounds(),
            steps: vec![],
            buffers,
            scratch,
            tag,
            time: self.delivery.local_time(owner),
            open: SmallVec::new(),
            clock,
            error: None,
        };
        self.active_collectives.insert(id, active);
        self.continues_collectives = true;
        self.post_rounds(id, PostedBy::Rank);
        self.continues_collectives = false;
        self.continue_collectives();
        id
    }

    /// A receive of a round is complete: its message, or why it does not fit.
    #[cold]
    pub(super) fn round_received(
        &mut self,
        receive: OperationId,
        (collective, part): (OperationId, Part),
        message: Result<Box<Message>, Box<Error>>,
    ) {
        self.operations.remove(receive);
        // The operation of a failed job may be gone.
        let Some(active) = self.active_collectives.get_mut(collective) else { return };
        match message {
            Ok(message) => {
                let PostedOperation { owner, communicator, .. } = self.operations[collective];
                let sender = self.communicators[communicator].members[message.source];
                let arrived = active.time.max(self.delivery.event_time());
                active.time = arrived + self.delivery.round_work(owner, sender, message.bytes.len());
                if let (Some(clock), Some(message_clock)) = (&mut active.clock, &message.clock) {
                    clock.join(message_clock);
                }
                let mut buffers = active.buffers();
                let mut into = buffers.view_mut(part);
                into.bytes()[..message.bytes.len()].copy_from_slice(&message.bytes);
            }
            Err(error) => active.error = Some(error),
        }
        self.round_message_completed(receive, collective);
    }

    /// A receive or a send of a round is complete.
    #[cold]
    pub(super) fn round_message_completed(&mut self, message: OperationId, collective: OperationId) {
        // The operation of a failed job may be gone.
        let Some(active) = self.active_collectives.get_mut(collective) else { return };
        active.open.retain(|open| *open != message);
        if active.open.is_empty() {
            self.due_collectives.push(collective);
        }
    }

    /// Posts the next rounds of the operations whose last one is over. Nothing is posted inside of another posting: rounds of many ranks
    /// follow each other where deliveries take no time.
    pub(crate) fn continue_collectives(&mut self) {
        if !self.due_collectives.is_empty() && !self.continues_collectives {
            self.post_due_rounds();
        }
    }

    /// Apart from the code of each posting, which most often has nothing to continue.
    #[cold]
    #[inline(never)]
    fn post_due_rounds(&mut self) {
        self.continues_collectives = true;
        while let Some(id) = self.due_collectives.pop() {
            self.post_rounds(id, PostedBy::Event);
        }
        self.continues_collectives = false;
    }

    /// Posts the next round and all that follow it without a wait, or completes the operation.
    #[inline(never)]
    fn post_rounds(&mut self, id: OperationId, posted_by: PostedBy) {
        loop {
            let Some(active) = self.active_collectives.get_mut(id) else { return };
            if posted_by == PostedBy::Event {
                active.time = active.time.max(self.delivery.event_time());
            }
            if active.error.is_some() {
                return self.complete_collective(id);
            }
            let Some(messages) = active.next_round() else { return self.complete_collective(id) };
            for message in messages {
                match message {
                    RoundMessage::Send(to, part) => self.send_part(id, (to, part), posted_by),
                    RoundMessage::Receive(from, part) => self.receive_part(id, (from, part)),
                }
            }
            // A message that was there has completed its receive.
            self.due_collectives.retain(|due| *due != id);
            if !self.active_collectives[id].open.is_empty() {
                return;
            }
        }
    }

    fn send_part(&mut self, id: OperationId, (to, part): (Rank, Part), posted_by: PostedBy) {
        let PostedOperation { owner, communicator, mailbox: source, site, .. } = self.operations[id];
        let active = self.active_collectives.get_mut(id).expect("it is active");
        let (tag, clock) = (active.tag, active.clock.clone());
        let buffers = active.buffers();
        let data: View<'_> = buffers.view(part);
        let (datatype, bytes) = (data.datatype(), data.bytes().to_vec());
        let (count, receiver) = (bytes.len(), self.communicators[communicator].members[to]);
        // A long message is requested by its receiver. Nothing else waits: the message has a copy of the data.
        let protocol = match self.delivery.send_protocol(owner, receiver, count, false) {
            SendProtocol::Rendezvous => SendProtocol::Rendezvous,
            SendProtocol::Eager | SendProtocol::Synchronous => SendProtocol::Eager,
        };
        let at = (posted_by == PostedBy::Event).then(|| {
            let copied = if protocol == SendProtocol::Rendezvous { 0 } else { count };
            active.time += self.delivery.round_work(owner, receiver, copied);
            active.time
        });
        let send = (protocol == SendProtocol::Rendezvous).then(|| {
            let (place, direction) = ((communicator, to), (Direction::Send, Source::Rank(to)));
            let open = PostedOperation::open(owner, place, direction, count, site);
            let send = PostedOperation { round: Some(RoundRole::Send(id)), ..open };
            self.operations.insert(send)
        });
        self.active_collectives[id].open.extend(send);
        let message = Box::new(Message {
            source,
            tag,
            datatype,
            bytes,
            site,
            logical_time: 0,
            clock,
            protocol,
            arrived_at: 0,
            send,
        });
        self.communicators[communicator].open_messages += 1;
        let arrival = Event::MessageArrival { communicator, to, message };
        let now = self.delivery.send_round((owner, receiver), count, (protocol, at), arrival);
        self.process_events(now);
    }

    fn receive_part(&mut self, id: OperationId, (from, part): (Rank, Part)) {
        let PostedOperation { communicator, mailbox: rank, site, .. } = self.operations[id];
        let active = self.active_collectives.get_mut(id).expect("it is active");
        let (tag, buffer) = (active.tag, RecvBuffer::from_view(active.buffers().view(part)));
        let posted_at = active.time;
        let round = Some(RoundRole::Receive(id, part));
        let (source, tag) = (Source::Rank(from), tag.into());
        let receive = self.insert_receive((communicator, rank), (source, tag), (buffer, round), site);
        self.active_collectives[id].open.push(receive);
        self.match_or_queue((communicator, rank), (source, tag), (buffer, posted_at), receive);
    }

    fn complete_collective(&mut self, id: OperationId) {
        let active = self.active_collectives.remove(id).expect("it is active");
        let operation = &mut self.operations[id];
        operation.matched_clock = active.clock;
        let result = active.error.map_or(Ok(active.buffers), Err);
        self.complete(id, OperationStatus::Collected(result), active.time);
    }

    /// The receives and sends that an active operation waits for.
    pub(crate) fn open_messages(&self, id: OperationId) -> impl Iterator<Item = &PostedOperation> {
        let active = self.active_collectives.get(id);
        active.into_iter().flat_map(|active| &active.open).map(|open| &self.operations[*open])
    }

    /// Ends an operation that will not be waited for, since the job has failed.
    #[cold]
    pub(super) fn cancel_collective(&mut self, id: OperationId) {
        let Some(active) = self.active_collectives.remove(id) else { return };
        for open in active.open {
            self.take_operation(open);
        }
    }
}
