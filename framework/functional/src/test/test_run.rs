//! One input of a test at one number of ranks, its types erased, as a rank runs it.
use std::{
    any::Any,
    rc::Rc,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use wb_comm::{CallLocation, CallSite, Error, Finding, Rank, ThreadRanks, Transport, job, text::waiting};
use wb_messages::{Lang, difference, functional as text};
use wb_runner::{diff_report, format::format_duration};
use wb_task::{Difference, Failure, Input, Output, Pipeline, Problem, Progress, Stage, Task, Verdict};
use wb_world::{Rooted, World};

use crate::{
    evidence::{Digest, OutputReport, RankOutcome, RankReport},
    test::{
        TestCase,
        panics::{self, CaughtPanic},
    },
};

/// The harness's interface of a run, independent of its types.
pub(crate) trait TestRun: Send + Sync {
    /// The description of the run.
    fn test_case(&self) -> &TestCase;

    /// Computes the reference's output, if there is a reference. The rank that has the input needs it.
    fn compute_reference(&self, _threads: &dyn ThreadRanks) {}

    /// Runs the stages on this rank.
    fn run_stages(&self, transport: Rc<dyn Transport>, progress: &Progress) -> StageResult;

    /// Checks the result; without a time limit, and independent of the rank.
    fn evaluate(&self, result: StageResult) -> RankReport;
}

/// The end of the stages on a rank.
pub(crate) struct StageResult {
    /// The panic of the rank, if it panicked.
    pub(crate) panic: Option<CaughtPanic>,
    /// The communication, the time and the stage of the rank.
    run: RankReport,
    /// The pipeline's result, of the task's types.
    result: Option<Box<dyn Any + Send>>,
}

/// Compares an output with the reference's.
pub(crate) type OutputComparison<O> = Arc<dyn Fn(&O, &O) -> Verdict + Send + Sync>;

/// Computes the reference's output for an input, or reports why there is none.
pub(crate) type ReferenceOutput<T> =
    Arc<dyn Fn(&dyn ThreadRanks, &Input<T>, Option<Duration>) -> Result<Output<T>, String> + Send + Sync>;

pub(crate) struct TaskTestRun<T: Task> {
    pub(crate) task: Arc<T>,
    pub(crate) input: Input<T>,
    pub(crate) test_case: TestCase,
    pub(crate) reference: Option<ReferenceOutput<T>>,
    pub(crate) comparison: Option<OutputComparison<Output<T>>>,
    pub(crate) expected: Mutex<Option<Result<Output<T>, String>>>,
}

impl<T: Task> TestRun for TaskTestRun<T> {
    fn test_case(&self) -> &TestCase {
        &self.test_case
    }

    fn compute_reference(&self, threads: &dyn ThreadRanks) {
        let Some(reference) = &self.reference else { return };
        let output = reference(threads, &self.input, self.test_case.limit);
        *self.expected.lock().unwrap_or_else(PoisonError::into_inner) = Some(output);
    }

    fn run_stages(&self, transport: Rc<dyn Transport>, progress: &Progress) -> StageResult {
        let start = Instant::now();
        let world = World::new(transport);
        let rank = world.rank();
        let input = Rooted::on(rank == self.test_case.home_rank, || self.input.clone());
        let (home, limit) = (self.test_case.home_rank, self.test_case.limit);
        let ended = panics::catch(|| stages(&*self.task, &world, progress, input, home, limit));
        StageResult::new(&world, start.elapsed(), progress, ended)
    }

    fn evaluate(&self, result: StageResult) -> RankReport {
        let note = self.remote_value_hint(&result);
        let mut entry = result.into_report::<PipelineResult<T>>(|rank, ended| self.rank_report(rank, ended));
        entry.text.extend(note.into_iter().map(|note| format!("\n{note}")));
        entry
    }
}

impl StageResult {
    /// For the rank of this world, whose stages ended with `ended`.
    pub(crate) fn new<R: Send + 'static>(
        world: &World,
        after: Duration,
        progress: &Progress,
        ended: Result<R, CaughtPanic>,
    ) -> Self {
        let (rank, elapsed) = (world.rank(), after);
        let run = RankReport {
            stage: progress.stage(),
            counts: world.counts(),
            first_collective: world.first_collective().map(|site| CallLocation::new(rank, site)),
            has_received: world.has_received(),
            arrival_order: world.arrival_order(),
            elapsed,
            ..RankReport::new(rank, RankOutcome::Unresponsive)
        };
        match ended {
            Ok(result) => Self { panic: None, run, result: Some(Box::new(result)) },
            Err(caught) => Self { panic: Some(caught), run, result: None },
        }
    }

    /// The rank's report, if it has a result of type `R`: as `report` makes it.
    pub(crate) fn into_report<R: 'static>(self, report: impl FnOnce(Rank, R) -> RankReport) -> RankReport {
        let RankReport {
            rank, stage, counts, first_collective, has_received, arrival_order, elapsed, ..
        } = self.run;
        let report = match (self.panic, self.result) {
            (None, Some(result)) => {
                let result = result.downcast::<R>().expect("a run examines its own results");
                panics::catch(|| report(rank, *result))
                    .unwrap_or_else(|caught| panic_report(rank, None, caught))
            }
            (caught, _) => panic_report(rank, stage, caught.expect("a rank without a result has panicked")),
        };
        RankReport { counts, first_collective, has_received, arrival_order, elapsed, ..report }
    }
}

