//! The messages inside of a collective operation, from the rounds that its ranks recorded.
//!
//! Messages of one rank to another one in an operation do not overtake each other: the n-th that is sent is the n-th that is received.
use std::collections::{BTreeMap, VecDeque};

use crate::{
    CollectiveRound,
    trace_analysis::{CollectiveMatch, CollectiveMember, EventRef, Timeline},
};

/// A message inside of a collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InsideMessage {
    /// The sender, as a rank of the job.
    pub from: usize,
    /// The receiver, as a rank of the job.
    pub to: usize,
    /// When the sender posted it.
    pub sent_ns: u64,
    /// When the receiver had all messages of its round.
    pub received_ns: u64,
    /// Its size.
    pub bytes: u64,
    /// The number of the sender's round, from 0.
    pub round: usize,
}

impl CollectiveMatch {
    /// The messages inside, in the order of the receivers and of their rounds; none where the ranks recorded no rounds.
    pub fn inside(&self, timeline: &Timeline<'_>) -> Vec<InsideMessage> {
        let mut sent: BTreeMap<(u32, u32), VecDeque<(u64, usize)>> = BTreeMap::new();
        for member in &self.members {
            for (round, messages) in rounds(timeline, member.entered).iter().enumerate() {
                for send in &messages.sends {
                    sent.entry((member.rank, send.peer)).or_default().push_back((messages.begin_ns, round));
                }
            }
        }
        let ranks: BTreeMap<u32, usize> =
            self.members.iter().map(|member| (member.rank, member.entered.rank)).collect();
        let mut found = vec![];
        for member in &self.members {
            for messages in rounds(timeline, member.entered) {
                for receive in &messages.receives {
                    let send = sent.get_mut(&(receive.peer, member.rank)).and_then(VecDeque::pop_front);
                    let (Some((sent_ns, round)), Some(&from)) = (send, ranks.get(&receive.peer)) else {
                        continue;
                    };
                    let (to, received_ns) = (member.entered.rank, messages.end_ns);
                    found.push(InsideMessage { from, to, sent_ns, received_ns, bytes: receive.bytes, round });
                }
            }
        }
        found
    }

    /// The algorithm that a rank recorded; nothing where none did.
    pub fn algorithm<'a>(&self, timeline: &Timeline<'a>) -> &'a str {
        let first = |member: &CollectiveMember| rounds(timeline, member.entered).first();
        self.members.iter().find_map(first).map_or("", |round| &round.algorithm)
    }
}

/// The rounds of one call.
fn rounds<'a>(timeline: &Timeline<'a>, call: EventRef) -> &'a [CollectiveRound] {
    let rounds = &timeline.ranks[call.rank].rounds;
    let first = rounds.partition_point(|round| (round.event as usize) < call.event);
    let last = rounds.partition_point(|round| (round.event as usize) <= call.event);
    &rounds[first..last.max(first)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Envelope, example_trace, trace_analysis::analyse};

    #[test]
    fn rounds_of_a_call_become_messages_between_the_ranks_of_the_job() {
        let mut trace = example_trace();
        let message = |peer| Envelope { peer, tag: 0, bytes: 8 };
        let round = |event, begin_ns, sends: &[u32], receives: &[u32]| CollectiveRound {
            algorithm: "binomial".into(),
            event,
            begin_ns,
            end_ns: begin_ns + 5,
            sends: sends.iter().copied().map(message).collect(),
            receives: receives.iter().copied().map(message).collect(),
        };
        // The reduction: 2 sends to 1, 1 sends to 0 in its second round; and a round of another call.
        trace.ranks[0].rounds = vec![round(1, 6, &[2], &[]), round(2, 30, &[], &[1])];
        trace.ranks[1].rounds = vec![round(1, 10, &[], &[2]), round(1, 20, &[0], &[])];
        trace.ranks[2].rounds = vec![round(1, 12, &[1], &[])];
        let timeline = Timeline::new(&trace.ranks).expect("a sound trace");
        let analysis = analyse(&trace.ranks).expect("a sound trace");
        let inside = analysis.matching.collectives[0].inside(&timeline);
        let expected = |from, to, sent_ns, received_ns, round| InsideMessage {
            from,
            to,
            sent_ns,
            received_ns,
            bytes: 8,
            round,
        };
        assert_eq!(inside, [expected(1, 0, 20, 35, 1), expected(2, 1, 12, 15, 0)]);
        trace.ranks[0].rounds[0].event = 9;
        assert!(analyse(&trace.ranks).is_err(), "no rank has ten calls");
    }
}
