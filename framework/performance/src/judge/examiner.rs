//! The examiner of an assignment: fresh inputs, the oracle and the reference; and its verdicts on the graded inputs, one for each input,
//! version and number of ranks.
use std::{any::Any, io, marker::PhantomData, sync::Arc, time::Duration};

use wb_comm::{RankFunction, ThreadRanks};
use wb_config::AssignmentRule;
use wb_messages::{Lang, judge as text};
use wb_record::{Backend, FunctionalRecord, TestOutcome, Version};
use wb_runner::{AllowedVerbs, channel::frame, diff_report, rank_result};
use wb_task::{Assignment, GradedInput, Pipeline, Place, Progress, Task, Verdict, Workload, noise};
use wb_world::{Rooted, World};

use crate::judge::{
    message::{PassRegion, RankStatement},
    pass::{PassEnd, PassInput},
    rank_job::RankJob,
};

/// A seed that no one can guess: the two upper bits are zero, since a problem may add to its seed.
///
/// # Errors
/// When the system has no random numbers.
pub fn random_seed() -> io::Result<u64> {
    getrandom::u64().map(|random| random >> 2).map_err(io::Error::other)
}

/// The examiner of the assignment `A`.
pub struct Examiner<A> {
    threads: &'static dyn ThreadRanks,
    rules: &'static [AssignmentRule],
    lang: Lang,
    assignment: PhantomData<fn() -> A>,
}

// A derived implementation would ask the assignment to be `Copy`, too.
impl<A> Clone for Examiner<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Examiner<A> {}

impl<A: Assignment> Examiner<A> {
    /// An examiner that runs the reference on a thread of this process; `rules` are those of the variant.
    pub fn new(threads: &'static dyn ThreadRanks, rules: &'static [AssignmentRule], lang: Lang) -> Self {
        Self { threads, rules, lang, assignment: PhantomData }
    }

    /// A new input of a workload for this number of ranks, and its encoding; `None` when there is no such workload.
    ///
    /// # Errors
    /// When the system has no random numbers, or the input cannot be encoded.
    pub fn fresh_input(
        &self,
        name: &str,
        size: usize,
        ranks: usize,
    ) -> io::Result<Option<(A::Input, Vec<u8>)>> {
        let request = Workload { name: name.to_owned(), size, ranks, seed: random_seed()? };
        let Some(input) = A::workload(&request) else { return Ok(None) };
        let encoded = frame::encode(&input)?;
        Ok(Some((input, encoded)))
    }

    /// The bytes of an input.
    ///
    /// # Errors
    /// When its type cannot be encoded.
    pub fn encode(&self, input: &A::Input) -> io::Result<Vec<u8>> {
        frame::encode(input)
    }

    /// The rank, out of `ranks`, that gets this input.
    pub fn home(&self, input: &A::Input, ranks: usize) -> usize {
        Some(A::home(input, ranks)).filter(|&home| home < ranks).unwrap_or(0)
    }

    /// Whether the validation of the reference refuses an input.
    pub fn reference_refuses(&self, input: &A::Input, ranks: usize) -> bool {
        A::Reference::default().validation(input, ranks).is_err()
    }

    /// The objection to these outputs, one for each rank; `None` when all are right. Outputs must be where those of the
    /// reference are; further ones must be right, too. With `compares` they are also compared with the reference's output.
    /// Each rank must have stated the bytes that the problem asks of it, and no call that the version may not make.
    pub fn objection(
        &self,
        version: Version,
        input: &A::Input,
        (outputs, statements): (&[Option<Vec<u8>>], &[RankStatement]),
        compares: bool,
    ) -> Option<String> {
        let home = self.home(input, outputs.len());
        let is_required = |rank| <A::Reference as Task>::OUTPUT == Place::Everywhere || rank == home;
        let allowed = AllowedVerbs::of(version, self.rules);
        let others =
            statements.iter().map(|rank| allowed.count_others(&rank.counts)).fold(0, u64::saturating_add);
        if others > 0 {
            return Some(allowed.describe(others, self.lang));
        }
        let mut expected = None;
        for (rank, output) in outputs.iter().enumerate() {
            let Some(bytes) = output else {
                if is_required(rank) {
                    return Some(text::no_output(self.lang, rank));
                }
                continue;
            };
            let output = match frame::decode::<A::Output>(bytes) {
                Ok(output) => output,
                Err(error) => return Some(text::unreadable(self.lang, rank, error)),
            };
            if let Some(objection) = self.render(&A::check(input, &output)) {
                return Some(text::wrong(self.lang, rank, objection));
            }
            if outputs.len() > 1 {
                let least = A::least_sent_bytes(input, &output, outputs.len());
                let sent = statements.iter().zip(least).enumerate();
                let short = |(rank, (stated, least)): (usize, (&RankStatement, u64))| {
                    let sent = stated.counts.sent_bytes;
                    (sent < least).then(|| text::bypassed(self.lang, rank, sent, least))
                };
                if let Some(objection) = sent.into_iter().find_map(short) {
                    return Some(objection);
                }
            }
            if compares {
                let reference = expected.get_or_insert_with(|| self.reference_output(input));
                match reference {
                    Err(why) => return Some(text::no_reference(self.lang, why)),
                    Ok(expected) => {
                        if let Some(objection) = self.render(&A::compare(&output, expected)) {
                            return Some(text::differs(self.lang, rank, objection));
                        }
                    }
                }
            }
        }
        None
    }

