//! A functional test as a student writes it: the version under test, the reference, the numbers of ranks, the rules; and one with the
//! inputs, the oracle, the reference and the comparison of an instructor's assignment.
use std::sync::{Arc, Mutex};

use wb_config::AssignmentRule;
use wb_messages::{Lang, WIDTH, functional as text, wrap};
use wb_record::Version;
use wb_runner::{AllowedVerbs, Backends, shared_core_limit};
use wb_task::{Assignment, GradedInput, Input, Output, Task, Verdict, assignment::FUNCTIONAL_SEED};

use crate::{
    evidence::Digest,
    process_role,
    report::test_report,
    test::{
        self, ErasedTest, ExtraRules, RunId, TestCase, TestRun, settings,
        test_run::{self, OutputComparison, ReferenceOutput, TaskTestRun, reference_output},
    },
};

type MessageCountRule<T> = Arc<dyn Fn(&Input<T>, usize) -> u64 + Send + Sync>;

/// A functional test of one version of a task, to be ended by [`check`](Self::check) or [`refuses`](Self::refuses).
///
/// Every input is run on its own, on every backend that this program is linked with, and must
/// - pass the oracle ([`wb_task::Problem::check`]) on every rank that has an output,
/// - have its output where the task declares it, and nowhere else; the same everywhere if it is declared everywhere,
/// - agree with the [reference](Self::against)'s output,
/// - leave no message unread and no request unfinished,
/// - call no verb that the rules of the variant in `tasks/course.yaml` forbid, as a sequential version calls none,
/// - keep the time limit.
///
/// On two and more ranks there must be some communication.
#[must_use = "nothing is tested before `check` or `refuses`"]
pub struct Functional<T: Task> {
    backends: Backends,
    task: Arc<T>,
    reference: Option<ReferenceOutput<T>>,
    comparison: Option<OutputComparison<Output<T>>>,
    ranks: Option<Vec<usize>>,
    point_to_point_only: bool,
    messages: Option<MessageCountRule<T>>,
    /// Whether inputs, oracle and reference are those of an assignment.
    is_graded: bool,
}

impl<T: Task> Functional<T> {
    /// A test of `task`, on one rank unless [`ranks`](Self::ranks) says more.
    pub fn new(backends: Backends, task: T) -> Self {
        Self {
            backends,
            task: Arc::new(task),
            reference: None,
            comparison: None,
            ranks: None,
            point_to_point_only: false,
            messages: None,
            is_graded: false,
        }
    }

    /// Every output must equal that of `reference`, which gets the same input on a world of one rank. Equal means the
    /// same `Debug` text, unless [`compare`](Self::compare) specifies otherwise.
    pub fn against<R: Task<Problem = T::Problem>>(mut self, reference: R) -> Self {
        let reference = Arc::new(reference);
        self.reference =
            Some(Arc::new(move |threads, input, limit| reference_output(&reference, threads, input, limit)));
        self
    }

    /// The comparison of an output with the reference's: `(output, reference)`. For floating-point numbers, whose sums
    /// depend on the order of their terms.
    pub fn compare(
        mut self,
        compare: impl Fn(&Output<T>, &Output<T>) -> Verdict + Send + Sync + 'static,
    ) -> Self {
        self.comparison = Some(Arc::new(compare));
        self
    }

    /// The numbers of ranks.
    ///
    /// # Panics
    /// When there is none, or a zero: such a test would test nothing.
    #[track_caller]
    pub fn ranks(mut self, ranks: impl IntoIterator<Item = usize>) -> Self {
        let mut ranks: Vec<usize> = ranks.into_iter().collect();
        ranks.sort_unstable();
        ranks.dedup();
        assert!(ranks.first().is_some_and(|&least| least > 0), "a test needs at least one rank");
        self.ranks = Some(ranks);
        self
    }

    /// No collective verb may be called.
    pub fn point_to_point_only(mut self) -> Self {
        self.point_to_point_only = true;
        self
    }

