//! The other end of an order: this program again, as one rank or, on threads, as all ranks of a job.
use std::{
    any::Any,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use wb_comm::{Processes, Result, Text, ThreadsJob, Transport, job::Ended};
use wb_harness::{Backends, errand};
use wb_record::Backend;

use crate::{
    bench::{Bench, Ground},
    cores,
    order::{Answer, Ending, Order, Seen},
    substrate, tour, visit,
    visit::Subject,
    watch::Watch,
};

/// The exit code of a rank that stood still for too long.
const INTERRUPTED: i32 = 124;

/// Episodes of the first visit, from which it is seen how many a batch needs.
const TRIAL: u64 = 8;

/// The least and the most episodes of a batch.
const EPISODES: std::ops::RangeInclusive<u64> = 2..=8192;

/// Carries the order out and leaves one answer a rank.
pub(crate) fn main(path: &Path, backends: Backends) -> ExitCode {
    let carried_out = Order::read(path).and_then(|order| match (order.backend, backends.processes) {
        (Backend::Threads, _) => on_threads(order, backends),
        (Backend::Mpi, Some(processes)) => on_processes(&order, processes),
        (Backend::Mpi, None) => Err(io::Error::other("this program is not linked with MPI")),
        (Backend::VirtualTime, _) => Err(io::Error::other("nothing is measured in virtual time")),
    });
    errand::concluded(path, carried_out)
}

/// This process is one rank of a launcher's job; tells whether all went well.
fn on_processes(order: &Order, processes: &'static dyn Processes) -> io::Result<bool> {
    wb_process::die_with_parent()?;
    let seat = processes.take_seat().map_err(io::Error::other)?;
    let (rank, size) = (seat.rank(), seat.size());
    let place = Place { order: order.clone(), rank, size };
    let watch = place.clone().watch(move || processes.current_call().map(|call| call.to_string()))?;
    let transport = seat.open(size).map_err(io::Error::other)?;
    let transport = transport.expect("a job's communicator of all ranks has every rank");
    let done = place.answer(&*transport, &watch);
    if !done {
        // The others may wait for this rank for ever: its end is what makes the launcher end them.
        processes.abandon();
        wb_process::exit_now(1);
    }
    seat.close().map_err(io::Error::other)?;
    if order.forms.iter().any(substrate::is_shmem) {
        // That library's exit handlers crash.
        processes.leave();
        wb_process::exit_now(0);
    }
    Ok(true)
}

/// This process is all ranks of its job; tells whether all went well.
fn on_threads(order: Order, backends: Backends) -> io::Result<bool> {
    let ranks = order.ranks;
    let job: ThreadsJob = Arc::new(move |transport| {
        let place = Place { order: order.clone(), rank: transport.rank(), size: transport.size() };
        let watch = place.clone().watch(|| None);
        let done = watch.is_ok_and(|watch| place.answer(&*transport, &watch));
        Box::new(done) as Box<dyn Any + Send>
    });
    let outcome = backends.threads.run(ranks, None, job);
    let done = |ended: &Ended| matches!(ended, Ended::Returned(done) if done.downcast_ref() == Some(&true));
    Ok(outcome.ranks.iter().all(done))
}

/// One rank of one job.
#[derive(Clone)]
struct Place {
    order: Order,
    rank: usize,
    size: usize,
}

impl Place {
    /// Ends the process when this rank stands still; `stands` says in which call.
    fn watch(self, stands: impl Fn() -> Option<String> + Send + 'static) -> io::Result<Arc<Watch>> {
        let (folder, limit, rank) = (self.order.folder.clone(), self.order.sampling.limit, self.rank);
        Watch::start(&folder, rank, limit, move |form| {
            let call = stands().map_or_else(String::new, |call| format!(": {call}"));
            let reason = format!("rank {rank} did not come out within {} s{call}", limit.as_secs_f64());
            self.leave(Ending::Stopped { form, hung: true, reason });
            wb_process::exit_now(INTERRUPTED);
        })
    }

    /// Everything from the transport to the answer; tells whether all went well.
    fn answer(&self, transport: &dyn Transport, watch: &Watch) -> bool {
        let work = AssertUnwindSafe(|| self.measure(transport, watch));
        let reason = match catch_unwind(work) {
            Ok(Ok(seen)) => {
                self.leave(Ending::Done(seen));
                return true;
            }
            Ok(Err(error)) => format!("rank {}: {error}", self.rank),
            Err(panic) => format!("rank {} panicked: {}", self.rank, said(&*panic)),
        };
        self.leave(Ending::Stopped { form: watch.form(), hung: false, reason });
        false
    }

    fn measure(&self, transport: &dyn Transport, watch: &Watch) -> Result<Vec<Seen>> {
        let order = &self.order;
        let setup = |error: io::Error| wb_comm::Error::Setup(Text::verbatim(error.to_string()));
        cores::bind(cores::place(self.rank, self.size, &order.cpus)).map_err(setup)?;
        let ground = Ground::default();
        let seen = {
            let bench = Bench::new(transport, order.cpus.len(), &ground)?;
            let mut rounds = Rounds::prepare(order, &bench, watch)?;
            rounds.run(order, watch)?;
            rounds.seen
        };
        ground.clear()?;
        Ok(seen)
    }

    /// Leaves an answer; what cannot be written is said on standard error, and the missing file is noticed.
    fn leave(&self, ending: Ending) {
        let Self { order, rank, size } = self;
        let answer = Answer { rank: *rank, size: *size, machine: machine(), ending };
        if let Err(error) = answer.write(&order.folder) {
            eprintln!("rank {rank}: cannot leave its result in {}: {error}", order.folder.display());
        }
    }
}

/// The forms of a job, built, and what was seen of them.
struct Rounds<'g> {
    subjects: Vec<Option<Box<dyn Subject + 'g>>>,
    traces: Vec<usize>,
    seen: Vec<Seen>,
}

