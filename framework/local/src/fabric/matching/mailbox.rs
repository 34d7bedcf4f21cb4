//! One rank's mailbox on one communicator: its posted receives and the unexpected messages.
//!
//! Invariant: no message in `unexpected` matches a receive in `posted`. Both queues are in order of arrival and are
//! searched from the front. This implements MPI's matching: messages between the same two ranks do not overtake each
//! other, and a receive from any source takes the earliest.
use wb_comm::{MessageTag, Rank, Source, TagPattern};

use crate::fabric::matching::{
    match_queue::{HasMatchKey, MatchKey, MatchQueue},
    message::{Message, OperationId, RecvBuffer},
};

/// A receive that waits for its message.
#[derive(Debug)]
pub(crate) struct PostedReceive {
    pub(crate) operation: OperationId,
    pub(crate) source: Source,
    pub(crate) tag: TagPattern,
    pub(crate) buffer: RecvBuffer,
    /// The time at which it was posted.
    pub(crate) posted_at: u64,
    /// The step of its owner's vector clock in which it was posted; 0 if clocks are not kept.
    pub(crate) step: u64,
}

impl PostedReceive {
    /// Whether it matches a message with this source and tag.
    fn matches(&self, source: Rank, tag: MessageTag) -> bool {
        self.source.matches(source) && self.tag.matches(tag)
    }
}

impl HasMatchKey for PostedReceive {
    fn match_key(&self) -> Option<MatchKey> {
        exact_key(self.source, self.tag)
    }
}

impl HasMatchKey for Box<Message> {
    fn match_key(&self) -> Option<MatchKey> {
        Some((self.source, self.tag))
    }
}

/// The only key that a receive matches; `None` if it matches several.
fn exact_key(source: Source, tag: TagPattern) -> Option<MatchKey> {
    match (source, tag) {
        (Source::Rank(source), TagPattern { context: channel, tag: Some(tag) }) => {
            Some((source, MessageTag { context: channel, tag }))
        }
        _ => None,
    }
}

/// The posted receives and unexpected messages of one rank.
#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    posted: MatchQueue<PostedReceive>,
    unexpected: MatchQueue<Box<Message>>,
    /// Messages that matched probes have taken and that were not received.
    dropped: Vec<Message>,
}

impl Mailbox {
    /// Takes the earliest posted receive that matches a message with this source and tag.
    pub(crate) fn take_receive(&mut self, source: Rank, tag: MessageTag) -> Option<PostedReceive> {
        self.posted.take(Some((source, tag)), |posted| posted.matches(source, tag))
    }

    /// The receive that [`take_receive`](Self::take_receive) would take.
    pub(crate) fn find_receive(&self, source: Rank, tag: MessageTag) -> Option<&PostedReceive> {
        self.posted.find(Some((source, tag)), |posted| posted.matches(source, tag))
    }

    /// Whether a posted receive that `is_known` matches a message with this source and tag.
    pub(crate) fn has_receive(
        &self,
        source: Rank,
        tag: MessageTag,
        is_known: impl Fn(&PostedReceive) -> bool,
    ) -> bool {
        self.posted
            .find(Some((source, tag)), |posted| posted.matches(source, tag) && is_known(posted))
            .is_some()
    }

    /// Keeps a message that a matched probe has taken and that was not received.
    pub(crate) fn push_dropped(&mut self, message: Message) {
        self.dropped.push(message);
    }

    /// Takes all unexpected messages, in their order.
    pub(crate) fn take_unexpected(&mut self) -> impl Iterator<Item = Box<Message>> + use<> {
        self.unexpected.take_all()
    }

    /// The earliest message that matches.
    pub(crate) fn find(&self, source: Source, tag: TagPattern) -> Option<&Message> {
        self.unexpected.find(exact_key(source, tag), |message| message.matches(source, tag)).map(Box::as_ref)
    }

    /// Takes the earliest message that matches.
    pub(crate) fn take(&mut self, source: Source, tag: TagPattern) -> Option<Box<Message>> {
        self.unexpected.take(exact_key(source, tag), |message| message.matches(source, tag))
    }

    /// Queues a receive for which [`take`](Self::take) found nothing.
    pub(crate) fn push_receive(&mut self, posted: PostedReceive) {
        self.posted.push(posted);
    }

    /// Queues a message for which [`take_receive`](Self::take_receive) found nothing.
    pub(crate) fn push_unexpected(&mut self, message: Box<Message>) {
        self.unexpected.push(message);
    }

    /// Removes a posted receive.
    pub(crate) fn cancel_receive(&mut self, operation: OperationId) -> bool {
        self.posted.take(None, |posted| posted.operation == operation).is_some()
    }

