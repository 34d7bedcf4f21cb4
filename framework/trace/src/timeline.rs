//! The lanes of a trace, checked once so that everything else may rely on them.
use wb_record::{EventKind, RankTrace, StageSpan, TraceEvent};

/// Why lanes are no trace of one run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// There is no rank.
    #[error("the trace has no rank")]
    Empty,
    /// A lane ends before it begins, or a call before it is entered, or before the last call was over.
    #[error("rank {rank}: time runs backwards at call {event}")]
    TimeReversed {
        /// The lane.
        rank: usize,
        /// The event's place on it; the number of events for the lane itself.
        event: usize,
    },
    /// A stage ends before it begins, or begins before the first rank does.
    #[error("rank {rank}: time runs backwards at stage {stage}")]
    Stage {
        /// The lane.
        rank: usize,
        /// The stage's place on it.
        stage: usize,
    },
    /// So much time on so many ranks that their sum is beyond what can be counted.
    #[error("the trace says that {ranks} ranks took {ns} ns, expected at most 2^63 ns together")]
    TooLong {
        /// How many ranks.
        ranks: usize,
        /// From the first moment to the last.
        ns: u64,
    },
    /// An event names a call or a communicator that the lane does not have.
    #[error("rank {rank}: call {event} names something that its lane does not have")]
    UnknownReference {
        /// The lane.
        rank: usize,
        /// The event's place on it.
        event: usize,
    },
    /// Two lanes say that they are the same rank of a communicator.
    #[error("ranks {first_rank} and {other} are both rank {rank} of communicator {communicator}")]
    DuplicateRank {
        /// The one.
        first_rank: usize,
        /// The other.
        other: usize,
        /// What they say they are.
        rank: u32,
        /// Of what.
        communicator: String,
    },
    /// A call names a peer that is no lane.
    #[error("rank {rank}: call {event} names rank {peer} of its communicator, which left no trace")]
    UnknownPeer {
        /// The lane.
        rank: usize,
        /// The event's place on it.
        event: usize,
        /// Whom it names.
        peer: u32,
    },
}

/// An event: its lane and its place on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventRef {
    /// The lane.
    pub rank: usize,
    /// The place on it.
    pub event: usize,
}

/// Lanes whose times run forwards and whose names exist.
#[derive(Clone, Copy, Debug)]
pub struct Timeline<'a> {
    /// One per rank.
    pub ranks: &'a [RankTrace],
    /// The first moment of the first rank.
    pub origin: u64,
    /// The last moment of the last rank.
    pub finish: u64,
}

impl<'a> Timeline<'a> {
    /// Checks the lanes.
    ///
    /// # Errors
    /// [`TraceError::Empty`], [`TraceError::TimeReversed`], [`TraceError::Stage`], [`TraceError::TooLong`], [`TraceError::UnknownReference`].
    pub fn new(lanes: &'a [RankTrace]) -> Result<Self, TraceError> {
        let origin = lanes.iter().map(|lane| lane.begin_ns).min().ok_or(TraceError::Empty)?;
        let finish = lanes.iter().map(|lane| lane.end_ns).max().ok_or(TraceError::Empty)?;
        for (number, lane) in lanes.iter().enumerate() {
            let mut now = lane.begin_ns;
            for (event, TraceEvent { call, communicator, begin_ns, end_ns, .. }) in
                lane.events.iter().enumerate()
            {
                if *begin_ns < now || end_ns < begin_ns {
                    return Err(TraceError::TimeReversed { rank: number, event });
                }
                let known = (*call as usize) < lane.calls.len()
                    && (*communicator as usize) < lane.communicators.len();
                if !known {
                    return Err(TraceError::UnknownReference { rank: number, event });
                }
                now = *end_ns;
            }
            if lane.end_ns < now {
                return Err(TraceError::TimeReversed { rank: number, event: lane.events.len() });
            }
            let wrong = |stage: &StageSpan| stage.begin_ns < origin || stage.end_ns < stage.begin_ns;
            if let Some(stage) = lane.stages.iter().position(wrong) {
                return Err(TraceError::Stage { rank: number, stage });
            }
        }
        // Every sum over ranks is at most this product.
        let ns = finish - origin;
        match ns.checked_mul(lanes.len() as u64) {
            Some(sum) if sum <= 1 << 63 => Ok(Self { ranks: lanes, origin, finish }),
            _ => Err(TraceError::TooLong { ranks: lanes.len(), ns }),
        }
    }

    /// The event at a place.
    pub fn event(&self, place: EventRef) -> &'a TraceEvent {
        &self.ranks[place.rank].events[place.event]
    }

    /// Every event, lane by lane.
    pub fn event_refs(&self) -> impl Iterator<Item = EventRef> {
        let lanes = self.ranks;
        (0..lanes.len()).flat_map(move |lane| {
            (0..lanes[lane].events.len()).map(move |event| EventRef { rank: lane, event })
        })
    }

    /// Bytes that a call moved, and in how many messages.
    pub fn traffic(&self, place: EventRef) -> (u64, u64) {
        match &self.event(place).act {
            EventKind::Send { to: one, .. }
            | EventKind::Receive { from: one }
            | EventKind::StartSend { to: one, .. }
            | EventKind::FinishReceive { from: one, .. } => (one.bytes, 1),
            EventKind::Exchange { to, from } => (to.bytes + from.bytes, 2),
            EventKind::Collective { bytes, .. } | EventKind::Access { bytes, .. } => (*bytes, 1),
            EventKind::FinishSend { .. }
            | EventKind::Post { .. }
            | EventKind::Start { .. }
            | EventKind::Complete { .. }
            | EventKind::Wait { .. } => (0, 1),
            EventKind::StartReceive { .. } | EventKind::Local => (0, 0),
        }
    }

    /// From when to when `lane` was in none of its calls.
    pub fn computing(&self, lane: usize) -> impl Iterator<Item = (u64, u64)> + 'a {
        let lane = &self.ranks[lane];
        let ends = std::iter::once(lane.begin_ns).chain(lane.events.iter().map(|event| event.end_ns));
        let begins = lane.events.iter().map(|event| event.begin_ns).chain([lane.end_ns]);
        ends.zip(begins).filter(|(from, to)| from < to)
    }
}
