//! Executes an order: this program as one rank or, on threads, as all ranks of a job.
use std::{
    any::Any,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use wb_comm::{
    ProcessRanks, RankFunction, Result, SpinPolicy, Text, Transport, job::RankTermination,
    panic_place::RankPanic,
};
use wb_record::Backend;
use wb_runner::{Backends, ProcessRank, RankWatchdog, StopReason, job::Answers};

use crate::{
    bench::{BarrierBench, BenchArena},
    cores,
    current_form::CurrentForm,
    job_ranks::JobRanks,
    job_spec::{BarrierJobSpec, BarrierRankAnswer, BarrierRankResult, FormResult, RankFindings},
    substrate, visit,
    visit::ErasedBarrier,
    visit_order,
};

/// The exit code of a rank that hung for too long.
const EXIT_INTERRUPTED: i32 = 124;

/// Episodes of the first visit, from which the number of episodes in a batch is computed.
const TRIAL_EPISODES: u64 = 8;

/// The least and the most episodes of a batch.
const EPISODES: std::ops::RangeInclusive<u64> = 2..=8192;

/// Where the ranks leave their answers.
type VisitAnswers = Answers<BarrierRankResult>;

/// Executes the order and leaves one answer for each rank; false when a rank could not finish.
pub(crate) fn run(spec: BarrierJobSpec, answers: &VisitAnswers, backends: Backends) -> io::Result<bool> {
    match (spec.backend, backends.processes) {
        (Backend::Threads, _) => run_thread_ranks(spec, answers, backends),
        (Backend::Mpi, Some(processes)) => run_process_rank(&spec, answers, processes),
        (Backend::Mpi, None) => Err(io::Error::other("this program is not linked with MPI")),
        (Backend::VirtualTime, _) => Err(io::Error::other("nothing is measured in virtual time")),
    }
}

/// This process is one rank of a launcher's job; returns whether all ranks succeeded.
fn run_process_rank(
    order: &BarrierJobSpec,
    answers: &VisitAnswers,
    processes: &'static dyn ProcessRanks,
) -> io::Result<bool> {
    let rank = ProcessRank::join(processes)?;
    let place =
        RankJob { spec: order.clone(), answers: Arc::clone(answers), rank: rank.rank, size: rank.size };
    let current =
        place.clone().start_watchdog(move || processes.blocked_call().map(|call| call.to_string()))?;
    let has_succeeded = place.answer(&*rank.open()?, &current);
    rank.leave(has_succeeded)?;
    if order.forms.iter().any(substrate::is_shmem) {
        // That library's exit handlers crash.
        processes.finalize();
        wb_process::exit_now(0);
    }
    Ok(true)
}

/// This process is all ranks of its job; returns whether all ranks succeeded.
fn run_thread_ranks(order: BarrierJobSpec, answers: &VisitAnswers, backends: Backends) -> io::Result<bool> {
    let (ranks, answers) = (order.ranks, Arc::clone(answers));
    let job: RankFunction = Arc::new(move |transport| {
        let (rank, size) = (transport.rank(), transport.size());
        let place = RankJob { spec: order.clone(), answers: Arc::clone(&answers), rank, size };
        let current = place.clone().start_watchdog(|| None);
        let done = current.is_ok_and(|current| place.answer(&*transport, &current));
        Box::new(done) as Box<dyn Any + Send>
    });
    let outcome = backends.threads.run(ranks, None, job);
    let done = |ended: &RankTermination| matches!(ended, RankTermination::Returned(done) if done.downcast_ref() == Some(&true));
    Ok(outcome.ranks.iter().all(done))
}

/// One rank of one job.
#[derive(Clone)]
struct RankJob {
    spec: BarrierJobSpec,
    answers: VisitAnswers,
    rank: usize,
    size: usize,
}

impl RankJob {
    /// Ends the process when this rank hangs; `stands` returns its current call.
    fn start_watchdog(self, stands: impl Fn() -> Option<String> + Send + 'static) -> io::Result<CurrentForm> {
        let (folder, limit, rank) = (self.spec.folder.clone(), self.spec.sampling.limit, self.rank);
        let watchdog = RankWatchdog::start(1, Some(limit), move |_, form, _| {
            let call = stands().map_or_else(String::new, |call| format!(": {call}"));
            let reason = format!("rank {rank} did not come out within {} s{call}", limit.as_secs_f64());
            self.leave_answer(BarrierRankResult::Failed {
                subject: form,
                reason: StopReason::TimeLimit(reason),
            });
            wb_process::exit_now(EXIT_INTERRUPTED);
        })?;
        CurrentForm::new(&folder, rank, watchdog)
    }

    /// Executes all steps from the transport to the answer; returns whether all ranks succeeded.
    fn answer(&self, transport: &dyn Transport, current: &CurrentForm) -> bool {
        let work = AssertUnwindSafe(|| self.measure(transport, current));
        let reason = match catch_unwind(work) {
            Ok(Ok(seen)) => {
                self.leave_answer(BarrierRankResult::Done(seen));
                return true;
            }
            Ok(Err(error)) => StopReason::Error(format!("rank {}: {error}", self.rank)),
            Err(panic) => StopReason::Panic(RankPanic::caught(&*panic).of_rank(self.rank).to_string()),
        };
        self.leave_answer(BarrierRankResult::Failed { subject: current.number(), reason });
        false
    }

    fn measure(&self, transport: &dyn Transport, current: &CurrentForm) -> Result<RankFindings> {
        let ranks = JobRanks::new(transport)?;
        let (number, count) = ranks.on_this_kernel();
        let cores = cores::bind_rank(number, count, &self.spec.cpus).map_err(setup_error)?;
        let arena = BenchArena::default();
        let (mut forms, nodes) = {
            let bench = BarrierBench::new(transport, SpinPolicy::for_participants(count, cores), &arena)?;
            let mut rounds = VisitRounds::prepare(&self.spec, &bench, current)?;
            rounds.run(&self.spec, &ranks, current)?;
            (rounds.results, bench.group.nodes)
        };
        ranks.compare_clocks()?;
        let visits = forms.iter_mut().filter_map(|form| match form {
            FormResult::Visited { visits, .. } => Some(visits),
            FormResult::Refused(_) => None,
        });
        visits.flatten().for_each(|visit| ranks.correct(visit));
        arena.clear()?;
        let (compared, uncertainty_ns) = (ranks.compared(), ranks.uncertainty_ns());
        Ok(RankFindings { forms, nodes, compared, uncertainty_ns })
    }

    fn leave_answer(&self, result: BarrierRankResult) {
        (self.answers)(BarrierRankAnswer::new(self.rank, self.size, result));
    }
}

fn setup_error(error: io::Error) -> wb_comm::Error {
    wb_comm::Error::Setup(Text::verbatim(error.to_string()))
}

/// The built forms of a job, and their visits so far.
struct VisitRounds<'g> {
    subjects: Vec<Option<Box<dyn ErasedBarrier + 'g>>>,
    traces: Vec<usize>,
    results: Vec<FormResult>,
}