    /// Exactly `count(input, ranks)` point-to-point messages may be sent, all ranks together.
    pub fn messages(mut self, count: impl Fn(&Input<T>, usize) -> u64 + Send + Sync + 'static) -> Self {
        self.messages = Some(Arc::new(count));
        self
    }

    /// Tests the inputs that `inputs` makes for each number of ranks. It is called in every process and must make the
    /// same ones each time.
    ///
    /// # Panics
    /// After one report, when a run fails.
    pub fn check<I: IntoIterator<Item = Input<T>>>(self, inputs: impl Fn(usize) -> I) {
        self.run(None, |ranks| inputs(ranks).into_iter().map(|input| (None, input)));
    }

    /// Tests that validation refuses every input that `inputs` makes, with a reason that contains `reason`.
    ///
    /// # Panics
    /// When an input is accepted or refused for another reason.
    pub fn refuses<I: IntoIterator<Item = Input<T>>>(self, reason: &str, inputs: impl Fn(usize) -> I) {
        self.run(Some(reason), |ranks| inputs(ranks).into_iter().map(|input| (None, input)));
    }

    fn run<C>(&self, refusal: Option<&str>, cases: impl Fn(usize) -> C)
    where
        C: IntoIterator<Item = Case<Input<T>>>,
    {
        let name = test::next_check_name();
        settings::check(&name);
        let ranks = self.ranks.as_deref().unwrap_or(&[1]);
        let of = |&ranks: &usize| (ranks, self.test_runs(&name, ranks, refusal, cases(ranks)));
        let test_runs = ranks.iter().map(of).collect();
        let version = test::version_of::<T>(ranks);
        let is_graded = self.is_graded;
        process_role::run(&ErasedTest { backends: self.backends, name, version, is_graded, test_runs });
    }

    fn test_runs(
        &self,
        case: &str,
        ranks: usize,
        refusal: Option<&str>,
        cases: impl IntoIterator<Item = Case<Input<T>>>,
    ) -> Vec<Arc<dyn TestRun>> {
        let cases: Vec<_> = cases.into_iter().collect();
        let count = cases.len();
        let test_run = |(number, (name, input)): (usize, Case<Input<T>>)| -> Arc<dyn TestRun> {
            let test_case = TestCase {
                id: RunId { test: case.to_owned(), ranks, input: number },
                inputs: count,
                excerpt: name
                    .into_iter()
                    .chain([Digest::from_debug(&input).excerpt])
                    .collect::<Vec<_>>()
                    .join(": "),
                home_rank: test_run::home_rank::<T::Problem>(&input, ranks),
                output_location: T::OUTPUT,
                expected: self.expected(refusal, &input, ranks),
                limit: settings::time_limit().map(|limit| shared_core_limit(limit, ranks, self.backends)),
            };
            Arc::new(TaskTestRun {
                task: Arc::clone(&self.task),
                input,
                test_case,
                reference: self.reference.clone(),
                comparison: self.comparison.clone(),
                expected: Mutex::new(None),
            })
        };
        cases.into_iter().enumerate().map(test_run).collect()
    }

    fn expected(&self, refusal: Option<&str>, input: &Input<T>, ranks: usize) -> ExtraRules {
        let version = test::named_version::<T>().unwrap_or(Version::Mpi);
        let stricter = self.point_to_point_only.then_some(AssignmentRule::SendAndReceiveOnly);
        let rules: Vec<_> = settings::variant_rules().iter().copied().chain(stricter).collect();
        ExtraRules {
            allowed: AllowedVerbs::of(version, &rules),
            messages: self.messages.as_ref().filter(|_| refusal.is_none()).map(|count| count(input, ranks)),
            refusal: refusal.map(str::to_owned),
        }
    }
}

/// An input, and its name where it has one.
type Case<I> = (Option<String>, I);

