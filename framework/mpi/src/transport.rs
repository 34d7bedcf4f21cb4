//! Point-to-point over one communicator: the raw calls of MPI, each checked, with nothing in between.
//!
//! A round of one operation is one blocking call; a send and a receive together are `MPI_Sendrecv`; anything else is
//! posted and then waited for one by one, which is as good as `MPI_Waitall` (MPI makes progress on all of them) and says
//! of each operation how it ended and, to a watchdog, which one is stuck.
use std::{
    cell::RefCell,
    ffi::c_int,
    io::{self, Write},
    mem::MaybeUninit,
    process,
    rc::Rc,
};

use mpi::ffi::{
    MPI_Cancel, MPI_Comm, MPI_Iprobe, MPI_Irecv, MPI_Isend, MPI_Issend, MPI_Probe, MPI_Recv, MPI_Request,
    MPI_Send, MPI_Sendrecv, MPI_Ssend, MPI_Status, MPI_Wait,
};
use wb_comm::{
    Block, Collectives, Label, Layout, Match, Op, Pending, Rank, Result, Site, Source, Status, Transport,
    View, ViewMut, Window, WindowKind,
};

use crate::{
    call::{self, Wait},
    check::{self, check},
    communicator::Communicator,
    handles, nodes,
    pending::Posted,
    window::MpiWindow,
};

/// A communicator as this rank sees it.
pub(crate) struct MpiTransport {
    pub(crate) communicator: Rc<Communicator>,
    /// Room for the requests of a round.
    posted: RefCell<Vec<MPI_Request>>,
}

/// A status before MPI has filled it.
#[inline]
pub(crate) fn blank_status() -> MPI_Status {
    // SAFETY: a C struct of integers, for which zeroes are a value.
    unsafe { MaybeUninit::<MPI_Status>::zeroed().assume_init() }
}

/// A checked send: what MPI is to be told.
pub(crate) struct Outgoing {
    pub(crate) comm: MPI_Comm,
    pub(crate) to: c_int,
    pub(crate) tag: c_int,
    pub(crate) count: c_int,
    pub(crate) datatype: mpi::ffi::MPI_Datatype,
}

/// A checked receive: what MPI is to be told.
pub(crate) struct Incoming {
    pub(crate) comm: MPI_Comm,
    pub(crate) from: c_int,
    pub(crate) tag: c_int,
    pub(crate) count: c_int,
    pub(crate) datatype: mpi::ffi::MPI_Datatype,
}

impl MpiTransport {
    pub(crate) fn new(communicator: Rc<Communicator>) -> Self {
        Self { communicator, posted: RefCell::default() }
    }

    #[inline]
    fn source(&self, from: Source) -> Result<c_int> {
        match from {
            Source::Any => Ok(handles::ANY_SOURCE),
            Source::Rank(rank) => check::peer("source", rank, self.communicator.size),
        }
    }

    #[inline]
    fn accepted_tag(&self, tag: Option<i32>) -> Result<c_int> {
        match tag {
            None => Ok(handles::ANY_TAG),
            Some(tag) => check::tag(tag, self.communicator.registry.session.tag_ub),
        }
    }

    #[inline]
    pub(crate) fn outgoing(&self, to: Rank, label: Label, data: View<'_>) -> Result<Outgoing> {
        let session = self.communicator.registry.session;
        Ok(Outgoing {
            comm: self.communicator.channel(label.channel)?,
            to: check::peer("destination", to, self.communicator.size)?,
            tag: check::tag(label.tag, session.tag_ub)?,
            count: check::count(data.count())?,
            datatype: session.datatypes.of(data.layout()),
        })
    }

    #[inline]
    pub(crate) fn incoming(&self, from: Source, label: Match, data: &ViewMut<'_>) -> Result<Incoming> {
        Ok(Incoming {
            comm: self.communicator.channel(label.channel)?,
            from: self.source(from)?,
            tag: self.accepted_tag(label.tag)?,
            count: check::count(data.count())?,
            datatype: self.communicator.registry.session.datatypes.of(data.layout()),
        })
    }

