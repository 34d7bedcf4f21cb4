//! Estimates of the same program with other costs.
//!
//! Every rank replays its trace: it computes for the recorded time, then makes its call. A call waits until the calls that it
//! needs are entered, and then takes its recorded time without the wait. With the recorded costs this reproduces the recorded
//! times, to the nanosecond, wherever the waits explain them. With other costs it is an estimate from one run, for a program
//! that makes the same calls in the same order and waits for the same ranks.
use std::collections::BTreeMap;

use crate::trace_analysis::{EventRef, HockneyModel, Matching, Timeline, Waits, matching::CallLink, wait};

/// How long the whole would take, nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WhatIf {
    /// The time with the recorded costs: a check of the method on this trace.
    pub as_recorded: u64,
    /// If messages cost their bytes only; `None` where the trace does not determine latency and bandwidth.
    pub zero_latency: Option<u64>,
    /// If bytes cost nothing; `None` where the trace does not determine latency and bandwidth.
    pub infinite_bandwidth: Option<u64>,
    /// If calls cost nothing beyond their waiting.
    pub free_communication: u64,
    /// If every rank computed the mean of all ranks, in each stage and between any two collectives of all ranks.
    pub perfect_balance: u64,
    /// When each rank would end, nanoseconds from the first moment: for each of the four estimates in the order above, where there is one.
    pub rank_ends: [Option<Vec<u64>>; 4],
}

/// Replays the trace with other costs.
pub fn what_if(
    timeline: &Timeline<'_>,
    matching: &Matching,
    waits: &Waits,
    model: Option<HockneyModel>,
) -> WhatIf {
    let replay = CostReplay::new(timeline, matching, waits);
    let whole = |_: EventRef| 1.0;
    let modelled = |keeps: fn(f64) -> f64| {
        model.map(|model| {
            replay.run(&replay.steps, |place| {
                let (bytes, messages) = timeline.traffic(place);
                if messages == 0 { 1.0 } else { keeps(model.latency_share(bytes, messages)) }
            })
        })
    };
    let last = |ends: &Vec<u64>| ends.iter().copied().max().unwrap_or(0);
    let [zero_latency, infinite_bandwidth] = [modelled(|latency| 1.0 - latency), modelled(|latency| latency)];
    let free_communication = replay.run(&replay.steps, |_| 0.0);
    let perfect_balance = replay.run(&replay.balanced(), whole);
    WhatIf {
        as_recorded: last(&replay.run(&replay.steps, whole)),
        zero_latency: zero_latency.as_ref().map(last),
        infinite_bandwidth: infinite_bandwidth.as_ref().map(last),
        free_communication: last(&free_communication),
        perfect_balance: last(&perfect_balance),
        rank_ends: [zero_latency, infinite_bandwidth, Some(free_communication), Some(perfect_balance)],
    }
}

/// What a rank does next.
#[derive(Clone, Copy, Debug)]
enum ReplayStep {
    Compute {
        /// The number of stages that had begun and of collectives of all ranks that were complete: the same on all ranks.
        phase: usize,
        ns: u64,
    },
    Call(usize),
}

struct CostReplay<'a> {
    timeline: &'a Timeline<'a>,
    steps: Vec<Vec<ReplayStep>>,
    /// By rank and event: the calls whose entries it needs, and its time without the wait.
    calls: Vec<Vec<(Vec<EventRef>, u64)>>,
}

impl<'a> CostReplay<'a> {
    fn new(timeline: &'a Timeline<'a>, matching: &Matching, waits: &Waits) -> Self {
        let call = |place: EventRef| {
            let event = timeline.event(place);
            let mut needs = vec![];
            wait::required_calls(timeline, matching, place, |_, on| {
                // A call that returned before the other was entered has not needed it.
                if timeline.event(on).begin_ns <= event.end_ns {
                    needs.push(on);
                }
            });
            let waited = waits.at(place).map_or(0, |wait| wait.ns);
            (needs, event.end_ns - event.begin_ns - waited)
        };
        let calls = |rank: usize| {
            let events = 0..timeline.ranks[rank].events.len();
            events.map(|event| call(EventRef { rank, event })).collect()
        };
        Self {
            timeline,
            steps: (0..timeline.ranks.len()).map(|rank| steps(timeline, matching, rank)).collect(),
            calls: (0..timeline.ranks.len()).map(calls).collect(),
        }
    }

