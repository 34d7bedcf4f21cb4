//! A collective that some ranks of a communicator have called and others have not.
//!
//! Such a call hangs only where the collective has to wait: a broadcast may let its root continue before another rank has
//! called it, a gather may let all ranks but the root continue. A backend that sees the calls of all ranks finds the mistake
//! nevertheless, when no rank can call the collective any more.
use crate::{
    CallLocation, Code, Finding, Rank, RankCall, Text,
    text::{collective, number},
};

/// A collective that some ranks of a communicator have called and others have not.
#[derive(Clone, Debug, PartialEq)]
pub struct IncompleteCollective {
    /// The calls, by rank.
    pub called: Vec<RankCall>,
    /// The ranks that have not called it.
    pub missing: Vec<Rank>,
    /// The number of later collectives of the same communicator, each of which some ranks have not called.
    pub later_incomplete: usize,
}

impl IncompleteCollective {
    /// The number of calls of one line that are named, since a loop over thousands of ranks is one line.
    const MAX_CALLS_PER_LINE: usize = 16;

    /// The same in the numbering of the job, where member `rank` is `members[rank]`.
    #[must_use]
    pub fn in_job_ranks(mut self, members: &[Rank]) -> Self {
        self.called.iter_mut().for_each(|call| call.rank = members[call.rank]);
        self.called.sort_by_key(|call| call.rank);
        self.missing.iter_mut().for_each(|rank| *rank = members[*rank]);
        self.missing.sort_unstable();
        self
    }

    /// The mistake, in a collective on `group`: "communicator world".
    pub fn to_finding(&self, group: &Text) -> Finding {
        let rank = self.called.first().map(|call| call.rank).unwrap_or_default();
        Finding {
            code: Code::CollectiveIncomplete,
            rank,
            locations: self.locations(),
            details: vec![self.describe(group)],
        }
    }

    /// Whether each of both is the same call of ranks that are missing in the other one.
    pub fn is_split_from(&self, other: &Self) -> bool {
        let verb = |open: &Self| open.called.first().map(|call| call.site.verb);
        let misses =
            |open: &Self, calls: &Self| calls.called.iter().all(|call| open.missing.contains(&call.rank));
        verb(self) == verb(other) && misses(self, other) && misses(other, self)
    }

    /// The lines of the ranks that have called it.
    pub fn locations(&self) -> Vec<CallLocation> {
        let mut locations: Vec<CallLocation> = vec![];
        for call in &self.called {
            let location = CallLocation::from(*call);
            let same = |known: &&CallLocation| (&known.file, known.line) == (&location.file, location.line);
            if locations.iter().filter(same).count() < Self::MAX_CALLS_PER_LINE {
                locations.push(location);
            }
        }
        locations
    }

    /// The call, the ranks that have made it and the ranks that have not.
    pub fn describe(&self, group: &Text) -> Text {
        let verb = self.called.first().map_or("", |call| call.site.verb.name());
        let called: Vec<_> = self.called.iter().map(|call| call.rank).collect();
        let unjoined = collective::unjoined(verb, group, ranks_text(&called), ranks_text(&self.missing));
        if self.later_incomplete == 0 {
            unjoined
        } else {
            collective::unjoined_with_more(unjoined, self.later_incomplete)
        }
    }
}

/// Ranks in rising order as text: "rank 3", "ranks 0, 2-5".
fn ranks_text(all: &[Rank]) -> Text {
    let written = number::ranges(all.iter().copied(), "-");
    if all.len() == 1 { collective::one_rank(written) } else { collective::several_ranks(written) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallSite, Verb};

    fn incomplete(called: impl IntoIterator<Item = Rank>, missing: &[Rank]) -> IncompleteCollective {
        let site = CallSite::caller(Verb::Reduce);
        let called = called.into_iter().map(|rank| RankCall { rank, site }).collect();
        IncompleteCollective { called, missing: missing.to_vec(), later_incomplete: 0 }
    }

    #[test]
    fn ranks_are_those_of_the_job_in_rising_order() {
        let found = incomplete([2, 0], &[1, 3])
            .in_job_ranks(&[7, 4, 5, 1])
            .to_finding(&collective::communicator("split 1 of world"));
        assert_eq!((found.code, found.rank), (Code::CollectiveIncomplete, 5));
        assert_eq!(found.locations.iter().map(|location| location.rank).collect::<Vec<_>>(), [5, 7]);
        let expected = "reduce on communicator split 1 of world: called by ranks 5, 7, not by ranks 1, 4";
        assert_eq!(found.details[0].to_string(), expected);
    }

    #[test]
    fn many_ranks_are_a_short_text() {
        let many = incomplete((0..20_000).filter(|rank| *rank != 7), &[7]);
        assert_eq!(many.locations().len(), IncompleteCollective::MAX_CALLS_PER_LINE);
        let description =
            IncompleteCollective { later_incomplete: 2, ..many }.describe(&collective::communicator("world"));
        let wanted = "reduce on communicator world: called by ranks 0-6, 8-19999, not by rank 7";
        assert_eq!(description.to_string(), format!("{wanted}; nor 2 collective(s) after it"));
    }
}
