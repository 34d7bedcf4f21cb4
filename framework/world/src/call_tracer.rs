//! Writes the verbs of one communicator into the rank's log. Worlds that are not traced have none, and pay one comparison a
//! call for that.
//!
//! What is made from a communicator is numbered in the order of its making, which is the same on all ranks because making it
//! is collective: so it gets the same name everywhere without a message.
use std::{cell::Cell, rc::Rc};

use wb_comm::{CallSite, Result, Transport};
use wb_record::{CollectiveShape, EventKind, TraceCommunicator};

use crate::call_log::CallLog;

/// See the module; `None` where nothing is traced.
pub(crate) type OptionalTracer = Option<Rc<CallTracer>>;

pub(crate) struct CallTracer {
    log: Rc<CallLog>,
    /// Whose clock it is.
    clock: Rc<dyn Transport>,
    communicator: u32,
    collectives: Cell<u32>,
    children: Cell<u32>,
}

impl CallTracer {
    /// Writes down what is said in the whole world.
    pub(crate) fn for_world(log: Rc<CallLog>, transport: &Rc<dyn Transport>) -> Rc<Self> {
        Self::with_name(log, transport, "world".to_owned())
    }

    /// Collective: what is made from this communicator next; `color` tells the parts of a split apart.
    pub(crate) fn for_child(&self, transport: &Rc<dyn Transport>, color: Option<u32>) -> Rc<Self> {
        let number = self.next_child();
        let color = color.map_or_else(String::new, |color| format!(":{color}"));
        let name = format!("{}.{number}{color}", self.log.name(self.communicator));
        Self::with_name(Rc::clone(&self.log), transport, name)
    }

    /// Collective: counts a part that this rank does not belong to.
    pub(crate) fn skip_child(&self) {
        self.next_child();
    }

    fn next_child(&self) -> u32 {
        self.children.replace(self.children.get() + 1)
    }

    fn with_name(log: Rc<CallLog>, transport: &Rc<dyn Transport>, name: String) -> Rc<Self> {
        let communicator = log.register(TraceCommunicator {
            name,
            rank: rank_number(transport.rank()),
            size: rank_number(transport.size()),
        });
        let clock = Rc::clone(transport);
        Rc::new(Self { log, clock, communicator, collectives: Cell::new(0), children: Cell::new(0) })
    }

    pub(crate) fn now(&self) -> u64 {
        self.clock.now()
    }

    /// The call at `site`, which began at `begin`, is over.
    pub(crate) fn record(&self, site: CallSite, begin: u64, act: EventKind) {
        self.log.record(site, self.communicator, begin, self.now(), act);
    }

    pub(crate) fn record_stage(&self, name: &'static str, begin: u64, end: u64) {
        self.log.record_stage(name, begin, end);
    }

    /// A number for a request.
    pub(crate) fn next_request(&self) -> u32 {
        self.log.next_request()
    }

    /// The next collective call of this communicator.
    pub(crate) fn collective(&self, shape: CollectiveShape, bytes: usize) -> EventKind {
        let sequence = self.collectives.replace(self.collectives.get() + 1);
        EventKind::Collective { sequence, shape, bytes: bytes as u64 }
    }
}

/// Runs a verb; writes down what it did where that is wanted.
#[inline]
pub(crate) fn trace_call<R>(
    recording: &OptionalTracer,
    site: CallSite,
    verb: impl FnOnce() -> Result<R>,
    act: impl FnOnce(&CallTracer, &R) -> EventKind,
) -> Result<R> {
    let Some(recorder) = recording else { return verb() };
    // The outermost readings: what writing down takes is not the task's computing.
    let processor = recorder.log.processor_ns();
    let begin = recorder.now();
    let result = verb()?;
    recorder.record(site, begin, act(recorder, &result));
    recorder.log.add_call_time_since(processor);
    Ok(result)
}

/// A rank as records have it. A number that no job has a rank of is refused by its verb, and nothing of that call is written
/// down, so what it becomes here does not matter.
pub(crate) fn rank_number(rank: usize) -> u32 {
    u32::try_from(rank).unwrap_or(u32::MAX)
}

/// Ranks as records have them.
pub(crate) fn rank_numbers(ranks: &[usize]) -> Vec<u32> {
    ranks.iter().map(|&rank| rank_number(rank)).collect()
}
