//! How one rank came out of one run, as it is written into the rank's journal.
use std::{sync::Arc, time::Duration};

use serde::Deserialize as _;
use serde_json::{Value, json};
use wb_comm::{BlockedCall, CallLocation, Finding, Rank, call_stack::SourceLine};
use wb_process::stack::{Activity, ThreadActivity};
use wb_task::Stage;
use wb_world::Counts;

use crate::test::digest::Digest;

/// How a rank ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// It had not come back when the run was ended.
    Unresponsive,
    /// It called `exit`.
    Exited,
    /// It ran out of memory; the text says how much it asked for.
    OutOfMemory,
    /// It has delivered its result, and its thread or process does not end.
    Unterminated,
    /// It had no part in the run: there are more ranks than the run needs.
    NotParticipating,
}

impl RankOutcome {
    const NAMES: [(Self, &str); 10] = [
        (Self::Returned, "returned"),
        (Self::Rejected, "refused"),
        (Self::Failed, "failed"),
        (Self::TimedOut, "limit"),
        (Self::Panicked, "panicked"),
        (Self::Unresponsive, "late"),
        (Self::Exited, "left"),
        (Self::OutOfMemory, "exhausted"),
        (Self::Unterminated, "unended"),
        (Self::NotParticipating, "apart"),
    ];

    fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(how, _)| *how == self).map_or("", |(_, name)| name)
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, other)| *other == name).map(|(how, _)| *how)
    }
}

/// What a rank produced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutputReport {
    /// The output in short.
    pub(crate) digest: Digest,
    /// What the oracle objects to.
    pub(crate) error: Option<String>,
    /// In what it differs from the reference's output.
    pub(crate) reference_difference: Option<String>,
}

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RankReport {
    pub(crate) rank: Rank,
    pub(crate) outcome: RankOutcome,
    /// The stage it was in, or that ended it.
    pub(crate) stage: Option<Stage>,
    /// The error, the refusal's reason, the panic's text: rendered, since all processes of a job inherit the environment and
    /// so the language of the one that shows it, and since most of it (panics, refusals) has one language only.
    pub(crate) text: String,
    /// Where it panicked.
    pub(crate) panic_location: Option<String>,
    /// The call it stands in.
    pub(crate) blocked_in: Option<BlockedCall>,
    /// What it was doing outside of any call.
    pub(crate) activity: Option<ThreadActivity>,
    /// The mistake that its error tells of.
    pub(crate) finding: Option<Finding>,
    /// The output, where there is one.
    pub(crate) output: Option<OutputReport>,
    /// What it communicated.
    pub(crate) counts: Counts,
    /// The first of its collective calls.
    pub(crate) first_collective: Option<CallLocation>,
    /// Has anything come to it from another rank?
    pub(crate) has_received: bool,
    /// When, counted from the beginning of the run.
    pub(crate) elapsed: Duration,
    /// The last lines it printed during the run.
    pub(crate) output_tail: String,
    /// What it called, of real ranks.
    pub(crate) trace: Option<Arc<str>>,
}

impl RankReport {
    /// An entry that says how and nothing else.
    pub(crate) fn new(rank: Rank, how: RankOutcome) -> Self {
        Self {
            rank,
            outcome: how,
            stage: None,
            text: String::new(),
            panic_location: None,
            blocked_in: None,
            activity: None,
            finding: None,
            output: None,
            counts: Counts::default(),
            first_collective: None,
            has_received: true,
            elapsed: Duration::ZERO,
            output_tail: String::new(),
            trace: None,
        }
    }

    /// Has the rank failed, so that others may wait for it in vain?
    pub(crate) fn is_failure(&self) -> bool {
        !matches!(self.outcome, RankOutcome::Returned | RankOutcome::Rejected | RankOutcome::NotParticipating)
    }

    /// Will a rank that ended like this still say where it was?
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

    /// The same of a rank that does not end; how it failed before says more.
    pub(crate) fn into_unterminated(self, doing: Option<ThreadActivity>) -> Self {
        if self.is_failure() {
            self
        } else {
            Self { outcome: RankOutcome::Unterminated, activity: doing, ..self }
        }
    }

