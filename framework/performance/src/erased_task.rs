//! A version of a task with its types erased.
use std::rc::Rc;

use wb_comm::Transport;
use wb_record::RankTrace;
use wb_task::{Problem, Task};

use crate::{
    bench::RankBench,
    job_spec::{JobSpec, MeasuredSeries, WorkloadRequest},
    measure::{MeasuredRank, SeriesRun},
    measure_error::{MeasureError, input},
    simulated::{
        pass::{self, PassMode, RankPass},
        shared_input::SharedInputs,
    },
};

/// A version of a task with its types erased: one virtual call for each workload.
pub(crate) trait ErasedTask: Send + Sync {
    /// As [`Problem::ONE_ANSWER`].
    fn has_unique_answer(&self) -> bool;

    /// Collective: measures one workload in both modes. The objection of an oracle on this rank to an output is stored
    /// in `wrong`.
    fn measure(
        &self,
        bench: &RankBench,
        order: &JobSpec,
        request: &WorkloadRequest,
        wrong: &mut Option<String>,
    ) -> Result<Vec<MeasuredSeries>, MeasureError>;

    /// Collective: one pass in virtual time in this mode, with the state that its ranks share and that of a pass before
    /// it.
    fn simulate(
        &self,
        transport: Rc<dyn Transport>,
        request: &WorkloadRequest,
        seed: u64,
        manner: (PassMode, &[SharedInputs; 2]),
    ) -> Result<RankPass, MeasureError>;

    /// Collective: the calls of this rank in one pass through the stages.
    fn trace(
        &self,
        bench: &RankBench,
        order: &JobSpec,
        request: &WorkloadRequest,
        wrong: &mut Option<String>,
    ) -> Result<RankTrace, MeasureError>;
}

impl<T: Task> ErasedTask for T {
    fn has_unique_answer(&self) -> bool {
        T::Problem::ONE_ANSWER
    }

    fn measure(
        &self,
        bench: &RankBench,
        order: &JobSpec,
        request: &WorkloadRequest,
        wrong: &mut Option<String>,
    ) -> Result<Vec<MeasuredSeries>, MeasureError> {
        bench.watchdog.enter(bench.slot, request.name.clone());
        wb_comm::call_stack::disable_stack_walks();
        SeriesRun { task: self, bench, spec: order, request }.sample(wrong)
    }

    fn simulate(
        &self,
        transport: Rc<dyn Transport>,
        request: &WorkloadRequest,
        seed: u64,
        manner: (PassMode, &[SharedInputs; 2]),
    ) -> Result<RankPass, MeasureError> {
        pass::run_pass(self, transport, request, seed, manner)
    }

    fn trace(
        &self,
        bench: &RankBench,
        order: &JobSpec,
        request: &WorkloadRequest,
        wrong: &mut Option<String>,
    ) -> Result<RankTrace, MeasureError> {
        bench.watchdog.enter(bench.slot, request.name.clone());
        let input = input::<T>(request, order.seed, bench.size())?;
        MeasuredRank::new(self, bench, order, &input).trace(wrong)
    }
}
