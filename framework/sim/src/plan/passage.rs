//! Messages on their way, where ranks of a node share cards: at those, the order of time decides.
use wb_comm::Rank;

use crate::calendar::{Calendar, Entry, Turn};

/// A message that has met its receive's name and number, whatever the times are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) send: usize,
    pub(super) recv: usize,
    pub(super) sender: Rank,
    pub(super) receiver: Rank,
    pub(super) bytes: usize,
    pub(super) part: Part,
}

/// What of it is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it, and nobody waits for an answer.
    Eager,
    /// What asks for an answer: all of it, or its header.
    Asks {
        /// Is it all of it?
        whole: bool,
    },
    /// What was asked for.
    Payload,
}

impl Message {
    /// What goes over the network.
    pub(super) fn carried(&self) -> usize {
        match self.part {
            Part::Asks { whole: false } => 0,
            Part::Eager | Part::Asks { whole: true } | Part::Payload => self.bytes,
        }
    }
}

/// A message that comes to a card.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage {
    pub(super) at: u64,
    pub(super) card: Card,
    pub(super) message: Message,
}

/// Whose card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Card {
    /// That of the sender's node.
    Senders,
    /// That of the receiver's node.
    Receivers,
}

/// All passages that are to come, in the order in which the event executor has them too: by time, sender, and making.
#[derive(Debug)]
pub(super) struct Passages {
    calendar: Calendar,
    made: u64,
    /// By place; those in `free` are over.
    messages: Vec<(Card, Message)>,
    free: Vec<u32>,
}

impl Passages {
    pub(super) fn new() -> Self {
        Self { calendar: Calendar::new(), made: 0, messages: vec![], free: vec![] }
    }

    pub(super) fn push(&mut self, Passage { at, card, message }: Passage) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.messages.push((card, message));
            u32::try_from(self.messages.len() - 1).expect("fewer messages under way than 2^32")
        });
        self.messages[place as usize] = (card, message);
        self.made += 1;
        self.calendar.enter(Entry { at, turn: Turn::happens_to(message.sender), number: self.made, place });
    }

    /// The earliest, if it is before `time`.
    pub(super) fn pop_before(&mut self, time: u64) -> Option<Passage> {
        if self.calendar.peek()?.at >= time {
            return None;
        }
        let Entry { at, place, .. } = self.calendar.pop()?;
        self.free.push(place);
        let (card, message) = self.messages[place as usize];
        Some(Passage { at, card, message })
    }
}
