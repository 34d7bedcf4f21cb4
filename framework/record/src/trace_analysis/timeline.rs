//! The traces of all ranks, checked once, so that the analysis can rely on them.
use crate::{EventKind, RankTrace, StageSpan, TraceEvent};

/// Why the traces of the ranks are not a trace of one run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The trace has no rank.
    #[error("the trace has no rank")]
    Empty,
    /// A rank ends before it begins, or a call returns before its entry, or begins before the return of the former call.
    #[error("rank {rank}: time runs backwards at call {event}")]
    TimeReversed {
        /// The rank.
        rank: usize,
        /// The number of the event; the number of all events for the rank itself.
        event: usize,
    },
    /// A stage ends before it begins, or begins before the first rank does.
    #[error("rank {rank}: time runs backwards at stage {stage}")]
    Stage {
        /// The rank.
        rank: usize,
        /// The number of the stage.
        stage: usize,
    },
    /// The sum of the times of all ranks is too large to be counted.
    #[error("the trace has {ranks} ranks of {ns} ns, expected at most 2^63 ns together")]
    TooLong {
        /// How many ranks.
        ranks: usize,
        /// From the first moment to the last.
        ns: u64,
    },
    /// An event names a call or a communicator that its rank does not have.
    #[error("rank {rank}: call {event} names a source line or a communicator that this rank does not have")]
    UnknownReference {
        /// The rank.
        rank: usize,
        /// The number of the event.
        event: usize,
    },
    /// Two ranks are the same rank of a communicator.
    #[error("ranks {first_rank} and {other} are both rank {rank} of communicator {communicator}")]
    DuplicateRank {
        /// The first.
        first_rank: usize,
        /// The other rank.
        other: usize,
        /// The rank in the communicator.
        rank: u32,
        /// The communicator.
        communicator: String,
    },
    /// A call names a peer that is not in the trace.
    #[error("rank {rank}: call {event} names rank {peer} of its communicator, which left no trace")]
    UnknownPeer {
        /// The rank.
        rank: usize,
        /// The number of the event.
        event: usize,
        /// The rank that it names.
        peer: u32,
    },
}

/// A reference to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventRef {
    /// The rank.
    pub rank: usize,
    /// The number of the event on its rank.
    pub event: usize,
}

/// The traces of all ranks: times increase, and all references are valid.
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
    /// Checks the traces.
    ///
    /// # Errors
    /// [`TraceError::Empty`], [`TraceError::TimeReversed`], [`TraceError::Stage`], [`TraceError::TooLong`], [`TraceError::UnknownReference`].
    pub fn new(ranks: &'a [RankTrace]) -> Result<Self, TraceError> {
        let origin = ranks.iter().map(|trace| trace.begin_ns).min().ok_or(TraceError::Empty)?;
        let finish = ranks.iter().map(|trace| trace.end_ns).max().ok_or(TraceError::Empty)?;
        for (rank, trace) in ranks.iter().enumerate() {
            let mut now = trace.begin_ns;
            for (event, TraceEvent { call, communicator, begin_ns, end_ns, .. }) in
                trace.events.iter().enumerate()
            {
                if *begin_ns < now || end_ns < begin_ns {
                    return Err(TraceError::TimeReversed { rank, event });
                }
                let known = (*call as usize) < trace.calls.len()
                    && (*communicator as usize) < trace.communicators.len();
                if !known {
                    return Err(TraceError::UnknownReference { rank, event });
                }
                now = *end_ns;
            }
            if trace.end_ns < now {
                return Err(TraceError::TimeReversed { rank, event: trace.events.len() });
            }
            for round in &trace.rounds {
                let event = round.event as usize;
                if trace.events.get(event).is_none() {
                    return Err(TraceError::UnknownReference { rank, event });
                }
                if round.end_ns < round.begin_ns || round.begin_ns < origin {
                    return Err(TraceError::TimeReversed { rank, event });
                }
            }
            let wrong = |stage: &StageSpan| stage.begin_ns < origin || stage.end_ns < stage.begin_ns;
            if let Some(stage) = trace.stages.iter().position(wrong) {
                return Err(TraceError::Stage { rank, stage });
            }
        }
        // Every sum over ranks is at most this product.
        let ns = finish - origin;
        match ns.checked_mul(ranks.len() as u64) {
            Some(sum) if sum <= 1 << 63 => Ok(Self { ranks, origin, finish }),
            _ => Err(TraceError::TooLong { ranks: ranks.len(), ns }),
        }
    }

    /// The event at a place.
    pub fn event(&self, place: EventRef) -> &'a TraceEvent {
        &self.ranks[place.rank].events[place.event]
    }

    /// Every event, rank by rank.
    pub fn event_refs(&self) -> impl Iterator<Item = EventRef> {
        let ranks = self.ranks;
        (0..ranks.len())
            .flat_map(move |rank| (0..ranks[rank].events.len()).map(move |event| EventRef { rank, event }))
    }

    /// Bytes that a call moved, and in how many messages.
    pub fn traffic(&self, place: EventRef) -> (u64, u64) {
        match &self.event(place).act {
            EventKind::Send { to: one, .. }
            | EventKind::Receive { from: one }
            | EventKind::StartSend { to: one, .. }
            | EventKind::FinishReceive { from: one, .. } => (one.bytes, 1),
            EventKind::Exchange { to, from } => (to.bytes + from.bytes, 2),
            EventKind::Collective { bytes, .. }
            | EventKind::StartCollective { bytes, .. }
            | EventKind::Access { bytes, .. }
            | EventKind::File { bytes, .. } => (*bytes, 1),
            EventKind::FinishSend { .. }
            | EventKind::FinishCollective { .. }
            | EventKind::Post { .. }
            | EventKind::Start { .. }
            | EventKind::Complete { .. }
            | EventKind::Wait { .. } => (0, 1),
            EventKind::StartReceive { .. } | EventKind::Local => (0, 0),
        }
    }

    /// The intervals in which `rank` was outside its calls.
    pub fn computing(&self, rank: usize) -> impl Iterator<Item = (u64, u64)> + 'a {
        let trace = &self.ranks[rank];
        let ends = std::iter::once(trace.begin_ns).chain(trace.events.iter().map(|event| event.end_ns));
        let begins = trace.events.iter().map(|event| event.begin_ns).chain([trace.end_ns]);
        ends.zip(begins).filter(|(from, to)| from < to)
    }
}
