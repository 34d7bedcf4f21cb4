//! The worker of a simulation: one pass of all ranks.
use std::{io, path::Path, rc::Rc, sync::Arc};

use wb_comm::{
    Transport, VirtualRanks, call_stack,
    job::{RankTermination, SimulationOptions},
    text::error,
};
use wb_messages::Lang;
use wb_record::{ComputingCost, Version};
use wb_runner::{Backends, job::Answers, output_tail};

use crate::{
    all_ranks::{self, BlameAnswer, RunWatch},
    program::BenchmarkProgram,
    simulated::{
        memory,
        mode_totals::ModeTotals,
        pass::RankPass,
        shared_input::SharedInputs,
        spec::{PassResult, SimulationAnswer, SimulationSpec},
    },
};

/// The worker: executes the order and sends its answer.
pub(crate) fn run(
    order: &SimulationSpec,
    answers: Answers<SimulationAnswer>,
    backends: Backends,
    program: &BenchmarkProgram,
) -> io::Result<bool> {
    let blame: BlameAnswer<PassResult> = Arc::new(|why| Err(why.to_owned()));
    all_ranks::run(answers, blame, None, |watch| pass(order, watch, backends.virtual_time, program))
}

/// One pass of all ranks.
fn pass(
    order: &SimulationSpec,
    watch: &Arc<RunWatch>,
    backend: &dyn VirtualRanks,
    program: &BenchmarkProgram,
) -> SimulationAnswer {
    let solution = match order.version {
        Version::Mpi => Arc::clone(&program.mpi),
        Version::Seq => Arc::clone(&program.seq),
        Version::Reference => Arc::clone(program.reference.as_ref().unwrap_or(&program.seq)),
    };
    let (request, seed, manner) = (order.request.clone(), order.seed, order.pass_mode());
    let inputs = <[SharedInputs; 2]>::default();
    let of_ranks = Arc::clone(watch);
    let job = Arc::new(move |transport: Rc<dyn Transport>| {
        of_ranks.register_thread(0);
        let pass = solution.simulate(transport, &request, seed, (manner, &inputs));
        Box::new(pass.map_err(|stopped| output_tail::text(&stopped.text()))) as Box<dyn std::any::Any + Send>
    });
    let measured = order.computing == ComputingCost::Measured;
    let (machine, faults) = (order.machine.clone(), order.faults.clone());
    let conditions = SimulationOptions { machine, faults, measure_computing: measured };
    let (outcome, _) = backend
        .run(&conditions, order.ranks, order.limit, job)
        .map_err(|error| output_tail::text(&error.text()))?;
    if outcome.timed_out {
        let limit = order.limit.unwrap_or_default();
        let why = all_ranks::describe_over_limit(watch.sample(0), limit, Lang::from_environment());
        // The harness's own calls, in which the other ranks may wait, are not lines of the user's code.
        let of_user =
            outcome.blocked.iter().filter(|blocked| call_stack::is_user_file(Path::new(&blocked.file)));
        let blocked = of_user.map(ToString::to_string);
        return Err([why].into_iter().chain(blocked).collect::<Vec<_>>().join("\n"));
    }
    let mut ranks: Vec<_> = outcome.ranks.into_iter().enumerate().collect();
    // The errors of other ranks are consequences of a panic.
    let panicked = ranks.iter().position(|(_, ended)| matches!(ended, RankTermination::Panicked(_)));
    if let Some(panicked) = panicked {
        ranks = vec![ranks.swap_remove(panicked)];
    }
    let passes: Result<Vec<RankPass>, String> = ranks.into_iter().map(rank_pass).collect();
    let mut passes = passes?;
    let lanes = passes.iter_mut().filter_map(|pass| pass.trace.take()).collect();
    Ok(PassResult { peak: memory::peak(), modes: ModeTotals::from_passes(&passes), traces: lanes })
}

fn rank_pass((rank, ended): (usize, RankTermination)) -> Result<RankPass, String> {
    match ended {
        RankTermination::Returned(value) => {
            let pass = value.downcast::<Result<RankPass, String>>().expect("what the job above returns");
            pass.map_err(|why| output_tail::text(&error::of_rank(rank, why)))
        }
        RankTermination::Panicked(panic) => Err(output_tail::text(&panic.of_rank(rank))),
        RankTermination::Unfinished => Err(output_tail::text(&error::lost(rank))),
        RankTermination::Starved(other) => Err(output_tail::text(&error::lost(other))),
    }
}