impl<T: Task<Problem: Assignment>> Functional<T> {
    /// Every output must agree with that of the assignment's reference, as the assignment compares outputs.
    pub fn against_reference(self) -> Self {
        self.against(<T::Problem as Assignment>::Reference::default()).compare(T::Problem::compare)
    }

    /// Tests the graded inputs of the assignment, and that validation refuses those which it must refuse. The numbers of ranks are the assignment's, unless
    /// [`ranks`](Self::ranks) says otherwise.
    ///
    /// Grading uses the same checks with other seeds.
    ///
    /// # Panics
    /// After one report, when a run fails.
    pub fn graded(mut self) {
        check_output_place::<T>();
        self.ranks.get_or_insert_with(|| T::Problem::GRADED_RANKS.to_vec());
        self.is_graded = true;
        self.run(None, |ranks| T::Problem::graded_inputs(ranks, FUNCTIONAL_SEED).into_iter().map(named));
        let refused = |ranks| T::Problem::refused_inputs(ranks);
        // A problem may accept every input.
        if self.ranks.iter().flatten().any(|&ranks| !refused(ranks).is_empty()) {
            // Any reason will do: the assignment says what is refused, the student's validation says why.
            self.run(Some(""), |ranks| refused(ranks).into_iter().map(named));
        }
    }
}

/// The output must be where the reference has it: a result that should be on every rank is not one that is on rank 0.
fn check_output_place<T: Task<Problem: Assignment>>() {
    let expected = <<T::Problem as Assignment>::Reference as Task>::OUTPUT;
    if T::OUTPUT != expected {
        let lang = Lang::from_environment();
        let place = |place| format!("Place::{place:?}");
        let problem = text::other_output_place(lang, place(T::OUTPUT), place(expected));
        let name = test::next_check_name();
        test_report::fail(&format!(
            "\n{} {name}\n{}\n",
            text::fail(lang),
            wrap(&problem, "  ", "    ", WIDTH)
        ));
    }
}

fn named<I>(GradedInput { name, input }: GradedInput<I>) -> Case<I> {
    (Some(name), input)
}

#[cfg(test)]
mod tests {
    //! The course's limit applies to the stages of a task: the shortest path through the harness, in virtual time.
    use wb_config::{CourseSettings, TASK_LIMIT};
    use wb_task::{Progress, Stage};
    use workbench::in_one_process;

    use super::*;
    use crate::{
        evidence::RankOutcome,
        rank_side::threads::{self, VirtualTimeThreads},
        slow_stages::SlowStages,
    };

    use std::time::Duration;
    /// How a run ends whose stages take this time each.
    fn run_outcome(stage: Duration) -> (RankOutcome, Option<Stage>) {
        let ns = u64::try_from(stage.as_nanos()).expect("a short time");
        let test_runs =
            Functional::new(in_one_process(), SlowStages).test_runs("limited", 1, None, [(None, ns)]);
        let progress: Arc<[Progress]> = [Progress::default()].into();
        let ran = threads::run(&VirtualTimeThreads(in_one_process().virtual_time), &test_runs[0], &progress);
        (ran.reports[0].outcome, ran.reports[0].stage)
    }

    #[test]
    fn stages_that_are_too_long_together_are_over_the_course_s_limit() {
        let course = CourseSettings::find(&settings::search_start()).expect("the workspace has a course");
        let set = std::env::var_os(TASK_LIMIT).is_some();
        let expected = settings::time_limit();
        assert!(set || expected == Some(course.limits.functional), "{expected:?}");
        match expected {
            // Lifted for all tests.
            None => assert_eq!(run_outcome(Duration::from_secs(60)), (RankOutcome::Returned, None)),
            Some(limit) => {
                assert_eq!(run_outcome(limit / 4), (RankOutcome::Returned, None));
                // Each stage alone stays below the limit.
                assert_eq!(run_outcome(limit / 5 * 2), (RankOutcome::TimedOut, Some(Stage::Postprocessing)));
            }
        }
    }
}
