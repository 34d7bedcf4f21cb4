//! Communicators that only their members make (`MPI_Comm_create_group`).
//!
//! The first member that calls makes the communicator, the others find it by its members and its tag. Then all wait for each other on it:
//! so the members that are missing are known, and no other rank is needed.
use wb_comm::{CallSite, Rank};

use crate::fabric::{communicator::CommunicatorState, delivery::DeliveryModel, job_state::JobState};

/// A communicator that some of its members have begun to make.
#[derive(Debug)]
pub(crate) struct GroupCreation {
    parent: usize,
    /// The members' ranks in the parent.
    members: Vec<Rank>,
    tag: i32,
    /// The index of the new communicator in the state.
    pub(crate) index: usize,
}

impl<P: DeliveryModel> JobState<P> {
    /// The index of the communicator of these members of `parent`.
    pub(crate) fn group_communicator(
        &mut self,
        parent: usize,
        members: &[Rank],
        tag: i32,
        site: CallSite,
    ) -> usize {
        let is_this =
            |known: &&GroupCreation| (known.parent, known.tag) == (parent, tag) && known.members == members;
        if let Some(known) = self.group_creations.iter().find(is_this) {
            return known.index;
        }
        let CommunicatorState { name, members: parents, .. } = &self.communicators[parent];
        let in_job = members.iter().map(|member| parents[*member]).collect();
        let made = CommunicatorState::new(format!("group {members:?} of {name}"), Some(site), in_job);
        let index = self.add_communicator(made);
        self.group_creations.push(GroupCreation { parent, members: members.to_vec(), tag, index });
        index
    }
}
