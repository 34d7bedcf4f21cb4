//! What can be called, as it is written down: everything that another rank may have to do with, and no payload.
use serde::{Deserialize, Serialize};
use wb_comm::{
    Block, Channel, Contribution, Label, Layout, Lengths, Match, Op, Rank, Site, Source, collectives,
};

/// A send or a receive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in super::super) struct Operation {
    /// Else it receives.
    pub(in super::super) sends: bool,
    /// The other side; none is any.
    pub(in super::super) peer: Option<Rank>,
    /// Does it belong to an algorithm of ours?
    internal: bool,
    /// None is any.
    tag: Option<i32>,
    layout: u8,
    /// Elements, or the room for them.
    count: usize,
    pub(in super::super) synchronous: bool,
    /// Whose message a receive got, and under which tag.
    pub(super) came: Option<(Rank, i32)>,
}

impl Operation {
    pub(in super::super) fn send(
        to: Rank,
        label: Label,
        (layout, count): (Layout, usize),
        synchronous: bool,
    ) -> Self {
        let received = Self::receive(Source::Rank(to), label.into(), (layout, count));
        Self { sends: true, synchronous, ..received }
    }

    pub(in super::super) fn receive(from: Source, label: Match, (layout, count): (Layout, usize)) -> Self {
        let peer = match from {
            Source::Rank(rank) => Some(rank),
            Source::Any => None,
        };
        let Match { channel, tag } = label;
        let internal = channel == Channel::Internal;
        let layout = layout as u8;
        Self { sends: false, peer, internal, tag, layout, count, synchronous: false, came: None }
    }

    pub(super) fn of(op: &Op<'_>) -> Self {
        match op {
            Op::Send { to, label, data, synchronous } => {
                Self::send(*to, *label, (data.layout(), data.count()), *synchronous)
            }
            Op::Recv { from, label, data, .. } => Self::receive(*from, *label, (data.layout(), data.count())),
        }
    }

    /// The same, knowing whose message it got and under which tag.
    pub(in super::super) fn that_got(self, came: Option<(Rank, i32)>) -> Self {
        Self { came, ..self }
    }

    /// Does it take what comes, from anybody or under any tag?
    pub(in super::super) fn is_wildcard(&self) -> bool {
        !self.sends && (self.peer.is_none() || self.tag.is_none())
    }

    /// The type and the number of its elements.
    pub(in super::super) fn elements(&self) -> (Layout, usize) {
        (layout(self.layout), self.count)
    }

    /// Its payload, or the room for it.
    pub(in super::super) fn bytes(&self) -> usize {
        layout(self.layout).size() * self.count
    }

    /// From whom a receive takes; from whom it took, once that is known.
    pub(in super::super) fn source(&self) -> Source {
        self.came.map(|(rank, _)| rank).or(self.peer).map_or(Source::Any, Source::Rank)
    }

    /// What a receive accepts; what it took, once that is known.
    pub(in super::super) fn accepts(&self) -> Match {
        Match { channel: self.channel(), tag: self.came.map(|(_, tag)| tag).or(self.tag) }
    }

    /// The name of what it sends.
    pub(in super::super) fn label(&self) -> Label {
        Label { channel: self.channel(), tag: self.tag.unwrap_or_default() }
    }

    fn channel(&self) -> Channel {
        if self.internal { Channel::Internal } else { Channel::User }
    }

    /// The operation on elements that it owns nothing of.
    pub(in super::super) fn on<'a>(&self, block: &'a mut Block) -> Op<'a> {
        match (self.sends, self.peer) {
            (true, Some(to)) => {
                let (data, synchronous) = (block.view(), self.synchronous);
                Op::Send { to, label: self.label(), data, synchronous }
            }
            _ => {
                let data = block.view_mut();
                Op::Recv { from: self.source(), label: self.accepts(), data, status: None }
            }
        }
    }
}