    /// As a line of a journal has it.
    pub(crate) fn to_json(&self) -> Value {
        // A functional test runs in real time.
        let Counts { sends, receives, sent_bytes, received_bytes, collectives, worked_ns: _ } = self.counts;
        json!({
            "rank": self.rank,
            "how": self.outcome.name(),
            "stage": self.stage.map(Stage::name),
            "text": self.text,
            "place": self.panic_location,
            "doing": self.activity.as_ref().map(activity_to_json),
            "standing": self.blocked_in,
            "finding": self.finding,
            "output": self.output.as_ref().map(OutputReport::to_json),
            "counts": [sends, receives, sent_bytes, received_bytes, collectives],
            "collective": self.first_collective,
            "heard": self.has_received,
            "after_ns": u64::try_from(self.elapsed.as_nanos()).unwrap_or(u64::MAX),
            "said": self.output_tail,
            "transcript": self.trace.as_deref(),
        })
    }

    /// The counterpart of [`to_json`](Self::to_json).
    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let count = |i: usize| value["counts"][i].as_u64();
        let stage = value["stage"].as_str();
        Some(Self {
            rank: usize::deserialize(&value["rank"]).ok()?,
            outcome: RankOutcome::from_name(value["how"].as_str()?)?,
            stage: stage.and_then(|name| Stage::ALL.into_iter().find(|stage| stage.name() == name)),
            text: text("text")?,
            panic_location: text("place"),
            blocked_in: BlockedCall::deserialize(&value["standing"]).ok(),
            activity: activity_from_json(&value["doing"]),
            finding: Finding::deserialize(&value["finding"]).ok(),
            output: if value["output"].is_null() {
                None
            } else {
                Some(OutputReport::from_json(&value["output"])?)
            },
            counts: Counts {
                sends: count(0)?,
                receives: count(1)?,
                sent_bytes: count(2)?,
                received_bytes: count(3)?,
                collectives: count(4)?,
                worked_ns: 0,
            },
            first_collective: CallLocation::deserialize(&value["collective"]).ok(),
            has_received: value["heard"].as_bool()?,
            elapsed: Duration::from_nanos(value["after_ns"].as_u64()?),
            output_tail: text("said")?,
            trace: value["transcript"].as_str().map(Arc::from),
        })
    }
}

impl OutputReport {
    fn to_json(&self) -> Value {
        let Self { digest: Digest { hash, excerpt }, error: wrong, reference_difference: unlike_reference } =
            self;
        json!({ "hash": hash, "excerpt": excerpt, "wrong": wrong, "unlike_reference": unlike_reference })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let digest = Digest { hash: value["hash"].as_u64()?, excerpt: text("excerpt")? };
        Some(Self { digest, error: text("wrong"), reference_difference: text("unlike_reference") })
    }
}

/// As a line of a journal has it.
pub(crate) fn activity_to_json(ThreadActivity { activity, line }: &ThreadActivity) -> Value {
    let line = line
        .as_ref()
        .map(|SourceLine { file, line, column, function }| json!([file, line, column, function]));
    json!({ "activity": activity.name(), "line": line })
}

/// The counterpart of [`doing`].
pub(crate) fn activity_from_json(value: &Value) -> Option<ThreadActivity> {
    let line = |place: &Value| {
        let text = |at: usize| place[at].as_str().map(str::to_owned);
        let number = |at: usize| place[at].as_u64().and_then(|number| u32::try_from(number).ok());
        Some(SourceLine { file: text(0)?, line: number(1)?, column: number(2)?, function: text(3)? })
    };
    let name = value["activity"].as_str()?;
    let activity = Activity::ALL.into_iter().find(|activity| activity.name() == name)?;
    Some(ThreadActivity { activity, line: line(&value["line"]) })
}

#[cfg(test)]
mod tests {
    use wb_comm::{CallSite, Code, Verb};

    use super::*;

    #[test]
    fn an_entry_survives_the_journal() {
        let site = CallSite::caller(Verb::Recv);
        let digest = Digest { hash: u64::MAX, excerpt: "[1]".into() };
        let output = OutputReport { digest, error: Some("element 0".into()), reference_difference: None };
        let entry = RankReport {
            stage: Some(Stage::Run),
            text: "two\nlines".into(),
            panic_location: Some("a.rs:1:2".into()),
            blocked_in: Some(BlockedCall::new(3, site)),
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
                worked_ns: 0,
            },
            first_collective: Some(CallLocation::new(3, site)),
            has_received: false,
            elapsed: Duration::from_nanos(17),
            output_tail: "said".into(),
            trace: Some("{}".into()),
            ..RankReport::new(3, RankOutcome::Panicked)
        };
        assert_eq!(RankReport::from_json(&entry.to_json()), Some(entry));
        for (how, _) in RankOutcome::NAMES {
            let entry = RankReport::new(0, how);
            assert_eq!(RankReport::from_json(&entry.to_json()), Some(entry));
        }
    }
}
