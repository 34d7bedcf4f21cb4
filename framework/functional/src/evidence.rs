//! What the processes of a job have reported: the only evidence of verdicts.
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::{self, Debug, Write},
    hash::{DefaultHasher, Hasher},
    sync::Arc,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use wb_comm::{
    BlockedCall, CallLocation, CallSite, Error, Finding, Rank, panic_place::RankStop, text::waiting,
};
use wb_messages::{Lang, functional as text};
use wb_process::stack::ThreadActivity;
use wb_task::{Progress, Stage, debug_parser::DebugScanner, outline::Outline};
use wb_world::Counts;

use crate::{
    job_protocol::{LeakReport, TestEvent},
    test::{RunId, TestCase, panics},
};

/// One run as the ranks saw it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunEvidence {
    /// One report per rank, as far as they exist.
    pub(crate) reports: BTreeMap<usize, RankReport>,
    /// The leaks, of all processes together.
    pub(crate) leaks: LeakReport,
    /// The time, from the beginning of the run, at which the cause was known for which the run ends its job, where it does.
    pub(crate) diagnosed_after: Option<Duration>,
}

impl RunEvidence {
    /// The number of calls of all ranks, if calls still completed when the run was ended: then no rank waits without end.
    pub(crate) fn ongoing_calls(&self) -> Option<u64> {
        let of_ranks: Vec<u64> = self.reports.values().filter_map(|entry| entry.ongoing_calls).collect();
        (!of_ranks.is_empty()).then(|| of_ranks.iter().sum())
    }

    /// The order in which the ranks received messages, by rank; `None` unless all returned.
    pub(crate) fn arrival_order(&self) -> Option<Vec<u64>> {
        let of_rank =
            |entry: &RankReport| (entry.outcome == RankOutcome::Returned).then_some(entry.arrival_order);
        self.reports.values().map(of_rank).collect()
    }

    /// The time of the slowest rank.
    pub(crate) fn duration(&self) -> Duration {
        self.reports.values().map(|entry| entry.elapsed).max().unwrap_or_default()
    }
}

/// One test at one number of ranks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TestEvidence {
    /// The runs that were announced.
    pub(crate) cases: Vec<TestCase>,
    /// The runs, by input.
    pub(crate) runs: BTreeMap<usize, RunEvidence>,
    /// The number of processes that have begun it.
    pub(crate) started: usize,
    /// The number of processes that have completed it: they have noted how every run ended and searched for leaks.
    pub(crate) finished: usize,
}

impl TestEvidence {
    /// Whether it has ended its job of `processes` processes.
    pub(crate) fn has_ended_job(&self, processes: usize) -> bool {
        let is_unended =
            |run: &RunEvidence| run.reports.values().any(|entry| entry.outcome == RankOutcome::Unterminated);
        self.finished < processes || self.runs.values().any(is_unended)
    }
}

/// The reports of the processes of a job.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evidence {
    /// The evidence of each test and number of ranks.
    pub(crate) tests: BTreeMap<(String, usize), TestEvidence>,
    /// The processes that ended in an orderly way.
    pub(crate) orderly_exits: BTreeSet<usize>,
    /// The processes that reported how a run ended that ended the job, that they end, or that must leave it.
    pub(crate) reported: BTreeSet<usize>,
    /// The hosts on which processes started.
    pub(crate) hosts: BTreeSet<String>,
    /// Whether a process did not end after a test.
    has_unterminated: bool,
}