    /// Removes the message of a send that was never matched.
    pub(crate) fn cancel_send(&mut self, operation: OperationId) {
        self.unexpected.take(None, |message| message.send == Some(operation));
    }

    /// The unreceived messages.
    pub(crate) fn unexpected(&self) -> impl Iterator<Item = &Message> {
        self.unexpected.iter().map(|message| &**message).chain(&self.dropped)
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::{CallSite, Datatype, Error};

    use super::*;
    use crate::fabric::matching::message::SendProtocol;

    fn message(source: Rank, tag: i32, text: &[u8]) -> Box<Message> {
        Box::new(Message {
            source,
            tag: MessageTag::user(tag),
            datatype: Datatype::U8,
            bytes: text.to_vec(),
            site: CallSite::caller(wb_comm::Verb::Send),
            logical_time: 0,
            clock: None,
            protocol: SendProtocol::Eager,
            arrived_at: 0,
            send: None,
        })
    }

    fn any_tag() -> TagPattern {
        TagPattern { context: wb_comm::Context::User, tag: None }
    }

    #[test]
    fn messages_of_one_source_do_not_overtake() {
        let mut mailbox = Mailbox::default();
        mailbox.push_unexpected(message(1, 5, b"first"));
        mailbox.push_unexpected(message(1, 5, b"second"));
        let mut next = || mailbox.take(Source::Rank(1), MessageTag::user(5).into()).map(|m| m.bytes);
        assert_eq!(next(), Some(b"first".to_vec()));
        assert_eq!(next(), Some(b"second".to_vec()));
        assert_eq!(next(), None);
    }

    #[test]
    fn wildcards_take_the_earliest_but_never_an_internal_message() {
        let mut mailbox = Mailbox::default();
        mailbox.push_unexpected(Box::new(Message {
            tag: MessageTag::internal(0),
            ..*message(0, 0, b"internal")
        }));
        mailbox.push_unexpected(message(3, 9, b"early"));
        mailbox.push_unexpected(message(1, 2, b"late"));
        assert_eq!(mailbox.find(Source::Any, any_tag()).map(|m| m.source), Some(3));
        assert_eq!(mailbox.take(Source::Any, any_tag()).map(|m| m.source), Some(3));
        assert_eq!(mailbox.take(Source::Any, any_tag()).map(|m| m.source), Some(1));
        assert!(mailbox.take(Source::Any, any_tag()).is_none());
    }

    #[test]
    fn a_message_goes_to_the_receive_posted_first() {
        let buffer = RecvBuffer { datatype: Datatype::U8, bytes: 8 };
        let mut mailbox = Mailbox::default();
        let mut names = slotmap::SlotMap::<OperationId, ()>::with_key();
        let [seven, eight, nine] = [(); 3].map(|()| names.insert(()));
        let posted = |operation, source| PostedReceive {
            step: 0,
            operation,
            source,
            tag: any_tag(),
            buffer,
            posted_at: 0,
        };
        mailbox.push_receive(posted(seven, Source::Rank(2)));
        mailbox.push_receive(posted(eight, Source::Any));
        mailbox.push_receive(posted(nine, Source::Any));
        assert_eq!(mailbox.take_receive(1, MessageTag::user(0)).map(|p| p.operation), Some(eight));
        mailbox.cancel_receive(nine);
        assert!(mailbox.take_receive(1, MessageTag::user(0)).is_none());
        assert_eq!(mailbox.take_receive(2, MessageTag::user(0)).map(|p| p.operation), Some(seven));
    }

    #[test]
    fn an_empty_message_fits_any_type_and_a_full_one_only_its_own() {
        let buffer = RecvBuffer { datatype: Datatype::F64, bytes: 16 };
        assert!(message(0, 0, b"").fit_into(buffer, 0).is_ok());
        let long = Box::new(Message { datatype: Datatype::F64, ..*message(0, 0, &[0; 17]) });
        assert!(matches!(long.fit_into(buffer, 0), Err(Error::Truncated { sent: 17, capacity: 16, .. })));
        let whole = Box::new(Message { datatype: Datatype::F64, ..*message(0, 0, &[0; 16]) });
        assert!(whole.fit_into(buffer, 0).is_ok());
        let error = message(4, 1, b"x").fit_into(buffer, 7).expect_err("u8 is not f64");
        let text = error.to_string();
        let what =
            "message from rank 4, tag 1, has elements of type u8, the receive expects f64; sent by send at ";
        assert!(text.starts_with(what) && text.contains("mailbox.rs:"), "{text}");
    }
}
