//! How the members of a communicator agree on what they make together, and those of a window on its fences: everybody
//! proposes, the last one decides for all.
//!
//! A member cannot propose again before it has taken its decision, so one slot per member is enough however far the
//! fast ones run ahead.
use std::fmt;

use wb_comm::{Error, Layout, Rank, Result, WindowKind};

/// What a member asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proposal {
    /// Join the others of this color, ordered by key.
    Split { color: Option<u32>, key: i32 },
    /// The same members again.
    Dup,
    /// A window with so many elements of this member.
    Window { kind: WindowKind, layout: Layout, count: usize },
    /// Of a window: the end of an epoch and the beginning of the next.
    Fence,
    /// Of a window: its end.
    Free,
}

impl Proposal {
    /// The call that makes it.
    pub(crate) fn verb(self) -> &'static str {
        match self {
            Self::Split { .. } => "split",
            Self::Dup => "dup",
            Self::Window { .. } => "window",
            Self::Fence => "fence",
            Self::Free => "free",
        }
    }

    /// What keeps the two from being parts of one call.
    fn differs_from(self, other: Self) -> bool {
        match (self, other) {
            (
                Self::Window { kind, layout, .. },
                Self::Window { kind: other_kind, layout: other_layout, .. },
            ) => (kind, layout) != (other_kind, other_layout),
            _ => self.verb() != other.verb(),
        }
    }
}

impl fmt::Display for Proposal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Window { kind, layout, .. } => write!(f, "window ({kind:?} of {layout})"),
            other => f.write_str(other.verb()),
        }
    }
}

/// A new communicator or window as one member sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Membership {
    /// Its index in the hub.
    pub(crate) made: usize,
    /// The member's rank there.
    pub(crate) rank: Rank,
}

/// What a member gets; `None` when it joins nobody.
pub(crate) type Decision = Result<Option<Membership>>;

/// See the module.
#[derive(Debug)]
pub(crate) struct Agreement {
    proposals: Vec<Option<Proposal>>,
    decisions: Vec<Option<Decision>>,
}

impl Agreement {
    /// Among `size` members.
    pub(crate) fn of(size: usize) -> Self {
        Self { proposals: vec![None; size], decisions: vec![None; size] }
    }

    /// Hands in one member's proposal; gives all of them once all are there.
    pub(crate) fn propose(&mut self, rank: Rank, proposal: Proposal) -> Option<Vec<Proposal>> {
        assert!(self.proposals[rank].replace(proposal).is_none(), "rank {rank} proposes twice");
        let all: Vec<_> = self.proposals.iter().copied().collect::<Option<_>>()?;
        self.proposals.fill(None);
        Some(all)
    }

    /// The members that have not proposed.
    pub(crate) fn missing(&self) -> impl Iterator<Item = Rank> {
        self.proposals.iter().enumerate().filter(|(_, proposal)| proposal.is_none()).map(|(rank, _)| rank)
    }

    /// Lays out what every member gets.
    pub(crate) fn decide(&mut self, decisions: Vec<Decision>) {
        self.decisions = decisions.into_iter().map(Some).collect();
    }

    /// Is there a decision to take?
    pub(crate) fn decided(&self, rank: Rank) -> bool {
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
/// [`Error::Setup`] when they ask for different things, e.g. some for a split and others for a dup.
pub(crate) fn groups(proposals: &[Proposal]) -> Result<Vec<Vec<Rank>>> {
    let first = proposals[0];
    if let Some(other) = proposals.iter().position(|proposal| proposal.differs_from(first)) {
        let on = if matches!(first, Proposal::Fence | Proposal::Free) { "window" } else { "communicator" };
        return Err(Error::Setup(format!(
            "ranks call different collectives on one {on}: rank 0 {first}, rank {other} {}",
            proposals[other]
        )));
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
        assert_eq!(groups(&asked), Ok(vec![vec![2], vec![3, 0, 4]]));
        assert_eq!(groups(&[split(None, 0)]), Ok(vec![]));
        assert_eq!(groups(&[Proposal::Dup, Proposal::Dup]), Ok(vec![vec![0, 1]]));
    }

    #[test]
    fn a_split_does_not_meet_a_dup() {
        let error = groups(&[split(None, 0), Proposal::Dup]).expect_err("they differ");
        assert_eq!(
            error.to_string(),
            "ranks call different collectives on one communicator: rank 0 split, rank 1 dup"
        );
    }

    #[test]
    fn windows_are_made_of_one_kind_and_type() {
        let window = |layout, count| Proposal::Window { kind: WindowKind::Create, layout, count };
        assert_eq!(groups(&[window(Layout::I64, 1), window(Layout::I64, 2)]), Ok(vec![vec![0, 1]]));
        let error = groups(&[window(Layout::I64, 1), window(Layout::F64, 1)]).expect_err("they differ");
        assert_eq!(
            error.to_string(),
            "ranks call different collectives on one communicator: rank 0 window (Create of i64), \
             rank 1 window (Create of f64)"
        );
        let error = groups(&[Proposal::Fence, Proposal::Free]).expect_err("they differ");
        assert!(error.to_string().contains("on one window: rank 0 fence, rank 1 free"), "{error}");
    }

    #[test]
    fn the_last_proposal_gives_all() {
        let mut agreement = Agreement::of(2);
        assert_eq!(agreement.propose(1, Proposal::Dup), None);
        assert_eq!(agreement.propose(0, Proposal::Dup), Some(vec![Proposal::Dup; 2]));
        assert!(!agreement.decided(0));
        agreement.decide(vec![Ok(None), Ok(None)]);
        assert_eq!(agreement.take(0), Some(Ok(None)));
        assert!(agreement.decided(1) && !agreement.decided(0));
    }
}
