//! Ranks in virtual time on any machine of the library.
use std::{sync::Arc, time::Duration};

use wb_comm::{
    Error, Result, ThreadsJob, Virtual,
    job::{Conditions, Outcome},
};

use crate::{Faults, Simulator, library};

/// All machines of the [`library`], by name, and those of the user, by path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machines {
    /// As [`Simulator::races`].
    pub races: bool,
}

impl Machines {
    /// Nobody looks for races.
    pub const USUAL: Self = Self { races: false };

    /// Somebody does.
    pub const WATCHED: Self = Self { races: true };
}

impl Virtual for Machines {
    fn run(
        &self,
        conditions: &Conditions,
        size: usize,
        limit: Option<Duration>,
        job: ThreadsJob,
    ) -> Result<(Outcome, Vec<u64>)> {
        let Conditions { machine, faults, measured } = conditions;
        let found = library::find(machine).and_then(|found| found.machine(machine, size));
        let machine = Arc::new(found.map_err(|error| Error::Setup(error.text()))?);
        let faults = Faults::parse(faults).and_then(|faults| faults.check(size).map(|()| faults));
        let faults = faults.map_err(|error| Error::Setup(error.text()))?;
        let simulator = Simulator { machine, faults, measured: *measured, races: self.races };
        let simulated = simulator.simulate(size, limit, job);
        Ok((simulated.outcome, simulated.clocks))
    }
}
