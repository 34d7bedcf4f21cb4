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
        let crash = |name: &str, why| self.verdict(version, ranks, name, TestOutcome::Crash, Some(why), 0.0);
        let cases = self.cases(version, ranks);
        let (mut job, mut lost, mut verdicts) = (None, 0, vec![]);
        for case in &cases {
            if lost >= MAX_LOST_JOBS {
                let why = text::not_run(self.lang, lost);
                verdicts.push(self.verdict(version, ranks, &case.name, TestOutcome::Skip, Some(why), 0.0));
                continue;
            }
            let running = match job.take().map_or_else(|| (self.start)(version, ranks), Ok) {
                Ok(running) => running,
                Err(why) => {
                    lost += 1;
                    verdicts.push(crash(&case.name, why));
                    continue;
                }
            };
            let (verdict, running) = self.run_case(version, ranks, case, running);
            lost += usize::from(running.is_none());
            job = running;
            verdicts.push(verdict);
        }
        if let Some(Err(why)) = job.map(RankJob::end) {
            verdicts.push(crash("end of the job", why));
        }
        verdicts.extend(self.silence(version, ranks, &verdicts));
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

    /// The verdict on one input; the job, if it can run another one.
    fn run_case(
        &self,
        version: Version,
        ranks: usize,
        case: &GradedCase<A::Input>,
        mut job: RankJob,
    ) -> (GradedVerdict, Option<RankJob>) {
        let input = match self.examiner.encode(&case.input) {
            Ok(input) => input,
            Err(error) => {
                let why = Some(error.to_string());
                return (self.verdict(version, ranks, &case.name, TestOutcome::Crash, why, 0.0), Some(job));
            }
        };
        let pass = PassInput {
            version,
            region: PassRegion::Pipeline,
            home: self.examiner.home(&case.input, ranks),
            input: &input,
            limit: case.limit,
            is_isolated: true,
        };
        let end = job.run_pass(&pass);
        let job = end.leaves_job_usable().then_some(job);
        let seconds =
            if let PassEnd::Finished { times, .. } = &end { times.total.as_secs_f64() } else { 0.0 };
        let (outcome, why) = self.judge(version, case, &end);
        let mut verdict = self.verdict(version, ranks, &case.name, outcome, why, seconds);
        if let PassEnd::Finished { statements, .. } = end {
            verdict.statements = statements;
        }
        (verdict, job)
    }

    fn judge(
        &self,
        version: Version,
        case: &GradedCase<A::Input>,
        end: &PassEnd,
    ) -> (TestOutcome, Option<String>) {
        match end {
            PassEnd::Refused { .. } if case.is_refused => (TestOutcome::Pass, None),
            PassEnd::Refused { reason } => (TestOutcome::Fail, Some(text::refused(self.lang, reason))),
            PassEnd::Finished { .. } if case.is_refused => {
                (TestOutcome::Fail, Some(text::accepted(self.lang)))
            }
            PassEnd::Finished { outputs, statements, leaks, .. } => {
                let leak = leaks.first().map(|first| text::leaks(self.lang, leaks.len(), first));
                let ended = (&outputs[..], &statements[..]);
                match self.examiner.objection(version, &case.input, ended, true).or(leak) {
                    None => (TestOutcome::Pass, None),
                    why => (TestOutcome::Fail, why),
                }
            }
            PassEnd::Failed { reason } => (TestOutcome::Fail, Some(reason.clone())),
            PassEnd::Late { reason } => (TestOutcome::Limit, Some(reason.clone())),
            PassEnd::Lost { reason } => (TestOutcome::Crash, Some(reason.clone())),
        }
    }

    /// A failure when the parallel version stated in every completed pass that no rank received data.
    fn silence(&self, version: Version, ranks: usize, verdicts: &[GradedVerdict]) -> Option<GradedVerdict> {
        if version != Version::Mpi || ranks == 1 {
            return None;
        }
        let mut statements = verdicts.iter().flat_map(|verdict| &verdict.statements).peekable();
        statements.peek()?;
        let is_silent = statements.all(|rank| !rank.has_received);
        let (outcome, why) = match is_silent {
            true => (TestOutcome::Fail, Some(text::silent(self.lang))),
            false => (TestOutcome::Pass, None),
        };
        Some(self.verdict(version, ranks, "communicates", outcome, why, 0.0))
    }

    fn verdict(
        &self,
        version: Version,
        ranks: usize,
        name: &str,
        verdict: TestOutcome,
        reason: Option<String>,
        seconds: f64,
    ) -> GradedVerdict {
        let record = FunctionalRecord {
            test: format!("judge: {name}"),
            version,
            ranks: ranks as u32,
            backend: self.backend,
            verdict,
            reason,
            seconds,
            graded: true,
        };
        GradedVerdict { record, statements: vec![] }
    }
}
