//! Messages that lie about and are almost those that somebody waits for: all agrees but one of tag, source, communicator
//! and receiver.
use wb_comm::{Channel, Code, Finding, Match, Place, Rank, Source};

use crate::{
    Pace,
    deadlock::{Need, Standing},
    mailbox::Message,
    operation::Direction,
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
            let misses = self.messages().filter_map(|found| self.miss(&wanted, found));
            let (_, detail, sent) = misses.min_by_key(|(order, ..)| *order)?;
            let places = vec![Place::of(rank, standing.site), sent];
            Some(Finding {
                code: Code::NearMiss,
                rank,
                places,
                details: vec![format!("rank {rank} {detail}")],
            })
        };
        self.seats.iter().enumerate().filter_map(of_seat).collect()
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
        wanted: &Wanted,
        (at, to, message): (usize, Rank, &Message),
    ) -> Option<(u8, String, Place)> {
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
                (0, format!("has a message from {sender} with tag {tag} and waits for tag {awaited}"))
            }
            [true, false, true, true] => {
                let (there, here) = (&group.name, &mine.name);
                (1, format!("has a message from {sender} on communicator {there} and waits on {here}"))
            }
            [true, true, false, true] => {
                (2, format!("has a message with tag {tag} from {sender} and waits for one from {source}"))
            }
            [true, true, true, false] => {
                (3, format!("waits for a message with tag {tag} from {sender}, which sent it to {receiver}"))
            }
            _ => return None,
        };
        Some((order, detail, Place::of(sender, message.site)))
    }
}
