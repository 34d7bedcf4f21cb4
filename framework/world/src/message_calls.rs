//! The arguments of messages, for all backends: their [`limits`], and the messages to and from [`PROC_NULL`], which none of them transmits.
use std::any::Any;

use crate::World;
use wb_comm::{
    Block, CallSite, Completed, Error, MessageTag, MultipleCompletion, Op, PROC_NULL, Pending,
    PendingMessage, Persistent, PersistentArgs, Rank, Result, SendMode, Source, Status, TagPattern,
    Transport, View, ViewMut, limits,
};

/// A request to or from [`PROC_NULL`]: it is complete.
struct NullRequest {
    block: Block,
    status: Option<Status>,
}

impl Pending for NullRequest {
    fn test(&mut self, _: CallSite) -> Result<bool> {
        Ok(true)
    }

    fn wait(self: Box<Self>, _: CallSite) -> Result<Completed> {
        Ok(Completed { block: self.block, read: None, status: self.status })
    }

    fn cancel(self: Box<Self>, site: CallSite) -> Result<Option<Completed>> {
        self.wait(site).map(Some)
    }

    fn undecorated(&mut self) -> &mut dyn Any {
        self
    }
}

/// Whether the request is to or from [`PROC_NULL`].
pub(crate) fn is_null(request: &mut dyn Pending) -> bool {
    request.undecorated().is::<NullRequest>()
}

/// The calls of a transport, for peers that may be [`PROC_NULL`].
impl World {
    pub(crate) fn post_and_wait(&self, ops: &mut [Op<'_>], site: CallSite) -> Result<()> {
        ops.iter().try_for_each(check_op)?;
        if !ops.iter().any(has_null_peer) {
            return self.transport().post_and_wait(ops, site);
        }
        ops.iter_mut().for_each(complete_null);
        // A round of a world has two operations at most, so at most one is left.
        for others in ops.split_mut(has_null_peer).filter(|others| !others.is_empty()) {
            self.transport().post_and_wait(others, site)?;
        }
        Ok(())
    }

    pub(crate) fn probe_source(&self, from: Source, tag: TagPattern, site: CallSite) -> Result<Status> {
        limits::check_tag(tag.tag)?;
        match from {
            Source::Rank(PROC_NULL) => Ok(Status::PROC_NULL),
            _ => self.transport().probe(from, tag, site),
        }
    }

    pub(crate) fn take_message(
        &self,
        from: Source,
        tag: TagPattern,
        waits: bool,
        site: CallSite,
    ) -> Result<Option<Box<dyn PendingMessage>>> {
        limits::check_tag(tag.tag)?;
        match from {
            Source::Rank(PROC_NULL) => Ok(Some(Box::new(NullMessage))),
            _ => self.transport().matched_probe(from, tag, waits, site),
        }
    }

    pub(crate) fn exchange_in_place(
        &self,
        data: ViewMut<'_>,
        (to, out): (Rank, MessageTag),
        (from, into): (Source, TagPattern),
        site: CallSite,
    ) -> Result<Status> {
        if to != PROC_NULL && from != Source::Rank(PROC_NULL) {
            limits::check_tag(into.tag)?;
            check_message(out.into(), data.as_view())?;
            return self.transport().sendrecv_replace(data, (to, out), (from, into), site);
        }
        let sent = Block::copy_of(data.as_view());
        let mut ops = [
            Op::Recv { from, tag: into, data, status: None },
            Op::Send { to, tag: out, data: sent.view(), mode: SendMode::Standard },
        ];
        self.post_and_wait(&mut ops, site)?;
        let [Op::Recv { status: Some(status), .. }, _] = ops else {
            unreachable!("a completed receive has a status")
        };
        Ok(status)
    }

    pub(crate) fn iprobe_source(
        &self,
        from: Source,
        tag: TagPattern,
        site: CallSite,
    ) -> Result<Option<Status>> {
        limits::check_tag(tag.tag)?;
        match from {
            Source::Rank(PROC_NULL) => Ok(Some(Status::PROC_NULL)),
            _ => self.transport().iprobe(from, tag, site),
        }
    }
}

/// As [`Transport::post_send`], where the receiver may be [`PROC_NULL`].
pub(crate) fn post_send(
    transport: &dyn Transport,
    (to, tag): (Rank, MessageTag),
    data: Block,
    mode: SendMode,
    site: CallSite,
) -> Result<Box<dyn Pending>> {
    check_message(tag.into(), data.view())?;
    if to != PROC_NULL {
        return transport.post_send(to, tag, data, mode, site);
    }
    Ok(Box::new(NullRequest { block: data, status: None }))
}

/// As [`Transport::post_recv`], where the source may be [`PROC_NULL`].
pub(crate) fn post_recv(
    transport: &dyn Transport,
    (from, tag): (Source, TagPattern),
    into: Block,
    site: CallSite,
) -> Result<Box<dyn Pending>> {
    limits::check_tag(tag.tag)?;
    if from != Source::Rank(PROC_NULL) {
        return transport.post_recv(from, tag, into, site);
    }
    Ok(Box::new(NullRequest { block: into, status: Some(Status::PROC_NULL) }))
}

/// As [`Transport::persistent`], where the peer may be [`PROC_NULL`]. All arguments are checked here: a backend without such requests would
/// see them at the first start only.
pub(crate) fn persistent(
    transport: &dyn Transport,
    args: PersistentArgs,
    buffer: &mut Block,
) -> Result<Option<Box<dyn Persistent>>> {
    let (tag, role, peer) = match args {
        PersistentArgs::Send { to, tag, .. } => (tag.into(), "destination", Source::Rank(to)),
        PersistentArgs::Recv { from, tag } => (tag, "source", from),
    };
    check_message(tag, buffer.view())?;
    match peer {
        Source::Rank(PROC_NULL) => return Ok(None),
        Source::Rank(rank) => Error::check_rank(role, rank, transport.size())?,
        Source::Any => {}
    }
    transport.persistent(args, buffer)
}

/// The message of [`PROC_NULL`] (`MPI_MESSAGE_NO_PROC`).
struct NullMessage;

impl PendingMessage for NullMessage {
    fn status(&self) -> Status {
        Status::PROC_NULL
    }

