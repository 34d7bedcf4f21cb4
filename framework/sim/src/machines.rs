//! Ranks in virtual time on any machine of the library.
use std::{sync::Arc, time::Duration};

use wb_comm::{Error, Result, ThreadsJob, Virtual, job::Outcome};

use crate::{Simulator, library};

/// All machines of the [`library`], by name, and those of the user, by path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machines;

impl Virtual for Machines {
    fn run(
        &self,
        machine: &str,
        size: usize,
        limit: Option<Duration>,
        job: ThreadsJob,
    ) -> Result<(Outcome, Vec<u64>)> {
        let found = library::find(machine).and_then(|found| found.machine(machine, size));
        let machine = Arc::new(found.map_err(|error| Error::Setup(error.to_string()))?);
        let simulated = Simulator { machine }.simulate(size, limit, job);
        Ok((simulated.outcome, simulated.clocks))
    }
}
