//! The versions of a task that a benchmark is compiled with.
use std::sync::Arc;

use wb_task::{Communication, Task};

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
}

impl BenchmarkProgram {
    /// The sequential and the parallel version of one problem.
    pub fn new<S: Task, M: Task<Problem = S::Problem>>(seq: S, mpi: M) -> Self {
        Self { seq: Arc::new(seq), mpi: Arc::new(mpi), verbs: None, reference: None }
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

    /// The same for an assignment that is compared with the library's own verb.
    pub fn with_communication<C: Communication>(self, verbs: C) -> Self {
        Self { verbs: Some(Arc::new(verbs)), ..self }
    }
}
