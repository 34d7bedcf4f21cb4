//! The control network: a key-value store that rank 0 of the team serves over TCP.
use std::{cell::RefCell, rc::Rc, time::Duration};

use wb_algorithms::barriers::{BarrierEntry, GroupConfig};
use wb_comm::{Barrier, CallSite, Result, Verb};
use wb_control::HostedBarrier;
use wb_world::{FrameworkCalls as _, World};

use super::{BarrierInstance, BarrierProvider};

/// How long a member waits for the others.
const WAIT_TIMEOUT: Duration = Duration::from_secs(20);

/// Barriers on the control network.
pub struct ControlNetworkBarriers;

impl BarrierProvider for ControlNetworkBarriers {
    fn name(&self) -> String {
        "the control network".into()
    }

    fn build(&self, _: &BarrierEntry, team: &World) -> Result<Box<dyn BarrierInstance>> {
        let own = Rc::clone(team.dup()?.transport());
        Ok(Box::new(ControlNetworkInstance(RefCell::new(HostedBarrier::start(
            &*own,
            WAIT_TIMEOUT,
            CallSite::caller(Verb::Barrier),
        )?))))
    }

    fn supports(&self, entry: &BarrierEntry, _: &GroupConfig) -> bool {
        entry.name == "control_kv"
    }
}

struct ControlNetworkInstance(RefCell<HostedBarrier>);

struct ControlBarrierHandle<'a>(&'a ControlNetworkInstance);

impl Barrier for ControlBarrierHandle<'_> {
    fn wait(&mut self) -> Result<()> {
        self.0.0.borrow_mut().wait()
    }
}

impl BarrierInstance for ControlNetworkInstance {
    fn barrier(&self) -> Box<dyn Barrier + '_> {
        Box::new(ControlBarrierHandle(self))
    }

    fn close(self: Box<Self>) -> Result<()> {
        self.0.into_inner().leave()
    }
}
