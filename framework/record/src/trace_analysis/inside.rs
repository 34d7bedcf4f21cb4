//! The messages inside of a collective operation, from the rounds that its ranks recorded.
//!
//! Messages of one rank to another one in an operation do not overtake each other: the n-th that is sent is the n-th that is received.
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::{
    CollectiveRound, Envelope,
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
    /// The length of the longest chain of messages before it: those of its sender's earlier rounds, and those before them.
    pub round: usize,
}

/// What a rank does inside of the operation, in its order.
enum Step<'a> {
    Send(&'a Envelope, u64),
    Receive(&'a Envelope, u64),
    EndOfRound,
}

impl CollectiveMatch {
    /// The messages inside, by rounds; none where the ranks recorded no rounds.
    pub fn inside(&self, timeline: &Timeline<'_>) -> Vec<InsideMessage> {
        let mut sent: BTreeMap<(u32, u32), VecDeque<(u64, usize)>> = BTreeMap::new();
        let ranks: BTreeMap<u32, usize> =
            self.members.iter().map(|member| (member.rank, member.entered.rank)).collect();
        // The steps of each member, the round of its next messages, and that of the messages after this round of its own.
        let members = self.members.iter();
        let mut members: Vec<_> =
            members.map(|member| (member, steps(timeline, member.entered).peekable(), 0, 0)).collect();
        let (mut found, mut ended) = (vec![], BTreeSet::new());
        // A message that its sender has not recorded is passed over.
        let mut is_stuck = false;
        while !is_stuck {
            is_stuck = true;
            for (member, steps, round, next) in &mut members {
                while let Some(step) = steps.peek() {
                    match step {
                        Step::Send(send, sent_ns) => {
                            sent.entry((member.rank, send.peer)).or_default().push_back((*sent_ns, *round));
                            *next = (*next).max(*round + 1);
                        }
                        Step::Receive(receive, received_ns) => {
                            let send =
                                sent.get_mut(&(receive.peer, member.rank)).and_then(VecDeque::pop_front);
                            if let Some((sent_ns, round)) = send {
                                let (from, to) = (ranks[&receive.peer], member.entered.rank);
                                let (received_ns, bytes) = (*received_ns, receive.bytes);
                                found.push(InsideMessage { from, to, sent_ns, received_ns, bytes, round });
                                *next = (*next).max(round + 1);
                            } else if !ended.contains(&receive.peer) {
                                break;
                            }
                        }
                        Step::EndOfRound => *round = *next,
                    }
                    steps.next();
                    is_stuck = false;
                }
                if steps.peek().is_none() {
                    is_stuck &= !ended.insert(member.rank);
                }
            }
        }
        found.sort_by_key(|message| (message.round, message.from, message.to));
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

fn steps<'a>(timeline: &Timeline<'a>, call: EventRef) -> impl Iterator<Item = Step<'a>> {
    rounds(timeline, call).iter().flat_map(|round| {
        let sends = round.sends.iter().map(|send| Step::Send(send, round.begin_ns));
        let receives = round.receives.iter().map(|receive| Step::Receive(receive, round.end_ns));
        sends.chain(receives).chain([Step::EndOfRound])
    })
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
        // The reduction: 2 sends to 0, then to 1, which sends to 0; and a round of another call.
        trace.ranks[0].rounds =
            vec![round(1, 6, &[2], &[]), round(2, 25, &[], &[2]), round(2, 30, &[], &[1])];
        trace.ranks[1].rounds = vec![round(1, 10, &[], &[2]), round(1, 20, &[0], &[])];
        trace.ranks[2].rounds = vec![round(1, 8, &[0], &[]), round(1, 12, &[1], &[])];
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
        assert_eq!(inside, [expected(2, 0, 8, 30, 0), expected(2, 1, 12, 15, 1), expected(1, 0, 20, 35, 2)]);
        let mut partial = trace.clone();
        partial.ranks[2].rounds.clear();
        let timeline = Timeline::new(&partial.ranks).expect("a sound trace");
        let inside = analysis.matching.collectives[0].inside(&timeline);
        assert_eq!(inside, [expected(1, 0, 20, 35, 0)], "what rank 2 has sent is not known");
        trace.ranks[0].rounds[0].event = 9;
        assert!(analyse(&trace.ranks).is_err(), "no rank has ten calls");
    }
}
