//! Records the operations of a program: the sink of a recording.
use std::cell::{Cell, RefCell};

use wb_comm::{
    Error, MessageTag, Op, OpSink, Rank, RecordingTransport, Result, Source, TagPattern, Transport,
    recording_transport::not_recordable,
};

use super::recording::{RecordedOpKind, RecordedOperation, Recording, RecordingBuilder};

/// Records all ranks of a job, one after the other.
pub(super) struct Recorder {
    size: usize,
    rank: Cell<Rank>,
    builder: RefCell<RecordingBuilder>,
}

impl Recorder {
    pub(super) fn new(size: usize) -> Self {
        Self { size, rank: Cell::new(0), builder: RefCell::new(RecordingBuilder::new(size)) }
    }

    /// The operations that follow are those of `rank`.
    pub(super) fn begin_rank(&self, rank: Rank) {
        self.rank.set(rank);
    }

    /// The rank's program is complete.
    pub(super) fn end_rank(&self) {
        self.builder.borrow_mut().end_rank();
    }

    pub(super) fn finish(self) -> Recording {
        self.builder.into_inner().finish()
    }

    fn recorded_operation(&self, op: &Op<'_>) -> Result<RecordedOperation> {
        let (role, operation) = match op {
            Op::Send { to, tag, data, mode } => {
                let kind =
                    RecordedOpKind::Send { bytes: data.bytes().len(), synchronous: mode.is_synchronous() };
                ("destination", RecordedOperation { peer: *to, kind, tag: *tag })
            }
            Op::Recv {
                from: Source::Rank(from),
                tag: TagPattern { context: channel, tag: Some(tag) },
                data,
                ..
            } => {
                let tag = MessageTag { context: *channel, tag: *tag };
                let kind = RecordedOpKind::Recv { capacity: data.count() * data.datatype().size() };
                ("source", RecordedOperation { peer: *from, kind, tag })
            }
            Op::SendLayout { to, tag, data } => {
                let kind = RecordedOpKind::Send { bytes: data.byte_count(), synchronous: false };
                ("destination", RecordedOperation { peer: *to, kind, tag: *tag })
            }
            Op::RecvLayout {
                from: Source::Rank(from),
                tag: TagPattern { context: channel, tag: Some(tag) },
                data,
                ..
            } => {
                let tag = MessageTag { context: *channel, tag: *tag };
                let kind = RecordedOpKind::Recv { capacity: data.byte_count() };
                ("source", RecordedOperation { peer: *from, kind, tag })
            }
            Op::Recv { .. } | Op::RecvLayout { .. } => {
                return Err(not_recordable(wb_comm::text::setup::receive_from_any()));
            }
        };
        if operation.peer >= self.size {
            return Err(Error::invalid_rank(role, operation.peer, self.size));
        }
        Ok(operation)
    }
}

impl Recording {
    /// Records what `program` does as each of `size` ranks, on a transport that completes every call immediately,
    /// without data.
    ///
    /// # Errors
    /// The program's own error; [`wb_comm::Error::Setup`] where it uses what depends on more than the rank and the
    /// size: wildcard receives, probes, tests.
    ///
    /// # Panics
    /// For 2^32 or more ranks.
    pub fn from_program(size: usize, mut program: impl FnMut(&dyn Transport) -> Result<()>) -> Result<Self> {
        assert!(u32::try_from(size).is_ok(), "{size} ranks");
        let recorder = RecordingTransport(Recorder::new(size));
        for rank in 0..size {
            recorder.0.begin_rank(rank);
            program(&recorder)?;
            recorder.0.end_rank();
        }
        Ok(recorder.0.finish())
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