/// The result of the pipeline of a task.
type PipelineResult<T> = Result<Rooted<Output<T>>, Failure>;

impl<T: Task> TaskTestRun<T> {
    /// Whether a panic concerns a value that is on another rank.
    fn remote_value_hint(&self, result: &StageResult) -> Option<String> {
        let (rank, home, caught) = (result.run.rank, self.test_case.home_rank, result.panic.as_ref()?);
        if caught.is_remote_value {
            return Some(text::remote_value_requested(lang(), rank));
        }
        let without_input = result.run.stage == Some(Stage::Preprocessing) && rank != home;
        without_input.then(|| text::input_elsewhere(lang(), rank, home))
    }

    fn rank_report(&self, rank: Rank, ended: PipelineResult<T>) -> RankReport {
        match ended {
            Ok(output) => {
                let output = output.here().map(|output| self.output_report(rank, &output));
                RankReport { output, ..RankReport::new(rank, RankOutcome::Returned) }
            }
            Err(failure) => failure_report(rank, failure),
        }
    }

    fn output_report(&self, rank: Rank, output: &Output<T>) -> OutputReport {
        let digest = Digest::from_debug(output);
        let wrong = diff_report::render(&T::Problem::check(&self.input, output), lang());
        let expected = self.expected.lock().unwrap_or_else(PoisonError::into_inner);
        let unlike_reference = match &*expected {
            Some(Ok(expected)) if rank == self.test_case.home_rank => self.compare(output, &digest, expected),
            Some(Err(why)) if rank == self.test_case.home_rank => Some(why.clone()),
            _ => None,
        };
        let least_sent_bytes = match self.test_case.id.ranks {
            1 => vec![],
            ranks => T::Problem::least_sent_bytes(&self.input, output, ranks),
        };
        OutputReport { digest, error: wrong, reference_difference: unlike_reference, least_sent_bytes }
    }

    fn compare(&self, output: &Output<T>, digest: &Digest, expected: &Output<T>) -> Option<String> {
        if let Some(comparison) = &self.comparison {
            return diff_report::render(&comparison(output, expected), lang());
        }
        if Digest::from_debug(expected).hash == digest.hash {
            return None;
        }
        let verdict = Difference::between(output, expected).map(|it| Verdict::Differs(Box::new(it)))?;
        let rounding = diff_report::can_be_rounding(&verdict).then(|| difference::rounding(lang()));
        let report: Vec<_> = diff_report::render(&verdict, lang()).into_iter().chain(rounding).collect();
        Some(report.join("\n"))
    }
}

