//! Executes an order: this program as one rank or as all ranks of one job.
use std::{
    any::Any,
    collections::BTreeSet,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    sync::Arc,
};

use wb_comm::{
    ProcessRanks, RankFunction, Transport,
    job::RankTermination,
    panic_place::{self, RankPanic},
    text::error,
};
use wb_messages::{Lang, functional as text};
use wb_process::{
    children,
    stack::ThreadActivity,
    thread_exit::{self, RunningThread},
};
use wb_record::{Backend, ClockInfo, ElapsedFrom, Version};
use wb_runner::{
    Backends, ProcessRank, RankWatchdog, StopReason, clock, job::Answers, output_tail, rank_activity,
};

use super::{
    bench::RankBench,
    erased_task::ErasedTask,
    job_spec::{CallCounts, Findings, JobSpec, JobWork, RankAnswer, RankReport, RankResult},
    kernel,
    measure_error::MeasureError,
    out_of_memory,
    program::BenchmarkProgram,
    usage::CpuScope,
};

/// The exit code of a worker whose pass was interrupted.
const EXIT_INTERRUPTED: i32 = 124;

/// A rank's stack, as on threads.
const STACK_BYTES: usize = 8 << 20;

/// Where the ranks leave their answers.
pub(crate) type MeasuredAnswers = Answers<RankReport>;

/// Executes the order and leaves one answer for each rank; false when a rank could not finish.
pub(crate) fn run(
    order: JobSpec,
    answers: &MeasuredAnswers,
    backends: Backends,
    program: &BenchmarkProgram,
) -> io::Result<bool> {
    match (order.backend, backends.processes) {
        (Backend::Threads, _) => run_all_ranks(order, answers, backends, program),
        (Backend::Mpi, Some(processes)) => {
            let answers = Arc::clone(answers);
            run_on_thread(move |program| run_process_rank(order, &answers, processes, program), program)
        }
        (Backend::Mpi, None) => Err(io::Error::other("this program is not linked with MPI")),
        (Backend::VirtualTime, _) => Err(io::Error::other("nothing is measured in virtual time")),
    }
}

/// Runs a rank on a thread with an ordinary stack, as the ranks of the other backend; this includes the sequential
/// version. The C library's allocator treats the first thread differently from all others, and a large buffer can cost
/// ten times as much there: the comparison would measure allocators.
fn run_on_thread(
    rank: impl FnOnce(&BenchmarkProgram) -> io::Result<bool> + Send + 'static,
    program: &BenchmarkProgram,
) -> io::Result<bool> {
    let program = program.clone();
    let thread = std::thread::Builder::new().name("rank".into()).stack_size(STACK_BYTES);
    let ended = thread.spawn(move || rank(&program))?.join();
    ended.unwrap_or_else(|panic| Err(io::Error::other(panic_place::panic_text(&*panic))))
}

/// This process is one rank of a launcher's job; returns whether all ranks succeeded.
fn run_process_rank(
    order: JobSpec,
    answers: &MeasuredAnswers,
    processes: &'static dyn ProcessRanks,
    program: &BenchmarkProgram,
) -> io::Result<bool> {
    let joined = ProcessRank::join(processes)?;
    let (rank, size) = (joined.rank, joined.size);
    thread_exit::register_exit_hook()?;
    let late = Arc::clone(answers);
    let watch = RankWatchdog::start(1, order.limit, move |_, workload, doing| {
        let call = processes.blocked_call().map(|call| call.to_string());
        let stands = call.unwrap_or_else(|| describe_unknown_call(rank, doing));
        let why = StopReason::TimeLimit(stands);
        late(failed(rank, size, workload, why));
        wb_process::exit_now(EXIT_INTERRUPTED);
    })?;
    set_out_of_memory_answer(answers, vec![rank], size, &watch)?;
    let transport = joined.open()?;
    children::become_subreaper()?;
    let known = children::current_children();
    let mut answer = answer(transport, &order, program, CpuScope::Process, &watch);
    if let Some(why) = end_leftover_processes(&known) {
        answer = failed(rank, size, watch.subject(), why);
    }
    let has_succeeded = match &mut answer.result.end {
        RankResult::Done(findings) => {
            findings.thread_level = processes.thread_level().map(str::to_owned);
            true
        }
        RankResult::Failed { .. } => false,
    };
    answers(answer);
    joined.leave(has_succeeded)?;
    if order.limit.is_some() {
        let answers = Arc::clone(answers);
        let library = processes.library().implementation;
        thread_exit::watch_thread(
            || false,
            move |unended| replace_unterminated_answers(&answers, &[rank], (&library, size), unended),
        );
    }
    Ok(true)
}

