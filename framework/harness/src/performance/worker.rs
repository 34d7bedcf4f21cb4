//! The other end of an order: this program again, as one rank or as all ranks of one job.
use std::{
    any::Any,
    collections::BTreeSet,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::ExitCode,
    rc::Rc,
    sync::Arc,
};

use wb_comm::{Processes, ThreadsJob, Transport, job::Ended, text::error};
use wb_messages::{Lang, functional as text};
use wb_process::{
    children,
    ending::{self, Unended},
    stack::Doing,
};
use wb_record::{Backend, Clock, Version};

use super::{
    Program,
    bench::Bench,
    clock, exhausted, kernel,
    measure::{Solution, Stopped},
    order::{Answer, Counted, Ending, Findings, Order, Why, Work},
    usage::Whose,
    watch::Watch,
};
use crate::{Backends, errand, functional, said};

/// The exit code of a worker whose pass was interrupted.
const INTERRUPTED: i32 = 124;

/// A rank's stack, as on threads.
const STACK_BYTES: usize = 8 << 20;

/// Carries the order out and leaves one answer a rank.
pub(crate) fn main(path: &Path, backends: Backends, program: &Program) -> ExitCode {
    let carried_out = Order::read(path).and_then(|order| match (order.backend, backends.processes) {
        (Backend::Threads, _) => as_all_ranks(order, backends, program),
        (Backend::Mpi, Some(processes)) => {
            on_a_thread(move |program| on_processes(order, processes, program), program)
        }
        (Backend::Mpi, None) => Err(io::Error::other("this program is not linked with MPI")),
        (Backend::VirtualTime, _) => Err(io::Error::other("nothing is measured in virtual time")),
    });
    errand::concluded(path, carried_out)
}

/// Runs a rank where the ranks of the other backend run, the sequential version among them: on a thread with an ordinary
/// stack. The C library's allocator serves the first thread differently from all others, and a large buffer can cost ten
/// times as much there: the comparison would be one of allocators.
fn on_a_thread(
    rank: impl FnOnce(&Program) -> io::Result<bool> + Send + 'static,
    program: &Program,
) -> io::Result<bool> {
    let program = program.clone();
    let thread = std::thread::Builder::new().name("rank".into()).stack_size(STACK_BYTES);
    let ended = thread.spawn(move || rank(&program))?.join();
    ended.unwrap_or_else(|panic| Err(io::Error::other(said::by_panic(&*panic))))
}

/// This process is one rank of a launcher's job; tells whether all went well.
fn on_processes(order: Order, processes: &'static dyn Processes, program: &Program) -> io::Result<bool> {
    wb_process::die_with_parent()?;
    let seat = processes.take_seat().map_err(io::Error::other)?;
    let (rank, size) = (seat.rank(), seat.size());
    ending::expect_exit()?;
    let (folder, limit) = (order.folder.clone(), order.limit);
    let watch = Watch::start(1, limit, move |_, workload, doing| {
        let call = processes.current_call().map(|call| call.to_string());
        let stands = call.unwrap_or_else(|| outside(rank, doing));
        let why = Why::Limit(stands);
        leave(&folder, &failed(rank, size, workload, why));
        wb_process::exit_now(INTERRUPTED);
    })?;
    answer_for_memory(&order.folder, vec![rank], size, &watch)?;
    let transport = seat.open(size).map_err(io::Error::other)?;
    let transport = transport.expect("a job's communicator of all ranks has every rank");
    children::adopt()?;
    let known = children::known();
    let mut answer = answer(transport, &order, program, Whose::Process, &watch);
    if let Some(why) = left_behind(&known) {
        answer = failed(rank, size, watch.workload(), why);
    }
    let done = match &mut answer.ending {
        Ending::Done(findings) => {
            findings.thread_level = processes.thread_level().map(str::to_owned);
            true
        }
        Ending::Failed { .. } => false,
    };
    leave(&order.folder, &answer);
    if !done {
        // The others may wait for this rank for ever: its end is what makes the launcher end them.
        processes.abandon();
        wb_process::exit_now(1);
    }
    seat.close().map_err(io::Error::other)?;
    if order.limit.is_some() {
        let folder = order.folder.clone();
        let library = processes.library().flavour;
        ending::watch(|| false, move |unended| leave_unended(&folder, &[rank], (&library, size), unended));
    }
    Ok(true)
}

/// Replaces the answers of ranks that have delivered them and do not end, and ends this process.
fn leave_unended(folder: &Path, ranks: &[usize], job: (&str, usize), unended: Unended) {
    let told = functional::unended::told(ranks, job, unended, Lang::of_environment());
    ranks.iter().for_each(|&rank| leave(folder, &failed(rank, job.1, None, Why::Error(told.clone()))));
    wb_process::exit_now(1)
}