/// A communicator or a window that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Made {
    /// Its number, in the order of this rank's making.
    pub(in super::super) number: usize,
    /// This rank's in it.
    pub(in super::super) rank: Rank,
}

/// What a call does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in super::super) enum Act {
    /// Operations that are complete together.
    Round(Vec<Operation>),
    /// An operation that goes on.
    Start {
        /// The request's number.
        request: usize,
        operation: Operation,
    },
    /// The end of one.
    Wait { request: usize, came: Option<(Rank, i32)> },
    /// A request that is dropped.
    Drop { request: usize },
    /// A look for a message, until there is one.
    Probe(Operation),
    /// A collective.
    Collective(Brings),
    /// A part of the communicator.
    Split { color: Option<u32>, key: i32, made: Option<Made> },
    /// Another communicator of the same ranks.
    Dup { made: Option<Made> },
    /// A window.
    Window { kind: u8, layout: u8, count: usize, made: Option<Made> },
    /// A call of a window.
    OnWindow(OnWindow),
}

impl Act {
    /// The receive at `at` of this call, or the one that it waits for, has got this.
    pub(super) fn heard(&mut self, at: usize, whom: (Rank, i32)) {
        match self {
            Self::Round(operations) => operations[at].came = Some(whom),
            Self::Wait { came, .. } => *came = Some(whom),
            _ => {}
        }
    }

    /// A communicator or window has come of it.
    pub(super) fn has_made(&mut self, what: Made) {
        if let Self::Split { made, .. } | Self::Dup { made } | Self::Window { made, .. } = self {
            *made = Some(what);
        }
    }
}

/// A call of a window that others may have to wait for, or that may wait for others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in super::super) enum OnWindow {
    Fence,
    Post(Vec<Rank>),
    Start(Vec<Rank>),
    Complete,
    Wait,
    Lock {
        exclusive: bool,
        target: Rank,
    },
    Unlock(Rank),
    LockAll,
    UnlockAll,
    Free,
    /// It is dropped.
    Dropped,
}

/// What a rank brings to a collective, as [`Contribution`] has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in super::super) struct Brings {
    root: Option<Rank>,
    layout: Option<u8>,
    lengths: Amounts,
    operation: Option<u8>,
}

/// As [`Lengths`] has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Amounts {
    None,
    Equal(usize),
    Own(usize),
    Table(Vec<usize>),
    Exchange(Vec<usize>, Vec<usize>),
}

impl Brings {
    pub(in super::super) fn of(contribution: &Contribution) -> Self {
        let Contribution { root, layout, lengths, operation, .. } = contribution.clone();
        let lengths = match lengths {
            Lengths::None => Amounts::None,
            Lengths::Equal(count) => Amounts::Equal(count),
            Lengths::Own(count) => Amounts::Own(count),
            Lengths::Table(table) => Amounts::Table(table),
            Lengths::Exchange(sends, receives) => Amounts::Exchange(sends, receives),
        };
        let layout = layout.map(|layout| layout as u8);
        Self { root, layout, lengths, operation: operation.map(|operation| operation as u8) }
    }

    /// As the call at `site` brings it.
    pub(in super::super) fn at(&self, site: Site) -> Contribution {
        let lengths = match self.lengths.clone() {
            Amounts::None => Lengths::None,
            Amounts::Equal(count) => Lengths::Equal(count),
            Amounts::Own(count) => Lengths::Own(count),
            Amounts::Table(table) => Lengths::Table(table),
            Amounts::Exchange(sends, receives) => Lengths::Exchange(sends, receives),
        };
        let (layout, operation) = (self.layout.map(layout), self.operation.map(operation));
        Contribution { site, root: self.root, layout, lengths, operation }
    }
}

/// The element type of this number.
pub(in super::super) fn layout(number: u8) -> Layout {
    Layout::ALL[usize::from(number)]
}

fn operation(number: u8) -> collectives::Operation {
    collectives::Operation::ALL[usize::from(number)]
}
