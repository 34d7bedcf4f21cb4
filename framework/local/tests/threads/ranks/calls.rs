//! Short functions for the calls of a rank, each with its caller's line.
use std::{any::Any, rc::Rc, sync::Arc, time::Duration};

use wb_comm::{
    CallSite, Context, MessageTag, Op, Rank, RankFunction, Result, SendMode, Source, Status, TagPattern,
    ThreadRanks, Transport, Verb, View, ViewMut, Wire,
    job::{JobOutcome, RankTermination},
};

use crate::threads::LocalThreads;

/// One element more than [`LocalThreads`]'s eager limit, as bytes.
pub(crate) const EAGER_LIMIT_EXCEEDED: usize = 4097;

/// A job with a limit that only a faulty backend reaches.
pub(crate) fn job<R: Send + 'static>(
    size: usize,
    body: impl Fn(Rc<dyn Transport>) -> R + Send + Sync + 'static,
) -> JobOutcome {
    job_with_limit(size, Duration::from_secs(20), body)
}

pub(crate) fn job_with_limit<R: Send + 'static>(
    size: usize,
    limit: Duration,
    body: impl Fn(Rc<dyn Transport>) -> R + Send + Sync + 'static,
) -> JobOutcome {
    let job: RankFunction = Arc::new(move |transport| Box::new(body(transport)));
    LocalThreads::default().run(size, Some(limit), job)
}

/// The values that the ranks returned.
pub(crate) fn returned_values<R: 'static>(outcome: JobOutcome) -> Vec<R> {
    let value = |ended| match ended {
        RankTermination::Returned(value) => *<Box<dyn Any + Send>>::downcast::<R>(value).expect("this type"),
        other => panic!("a rank did not return: {other:?}"),
    };
    outcome.ranks.into_iter().map(value).collect()
}

/// The texts of the errors that every rank returned.
pub(crate) fn error_texts(outcome: JobOutcome) -> Vec<String> {
    let text = |result: Result<()>| result.expect_err("every rank meets an error").to_string();
    returned_values::<Result<()>>(outcome).into_iter().map(text).collect()
}

#[track_caller]
pub(crate) fn send<T: Wire>(transport: &dyn Transport, to: Rank, tag: i32, data: &[T]) -> Result<()> {
    let op =
        Op::Send { to, tag: MessageTag::user(tag), data: View::from_slice(data), mode: SendMode::Standard };
    transport.post_and_wait(&mut [op], CallSite::caller(Verb::Send))
}

#[track_caller]
pub(crate) fn ssend<T: Wire>(transport: &dyn Transport, to: Rank, tag: i32, data: &[T]) -> Result<()> {
    let op = Op::Send {
        to,
        tag: MessageTag::user(tag),
        data: View::from_slice(data),
        mode: SendMode::Synchronous,
    };
    transport.post_and_wait(&mut [op], CallSite::caller(Verb::Ssend))
}

#[track_caller]
pub(crate) fn recv<T: Wire>(
    transport: &dyn Transport,
    from: impl Into<Source>,
    tag: Option<i32>,
    data: &mut [T],
) -> Result<Status> {
    let site = CallSite::caller(Verb::Recv);
    let mut ops = [Op::Recv {
        from: from.into(),
        tag: user_pattern(tag),
        data: ViewMut::from_slice(data),
        status: None,
    }];
    transport.post_and_wait(&mut ops, site)?;
    let [Op::Recv { status: Some(status), .. }] = ops else { panic!("a receive fills its status") };
    Ok(status)
}

/// Sends and receives together.
#[track_caller]
pub(crate) fn sendrecv<T: Wire>(
    transport: &dyn Transport,
    to: Rank,
    out: &[T],
    from: Rank,
    into: &mut [T],
) -> Result<()> {
    let send =
        Op::Send { to, tag: MessageTag::user(0), data: View::from_slice(out), mode: SendMode::Standard };
    let recv = Op::Recv {
        from: from.into(),
        tag: MessageTag::user(0).into(),
        data: ViewMut::from_slice(into),
        status: None,
    };
    transport.post_and_wait(&mut [send, recv], CallSite::caller(Verb::Sendrecv))
}

/// A user tag, or any.
pub(crate) fn user_pattern(tag: Option<i32>) -> TagPattern {
    TagPattern { context: Context::User, tag }
}
