//! One rank's mail on one communicator: the receives it has posted and the messages nobody has asked for yet.
//!
//! Invariant: no message in `unexpected` answers a receive in `posted`. Both queues are in order of arrival and are
//! searched from the front, which is all of MPI's matching: messages between the same two ranks do not overtake each
//! other, and a receive from any source takes the earliest.
use wb_comm::{Call, Channel, Error, Label, Layout, Match, Rank, Result, Site, Source, Status, View};

use crate::{
    Mode, Pace,
    clock::Clock,
    operation::OperationId,
    queue::{Name, Named, Queue},
};

/// A message on its way or arrived.
#[derive(Debug)]
pub struct Message {
    pub(crate) source: Rank,
    pub(crate) label: Label,
    pub(crate) layout: Layout,
    pub(crate) bytes: Vec<u8>,
    /// The call that sent it.
    pub(crate) site: Site,
    /// The sender's one-port clock.
    pub(crate) stamp: u64,
    /// What its sender knew, where clocks are kept.
    pub(crate) clock: Option<Clock>,
    pub(crate) mode: Mode,
    /// When it, or its header, arrived.
    pub(crate) arrived: u64,
    /// The send that completes only when this message is matched.
    pub(crate) send: Option<OperationId>,
}

impl Message {
    /// Is it a user's? The messages of our collectives are never taken by a receive from any source.
    pub fn is_users(&self) -> bool {
        self.label.channel == Channel::User
    }

    /// The send that completes only when this message is matched.
    pub fn send(&self) -> Option<OperationId> {
        self.send
    }

    /// When its receive was over: when it arrived, or when its payload did.
    pub(crate) fn over<P: Pace>(&self, pace: &P) -> u64 {
        match self.mode {
            Mode::Rendezvous => pace.time(),
            Mode::Eager | Mode::Synchronous => self.arrived,
        }
    }

    /// Is it one that such a receive takes?
    fn answers(&self, source: Source, label: Match) -> bool {
        source.admits(self.source) && label.admits(self.label)
    }

    /// What a probe tells of it.
    pub(crate) fn status(&self) -> Status {
        Status {
            source: self.source,
            tag: self.label.tag,
            bytes: self.bytes.len(),
            layout: Some(self.layout),
        }
    }

    /// The message of rank `sender` of the job, if a buffer of this kind can take it. Like MPI's, an empty message has no
    /// type.
    pub(crate) fn fit(self: Box<Self>, room: Room, sender: Rank) -> Result<Box<Self>> {
        let (source_rank, tag, sent) = (self.source, self.label.tag, self.bytes.len());
        let by = || Some(Box::new(Call { rank: sender, site: self.site }));
        if sent > 0 && self.layout != room.layout {
            let (sent, expected) = (self.layout, room.layout);
            return Err(Error::Type { source_rank, tag, sent, expected, by: by() });
        }
        if sent > room.bytes {
            return Err(Error::Truncated { source_rank, tag, sent, room: room.bytes, by: by() });
        }
        Ok(self)
    }
}

/// What a receive's buffer can take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) layout: Layout,
    pub(crate) bytes: usize,
}

impl Room {
    /// The room that a buffer offers.
    pub(crate) fn of(buffer: View<'_>) -> Self {
        Self { layout: buffer.layout(), bytes: buffer.bytes().len() }
    }
}

/// A receive that waits for its message.
#[derive(Debug)]
pub(crate) struct Posted {
    pub(crate) operation: OperationId,
    pub(crate) source: Source,
    pub(crate) label: Match,
    pub(crate) room: Room,
    /// When it was posted.
    pub(crate) at: u64,
}

impl Posted {
    /// Does a message of this name answer it?
    fn answers(&self, source: Rank, label: Label) -> bool {
        self.source.admits(source) && self.label.admits(label)
    }
}

impl Named for Posted {
    fn name(&self) -> Option<Name> {
        exact(self.source, self.label)
    }
}

impl Named for Box<Message> {
    fn name(&self) -> Option<Name> {
        Some((self.source, self.label))
    }
}

/// The only name that a receive admits, if there is one only.
fn exact(source: Source, label: Match) -> Option<Name> {
    match (source, label) {
        (Source::Rank(source), Match { channel, tag: Some(tag) }) => Some((source, Label { channel, tag })),
        _ => None,
    }
}

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    posted: Queue<Posted>,
    unexpected: Queue<Box<Message>>,
}

impl Mailbox {
    /// Takes the earliest posted receive that a message of this name answers.
    pub(crate) fn claim(&mut self, source: Rank, label: Label) -> Option<Posted> {
        self.posted.take(Some((source, label)), |posted| posted.answers(source, label))
    }

    /// The receive that [`claim`](Self::claim) would take.
    pub(crate) fn claimant(&self, source: Rank, label: Label) -> Option<&Posted> {
        self.posted.find(Some((source, label)), |posted| posted.answers(source, label))
    }

    /// Takes all that nobody has asked for, in its order.
    pub(crate) fn recall(&mut self) -> impl Iterator<Item = Box<Message>> + use<> {
        self.unexpected.take_all()
    }

