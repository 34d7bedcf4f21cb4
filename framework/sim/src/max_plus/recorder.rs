//! The scribe of a recording.
use std::cell::{Cell, RefCell};

use wb_comm::{
    Error, MessageTag, Op, OpSink, Rank, Result, Source, TagPattern, recording_transport::not_recordable,
};

use super::recording::{RecordedOpKind, RecordedOperation, Recording, RecordingBuilder};

/// One for all ranks of a job, one rank after the other.
pub(super) struct Recorder {
    size: usize,
    rank: Cell<Rank>,
    builder: RefCell<RecordingBuilder>,
}

impl Recorder {
    pub(super) fn new(size: usize) -> Self {
        Self { size, rank: Cell::new(0), builder: RefCell::new(RecordingBuilder::new(size)) }
    }

    /// What follows is done by `rank`.
    pub(super) fn begin_rank(&self, rank: Rank) {
        self.rank.set(rank);
    }

    /// That was all of its program.
    pub(super) fn end_rank(&self) {
        self.builder.borrow_mut().end_rank();
    }

    pub(super) fn finish(self) -> Recording {
        self.builder.into_inner().finish()
    }

    fn recorded_operation(&self, op: &Op<'_>) -> Result<RecordedOperation> {
        let (role, operation) = match op {
            Op::Send { to, tag: label, data, synchronous } => {
                let kind = RecordedOpKind::Send { bytes: data.bytes().len(), synchronous: *synchronous };
                ("destination", RecordedOperation { peer: *to, kind, tag: *label })
            }
            Op::Recv {
                from: Source::Rank(from),
                tag: TagPattern { context: channel, tag: Some(tag) },
                data,
                ..
            } => {
                let label = MessageTag { context: *channel, tag: *tag };
                let kind = RecordedOpKind::Recv { capacity: data.count() * data.datatype().size() };
                ("source", RecordedOperation { peer: *from, kind, tag: label })
            }
            Op::Recv { .. } => return Err(not_recordable(wb_comm::text::setup::receive_from_any())),
        };
        if operation.peer >= self.size {
            return Err(Error::invalid_rank(role, operation.peer, self.size));
        }
        Ok(operation)
    }
}

impl OpSink for Recorder {
    fn rank(&self) -> Rank {
        self.rank.get()
    }

    fn size(&self) -> usize {
        self.size
    }

    fn name(&self) -> &'static str {
        "recorder"
    }

    fn record(&self, ops: &[Op<'_>]) -> Result<()> {
        let mut grown = self.builder.borrow_mut();
        for (number, op) in ops.iter().enumerate() {
            grown.push(self.recorded_operation(op)?, number == 0);
        }
        Ok(())
    }
}
