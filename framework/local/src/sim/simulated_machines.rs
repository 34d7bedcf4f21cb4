//! Ranks in virtual time on any machine of the library.
use std::{sync::Arc, time::Duration};

use wb_comm::{
    Error, RankFunction, Result, VirtualRanks,
    job::{JobOutcome, SimulationOptions},
};

use crate::sim::{Faults, Simulator, machine_library};

/// All machines of the [`machine_library`], by name, and those of the user, by path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedMachines {
    /// As [`Simulator::detect_races`].
    pub detect_races: bool,
}

impl SimulatedMachines {
    /// Without race detection.
    pub const DEFAULT: Self = Self { detect_races: false };

    /// Machines with race detection.
    pub const WITH_RACE_DETECTION: Self = Self { detect_races: true };
}

impl VirtualRanks for SimulatedMachines {
    fn run(
        &self,
        conditions: &SimulationOptions,
        size: usize,
        limit: Option<Duration>,
        job: RankFunction,
    ) -> Result<(JobOutcome, Vec<u64>)> {
        let SimulationOptions { machine, faults, measure_computing: measured } = conditions;
        let found = machine_library::find(machine).and_then(|found| found.machine(machine, size));
        let machine = Arc::new(found.map_err(|error| Error::Setup(error.text()))?);
        let faults = Faults::parse(faults).and_then(|faults| faults.check(size).map(|()| faults));
        let faults = faults.map_err(|error| Error::Setup(error.text()))?;
        let simulator = Simulator {
            machine,
            faults,
            measure_computing: *measured,
            detect_races: self.detect_races,
            files_in_memory: false,
        };
        let simulated = simulator.simulate(size, limit, job);
        Ok((simulated.outcome, simulated.clocks))
    }
}