    #[inline]
    fn send(&self, to: Rank, label: Label, data: View<'_>, synchronous: bool, site: Site) -> Result<()> {
        let Outgoing { comm, to: peer, tag, count, datatype } = self.outgoing(to, label, data)?;
        let bytes = data.bytes();
        let start = bytes.as_ptr().cast();
        let _inside = call::enter(site, Wait::to(to, tag, bytes.len()).among(&self.communicator));
        if synchronous {
            // SAFETY: the view holds `count` elements of `datatype` for as long as the call lasts.
            check("MPI_Ssend", unsafe { MPI_Ssend(start, count, datatype, peer, tag, comm) })
        } else {
            // SAFETY: as above.
            check("MPI_Send", unsafe { MPI_Send(start, count, datatype, peer, tag, comm) })
        }
    }

    #[inline]
    fn recv(&self, from: Source, label: Match, data: &mut ViewMut<'_>, site: Site) -> Result<Status> {
        let Incoming { comm, from: peer, tag, count, datatype } = self.incoming(from, label, data)?;
        let bytes = data.bytes();
        let (start, room) = (bytes.as_mut_ptr().cast(), bytes.len());
        let mut status = blank_status();
        let _inside = call::enter(site, Wait::from(from, label.tag, room).among(&self.communicator));
        // SAFETY: the exclusive view has room for `count` elements of `datatype` for as long as the call lasts; MPI
        // truncates what is longer.
        let code = unsafe { MPI_Recv(start, count, datatype, peer, tag, comm, &mut status) };
        check::received("MPI_Recv", code, &status, room)
    }

