//! How one rank came out of one run, as it is written into the rank's journal.
use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use wb_comm::{Blocked, Finding, Place, Rank, caller::Line};
use wb_process::stack::{Activity, Doing};
use wb_task::Stage;
use wb_world::Counts;

use super::{digest::Digest, told};

/// How a rank ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// All stages are done.
    Returned,
    /// Validation refused the input.
    Refused,
    /// A stage returned an error.
    Failed,
    /// The stages took longer than allowed.
    Limit,
    /// The code panicked.
    Panicked,
    /// It had not come back when the run was ended.
    Late,
    /// It called `exit`.
    Left,
    /// It ran out of memory; the text says how much it asked for.
    Exhausted,
    /// It has delivered its result, and its thread or process does not end.
    Unended,
    /// It had no part in the run: there are more ranks than the run needs.
    Apart,
}

impl How {
    const NAMES: [(Self, &str); 10] = [
        (Self::Returned, "returned"),
        (Self::Refused, "refused"),
        (Self::Failed, "failed"),
        (Self::Limit, "limit"),
        (Self::Panicked, "panicked"),
        (Self::Late, "late"),
        (Self::Left, "left"),
        (Self::Exhausted, "exhausted"),
        (Self::Unended, "unended"),
        (Self::Apart, "apart"),
    ];

    fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(how, _)| *how == self).map_or("", |(_, name)| name)
    }

    fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, other)| *other == name).map(|(how, _)| *how)
    }
}

/// What a rank produced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Produced {
    /// The output in short.
    pub(super) digest: Digest,
    /// What the oracle objects to.
    pub(super) wrong: Option<String>,
    /// In what it differs from the reference's output.
    pub(super) unlike_reference: Option<String>,
}

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) rank: Rank,
    pub(super) how: How,
    /// The stage it was in, or that ended it.
    pub(super) stage: Option<Stage>,
    /// The error, the refusal's reason, the panic's text: rendered, since all processes of a job inherit the environment and
    /// so the language of the one that shows it, and since most of it (panics, refusals) has one language only.
    pub(super) text: String,
    /// Where it panicked.
    pub(super) place: Option<String>,
    /// The call it stands in.
    pub(super) standing: Option<Blocked>,
    /// What it was doing outside of any call.
    pub(super) doing: Option<Doing>,
    /// The mistake that its error tells of.
    pub(super) finding: Option<Finding>,
    /// The output, where there is one.
    pub(super) output: Option<Produced>,
    /// What it communicated.
    pub(super) counts: Counts,
    /// The first of its collective calls.
    pub(super) collective: Option<Place>,
    /// Has anything come to it from another rank?
    pub(super) heard: bool,
    /// When, counted from the beginning of the run.
    pub(super) after: Duration,
    /// The last lines it printed during the run.
    pub(super) said: String,
    /// What it called, of real ranks.
    pub(super) transcript: Option<Arc<str>>,
}

impl Entry {
    /// An entry that says how and nothing else.
    pub(super) fn of(rank: Rank, how: How) -> Self {
        Self {
            rank,
            how,
            stage: None,
            text: String::new(),
            place: None,
            standing: None,
            doing: None,
            finding: None,
            output: None,
            counts: Counts::default(),
            collective: None,
            heard: true,
            after: Duration::ZERO,
            said: String::new(),
            transcript: None,
        }
    }

    /// Has the rank failed, so that others may wait for it in vain?
    pub(super) fn is_failure(&self) -> bool {
        !matches!(self.how, How::Returned | How::Refused | How::Apart)
    }

    /// Will a rank that ended like this still say where it was?
    pub(super) fn is_located_later(&self) -> bool {
        self.is_outside() || self.how == How::Exhausted
    }

    /// Was the rank late and in no call?
    pub(super) fn is_outside(&self) -> bool {
        self.how == How::Late && self.standing.is_none() && self.text.is_empty()
    }

    /// Is the rank's thread lost for further runs?
    pub(super) fn is_fatal(&self) -> bool {
        matches!(self.how, How::Late | How::Left | How::Exhausted | How::Unended)
    }

    /// The same of a rank that does not end; how it failed before says more.
    pub(super) fn unended(self, doing: Option<Doing>) -> Self {
        if self.is_failure() { self } else { Self { how: How::Unended, doing, ..self } }
    }

