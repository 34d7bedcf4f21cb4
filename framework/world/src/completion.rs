//! The calls that complete several requests: `wait_all`, `wait_any`, `wait_some`, and their tests.
use wb_comm::{CallSite, MultipleCompletion, Pending, Result};
use wb_record::EventKind;

use crate::{World, message_calls, request::Request};

/// A list of requests: a `Vec` or an array of one kind, or a tuple of different ones.
pub trait Requests: Sized {
    /// What the waits return, in the order of the list.
    type Output;

    /// The operations.
    #[doc(hidden)]
    fn pending(&mut self) -> Result<Vec<&mut dyn Pending>>;

    /// Completes all, which are complete already, in the call at `site`, which began at `begin`.
    #[doc(hidden)]
    fn complete(self, site: CallSite, begin: Option<u64>) -> Result<Self::Output>;
}

impl<R: Request> Requests for Vec<R> {
    type Output = Vec<R::Output>;

    fn pending(&mut self) -> Result<Vec<&mut dyn Pending>> {
        self.iter_mut().map(|request| Ok(&mut *request.started()?.pending)).collect()
    }

    fn complete(self, site: CallSite, begin: Option<u64>) -> Result<Self::Output> {
        let mut begin = begin;
        self.into_iter().map(|request| complete_one(request, site, &mut begin)).collect()
    }
}

impl<R: Request, const N: usize> Requests for [R; N] {
    type Output = Vec<R::Output>;

    fn pending(&mut self) -> Result<Vec<&mut dyn Pending>> {
        self.iter_mut().map(|request| Ok(&mut *request.started()?.pending)).collect()
    }

    fn complete(self, site: CallSite, begin: Option<u64>) -> Result<Self::Output> {
        Vec::from(self).complete(site, begin)
    }
}

/// Completes a request of a call that began at `begin`. The time of the call is logged with the first request that has a peer; one without
/// a peer is not logged.
fn complete_one<R: Request>(mut request: R, site: CallSite, begin: &mut Option<u64>) -> Result<R::Output> {
    let started = request.started()?;
    if message_calls::is_null(&mut *started.pending) {
        started.tracer = None;
        return request.complete(site, None);
    }
    request.complete(site, begin.take())
}

macro_rules! tuples {
    ($(($($kind:ident $request:ident),*))*) => {
        $(
            impl<$($kind: Request),*> Requests for ($($kind,)*) {
                type Output = ($($kind::Output,)*);

                fn pending(&mut self) -> Result<Vec<&mut dyn Pending>> {
                    let ($($request,)*) = self;
                    Ok(vec![$(&mut *$request.started()?.pending),*])
                }

                fn complete(self, site: CallSite, begin: Option<u64>) -> Result<Self::Output> {
                    let mut begin = begin;
                    let ($($request,)*) = self;
                    Ok(($(complete_one($request, site, &mut begin)?,)*))
                }
            }
        )*
    };
}
tuples! { (A a, B b) (A a, B b, C c) (A a, B b, C c, D d) (A a, B b, C c, D d, E e, F f, G g, H h) }

#[allow(clippy::missing_errors_doc, reason = "all: the errors of the operations, the first of several")]
impl World {
    /// Completes all requests and returns what their waits return, in the same order (`MPI_Waitall`).
    #[track_caller]
    pub fn wait_all<R: Requests>(&self, mut requests: R) -> Result<R::Output> {
        let mode = MultipleCompletion::WaitAll;
        let site = CallSite::caller(mode.verb());
        let (_, begin) = self.complete_pending(&mut self.run(site, || requests.pending())?, mode, site)?;
        requests.complete(site, begin)
    }

    /// Completes one request: its index and what its wait returns (`MPI_Waitany`). Its place becomes `None`. If several are complete,
    /// any of them may be taken. Returns `None` when all places are `None`.
    #[track_caller]
    pub fn wait_any<R: Request>(&self, requests: &mut [Option<R>]) -> Result<Option<(usize, R::Output)>> {
        let mode = MultipleCompletion::WaitAny;
        Ok(self.complete_listed(requests, mode, CallSite::caller(mode.verb()))?.pop())
    }

    /// Completes at least one request, and others that are complete, too: their indices and what their waits return (`MPI_Waitsome`). Their
    /// places become `None`. Returns nothing when all places are `None`.
    #[track_caller]
    pub fn wait_some<R: Request>(&self, requests: &mut [Option<R>]) -> Result<Vec<(usize, R::Output)>> {
        let mode = MultipleCompletion::WaitSome;
        self.complete_listed(requests, mode, CallSite::caller(mode.verb()))
    }

    /// Completes all requests if all are complete, and returns what their waits return; else completes none (`MPI_Testall`).
    #[track_caller]
    pub fn test_all<R: Request>(&self, requests: &mut Vec<R>) -> Result<Option<Vec<R::Output>>> {
        let mode = MultipleCompletion::TestAll;
        let site = CallSite::caller(mode.verb());
        let (done, begin) = self.complete_pending(&mut self.run(site, || requests.pending())?, mode, site)?;
        (done.len() == requests.len()).then(|| std::mem::take(requests).complete(site, begin)).transpose()
    }

    /// As [`wait_any`](Self::wait_any) without waiting: `None` if no request is complete (`MPI_Testany`).
    #[track_caller]
    pub fn test_any<R: Request>(&self, requests: &mut [Option<R>]) -> Result<Option<(usize, R::Output)>> {
        let mode = MultipleCompletion::TestAny;
        Ok(self.complete_listed(requests, mode, CallSite::caller(mode.verb()))?.pop())
    }

    /// As [`wait_some`](Self::wait_some) without waiting: nothing if no request is complete (`MPI_Testsome`).
    #[track_caller]
    pub fn test_some<R: Request>(&self, requests: &mut [Option<R>]) -> Result<Vec<(usize, R::Output)>> {
        let mode = MultipleCompletion::TestSome;
        self.complete_listed(requests, mode, CallSite::caller(mode.verb()))
    }

    fn complete_listed<R: Request>(
        &self,
        requests: &mut [Option<R>],
        mode: MultipleCompletion,
        site: CallSite,
    ) -> Result<Vec<(usize, R::Output)>> {
        let places: Vec<usize> = (0..requests.len()).filter(|at| requests[*at].is_some()).collect();
        let listed = requests.iter_mut().flatten();
        let mut pending = self.run(site, || {
            listed
                .map(|request| Ok(&mut *request.started()?.pending))
                .collect::<Result<Vec<&mut dyn Pending>>>()
        })?;
        let (done, mut begin) = self.complete_pending(&mut pending, mode, site)?;
        let finish = |index: usize| {
            let request = requests[places[index]].take().expect("it is in the list");
            Ok((places[index], complete_one(request, site, &mut begin)?))
        };
        done.into_iter().map(finish).collect()
    }

    /// The indices of the operations that are complete now; and when the call began, if it is logged with the first of them.
    fn complete_pending(
        &self,
        pending: &mut [&mut dyn Pending],
        mode: MultipleCompletion,
        site: CallSite,
    ) -> Result<(Vec<usize>, Option<u64>)> {
        if pending.is_empty() {
            return Ok((vec![], None));
        }
        let complete = || message_calls::complete(&**self.transport(), pending, mode, site);
        let Some(tracer) = &self.tracer else { return Ok((self.run(site, complete)?, None)) };
        let begin = tracer.now();
        let done = self.run(site, complete)?;
        if done.is_empty() {
            tracer.record(site, begin, EventKind::Local);
        }
        Ok((done, Some(begin)))
    }
}