    fn receive(self: Box<Self>, _: ViewMut<'_>, _: CallSite) -> Result<Status> {
        Ok(Status::PROC_NULL)
    }
}

/// As [`Transport::complete`], where some requests may be to or from [`PROC_NULL`].
pub(crate) fn complete(
    transport: &dyn Transport,
    requests: &mut [&mut dyn Pending],
    mode: MultipleCompletion,
    site: CallSite,
) -> Result<Vec<usize>> {
    let nulls: Vec<bool> = requests.iter_mut().map(|request| is_null(&mut **request)).collect();
    let null = |at: &usize| nulls[*at];
    let (mut done, others): (Vec<usize>, Vec<usize>) = (0..nulls.len()).partition(null);
    if done.is_empty() {
        return transport.complete(requests, mode, site);
    }
    if mode.is_for_one() {
        done.truncate(1);
        return Ok(done);
    }
    let mut posted: Vec<&mut dyn Pending> = requests
        .iter_mut()
        .zip(&nulls)
        .filter(|(_, is_null)| !**is_null)
        .map(|(request, _)| &mut **request as &mut dyn Pending)
        .collect();
    // A call for some need not wait: those of the null process are complete.
    let mode = if mode == MultipleCompletion::WaitSome { MultipleCompletion::TestSome } else { mode };
    let completed = if posted.is_empty() { vec![] } else { transport.complete(&mut posted, mode, site)? };
    if mode.is_for_all() && completed.len() < posted.len() {
        return Ok(vec![]);
    }
    done.extend(completed.into_iter().map(|at| others[at]));
    done.sort_unstable();
    Ok(done)
}

fn has_null_peer(op: &Op<'_>) -> bool {
    match op {
        Op::Send { to, .. } | Op::SendLayout { to, .. } => *to == PROC_NULL,
        Op::Recv { from, .. } | Op::RecvLayout { from, .. } => *from == Source::Rank(PROC_NULL),
    }
}

/// Completes an operation if its peer is [`PROC_NULL`].
fn complete_null(op: &mut Op<'_>) {
    if let Op::Recv { from: Source::Rank(PROC_NULL), status, .. }
    | Op::RecvLayout { from: Source::Rank(PROC_NULL), status, .. } = op
    {
        *status = Some(Status::PROC_NULL);
    }
}

/// Checks the tag and the length of an operation. A layout is checked where it meets its slice.
#[inline]
fn check_op(op: &Op<'_>) -> Result<()> {
    match op {
        Op::Send { tag, data, .. } => check_message((*tag).into(), *data),
        Op::Recv { tag, data, .. } => check_message(*tag, data.as_view()),
        Op::SendLayout { tag, .. } => limits::check_tag(Some(tag.tag)),
        Op::RecvLayout { tag, .. } => limits::check_tag(tag.tag),
    }
}

#[inline]
fn check_message(tag: TagPattern, data: View<'_>) -> Result<()> {
    limits::check_tag(tag.tag)?;
    limits::check_count(data.count(), data.datatype().size())
}
