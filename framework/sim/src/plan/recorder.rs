//! The transport that writes down what a rank does and returns at once: nobody waits, nothing is carried.
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use wb_comm::{Block, Error, Label, Match, Op, Pending, Rank, Result, Site, Source, Status, Transport};

use super::recording::{Growing, Kind, Operation, Recording};

/// See the module. One for all ranks of a job, one rank after the other.
///
/// Receive buffers stay as they are and statuses stay empty: what an algorithm does must not depend on them.
pub(super) struct Recorder {
    size: usize,
    rank: Cell<Rank>,
    grown: RefCell<Growing>,
}

impl Recorder {
    pub(super) fn new(size: usize) -> Self {
        Self { size, rank: Cell::new(0), grown: RefCell::new(Growing::new()) }
    }

    /// What follows is done by `rank`.
    pub(super) fn enter(&self, rank: Rank) {
        self.rank.set(rank);
        self.grown.borrow_mut().next_rank();
    }

    pub(super) fn finish(self) -> Recording {
        self.grown.into_inner().finish()
    }

    fn operation(&self, op: &Op<'_>) -> Result<Operation> {
        let (role, operation) = match op {
            Op::Send { to, label, data, synchronous } => {
                let kind = Kind::Send { bytes: data.bytes().len(), synchronous: *synchronous };
                ("destination", Operation { peer: *to, kind, label: *label })
            }
            Op::Recv { from: Source::Rank(from), label: Match { channel, tag: Some(tag) }, data, .. } => {
                let label = Label { channel: *channel, tag: *tag };
                let kind = Kind::Recv { room: data.count() * data.layout().size() };
                ("source", Operation { peer: *from, kind, label })
            }
            Op::Recv { .. } => return Err(unknowable("a receive from anybody or with any tag")),
        };
        if operation.peer >= self.size {
            return Err(Error::Rank { role, rank: operation.peer as i64, size: self.size });
        }
        Ok(operation)
    }
}

fn unknowable(what: &str) -> Error {
    Error::Setup(format!(
        "{what} cannot be written down without running: what comes of it depends on time or data"
    ))
}

impl Transport for Recorder {
    fn rank(&self) -> Rank {
        self.rank.get()
    }

    fn size(&self) -> usize {
        self.size
    }

    fn backend(&self) -> &'static str {
        "recorder"
    }

    fn round(&self, ops: &mut [Op<'_>], _site: Site) -> Result<()> {
        let mut grown = self.grown.borrow_mut();
        for (number, op) in ops.iter().enumerate() {
            grown.push(self.operation(op)?, number == 0);
        }
        Ok(())
    }

    fn post_send(&self, _: Rank, _: Label, _: Block, _: Site) -> Result<Box<dyn Pending>> {
        Err(unknowable("a send that is waited for later"))
    }

    fn post_recv(&self, _: Source, _: Match, _: Block, _: Site) -> Result<Box<dyn Pending>> {
        Err(unknowable("a receive that is waited for later"))
    }

    fn probe(&self, _: Source, _: Match, _: Site) -> Result<Status> {
        Err(unknowable("a probe"))
    }

    fn iprobe(&self, _: Source, _: Match, _: Site) -> Result<Option<Status>> {
        Err(unknowable("a probe"))
    }

    fn split(&self, _: Option<u32>, _: i32, _: Site) -> Result<Option<Rc<dyn Transport>>> {
        Err(unknowable("a split"))
    }

    fn dup(&self, _: Site) -> Result<Rc<dyn Transport>> {
        Err(unknowable("a duplicate"))
    }

    fn now(&self) -> u64 {
        0
    }
}