    /// When each rank ends, from the first moment on, when each call keeps this share of its cost.
    fn run(&self, steps: &[Vec<ReplayStep>], share: impl Fn(EventRef) -> f64) -> Vec<u64> {
        let traces = self.timeline.ranks;
        let mut entered: Vec<Vec<Option<u64>>> =
            traces.iter().map(|trace| vec![None; trace.events.len()]).collect();
        let mut progress: Vec<(u64, usize)> =
            traces.iter().map(|trace| (trace.begin_ns - self.timeline.origin, 0)).collect();
        loop {
            let mut moved = false;
            for rank in 0..traces.len() {
                let (mut now, mut next) = progress[rank];
                while let Some(&step) = steps[rank].get(next) {
                    match step {
                        ReplayStep::Compute { ns, .. } => now += ns,
                        ReplayStep::Call(event) => {
                            moved |= entered[rank][event].is_none();
                            entered[rank][event].get_or_insert(now);
                            let (needs, cost) = &self.calls[rank][event];
                            let mut known = needs.iter().map(|on| entered[on.rank][on.event]);
                            let Some(last) = known.try_fold(now, |last, one| one.map(|one| last.max(one)))
                            else {
                                break;
                            };
                            now = last + (*cost as f64 * share(EventRef { rank, event })).round() as u64;
                        }
                    }
                    (next, moved) = (next + 1, true);
                }
                progress[rank] = (now, next);
            }
            if !moved {
                let done = progress.iter().zip(steps).all(|(&(_, next), steps)| next == steps.len());
                assert!(done, "calls that returned have not waited for each other in a circle");
                return progress.into_iter().map(|(now, _)| now).collect();
            }
        }
    }

    /// The steps with every phase's computing spread evenly over the ranks.
    fn balanced(&self) -> Vec<Vec<ReplayStep>> {
        let ranks = self.steps.len() as u64;
        let mut sums: BTreeMap<usize, u64> = BTreeMap::new();
        for step in self.steps.iter().flatten() {
            if let ReplayStep::Compute { phase, ns } = step {
                *sums.entry(*phase).or_default() += ns;
            }
        }
        let mut steps = self.steps.clone();
        for steps in &mut steps {
            let mut rest = &mut steps[..];
            // The pieces of a phase follow each other: a phase ends where the next begins.
            while let Some(phase) = rest.iter().find_map(ReplayStep::phase) {
                let end = rest.iter().position(|step| step.phase().is_some_and(|p| p != phase));
                let (pieces, after) = rest.split_at_mut(end.unwrap_or(rest.len()));
                spread(pieces, sums[&phase] / ranks);
                rest = after;
            }
        }
        steps
    }
}

impl ReplayStep {
    fn phase(&self) -> Option<usize> {
        match self {
            Self::Compute { phase, .. } => Some(*phase),
            Self::Call(_) => None,
        }
    }

    fn computing_mut(&mut self) -> Option<&mut u64> {
        match self {
            Self::Compute { ns, .. } => Some(ns),
            Self::Call(_) => None,
        }
    }
}

fn steps(timeline: &Timeline<'_>, matching: &Matching, rank: usize) -> Vec<ReplayStep> {
    let trace = &timeline.ranks[rank];
    let ranks = timeline.ranks.len();
    let of_all = |event| {
        let joins = |link: &CallLink| matches!(link, CallLink::JoinsCollective(m) if matching.collectives[*m].members.len() == ranks);
        matching.links(EventRef { rank, event }).iter().any(joins)
    };
    let mut stages = trace.stages.iter().map(|stage| stage.begin_ns).peekable();
    let (mut steps, mut now, mut phase) = (vec![], trace.begin_ns, 0);
    let mut compute = |steps: &mut Vec<ReplayStep>, now: &mut u64, phase: &mut usize, until: u64| {
        while let Some(begin) = stages.next_if(|&begin| begin <= until) {
            steps.push(ReplayStep::Compute { phase: *phase, ns: begin.saturating_sub(*now) });
            (*now, *phase) = (begin.max(*now), *phase + 1);
        }
        steps.push(ReplayStep::Compute { phase: *phase, ns: until - *now });
    };
    for (event, call) in trace.events.iter().enumerate() {
        compute(&mut steps, &mut now, &mut phase, call.begin_ns);
        steps.push(ReplayStep::Call(event));
        now = call.end_ns;
        phase += usize::from(of_all(event));
    }
    compute(&mut steps, &mut now, &mut phase, trace.end_ns);
    steps
}

/// Makes the computing of these steps take `mean` altogether, each piece in proportion.
fn spread(steps: &mut [ReplayStep], mean: u64) {
    let before: u64 = steps.iter_mut().filter_map(ReplayStep::computing_mut).map(|ns| *ns).sum();
    let (mut done, mut given) = (0u64, 0u64);
    for ns in steps.iter_mut().filter_map(ReplayStep::computing_mut) {
        done += *ns;
        let due = if before == 0 {
            mean
        } else {
            (u128::from(mean) * u128::from(done) / u128::from(before)) as u64
        };
        (*ns, given) = (due - given, due);
    }
}
