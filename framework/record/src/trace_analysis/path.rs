//! The critical path: the chain of work and messages that determines the duration of the run.
//!
//! It is followed backwards from the last exit. On a rank it runs back to the end of the latest wait. The entry of a call on
//! another rank ended that wait at the same instant, and the path continues there. So its segments follow each other without a
//! gap, from the first moment to the last, and work outside the path does not influence the duration.
use crate::trace_analysis::{EventRef, Timeline, Waits};

/// A part of the path on one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CriticalPathSegment {
    /// The rank.
    pub rank: usize,
    /// From when.
    pub begin: u64,
    /// Until when.
    pub end: u64,
}

/// The path, from the first moment to the last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CriticalPath {
    /// In order of time.
    pub segments: Vec<CriticalPathSegment>,
    /// Of the path: outside all calls, nanoseconds.
    pub compute: u64,
    /// Of the path: inside calls, nanoseconds.
    pub transfer: u64,
    /// Of the path: before its first rank had begun, nanoseconds.
    pub start: u64,
}

impl CriticalPath {
    /// Follows the path.
    pub fn from_waits(timeline: &Timeline<'_>, waits: &Waits) -> Self {
        let ranks = timeline.ranks.iter().enumerate();
        let Some((mut rank, _)) = ranks.max_by_key(|(rank, trace)| (trace.end_ns, usize::MAX - rank)) else {
            return Self::default();
        };
        let mut now = timeline.finish;
        // The later events are done: time only decreases here, and no wait is passed twice.
        let mut left: Vec<usize> = timeline.ranks.iter().map(|trace| trace.events.len()).collect();
        let mut path = Self::default();
        while let Some((wait_end, on)) = last_wait(timeline, waits, rank, now, &mut left[rank]) {
            path.push(timeline, CriticalPathSegment { rank, begin: wait_end, end: now });
            (rank, now) = (on, wait_end);
        }
        let begin = timeline.ranks[rank].begin_ns.min(now);
        path.push(timeline, CriticalPathSegment { rank, begin, end: now });
        path.start = begin - timeline.origin;
        path.segments.reverse();
        path
    }

    /// The duration of the path.
    pub fn total(&self) -> u64 {
        self.start + self.segments.iter().map(|segment| segment.end - segment.begin).sum::<u64>()
    }

    fn push(&mut self, timeline: &Timeline<'_>, segment: CriticalPathSegment) {
        let CriticalPathSegment { rank, begin, end } = segment;
        if begin == end {
            return;
        }
        let inside = |(from, to): (u64, u64)| to.min(end).saturating_sub(from.max(begin));
        let compute: u64 = computing_between(timeline, rank, begin, end).map(inside).sum();
        self.compute += compute;
        self.transfer += end - begin - compute;
        self.segments.push(segment);
    }
}

/// The gaps between the calls of `rank` that overlap this time.
fn computing_between(
    timeline: &Timeline<'_>,
    rank: usize,
    begin: u64,
    end: u64,
) -> impl Iterator<Item = (u64, u64)> {
    let trace = &timeline.ranks[rank];
    let first = trace.events.partition_point(|event| event.end_ns < begin);
    let before = if first == 0 { trace.begin_ns } else { trace.events[first - 1].end_ns };
    let events = trace.events[first..].iter().take_while(move |event| event.begin_ns < end);
    let ends = std::iter::once(before).chain(events.clone().map(|event| event.end_ns));
    let last = trace.events[first..].iter().map(|event| event.begin_ns).find(|&from| from >= end);
    ends.zip(events.map(|event| event.begin_ns).chain([last.unwrap_or(trace.end_ns)]))
}

/// The end of the latest wait of `rank` that had ended at `now`, and the rank that ended it.
fn last_wait(
    timeline: &Timeline<'_>,
    waits: &Waits,
    rank: usize,
    now: u64,
    left: &mut usize,
) -> Option<(u64, usize)> {
    while *left > 0 {
        *left -= 1;
        let place = EventRef { rank, event: *left };
        let Some(wait) = waits.at(place) else { continue };
        let wait_end = timeline.event(place).begin_ns + wait.ns;
        // A call that returned before the other call was entered has not waited for it.
        if wait_end <= now && timeline.event(wait.ended_by).begin_ns == wait_end {
            return Some((wait_end, wait.ended_by.rank));
        }
    }
    None
}