impl Evidence {
    pub(crate) fn add(&mut self, process: usize, event: TestEvent) {
        match event {
            TestEvent::Test(id, cases) => {
                let case = self.test(&id.test, id.ranks);
                (case.cases, case.started) = (cases, case.started + 1);
            }
            TestEvent::Ready(id) => drop(self.run(&id)),
            TestEvent::RanksEnded(id, reports) => {
                self.reported.extend(reports.iter().any(RankReport::is_failure).then_some(process));
                self.run(&id).reports.extend(reports.into_iter().map(|report| (report.rank, report)));
            }
            TestEvent::Activity(id, rank, doing) => {
                if let Some(entry) = self.run(&id).reports.get_mut(&rank) {
                    entry.activity = Some(doing);
                }
            }
            TestEvent::Unterminated(id, ranks, doing) => {
                self.has_unterminated = true;
                let run = self.run(&id);
                for rank in ranks {
                    let entry = run.reports.remove(&rank);
                    run.reports.extend(entry.map(|entry| (rank, entry.into_unterminated(doing.clone()))));
                }
            }
            TestEvent::Leaks(id, leaks) => self.run(&id).leaks.merge(&leaks),
            TestEvent::Done(id) => self.test(&id.test, id.ranks).finished += 1,
            // It is for who looks, and decides nothing.
            TestEvent::Observed(..) => {}
            TestEvent::Exiting => {
                self.orderly_exits.insert(process);
                self.reported.insert(process);
            }
        }
    }

    /// Whether all of `processes` processes ended in an orderly way.
    pub(crate) fn is_complete(&self, processes: usize) -> bool {
        self.orderly_exits.len() == processes
    }

    /// The evidence of a job of `processes` processes at its end: where one did not end after a test, the others wait for it in the next one,
    /// which is no evidence about that one.
    pub(crate) fn at_end(mut self, processes: usize) -> Self {
        if self.has_unterminated {
            self.tests.retain(|_, case| case.started == processes);
        }
        self
    }

    fn test(&mut self, case: &str, ranks: usize) -> &mut TestEvidence {
        self.tests.entry((case.to_owned(), ranks)).or_default()
    }

    /// The evidence of a run.
    pub(crate) fn run(&mut self, id: &RunId) -> &mut RunEvidence {
        self.test(&id.test, id.ranks).runs.entry(id.input).or_default()
    }
}

/// The end of a run on a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum RankOutcome {
    /// All stages are done.
    Returned,
    /// Validation refused the input.
    Rejected,
    /// A stage returned an error.
    Failed,
    /// The stages took longer than allowed.
    TimedOut,
    /// The code panicked.
    Panicked,
    /// The rank had not returned when the run was ended.
    #[default]
    Unresponsive,
    /// The rank called `exit`.
    Exited,
    /// The rank ran out of memory; the text contains the size of its request.
    OutOfMemory,
    /// The rank has delivered its result, and its thread or process does not end.
    Unterminated,
    /// The rank did not take part in the run: the job has more ranks than the run needs.
    NotParticipating,
}

/// The output of a rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OutputReport {
    /// A summary of the output.
    pub(crate) digest: Digest,
    /// The oracle's objection.
    pub(crate) error: Option<String>,
    /// The difference from the reference's output.
    pub(crate) reference_difference: Option<String>,
    /// For each rank, the bytes that it must have sent at least for this output.
    pub(crate) least_sent_bytes: Vec<u64>,
}

/// The end of one run on one rank, as the rank reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RankReport {
    pub(crate) rank: Rank,
    pub(crate) outcome: RankOutcome,
    /// The stage in which it was, or which ended it.
    pub(crate) stage: Option<Stage>,
    /// The error, the refusal's reason, the panic's text. It is rendered, since all processes of a job inherit the
    /// environment and so the language of the process that shows it, and since most texts (panics, refusals) exist in
    /// one language only.
    pub(crate) text: String,
    /// Why, if it has ended itself by a panic.
    pub(crate) stop: Option<RankStop>,
    /// The location of the panic.
    pub(crate) panic_location: Option<String>,
    pub(crate) blocked_in: Option<BlockedCall>,
    /// The number of its calls, if calls still completed when the run was ended: then `blocked_in` is only the call that
    /// it was in.
    pub(crate) ongoing_calls: Option<u64>,
    /// Its activity outside of any call.
    pub(crate) activity: Option<ThreadActivity>,
    /// What a failure may come of and the rank has not reported: an error of a call, panics of threads of its process.
    pub(crate) unreported: Vec<String>,
    /// The mistake that its error describes.
    pub(crate) finding: Option<Finding>,
    /// The output, where there is one.
    pub(crate) output: Option<OutputReport>,
    /// Its communication.
    pub(crate) counts: Counts,
    pub(crate) first_collective: Option<CallLocation>,
    /// Whether it has received anything from another rank.
    pub(crate) has_received: bool,
    /// A hash of the order in which it received messages.
    pub(crate) arrival_order: u64,
    /// When, counted from the beginning of the run.
    pub(crate) elapsed: Duration,
    /// The last lines that it printed during the run.
    pub(crate) output_tail: String,
    /// Its call trace, of real ranks.
    #[serde(with = "shared_text")]
    pub(crate) trace: Option<Arc<str>>,
}