    fn render(&self, verdict: &Verdict) -> Option<String> {
        diff_report::render_line(verdict, self.lang)
    }

    /// The reference's output, on one rank of this process.
    fn reference_output(&self, input: &A::Input) -> Result<A::Output, String> {
        let input = input.clone();
        let job: RankFunction = Arc::new(move |transport| {
            let world = World::new(transport);
            Box::new(reference_stages::<A>(&world, input.clone())) as Box<dyn Any + Send>
        });
        rank_result(0, self.threads.run(1, None, job).ranks.remove(0))?
    }
}

fn reference_stages<A: Assignment>(world: &World, input: A::Input) -> Result<A::Output, String> {
    let (reference, progress) = (A::Reference::default(), Progress::default());
    let stages = || {
        let pipeline = Pipeline::new(&reference, world, &progress, Rooted::Here(input), 0);
        let pipeline = pipeline.validation()?.preprocessing()?;
        let raw = pipeline.run()?;
        pipeline.postprocessing(raw)
    };
    let output = stages().map_err(|failure: wb_task::Failure| failure.to_string())?;
    output.here().ok_or_else(|| "the only rank has none".to_owned())
}

/// The number of lost jobs of a version at a number of ranks after which the remaining inputs are not run.
const MAX_LOST_JOBS: usize = 3;

/// The passes of the graded inputs of an assignment.
pub struct GradedRuns<'a, A: Assignment> {
    /// The examiner.
    pub examiner: Examiner<A>,
    /// Starts a job of ranks of this version.
    pub start: &'a dyn Fn(Version, usize) -> Result<RankJob, String>,
    /// The backend of the ranks.
    pub backend: Backend,
    /// The limit of all stages of a pass.
    pub limit: Option<Duration>,
    /// Inputs in addition to the assignment's, each with its limit: those from outside the repository, and those that are measured.
    pub additional: &'a [(GradedInput<A::Input>, Option<Duration>)],
    /// The seed of the graded inputs.
    pub seed: u64,
    /// The language of reasons.
    pub lang: Lang,
}

/// A verdict, and what the ranks stated in that pass.
#[derive(Clone, Debug, PartialEq)]
pub struct GradedVerdict {
    /// The verdict as recorded.
    pub record: FunctionalRecord,
    /// The statements of the ranks, if all ranks completed the pass.
    pub statements: Vec<RankStatement>,
}

/// One graded input.
struct GradedCase<I> {
    name: String,
    input: I,
    limit: Option<Duration>,
    is_refused: bool,
}

