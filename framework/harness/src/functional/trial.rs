//! One input of a test on so many ranks, its types erased: what a rank does with it.
use std::{
    any::Any,
    fmt::Debug,
    rc::Rc,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use wb_comm::{Error, Finding, Place, Rank, Site, Threads, Transport, job, text::waiting};
use wb_messages::{Lang, difference, functional as text};
use wb_task::{Difference, Failure, Input, Output, Pipeline, Problem, Progress, Stage, Task, Verdict};
use wb_world::{Counts, Rooted, World};

use super::{
    causes,
    digest::Digest,
    entry::{Entry, How, Produced},
    judge,
    panics::{self, Caught},
    question::Question,
};
use crate::objection;

/// What the harness does with a run, whatever its types are.
pub(super) trait Trial: Send + Sync {
    /// What is asked.
    fn question(&self) -> &Question;

    /// Computes the reference's output, if there is a reference. The rank that has the input needs it.
    fn consult_reference(&self, threads: &dyn Threads);

    /// Takes this rank through the stages.
    fn attempt(&self, transport: Rc<dyn Transport>, progress: &Progress) -> Came;

    /// Looks at what came of it; not limited in time, and not of the rank's concern any more.
    fn examine(&self, came: Came) -> Entry;
}

/// How a rank came out of the stages.
pub(super) struct Came {
    /// The rank.
    pub(super) rank: Rank,
    /// Its panic, if it panicked.
    pub(super) panic: Option<Caught>,
    stage: Option<Stage>,
    counts: Counts,
    collective: Option<Place>,
    heard: bool,
    after: Duration,
    /// The pipeline's result, of the task's types.
    result: Option<Box<dyn Any + Send>>,
}

/// Compares an output with the reference's.
pub(super) type Comparison<O> = Arc<dyn Fn(&O, &O) -> Verdict + Send + Sync>;

/// Computes the reference's output for an input, or says why there is none.
pub(super) type Reference<T> =
    Arc<dyn Fn(&dyn Threads, &Input<T>, Option<Duration>) -> Result<Output<T>, String> + Send + Sync>;

/// A trial of a task.
pub(super) struct TaskTrial<T: Task> {
    pub(super) task: Arc<T>,
    pub(super) input: Input<T>,
    pub(super) question: Question,
    pub(super) reference: Option<Reference<T>>,
    pub(super) comparison: Option<Comparison<Output<T>>>,
    pub(super) expected: Mutex<Option<Result<Output<T>, String>>>,
}

impl<T: Task> Trial for TaskTrial<T> {
    fn question(&self) -> &Question {
        &self.question
    }

    fn consult_reference(&self, threads: &dyn Threads) {
        let Some(reference) = &self.reference else { return };
        let output = reference(threads, &self.input, self.question.limit);
        *self.expected.lock().unwrap_or_else(PoisonError::into_inner) = Some(output);
    }

    fn attempt(&self, transport: Rc<dyn Transport>, progress: &Progress) -> Came {
        let start = Instant::now();
        let world = World::new(transport);
        let rank = world.rank();
        let input = Rooted::on(rank == self.question.home, || self.input.clone());
        let (home, limit) = (self.question.home, self.question.limit);
        let ended = panics::catch(|| stages(&*self.task, &world, progress, input, home, limit));
        Came::of(&world, start.elapsed(), progress, ended)
    }

    fn examine(&self, came: Came) -> Entry {
        let note = self.of_elsewhere(&came);
        let mut entry = came.entry::<Ended<T>>(|rank, ended| self.entry(rank, ended));
        entry.text.extend(note.into_iter().map(|note| format!("\n{note}")));
        entry
    }
}

impl Came {
    /// Of the rank whose world this is, that came out of it with `ended`.
    pub(super) fn of<R: Send + 'static>(
        world: &World,
        after: Duration,
        progress: &Progress,
        ended: Result<R, Caught>,
    ) -> Self {
        let (rank, stage, counts) = (world.rank(), progress.stage(), world.counts());
        let collective = world.first_collective().map(|site| Place::of(rank, site));
        let (panic, result) = match ended {
            Ok(result) => (None, Some(Box::new(result) as Box<dyn Any + Send>)),
            Err(caught) => (Some(caught), None),
        };
        Self { rank, panic, stage, counts, collective, heard: world.has_heard(), after, result }
    }

    /// What the rank writes down, if it has a result of type `R`: as `told` says.
    pub(super) fn entry<R: 'static>(self, told: impl FnOnce(Rank, R) -> Entry) -> Entry {
        let Self { rank, panic, stage, counts, collective, heard, after, result } = self;
        let entry = match (panic, result) {
            (None, Some(result)) => {
                let result = result.downcast::<R>().expect("a trial examines its own results");
                panics::catch(|| told(rank, *result)).unwrap_or_else(|caught| panicked(rank, None, caught))
            }
            (caught, _) => panicked(rank, stage, caught.expect("a rank without a result has panicked")),
        };
        Entry { counts, collective, heard, after, ..entry }
    }
}

/// How the pipeline of a task ends.
type Ended<T> = Result<Rooted<Output<T>>, Failure>;

