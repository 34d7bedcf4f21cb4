//! Barriers as messages of a transport: threads' or MPI's.
use std::{cell::Cell, rc::Rc};

use wb_algorithms::barriers::{BarrierEntry, GroupConfig, Plan, PlanStep, adapters::MessageBarrier};
use wb_comm::{Barrier, CallSite, Context, Error, Result, Source, TagPattern, Transport, Verb, text};
use wb_world::{FrameworkCalls as _, World};

use super::{BarrierInstance, BarrierProvider, counting::CountingTransport};

/// Barriers as messages of a transport.
pub struct MessageBarriers {
    /// The nodes that the ranks assume.
    pub nodes: fn(usize) -> Vec<usize>,
}

impl MessageBarriers {
    fn group_config(&self, size: usize) -> GroupConfig {
        GroupConfig { nodes: (self.nodes)(size), ..GroupConfig::new(size) }
    }

    fn plans(&self, entry: &BarrierEntry, size: usize) -> Result<Vec<Plan>> {
        let no_messages = || Error::Setup(text::barrier::no_form(entry.name, "messages"));
        entry.plans(&self.group_config(size)).ok_or_else(no_messages)?
    }
}

impl BarrierProvider for MessageBarriers {
    fn name(&self) -> String {
        "messages".into()
    }

    fn build(&self, entry: &BarrierEntry, team: &World) -> Result<Box<dyn BarrierInstance>> {
        let plans = self.plans(entry, team.size())?;
        let sends = Rc::new(Cell::new(0));
        let own = team.dup()?;
        let transport = CountingTransport { transport: Rc::clone(own.transport()), sends: Rc::clone(&sends) };
        Ok(Box::new(MessageInstance { plans, transport: Rc::new(transport), sends }))
    }

    /// The formula is for one node; on several it is the plan that is held to.
    fn signals(&self, entry: &BarrierEntry, size: usize) -> Option<usize> {
        match self.group_config(size).is_single_node() {
            true => entry.cost.map(|cost| cost(size).messages),
            false => {
                let steps = self.plans(entry, size).ok()?.into_iter().flat_map(|plan| plan.steps);
                Some(steps.filter(|step| matches!(step, PlanStep::Signal { .. })).count())
            }
        }
    }

    fn supports(&self, entry: &BarrierEntry, config: &GroupConfig) -> bool {
        entry.plans(config).is_some_and(|plans| plans.is_ok())
    }
}

struct MessageInstance {
    plans: Vec<Plan>,
    transport: Rc<dyn Transport>,
    sends: Rc<Cell<usize>>,
}

impl BarrierInstance for MessageInstance {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(MessageBarrier::from_plans(
            &self.plans,
            Rc::clone(&self.transport),
            CallSite::caller(Verb::Barrier),
        ))
    }

    fn signals(&self) -> Option<[usize; 2]> {
        Some([self.sends.get(), 0])
    }

    fn leftovers(&self) -> Result<Vec<String>> {
        unreceived(&*self.transport)
    }
}

/// The messages that were not received on either channel; probed a few times, since a probe may make a message arrive.
///
/// # Errors
/// What the transport can meet.
pub fn unreceived(transport: &dyn Transport) -> Result<Vec<String>> {
    let site = CallSite::caller(Verb::Iprobe);
    let mut found = vec![];
    for channel in [Context::User, Context::Internal] {
        for _ in 0..3 {
            if let Some(status) =
                transport.iprobe(Source::Any, TagPattern { context: channel, tag: None }, site)?
            {
                let (from, to, tag) = (status.source, transport.rank(), status.tag);
                found.push(format!("from rank {from} to rank {to}, tag {tag}, {channel:?} channel"));
                break;
            }
        }
    }
    Ok(found)
}
