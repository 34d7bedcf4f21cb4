//! How one rank ended one run, as it is written into the rank's journal.
use std::{sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use wb_comm::{
    BlockedCall, CallLocation, CallSite, Error, Finding, Rank, panic_place::RankStop, text::waiting,
};
use wb_messages::{Lang, functional as text};
use wb_process::stack::ThreadActivity;
use wb_task::{Progress, Stage};
use wb_world::Counts;

use crate::test::{digest::Digest, panics};

/// How a rank ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// It had not returned when the run was ended.
    Unresponsive,
    /// It called `exit`.
    Exited,
    /// It ran out of memory; the text contains the size of its request.
    OutOfMemory,
    /// It has delivered its result, and its thread or process does not end.
    Unterminated,
    /// It did not take part in the run: the job has more ranks than the run needs.
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
    /// By rank: the bytes that it has sent at least for this output.
    pub(crate) least_sent_bytes: Vec<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Where it panicked.
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
    /// Has it received anything from another rank?
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
    pub(crate) fn new(rank: Rank, how: RankOutcome) -> Self {
        Self {
            rank,
            outcome: how,
            stage: None,
            text: String::new(),
            stop: None,
            panic_location: None,
            blocked_in: None,
            ongoing_calls: None,
            activity: None,
            unreported: vec![],
            finding: None,
            output: None,
            counts: Counts::default(),
            first_collective: None,
            has_received: true,
            arrival_order: 0,
            elapsed: Duration::ZERO,
            output_tail: String::new(),
            trace: None,
        }
    }

    /// Has the rank failed, so that others may wait for it without success?
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

    /// Is the rank's thread lost for further runs?
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

#[cfg(test)]
mod tests {
    use wb_comm::{Code, Verb};

    use wb_comm::call_stack::SourceLine;
    use wb_process::stack::Activity;

    use super::*;

    #[test]
    fn an_entry_survives_the_journal() {
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
            counts: Counts {
                sends: 1,
                receives: 2,
                sent_bytes: 3,
                received_bytes: 4,
                collectives: 5,
                topologies: 6,
                worked_ns: 0,
            },
            first_collective: Some(CallLocation::new(3, site)),
            has_received: false,
            arrival_order: u64::MAX,
            elapsed: Duration::from_nanos(17),
            output_tail: "said".into(),
            trace: Some("{}".into()),
            ..RankReport::new(3, RankOutcome::Panicked)
        };
        let text = serde_json::to_string(&entry).expect("written");
        assert_eq!(serde_json::from_str::<RankReport>(&text).expect("read"), entry);
    }
}
