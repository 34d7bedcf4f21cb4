//! A communicator: a group of ranks with its own mailboxes.
use std::sync::Arc;

use wb_comm::{
    CallLocation, CallSite, Context, FileArgs, Rank, UnreceivedMessage, diagnosis::CollectiveMatcher,
};

use crate::fabric::{
    agreement::{Agreement, Proposal},
    matching::{mailbox::Mailbox, message::Message},
};

/// A communicator in the state; its index in the state is its context.
#[derive(Debug)]
pub(crate) struct CommunicatorState {
    /// The displayed name: `"world"`, `"split 1 of world"`.
    pub(crate) name: String,
    /// The call that made it; `None` for the world.
    created_at: Option<CallSite>,
    /// The members' ranks in the job, by their rank here.
    pub(crate) members: Arc<[Rank]>,
    /// One per member.
    pub(crate) mailboxes: Vec<Mailbox>,
    /// The split or dup that is being agreed on.
    pub(crate) agreement: Agreement,
    /// The members that have entered each collective.
    pub(crate) collectives: CollectiveMatcher,
    /// The number of nonblocking collectives that each member has started.
    started_collectives: Vec<u32>,
    /// The file that its members are opening.
    pub(crate) opening: Option<FileArgs>,
    /// The number of splits made of it.
    splits: usize,
    /// The number of copies made of it.
    dups: usize,
    /// The number of windows made on it.
    windows: usize,
    /// The messages that no receive has taken, also those in flight.
    pub(crate) open_messages: usize,
    /// The members that have not dropped it.
    pub(crate) users: usize,
}

impl CommunicatorState {
    /// A communicator without messages.
    pub(crate) fn new(name: String, made: Option<CallSite>, members: Vec<Rank>) -> Self {
        let size = members.len();
        Self {
            name,
            created_at: made,
            members: members.into(),
            mailboxes: (0..size).map(|_| Mailbox::default()).collect(),
            agreement: Agreement::new(size),
            collectives: CollectiveMatcher::new(size),
            started_collectives: vec![0; size],
            opening: None,
            splits: 0,
            dups: 0,
            windows: 0,
            open_messages: 0,
            users: size,
        }
    }

    /// The name of the communicator, and the call that made it: `"dup 1 of world (dup at src/a.rs:7)"`.
    pub(crate) fn describe(&self) -> String {
        match self.created_at {
            Some(made) => format!("{} ({made})", self.name),
            None => self.name.clone(),
        }
    }

    /// The number of the nonblocking collective that a member starts now, the same on all members.
    pub(crate) fn next_collective(&mut self, member: Rank) -> u32 {
        let number = self.started_collectives[member];
        self.started_collectives[member] = number.wrapping_add(1);
        number
    }

    /// The name of the communicator or window that the next split, dup or window call makes.
    pub(crate) fn child_name(&mut self, proposal: Proposal) -> String {
        let made = match proposal {
            Proposal::Split { .. } => &mut self.splits,
            Proposal::Window { .. } => &mut self.windows,
            _ => &mut self.dups,
        };
        *made += 1;
        format!("{} {made} of {}", proposal.verb(), self.name)
    }

    /// The user messages that no receive has taken.
    pub(crate) fn leftovers(&self) -> impl Iterator<Item = UnreceivedMessage> {
        self.mailboxes.iter().enumerate().flat_map(move |(to, mailbox)| {
            mailbox.unexpected().filter_map(move |message| self.leftover(to, message))
        })
    }

    fn leftover(&self, to: Rank, message: &Message) -> Option<UnreceivedMessage> {
        (message.tag.context == Context::User).then(|| UnreceivedMessage {
            source: message.source,
            dest: to,
            tag: message.tag.tag,
            bytes: message.bytes.len(),
            communicator: self.name.clone(),
            sent_at: Some(CallLocation::new(self.members[message.source], message.site)),
        })
    }
}