    /// Looks at the earliest message that answers.
    pub(crate) fn find(&self, source: Source, label: Match) -> Option<&Message> {
        self.unexpected.find(exact(source, label), |message| message.answers(source, label)).map(Box::as_ref)
    }

    /// Takes the earliest message that answers.
    pub(crate) fn take(&mut self, source: Source, label: Match) -> Option<Box<Message>> {
        self.unexpected.take(exact(source, label), |message| message.answers(source, label))
    }

    /// Queues a receive for which [`take`](Self::take) found nothing.
    pub(crate) fn post(&mut self, posted: Posted) {
        self.posted.push(posted);
    }

    /// Queues a message for which [`claim`](Self::claim) found nothing.
    pub(crate) fn keep(&mut self, message: Box<Message>) {
        self.unexpected.push(message);
    }

    /// Forgets a posted receive.
    pub(crate) fn cancel_receive(&mut self, operation: OperationId) {
        self.posted.take(None, |posted| posted.operation == operation);
    }

    /// Takes back the message of a send that was never matched.
    pub(crate) fn cancel_send(&mut self, operation: OperationId) {
        self.unexpected.take(None, |message| message.send == Some(operation));
    }

    /// The messages that nobody has received.
    pub(crate) fn unexpected(&self) -> impl Iterator<Item = &Message> {
        self.unexpected.iter().map(|message| &**message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(source: Rank, tag: i32, text: &[u8]) -> Box<Message> {
        Box::new(Message {
            source,
            label: Label::user(tag),
            layout: Layout::U8,
            bytes: text.to_vec(),
            site: Site::here(wb_comm::Verb::Send),
            stamp: 0,
            clock: None,
            mode: Mode::Eager,
            arrived: 0,
            send: None,
        })
    }

    fn any_tag() -> Match {
        Match { channel: wb_comm::Channel::User, tag: None }
    }

    #[test]
    fn messages_of_one_source_do_not_overtake() {
        let mut mailbox = Mailbox::default();
        mailbox.keep(message(1, 5, b"first"));
        mailbox.keep(message(1, 5, b"second"));
        let mut next = || mailbox.take(Source::Rank(1), Label::user(5).into()).map(|m| m.bytes);
        assert_eq!(next(), Some(b"first".to_vec()));
        assert_eq!(next(), Some(b"second".to_vec()));
        assert_eq!(next(), None);
    }

    #[test]
    fn wildcards_take_the_earliest_but_never_an_internal_message() {
        let mut mailbox = Mailbox::default();
        mailbox.keep(Box::new(Message { label: Label::internal(0), ..*message(0, 0, b"internal") }));
        mailbox.keep(message(3, 9, b"early"));
        mailbox.keep(message(1, 2, b"late"));
        assert_eq!(mailbox.find(Source::Any, any_tag()).map(|m| m.source), Some(3));
        assert_eq!(mailbox.take(Source::Any, any_tag()).map(|m| m.source), Some(3));
        assert_eq!(mailbox.take(Source::Any, any_tag()).map(|m| m.source), Some(1));
        assert!(mailbox.take(Source::Any, any_tag()).is_none());
    }

    #[test]
    fn a_message_goes_to_the_receive_posted_first() {
        let room = Room { layout: Layout::U8, bytes: 8 };
        let mut mailbox = Mailbox::default();
        let mut names = slotmap::SlotMap::<OperationId, ()>::with_key();
        let [seven, eight, nine] = [(); 3].map(|()| names.insert(()));
        let posted = |operation, source| Posted { operation, source, label: any_tag(), room, at: 0 };
        mailbox.post(posted(seven, Source::Rank(2)));
        mailbox.post(posted(eight, Source::Any));
        mailbox.post(posted(nine, Source::Any));
        assert_eq!(mailbox.claim(1, Label::user(0)).map(|p| p.operation), Some(eight));
        mailbox.cancel_receive(nine);
        assert!(mailbox.claim(1, Label::user(0)).is_none());
        assert_eq!(mailbox.claim(2, Label::user(0)).map(|p| p.operation), Some(seven));
    }

    #[test]
    fn an_empty_message_fits_any_type_and_a_full_one_only_its_own() {
        let room = Room { layout: Layout::F64, bytes: 16 };
        assert!(message(0, 0, b"").fit(room, 0).is_ok());
        let long = Box::new(Message { layout: Layout::F64, ..*message(0, 0, &[0; 17]) });
        assert!(matches!(long.fit(room, 0), Err(Error::Truncated { sent: 17, room: 16, .. })));
        let whole = Box::new(Message { layout: Layout::F64, ..*message(0, 0, &[0; 16]) });
        assert!(whole.fit(room, 0).is_ok());
        let error = message(4, 1, b"x").fit(room, 7).expect_err("u8 is not f64");
        let told = error.to_string();
        let what =
            "message from rank 4, tag 1, has elements of type u8, the receive expects f64; sent by send at ";
        assert!(told.starts_with(what) && told.contains("mailbox.rs:"), "{told}");
    }
}
