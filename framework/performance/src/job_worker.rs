//! Executes an order: this program as one rank or as all ranks of one job.
use std::{io, sync::Arc};

use wb_comm::{ProcessRanks, RankFunction, job::RankTermination, text::error};
use wb_record::{Backend, Sentinel, Version};
use wb_runner::{Backends, OrderedRank, OrderedRanks, StopReason, job::Answers, output_tail, rank_result};

use super::{
    bench::RankBench,
    job::{CountedRounds, Findings, JobSpec, JobWork, RankAnswer, RankReport, RankResult},
    kernel,
    pass_data::MeasureError,
    program::{BenchmarkProgram, ErasedTask},
    usage::CpuScope,
};

/// Executes the order and leaves one answer for each rank; false when a rank could not finish.
pub(crate) fn run(
    order: JobSpec,
    answers: &Answers<RankResult>,
    backends: Backends,
    program: &BenchmarkProgram,
) -> io::Result<bool> {
    if let JobWork::Count(sizes) = &order.work {
        return count(&order, sizes, answers, backends, program);
    }
    ranks(order, answers, backends, program).execute()
}

/// The ranks of an order that is not to count.
pub(crate) fn ranks(
    order: JobSpec,
    answers: &Answers<RankResult>,
    backends: Backends,
    program: &BenchmarkProgram,
) -> OrderedRanks<RankResult> {
    let (backend, size, limit) = (order.backend, order.ranks, order.limit);
    let (answers, program) = (Arc::clone(answers), program.clone());
    let processes = backends.processes.filter(|_| backend == Backend::Mpi);
    let work = Arc::new(move |rank| {
        let mut report = measure(rank, &order, &program)?;
        let level = processes.and_then(ProcessRanks::thread_level);
        report.findings.thread_level = level.map(str::to_owned);
        Ok(RankResult::Done(Box::new(report)))
    });
    OrderedRanks { backends, backend, size, limit, answers, work }
}

/// Counts rounds: every size in a separate job, whose logical clocks start at 0.
fn count(
    order: &JobSpec,
    sizes: &[usize],
    answers: &Answers<RankResult>,
    backends: Backends,
    program: &BenchmarkProgram,
) -> io::Result<bool> {
    let verbs = program.verbs.clone().ok_or_else(|| io::Error::other("nothing to count"))?;
    let counted: Result<Vec<_>, _> = sizes
        .iter()
        .map(|&count| {
            let verbs = Arc::clone(&verbs);
            let job: RankFunction = Arc::new(move |transport| Box::new(verbs.count(transport, count)));
            most_rounds(count, backends.threads.run(order.ranks, order.limit, job).ranks)
        })
        .collect();
    let ending = match counted {
        Ok(counts) => {
            let findings = Findings { counts, ..Findings::empty() };
            RankResult::Done(Box::new(RankReport { findings, oracle_error: None, trace: None }))
        }
        Err(why) => RankResult::Failed { subject: None, reason: StopReason::Error(why) },
    };
    (0..order.ranks).for_each(|rank| answers(RankAnswer::new(rank, order.ranks, ending.clone())));
    Ok(ending.findings().is_some())
}

fn most_rounds(count: usize, ranks: Vec<RankTermination>) -> Result<CountedRounds, String> {
    let mut most = 0;
    for (rank, ended) in ranks.into_iter().enumerate() {
        let counted: wb_comm::Result<Option<u64>> = rank_result(rank, ended)?;
        let rounds = counted.map_err(|why| output_tail::text(&error::of_rank(rank, why.text())))?;
        most = most.max(rounds.ok_or("this backend's messages do not carry rounds")?);
    }
    Ok(CountedRounds { count, rounds: most })
}

/// Executes one rank's work.
fn measure(
    rank: OrderedRank<String>,
    order: &JobSpec,
    program: &BenchmarkProgram,
) -> Result<RankReport, StopReason> {
    let (mut oracle_error, mut trace) = (None, None);
    let scope = if order.backend == Backend::Mpi { CpuScope::Process } else { CpuScope::Thread };
    let measured = (|| {
        let bench = RankBench::new(rank.transport, order.spins, scope, rank.watchdog)?;
        if let JobWork::Trace(request) = &order.work {
            trace = Some(program.mpi.trace(&bench, order, request, &mut oracle_error)?);
        }
        findings(&bench, order, program, &mut oracle_error)
    })();
    match measured {
        Ok(findings) => Ok(RankReport { findings, oracle_error, trace }),
        Err(MeasureError::Task(limit @ wb_task::Failure::Limit { .. })) => {
            Err(StopReason::TimeLimit(output_tail::text(&limit.text())))
        }
        Err(stopped) => Err(StopReason::Error(output_tail::text(&stopped.text()))),
    }
}

/// Executes the whole order, between two sentinels.
fn findings(
    bench: &RankBench,
    order: &JobSpec,
    program: &BenchmarkProgram,
    wrong: &mut Option<String>,
) -> Result<Findings, MeasureError> {
    let mut found = Findings::empty();
    let before_ns = sentinels(bench)?;
    match &order.work {
        JobWork::Series(requests) => {
            (found.ceiling, found.ceiling_from) = kernel::ceiling(bench, order.sampling.ceiling)?;
            let solution: &dyn ErasedTask = match order.version {
                Version::Mpi => &*program.mpi,
                Version::Seq => &*program.seq,
                Version::Reference => {
                    program.reference.as_deref().expect("ordered where there is a reference only")
                }
            };
            for request in requests {
                found.series.extend(solution.measure(bench, order, request, wrong)?);
            }
        }
        JobWork::Sweep(counts) => {
            let verbs = program.verbs.as_ref().expect("sweeps are ordered of communication assignments only");
            for &count in counts {
                found.sweep.push(verbs.sweep(bench, order, count)?);
            }
        }
        // A lane belongs to one rank, and findings are the same on all ranks.
        JobWork::Trace(_) => {}
        JobWork::Count(_) => unreachable!("counts are taken in jobs of their own"),
    }
    found.sentinel = Some(Sentinel { before_ns, after_ns: sentinels(bench)? });
    found.clock = bench.clock_info();
    Ok(found)
}

/// Collective: executes the fixed amount of work on every rank's core at the same time.
fn sentinels(bench: &RankBench) -> wb_comm::Result<Vec<u64>> {
    bench.common_start()?.wait();
    let mine = kernel::sentinel();
    bench.allgather(&[mine])
}
