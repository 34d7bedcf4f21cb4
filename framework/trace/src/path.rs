//! The critical path: the chain of work and messages that the whole took so long for.
//!
//! It is followed from the last exit backwards. On a rank it runs until the end of the latest waiting; what ended that
//! waiting is the entry of a call on another rank at the same instant, and there it goes on. So its segments follow each
//! other without a gap, from the first moment to the last, and shortening anything off the path shortens nothing.
use crate::{EventRef, Timeline, Waits};

/// The path's stay on one rank.
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
    /// Of the path: before the rank that it begins on had begun, nanoseconds.
    pub start: u64,
}

impl CriticalPath {
    /// Follows the path.
    pub fn from_waits(timeline: &Timeline<'_>, waits: &Waits) -> Self {
        let lanes = timeline.ranks.iter().enumerate();
        let Some((mut lane, _)) = lanes.max_by_key(|(number, lane)| (lane.end_ns, usize::MAX - number))
        else {
            return Self::default();
        };
        let mut now = timeline.finish;
        // Events behind these have been looked at: time never runs forwards here, and no waiting is passed twice.
        let mut left: Vec<usize> = timeline.ranks.iter().map(|lane| lane.events.len()).collect();
        let mut path = Self::default();
        while let Some((over, on)) = last_wait(timeline, waits, lane, now, &mut left[lane]) {
            path.push(timeline, CriticalPathSegment { rank: lane, begin: over, end: now });
            (lane, now) = (on, over);
        }
        let begin = timeline.ranks[lane].begin_ns.min(now);
        path.push(timeline, CriticalPathSegment { rank: lane, begin, end: now });
        path.start = begin - timeline.origin;
        path.segments.reverse();
        path
    }

    /// All of it.
    pub fn total(&self) -> u64 {
        self.start + self.segments.iter().map(|segment| segment.end - segment.begin).sum::<u64>()
    }

    fn push(&mut self, timeline: &Timeline<'_>, segment: CriticalPathSegment) {
        let CriticalPathSegment { rank: lane, begin, end } = segment;
        if begin == end {
            return;
        }
        let inside = |(from, to): (u64, u64)| to.min(end).saturating_sub(from.max(begin));
        let compute: u64 = computing_between(timeline, lane, begin, end).map(inside).sum();
        self.compute += compute;
        self.transfer += end - begin - compute;
        self.segments.push(segment);
    }
}

/// The gaps between calls of `lane` that reach into this time.
fn computing_between(
    timeline: &Timeline<'_>,
    lane: usize,
    begin: u64,
    end: u64,
) -> impl Iterator<Item = (u64, u64)> {
    let lane = &timeline.ranks[lane];
    let first = lane.events.partition_point(|event| event.end_ns < begin);
    let before = if first == 0 { lane.begin_ns } else { lane.events[first - 1].end_ns };
    let events = lane.events[first..].iter().take_while(move |event| event.begin_ns < end);
    let ends = std::iter::once(before).chain(events.clone().map(|event| event.end_ns));
    let last = lane.events[first..].iter().map(|event| event.begin_ns).find(|&from| from >= end);
    ends.zip(events.map(|event| event.begin_ns).chain([last.unwrap_or(lane.end_ns)]))
}

/// When the latest waiting of `lane` that was over at `now` was over, and on which lane that was decided.
fn last_wait(
    timeline: &Timeline<'_>,
    waits: &Waits,
    lane: usize,
    now: u64,
    left: &mut usize,
) -> Option<(u64, usize)> {
    while *left > 0 {
        *left -= 1;
        let place = EventRef { rank: lane, event: *left };
        let Some(wait) = waits.at(place) else { continue };
        let over = timeline.event(place).begin_ns + wait.ns;
        // Whoever returned before the one it is said to have waited for was entered has not waited for it.
        if over <= now && timeline.event(wait.ended_by).begin_ns == over {
            return Some((over, wait.ended_by.rank));
        }
    }
    None
}
