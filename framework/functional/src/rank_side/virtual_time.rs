//! Runs ranks in virtual time: they take turns on a model of a machine.
//!
//! Messages arrive later than on threads and in an order that occurs on other machines too, and a rank that waits
//! without success is found immediately, also while other ranks compute.
use std::time::Duration;

use wb_comm::{
    RankFunction, ThreadRanks, VirtualRanks,
    job::{JobOutcome, SimulationOptions},
};

/// The machine: it has room for any number of ranks, and its network sends long messages only after a request.
const MACHINE: &str = "cluster-ib";

#[derive(Clone, Copy)]
pub(crate) struct VirtualTimeThreads(pub(crate) &'static dyn VirtualRanks);

impl ThreadRanks for VirtualTimeThreads {
    /// # Panics
    /// When the backend does not know [`MACHINE`].
    fn run(&self, size: usize, limit: Option<Duration>, job: RankFunction) -> JobOutcome {
        let conditions =
            SimulationOptions { machine: MACHINE.to_owned(), faults: vec![], measure_computing: false };
        let ran = self.0.run(&conditions, size, limit, job);
        ran.unwrap_or_else(|error| panic!("{MACHINE} comes along and ends nowhere: {error}")).0
    }
}
