//! The lanes of a trace, checked once so that everything else may rely on them.
use wb_record::{Act, Event, Lane, StageSpan};

/// Why lanes are no trace of one run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Broken {
    /// There is no rank.
    #[error("the trace has no rank")]
    Empty,
    /// A lane ends before it begins, or a call before it is entered, or before the last call was over.
    #[error("rank {lane}: time runs backwards at call {event}")]
    Backwards {
        /// The lane.
        lane: usize,
        /// The event's place on it; the number of events for the lane itself.
        event: usize,
    },
    /// A stage ends before it begins, or begins before the first rank does.
    #[error("rank {lane}: time runs backwards at stage {stage}")]
    Stage {
        /// The lane.
        lane: usize,
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
    #[error("rank {lane}: call {event} names something that its lane does not have")]
    Dangling {
        /// The lane.
        lane: usize,
        /// The event's place on it.
        event: usize,
    },
    /// Two lanes say that they are the same rank of a communicator.
    #[error("ranks {lane} and {other} are both rank {rank} of communicator {communicator}")]
    Twice {
        /// The one.
        lane: usize,
        /// The other.
        other: usize,
        /// What they say they are.
        rank: u32,
        /// Of what.
        communicator: String,
    },
    /// A call names a peer that is no lane.
    #[error("rank {lane}: call {event} names rank {peer} of its communicator, which left no trace")]
    Stranger {
        /// The lane.
        lane: usize,
        /// The event's place on it.
        event: usize,
        /// Whom it names.
        peer: u32,
    },
}

/// An event: its lane and its place on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The lane.
    pub lane: usize,
    /// The place on it.
    pub event: usize,
}

/// Lanes whose times run forwards and whose names exist.
#[derive(Clone, Copy, Debug)]
pub struct Timeline<'a> {
    /// One per rank.
    pub lanes: &'a [Lane],
    /// The first moment of the first rank.
    pub origin: u64,
    /// The last moment of the last rank.
    pub finish: u64,
}

impl<'a> Timeline<'a> {
    /// Checks the lanes.
    ///
    /// # Errors
    /// [`Broken::Empty`], [`Broken::Backwards`], [`Broken::Stage`], [`Broken::TooLong`], [`Broken::Dangling`].
    pub fn of(lanes: &'a [Lane]) -> Result<Self, Broken> {
        let origin = lanes.iter().map(|lane| lane.begin_ns).min().ok_or(Broken::Empty)?;
        let finish = lanes.iter().map(|lane| lane.end_ns).max().ok_or(Broken::Empty)?;
        for (number, lane) in lanes.iter().enumerate() {
            let mut now = lane.begin_ns;
            for (event, Event { call, communicator, begin_ns, end_ns, .. }) in lane.events.iter().enumerate()
            {
                if *begin_ns < now || end_ns < begin_ns {
                    return Err(Broken::Backwards { lane: number, event });
                }
                let known = (*call as usize) < lane.calls.len()
                    && (*communicator as usize) < lane.communicators.len();
                if !known {
                    return Err(Broken::Dangling { lane: number, event });
                }
                now = *end_ns;
            }
            if lane.end_ns < now {
                return Err(Broken::Backwards { lane: number, event: lane.events.len() });
            }
            let wrong = |stage: &StageSpan| stage.begin_ns < origin || stage.end_ns < stage.begin_ns;
            if let Some(stage) = lane.stages.iter().position(wrong) {
                return Err(Broken::Stage { lane: number, stage });
            }
        }
        // Every sum over ranks is at most this product.
        let ns = finish - origin;
        match ns.checked_mul(lanes.len() as u64) {
            Some(sum) if sum <= 1 << 63 => Ok(Self { lanes, origin, finish }),
            _ => Err(Broken::TooLong { ranks: lanes.len(), ns }),
        }
    }

    /// The event at a place.
    pub fn event(&self, place: Place) -> &'a Event {
        &self.lanes[place.lane].events[place.event]
    }

    /// Every event, lane by lane.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        let lanes = self.lanes;
        (0..lanes.len())
            .flat_map(move |lane| (0..lanes[lane].events.len()).map(move |event| Place { lane, event }))
    }

    /// Bytes that a call moved, and in how many messages.
    pub fn moved(&self, place: Place) -> (u64, u64) {
        match &self.event(place).act {
            Act::Send { to: one, .. }
            | Act::Receive { from: one }
            | Act::StartSend { to: one, .. }
            | Act::FinishReceive { from: one, .. } => (one.bytes, 1),
            Act::Exchange { to, from } => (to.bytes + from.bytes, 2),
            Act::Collective { bytes, .. } | Act::Access { bytes, .. } => (*bytes, 1),
            Act::FinishSend { .. }
            | Act::Post { .. }
            | Act::Start { .. }
            | Act::Complete { .. }
            | Act::Wait { .. } => (0, 1),
            Act::StartReceive { .. } | Act::Local => (0, 0),
        }
    }

    /// From when to when `lane` was in none of its calls.
    pub fn computing(&self, lane: usize) -> impl Iterator<Item = (u64, u64)> + 'a {
        let lane = &self.lanes[lane];
        let ends = std::iter::once(lane.begin_ns).chain(lane.events.iter().map(|event| event.end_ns));
        let begins = lane.events.iter().map(|event| event.begin_ns).chain([lane.end_ns]);
        ends.zip(begins).filter(|(from, to)| from < to)
    }
}