impl<'g> Rounds<'g> {
    /// Collective: builds all forms and tries each.
    fn prepare(order: &Order, bench: &Bench<'g>, watch: &Watch) -> Result<Self> {
        let mut built = vec![];
        for (number, form) in order.forms.iter().enumerate() {
            enter(watch, number)?;
            built.push(substrate::build(form, bench));
        }
        // A form that one rank cannot build is nobody's; the barrier in this agreement also makes initial values seen.
        let refusals: Vec<u64> = built.iter().map(|built| u64::from(built.is_err())).collect();
        let refused = bench.largest(&refusals)?;
        let mut rounds = Self { subjects: vec![], traces: vec![], seen: vec![] };
        for (number, built) in built.into_iter().enumerate() {
            let refusal = match built {
                Err(error) => Some(error.to_string()),
                Ok(_) if refused[number] == 1 => Some("another rank cannot build it".to_owned()),
                Ok(mut subject) => {
                    enter(watch, number)?;
                    let (episodes, traces) = try_out(&mut *subject, order, bench)?;
                    rounds.subjects.push(Some(subject));
                    rounds.traces.push(traces);
                    rounds.seen.push(Seen::Visited { episodes, visits: vec![] });
                    None
                }
            };
            if let Some(refusal) = refusal {
                rounds.subjects.push(None);
                rounds.traces.push(0);
                rounds.seen.push(Seen::Refused(refusal));
            }
        }
        Ok(rounds)
    }

    /// Visits all forms, round by round, in an order that is the same on all ranks.
    fn run(&mut self, order: &Order, watch: &Watch) -> Result<()> {
        let mut random = oorandom::Rand32::new(order.seed);
        for _ in 0..order.sampling.rounds {
            for number in tour::round(&order.forms, &mut random) {
                let Some(subject) = &mut self.subjects[number] else { continue };
                let Seen::Visited { episodes, visits } = &mut self.seen[number] else { continue };
                enter(watch, number)?;
                visits.push(visit::visit(&mut **subject, *episodes, self.traces[number])?);
            }
        }
        Ok(())
    }
}

/// Collective: the first episodes of a form; gives how many a batch and how many traces a visit will have.
fn try_out(subject: &mut dyn Subject, order: &Order, bench: &Bench<'_>) -> Result<(u64, usize)> {
    // Twice: the first episodes also fault pages in.
    subject.batch(TRIAL)?;
    let (_, took) = subject.batch(TRIAL)?;
    let took = bench.largest(&[took])?[0];
    let batch = duration_ns(order.sampling.batch);
    let episodes = (batch * TRIAL / took.max(1)).clamp(*EPISODES.start(), *EPISODES.end());
    let traces = (order.sampling.traces as u64).min(episodes);
    Ok((episodes, traces as usize))
}

fn duration_ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX / TRIAL)
}

fn enter(watch: &Watch, number: usize) -> Result<()> {
    watch.enter(number).map_err(|error| wb_comm::Error::Setup(Text::verbatim(error.to_string())))
}

/// What a panic's payload says; payloads other than texts say nothing.
fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// The running kernel's identity: equal on all ranks exactly when they share a clock.
fn machine() -> String {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
    id.unwrap_or_else(|_| rustix::system::uname().nodename().to_string_lossy().into_owned()).trim().to_owned()
}