impl RankReport {
    /// A report that contains only how the rank ended.
    pub(crate) fn new(rank: Rank, outcome: RankOutcome) -> Self {
        Self { rank, outcome, has_received: true, ..Self::default() }
    }

    /// Whether the rank has failed, so that others may wait for it without success.
    pub(crate) fn is_failure(&self) -> bool {
        !matches!(self.outcome, RankOutcome::Returned | RankOutcome::Rejected | RankOutcome::NotParticipating)
    }

    /// Will a rank that ended like this still report its position?
    pub(crate) fn is_located_later(&self) -> bool {
        self.is_late_outside_calls() || self.outcome == RankOutcome::OutOfMemory
    }

    /// Was the rank late and in no call?
    pub(crate) fn is_late_outside_calls(&self) -> bool {
        self.outcome == RankOutcome::Unresponsive && self.blocked_in.is_none() && self.text.is_empty()
    }

    /// Whether the rank's thread is lost for further runs.
    pub(crate) fn is_fatal(&self) -> bool {
        matches!(
            self.outcome,
            RankOutcome::Unresponsive
                | RankOutcome::Exited
                | RankOutcome::OutOfMemory
                | RankOutcome::Unterminated
        )
    }

    /// The same report with what it does not describe: the first error of a call, and the panics of threads of no rank.
    pub(crate) fn with_unreported(self, progress: &Progress) -> Self {
        let lang = Lang::from_environment();
        let reported = self.panic_location.as_deref().unwrap_or_default();
        let describe = |(CallSite { verb, location }, error): &(CallSite, Error)| {
            let call = waiting::call_at(verb.name(), location.file(), location.line()).render(lang);
            (call != reported).then(|| text::dropped_error(lang, call, error.text().render(lang)))
        };
        let error = progress.first_error().and_then(describe);
        Self { unreported: error.into_iter().chain(panics::take_of_other_threads()).collect(), ..self }
    }

    /// The same report for a rank that does not end; a former failure says more.
    pub(crate) fn into_unterminated(self, doing: Option<ThreadActivity>) -> Self {
        if self.is_failure() {
            self
        } else {
            Self { outcome: RankOutcome::Unterminated, activity: doing, ..self }
        }
    }
}

/// A text that copies of a report share, as JSON.
mod shared_text {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(text: &Option<Arc<str>>, to: S) -> Result<S::Ok, S::Error> {
        text.as_deref().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Arc<str>>, D::Error> {
        Ok(Option::<String>::deserialize(from)?.map(Arc::from))
    }
}

/// The digest and the outline of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Digest {
    /// The hash of the whole `Debug` text; the ranks of a job run one program, so they have one hash.
    pub(crate) hash: u64,
    /// The summary of the value: [`wb_task::outline`].
    pub(crate) excerpt: String,
}

impl Digest {
    /// The fingerprint of `value`.
    pub(crate) fn from_debug(value: &impl Debug) -> Self {
        let mut reader =
            DigestWriter { hasher: DefaultHasher::new(), scanner: DebugScanner::new(Outline::default()) };
        // The reader itself never fails; a `Debug` that does has written the text to compare.
        let _incomplete = write!(reader, "{value:?}");
        Self { hash: reader.hasher.finish(), excerpt: reader.scanner.finish().into_text() }
    }
}

