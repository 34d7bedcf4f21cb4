//! Writes the verbs of one communicator into the rank's log. Worlds that are not traced have none, and pay one comparison a
//! call for that.
//!
//! What is made from a communicator is numbered in the order of its making, which is the same on all ranks because making it
//! is collective: so it gets the same name everywhere without a message.
use std::{cell::Cell, rc::Rc};

use wb_comm::{Result, Site, Transport};
use wb_record::{Act, Communicator, Shape};

use crate::log::Log;

/// See the module; `None` where nothing is traced.
pub(crate) type Recording = Option<Rc<Recorder>>;

pub(crate) struct Recorder {
    log: Rc<Log>,
    /// Whose clock it is.
    clock: Rc<dyn Transport>,
    communicator: u32,
    collectives: Cell<u32>,
    parts: Cell<u32>,
}

impl Recorder {
    /// Writes down what is said in the whole world.
    pub(crate) fn root(log: Rc<Log>, transport: &Rc<dyn Transport>) -> Rc<Self> {
        Self::named(log, transport, "world".to_owned())
    }

    /// Collective: what is made from this communicator next; `color` tells the parts of a split apart.
    pub(crate) fn part(&self, transport: &Rc<dyn Transport>, color: Option<u32>) -> Rc<Self> {
        let number = self.next_part();
        let color = color.map_or_else(String::new, |color| format!(":{color}"));
        let name = format!("{}.{number}{color}", self.log.name(self.communicator));
        Self::named(Rc::clone(&self.log), transport, name)
    }

    /// Collective: counts a part that this rank does not belong to.
    pub(crate) fn skip_part(&self) {
        self.next_part();
    }

    fn next_part(&self) -> u32 {
        self.parts.replace(self.parts.get() + 1)
    }

    fn named(log: Rc<Log>, transport: &Rc<dyn Transport>, name: String) -> Rc<Self> {
        let communicator =
            log.enter(Communicator { name, rank: number(transport.rank()), size: number(transport.size()) });
        let clock = Rc::clone(transport);
        Rc::new(Self { log, clock, communicator, collectives: Cell::new(0), parts: Cell::new(0) })
    }

    pub(crate) fn now(&self) -> u64 {
        self.clock.now()
    }

    /// The call at `site`, which began at `begin`, is over.
    pub(crate) fn note(&self, site: Site, begin: u64, act: Act) {
        self.log.note(site, self.communicator, begin, self.now(), act);
    }

    pub(crate) fn stage(&self, name: &'static str, begin: u64, end: u64) {
        self.log.stage(name, begin, end);
    }

    /// A number for a request.
    pub(crate) fn request(&self) -> u32 {
        self.log.request()
    }

    /// The next collective call of this communicator.
    pub(crate) fn collective(&self, shape: Shape, bytes: usize) -> Act {
        let sequence = self.collectives.replace(self.collectives.get() + 1);
        Act::Collective { sequence, shape, bytes: bytes as u64 }
    }
}

/// Runs a verb; writes down what it did where that is wanted.
#[inline]
pub(crate) fn around<R>(
    recording: &Recording,
    site: Site,
    verb: impl FnOnce() -> Result<R>,
    act: impl FnOnce(&Recorder, &R) -> Act,
) -> Result<R> {
    let Some(recorder) = recording else { return verb() };
    // The outermost readings: what writing down takes is not the task's computing.
    let processor = recorder.log.processor_ns();
    let begin = recorder.now();
    let result = verb()?;
    recorder.note(site, begin, act(recorder, &result));
    recorder.log.spent_in_call_since(processor);
    Ok(result)
}

/// A rank as records have it. A number that no job has a rank of is refused by its verb, and nothing of that call is written
/// down, so what it becomes here does not matter.
pub(crate) fn number(rank: usize) -> u32 {
    u32::try_from(rank).unwrap_or(u32::MAX)
}

/// Ranks as records have them.
pub(crate) fn numbers(ranks: &[usize]) -> Vec<u32> {
    ranks.iter().map(|&rank| number(rank)).collect()
}
