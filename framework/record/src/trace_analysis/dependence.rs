//! Which ranks a call of a collective operation needs: it cannot return before these have entered.
use crate::{
    CollectiveShape,
    trace_analysis::{CollectiveMatch, CollectiveMember, EventRef, Timeline, matching::communicator},
};

impl CollectiveMatch {
    /// The other members that the call at `caller` needs.
    pub fn needed_by<'a>(
        &'a self,
        timeline: &'a Timeline<'a>,
        caller: EventRef,
    ) -> impl Iterator<Item = &'a CollectiveMember> {
        let communicator = communicator(timeline, caller);
        let own = communicator.rank;
        let is_needed = move |other: u32| match self.shape {
            CollectiveShape::All => true,
            CollectiveShape::From(root) => other == root,
            CollectiveShape::To(root) => own == root,
            CollectiveShape::Prefix => other < own,
            CollectiveShape::Neighbours => communicator.sources.contains(&other),
        };
        self.members.iter().filter(move |member| member.rank != own && is_needed(member.rank))
    }
}
