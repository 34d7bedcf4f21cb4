//! A communicator whose calls are written down.
use std::{cell::Cell, rc::Rc};

use wb_comm::{
    Block, Collectives, Contribution, Label, Layout, Match, Op, Pending, Rank, Result, Site, Source, Status,
    Transport, Window, WindowKind,
};

use super::{Act, Brings, Made, Note, Notes, Operation, pending::NotedRequest, window::NotedWindow};

/// See the module.
pub(in super::super) struct Noting {
    pub(super) inner: Rc<dyn Transport>,
    pub(super) notes: Notes,
    /// Its number.
    pub(super) on: usize,
    /// The collective that the rank has come to last.
    pub(super) came_to: Cell<Note>,
}

impl Noting {
    /// The world, with its transcript.
    pub(in super::super) fn world(inner: Rc<dyn Transport>, notes: &Notes) -> Rc<dyn Transport> {
        Self::of(inner, notes.clone(), 0)
    }

    fn of(inner: Rc<dyn Transport>, notes: Notes, on: usize) -> Rc<dyn Transport> {
        Rc::new(Self { inner, notes, on, came_to: Cell::new(None) })
    }

    /// Writes down the making of a communicator.
    fn making(
        &self,
        site: Site,
        act: Act,
        make: impl FnOnce() -> Result<Option<Rc<dyn Transport>>>,
    ) -> Result<Option<Rc<dyn Transport>>> {
        let note = self.notes.begin(site, self.on, act);
        let result = make();
        let made = match &result {
            Ok(Some(made)) => Some(Made { number: self.notes.number(), rank: made.rank() }),
            _ => None,
        };
        let number = made.as_ref().map(|made| made.number);
        self.notes.end(note, result.is_ok(), |act| made.into_iter().for_each(|made| act.has_made(made)));
        let noting = |(made, number)| Self::of(made, self.notes.clone(), number);
        Ok(result?.zip(number).map(noting))
    }

    fn start(&self, operation: Operation, site: Site, post: impl FnOnce() -> Posting) -> Posting {
        let request = self.notes.request();
        let pending = self.notes.around(site, self.on, Act::Start { request, operation }, post)?;
        Ok(Box::new(NotedRequest::of(pending, self.notes.clone(), (self.on, request), site)))
    }
}

/// What comes of posting an operation.
type Posting = Result<Box<dyn Pending>>;

impl Transport for Noting {
    fn rank(&self) -> Rank {
        self.inner.rank()
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn backend(&self) -> &'static str {
        self.inner.backend()
    }

    fn round(&self, ops: &mut [Op<'_>], site: Site) -> Result<()> {
        let note = self.notes.begin(site, self.on, Act::Round(ops.iter().map(Operation::of).collect()));
        let result = self.inner.round(ops, site);
        self.notes.end(note, result.is_ok(), |act| {
            for (at, op) in ops.iter().enumerate() {
                if let Op::Recv { status: Some(Status { source, tag, .. }), .. } = op {
                    act.heard(at, (*source, *tag));
                }
            }
        });
        result
    }

    fn post_send(&self, to: Rank, label: Label, data: Block, synchronous: bool, site: Site) -> Posting {
        let elements = (data.view().layout(), data.view().count());
        let operation = Operation::send(to, label, elements, synchronous);
        self.start(operation, site, || self.inner.post_send(to, label, data, synchronous, site))
    }

    fn post_recv(&self, from: Source, label: Match, into: Block, site: Site) -> Posting {
        let elements = (into.view().layout(), into.view().count());
        let operation = Operation::receive(from, label, elements);
        self.start(operation, site, || self.inner.post_recv(from, label, into, site))
    }

    fn probe(&self, from: Source, label: Match, site: Site) -> Result<Status> {
        let act = Act::Probe(Operation::receive(from, label, (Layout::U8, 0)));
        self.notes.around(site, self.on, act, || self.inner.probe(from, label, site))
    }

    fn iprobe(&self, from: Source, label: Match, site: Site) -> Result<Option<Status>> {
        self.inner.iprobe(from, label, site)
    }

    fn contribute(&self, contribution: Contribution) -> Result<()> {
        let act = Act::Collective(Brings::of(&contribution));
        let note = self.notes.begin(contribution.site(), self.on, act);
        self.came_to.set(note);
        let result = self.inner.contribute(contribution);
        // What follows are messages of our own algorithm, or a call of the library's.
        self.notes.end(note, result.is_ok(), |_| {});
        result
    }

    fn split(&self, color: Option<u32>, key: i32, site: Site) -> Result<Option<Rc<dyn Transport>>> {
        self.making(site, Act::Split { color, key, made: None }, || self.inner.split(color, key, site))
    }

    fn dup(&self, site: Site) -> Result<Rc<dyn Transport>> {
        let made = self.making(site, Act::Dup { made: None }, || self.inner.dup(site).map(Some))?;
        Ok(made.expect("a dup gives every rank a communicator"))
    }

    fn window(&self, kind: WindowKind, layout: Layout, count: usize, site: Site) -> Result<Box<dyn Window>> {
        let act = Act::Window { kind: kind as u8, layout: layout as u8, count, made: None };
        let note = self.notes.begin(site, self.on, act);
        let result = self.inner.window(kind, layout, count, site);
        let number = self.notes.number();
        let rank = self.inner.rank();
        self.notes.end(note, result.is_ok(), |act| act.has_made(Made { number, rank }));
        Ok(Box::new(NotedWindow::of(result?, self.notes.clone(), number, site)))
    }

    fn nodes(&self, site: Site) -> Result<Vec<usize>> {
        let act = Act::Collective(Brings::of(&Contribution::of(site)));
        self.notes.around(site, self.on, act, || self.inner.nodes(site))
    }

    fn library(&self) -> Option<&dyn Collectives> {
        self.inner.library().map(|_| self as &dyn Collectives)
    }

    fn one_process(&self) -> bool {
        self.inner.one_process()
    }

    fn now(&self) -> u64 {
        self.inner.now()
    }

    fn work(&self, flops: u64, bytes: u64) -> u64 {
        self.inner.work(flops, bytes)
    }

    fn rounds(&self) -> Option<u64> {
        self.inner.rounds()
    }
}
