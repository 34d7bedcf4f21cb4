//! The verdicts on the graded inputs: one for each input, version and number of ranks.
use std::time::Duration;

use wb_messages::{Lang, judge as text};
use wb_record::{Backend, FunctionalRecord, TestOutcome, Version};
use wb_task::{Assignment, GradedInput, noise};

use crate::{
    examiner::Examiner,
    message::{PassRegion, RankStatement},
    pass::{PassEnd, PassInput},
    rank_job::RankJob,
};

/// After so many lost jobs of a version at a number of ranks the remaining inputs are not run.
const MAX_LOST_JOBS: usize = 3;

/// The passes of the graded inputs of an assignment.
pub struct GradedRuns<'a, A: Assignment> {
    /// The examiner.
    pub examiner: Examiner<A>,
    /// Starts a job of ranks of this version.
    pub start: &'a dyn Fn(Version, usize) -> Result<RankJob, String>,
    /// What carries the messages.
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
        };
        GradedVerdict { record, statements: vec![] }
    }
}

impl GradedVerdict {
    fn set(&mut self, verdict: TestOutcome, reason: String) {
        (self.record.verdict, self.record.reason) = (verdict, Some(reason));
    }
}