/// Processes a text piece by piece.
struct DigestWriter {
    hasher: DefaultHasher,
    scanner: DebugScanner<Outline>,
}

impl Write for DigestWriter {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.hasher.write(piece.as_bytes());
        self.scanner.write_str(piece)
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::{Code, Verb, call_stack::SourceLine};
    use wb_process::stack::Activity;
    use wb_runner::channel::frame;

    use super::*;

    #[test]
    fn a_rank_that_does_not_end_is_noted_in_its_test_and_the_next_test_has_not_begun() {
        let mut evidence = Evidence::default();
        let id = |case: &str| RunId { test: case.into(), ranks: 2, input: 0 };
        for rank in 0..2 {
            let mut add = |event| evidence.add(rank, event);
            add(TestEvent::Test(id("first"), vec![]));
            add(TestEvent::RanksEnded(id("first"), vec![RankReport::new(rank, RankOutcome::Returned)]));
            add(TestEvent::Done(id("first")));
            match rank {
                0 => add(TestEvent::Test(id("second"), vec![])),
                _ => add(TestEvent::Unterminated(id("first"), vec![1], None)),
            }
        }
        let evidence = evidence.at_end(2);
        assert_eq!(evidence.tests.keys().map(|(case, _)| case.as_str()).collect::<Vec<_>>(), ["first"]);
        let case = &evidence.tests[&("first".to_owned(), 2)];
        assert_eq!(
            case.runs[&0].reports.values().map(|entry| entry.outcome).collect::<Vec<_>>(),
            [RankOutcome::Returned, RankOutcome::Unterminated]
        );
        assert!(case.finished == 2 && case.has_ended_job(2));
    }

    #[test]
    fn a_report_survives_the_channel() {
        let site = CallSite::caller(Verb::Recv);
        let digest = Digest { hash: u64::MAX, excerpt: "[1]".into() };
        let output = OutputReport {
            digest,
            error: Some("element 0".into()),
            reference_difference: None,
            least_sent_bytes: vec![7],
        };
        let entry = RankReport {
            stage: Some(Stage::Run),
            text: "two\nlines".into(),
            stop: Some(RankStop::Abort { rank: 3, code: -7 }),
            panic_location: Some("a.rs:1:2".into()),
            blocked_in: Some(BlockedCall::new(3, site)),
            ongoing_calls: Some(1 << 40),
            activity: Some(ThreadActivity {
                activity: Activity::Computing,
                line: Some(SourceLine { file: "a.rs".into(), line: 7, column: 3, function: "a::b".into() }),
            }),
            finding: Some(Finding { code: Code::Tag, rank: 3, locations: vec![], details: vec![] }),
            output: Some(output),
            counts: Counts { sends: 1, sent_bytes: 3, ..Counts::default() },
            first_collective: Some(CallLocation::new(3, site)),
            has_received: false,
            arrival_order: u64::MAX,
            elapsed: Duration::from_nanos(17),
            output_tail: "said".into(),
            trace: Some("{}".into()),
            ..RankReport::new(3, RankOutcome::Panicked)
        };
        let bytes = frame::encode(&entry).expect("written");
        assert_eq!(frame::decode::<RankReport>(&bytes).expect("read"), entry);
    }

    #[test]
    fn equal_values_have_equal_digests_and_others_do_not() {
        assert_eq!(Digest::from_debug(&vec![1, 2]), Digest::from_debug(&[1, 2]));
        assert_ne!(Digest::from_debug(&[1.0]).hash, Digest::from_debug(&[1.5]).hash);
        let in_pieces = Digest::from_debug(&format_args!("foo{}", "bar"));
        assert_eq!(in_pieces, Digest::from_debug(&format_args!("foobar")));
    }

    #[test]
    fn a_long_list_is_shown_by_its_ends() {
        assert_eq!(
            Digest::from_debug(&vec!['я'; 500]).excerpt,
            "['я', 'я', 'я', 'я', 'я', 'я', …, 'я', 'я'] (500)"
        );
        assert_eq!(Digest::from_debug(&7).excerpt, "7");
    }
}
