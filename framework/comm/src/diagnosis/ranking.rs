//! The order in which several causes are reported.
//!
//! 1. A cause that explains more waiting ranks precedes one that explains fewer. A cause explains the ranks it accuses
//!    and the ranks that wait for them, directly or through others.
//! 2. Of causes that explain equally many ranks the more specific one is first, in the order of [`Specificity`]: a message
//!    that almost matches names the wrong argument, a cycle of waits names only the ranks.
//! 3. Otherwise the cause of the lower rank is first.
use std::{cmp::Reverse, collections::BTreeSet};

use crate::{Code, Finding, Rank};

/// What a code says about a wait, the most specific first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Specificity {
    /// A message that differs in one argument: the argument is known.
    Argument,
    /// A collective or an epoch that some of its ranks do not enter: the call is known.
    Call,
    /// A partner that has ended: the rank is known.
    Partner,
    /// A cycle of waits: only the ranks are known.
    Cycle,
    /// A cycle that a buffer would break: it depends on the library.
    Buffer,
}

impl Specificity {
    fn from_code(code: Code) -> Self {
        match code {
            Code::NearMiss | Code::RequestLeak => Self::Argument,
            Code::PartnerEnded => Self::Partner,
            Code::Deadlock => Self::Cycle,
            Code::BufferDependence => Self::Buffer,
            _ => Self::Call,
        }
    }
}

/// Sorts causes by the rule of this module; `waits_for(one, other)` is whether a waiting rank waits for another.
pub(crate) fn sort(causes: &mut [Finding], waiting: &[Rank], waits_for: impl Fn(Rank, Rank) -> bool) {
    causes.sort_by_cached_key(|cause| {
        let explained = explained_ranks(cause, waiting, &waits_for);
        (Reverse(explained.len()), Specificity::from_code(cause.code), cause.rank)
    });
}

/// The ranks that wait because of a cause.
fn explained_ranks(
    cause: &Finding,
    waiting: &[Rank],
    waits_for: impl Fn(Rank, Rank) -> bool,
) -> BTreeSet<Rank> {
    // The last location of a near miss is the call that sent the message: it is named, not accused.
    let responsible =
        cause.locations.iter().map(|location| location.rank).filter(|_| cause.code != Code::NearMiss);
    let responsible = responsible.chain([cause.rank]).filter(|rank| waiting.contains(rank));
    let mut explained: BTreeSet<Rank> = responsible.collect();
    loop {
        let more = |rank: &&Rank| {
            !explained.contains(*rank) && explained.iter().any(|responsible| waits_for(**rank, *responsible))
        };
        let more: Vec<Rank> = waiting.iter().filter(more).copied().collect();
        if more.is_empty() {
            return explained;
        }
        explained.extend(more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallLocation, CallSite, Verb};

    fn cause(code: Code, ranks: &[Rank]) -> Finding {
        let locations =
            ranks.iter().map(|rank| CallLocation::new(*rank, CallSite::caller(Verb::Recv))).collect();
        Finding { code, rank: ranks[0], locations, details: vec![] }
    }

    /// Ranks 0 to 5 wait; each row: the waits, the causes as found, and their codes and ranks in the reported order.
    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of findings and their order")]
    fn causes_are_told_by_what_they_explain_then_by_what_they_name() {
        use Code::{
            BufferDependence, CollectiveIncomplete, Deadlock, Matched, NearMiss, PartnerEnded, RequestLeak,
        };
        type Row<'a> = (&'a str, &'a [(Rank, Rank)], Vec<Finding>, &'a [(Code, Rank)]);
        let rows: [Row<'_>; 8] = [
            (
                "the sender of a near miss is not accused of what waits for it",
                &[(1, 0), (2, 0), (3, 4), (4, 3)],
                vec![cause(NearMiss, &[5, 0]), cause(Deadlock, &[3, 4])],
                &[(Deadlock, 3), (NearMiss, 5)],
            ),
            (
                "a request that has taken the message beats a call",
                &[],
                vec![cause(CollectiveIncomplete, &[3]), cause(RequestLeak, &[4])],
                &[(RequestLeak, 4), (CollectiveIncomplete, 3)],
            ),
            (
                "a near miss beats the circle that it explains",
                &[(0, 1), (1, 0)],
                vec![cause(BufferDependence, &[0, 1]), cause(NearMiss, &[1, 0])],
                &[(NearMiss, 1), (BufferDependence, 0)],
            ),
            (
                "a circle that explains four ranks beats a near miss that explains one",
                &[(0, 1), (1, 0), (2, 0), (3, 2), (5, 4)],
                vec![cause(NearMiss, &[5, 4]), cause(Deadlock, &[0, 1])],
                &[(Deadlock, 0), (NearMiss, 5)],
            ),
            (
                "ranks that wait for a victim count for the cause",
                &[(0, 4), (1, 0), (2, 1), (3, 5)],
                vec![cause(PartnerEnded, &[3]), cause(PartnerEnded, &[0])],
                &[(PartnerEnded, 0), (PartnerEnded, 3)],
            ),
            (
                "a call beats a partner, a partner a circle, a circle a buffer",
                &[],
                vec![
                    cause(BufferDependence, &[0]),
                    cause(Deadlock, &[1]),
                    cause(PartnerEnded, &[2]),
                    cause(CollectiveIncomplete, &[3]),
                    cause(NearMiss, &[4]),
                ],
                &[
                    (NearMiss, 4),
                    (CollectiveIncomplete, 3),
                    (PartnerEnded, 2),
                    (Deadlock, 1),
                    (BufferDependence, 0),
                ],
            ),
            (
                "of equals the lower rank comes first",
                &[],
                vec![cause(Deadlock, &[4]), cause(Deadlock, &[2])],
                &[(Deadlock, 2), (Deadlock, 4)],
            ),
            (
                "an epoch without its partner is a call",
                &[(0, 1), (1, 0)],
                vec![cause(Deadlock, &[0, 1]), cause(Matched, &[1, 0])],
                &[(Matched, 1), (Deadlock, 0)],
            ),
        ];
        for (what, waits, mut causes, expected) in rows {
            sort(&mut causes, &[0, 1, 2, 3, 4, 5], |one, other| waits.contains(&(one, other)));
            let sorted: Vec<_> = causes.iter().map(|cause| (cause.code, cause.rank)).collect();
            assert_eq!(sorted, expected, "{what}");
        }
    }
}
