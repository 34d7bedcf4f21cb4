//! Executes an order on each rank of a job.
use std::{io, sync::Arc, time::Duration};

use wb_comm::{ProcessRanks, Result, SpinPolicy, Transport};
use wb_record::Backend;
use wb_runner::{Backends, OrderedRank, OrderedRanks, StopReason, job::Answers};

use crate::{
    bench::{BarrierBench, BenchArena},
    job::{BarrierJobSpec, BarrierRankResult, FormResult, RankFindings},
    job_ranks::{CurrentForm, JobRanks, bind_rank, setup_error},
    substrate,
    visit::ErasedBarrier,
    visit_order,
};

/// Episodes of the first visit, from which the number of episodes in a batch is computed.
const TRIAL_EPISODES: u64 = 8;

/// The least and the most episodes of a batch.
const EPISODES: std::ops::RangeInclusive<u64> = 2..=8192;

/// Executes the order and leaves one answer for each rank; false when a rank could not finish.
pub(crate) fn run(
    spec: BarrierJobSpec,
    answers: Answers<BarrierRankResult>,
    backends: Backends,
) -> io::Result<bool> {
    let (backend, size, limit) = (spec.backend, spec.ranks, Some(spec.sampling.limit));
    let uses_shmem = spec.forms.iter().any(substrate::is_shmem);
    let work = Arc::new(move |rank| execute(&spec, rank, backends));
    let has_succeeded = OrderedRanks { backends, backend, size, limit, answers, work }.execute()?;
    if uses_shmem && let Some(processes) = backends.processes {
        // That library's exit handlers crash.
        processes.finalize();
        wb_process::exit_now(i32::from(!has_succeeded));
    }
    Ok(has_succeeded)
}

/// One rank's part of the job.
fn execute(
    spec: &BarrierJobSpec,
    OrderedRank { transport, watchdog, slot }: OrderedRank<usize>,
    backends: Backends,
) -> std::result::Result<BarrierRankResult, StopReason> {
    let rank = transport.rank();
    let measured = CurrentForm::new(&spec.folder, rank, (watchdog, slot))
        .map_err(setup_error)
        .and_then(|current| measure(spec, &*transport, &current));
    let failed = |error: wb_comm::Error| StopReason::Error(format!("rank {rank}: {error}"));
    let processes = backends.processes.filter(|_| spec.backend == Backend::Mpi);
    let thread_level = processes.and_then(ProcessRanks::thread_level).map(str::to_owned);
    let done = |findings| BarrierRankResult::Done(RankFindings { thread_level, ..findings });
    measured.map(done).map_err(failed)
}

fn measure(spec: &BarrierJobSpec, transport: &dyn Transport, current: &CurrentForm) -> Result<RankFindings> {
    let ranks = JobRanks::new(transport)?;
    let (number, count) = ranks.on_this_kernel();
    let cores = bind_rank(number, count, &spec.cpus).map_err(setup_error)?;
    let arena = BenchArena::default();
    let (mut forms, nodes) = {
        let bench = BarrierBench::new(transport, SpinPolicy::for_participants(count, cores), &arena)?;
        let mut rounds = VisitRounds::prepare(spec, &bench, current)?;
        rounds.run(spec, &ranks, current)?;
        (rounds.results, bench.group.nodes)
    };
    ranks.compare_clocks()?;
    let visits = forms.iter_mut().filter_map(|form| match form {
        FormResult::Visited { visits, .. } => Some(visits),
        FormResult::Refused(_) => None,
    });
    visits.flatten().for_each(|visit| ranks.correct(visit));
    arena.clear()?;
    let (compared, uncertainty_ns) = (ranks.clock.compared(), ranks.clock.uncertainty_ns());
    Ok(RankFindings { forms, nodes, compared, uncertainty_ns, thread_level: None })
}

/// The built forms of a job with the number of traces in a visit, and their visits so far.
struct VisitRounds<'g> {
    subjects: Vec<Option<(Box<dyn ErasedBarrier + 'g>, usize)>>,
    results: Vec<FormResult>,
}

impl<'g> VisitRounds<'g> {
    /// Collective: builds all forms and runs each once.
    fn prepare(order: &BarrierJobSpec, bench: &BarrierBench<'g>, current: &CurrentForm) -> Result<Self> {
        let mut built = vec![];
        for (number, form) in order.forms.iter().enumerate() {
            current.enter(number)?;
            built.push(substrate::build(form, bench));
        }
        // A form that one rank cannot build is built by no rank. The barrier in this agreement also publishes initial
        // values.
        let refusals: Vec<u64> = built.iter().map(|built| u64::from(built.is_err())).collect();
        let refused = bench.allreduce_max(&refusals)?;
        let mut rounds = Self { subjects: vec![], results: vec![] };
        for (number, built) in built.into_iter().enumerate() {
            let (subject, result) = match built {
                Err(error) => (None, FormResult::Refused(error.to_string())),
                Ok(_) if refused[number] == 1 => {
                    (None, FormResult::Refused("another rank cannot build it".to_owned()))
                }
                Ok(mut subject) => {
                    current.enter(number)?;
                    let sent = substrate::count_messages(&order.forms[number], bench)?;
                    let (episodes, traces) = match order.forms[number].verb {
                        Some(_) => subject.batch(1).map(|_| (1, 0))?,
                        None => estimate_batch(&mut *subject, order, bench)?,
                    };
                    (Some((subject, traces)), FormResult::Visited { sent, episodes, visits: vec![] })
                }
            };
            rounds.subjects.push(subject);
            rounds.results.push(result);
        }
        Ok(rounds)
    }

    /// Visits all forms, round by round, in an order that is the same on all ranks.
    fn run(&mut self, order: &BarrierJobSpec, ranks: &JobRanks, current: &CurrentForm) -> Result<()> {
        let mut random = oorandom::Rand32::new(order.seed);
        for _ in 0..order.sampling.rounds {
            ranks.compare_clocks_if_due()?;
            for number in visit_order::round(order, &mut random) {
                if let (Some((subject, traces)), FormResult::Visited { episodes, visits, .. }) =
                    (&mut self.subjects[number], &mut self.results[number])
                {
                    current.enter(number)?;
                    visits.push(subject.visit(*episodes, *traces)?);
                }
            }
        }
        Ok(())
    }
}

/// Collective: runs the first episodes of a form; returns the numbers of episodes in a batch and of traces in a visit.
fn estimate_batch(
    subject: &mut dyn ErasedBarrier,
    order: &BarrierJobSpec,
    bench: &BarrierBench<'_>,
) -> Result<(u64, usize)> {
    // Twice, because the first episodes also cause page faults.
    subject.batch(TRIAL_EPISODES)?;
    let (_, took) = subject.batch(TRIAL_EPISODES)?;
    let took = bench.allreduce_max(&[took])?[0];
    let batch = duration_ns(order.sampling.batch);
    let episodes = (batch * TRIAL_EPISODES / took.max(1)).clamp(*EPISODES.start(), *EPISODES.end());
    let traces = (order.sampling.traces as u64).min(episodes);
    Ok((episodes, traces as usize))
}

fn duration_ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX / TRIAL_EPISODES)
}
