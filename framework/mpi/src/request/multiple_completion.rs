//! The library's calls that complete several requests.
use std::ffi::c_int;

use mpi::ffi::{
    MPI_Request, MPI_Status, MPI_Testall, MPI_Testany, MPI_Testsome, MPI_Waitall, MPI_Waitany, MPI_Waitsome,
};
use wb_comm::{CallSite, MultipleCompletion, Pending, Result};

use super::MpiRequest;
use crate::{
    blocked_call::{self, CallGuard, WaitTarget},
    check::{self, check},
    handles,
    message_args::empty_status,
};

/// Completes requests of this rank; see [`Transport::complete`](wb_comm::Transport::complete).
pub(crate) fn complete(
    requests: &mut [&mut dyn Pending],
    mode: MultipleCompletion,
    site: CallSite,
) -> Result<Vec<usize>> {
    let mut requests: Vec<&mut MpiRequest> = requests
        .iter_mut()
        .map(|request| request.undecorated().downcast_mut().expect("all requests are of this library"))
        .collect();
    let mut ready: Vec<usize> = (0..requests.len()).filter(|at| requests[*at].outcome.is_some()).collect();
    let posted: Vec<usize> = (0..requests.len()).filter(|at| requests[*at].outcome.is_none()).collect();
    if posted.is_empty() || mode.is_for_one() && !ready.is_empty() {
        ready.truncate(if mode.is_for_one() { 1 } else { ready.len() });
        return Ok(ready);
    }
    let mode = if mode == MultipleCompletion::WaitSome && !ready.is_empty() {
        MultipleCompletion::TestSome
    } else {
        mode
    };
    let mut call = CompletionCall::new(posted.iter().map(|at| requests[*at].request).collect())?;
    let (name, code) = {
        let _inside = mode.waits().then(|| enter(&requests, &posted, site));
        call.run(mode)
    };
    // Handles are null once the library has completed their operations.
    for (at, handle) in posted.iter().zip(&call.handles) {
        requests[*at].request = *handle;
    }
    if code != handles::SUCCESS && !call.is_error_in_status(code, mode) {
        check(name, code)?;
    }
    for (index, status, code) in call.completed(code) {
        let request = &mut requests[posted[index]];
        // The wait of a failed request returns its error.
        let _outcome = request.record_outcome(name, code, &status);
        ready.push(posted[index]);
    }
    ready.sort_unstable();
    Ok(ready)
}

/// The rank waits for the first of the requests, or for any of several.
fn enter(requests: &[&mut MpiRequest], posted: &[usize], site: CallSite) -> CallGuard {
    let first = &requests[posted[0]];
    let target = if site.verb.needs_one() && posted.len() > 1 { WaitTarget::ANY } else { first.wait_target };
    blocked_call::enter_wait(site, target, first.site)
}

/// The arguments and the results of a call.
struct CompletionCall {
    handles: Vec<MPI_Request>,
    count: c_int,
    statuses: Vec<MPI_Status>,
    /// The requests that the call has completed, by their indices.
    indices: Vec<c_int>,
    /// The number of indices that the library has written.
    completed: c_int,
}

impl CompletionCall {
    fn new(handles: Vec<MPI_Request>) -> Result<Self> {
        let count = check::to_count(handles.len())?;
        let (statuses, indices) = (vec![empty_status(); handles.len()], vec![0; handles.len()]);
        Ok(Self { handles, count, statuses, indices, completed: 0 })
    }

    /// Makes the call; its name and its code.
    fn run(&mut self, mode: MultipleCompletion) -> (&'static str, c_int) {
        let (count, requests) = (self.count, self.handles.as_mut_ptr());
        let (statuses, indices) = (self.statuses.as_mut_ptr(), self.indices.as_mut_ptr());
        let (completed, mut flag) = (&mut self.completed, 1);
        // SAFETY: `count` active requests of ours, and room for as many statuses and indices.
        let made = unsafe {
            match mode {
                MultipleCompletion::WaitAll => ("MPI_Waitall", MPI_Waitall(count, requests, statuses)),
                MultipleCompletion::WaitAny => {
                    ("MPI_Waitany", MPI_Waitany(count, requests, indices, statuses))
                }
                MultipleCompletion::WaitSome => {
                    ("MPI_Waitsome", MPI_Waitsome(count, requests, completed, indices, statuses))
                }
                MultipleCompletion::TestAll => {
                    ("MPI_Testall", MPI_Testall(count, requests, &mut flag, statuses))
                }
                MultipleCompletion::TestAny => {
                    ("MPI_Testany", MPI_Testany(count, requests, indices, &mut flag, statuses))
                }
                MultipleCompletion::TestSome => {
                    ("MPI_Testsome", MPI_Testsome(count, requests, completed, indices, statuses))
                }
            }
        };
        if mode.is_for_all() && flag != 0 {
            self.indices = (0..count).collect();
            self.completed = count;
        } else if mode.is_for_one() {
            self.completed = c_int::from(flag != 0 && self.indices[0] != handles::UNDEFINED);
        }
        made
    }

    /// Whether the code says that the statuses have the errors of their operations, or is the error of the only one.
    fn is_error_in_status(&mut self, code: c_int, mode: MultipleCompletion) -> bool {
        if mode.is_for_one() && self.completed == 1 {
            self.statuses[0].MPI_ERROR = code;
            return true;
        }
        code == handles::ERR_IN_STATUS
    }

    /// The completed requests by their indices, each with its status and its code.
    fn completed(&self, code: c_int) -> impl Iterator<Item = (usize, MPI_Status, c_int)> {
        let count = usize::try_from(self.completed).unwrap_or(0);
        let of_status =
            move |status: &MPI_Status| if code == handles::SUCCESS { code } else { status.MPI_ERROR };
        let found = self.indices[..count].iter().zip(&self.statuses);
        found
            .map(move |(index, status)| (*index, *status, of_status(status)))
            .filter(|(.., code)| *code != handles::ERR_PENDING)
            .filter_map(|(index, status, code)| Some((usize::try_from(index).ok()?, status, code)))
    }
}
