//! Completion of several requests in one call.
use std::rc::Rc;

use wb_comm::{CallSite, MultipleCompletion, Pending, Rank, Result};

use crate::fabric::{
    delivery::DeliveryModel,
    endpoint::{
        rank_context::RankContext,
        request::{Request, RequestState},
    },
    job_state::{
        JobState,
        rank_state::{OperationIds, WaitCondition, WaitState},
    },
    matching::message::OperationId,
    observed_state::ObservedState,
    runtime::Runtime,
};

/// Completes requests of this rank; see [`Transport::complete`](wb_comm::Transport::complete).
pub(super) fn complete<H: Runtime>(
    context: &Rc<RankContext<H>>,
    requests: &mut [&mut dyn Pending],
    mode: MultipleCompletion,
    site: CallSite,
) -> Result<Vec<usize>> {
    let mut requests: Vec<&mut Request<H>> = requests.iter_mut().map(|request| own(&mut **request)).collect();
    let posted: Vec<(usize, OperationId)> =
        requests.iter().enumerate().filter_map(|(at, request)| Some((at, request.posted()?))).collect();
    let mut ready: Vec<usize> = (0..requests.len()).filter(|at| requests[*at].posted().is_none()).collect();
    if posted.is_empty() || mode.is_for_one() && !ready.is_empty() {
        ready.truncate(if mode.is_for_one() { 1 } else { ready.len() });
        return Ok(ready);
    }
    let wants_posted = mode.is_for_all() || ready.is_empty();
    let mut state = match mode.waits() && wants_posted {
        true => {
            let wait_state = WaitState { site, condition: condition(&posted, mode) };
            context.runtime.block(context.enter_call(site)?, context.rank, wait_state)?
        }
        false => {
            context.runtime.before_poll(context.rank, ObservedState::Mailbox);
            context.enter_call(site)?
        }
    };
    let done: Vec<(usize, OperationId)> =
        posted.iter().copied().filter(|(_, id)| state.operations[*id].is_done()).collect();
    if mode == MultipleCompletion::TestAll && done.len() < posted.len() || done.is_empty() && ready.is_empty()
    {
        context.poll_failed(state, condition(&posted, mode), site);
        return Ok(vec![]);
    }
    let taken = match mode.is_for_all() {
        true => done,
        false => choose(&mut state, (context.rank, site), &done, mode),
    };
    let ids: OperationIds = taken.iter().map(|(_, id)| Some(*id)).collect();
    let results = context.take_completed(&mut state, &ids);
    drop(state);
    for ((at, _), result) in taken.iter().zip(results) {
        // The wait of a failed request returns its error.
        let _outcome = requests[*at].finish(result);
    }
    ready.extend(taken.iter().map(|(at, _)| *at));
    ready.sort_unstable();
    Ok(ready)
}

/// The request of this backend.
fn own<H: Runtime>(request: &mut dyn Pending) -> &mut Request<H> {
    request.undecorated().downcast_mut().expect("all requests are of this backend")
}

impl<H: Runtime> Request<H> {
    fn posted(&self) -> Option<OperationId> {
        if let RequestState::Posted(id) = self.state { Some(id) } else { None }
    }
}

/// All of the operations are complete, or one of them.
fn condition(posted: &[(usize, OperationId)], mode: MultipleCompletion) -> WaitCondition {
    let ids = posted.iter().map(|(_, id)| Some(*id)).collect();
    if mode.is_for_all() { WaitCondition::Operations(ids) } else { WaitCondition::AnyOperation(ids) }
}

/// The completed operations that a call for one or for some returns.
fn choose<P: DeliveryModel>(
    state: &mut JobState<P>,
    (rank, site): (Rank, CallSite),
    done: &[(usize, OperationId)],
    mode: MultipleCompletion,
) -> Vec<(usize, OperationId)> {
    if done.is_empty() {
        return vec![];
    }
    let started: Vec<CallSite> = done.iter().map(|(_, id)| state.operations[*id].site).collect();
    done[state.delivery.choose_completions(rank, site, &started, mode.is_for_one())].to_vec()
}