    /// As a line of a journal has it.
    pub(super) fn to_json(&self) -> Value {
        // A functional test runs in real time.
        let Counts { sends, receives, sent_bytes, received_bytes, collectives, worked_ns: _ } = self.counts;
        json!({
            "rank": self.rank,
            "how": self.how.name(),
            "stage": self.stage.map(Stage::name),
            "text": self.text,
            "place": self.place,
            "doing": self.doing.as_ref().map(doing),
            "standing": self.standing.as_ref().map(told::blocked),
            "finding": self.finding.as_ref().map(told::finding),
            "output": self.output.as_ref().map(Produced::to_json),
            "counts": [sends, receives, sent_bytes, received_bytes, collectives],
            "collective": self.collective.as_ref().map(told::place),
            "heard": self.heard,
            "after_ns": u64::try_from(self.after.as_nanos()).unwrap_or(u64::MAX),
            "said": self.said,
            "transcript": self.transcript.as_deref(),
        })
    }

    /// The counterpart of [`to_json`](Self::to_json).
    pub(super) fn from_json(value: &Value) -> Option<Self> {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let count = |i: usize| value["counts"][i].as_u64();
        let stage = value["stage"].as_str();
        Some(Self {
            rank: number(&value["rank"])?,
            how: How::named(value["how"].as_str()?)?,
            stage: stage.and_then(|name| Stage::ALL.into_iter().find(|stage| stage.name() == name)),
            text: text("text")?,
            place: text("place"),
            standing: told::blocked_of(&value["standing"]),
            doing: doing_of(&value["doing"]),
            finding: told::finding_of(&value["finding"]),
            output: if value["output"].is_null() {
                None
            } else {
                Some(Produced::from_json(&value["output"])?)
            },
            counts: Counts {
                sends: count(0)?,
                receives: count(1)?,
                sent_bytes: count(2)?,
                received_bytes: count(3)?,
                collectives: count(4)?,
                worked_ns: 0,
            },
            collective: told::place_of(&value["collective"]),
            heard: value["heard"].as_bool()?,
            after: Duration::from_nanos(value["after_ns"].as_u64()?),
            said: text("said")?,
            transcript: value["transcript"].as_str().map(Arc::from),
        })
    }
}

impl Produced {
    fn to_json(&self) -> Value {
        let Self { digest: Digest { hash, excerpt }, wrong, unlike_reference } = self;
        json!({ "hash": hash, "excerpt": excerpt, "wrong": wrong, "unlike_reference": unlike_reference })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        let digest = Digest { hash: value["hash"].as_u64()?, excerpt: text("excerpt")? };
        Some(Self { digest, wrong: text("wrong"), unlike_reference: text("unlike_reference") })
    }
}

/// As a line of a journal has it.
pub(super) fn doing(Doing { activity, line }: &Doing) -> Value {
    let line =
        line.as_ref().map(|Line { file, line, column, function }| json!([file, line, column, function]));
    json!({ "activity": activity.name(), "line": line })
}

/// The counterpart of [`doing`].
pub(super) fn doing_of(value: &Value) -> Option<Doing> {
    let line = |place: &Value| {
        let text = |at: usize| place[at].as_str().map(str::to_owned);
        let number = |at: usize| place[at].as_u64().and_then(|number| u32::try_from(number).ok());
        Some(Line { file: text(0)?, line: number(1)?, column: number(2)?, function: text(3)? })
    };
    let name = value["activity"].as_str()?;
    let activity = Activity::ALL.into_iter().find(|activity| activity.name() == name)?;
    Some(Doing { activity, line: line(&value["line"]) })
}

/// A number of ranks, inputs, messages.
pub(super) fn number(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|number| usize::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use wb_comm::{Code, Site, Verb};

    use super::*;

    #[test]
    fn an_entry_survives_the_journal() {
        let site = Site::here(Verb::Recv);
        let digest = Digest { hash: u64::MAX, excerpt: "[1]".into() };
        let output = Produced { digest, wrong: Some("element 0".into()), unlike_reference: None };
        let entry = Entry {
            stage: Some(Stage::Run),
            text: "two\nlines".into(),
            place: Some("a.rs:1:2".into()),
            standing: Some(Blocked::at(3, site)),
            doing: Some(Doing {
                activity: Activity::Computes,
                line: Some(Line { file: "a.rs".into(), line: 7, column: 3, function: "a::b".into() }),
            }),
            finding: Some(Finding { code: Code::Tag, rank: 3, places: vec![], details: vec![] }),
            output: Some(output),
            counts: Counts {
                sends: 1,
                receives: 2,
                sent_bytes: 3,
                received_bytes: 4,
                collectives: 5,
                worked_ns: 0,
            },
            collective: Some(Place::of(3, site)),
            heard: false,
            after: Duration::from_nanos(17),
            said: "said".into(),
            transcript: Some("{}".into()),
            ..Entry::of(3, How::Panicked)
        };
        assert_eq!(Entry::from_json(&entry.to_json()), Some(entry));
        for (how, _) in How::NAMES {
            let entry = Entry::of(0, how);
            assert_eq!(Entry::from_json(&entry.to_json()), Some(entry));
        }
    }
}
