//! The versions of a task that a benchmark is compiled with.
use std::sync::Arc;

use wb_judge::RankProgram;
use wb_task::{Assignment, Communication, Task};

use crate::{erased_task::ErasedTask, sweep::ErasedCommunication};

/// The package of the task, as its benchmark was compiled.
#[derive(Clone, Copy, Debug)]
pub struct Package {
    /// Its folder, where `task.yaml` is.
    pub folder: &'static str,
    /// Its name.
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

/// The parallel version is also measured as a verb, beside the library's: `(&mpi).verb()` resolves to [`SelectVerb`] where it
/// implements [`Communication`], because it needs one reference less.
#[derive(Clone, Copy, Debug)]
pub struct HasVerb;

/// See [`HasVerb`].
#[derive(Clone, Copy, Debug)]
pub struct HasNoVerb;

/// See [`HasVerb`].
pub trait SelectVerb {
    /// The version has a verb.
    fn verb(&self) -> HasVerb {
        HasVerb
    }
}

/// See [`HasVerb`].
pub trait SelectNoVerb {
    /// The version has no verb.
    fn verb(&self) -> HasNoVerb {
        HasNoVerb
    }
}

impl<T: Communication> SelectVerb for T {}
impl<T: Task> SelectNoVerb for &T {}

impl HasVerb {
    /// The program with the verb.
    pub fn add<C: Communication>(self, program: BenchmarkProgram, version: C) -> BenchmarkProgram {
        program.with_communication(version)
    }
}

impl HasNoVerb {
    /// The program as it is.
    pub fn add<T: Task>(self, program: BenchmarkProgram, _: T) -> BenchmarkProgram {
        program
    }
}

/// Selects [`BenchmarkProgram::for_assignment`] where the problem is an [`Assignment`], and [`BenchmarkProgram::new`]
/// elsewhere: `(&seq).select()` resolves to [`SelectAssignment`] where it applies, because it needs one reference less.
#[derive(Clone, Copy, Debug)]
pub struct OfAssignment;

/// See [`OfAssignment`].
#[derive(Clone, Copy, Debug)]
pub struct OfOwnProblem;

/// See [`OfAssignment`].
pub trait SelectAssignment {
    /// The problem is an assignment.
    fn select(&self) -> OfAssignment {
        OfAssignment
    }
}

/// See [`OfAssignment`].
pub trait SelectOwnProblem {
    /// The problem is the task's own.
    fn select(&self) -> OfOwnProblem {
        OfOwnProblem
    }
}

impl<T: Task<Problem: Assignment>> SelectAssignment for T {}
impl<T: Task> SelectOwnProblem for &T {}

impl OfAssignment {
    /// With the assignment's reference.
    pub fn program<S, M>(self, seq: S, mpi: M) -> BenchmarkProgram
    where
        S: Task<Problem: Assignment>,
        M: Task<Problem = S::Problem>,
    {
        BenchmarkProgram::for_assignment(seq, mpi)
    }
}

impl OfOwnProblem {
    /// Without a reference.
    pub fn program<S: Task, M: Task<Problem = S::Problem>>(self, seq: S, mpi: M) -> BenchmarkProgram {
        BenchmarkProgram::new(seq, mpi)
    }
}
