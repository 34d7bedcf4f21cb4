//! The log of a rank's calls and their times: recorded while a task runs, read afterwards as the rank's part of a
//! trace.
//!
//! A log belongs to one rank, and only the rank's thread writes it: there is no lock and no shared data. It stores
//! source locations as the compiler gives them and makes no text before it is read. It does not grow beyond its limit;
//! further calls are only counted, and the count is reported.
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
};

use wb_comm::CallSite;
use wb_record::{
    CollectiveRound, EventKind, RankTrace, SourceCall, StageSpan, TraceCommunicator, TraceEvent,
};

/// The number of events for which memory is allocated at the start, so that a short run never allocates.
const INITIAL_CAPACITY: usize = 1 << 14;

/// The log of one rank (see the module).
#[derive(Debug)]
pub struct CallLog {
    events: RefCell<Vec<LoggedCall>>,
    /// The rounds inside of collective calls.
    rounds: RefCell<Vec<CollectiveRound>>,
    stages: RefCell<Vec<(&'static str, u64, u64)>>,
    communicators: RefCell<Vec<TraceCommunicator>>,
    requests: Cell<u32>,
    dropped_events: Cell<u64>,
    dropped_events_ns: Cell<u64>,
    processor_ns: fn() -> u64,
    in_calls_ns: Cell<u64>,
    completes_at_start: Cell<bool>,
    limit: usize,
}

#[derive(Debug)]
struct LoggedCall {
    site: CallSite,
    communicator: u32,
    begin_ns: u64,
    end_ns: u64,
    kind: EventKind,
}

impl CallLog {
    pub(crate) fn new(limit: usize, processor_ns: fn() -> u64) -> Self {
        Self {
            events: RefCell::new(Vec::with_capacity(limit.min(INITIAL_CAPACITY))),
            rounds: RefCell::default(),
            stages: RefCell::default(),
            communicators: RefCell::default(),
            requests: Cell::new(0),
            dropped_events: Cell::new(0),
            dropped_events_ns: Cell::new(0),
            processor_ns,
            in_calls_ns: Cell::new(0),
            completes_at_start: Cell::new(false),
            limit,
        }
    }

    /// From now on each started collective operation is complete when the call that starts it returns: the program without overlap.
    pub fn complete_at_start(&self) {
        self.completes_at_start.set(true);
    }

    pub(crate) fn completes_at_start(&self) -> bool {
        self.completes_at_start.get()
    }

    /// Gives a communicator its number.
    pub(crate) fn register(&self, communicator: TraceCommunicator) -> u32 {
        let mut communicators = self.communicators.borrow_mut();
        communicators.push(communicator);
        u32::try_from(communicators.len() - 1).expect("communicators are counted by the thousand at most")
    }

    /// Gives a communicator the ranks from which this one receives in neighbourhood collectives.
    pub(crate) fn set_sources(&self, communicator: u32, sources: Vec<u32>) {
        self.communicators.borrow_mut()[communicator as usize].sources = sources;
    }

    pub(crate) fn name(&self, communicator: u32) -> String {
        self.communicators.borrow()[communicator as usize].name.clone()
    }

    /// A number for a request.
    pub(crate) fn next_request(&self) -> u32 {
        let number = self.requests.get();
        self.requests.set(number.wrapping_add(1));
        number
    }

    pub(crate) fn record(
        &self,
        site: CallSite,
        communicator: u32,
        begin_ns: u64,
        end_ns: u64,
        act: EventKind,
    ) {
        let mut events = self.events.borrow_mut();
        if events.len() < self.limit {
            events.push(LoggedCall { site, communicator, begin_ns, end_ns, kind: act });
        } else {
            self.dropped_events.set(self.dropped_events.get() + 1);
            self.dropped_events_ns.set(self.dropped_events_ns.get() + end_ns.saturating_sub(begin_ns));
        }
    }

    /// Records messages inside of the call that is recorded next.
    pub(crate) fn record_round(&self, round: CollectiveRound) {
        let event = self.events.borrow().len();
        let mut rounds = self.rounds.borrow_mut();
        if event < self.limit && rounds.len() < self.limit {
            rounds.push(CollectiveRound { event: event as u32, ..round });
        }
    }

    /// This rank's processor time up to now.
    pub(crate) fn processor_ns(&self) -> u64 {
        (self.processor_ns)()
    }

    /// Adds the processor time of a call that began at this time and ends now.
    pub(crate) fn add_call_time_since(&self, began_ns: u64) {
        let spent = self.processor_ns().saturating_sub(began_ns);
        self.in_calls_ns.set(self.in_calls_ns.get() + spent);
    }

    /// The processor time of the calls since the previous query.
    pub fn take_in_calls_ns(&self) -> u64 {
        self.in_calls_ns.take()
    }

    pub(crate) fn record_stage(&self, name: &'static str, begin_ns: u64, end_ns: u64) {
        self.stages.borrow_mut().push((name, begin_ns, end_ns));
    }

    /// The calls recorded between two times of the world's clock; they are removed from the log.
    pub fn rank_trace(&self, begin_ns: u64, end_ns: u64) -> RankTrace {
        let mut numbers: HashMap<SourceCall, u32> = HashMap::new();
        let mut calls = vec![];
        let mut number = |site: CallSite| {
            let (file, line) = (site.location.file().to_owned(), site.location.line());
            let call = SourceCall { verb: site.verb.name().to_owned(), file, line };
            *numbers.entry(call).or_insert_with_key(|call| {
                calls.push(call.clone());
                calls.len() as u32 - 1
            })
        };
        let noted = self.events.take();
        // A call that failed has left no event.
        let mut rounds = self.rounds.take();
        rounds.retain(|round| (round.event as usize) < noted.len());
        let noted = noted.into_iter();
        let events = noted
            .map(|LoggedCall { site, communicator, begin_ns, end_ns, kind: act }| TraceEvent {
                call: number(site),
                communicator,
                begin_ns,
                end_ns,
                act,
            })
            .collect();
        let stage = |(name, begin_ns, end_ns): (&str, u64, u64)| StageSpan {
            name: name.to_owned(),
            begin_ns,
            end_ns,
        };
        RankTrace {
            begin_ns,
            end_ns,
            stages: self.stages.take().into_iter().map(stage).collect(),
            communicators: self.communicators.borrow().clone(),
            events,
            rounds,
            calls,
            left_out: self.dropped_events.take(),
            left_out_ns: self.dropped_events_ns.take(),
            ..RankTrace::default()
        }
    }
}