impl<'g> VisitRounds<'g> {
    /// Collective: builds all forms and runs each once.
    fn prepare(order: &BarrierJobSpec, bench: &BarrierBench<'g>, current: &CurrentForm) -> Result<Self> {
        let mut built = vec![];
        for (number, form) in order.forms.iter().enumerate() {
            enter(current, number)?;
            built.push(substrate::build(form, bench));
        }
        // A form that one rank cannot build is built by no rank. The barrier in this agreement also publishes initial
        // values.
        let refusals: Vec<u64> = built.iter().map(|built| u64::from(built.is_err())).collect();
        let refused = bench.allreduce_max(&refusals)?;
        let mut rounds = Self { subjects: vec![], traces: vec![], results: vec![] };
        for (number, built) in built.into_iter().enumerate() {
            let refusal = match built {
                Err(error) => Some(error.to_string()),
                Ok(_) if refused[number] == 1 => Some("another rank cannot build it".to_owned()),
                Ok(mut subject) => {
                    enter(current, number)?;
                    let sent = substrate::count_messages(&order.forms[number], bench)?;
                    let (episodes, traces) = estimate_batch(&mut *subject, order, bench)?;
                    rounds.subjects.push(Some(subject));
                    rounds.traces.push(traces);
                    rounds.results.push(FormResult::Visited { sent, episodes, visits: vec![] });
                    None
                }
            };
            if let Some(refusal) = refusal {
                rounds.subjects.push(None);
                rounds.traces.push(0);
                rounds.results.push(FormResult::Refused(refusal));
            }
        }
        Ok(rounds)
    }

    /// Visits all forms, round by round, in an order that is the same on all ranks.
    fn run(&mut self, order: &BarrierJobSpec, ranks: &JobRanks, current: &CurrentForm) -> Result<()> {
        let mut random = oorandom::Rand32::new(order.seed);
        for _ in 0..order.sampling.rounds {
            ranks.compare_clocks_if_due()?;
            for number in visit_order::round(&order.forms, &mut random) {
                let Some(subject) = &mut self.subjects[number] else { continue };
                let FormResult::Visited { episodes, visits, .. } = &mut self.results[number] else {
                    continue;
                };
                enter(current, number)?;
                visits.push(visit::visit(&mut **subject, *episodes, self.traces[number])?);
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

fn enter(current: &CurrentForm, number: usize) -> Result<()> {
    current.enter(number).map_err(setup_error)
}