/// The process of all ranks, which then has to end.
fn as_all_ranks(order: Order, backends: Backends, program: &Program) -> io::Result<bool> {
    ending::expect_exit()?;
    let (folder, size, is_limited) = (order.folder.clone(), order.ranks, order.limit.is_some());
    let done = on_threads(order, backends, program)?;
    if is_limited {
        let ranks: Vec<_> = (0..size).collect();
        ending::watch_exit(move |unended| {
            leave_unended(&folder, &ranks, (&text::threads(Lang::of_environment()), size), unended);
        });
    }
    Ok(done)
}

/// This process is all ranks of its job; tells whether all went well.
pub(crate) fn on_threads(order: Order, backends: Backends, program: &Program) -> io::Result<bool> {
    if let Work::Count(sizes) = &order.work {
        return count(&order, sizes, backends, program);
    }
    let (folder, ranks) = (order.folder.clone(), order.ranks);
    let folder_of_all = folder.clone();
    let watch = Watch::start(ranks, order.limit, move |late, workload, doing| {
        let stands = outside(late, doing);
        for rank in 0..ranks {
            let why = Why::Limit(stands.clone());
            leave(&folder, &failed(rank, ranks, workload.clone(), why));
        }
        wb_process::exit_now(INTERRUPTED);
    })?;
    answer_for_memory(&order.folder, (0..ranks).collect(), ranks, &watch)?;
    let (order, program) = (Arc::new(order), program.clone());
    let job: ThreadsJob = Arc::new({
        let (order, watch) = (Arc::clone(&order), Arc::clone(&watch));
        move |transport| {
            let answer = answer(transport, &order, &program, Whose::Thread, &watch);
            let done = matches!(answer.ending, Ending::Done(_));
            leave(&order.folder, &answer);
            Box::new(done) as Box<dyn Any + Send>
        }
    });
    children::adopt()?;
    let known = children::known();
    let outcome = backends.threads.run(ranks, None, job);
    if let Some(unended) = order.limit.and_then(|_| ending::wait(watch.threads()).err()) {
        let its = |rank: &usize| watch.thread(*rank) == Some(unended.thread);
        let its: Vec<_> = (0..ranks).filter(its).collect();
        leave_unended(&folder_of_all, &its, (&text::threads(Lang::of_environment()), ranks), unended);
    }
    if let Some(why) = left_behind(&known) {
        (0..ranks).for_each(|rank| leave(&folder_of_all, &failed(rank, ranks, None, why.clone())));
        return Ok(false);
    }
    let done = |ended: &Ended| matches!(ended, Ended::Returned(done) if done.downcast_ref() == Some(&true));
    Ok(outcome.ranks.iter().all(done))
}

/// From now on memory that runs out is the answer of these ranks of a job of `size`.
fn answer_for_memory(folder: &Path, ranks: Vec<usize>, size: usize, watch: &Arc<Watch>) -> io::Result<()> {
    let (folder, watch) = (folder.to_owned(), Arc::clone(watch));
    let rank_of_process = (ranks.len() == 1).then(|| ranks[0]);
    exhausted::answer_for(rank_of_process, move |told| {
        for &rank in &ranks {
            let why = Why::Memory(told.to_owned());
            leave(&folder, &failed(rank, size, watch.workload(), why));
        }
    })
}

/// Ends the processes that the task has left running; what they were is why the job has failed.
fn left_behind(known: &BTreeSet<u32>) -> Option<Why> {
    let left = children::end_others(known);
    (!left.is_empty()).then(|| Why::Error(said::by_children(&left, Lang::of_environment())))
}

/// Where a rank is whose call is not known.
fn outside(rank: usize, doing: Option<Doing>) -> String {
    let told = doing.and_then(|doing| functional::doing::told(rank, &doing, Lang::of_environment()));
    told.unwrap_or_else(|| format!("rank {rank}"))
}

/// Messages and rounds: every size in a job of its own, whose logical clocks start at nought.
fn count(order: &Order, sizes: &[usize], backends: Backends, program: &Program) -> io::Result<bool> {
    let verbs = program.verbs.clone().ok_or_else(|| io::Error::other("nothing to count"))?;
    let counted: Result<Vec<_>, _> = sizes
        .iter()
        .map(|&count| {
            let verbs = Arc::clone(&verbs);
            let job: ThreadsJob = Arc::new(move |transport| Box::new(verbs.count(transport, count)));
            add_up(count, backends.threads.run(order.ranks, order.limit, job).ranks)
        })
        .collect();
    let ending = match counted {
        Ok(counts) => Ending::Done(Findings { counts, ..nothing_found() }),
        Err(why) => Ending::Failed { workload: None, why: Why::Error(why) },
    };
    let done = matches!(ending, Ending::Done(_));
    for rank in 0..order.ranks {
        let ending = ending.clone();
        let (size, machine) = (order.ranks, machine());
        leave(&order.folder, &Answer { rank, size, machine, wrong: None, lane: None, ending });
    }
    Ok(done)
}