    fn sendrecv(
        &self,
        (to, out_label, out): (Rank, Label, View<'_>),
        (from, in_label, into): (Source, Match, &mut ViewMut<'_>),
        site: Site,
    ) -> Result<Status> {
        let send = self.outgoing(to, out_label, out)?;
        let recv = self.incoming(from, in_label, into)?;
        let bytes = into.bytes();
        let (start, room) = (bytes.as_mut_ptr().cast(), bytes.len());
        let mut status = blank_status();
        let _inside = call::enter(site, Wait::from(from, in_label.tag, room).among(&self.communicator));
        // SAFETY: both views hold their counts of elements for as long as the call lasts, and they do not overlap: one
        // is exclusive.
        let code = unsafe {
            MPI_Sendrecv(
                out.bytes().as_ptr().cast(),
                send.count,
                send.datatype,
                send.to,
                send.tag,
                start,
                recv.count,
                recv.datatype,
                recv.from,
                recv.tag,
                send.comm,
                &mut status,
            )
        };
        check::received("MPI_Sendrecv", code, &status, room)
    }

    /// Any number of operations: all are checked, then all posted, then all completed, whatever fails on the way.
    fn several(&self, ops: &mut [Op<'_>], site: Site) -> Result<()> {
        for op in ops.iter() {
            self.accept(op)?;
        }
        let mut outcome = Ok(());
        // The list is kept from round to round: a barrier's rounds allocate nothing once it has its length.
        let mut posted = self.posted.take();
        for op in ops.iter_mut() {
            match self.post(op) {
                Ok(request) => posted.push(request),
                Err(error) => {
                    outcome = Err(error);
                    cancel_receives(&ops[..posted.len()], &mut posted);
                    break;
                }
            }
        }
        for (op, request) in ops.iter_mut().zip(posted.drain(..)) {
            outcome = outcome.and(complete(op, request, site));
        }
        self.posted.replace(posted);
        outcome
    }

    fn accept(&self, op: &Op<'_>) -> Result<()> {
        match op {
            Op::Send { to, label, data, .. } => self.outgoing(*to, *label, *data).map(drop),
            Op::Recv { from, label, data, .. } => self.incoming(*from, *label, data).map(drop),
        }
    }

    /// The caller keeps the operation's buffer borrowed until the request is complete.
    fn post(&self, op: &mut Op<'_>) -> Result<MPI_Request> {
        match op {
            Op::Send { to, label, data, synchronous } => {
                let start = data.bytes().as_ptr();
                // SAFETY: the operation borrows the buffer; `several` completes the request before it returns.
                unsafe { self.outgoing(*to, *label, *data)?.post(start, *synchronous) }
            }
            Op::Recv { from, label, data, .. } => {
                let incoming = self.incoming(*from, *label, data)?;
                // SAFETY: as above, and the borrow is exclusive.
                unsafe { incoming.post(data.bytes().as_mut_ptr()) }
            }
        }
    }
}

impl Outgoing {
    /// # Safety
    /// `start` must hold `count` elements of `datatype`, unchanged until the request is complete.
    pub(crate) unsafe fn post(&self, start: *const u8, synchronous: bool) -> Result<MPI_Request> {
        let Self { comm, to, tag, count, datatype } = *self;
        let mut request = handles::REQUEST_NULL;
        if synchronous {
            // SAFETY: the caller's promise.
            let code = unsafe { MPI_Issend(start.cast(), count, datatype, to, tag, comm, &mut request) };
            check("MPI_Issend", code)?;
        } else {
            // SAFETY: the caller's promise.
            let code = unsafe { MPI_Isend(start.cast(), count, datatype, to, tag, comm, &mut request) };
            check("MPI_Isend", code)?;
        }
        Ok(request)
    }
}

impl Incoming {
    /// # Safety
    /// `start` must have room for `count` elements of `datatype`, used by nobody until the request is complete.
    pub(crate) unsafe fn post(&self, start: *mut u8) -> Result<MPI_Request> {
        let Self { comm, from, tag, count, datatype } = *self;
        let mut request = handles::REQUEST_NULL;
        // SAFETY: the caller's promise.
        let code = unsafe { MPI_Irecv(start.cast(), count, datatype, from, tag, comm, &mut request) };
        check("MPI_Irecv", code)?;
        Ok(request)
    }
}

/// After a failed posting: receives are withdrawn, sends complete by themselves when their receiver takes them.
fn cancel_receives(ops: &[Op<'_>], posted: &mut [MPI_Request]) {
    for (op, request) in ops.iter().zip(posted) {
        if matches!(op, Op::Recv { .. }) {
            // SAFETY: an active request. A refusal changes nothing: it is waited for in any case.
            let _ = unsafe { MPI_Cancel(request) };
        }
    }
}

fn complete(op: &mut Op<'_>, mut request: MPI_Request, site: Site) -> Result<()> {
    let wait = match op {
        Op::Send { to, label, data, .. } => Wait::to(*to, label.tag, data.bytes().len()),
        Op::Recv { from, label, data, .. } => Wait::from(*from, label.tag, data.bytes().len()),
    };
    let mut raw = blank_status();
    let code = {
        let _inside = call::enter(site, wait);
        // SAFETY: an active request of ours, completed here and used no more.
        unsafe { MPI_Wait(&mut request, &mut raw) }
    };
    if request != handles::REQUEST_NULL {
        // The library may still write into a buffer that the caller gets back when we return: no way on is sound.
        // Not `eprintln`, which panics where standard error is closed: unwinding would give the buffer back.
        let _nobody_listens =
            writeln!(io::stderr(), "MPI_Wait gave up on an unfinished request (code {code}) at {site}");
        process::abort();
    }
    match op {
        Op::Send { .. } => check("MPI_Wait", code),
        Op::Recv { data, status, .. } => {
            *status = Some(check::received("MPI_Wait", code, &raw, data.bytes().len())?);
            Ok(())
        }
    }
}

impl Transport for MpiTransport {
    fn rank(&self) -> Rank {
        self.communicator.rank
    }

    fn size(&self) -> usize {
        self.communicator.size
    }

    fn backend(&self) -> &'static str {
        "mpi"
    }

    #[inline]
    fn round(&self, ops: &mut [Op<'_>], site: Site) -> Result<()> {
        match ops {
            [] => Ok(()),
            [Op::Send { to, label, data, synchronous }] => self.send(*to, *label, *data, *synchronous, site),
            [Op::Recv { from, label, data, status }] => {
                *status = Some(self.recv(*from, *label, data, site)?);
                Ok(())
            }
            [
                Op::Send { to, label: out, data: payload, synchronous: false },
                Op::Recv { from, label, data, status },
            ]
            | [
                Op::Recv { from, label, data, status },
                Op::Send { to, label: out, data: payload, synchronous: false },
            ] if out.channel == label.channel => {
                *status = Some(self.sendrecv((*to, *out, *payload), (*from, *label, data), site)?);
                Ok(())
            }
            several => self.several(several, site),
        }
    }

    fn post_send(
        &self,
        to: Rank,
        label: Label,
        data: Block,
        synchronous: bool,
        site: Site,
    ) -> Result<Box<dyn Pending>> {
        Ok(Box::new(Posted::send(self, (to, label), data, synchronous, site)?))
    }

    fn post_recv(&self, from: Source, label: Match, into: Block, site: Site) -> Result<Box<dyn Pending>> {
        Ok(Box::new(Posted::recv(self, from, label, into, site)?))
    }

    fn probe(&self, from: Source, label: Match, site: Site) -> Result<Status> {
        let comm = self.communicator.channel(label.channel)?;
        let (source, tag) = (self.source(from)?, self.accepted_tag(label.tag)?);
        let mut status = blank_status();
        let _inside = call::enter(site, Wait::from(from, label.tag, 0).sizeless().among(&self.communicator));
        // SAFETY: a live communicator, one status for the answer.
        check("MPI_Probe", unsafe { MPI_Probe(source, tag, comm, &mut status) })?;
        check::status_of(&status)
    }

    fn iprobe(&self, from: Source, label: Match, _site: Site) -> Result<Option<Status>> {
        let comm = self.communicator.channel(label.channel)?;
        let (source, tag) = (self.source(from)?, self.accepted_tag(label.tag)?);
        let mut status = blank_status();
        let mut there = 0;
        // SAFETY: a live communicator, one int and one status for the answer.
        check("MPI_Iprobe", unsafe { MPI_Iprobe(source, tag, comm, &mut there, &mut status) })?;
        if there == 0 { Ok(None) } else { check::status_of(&status).map(Some) }
    }

    fn split(&self, color: Option<u32>, key: i32, site: Site) -> Result<Option<Rc<dyn Transport>>> {
        let _inside = call::enter(site, Wait::ALL);
        let made = self.communicator.split(color, key)?;
        Ok(made.map(|made| Rc::new(Self::new(made)) as Rc<dyn Transport>))
    }

    fn dup(&self, site: Site) -> Result<Rc<dyn Transport>> {
        let _inside = call::enter(site, Wait::ALL);
        Ok(Rc::new(Self::new(self.communicator.dup()?)))
    }

    fn window(&self, kind: WindowKind, layout: Layout, count: usize, site: Site) -> Result<Box<dyn Window>> {
        let _inside = call::enter(site, Wait::ALL);
        Ok(Box::new(MpiWindow::open(&self.communicator, kind, layout, count, site)?))
    }

    fn nodes(&self, site: Site) -> Result<Vec<usize>> {
        let _inside = call::enter(site, Wait::ALL);
        nodes::nodes(&self.communicator)
    }

    fn library(&self) -> Option<&dyn Collectives> {
        Some(self)
    }

    fn now(&self) -> u64 {
        let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: one timespec for the answer.
        let code = unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
        assert_eq!(code, 0, "every Linux has a monotonic clock");
        now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
    }
}
