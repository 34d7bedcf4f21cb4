//! Messages that differ from an awaited one in exactly one of tag, source, communicator and receiver.
//!
//! A message that differs in none may have been taken by a receive that no rank waits for. If there is no such message,
//! the awaited message itself may have gone to other ranks and not to the rank that waits.
use wb_comm::{
    CallLocation, CallSite, Code, Context, Finding, Rank, Source, TagPattern, Text, text::waiting,
};

use crate::fabric::{
    delivery::DeliveryModel,
    job_state::{
        JobState,
        rank_state::{RankState, WaitCondition, WaitState},
    },
    matching::{
        message::Message,
        operation::{Direction, OperationStatus, PostedOperation},
    },
};

/// The message that a blocked rank waits for.
struct ExpectedMessage {
    communicator: usize,
    /// The receiver in the communicator's numbering.
    rank: Rank,
    source: Source,
    tag: TagPattern,
}

impl<P: DeliveryModel> JobState<P> {
    /// The best near miss for each blocked rank that has one.
    pub(crate) fn near_misses(&self) -> Vec<Finding> {
        let of_rank = |(rank, rank_state): (Rank, &RankState)| {
            let wait_state = rank_state.awaited_state()?;
            let wanted = self.expected_message(wait_state)?;
            if let Some(taken) = self.taken_by_dropped_receive(&wanted, wait_state) {
                return Some(taken);
            }
            let misses = self.unexpected_messages().filter_map(|found| self.near_miss(rank, &wanted, found));
            let best = misses.min_by_key(|(order, ..)| *order).map(|(_, detail, sent)| (detail, sent));
            let (detail, sent) = best.or_else(|| self.skipped_by_sender(&wanted))?;
            let places = self.describe(rank, wait_state).locations().chain([sent]).collect();
            Some(Finding { code: Code::NearMiss, rank, locations: places, details: vec![detail] })
        };
        self.ranks.iter().enumerate().filter_map(of_rank).collect()
    }

    /// The awaited message was taken by an earlier receive of the same rank, whose request was dropped.
    fn taken_by_dropped_receive(&self, wanted: &ExpectedMessage, wait_state: &WaitState) -> Option<Finding> {
        let mut dropped = self.dropped_requests.iter().filter_map(|id| self.operations.get(*id));
        let has_taken = |operation: &&PostedOperation| match &operation.status {
            OperationStatus::Received(Ok(message)) => {
                (operation.communicator, operation.mailbox) == (wanted.communicator, wanted.rank)
                    && wanted.source.matches(message.source)
                    && wanted.tag.matches(message.tag)
            }
            _ => false,
        };
        let operation = dropped.find(has_taken)?;
        let mut found = self.request_leak(operation);
        found.locations.push(CallLocation::new(operation.owner, wait_state.site));
        let CallSite { verb, location: at } = wait_state.site;
        found.details.push(waiting::has_taken(verb.name(), at.file(), at.line()));
        Some(found)
    }

    /// The message that the rank would receive: user messages only.
    fn expected_message(&self, wait_state: &WaitState) -> Option<ExpectedMessage> {
        match &wait_state.condition {
            WaitCondition::Message { communicator, rank, source, tag } => {
                let users = tag.context == Context::User;
                let wanted =
                    ExpectedMessage { communicator: *communicator, rank: *rank, source: *source, tag: *tag };
                users.then_some(wanted)
            }
            WaitCondition::Operations(ids) | WaitCondition::AnyOperation(ids)
                if !wait_state.site.verb.is_collective() =>
            {
                let open = self.first_incomplete(ids).filter(|open| open.direction == Direction::Receive)?;
                let tag = TagPattern { context: Context::User, tag: open.tag };
                let (communicator, rank) = (open.communicator, open.mailbox);
                Some(ExpectedMessage { communicator, rank, source: open.peer, tag })
            }
            _ => None,
        }
    }

