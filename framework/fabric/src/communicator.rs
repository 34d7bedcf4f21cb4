//! A group of ranks with messages of its own.
use std::sync::Arc;

use wb_comm::{Channel, Leftover, Place, Rank, Roll};

use crate::{
    agreement::{Agreement, Proposal},
    mailbox::{Mailbox, Message},
};

/// What the hub keeps of a communicator; its index in the hub is its context.
#[derive(Debug)]
pub(crate) struct Communicator {
    /// For people: `"world"`, `"split 1 of world"`.
    pub(crate) name: String,
    /// The members' ranks in the job, by their rank here.
    pub(crate) members: Arc<[Rank]>,
    /// One per member.
    pub(crate) mailboxes: Vec<Mailbox>,
    /// The split or dup that is being agreed on.
    pub(crate) agreement: Agreement,
    /// Who has come to which collective.
    pub(crate) roll: Roll,
    /// How many splits were made of it.
    splits: usize,
    /// How many copies were made of it.
    dups: usize,
    /// Messages that went to a receive whose request was dropped: nobody has seen them.
    swallowed: Vec<Leftover>,
}

impl Communicator {
    /// A communicator without mail.
    pub(crate) fn new(name: String, members: Vec<Rank>) -> Self {
        let size = members.len();
        Self {
            name,
            members: members.into(),
            mailboxes: (0..size).map(|_| Mailbox::default()).collect(),
            agreement: Agreement::of(size),
            roll: Roll::of(size),
            splits: 0,
            dups: 0,
            swallowed: Vec::new(),
        }
    }

    /// What to call the communicators that the next split or dup of this one makes.
    pub(crate) fn child_name(&mut self, proposal: Proposal) -> String {
        let made = match proposal {
            Proposal::Split { .. } => &mut self.splits,
            _ => &mut self.dups,
        };
        *made += 1;
        format!("{} {made} of {}", proposal.verb(), self.name)
    }

    /// Remembers that `message` to member `to` was matched and then thrown away.
    pub(crate) fn swallow(&mut self, to: Rank, message: &Message) {
        self.swallowed.extend(self.leftover(to, message));
    }

    /// The users' messages that nobody has seen.
    pub(crate) fn leftovers(&self) -> impl Iterator<Item = Leftover> {
        let waiting = self.mailboxes.iter().enumerate().flat_map(move |(to, mailbox)| {
            mailbox.unexpected().filter_map(move |message| self.leftover(to, message))
        });
        waiting.chain(self.swallowed.iter().cloned())
    }

    fn leftover(&self, to: Rank, message: &Message) -> Option<Leftover> {
        (message.label.channel == Channel::User).then(|| Leftover {
            source: message.source,
            to,
            tag: message.label.tag,
            bytes: message.bytes.len(),
            communicator: self.name.clone(),
            sent: Some(Place::of(self.members[message.source], message.site)),
        })
    }
}
