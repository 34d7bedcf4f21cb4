//! The PEs of a barrier, and the state that it uses.
use wb_algorithms::barriers::{
    GroupConfig, Pattern,
    catalogue::pattern::barrier_sys::BarrierSys,
    compiled_plan::{CompiledPlan, SignalEncoding},
};

use crate::{
    StridedSet,
    ascend::{AscendMachine, Error, NpuBarrierKind, Result},
};

/// PEs with a barrier state of their own. Every PE may hold one, members use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NpuTeam {
    pub(crate) members: Vec<usize>,
    pub(crate) slot: usize,
    /// The local generation of the slot; the world's is 1.
    pub(crate) generation: i64,
    index: Option<usize>,
    name: String,
    /// This member's part of a barrier by hosts, where that is the machine's level 2.
    pub(crate) host_plan: Option<CompiledPlan>,
}

impl NpuTeam {
    pub(crate) fn new(
        machine: &AscendMachine,
        shape: &StridedSet,
        (slot, generation): (usize, i64),
        pe: usize,
    ) -> Result<Self> {
        let (members, index): (Vec<_>, _) = (shape.pes().collect(), shape.index_of(pe));
        let by_hosts = match (&machine.npu_barrier, index) {
            (NpuBarrierKind::Sys(hosts), Some(index)) => Some(plan_by_hosts(hosts, &members, index)?),
            _ => None,
        };
        Ok(Self { members, slot, generation, index, name: shape.to_string(), host_plan: by_hosts })
    }

    /// Its members, ascending.
    pub fn members(&self) -> &[usize] {
        &self.members
    }

    /// Its name in errors.
    pub(crate) fn name(&self) -> String {
        self.name.clone()
    }

    /// The number of `pe` in it.
    pub(crate) fn index(&self, pe: usize) -> Result<usize> {
        self.index.ok_or_else(|| Error::NotMember { pe, team: self.name() })
    }
}

/// The leader of a host is the lowest *member* there, whatever other PEs it has.
fn plan_by_hosts(hosts: &[usize], members: &[usize], index: usize) -> Result<CompiledPlan> {
    let (size, nodes) = (members.len(), members.iter().map(|&pe| hosts[pe]).collect());
    let pattern = BarrierSys::for_group(&GroupConfig { nodes, ..GroupConfig::new(size) })?;
    let plans: Vec<_> = (0..size).map(|rank| pattern.plan(rank, size)).collect::<wb_comm::Result<_>>()?;
    // Epochs, not additions: a slot that is used again continues counting.
    Ok(CompiledPlan::from_plans(index, &plans, SignalEncoding::Put)?)
}
