//! The worker of a simulation: one pass of all ranks, and its totals over them.
use std::{io, path::Path, rc::Rc, sync::Arc};

use wb_comm::{
    Transport, VirtualRanks, call_stack,
    job::{RankTermination, SimulationOptions},
    text::error,
};
use wb_config::machine_name;
use wb_messages::Lang;
use wb_record::{ComputingCost, Prediction, TimedRegion, Traffic, Version};
use wb_runner::{Backends, output_tail, rank_result};
use wb_task::Verdict;

use crate::{
    all_ranks::{self, RunWatch, WorkerAnswers},
    program::BenchmarkProgram,
    simulated::{
        PassResult, SimulationSpec, memory,
        pass::{RankPass, RegionSpan, SharedInputs},
    },
};

/// The worker: executes the order and leaves its answer.
pub(crate) fn run(
    order: &SimulationSpec,
    answers: WorkerAnswers<PassResult>,
    backends: Backends,
    program: &BenchmarkProgram,
) -> io::Result<bool> {
    all_ranks::run(answers, None, |watch| pass(order, watch, backends.virtual_time, program))
}

/// One pass of all ranks.
fn pass(
    order: &SimulationSpec,
    watch: &Arc<RunWatch>,
    backend: &dyn VirtualRanks,
    program: &BenchmarkProgram,
) -> Result<PassResult, String> {
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
    let of_rank = |(rank, ended)| {
        let pass: Result<RankPass, String> = rank_result(rank, ended)?;
        pass.map_err(|why| output_tail::text(&error::of_rank(rank, why)))
    };
    let mut passes = ranks.into_iter().map(of_rank).collect::<Result<Vec<RankPass>, String>>()?;
    let rank_traces = passes.iter_mut().filter_map(|pass| pass.trace.take()).collect();
    Ok(PassResult { peak: memory::peak(), modes: predictions(order, &passes), traces: rank_traces })
}

/// The predictions of both modes, from the results of all ranks.
fn predictions(spec: &SimulationSpec, passes: &[RankPass]) -> Vec<Prediction> {
    let wrong = passes.iter().filter_map(|pass| pass.verdict.as_ref());
    let correct = wrong.map(|verdict| *verdict == Verdict::Right).reduce(|all, one| all && one);
    vec![
        prediction(spec, TimedRegion::TaskRun, passes.iter().map(|pass| pass.run), correct),
        prediction(spec, TimedRegion::Pipeline, passes.iter().map(|pass| pass.pipeline), correct),
    ]
}

fn prediction(
    spec: &SimulationSpec,
    mode: TimedRegion,
    spans: impl Iterator<Item = RegionSpan> + Clone,
    correct: Option<bool>,
) -> Prediction {
    let most = |of: fn(RegionSpan) -> u64| spans.clone().map(of).max().unwrap_or(0);
    let sum = |of: fn(RegionSpan) -> u64| spans.clone().map(of).sum();
    let begin = spans.clone().map(|span| span.begin).min().unwrap_or(0);
    Prediction {
        series: spec.request.series(spec.version, mode, spec.ranks),
        machine: machine_name(&spec.machine).to_owned(),
        faults: spec.faults.clone(),
        computing: spec.computing,
        elapsed_ns: most(|span| span.end) - begin,
        worked_ns: sum(|span| span.worked_ns),
        worked_max_ns: most(|span| span.worked_ns),
        traffic: Traffic {
            messages: sum(|span| span.messages),
            bytes: sum(|span| span.bytes),
            messages_max_rank: most(|span| span.messages),
            bytes_max_rank: most(|span| span.bytes),
        },
        correct,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_is_what_its_ranks_make_of_it() {
        let spec = SimulationSpec {
            machine: "cluster-ib".into(),
            faults: vec![],
            computing: ComputingCost::Declared,
            version: Version::Mpi,
            ranks: 2,
            request: crate::job::WorkloadRequest { name: "any".into(), size: 1 },
            seed: 1,
            limit: None,
            traced: None,
        };
        let span = |begin, end, worked_ns| RegionSpan { begin, end, worked_ns, messages: 2, bytes: 10 };
        let pass =
            |run, verdict| RankPass { run, pipeline: span(0, 100, 9), verdict, output: None, trace: None };
        let passes = [pass(span(10, 50, 30), Some(Verdict::Right)), pass(span(12, 70, 5), None)];
        let [run, pipeline] = predictions(&spec, &passes).try_into().expect("two modes");
        assert_eq!((run.elapsed_ns, run.worked_ns, run.worked_max_ns), (60, 35, 30));
        assert_eq!((run.traffic.messages, run.traffic.bytes_max_rank, run.correct), (4, 10, Some(true)));
        assert_eq!((pipeline.elapsed_ns, pipeline.series.mode), (100, TimedRegion::Pipeline));
        let wrong = [
            pass(span(0, 1, 0), Some(Verdict::Wrong("no".into()))),
            pass(span(0, 1, 0), Some(Verdict::Right)),
        ];
        assert_eq!(predictions(&spec, &wrong)[0].correct, Some(false));
        assert_eq!(predictions(&spec, &[pass(span(0, 1, 0), None)])[0].correct, None);
    }
}
