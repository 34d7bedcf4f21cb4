//! Barriers as messages of a transport: threads' or MPI's.
use std::{cell::Cell, rc::Rc};

use wb_collectives::{
    Entry,
    catalogue::Setting,
    over::OverMessages,
    plan::{Plan, Step},
};
use wb_comm::{Barrier, Channel, Error, Match, Result, Site, Source, Transport, Verb, text};
use wb_world::World;

use super::{Carrier, Place, counted::CountedTransport};

/// See the module.
pub struct OnMessages {
    /// The nodes of the setting that is pretended.
    pub nodes: fn(usize) -> Vec<usize>,
}

impl OnMessages {
    fn setting(&self, size: usize) -> Setting {
        Setting { nodes: (self.nodes)(size), ..Setting::of(size) }
    }

    fn plans(&self, entry: &Entry, size: usize) -> Result<Vec<Plan>> {
        let no_messages = || Error::Setup(text::barrier::no_form(entry.name, "messages"));
        entry.plans(&self.setting(size)).ok_or_else(no_messages)?
    }
}

impl Carrier for OnMessages {
    fn name(&self) -> String {
        "messages".into()
    }

    fn place(&self, entry: &Entry, team: &World) -> Result<Box<dyn Place>> {
        let plans = self.plans(entry, team.size())?;
        let sends = Rc::new(Cell::new(0));
        let own = team.dup()?;
        let transport = CountedTransport { transport: Rc::clone(own.transport()), sends: Rc::clone(&sends) };
        Ok(Box::new(OwnMessages { plans, transport: Rc::new(transport), sends }))
    }

    /// The formula is for one node; on several it is the plan that is held to.
    fn signals(&self, entry: &Entry, size: usize) -> Option<usize> {
        match self.setting(size).on_one_node() {
            true => entry.cost.map(|cost| cost(size).messages),
            false => {
                let steps = self.plans(entry, size).ok()?.into_iter().flat_map(|plan| plan.steps);
                Some(steps.filter(|step| matches!(step, Step::Tell { .. })).count())
            }
        }
    }

    fn can(&self, entry: &Entry, setting: &Setting) -> bool {
        entry.plans(setting).is_some_and(|plans| plans.is_ok())
    }
}

struct OwnMessages {
    plans: Vec<Plan>,
    transport: Rc<dyn Transport>,
    sends: Rc<Cell<usize>>,
}

impl Place for OwnMessages {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(OverMessages::of(&self.plans, Rc::clone(&self.transport), Site::here(Verb::Barrier)))
    }

    fn signals(&self) -> Option<[usize; 2]> {
        Some([self.sends.get(), 0])
    }

    fn leftovers(&self) -> Result<Vec<String>> {
        unreceived(&*self.transport)
    }
}

/// What nobody receives on either channel; looked for a few times, since a look may be what brings a message in.
///
/// # Errors
/// What the transport can meet.
pub fn unreceived(transport: &dyn Transport) -> Result<Vec<String>> {
    let site = Site::here(Verb::Iprobe);
    let mut found = vec![];
    for channel in [Channel::User, Channel::Internal] {
        for _ in 0..3 {
            if let Some(status) = transport.iprobe(Source::Any, Match { channel, tag: None }, site)? {
                let (from, to, tag) = (status.source, transport.rank(), status.tag);
                found.push(format!("from rank {from} to rank {to}, tag {tag}, {channel:?} channel"));
                break;
            }
        }
    }
    Ok(found)
}