    /// The sends of the awaited sender with the awaited tag that went to other ranks and not to the rank that waits.
    ///
    /// A sender may also reach this receiver later. It will not if it has ended or is blocked in a collective.
    /// Otherwise only a loop that has reached every other rank, at least two of them, is known to be over.
    fn skipped_by_sender(&self, wanted: &ExpectedMessage) -> Option<(Text, CallLocation)> {
        let (Source::Rank(source), Some(tag)) = (wanted.source, wanted.tag.tag) else { return None };
        let members = &self.communicators[wanted.communicator].members;
        let (sender, receiver) = (members[source], members[wanted.rank]);
        let rank_state = &self.ranks[sender];
        let run = rank_state.send_history.runs_with_tag(wanted.communicator, tag).next()?;
        let waits_at = rank_state.awaited_state().map(|wait_state| wait_state.site);
        if run.has_reached(wanted.rank) || waits_at == Some(run.site) {
            return None;
        }
        let reached = run.receivers(members.len());
        let others = members.len() - 1 - usize::from(sender != receiver);
        let all_others = others > 1 && reached.iter().filter(|rank| **rank != source).count() == others;
        let has_passed = rank_state.has_ended || waits_at.is_some_and(|site| site.verb.is_collective());
        let reached: Vec<_> = reached.iter().map(|rank| members[*rank]).collect();
        let detail =
            || (waiting::left_out(receiver, tag, sender, &reached), CallLocation::new(sender, run.site));
        (has_passed || all_others).then(detail)
    }

    /// Every unreceived message: its communicator, its receiver there, the message.
    fn unexpected_messages(&self) -> impl Iterator<Item = (usize, Rank, &Message)> {
        self.communicators.iter().enumerate().flat_map(|(at, group)| {
            let boxes = group.mailboxes.iter().enumerate();
            boxes.flat_map(move |(to, mailbox)| mailbox.unexpected().map(move |message| (at, to, message)))
        })
    }

    /// The property in which a message differs from the awaited one, if it is only one; the most significant first.
    fn near_miss(
        &self,
        rank: Rank,
        wanted: &ExpectedMessage,
        (at, to, message): (usize, Rank, &Message),
    ) -> Option<(u8, Text, CallLocation)> {
        if message.tag.context != Context::User {
            return None;
        }
        let (group, mine) = (&self.communicators[at], &self.communicators[wanted.communicator]);
        let (sender, receiver) = (group.members[message.source], group.members[to]);
        let of_job = |source: Source| match source {
            Source::Rank(rank) => Source::Rank(mine.members[rank]),
            Source::Any => Source::Any,
        };
        let is_here = at == wanted.communicator;
        // Of two communicators of the same ranks in other orders the wrong one may be used with the number of the right one.
        let has_same_ranks = group.members.len() == mine.members.len()
            && group.members.iter().all(|member| mine.members.contains(member));
        let same_number = has_same_ranks && !is_here && wanted.source.matches(message.source);
        let same = [
            wanted.tag.tag.is_none_or(|tag| tag == message.tag.tag),
            is_here,
            of_job(wanted.source).matches(sender) || same_number,
            receiver == mine.members[wanted.rank],
        ];
        let (source, tag) = (wanted.source, message.tag.tag);
        let (order, detail) = match same {
            [false, true, true, true] => {
                let awaited = wanted.tag.tag.unwrap_or_default();
                (0, waiting::other_tag(rank, sender, tag, awaited))
            }
            [true, false, true, true] => {
                let (their_name, own_name) = (&group.name, &mine.name);
                (1, waiting::other_communicator(rank, sender, their_name, own_name))
            }
            [true, true, false, true] => (2, waiting::other_source(rank, tag, sender, source.to_string())),
            [true, true, true, false] => (3, waiting::other_receiver(rank, tag, sender, receiver)),
            _ => return None,
        };
        Some((order, detail, CallLocation::new(sender, message.site)))
    }
}
