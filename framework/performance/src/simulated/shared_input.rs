//! The input of a pass whose ranks are all in one process: it exists once, on its rank, and later once for oracles.
//!
//! The first rank makes it and asks the problem for its rank; that rank takes it. When an output is checked, the input
//! is made again from the same seed, once for all outputs: by then the task has usually freed its own.
use std::{
    any::Any,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use wb_comm::Rank;
use wb_task::{Input, Problem, Task};
use wb_world::Rooted;

use crate::{
    job_spec::WorkloadRequest,
    pass_data::{self, MeasureError},
};

/// The shared inputs of one pass, one workload and one seed.
#[derive(Default)]
pub(crate) struct SharedInputs(Mutex<InputState>);

#[derive(Default)]
struct InputState {
    /// The rank of the input, once it is made.
    home_rank: Option<Rank>,
    /// The input, until its rank has taken it.
    input: Option<Box<dyn Any + Send>>,
    /// The input that oracles compare outputs with, until no rank needs it.
    reference_input: Option<Arc<dyn Any + Send + Sync>>,
    /// The number of ranks whose outputs have been checked.
    finished_ranks: usize,
}

impl SharedInputs {
    fn state(&self) -> MutexGuard<'_, InputState> {
        // A workload that panics while it is made leaves the state as it was.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rank of the input, and the input on that rank: for `rank` among `size`.
    ///
    /// # Errors
    /// [`MeasureError::NoWorkload`].
    pub(crate) fn take_input<T: Task>(
        &self,
        request: &WorkloadRequest,
        seed: u64,
        (rank, size): (Rank, usize),
    ) -> Result<(Rank, Rooted<Input<T>>), MeasureError> {
        let mut state = self.state();
        let home = match state.home_rank {
            Some(home) => home,
            None => {
                let input = pass_data::input::<T>(request, seed, size)?;
                let home = Some(T::Problem::home(&input, size)).filter(|home| *home < size).unwrap_or(0);
                state.home_rank = Some(home);
                state.input = Some(Box::new(input));
                home
            }
        };
        if rank != home {
            return Ok((home, Rooted::Elsewhere));
        }
        let given = state.input.take().expect("its rank takes it once");
        Ok((home, Rooted::Here(*given.downcast::<Input<T>>().expect("ranks of one pass have one task"))))
    }

    /// The input that an output of `size` ranks is compared with.
    ///
    /// # Errors
    /// [`MeasureError::NoWorkload`].
    pub(crate) fn reference_input<T: Task>(
        &self,
        request: &WorkloadRequest,
        seed: u64,
        size: usize,
    ) -> Result<Arc<Input<T>>, MeasureError> {
        let mut state = self.state();
        let judged = match &state.reference_input {
            Some(judged) => Arc::clone(judged),
            None => {
                let judged: Arc<dyn Any + Send + Sync> =
                    Arc::new(pass_data::input::<T>(request, seed, size)?);
                state.reference_input = Some(Arc::clone(&judged));
                judged
            }
        };
        Ok(judged.downcast().expect("ranks of one pass have one task"))
    }

    /// Records that one of `size` ranks needs no input any more; after the last one the input is freed.
    pub(crate) fn release(&self, size: usize) {
        let mut state = self.state();
        state.finished_ranks += 1;
        if state.finished_ranks == size {
            state.reference_input = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        cell::Cell,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use wb_task::{Invalid, Place, Verdict, Workload};
    use wb_world::{Result, World};

    use super::*;
    use crate::simulated::pass::{self, PassMode};

    /// The current number of inputs, and its maximum.
    static LIVE: AtomicUsize = AtomicUsize::new(0);
    static MAX_LIVE: AtomicUsize = AtomicUsize::new(0);

    #[derive(Debug)]
    struct CountedInput(Vec<u64>);

    impl CountedInput {
        fn new(numbers: Vec<u64>) -> Self {
            let live = LIVE.fetch_add(1, Ordering::Relaxed) + 1;
            MAX_LIVE.fetch_max(live, Ordering::Relaxed);
            Self(numbers)
        }
    }

    impl Clone for CountedInput {
        fn clone(&self) -> Self {
            Self::new(self.0.clone())
        }
    }

    impl Drop for CountedInput {
        fn drop(&mut self) {
            LIVE.fetch_sub(1, Ordering::Relaxed);
        }
    }

    struct Numbers;

    impl Problem for Numbers {
        type Input = CountedInput;
        type Output = u64;

        fn home(_: &CountedInput, ranks: usize) -> Rank {
            ranks - 1
        }

        fn workload(request: &Workload) -> Option<CountedInput> {
            Some(CountedInput::new((0..request.size as u64).collect()))
        }

        fn check(input: &CountedInput, output: &u64) -> Verdict {
            Verdict::of(*output == input.0.iter().sum::<u64>(), || "another sum".to_owned())
        }
    }

    /// Every rank has the sum.
    struct Sum;

    impl Task for Sum {
        type Problem = Numbers;
        type Prepared = Cell<u64>;
        type Raw = u64;
        const OUTPUT: Place = Place::Everywhere;

        fn validation(&self, _: &CountedInput, _: usize) -> std::result::Result<(), Invalid> {
            Ok(())
        }

        fn preprocessing(&self, _: &World, input: Rooted<CountedInput>) -> Result<Cell<u64>> {
            Ok(Cell::new(input.here().map_or(0, |input| input.0.iter().sum())))
        }

        fn run(&self, world: &World, sum: &Cell<u64>) -> Result<u64> {
            let mut all = [sum.get()];
            world.bcast(&mut all, world.size() - 1)?;
            Ok(all[0])
        }

        fn postprocessing(&self, _: &World, raw: u64) -> Result<Rooted<u64>> {
            Ok(Rooted::Here(raw))
        }
    }

    #[test]
    fn a_simulated_pass_has_one_input_however_many_its_ranks() {
        let machine = wb_sim::machine_library::find("cluster-ib").expect("a machine");
        let machine = machine.machine("cluster-ib", 32).expect("it has the cores");
        for manner in [PassMode::Declared, PassMode::Measured] {
            MAX_LIVE.store(0, Ordering::Relaxed);
            let inputs = <[SharedInputs; 2]>::default();
            let passes = wb_sim::run(machine.clone(), 32, move |transport| {
                let request = WorkloadRequest { name: "count".to_owned(), size: 1000 };
                let pass = pass::run_pass(&Sum, transport, &request, 1, (manner, &inputs));
                pass.expect("it is right").verdict
            });
            assert!(passes.iter().all(|(verdict, _)| *verdict == Some(Verdict::Right)));
            // The uncounted pass leaves none either.
            let most = MAX_LIVE.load(Ordering::Relaxed);
            assert_eq!(most, 1, "{manner:?}");
            assert_eq!(LIVE.load(Ordering::Relaxed), 0);
        }
    }
}