/// Replaces the answers of ranks that have left them and do not end, and ends this process.
fn replace_unterminated_answers(
    answers: &MeasuredAnswers,
    ranks: &[usize],
    job: (&str, usize),
    unended: RunningThread,
) {
    let described = rank_activity::describe_unterminated(ranks, job, unended, Lang::from_environment());
    ranks.iter().for_each(|&rank| {
        answers(failed(rank, job.1, None, StopReason::Error(described.clone())));
    });
    wb_process::exit_now(1)
}

/// Runs the process of all ranks, which must then end.
fn run_all_ranks(
    order: JobSpec,
    answers: &MeasuredAnswers,
    backends: Backends,
    program: &BenchmarkProgram,
) -> io::Result<bool> {
    thread_exit::register_exit_hook()?;
    let (size, is_limited) = (order.ranks, order.limit.is_some());
    let done = run_thread_ranks(order, answers, backends, program)?;
    if is_limited {
        let (answers, ranks) = (Arc::clone(answers), (0..size).collect::<Vec<_>>());
        thread_exit::watch_exit(move |unended| {
            let job = (&*text::threads(Lang::from_environment()), size);
            replace_unterminated_answers(&answers, &ranks, job, unended);
        });
    }
    Ok(done)
}

/// This process is all ranks of its job; returns whether all ranks succeeded.
pub(crate) fn run_thread_ranks(
    order: JobSpec,
    answers: &MeasuredAnswers,
    backends: Backends,
    program: &BenchmarkProgram,
) -> io::Result<bool> {
    if let JobWork::Count(sizes) = &order.work {
        return count(&order, sizes, answers, backends, program);
    }
    let (ranks, late) = (order.ranks, Arc::clone(answers));
    let watch = RankWatchdog::start(ranks, order.limit, move |late_rank, workload, doing| {
        let stands = describe_unknown_call(late_rank, doing);
        for rank in 0..ranks {
            let why = StopReason::TimeLimit(stands.clone());
            late(failed(rank, ranks, workload.clone(), why));
        }
        wb_process::exit_now(EXIT_INTERRUPTED);
    })?;
    set_out_of_memory_answer(answers, (0..ranks).collect(), ranks, &watch)?;
    let (order, program) = (Arc::new(order), program.clone());
    let job: RankFunction = Arc::new({
        let (order, watch, answers) = (Arc::clone(&order), Arc::clone(&watch), Arc::clone(answers));
        move |transport| {
            let answer = answer(transport, &order, &program, CpuScope::Thread, &watch);
            let done = matches!(answer.result.end, RankResult::Done(_));
            answers(answer);
            Box::new(done) as Box<dyn Any + Send>
        }
    });
    children::become_subreaper()?;
    let known = children::current_children();
    let outcome = backends.threads.run(ranks, None, job);
    if let Some(unended) = order.limit.and_then(|_| thread_exit::wait_for_threads(watch.threads()).err()) {
        let its = |rank: &usize| watch.thread(*rank) == Some(unended.thread);
        let its: Vec<_> = (0..ranks).filter(its).collect();
        let job = (&*text::threads(Lang::from_environment()), ranks);
        replace_unterminated_answers(answers, &its, job, unended);
    }
    if let Some(why) = end_leftover_processes(&known) {
        (0..ranks).for_each(|rank| answers(failed(rank, ranks, None, why.clone())));
        return Ok(false);
    }
    let done = |ended: &RankTermination| matches!(ended, RankTermination::Returned(done) if done.downcast_ref() == Some(&true));
    Ok(outcome.ranks.iter().all(done))
}

/// Makes exhausted memory the answer of these ranks of a job of `size`.
fn set_out_of_memory_answer(
    answers: &MeasuredAnswers,
    ranks: Vec<usize>,
    size: usize,
    watch: &Arc<RankWatchdog<String>>,
) -> io::Result<()> {
    let (answers, watch) = (Arc::clone(answers), Arc::clone(watch));
    let rank_of_process = (ranks.len() == 1).then(|| ranks[0]);
    out_of_memory::set_out_of_memory_answer(rank_of_process, move |described| {
        for &rank in &ranks {
            let why = StopReason::OutOfMemory(described.to_owned());
            answers(failed(rank, size, watch.subject(), why));
        }
    })
}

/// Terminates the processes that the task has left running; they are the reason why the job has failed.
fn end_leftover_processes(known: &BTreeSet<u32>) -> Option<StopReason> {
    let left = children::kill_others(known);
    (!left.is_empty())
        .then(|| StopReason::Error(output_tail::describe_children(&left, Lang::from_environment())))
}

/// The position of a rank whose current call is not known.
fn describe_unknown_call(rank: usize, doing: Option<ThreadActivity>) -> String {
    let described = doing.and_then(|doing| rank_activity::describe(rank, &doing, Lang::from_environment()));
    described.unwrap_or_else(|| format!("rank {rank}"))
}

