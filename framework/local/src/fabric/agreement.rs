//! How the members of a communicator agree on a new communicator or window, and those of a window on its fences.
//!
//! Every member proposes; the last proposal decides for all. A member cannot propose again before it has taken its
//! decision. So one slot per member is enough, even if some members run ahead.
use wb_comm::{Datatype, Error, Rank, Result, WindowKind, text};

/// The proposal of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proposal {
    /// Join the others of this color, ordered by key.
    Split { color: Option<u32>, key: i32 },
    /// A communicator of the same members.
    Dup,
    /// The creation of a communicator that only its members make.
    Join,
    /// A window with this number of elements for this member.
    Window { kind: WindowKind, datatype: Datatype, count: usize },
    /// A file that all members open.
    FileOpen,
    /// A collective transfer of a file.
    FileTransfer,
    /// The new size of a file in bytes.
    FileSize { bytes: u64 },
    /// Another view of a file, or its synchronisation.
    FileCall,
    /// The end of a file.
    FileClose,
    /// A fence of a window.
    Fence,
    /// The end of a window.
    Free,
}

impl Proposal {
    /// The call that makes this proposal.
    pub(crate) fn verb(self) -> &'static str {
        match self {
            Self::Split { .. } => "split",
            Self::Dup => "dup",
            Self::Join => "comm_create_group",
            Self::Window { .. } => "window",
            Self::FileOpen => "file",
            Self::FileTransfer | Self::FileSize { .. } | Self::FileCall | Self::FileClose => "file call",
            Self::Fence => "fence",
            Self::Free => "free",
        }
    }

    /// Whether what a member did before is known to all members afterwards. MPI's file calls need not synchronise their callers.
    pub(crate) fn orders_members(self) -> bool {
        !matches!(self, Self::FileTransfer | Self::FileSize { .. } | Self::FileCall)
    }

    /// The proposed kind of window.
    fn kind(self) -> Option<WindowKind> {
        if let Self::Window { kind, .. } = self { Some(kind) } else { None }
    }
}

/// A new communicator or window as one member sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NewMembership {
    /// Index in the state.
    pub(crate) index: usize,
    /// The member's rank in it.
    pub(crate) rank: Rank,
}

/// The result of a member; `None` if it joins no group.
pub(crate) type Decision = Result<Option<NewMembership>>;

/// The proposals and decisions of the members of one group.
#[derive(Debug)]
pub(crate) struct Agreement {
    proposals: Vec<Option<Proposal>>,
    /// The number of members that have proposed.
    proposal_count: usize,
    decisions: Vec<Option<Decision>>,
}

impl Agreement {
    /// Among `size` members.
    pub(crate) fn new(size: usize) -> Self {
        Self { proposals: vec![None; size], proposal_count: 0, decisions: vec![None; size] }
    }

    /// Adds one member's proposal; returns all of them once every member has proposed.
    pub(crate) fn propose(&mut self, rank: Rank, proposal: Proposal) -> Option<Vec<Proposal>> {
        assert!(self.proposals[rank].replace(proposal).is_none(), "rank {rank} proposes twice");
        self.proposal_count += 1;
        if self.proposal_count < self.proposals.len() {
            return None;
        }
        self.proposal_count = 0;
        self.proposals.iter_mut().map(Option::take).collect()
    }

    /// The members that have not proposed.
    pub(crate) fn missing(&self) -> impl Iterator<Item = Rank> {
        self.proposals.iter().enumerate().filter(|(_, proposal)| proposal.is_none()).map(|(rank, _)| rank)
    }

    /// Stores every member's decision.
    pub(crate) fn decide(&mut self, decisions: Vec<Decision>) {
        self.decisions = decisions.into_iter().map(Some).collect();
    }

    /// Whether there is a decision to take.
    pub(crate) fn has_decision(&self, rank: Rank) -> bool {
        self.decisions[rank].is_some()
    }

    /// Takes one member's decision.
    pub(crate) fn take(&mut self, rank: Rank) -> Option<Decision> {
        self.decisions[rank].take()
    }
}

/// The members of each new communicator in their new order, as ranks of the old one, by ascending color.
///
/// # Errors
/// [`Error::Setup`] if the members propose windows of different kinds. Their `CollectiveMatcher` has already checked
/// that all make the same call with the same type.
pub(crate) fn split_groups(proposals: &[Proposal]) -> Result<Vec<Vec<Rank>>> {
    let first = proposals[0].kind();
    if let Some(other) = proposals.iter().position(|proposal| proposal.kind() != first) {
        let name_of = |kind: Option<WindowKind>| kind.map_or_else(String::new, |kind| format!("{kind:?}"));
        let (mine, theirs) = (name_of(first), name_of(proposals[other].kind()));
        return Err(Error::Setup(text::window::kinds_differ(mine, other, theirs)));
    }
    let place = |(rank, proposal): (Rank, &Proposal)| match *proposal {
        Proposal::Split { color, key } => color.map(|color| (color, key, rank)),
        _ => Some((0, 0, rank)),
    };
    let mut places: Vec<_> = proposals.iter().enumerate().filter_map(place).collect();
    places.sort_unstable();
    Ok(places.chunk_by(|a, b| a.0 == b.0).map(|group| group.iter().map(|p| p.2).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(color: Option<u32>, key: i32) -> Proposal {
        Proposal::Split { color, key }
    }

    #[test]
    fn colors_part_and_keys_order() {
        let asked =
            [split(Some(7), 2), split(None, 0), split(Some(3), 0), split(Some(7), -1), split(Some(7), 2)];
        assert_eq!(split_groups(&asked), Ok(vec![vec![2], vec![3, 0, 4]]));
        assert_eq!(split_groups(&[split(None, 0)]), Ok(vec![]));
        assert_eq!(split_groups(&[Proposal::Dup, Proposal::Dup]), Ok(vec![vec![0, 1]]));
    }

    #[test]
    fn windows_are_made_of_one_kind() {
        let window = |kind, count| Proposal::Window { kind, datatype: Datatype::I64, count };
        let (create, shared) = (WindowKind::Create, WindowKind::Shared);
        assert_eq!(split_groups(&[window(create, 1), window(create, 2)]), Ok(vec![vec![0, 1]]));
        let error =
            split_groups(&[window(create, 1), window(shared, 1)]).expect_err("they differ").to_string();
        assert_eq!(error, "ranks make different windows: rank 0 Create, rank 1 Shared");
    }

    #[test]
    fn the_last_proposal_gives_all() {
        let mut agreement = Agreement::new(2);
        assert_eq!(agreement.propose(1, Proposal::Dup), None);
        assert_eq!(agreement.propose(0, Proposal::Dup), Some(vec![Proposal::Dup; 2]));
        assert!(!agreement.has_decision(0));
        agreement.decide(vec![Ok(None), Ok(None)]);
        assert_eq!(agreement.take(0), Some(Ok(None)));
        assert!(agreement.has_decision(1) && !agreement.has_decision(0));
    }
}
