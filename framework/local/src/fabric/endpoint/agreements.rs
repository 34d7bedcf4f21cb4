//! Collective decisions of the ranks of a communicator: new communicators and windows.
use std::rc::Rc;

use wb_comm::{CollectiveCall, Result, Transport};

use crate::fabric::{
    agreement::{NewMembership, Proposal},
    endpoint::Endpoint,
    job_state::rank_state::{WaitCondition, WaitState},
    runtime::Runtime,
};

impl<H: Runtime> Endpoint<H> {
    pub(super) fn agree_on(&self, proposal: Proposal, call: CollectiveCall) -> Result<Option<NewMembership>> {
        let (communicator, rank, site) = (self.communicator, self.rank, call.site);
        let mut state = self.enter_call(site)?;
        let opening = call.file.clone();
        state.enter_collective(communicator, rank, call)?;
        state.communicators[communicator].opening = opening;
        state.propose(communicator, rank, proposal, site);
        let wait_state = WaitState { site, condition: WaitCondition::Agreement { communicator, rank } };
        let mut state = self.runtime().block(state, self.context.rank, wait_state)?;
        state.communicators[communicator].agreement.take(rank).expect("waited for the decision")
    }

    pub(super) fn child_endpoint(&self, membership: NewMembership) -> Rc<dyn Transport> {
        let NewMembership { index: communicator, rank } = membership;
        let size = self.runtime().lock_state().communicators[communicator].members.len();
        Rc::new(Self { context: Rc::clone(&self.context), communicator, rank, size })
    }
}
