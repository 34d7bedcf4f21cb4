//! Records the operations of every rank without running them.
use std::{cell::RefCell, ops::Range};

use wb_comm::{
    CallSite, Op, OpSink, Rank, RecordingTransport, Result, Source, Verb, View, ViewMut,
    recording_transport::not_recordable,
};

use super::{BroadcastCase, BroadcastRefutation};
use crate::collectives::{
    CollectiveContext,
    broadcast::{Broadcast, Extent},
};

/// One operation; elements are those of the rank's buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RecordedOp {
    Send { to: Rank, elements: Range<usize> },
    Recv { from: Rank, elements: Range<usize> },
}

impl RecordedOp {
    pub(super) fn peer(&self) -> Rank {
        match self {
            Self::Send { to: peer, .. } | Self::Recv { from: peer, .. } => *peer,
        }
    }
}

pub(super) type RankRounds = Vec<Vec<RecordedOp>>;

/// Every rank's rounds, by rank.
///
/// # Errors
/// [`BroadcastRefutation::NotRecordable`], [`BroadcastRefutation::InvalidPeer`].
pub(super) fn programs(
    broadcast: &Broadcast,
    case: &BroadcastCase,
) -> std::result::Result<Vec<RankRounds>, BroadcastRefutation> {
    (0..case.extent.size).map(|rank| program(broadcast, case, rank)).collect()
}

fn program(
    broadcast: &Broadcast,
    case: &BroadcastCase,
    rank: Rank,
) -> std::result::Result<RankRounds, BroadcastRefutation> {
    let Extent { size, count, segment } = case.extent;
    let mut data = vec![0_u64; count];
    let recorder = RecordingTransport(RoundRecorder {
        rank,
        size,
        start: data.as_ptr() as usize,
        count,
        rounds: RefCell::default(),
    });
    let comm = CollectiveContext::new(&recorder, Verb::Bcast, CallSite::caller(Verb::Bcast));
    let ran = broadcast.run(&comm, ViewMut::from_slice(&mut data), case.root, segment);
    ran.map_err(|why| BroadcastRefutation::NotRecordable { rank, error: why.to_string() })?;
    let rounds = recorder.0.rounds.into_inner();
    for (round, steps) in rounds.iter().enumerate() {
        if let Some(peer) = steps.iter().map(RecordedOp::peer).find(|peer| *peer == rank || *peer >= size) {
            return Err(BroadcastRefutation::InvalidPeer { rank, round, peer });
        }
    }
    Ok(rounds)
}

struct RoundRecorder {
    rank: Rank,
    size: usize,
    /// The address of the rank's buffer.
    start: usize,
    /// The number of elements.
    count: usize,
    rounds: RefCell<RankRounds>,
}

impl RoundRecorder {
    fn step(&self, op: &Op<'_>) -> Result<RecordedOp> {
        Ok(match op {
            Op::Send { to, data, .. } => RecordedOp::Send { to: *to, elements: self.elements(*data)? },
            Op::Recv { from: Source::Rank(from), data, .. } => {
                RecordedOp::Recv { from: *from, elements: self.elements(data.as_view())? }
            }
            Op::Recv { .. } => return Err(not_recordable(wb_comm::text::setup::receive_from_any())),
            Op::SendLayout { .. } | Op::RecvLayout { .. } => {
                return Err(not_recordable(wb_comm::text::setup::other_data()));
            }
        })
    }

    /// Broadcasts send from the buffer and receive into it: the start of a view determines its elements.
    fn elements(&self, view: View<'_>) -> Result<Range<usize>> {
        if view.count() == 0 {
            return Ok(0..0);
        }
        let bytes = (view.bytes().as_ptr() as usize).checked_sub(self.start);
        let start =
            bytes.map(|bytes| bytes / size_of::<u64>()).filter(|start| start + view.count() <= self.count);
        let start = start.ok_or_else(|| not_recordable(wb_comm::text::setup::other_data()))?;
        Ok(start..start + view.count())
    }
}

impl OpSink for RoundRecorder {
    fn rank(&self) -> Rank {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn name(&self) -> &'static str {
        "proof"
    }

    fn record(&self, ops: &[Op<'_>]) -> Result<()> {
        let steps = ops.iter().map(|op| self.step(op)).collect::<Result<_>>()?;
        self.rounds.borrow_mut().push(steps);
        Ok(())
    }
}