/// Counts messages and rounds: every size in a separate job, whose logical clocks start at 0.
fn count(
    order: &JobSpec,
    sizes: &[usize],
    answers: &MeasuredAnswers,
    backends: Backends,
    program: &BenchmarkProgram,
) -> io::Result<bool> {
    let verbs = program.verbs.clone().ok_or_else(|| io::Error::other("nothing to count"))?;
    let counted: Result<Vec<_>, _> = sizes
        .iter()
        .map(|&count| {
            let verbs = Arc::clone(&verbs);
            let job: RankFunction = Arc::new(move |transport| Box::new(verbs.count(transport, count)));
            sum_counts(count, backends.threads.run(order.ranks, order.limit, job).ranks)
        })
        .collect();
    let ending = match counted {
        Ok(counts) => RankResult::Done(Box::new(Findings { counts, ..empty_findings() })),
        Err(why) => RankResult::Failed { subject: None, reason: StopReason::Error(why) },
    };
    let done = matches!(ending, RankResult::Done(_));
    for rank in 0..order.ranks {
        let ending = ending.clone();
        answers(RankAnswer::new(rank, order.ranks, ending.into()));
    }
    Ok(done)
}

fn sum_counts(count: usize, ranks: Vec<RankTermination>) -> Result<CallCounts, String> {
    let mut counted = CallCounts { count, messages: 0, rounds: 0 };
    for (rank, ended) in ranks.into_iter().enumerate() {
        let seen = match ended {
            RankTermination::Returned(value) => {
                *value.downcast::<wb_comm::Result<(u64, Option<u64>)>>().expect("what the job above returns")
            }
            RankTermination::Panicked(panic) => return Err(output_tail::text(&panic.of_rank(rank))),
            RankTermination::Unfinished | RankTermination::Starved(_) => {
                return Err(output_tail::text(&error::lost(rank)));
            }
        };
        let (messages, rounds) = seen.map_err(|why| output_tail::text(&error::of_rank(rank, why.text())))?;
        let rounds = rounds.ok_or("this backend's messages do not carry rounds")?;
        counted.messages += messages;
        counted.rounds = counted.rounds.max(rounds);
    }
    Ok(counted)
}

/// Executes one rank's work from its transport to its answer; a panic is an answer too.
fn answer(
    transport: Rc<dyn Transport>,
    order: &JobSpec,
    program: &BenchmarkProgram,
    whose: CpuScope,
    watch: &Arc<RankWatchdog<String>>,
) -> RankAnswer {
    let (rank, size) = (transport.rank(), transport.size());
    let (mut wrong, mut lane) = (None, None);
    let work = AssertUnwindSafe(|| {
        let bench = RankBench::new(transport, order.spins, whose, Arc::clone(watch))?;
        if let JobWork::Trace(request) = &order.work {
            lane = Some(program.mpi.trace(&bench, order, request, &mut wrong)?);
        }
        findings(&bench, order, program, &mut wrong)
    });
    let why = match catch_unwind(work) {
        Ok(Ok(findings)) => {
            let end = RankResult::Done(Box::new(findings));
            return RankAnswer::new(rank, size, RankReport { oracle_error: wrong, trace: lane, end });
        }
        Ok(Err(MeasureError::Task(limit @ wb_task::Failure::Limit { .. }))) => {
            StopReason::TimeLimit(output_tail::text(&limit.text()))
        }
        Ok(Err(stopped)) => StopReason::Error(output_tail::text(&stopped.text())),
        Err(panic) => StopReason::Panic(output_tail::text(&RankPanic::caught(&*panic).of_rank(rank))),
    };
    let end = RankResult::Failed { subject: watch.subject(), reason: why };
    RankAnswer::new(rank, size, RankReport { oracle_error: wrong, ..end.into() })
}

/// Executes the whole order, between two sentinels.
fn findings(
    bench: &RankBench,
    order: &JobSpec,
    program: &BenchmarkProgram,
    wrong: &mut Option<String>,
) -> Result<Findings, MeasureError> {
    let mut found = empty_findings();
    found.sentinel_before = sentinels(bench)?;
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
    found.sentinel_after = sentinels(bench)?;
    found.clock = bench.clock_info();
    Ok(found)
}

/// Collective: executes the fixed amount of work on every rank's core at the same time.
fn sentinels(bench: &RankBench) -> wb_comm::Result<Vec<u64>> {
    bench.common_start()?.wait();
    let mine = kernel::sentinel();
    bench.allgather(&[mine])
}

pub(crate) fn empty_findings() -> Findings {
    Findings {
        clock: ClockInfo::shared(clock::NAME, clock::resolution() as f64, None),
        placement: vec![],
        thread_level: None,
        sentinel_before: vec![],
        sentinel_after: vec![],
        ceiling: vec![],
        ceiling_from: ElapsedFrom::CommonClock,
        series: vec![],
        sweep: vec![],
        counts: vec![],
    }
}

fn failed(rank: usize, size: usize, workload: Option<String>, why: StopReason) -> RankAnswer {
    RankAnswer::new(rank, size, RankResult::Failed { subject: workload, reason: why }.into())
}
