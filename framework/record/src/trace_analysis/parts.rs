//! The parts of a rank's time. The sum of the parts of a rank is the duration of the run, to the nanosecond.
use std::ops::Add;

use crate::trace_analysis::{EventRef, Timeline, WaitStateKind, Waits};

/// Nanoseconds of one rank between the first moment of the first rank and the last moment of the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Outside all calls, while other ranks work too.
    pub compute: u64,
    /// Outside all calls, while *every* other rank waits or is absent: no rank shares this work.
    pub serial: u64,
    /// Not begun yet, or finished while other ranks still work.
    pub imbalance: u64,
    /// In a receive whose message was not sent yet.
    pub late_sender: u64,
    /// In a send whose receive was not posted yet.
    pub late_receiver: u64,
    /// In a collective that another rank had not entered yet.
    pub collective: u64,
    /// The rest of all calls: transfer, copying, the library's own work.
    pub transfer: u64,
}

impl Parts {
    /// The sum of all parts.
    pub fn total(&self) -> u64 {
        self.array().iter().sum()
    }

    /// The parts in the order of their declaration.
    pub fn array(&self) -> [u64; 7] {
        let Self { compute, serial, imbalance, late_sender, late_receiver, collective, transfer } = *self;
        [compute, serial, imbalance, late_sender, late_receiver, collective, transfer]
    }
}

impl Add for Parts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            compute: self.compute + other.compute,
            serial: self.serial + other.serial,
            imbalance: self.imbalance + other.imbalance,
            late_sender: self.late_sender + other.late_sender,
            late_receiver: self.late_receiver + other.late_receiver,
            collective: self.collective + other.collective,
            transfer: self.transfer + other.transfer,
        }
    }
}

/// The parts of every rank.
pub fn split(timeline: &Timeline<'_>, waits: &Waits) -> Vec<Parts> {
    let alone = serial_time(timeline, waits);
    let parts = |(rank, serial): (usize, u64)| {
        let trace = &timeline.ranks[rank];
        let computing: u64 = timeline.computing(rank).map(|(from, to)| to - from).sum();
        let mut parts = Parts {
            compute: computing - serial,
            serial,
            imbalance: trace.begin_ns - timeline.origin + timeline.finish - trace.end_ns,
            ..Parts::default()
        };
        for (event, call) in trace.events.iter().enumerate() {
            let wait = waits.at(EventRef { rank, event });
            match wait.map(|wait| (wait.cause, wait.ns)) {
                Some((WaitStateKind::LateSender, ns)) => parts.late_sender += ns,
                Some((WaitStateKind::LateReceiver, ns)) => parts.late_receiver += ns,
                Some((WaitStateKind::Collective, ns)) => parts.collective += ns,
                None => {}
            }
            parts.transfer += call.end_ns - call.begin_ns - wait.map_or(0, |wait| wait.ns);
        }
        parts
    };
    alone.into_iter().enumerate().map(parts).collect()
}

/// The time in which each rank computed while all others waited, had not begun or were done; 0 for a single rank.
fn serial_time(timeline: &Timeline<'_>, waits: &Waits) -> Vec<u64> {
    let ranks = timeline.ranks.len();
    let mut alone = vec![0; ranks];
    if ranks < 2 {
        return alone;
    }
    let mut changes = vec![];
    for (rank, trace) in timeline.ranks.iter().enumerate() {
        changes.extend(timeline.computing(rank).map(|(from, to)| (from, to, rank, true)));
        changes.push((timeline.origin, trace.begin_ns, rank, false));
        changes.push((trace.end_ns, timeline.finish, rank, false));
    }
    changes.extend(waits.all().map(|(place, wait)| {
        let begin = timeline.event(place).begin_ns;
        (begin, begin + wait.ns, place.rank, false)
    }));
    let mut marks: Vec<(u64, bool, usize, bool)> = changes
        .into_iter()
        .filter(|(from, to, _, _)| from < to)
        .flat_map(|(from, to, rank, computes)| [(from, true, rank, computes), (to, false, rank, computes)])
        .collect();
    marks.sort_unstable();
    // With one rank computing, the sum of the numbers of those that compute is its number.
    let (mut computing, mut sum, mut waiting, mut now) = (0, 0, 0, timeline.origin);
    for (at, begins, rank, computes) in marks {
        if computing == 1 && waiting == ranks - 1 {
            let worker: usize = sum;
            alone[worker] += at - now;
        }
        now = at;
        match (computes, begins) {
            (true, true) => (computing, sum) = (computing + 1, sum + rank),
            (true, false) => (computing, sum) = (computing - 1, sum - rank),
            (false, true) => waiting += 1,
            (false, false) => waiting -= 1,
        }
    }
    alone
}
