//! Collectives that some members of a communicator or window have not called, with the callers and the others.
//!
//! A collective need not block any rank. A broadcast lets its root continue, a gather lets the others continue. So a
//! job may end without an error though some ranks have never joined a collective. The `CollectiveMatcher` of each group
//! records it.
use wb_comm::{
    BlockedCall, CallLocation, Code, Finding, Rank, Text,
    diagnosis::{CollectiveMatcher, IncompleteCollective},
    text::collective,
};

use crate::fabric::{
    delivery::DeliveryModel,
    job_state::{
        JobState,
        rank_state::{WaitCondition, WaitState},
    },
};

/// A communicator or a window with its collectives.
struct CollectiveGroup<'s> {
    name: Text,
    members: &'s [Rank],
    collectives: &'s CollectiveMatcher,
}

impl CollectiveGroup<'_> {
    /// The first collective that some member has not called, in the job's numbering.
    fn first_incomplete(&self) -> Option<IncompleteCollective> {
        self.collectives.first_incomplete().map(|open| open.in_job_ranks(self.members))
    }

    /// The last collective that `rank` of the job has called, if others have not.
    fn last_incomplete_of(&self, rank: Rank) -> Option<IncompleteCollective> {
        let member = self.members.iter().position(|member| *member == rank)?;
        self.collectives.last_incomplete_of(member).map(|open| open.in_job_ranks(self.members))
    }
}

impl<P: DeliveryModel> JobState<P> {
    /// The incomplete collectives: call once all ranks have returned. Ranks that make one call on different communicators are one finding.
    pub(crate) fn incomplete_collectives(&self) -> impl Iterator<Item = Finding> {
        let communicators = (0..self.communicators.len()).map(|at| self.communicator(at));
        let mut found: Vec<(IncompleteCollective, Finding)> = vec![];
        for group in communicators.chain((0..self.windows.len()).map(|at| self.window(at))) {
            let Some(open) = group.first_incomplete() else { continue };
            let finding = open.to_finding(&group.name);
            match found.iter_mut().find(|(known, _)| known.is_split_from(&open)) {
                Some((_, known)) => merge_finding(known, finding),
                None => found.push((open, finding)),
            }
        }
        found.into_iter().map(|(_, finding)| finding)
    }

    /// The causes why no rank can continue; those in collectives also list the callers.
    pub(crate) fn add_collective_callers(&self, causes: Vec<Finding>) -> Vec<Finding> {
        let mut merged: Vec<Finding> = vec![];
        for mut cause in causes {
            match cause.code {
                Code::CollectiveIncomplete | Code::CollectiveOrder => self.add_callers(&mut cause),
                Code::PartnerEnded => cause = self.reclassify_ended_partner(cause),
                _ => {}
            }
            // Each rank that waits in it is a cause; they are merged.
            let same = |known: &&mut Finding| {
                known.code == Code::CollectiveIncomplete
                    && cause.code == known.code
                    && known.details.first() == cause.details.first()
            };
            match merged.iter_mut().find(same) {
                Some(known) => merge_finding(known, cause),
                None => merged.push(cause),
            }
        }
        merged
    }

    /// Adds the ranks that have called the collectives in which ranks of `cause` are blocked, and those that have not.
    fn add_callers(&self, cause: &mut Finding) {
        let mut texts: Vec<Text> = vec![];
        let ranks: Vec<_> = cause.locations.iter().map(|place| place.rank).collect();
        for rank in ranks {
            let Some(group) =
                self.ranks[rank].awaited_state().and_then(|wait_state| self.group_of(wait_state))
            else {
                continue;
            };
            let Some(open) = group.last_incomplete_of(rank) else { continue };
            let text = open.describe(&group.name);
            if !texts.contains(&text) {
                texts.push(text);
                add_locations(&mut cause.locations, open.locations());
            }
        }
        cause.details.splice(0..0, texts);
    }

    /// A rank waits for one that has ended. If the ended rank is the only one that called a collective, the collective
    /// was mistaken for a send, and the finding is the incomplete collective.
    fn reclassify_ended_partner(&self, cause: Finding) -> Finding {
        let rank = cause.rank;
        let Some(wait_state) = self.ranks[rank].awaited_state() else { return cause };
        let Some(group) = self.group_of(wait_state) else { return cause };
        let Some(open) = group.first_incomplete().filter(|open| open.missing.contains(&rank)) else {
            return cause;
        };
        let BlockedCall { waits_for, .. } = self.describe(rank, wait_state);
        let [call] = open.called[..] else { return cause };
        if !waits_for.contains(&call.rank) {
            return cause;
        }
        let found = open.to_finding(&group.name);
        let places = found.locations.into_iter().chain(cause.locations).collect();
        let details = found.details.into_iter().chain(cause.details).collect();
        Finding { locations: places, details, ..found }
    }

    fn group_of(&self, wait_state: &WaitState) -> Option<CollectiveGroup<'_>> {
        match &wait_state.condition {
            WaitCondition::Operations(ids) | WaitCondition::AnyOperation(ids) => {
                Some(self.communicator(self.first_incomplete(ids)?.communicator))
            }
            WaitCondition::Message { communicator, .. } | WaitCondition::Agreement { communicator, .. } => {
                Some(self.communicator(*communicator))
            }
            WaitCondition::Storage { .. } => None,
            WaitCondition::Window { window, .. } => Some(self.window(*window)),
        }
    }

    fn communicator(&self, at: usize) -> CollectiveGroup<'_> {
        let group = &self.communicators[at];
        let name = group.describe();
        let is_file = self.files.contains_key(&at);
        CollectiveGroup {
            name: if is_file { Text::verbatim(name) } else { collective::communicator(name) },
            members: &group.members,
            collectives: &group.collectives,
        }
    }

    fn window(&self, at: usize) -> CollectiveGroup<'_> {
        let shared = &self.windows[at];
        CollectiveGroup {
            name: Text::verbatim(&shared.name),
            members: &shared.members,
            collectives: &shared.collectives,
        }
    }
}

fn merge_finding(known: &mut Finding, cause: Finding) {
    add_locations(&mut known.locations, cause.locations);
    let new: Vec<_> = cause.details.into_iter().filter(|detail| !known.details.contains(detail)).collect();
    known.details.extend(new);
}

fn add_locations(places: &mut Vec<CallLocation>, more: Vec<CallLocation>) {
    let new: Vec<_> = more.into_iter().filter(|place| !places.contains(place)).collect();
    places.extend(new);
}
