//! The scribe of a recording.
use std::cell::{Cell, RefCell};

use wb_comm::{Error, Label, Match, Op, Rank, Result, Scribe, Source, dictation::unknowable};

use super::recording::{Growing, Kind, Operation, Recording};

/// One for all ranks of a job, one rank after the other.
pub(super) struct Recorder {
    size: usize,
    rank: Cell<Rank>,
    grown: RefCell<Growing>,
}

impl Recorder {
    pub(super) fn new(size: usize) -> Self {
        Self { size, rank: Cell::new(0), grown: RefCell::new(Growing::new(size)) }
    }

    /// What follows is done by `rank`.
    pub(super) fn enter(&self, rank: Rank) {
        self.rank.set(rank);
    }

    /// That was all of its program.
    pub(super) fn leave(&self) {
        self.grown.borrow_mut().end_rank();
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
            Op::Recv { .. } => return Err(unknowable(wb_comm::text::setup::receive_from_any())),
        };
        if operation.peer >= self.size {
            return Err(Error::no_rank(role, operation.peer, self.size));
        }
        Ok(operation)
    }
}

impl Scribe for Recorder {
    fn rank(&self) -> Rank {
        self.rank.get()
    }

    fn size(&self) -> usize {
        self.size
    }

    fn name(&self) -> &'static str {
        "recorder"
    }

    fn write(&self, ops: &[Op<'_>]) -> Result<()> {
        let mut grown = self.grown.borrow_mut();
        for (number, op) in ops.iter().enumerate() {
            grown.push(self.operation(op)?, number == 0);
        }
        Ok(())
    }
}
