//! Messages and collectives that return before what they need has begun: times that cannot be true.
//!
//! Times of ranks on several hosts are corrected readings of several clocks. A message that is received before it was sent shows that the
//! correction is wrong by that much at least. Nothing is moved to hide it.
use crate::trace_analysis::{CollectiveMatch, CollectiveMember, EventRef, Matching, Timeline};

/// The messages and the collective calls that end too early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CausalityViolations {
    /// Messages that were received before they were sent.
    pub messages: usize,
    /// Calls of collectives that returned before a rank that they need had entered.
    pub collective_calls: usize,
    /// By how much at most.
    pub largest_ns: u64,
}

impl CausalityViolations {
    /// The violations of a trace.
    pub fn from_matching(timeline: &Timeline<'_>, matching: &Matching) -> Self {
        let mut found = Self::default();
        for message in &matching.messages {
            let early_ns = early_ns(timeline, message.received, message.send);
            found.messages += usize::from(early_ns > 0);
            found.largest_ns = found.largest_ns.max(early_ns);
        }
        for collective in &matching.collectives {
            for member in &collective.members {
                let early_ns = early_return_ns(timeline, collective, *member);
                found.collective_calls += usize::from(early_ns > 0);
                found.largest_ns = found.largest_ns.max(early_ns);
            }
        }
        found
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.messages + self.collective_calls == 0
    }
}

/// By how much a call returned before another one was entered.
fn early_ns(timeline: &Timeline<'_>, returned: EventRef, entered: EventRef) -> u64 {
    timeline.event(entered).begin_ns.saturating_sub(timeline.event(returned).end_ns)
}

/// By how much a member of a collective returned before a member that it needs had entered.
fn early_return_ns(
    timeline: &Timeline<'_>,
    collective: &CollectiveMatch,
    CollectiveMember { entered, left, .. }: CollectiveMember,
) -> u64 {
    let Some(returned) = left else { return 0 };
    let needed = collective.needed_by(timeline, entered);
    needed.map(|other| early_ns(timeline, returned, other.entered)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Trace, example_trace, trace_analysis::analyse};

    fn violations(trace: &Trace) -> CausalityViolations {
        analyse(&trace.ranks).expect("a sound trace").violations
    }

    #[test]
    fn a_trace_of_one_clock_has_none() {
        assert!(violations(&example_trace()).is_empty());
    }

    #[test]
    fn a_rank_whose_clock_is_behind_receives_too_early_and_the_amount_is_known() {
        let mut trace = example_trace();
        for rank_trace in &mut trace.ranks {
            rank_trace.map_times(|stamp_ns| stamp_ns + 1_000_000_000);
        }
        // Rank 0 sends to the others and is the root of the reduction; its clock is 100 ms ahead.
        trace.ranks[0].map_times(|stamp_ns| stamp_ns + 100_000_000);
        let found = violations(&trace);
        // Sent at 5 and 6 ms, received at 6 and 7 ms.
        assert_eq!((found.messages, found.collective_calls, found.largest_ns), (2, 0, 99_000_000));
        trace.ranks[0].map_times(|stamp_ns| stamp_ns - 200_000_000);
        let found = violations(&trace);
        // The root returns at 16 ms, the last rank enters at 15 ms.
        assert_eq!((found.messages, found.collective_calls, found.largest_ns), (0, 1, 99_000_000));
    }
}
