//! The versions of a task that a benchmark is compiled with, with their types erased.
use std::{rc::Rc, sync::Arc};

use wb_comm::Transport;
use wb_record::RankTrace;
use wb_task::{Assignment, Communication, Problem, Task};

use crate::{
    bench::RankBench,
    job::{JobSpec, MeasuredSeries, WorkloadRequest},
    judge::RankProgram,
    measure::{MeasuredRank, SeriesRun},
    pass_data::{MeasureError, input},
    simulated::pass::{self, PassMode, RankPass, SharedInputs},
    sweep::ErasedCommunication,
};

/// The package of the task, as its benchmark was compiled.
#[derive(Clone, Copy, Debug)]
pub struct Package {
    /// The folder of the task, where `task.yaml` is.
    pub folder: &'static str,
    /// The name of the task.
    pub name: &'static str,
}

/// The versions of a task.
#[derive(Clone)]
pub struct BenchmarkProgram {
    pub(crate) seq: Arc<dyn ErasedTask>,
    pub(crate) mpi: Arc<dyn ErasedTask>,
    pub(crate) verbs: Option<Arc<dyn ErasedCommunication>>,
    pub(crate) reference: Option<Arc<dyn ErasedTask>>,
    /// The versions as ranks of a judge, where the problem is an assignment.
    pub(crate) judged: Option<RankProgram>,
}

impl BenchmarkProgram {
    /// The sequential and the parallel version of one problem.
    pub fn new<S: Task, M: Task<Problem = S::Problem>>(seq: S, mpi: M) -> Self {
        Self { seq: Arc::new(seq), mpi: Arc::new(mpi), verbs: None, reference: None, judged: None }
    }

    /// The same with the instructor's sequential version, which is measured as the student's is: T* is the faster
    /// one's.
    pub fn with_reference<S: Task, M, R>(seq: S, mpi: M, reference: R) -> Self
    where
        M: Task<Problem = S::Problem>,
        R: Task<Problem = S::Problem>,
    {
        Self { reference: Some(Arc::new(reference)), ..Self::new(seq, mpi) }
    }

    /// The versions of an instructor's assignment: the assignment's reference is measured as the student's is.
    pub fn for_assignment<S, M>(seq: S, mpi: M) -> Self
    where
        S: Task<Problem: Assignment>,
        M: Task<Problem = S::Problem>,
    {
        let (seq, mpi) = (Arc::new(seq), Arc::new(mpi));
        Self {
            seq: Arc::clone(&seq) as Arc<dyn ErasedTask>,
            mpi: Arc::clone(&mpi) as Arc<dyn ErasedTask>,
            verbs: None,
            reference: Some(Arc::new(<S::Problem as Assignment>::Reference::default())),
            judged: Some(RankProgram::new(seq, mpi)),
        }
    }

    /// The reference of an assignment alone, as its judge measures it.
    pub fn of_judge<A: Assignment>() -> Self {
        let reference = A::Reference::default;
        let judged = Some(RankProgram::reference::<A>());
        Self { judged, ..Self::with_reference(reference(), reference(), reference()) }
    }

    /// The same for an assignment that is compared with the library's own verb.
    pub fn with_communication<C: Communication>(self, verbs: C) -> Self {
        let verbs = Arc::new(verbs);
        let judged = self.judged.map(|judged| judged.with_communication(Arc::clone(&verbs)));
        Self { verbs: Some(verbs), judged, ..self }
    }
}

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

/// Adds the verb of the parallel version, which is then measured beside the library's: `(&mpi).verb()` resolves to this where the version
/// implements [`Communication`], because it needs one reference less, and to [`SelectNoVerb`] elsewhere.
pub trait SelectVerb: Communication + Sized {
    /// The program with the verb.
    fn verb(&self) -> fn(BenchmarkProgram, Self) -> BenchmarkProgram {
        BenchmarkProgram::with_communication
    }
}

/// See [`SelectVerb`].
pub trait SelectNoVerb {
    /// The version.
    type Version;

    /// The program as it is.
    fn verb(&self) -> fn(BenchmarkProgram, Self::Version) -> BenchmarkProgram {
        |program, _| program
    }
}

impl<T: Communication> SelectVerb for T {}
impl<T: Task> SelectNoVerb for &T {
    type Version = T;
}

/// Makes the program with the assignment's reference: `(&seq).select()` resolves to this where the problem is an [`Assignment`], because it
/// needs one reference less, and to [`SelectOwnProblem`] elsewhere.
pub trait SelectAssignment: Task<Problem: Assignment> + Sized {
    /// [`BenchmarkProgram::for_assignment`].
    fn select<M: Task<Problem = Self::Problem>>(&self) -> fn(Self, M) -> BenchmarkProgram {
        BenchmarkProgram::for_assignment
    }
}

/// See [`SelectAssignment`].
pub trait SelectOwnProblem {
    /// The sequential version.
    type Version: Task;

    /// [`BenchmarkProgram::new`].
    fn select<M: Task<Problem = <Self::Version as Task>::Problem>>(
        &self,
    ) -> fn(Self::Version, M) -> BenchmarkProgram {
        BenchmarkProgram::new
    }
}

impl<T: Task<Problem: Assignment>> SelectAssignment for T {}
impl<T: Task> SelectOwnProblem for &T {
    type Version = T;
}