impl<A: Assignment> GradedRuns<'_, A> {
    /// The verdicts on one version at one number of ranks.
    pub fn run(&self, version: Version, ranks: usize) -> Vec<GradedVerdict> {
        let (mut job, mut lost, mut verdicts) = (None, 0, vec![]);
        for case in self.cases(version, ranks) {
            let mut verdict = self.pass(version, ranks, &case.name);
            if lost >= MAX_LOST_JOBS {
                verdict.set(TestOutcome::Skip, text::not_run(self.lang, lost));
            } else {
                job = match job.take().map_or_else(|| (self.start)(version, ranks), Ok) {
                    Ok(running) => self.run_case(&case, running, &mut verdict),
                    Err(why) => {
                        verdict.set(TestOutcome::Crash, why);
                        None
                    }
                };
                lost += usize::from(job.is_none());
            }
            verdicts.push(verdict);
        }
        if let Some(Err(why)) = job.map(RankJob::end) {
            let mut verdict = self.pass(version, ranks, "end of the job");
            verdict.set(TestOutcome::Crash, why);
            verdicts.push(verdict);
        }
        if version == Version::Mpi && ranks > 1 {
            verdicts.extend(self.silence(ranks, &verdicts));
        }
        verdicts
    }

    fn cases(&self, version: Version, ranks: usize) -> Vec<GradedCase<A::Input>> {
        let seed = noise::mix(self.seed ^ ranks as u64) >> 2;
        let case =
            |(GradedInput { name, input }, limit)| GradedCase { name, input, limit, is_refused: false };
        let limited = |graded| (graded, self.limit);
        let graded = A::graded_inputs(ranks, seed).into_iter().map(limited);
        // An input may name a rank of a larger world, which a sequential version need not refuse if the reference does not.
        let is_meant = |one: &GradedInput<A::Input>| {
            version == Version::Mpi || self.examiner.reference_refuses(&one.input, ranks)
        };
        let refused = A::refused_inputs(ranks).into_iter().filter(is_meant).map(limited);
        let refused = refused.map(|one| GradedCase { is_refused: true, ..case(one) });
        graded.chain(self.additional.iter().cloned()).map(case).chain(refused).collect()
    }

    /// Runs one input, and notes its verdict; returns the job, if it can run another one.
    fn run_case(
        &self,
        case: &GradedCase<A::Input>,
        mut job: RankJob,
        verdict: &mut GradedVerdict,
    ) -> Option<RankJob> {
        let (version, home) = (verdict.record.version, self.examiner.home(&case.input, job.size()));
        let input = match self.examiner.encode(&case.input) {
            Ok(input) => input,
            Err(error) => {
                verdict.set(TestOutcome::Crash, error.to_string());
                return Some(job);
            }
        };
        let (region, limit) = (PassRegion::Pipeline, case.limit);
        let end = job.run_pass(&PassInput { version, region, home, input: &input, limit, is_isolated: true });
        let is_usable = end.leaves_job_usable();
        match end {
            PassEnd::Refused { .. } if case.is_refused => {}
            PassEnd::Refused { reason } => verdict.set(TestOutcome::Fail, text::refused(self.lang, reason)),
            PassEnd::Finished { times, outputs, statements, leaks } => {
                verdict.record.seconds = times.total.as_secs_f64();
                let objection = || {
                    let ended = (&outputs[..], &statements[..]);
                    let leak = leaks.first().map(|first| text::leaks(self.lang, leaks.len(), first));
                    self.examiner.objection(version, &case.input, ended, true).or(leak)
                };
                let accepted = case.is_refused.then(|| text::accepted(self.lang));
                if let Some(why) = accepted.or_else(objection) {
                    verdict.set(TestOutcome::Fail, why);
                }
                verdict.statements = statements;
            }
            PassEnd::Failed { reason } => verdict.set(TestOutcome::Fail, reason),
            PassEnd::Late { reason } => verdict.set(TestOutcome::Limit, reason),
            PassEnd::Lost { reason } => verdict.set(TestOutcome::Crash, reason),
        }
        is_usable.then_some(job)
    }

    /// A failure when the parallel version stated in every completed pass that no rank received data.
    fn silence(&self, ranks: usize, verdicts: &[GradedVerdict]) -> Option<GradedVerdict> {
        let mut statements = verdicts.iter().flat_map(|verdict| &verdict.statements).peekable();
        statements.peek()?;
        let mut verdict = self.pass(Version::Mpi, ranks, "communicates");
        if statements.all(|rank| !rank.has_received) {
            verdict.set(TestOutcome::Fail, text::silent(self.lang));
        }
        Some(verdict)
    }

    /// The verdict on an input to which there is no objection.
    fn pass(&self, version: Version, ranks: usize, name: &str) -> GradedVerdict {
        let record = FunctionalRecord {
            test: format!("judge: {name}"),
            version,
            ranks: ranks as u32,
            backend: self.backend,
            verdict: TestOutcome::Pass,
            reason: None,
            seconds: 0.0,
            graded: true,
            waits: vec![],
        };
        GradedVerdict { record, statements: vec![] }
    }
}

impl GradedVerdict {
    fn set(&mut self, verdict: TestOutcome, reason: String) {
        (self.record.verdict, self.record.reason) = (verdict, Some(reason));
    }
}
