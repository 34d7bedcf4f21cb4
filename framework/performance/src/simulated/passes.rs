//! Simulated passes of one workload, each in a separate process and only if there is enough memory.
use std::time::Duration;

use wb_messages::{Lang, prediction as text};
use wb_record::Version;
use wb_runner::single_worker::run_worker;

use crate::{
    all_ranks,
    order::WorkerOrder,
    simulated::{
        memory::MemoryEstimate,
        spec::{SimulationAnswer, SimulationSpec},
    },
};

/// The time for the start and the end of a worker.
const SETUP: Duration = Duration::from_secs(30);

/// Makes the simulated passes of one workload.
pub(super) struct Passes {
    estimate: MemoryEstimate,
    lang: Lang,
}

impl Passes {
    /// The passes of one workload.
    pub(super) fn new(lang: Lang) -> Self {
        Self { estimate: MemoryEstimate::default(), lang }
    }

    /// Makes a pass. If its memory cannot be estimated, passes on fewer ranks are made before it.
    ///
    /// # Errors
    /// The reason of the missing result, for the user: the error of the pass, or too little memory.
    pub(super) fn make(&mut self, order: &SimulationSpec) -> SimulationAnswer {
        let lang = self.lang;
        self.attempt(order).map_err(|why| text::failed(lang, &order.request.name, order.ranks, why))
    }

    fn attempt(&mut self, order: &SimulationSpec) -> SimulationAnswer {
        let lang = self.lang;
        if order.version == Version::Mpi {
            let probe = |ranks| carry(&order.with_ranks(ranks), lang).map(|came| came.peak);
            self.estimate.check(order.ranks, &order.request.name, lang, probe)?;
        }
        let came = carry(order, lang)?;
        if let Some(peak) = came.peak {
            self.estimate.add(order.version, order.ranks, peak);
        }
        Ok(came)
    }
}

/// Executes an order in a separate process.
fn carry(order: &SimulationSpec, lang: Lang) -> SimulationAnswer {
    let deadline = order.limit.map_or(Duration::from_secs(24 * 3600), |limit| limit + SETUP);
    let sent = run_worker(&WorkerOrder::Simulate(order.clone()), (deadline, lang));
    sent.map_err(|vain| all_ranks::describe_worker_error(vain, deadline, lang))
}
