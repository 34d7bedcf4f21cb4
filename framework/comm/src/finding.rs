//! A mistake that was found in a run: which, by whom, where, and what is known of it.
use std::fmt;

use crate::{CallSite, Code, Error, Rank, RankCall, Text, text::waiting};

/// A line of the user's source that a finding names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallLocation {
    /// Whose call, in the job's numbering.
    pub rank: Rank,
    /// The call's name: "recv".
    pub call: String,
    /// Source file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
}

impl CallLocation {
    /// The place of a call by `rank`.
    pub fn new(rank: Rank, site: CallSite) -> Self {
        let (call, file) = (site.verb.name().to_owned(), site.location.file().to_owned());
        Self { rank, call, file, line: site.location.line() }
    }

    /// "recv at src/mpi.rs:12 (rank 0)".
    pub fn text(&self) -> Text {
        waiting::place(&self.call, &self.file, self.line, self.rank)
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

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Finding {
    /// Which mistake.
    pub code: Code,
    /// Who made it or met it, in the job's numbering.
    pub rank: Rank,
    /// The lines to look at, that of `rank` first.
    pub locations: Vec<CallLocation>,
    /// What is known of this one, a line each.
    pub details: Vec<Text>,
}

impl Finding {
    /// What an error tells that `rank` got from the call at `site`; nothing where the error is of no kind of mistake, or
    /// one that is found for the job as a whole ([`Error::Deadlock`], [`Error::Peer`], [`Error::Interrupted`]).
    pub fn from_error(rank: Rank, site: Option<CallSite>, error: &Error) -> Option<Self> {
        let code = error.code()?;
        let places = match error {
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
        // Everybody gets the error of a collective; it is one finding.
        let rank = if let Error::Collective(mismatch) = error { mismatch.call.rank } else { rank };
        Some(Self { code, rank, locations: places, details: error.texts() })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rank {}", self.code, self.rank)?;
        self.locations.iter().try_for_each(|place| write!(f, "\n  {place}"))?;
        self.details.iter().try_for_each(|detail| write!(f, "\n  {detail}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rule, Verb, Violation};

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
    fn what_is_found_for_the_whole_job_is_no_finding_of_one_rank() {
        let error = Error::Deadlock { blocked: vec![] };
        assert_eq!(Finding::from_error(0, None, &error), None);
        let error = Error::Tag { tag: -1, max: 7 };
        let finding = Finding::from_error(2, Some(CallSite::caller(Verb::Send)), &error).expect("a mistake");
        assert_eq!((finding.code, finding.locations.len()), (Code::Tag, 1));
        assert!(finding.to_string().starts_with("WB0043 rank 2\n  send at "), "{finding}");
    }
}
