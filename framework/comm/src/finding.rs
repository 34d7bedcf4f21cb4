//! A mistake that was found in a run: its code, the rank, the calls and the details.
//!
//! A finding is data: processes exchange it as JSON, and decisions compare codes, ranks and locations, not texts.
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{CallSite, Code, Error, Rank, RankCall, SourceLocation, Text, text::waiting};

/// A call in a finding, with its line as text: unlike a [`RankCall`] it may be of another process.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallLocation {
    /// The rank that made the call, in the job's numbering.
    pub rank: Rank,
    /// The call's name: "recv".
    pub call: String,
    /// Source file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// For the start of a persistent request, the call that made the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Box<CallLocation>>,
}

impl CallLocation {
    /// The location of a call by `rank`.
    pub fn new(rank: Rank, site: CallSite) -> Self {
        Self::of(rank, site.verb.name(), site.location)
    }

    fn of(rank: Rank, verb: &'static str, location: SourceLocation) -> Self {
        let made = location.made().map(|(verb, made)| Box::new(Self::of(rank, verb, made)));
        Self { rank, call: verb.to_owned(), file: location.file().to_owned(), line: location.line(), made }
    }

    /// The line of the call; for the start of a persistent request also the line that made the request.
    pub fn lines(&self) -> impl Iterator<Item = (&str, u32)> {
        let made = self.made.iter().map(|made| (made.file.as_str(), made.line));
        std::iter::once((self.file.as_str(), self.line)).chain(made)
    }

    /// "recv at src/mpi.rs:12 (rank 0)", or "start_all at src/mpi.rs:12 (rank 0), of recv_init at src/mpi.rs:7".
    pub fn text(&self) -> Text {
        self.with_made(waiting::place(&self.call, &self.file, self.line, self.rank))
    }

    /// The text with the call that made the persistent request, if this is the start of one.
    pub(crate) fn with_made(&self, text: Text) -> Text {
        match &self.made {
            Some(made) => waiting::start_of(text, &made.call, &made.file, made.line),
            None => text,
        }
    }
}

impl From<RankCall> for CallLocation {
    fn from(call: RankCall) -> Self {
        Self::new(call.rank, call.site)
    }
}

impl fmt::Display for CallLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

/// A mistake that was found in a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// The kind of mistake.
    pub code: Code,
    /// The rank that made the mistake or found it, in the job's numbering.
    pub rank: Rank,
    /// The calls to look at, that of `rank` first.
    #[serde(rename = "places")]
    pub locations: Vec<CallLocation>,
    /// The details of this finding, one text for each line.
    pub details: Vec<Text>,
}

impl Finding {
    /// The finding of an error that `rank` got from the call at `site`. `None` for an error without a code, and for one
    /// that concerns the job as a whole ([`Error::Deadlock`], [`Error::Peer`], [`Error::Interrupted`]).
    pub fn from_error(rank: Rank, site: Option<CallSite>, error: &Error) -> Option<Self> {
        let code = error.code()?;
        let locations = match error {
            Error::Epoch(violation) => {
                let calls = [Some(violation.call), violation.earlier];
                calls.into_iter().flatten().map(CallLocation::from).collect()
            }
            Error::Collective(mismatch) => vec![mismatch.call.into(), mismatch.earlier.into()],
            _ => {
                let own = site.map(|site| CallLocation::new(rank, site));
                own.into_iter().chain(error.peer_call().map(CallLocation::from)).collect()
            }
        };
        // Every rank gets the error of a collective; it is reported once.
        let rank = if let Error::Collective(mismatch) = error { mismatch.call.rank } else { rank };
        Some(Self { code, rank, locations, details: error.texts() })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rank {}", self.code, self.rank)?;
        self.locations.iter().try_for_each(|location| write!(f, "\n  {location}"))?;
        self.details.iter().try_for_each(|detail| write!(f, "\n  {detail}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockedCall, Rule, Source, Verb, Violation};

    #[test]
    fn a_violation_is_a_finding_with_both_calls() {
        let (put, start) = (CallSite::caller(Verb::Put), CallSite::caller(Verb::Start));
        let violation = Violation {
            rule: Rule::Covered,
            call: RankCall { rank: 1, site: put },
            earlier: Some(RankCall { rank: 1, site: start }),
            situation: Text::verbatim("rank 0 is not among the targets {2}"),
            allowed: Text::verbatim("put to rank 2"),
        };
        let finding =
            Finding::from_error(1, Some(put), &Error::Epoch(Box::new(violation))).expect("a mistake");
        assert_eq!((finding.code, finding.rank), (Code::Covered, 1));
        assert_eq!(finding.locations, [CallLocation::new(1, put), CallLocation::new(1, start)]);
    }

    #[test]
    fn findings_and_blocked_calls_survive_their_way_as_json() {
        let irecv = CallLocation { rank: 1, call: "irecv".into(), file: "b.rs".into(), line: 9, made: None };
        let made = Some(Box::new(irecv.clone()));
        let start = CallLocation { call: "start".into(), made, ..irecv.clone() };
        for (peer, verb) in
            [(None, Verb::Wait), (Some(Source::Any), Verb::WindowWait), (Some(Source::Rank(3)), Verb::Recv)]
        {
            let call = BlockedCall {
                peer,
                tag: Some(7),
                bytes: None,
                waits_for: vec![3],
                communicator: Some("dup 1 of world".to_owned()),
                started_at: Some(irecv.clone()),
                ..BlockedCall::new(1, CallSite::caller(verb))
            };
            let line = serde_json::to_string(&call).expect("a call is data");
            assert_eq!(serde_json::from_str::<BlockedCall>(&line).expect("it was written so"), call);
        }
        let details = vec![waiting::with_tag(waiting::from_any("recv"), 7), Text::verbatim("two")];
        let finding = Finding { code: Code::NearMiss, rank: 1, locations: vec![irecv, start], details };
        let line = serde_json::to_string(&finding).expect("a finding is data");
        assert!(
            line.starts_with(
                r#"{"code":"WB0003","rank":1,"places":[{"rank":1,"call":"irecv","file":"b.rs","line":9},"#
            ),
            "{line}"
        );
        assert_eq!(serde_json::from_str::<Finding>(&line).expect("it was written so"), finding);
        let error = serde_json::from_str::<Finding>(&line.replace("WB0003", "WB3")).expect_err("not a code");
        assert!(error.to_string().contains("`WB3` is not a code"), "{error}");
    }

    #[test]
    fn what_is_found_for_the_whole_job_is_no_finding_of_one_rank() {
        let error = Error::Deadlock { blocked: vec![] };
        assert_eq!(Finding::from_error(0, None, &error), None);
        let error = Error::Tag { tag: -1, max: 7 };
        let finding = Finding::from_error(2, Some(CallSite::caller(Verb::Send)), &error).expect("a mistake");
        assert_eq!((finding.code, finding.locations.len()), (Code::Tag, 1));
        assert!(finding.to_string().starts_with("WB0043 rank 2\n  send at "), "{finding}");
    }
}