/// The four stages in their order.
fn stages<T: Task>(
    task: &T,
    world: &World,
    progress: &Progress,
    input: Rooted<Input<T>>,
    home: Rank,
    limit: Option<Duration>,
) -> PipelineResult<T> {
    let pipeline = Pipeline::new(task, world, progress, input, home).limit(limit);
    let pipeline = pipeline.validation()?.preprocessing()?;
    let raw = pipeline.run()?;
    pipeline.postprocessing(raw)
}

fn panic_report(rank: Rank, stage: Option<Stage>, caught: CaughtPanic) -> RankReport {
    let place = caught.location();
    RankReport {
        stage,
        text: caught.text,
        stop: caught.stop,
        panic_location: place,
        ..RankReport::new(rank, RankOutcome::Panicked)
    }
}

fn failure_report(rank: Rank, failure: Failure) -> RankReport {
    match failure {
        Failure::Invalid { reason, .. } => {
            RankReport { text: reason, ..RankReport::new(rank, RankOutcome::Rejected) }
        }
        Failure::Limit { stage, spent, .. } => RankReport {
            stage: Some(stage),
            text: format_duration(lang(), spent),
            ..RankReport::new(rank, RankOutcome::TimedOut)
        },
        Failure::Stage { stage, site: at, source, .. } => call_error_report(rank, Some(stage), at, &source),
        other => RankReport { text: other.to_string(), ..RankReport::new(rank, RankOutcome::Failed) },
    }
}

/// An error that a call returned, and the call, as far as it is known.
pub(crate) type CallError = (Error, Option<CallSite>);

/// The report of a rank that returned the error of a call.
pub(crate) fn call_error_report(
    rank: Rank,
    stage: Option<Stage>,
    at: Option<CallSite>,
    error: &Error,
) -> RankReport {
    // These are consequences of another rank's failure: this rank only waited for it.
    let outcome = if error.is_consequence() { RankOutcome::Unresponsive } else { RankOutcome::Failed };
    let place = at.map(|site| {
        let (file, line) = (site.location.file(), site.location.line());
        waiting::call_at(site.verb.name(), file, line).render(lang())
    });
    let finding = Finding::from_error(rank, at, error);
    RankReport {
        stage,
        text: error.text().render(lang()),
        panic_location: place,
        finding,
        ..RankReport::new(rank, outcome)
    }
}

/// The output of `task` on a world of one rank, checked by the oracle.
pub(crate) fn reference_output<T: Task>(
    task: &Arc<T>,
    threads: &dyn ThreadRanks,
    input: &Input<T>,
    limit: Option<Duration>,
) -> Result<Output<T>, String> {
    let (its_task, its_input) = (Arc::clone(task), input.clone());
    let job = Arc::new(move |transport| {
        let world = World::new(transport);
        let input = Rooted::Here(its_input.clone());
        Box::new(stages(&*its_task, &world, &Progress::default(), input, 0, limit)) as _
    });
    let mut ended = threads.run(1, limit, job).ranks;
    let ended = match ended.pop() {
        Some(job::RankTermination::Returned(value)) => {
            value.downcast::<PipelineResult<T>>().expect("the job returns this")
        }
        Some(job::RankTermination::Panicked(panic)) => return Err(panic.text),
        Some(job::RankTermination::Unfinished | job::RankTermination::Starved(_)) | None => {
            return Err(text::reference_late(
                lang(),
                limit.map_or_else(String::new, |limit| format_duration(lang(), limit)),
            ));
        }
    };
    let output = ended.map_err(|failure| failure.to_string())?.here();
    let output = output.ok_or_else(|| text::reference_without_output(lang()))?;
    match diff_report::render(&T::Problem::check(input, &output), lang()) {
        None => Ok(output),
        Some(why) => Err(text::reference_wrong(lang(), why)),
    }
}

/// The rank that has the input of a problem; see [`Problem::home`].
pub(crate) fn home_rank<P: Problem>(input: &P::Input, ranks: usize) -> Rank {
    let home = P::home(input, ranks);
    if home < ranks { home } else { 0 }
}

fn lang() -> Lang {
    Lang::from_environment()
}