impl<T: Task> TaskTrial<T> {
    /// What a panic has to do with a value that is on another rank.
    fn of_elsewhere(&self, came: &Came) -> Option<String> {
        let (rank, home, caught) = (came.rank, self.question.home, came.panic.as_ref()?);
        if caught.elsewhere {
            return Some(text::asked_elsewhere(lang(), rank));
        }
        let without_input = came.stage == Some(Stage::Preprocessing) && rank != home;
        without_input.then(|| text::input_elsewhere(lang(), rank, home))
    }

    fn entry(&self, rank: Rank, ended: Ended<T>) -> Entry {
        match ended {
            Ok(output) => {
                let output = output.here().map(|output| self.produced(rank, &output));
                Entry { output, ..Entry::of(rank, How::Returned) }
            }
            Err(failure) => failed(rank, failure),
        }
    }

    fn produced(&self, rank: Rank, output: &Output<T>) -> Produced {
        let digest = Digest::of(output);
        let wrong = objection::told(&T::Problem::check(&self.input, output), lang());
        let expected = self.expected.lock().unwrap_or_else(PoisonError::into_inner);
        let unlike_reference = match &*expected {
            Some(Ok(expected)) if rank == self.question.home => self.compare(output, &digest, expected),
            Some(Err(why)) if rank == self.question.home => Some(why.clone()),
            _ => None,
        };
        Produced { digest, wrong, unlike_reference }
    }

    fn compare(&self, output: &Output<T>, digest: &Digest, expected: &Output<T>) -> Option<String> {
        if let Some(comparison) = &self.comparison {
            return objection::told(&comparison(output, expected), lang());
        }
        if Digest::of(expected).hash == digest.hash {
            return None;
        }
        let verdict = Difference::between(output, expected).map(|it| Verdict::Differs(Box::new(it)))?;
        let rounding = objection::may_be_rounding(&verdict).then(|| difference::rounding(lang()));
        let told: Vec<_> = objection::told(&verdict, lang()).into_iter().chain(rounding).collect();
        Some(told.join("\n"))
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
) -> Ended<T> {
    let pipeline = Pipeline::new(task, world, progress, input, home).limit(limit);
    let pipeline = pipeline.validation()?.preprocessing()?;
    let raw = pipeline.run()?;
    pipeline.postprocessing(raw)
}

fn panicked(rank: Rank, stage: Option<Stage>, caught: Caught) -> Entry {
    let place = caught.place();
    Entry { stage, text: caught.text, place, ..Entry::of(rank, How::Panicked) }
}

fn failed(rank: Rank, failure: Failure) -> Entry {
    match failure {
        Failure::Invalid { reason, .. } => Entry { text: reason, ..Entry::of(rank, How::Refused) },
        Failure::Limit { stage, spent, .. } => {
            Entry { stage: Some(stage), text: judge::seconds(lang(), spent), ..Entry::of(rank, How::Limit) }
        }
        Failure::Stage { stage, at, source, .. } => failed_call(rank, Some(stage), at, &source),
        other => Entry { text: other.to_string(), ..Entry::of(rank, How::Failed) },
    }
}

/// An error that a call returned, and which call, as far as that is known.
pub(super) type Refused = (Error, Option<Site>);

/// The entry of a rank that came back with the error of a call.
pub(super) fn failed_call(rank: Rank, stage: Option<Stage>, at: Option<Site>, error: &Error) -> Entry {
    // These tell of somebody else's failure: this rank only waited in vain.
    let waited = matches!(error, Error::Deadlock { .. } | Error::Peer { .. } | Error::Interrupted { .. });
    let how = if waited { How::Late } else { How::Failed };
    let place = at.map(|site| {
        let (file, line) = (site.at.file(), site.at.line());
        waiting::call_at(site.verb.name(), file, line).render(lang())
    });
    let finding = Finding::of_error(rank, at, error);
    Entry { stage, text: causes::told_of(error, lang()), place, finding, ..Entry::of(rank, how) }
}

/// The output of `task` on a world of one rank, checked by the oracle.
pub(super) fn reference_output<T: Task>(
    task: &Arc<T>,
    threads: &dyn Threads,
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
        Some(job::Ended::Returned(value)) => value.downcast::<Ended<T>>().expect("the job returns this"),
        Some(job::Ended::Panicked(text)) => return Err(text),
        Some(job::Ended::Lost | job::Ended::Waited(_)) | None => {
            return Err(text::reference_late(
                lang(),
                limit.map_or_else(String::new, |limit| judge::seconds(lang(), limit)),
            ));
        }
    };
    let output = ended.map_err(|failure| failure.to_string())?.here();
    let output = output.ok_or_else(|| text::reference_without_output(lang()))?;
    match objection::told(&T::Problem::check(input, &output), lang()) {
        None => Ok(output),
        Some(why) => Err(text::reference_wrong(lang(), why)),
    }
}

/// The rank that has the input of a problem; see [`Problem::home`].
pub(super) fn home<P: Problem>(input: &P::Input, ranks: usize) -> Rank {
    let home = P::home(input, ranks);
    if home < ranks { home } else { 0 }
}

fn lang() -> Lang {
    Lang::of_environment()
}

/// An input in short.
pub(super) fn excerpt(input: &impl Debug) -> String {
    Digest::of(input).excerpt
}
