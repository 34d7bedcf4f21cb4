//! Messages that are almost those that somebody waits for: all agrees but one of tag, source, communicator and receiver. Or
//! all agrees, and a receive that nobody waits for has taken it. Where none lies about, the awaited message itself may have
//! gone to others and not to the rank that waits.
use wb_comm::{Channel, Code, Finding, Match, Place, Rank, Site, Source, Text, text::waiting};

use crate::{
    Pace,
    deadlock::{Need, Standing},
    mailbox::Message,
    operation::{Direction, Operation, Progress},
    state::State,
};

/// What a standing rank wants to receive.
struct Wanted {
    communicator: usize,
    /// In the communicator's numbering.
    rank: Rank,
    source: Source,
    label: Match,
}

impl<P: Pace> State<P> {
    /// The best one for each rank that stands, where there is one.
    pub(crate) fn near_misses(&self) -> Vec<Finding> {
        let of_seat = |(rank, seat): (Rank, &crate::seat::Seat)| {
            let standing = seat.standing.as_ref()?;
            let wanted = self.wanted(standing)?;
            if let Some(taken) = self.taken_before(&wanted, standing) {
                return Some(taken);
            }
            let misses = self.messages().filter_map(|found| self.miss(rank, &wanted, found));
            let best = misses.min_by_key(|(order, ..)| *order).map(|(_, detail, sent)| (detail, sent));
            let (detail, sent) = best.or_else(|| self.left_out(&wanted))?;
            let places = self.describe(rank, standing).places().chain([sent]).collect();
            Some(Finding { code: Code::NearMiss, rank, places, details: vec![detail] })
        };
        self.seats.iter().enumerate().filter_map(of_seat).collect()
    }

    /// A message that is wanted has gone to an earlier receive of the same rank, whose request was dropped.
    fn taken_before(&self, wanted: &Wanted, standing: &Standing) -> Option<Finding> {
        let mut dropped = self.dropped.iter().filter_map(|id| self.operations.get(*id));
        let has_taken = |operation: &&Operation| match &operation.progress {
            Progress::Received(Ok(message)) => {
                (operation.communicator, operation.mailbox) == (wanted.communicator, wanted.rank)
                    && wanted.source.admits(message.source)
                    && wanted.label.admits(message.label)
            }
            _ => false,
        };
        let operation = dropped.find(has_taken)?;
        let mut found = self.request_left(operation);
        found.places.push(Place::of(operation.owner, standing.site));
        let Site { verb, at } = standing.site;
        found.details.push(waiting::has_taken(verb.name(), at.file(), at.line()));
        Some(found)
    }

    /// What the rank would receive: users' messages only.
    fn wanted(&self, standing: &Standing) -> Option<Wanted> {
        match &standing.need {
            Need::Message { communicator, rank, source, label } => {
                let users = label.channel == Channel::User;
                let wanted =
                    Wanted { communicator: *communicator, rank: *rank, source: *source, label: *label };
                users.then_some(wanted)
            }
            Need::Operations(ids) if !standing.site.verb.is_collective() => {
                let open = self.first_open(ids).filter(|open| open.direction == Direction::Receive)?;
                let label = Match { channel: Channel::User, tag: open.tag };
                let (communicator, rank) = (open.communicator, open.mailbox);
                Some(Wanted { communicator, rank, source: open.peer, label })
            }
            _ => None,
        }
    }

    /// The sends of the awaited sender with the awaited tag, where they went to others and passed over the rank that waits.
    ///
    /// A sender may also come to this receiver later. It will not once it has ended or stands in a collective; elsewhere only
    /// a loop that went to everybody else, two and more, says that it is over.
    fn left_out(&self, wanted: &Wanted) -> Option<(Text, Place)> {
        let (Source::Rank(source), Some(tag)) = (wanted.source, wanted.label.tag) else { return None };
        let members = &self.communicators[wanted.communicator].members;
        let (sender, receiver) = (members[source], members[wanted.rank]);
        let seat = &self.seats[sender];
        let run = seat.sent.with(wanted.communicator, tag).next()?;
        let stands = seat.standing.as_ref().map(|standing| standing.site);
        if run.reached(wanted.rank) || stands == Some(run.site) {
            return None;
        }
        let reached = run.receivers(members.len());
        let others = members.len() - 1 - usize::from(sender != receiver);
        let all_others = others > 1 && reached.iter().filter(|rank| **rank != source).count() == others;
        let over = seat.ended || stands.is_some_and(|site| site.verb.is_collective());
        let reached: Vec<_> = reached.iter().map(|rank| members[*rank]).collect();
        let told = || (waiting::left_out(receiver, tag, sender, &reached), Place::of(sender, run.site));
        (over || all_others).then(told)
    }

    /// Every message that nobody has received: its communicator, its receiver there, itself.
    fn messages(&self) -> impl Iterator<Item = (usize, Rank, &Message)> {
        self.communicators.iter().enumerate().flat_map(|(at, group)| {
            let boxes = group.mailboxes.iter().enumerate();
            boxes.flat_map(move |(to, mailbox)| mailbox.unexpected().map(move |message| (at, to, message)))
        })
    }

    /// In what a message differs from the one that is wanted, if in one thing only; the most telling first.
    fn miss(
        &self,
        rank: Rank,
        wanted: &Wanted,
        (at, to, message): (usize, Rank, &Message),
    ) -> Option<(u8, Text, Place)> {
        if message.label.channel != Channel::User {
            return None;
        }
        let (group, mine) = (&self.communicators[at], &self.communicators[wanted.communicator]);
        let (sender, receiver) = (group.members[message.source], group.members[to]);
        let of_job = |source: Source| match source {
            Source::Rank(rank) => Source::Rank(mine.members[rank]),
            Source::Any => Source::Any,
        };
        let same = [
            wanted.label.tag.is_none_or(|tag| tag == message.label.tag),
            at == wanted.communicator,
            of_job(wanted.source).admits(sender),
            receiver == mine.members[wanted.rank],
        ];
        let (source, tag) = (wanted.source, message.label.tag);
        let (order, detail) = match same {
            [false, true, true, true] => {
                let awaited = wanted.label.tag.unwrap_or_default();
                (0, waiting::other_tag(rank, sender, tag, awaited))
            }
            [true, false, true, true] => {
                let (there, here) = (&group.name, &mine.name);
                (1, waiting::other_communicator(rank, sender, there, here))
            }
            [true, true, false, true] => (2, waiting::other_source(rank, tag, sender, source.to_string())),
            [true, true, true, false] => (3, waiting::other_receiver(rank, tag, sender, receiver)),
            _ => return None,
        };
        Some((order, detail, Place::of(sender, message.site)))
    }
}