/// One call's counts from what its ranks saw.
fn add_up(count: usize, ranks: Vec<Ended>) -> Result<Counted, String> {
    let mut counted = Counted { count, messages: 0, rounds: 0 };
    for (rank, ended) in ranks.into_iter().enumerate() {
        let seen = match ended {
            Ended::Returned(value) => {
                *value.downcast::<wb_comm::Result<(u64, Option<u64>)>>().expect("what the job above returns")
            }
            Ended::Panicked(text) => return Err(said::text(&error::panicked(rank, text))),
            Ended::Lost | Ended::Waited(_) => {
                return Err(said::text(&error::lost(rank)));
            }
        };
        let (messages, rounds) = seen.map_err(|why| said::text(&error::of_rank(rank, why.text())))?;
        let rounds = rounds.ok_or("this backend's messages do not carry rounds")?;
        counted.messages += messages;
        counted.rounds = counted.rounds.max(rounds);
    }
    Ok(counted)
}

/// One rank's work from its transport to its answer; a panic is an answer too.
fn answer(
    transport: Rc<dyn Transport>,
    order: &Order,
    program: &Program,
    whose: Whose,
    watch: &Arc<Watch>,
) -> Answer {
    let (rank, size) = (transport.rank(), transport.size());
    let (mut wrong, mut lane) = (None, None);
    let work = AssertUnwindSafe(|| {
        let bench = Bench::new(transport, order.spins, whose, Arc::clone(watch))?;
        if let Work::Trace(request) = &order.work {
            lane = Some(program.mpi.trace(&bench, order, request, &mut wrong)?);
        }
        findings(&bench, order, program, &mut wrong)
    });
    let why = match catch_unwind(work) {
        Ok(Ok(findings)) => {
            return Answer { rank, size, machine: machine(), wrong, lane, ending: Ending::Done(findings) };
        }
        Ok(Err(Stopped::Task(limit @ wb_task::Failure::Limit { .. }))) => {
            Why::Limit(said::text(&limit.text()))
        }
        Ok(Err(stopped)) => Why::Error(said::text(&stopped.text())),
        Err(panic) => Why::Error(said::text(&error::panicked(rank, said::by_panic(&*panic)))),
    };
    Answer { wrong, ..failed(rank, size, watch.workload(), why) }
}

/// Everything that was ordered, between two sentinels.
fn findings(
    bench: &Bench,
    order: &Order,
    program: &Program,
    wrong: &mut Option<String>,
) -> Result<Findings, Stopped> {
    let barrier_ns = (bench.size() > 1).then_some(bench.barrier_ns as f64);
    let clock = Clock { name: clock::NAME.to_owned(), resolution_ns: bench.resolution_ns as f64, barrier_ns };
    let mut found = Findings { clock, ..nothing_found() };
    found.sentinel_before = sentinels(bench)?;
    match &order.work {
        Work::Series(requests) => {
            found.ceiling = kernel::ceiling(bench, order.sampling.ceiling)?;
            let solution: &dyn Solution = match order.version {
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
        Work::Sweep(counts) => {
            let verbs = program.verbs.as_ref().expect("sweeps are ordered of communication assignments only");
            for &count in counts {
                found.sweep.push(verbs.sweep(bench, order, count)?);
            }
        }
        // A lane is each rank's own, and findings are the same on all of them.
        Work::Trace(_) => {}
        Work::Count(_) => unreachable!("counts are taken in jobs of their own"),
    }
    found.sentinel_after = sentinels(bench)?;
    Ok(found)
}

/// Collective: the fixed amount of work on every rank's core at once.
fn sentinels(bench: &Bench) -> wb_comm::Result<Vec<u64>> {
    bench.line_up()?.go();
    let mine = kernel::sentinel();
    bench.together(&[mine])
}

fn nothing_found() -> Findings {
    Findings {
        clock: Clock {
            name: clock::NAME.to_owned(),
            resolution_ns: clock::resolution() as f64,
            barrier_ns: None,
        },
        thread_level: None,
        sentinel_before: vec![],
        sentinel_after: vec![],
        ceiling: vec![],
        series: vec![],
        sweep: vec![],
        counts: vec![],
    }
}

fn failed(rank: usize, size: usize, workload: Option<String>, why: Why) -> Answer {
    Answer {
        rank,
        size,
        machine: machine(),
        wrong: None,
        lane: None,
        ending: Ending::Failed { workload, why },
    }
}

/// Leaves an answer; what cannot be written is said on standard error, and the missing file is noticed.
fn leave(folder: &Path, answer: &Answer) {
    if let Err(error) = answer.write(folder) {
        eprintln!("rank {}: cannot leave its result in {}: {error}", answer.rank, folder.display());
    }
}

/// The running kernel's identity: equal on all ranks exactly when they share a clock.
fn machine() -> String {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
    id.unwrap_or_else(|_| rustix::system::uname().nodename().to_string_lossy().into_owned()).trim().to_owned()
}
