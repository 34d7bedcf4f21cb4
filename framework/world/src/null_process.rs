//! Messages to and from [`PROC_NULL`]: they are decided here for all backends, so none of them transmits anything.
use std::any::Any;

use crate::World;
use wb_comm::{
    Block, CallSite, Completed, Error, MessageTag, MultipleCompletion, Op, PROC_NULL, Pending,
    PendingMessage, Persistent, PersistentArgs, Rank, Result, SendMode, Source, Status, TagPattern,
    Transport, ViewMut,
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
        if !ops.iter().any(has_null_peer) {
            return self.transport().post_and_wait(ops, site);
        }
        ops.iter_mut().try_for_each(complete_null)?;
        // A round of a world has two operations at most, so at most one is left.
        for others in ops.split_mut(has_null_peer).filter(|others| !others.is_empty()) {
            self.transport().post_and_wait(others, site)?;
        }
        Ok(())
    }

    pub(crate) fn probe_source(&self, from: Source, tag: TagPattern, site: CallSite) -> Result<Status> {
        match from {
            Source::Rank(PROC_NULL) => check_tag(tag.tag).map(|()| Status::PROC_NULL),
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
        match from {
            Source::Rank(PROC_NULL) => check_tag(tag.tag).map(|()| Some(Box::new(NullMessage) as _)),
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
        match from {
            Source::Rank(PROC_NULL) => check_tag(tag.tag).map(|()| Some(Status::PROC_NULL)),
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
    if to != PROC_NULL {
        return transport.post_send(to, tag, data, mode, site);
    }
    check_tag(Some(tag.tag))?;
    Ok(Box::new(NullRequest { block: data, status: None }))
}

/// As [`Transport::post_recv`], where the source may be [`PROC_NULL`].
pub(crate) fn post_recv(
    transport: &dyn Transport,
    (from, tag): (Source, TagPattern),
    into: Block,
    site: CallSite,
) -> Result<Box<dyn Pending>> {
    if from != Source::Rank(PROC_NULL) {
        return transport.post_recv(from, tag, into, site);
    }
    check_tag(tag.tag)?;
    Ok(Box::new(NullRequest { block: into, status: Some(Status::PROC_NULL) }))
}

/// As [`Transport::persistent`], where the peer may be [`PROC_NULL`].
pub(crate) fn persistent(
    transport: &dyn Transport,
    args: PersistentArgs,
    buffer: &mut Block,
) -> Result<Option<Box<dyn Persistent>>> {
    match args {
        PersistentArgs::Send { to: PROC_NULL, tag, .. } => check_tag(Some(tag.tag)).map(|()| None),
        PersistentArgs::Recv { from: Source::Rank(PROC_NULL), tag } => check_tag(tag.tag).map(|()| None),
        _ => transport.persistent(args, buffer),
    }
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
    how: MultipleCompletion,
    site: CallSite,
) -> Result<Vec<usize>> {
    let nulls: Vec<bool> = requests.iter_mut().map(|request| is_null(&mut **request)).collect();
    let null = |at: &usize| nulls[*at];
    let (mut done, others): (Vec<usize>, Vec<usize>) = (0..nulls.len()).partition(null);
    if done.is_empty() {
        return transport.complete(requests, how, site);
    }
    if how.is_for_one() {
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
    let how = if how == MultipleCompletion::WaitSome { MultipleCompletion::TestSome } else { how };
    let completed = if posted.is_empty() { vec![] } else { transport.complete(&mut posted, how, site)? };
    if how.is_for_all() && completed.len() < posted.len() {
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
fn complete_null(op: &mut Op<'_>) -> Result<()> {
    match op {
        Op::Send { to: PROC_NULL, tag, .. } | Op::SendLayout { to: PROC_NULL, tag, .. } => {
            check_tag(Some(tag.tag))
        }
        Op::Recv { from: Source::Rank(PROC_NULL), tag, status, .. }
        | Op::RecvLayout { from: Source::Rank(PROC_NULL), tag, status, .. } => {
            *status = Some(Status::PROC_NULL);
            check_tag(tag.tag)
        }
        _ => Ok(()),
    }
}

fn check_tag(tag: Option<i32>) -> Result<()> {
    match tag {
        Some(tag) if tag < 0 => Err(Error::Tag { tag, max: i32::MAX }),
        _ => Ok(()),
    }
}
