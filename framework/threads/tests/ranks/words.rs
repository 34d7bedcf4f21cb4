//! Short words for what a rank does, each at its caller's line.
use std::{any::Any, rc::Rc, sync::Arc, time::Duration};

use wb_comm::{
    Channel, Label, Match, Op, Rank, Result, Site, Source, Status, Threads, ThreadsJob, Transport, Verb,
    View, ViewMut, Wire,
    job::{Ended, Outcome},
};
use wb_threads::Local;

/// One element more than [`Local`]'s eager limit, as bytes.
pub(crate) const LONG: usize = 4097;

/// A job with a limit that only a broken backend reaches.
pub(crate) fn job<R: Send + 'static>(
    size: usize,
    body: impl Fn(Rc<dyn Transport>) -> R + Send + Sync + 'static,
) -> Outcome {
    limited(size, Duration::from_secs(20), body)
}

pub(crate) fn limited<R: Send + 'static>(
    size: usize,
    limit: Duration,
    body: impl Fn(Rc<dyn Transport>) -> R + Send + Sync + 'static,
) -> Outcome {
    let job: ThreadsJob = Arc::new(move |transport| Box::new(body(transport)));
    Local::default().run(size, Some(limit), job)
}

/// What every rank returned.
pub(crate) fn returned<R: 'static>(outcome: Outcome) -> Vec<R> {
    let value = |ended| match ended {
        Ended::Returned(value) => *<Box<dyn Any + Send>>::downcast::<R>(value).expect("this type"),
        other => panic!("a rank did not return: {other:?}"),
    };
    outcome.ranks.into_iter().map(value).collect()
}

/// The texts of the errors that every rank returned.
pub(crate) fn errors(outcome: Outcome) -> Vec<String> {
    let text = |result: Result<()>| result.expect_err("every rank meets an error").to_string();
    returned::<Result<()>>(outcome).into_iter().map(text).collect()
}

#[track_caller]
pub(crate) fn send<T: Wire>(transport: &dyn Transport, to: Rank, tag: i32, data: &[T]) -> Result<()> {
    let op = Op::Send { to, label: Label::user(tag), data: View::of(data), synchronous: false };
    transport.round(&mut [op], Site::here(Verb::Send))
}

#[track_caller]
pub(crate) fn ssend<T: Wire>(transport: &dyn Transport, to: Rank, tag: i32, data: &[T]) -> Result<()> {
    let op = Op::Send { to, label: Label::user(tag), data: View::of(data), synchronous: true };
    transport.round(&mut [op], Site::here(Verb::Ssend))
}

#[track_caller]
pub(crate) fn recv<T: Wire>(
    transport: &dyn Transport,
    from: impl Into<Source>,
    tag: Option<i32>,
    data: &mut [T],
) -> Result<Status> {
    let site = Site::here(Verb::Recv);
    let mut ops = [Op::Recv { from: from.into(), label: user(tag), data: ViewMut::of(data), status: None }];
    transport.round(&mut ops, site)?;
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
    let send = Op::Send { to, label: Label::user(0), data: View::of(out), synchronous: false };
    let recv =
        Op::Recv { from: from.into(), label: Label::user(0).into(), data: ViewMut::of(into), status: None };
    transport.round(&mut [send, recv], Site::here(Verb::Sendrecv))
}

/// A user's tag, or any.
pub(crate) fn user(tag: Option<i32>) -> Match {
    Match { channel: Channel::User, tag }
}
