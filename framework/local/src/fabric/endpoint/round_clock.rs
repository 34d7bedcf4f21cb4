//! The number of one-port rounds of a rank's user messages: in a round a rank sends at most one message and receives at most one.
//!
//! ```text
//! send:      round = now + 1                                                                   now = round
//! receive:   round = the first one from the message's on in which this rank receives nothing   now = max(now, round)
//! ```
//!
//! A message carries the round of its send. The rounds in which a rank receives do not depend on the order of its receives. So a root
//! that receives from every rank needs P - 1 rounds, and one of a binomial tree ceil(log2 P). The simulator counts the same on the
//! machine of the rule `tree`, where each message keeps the ports of both ranks busy for one round.
use std::cell::Cell;

/// The rounds that a clock remembers one by one; each round before them counts as one in which the rank received.
const REMEMBERED: u32 = u64::BITS;

/// The logical clock of one rank.
#[derive(Debug, Default)]
pub(super) struct RoundClock {
    now: Cell<u64>,
    receive_port: Cell<ReceivePort>,
}

/// The rounds in which the rank received: bit i is set for round `last - i`.
#[derive(Clone, Copy, Debug, Default)]
struct ReceivePort {
    last: u64,
    busy: u64,
}

impl RoundClock {
    /// The rounds so far.
    pub(super) fn now(&self) -> u64 {
        self.now.get()
    }

    /// The round of a message that is sent now.
    pub(super) fn send(&self) -> u64 {
        self.now.set(self.now.get() + 1);
        self.now.get()
    }

    /// A message of this round is received.
    pub(super) fn receive(&self, sent: u64) {
        let mut port = self.receive_port.get();
        let round = port.take(sent);
        self.receive_port.set(port);
        self.now.set(self.now.get().max(round));
    }
}

impl ReceivePort {
    /// Takes the first free round from `sent` on.
    fn take(&mut self, sent: u64) -> u64 {
        if sent > self.last {
            return self.advance(sent - self.last);
        }
        let oldest = (self.last - sent).min(u64::from(REMEMBERED - 1)) as u32;
        // The bits of the rounds from `sent` to the last one; the oldest free one is the highest that is not set.
        let free = !self.busy & (u64::MAX >> (REMEMBERED - 1 - oldest));
        match free.checked_ilog2() {
            Some(back) => {
                self.busy |= 1 << back;
                self.last - u64::from(back)
            }
            None => self.advance(1),
        }
    }

    /// Receives this number of rounds after the last one.
    fn advance(&mut self, rounds: u64) -> u64 {
        let before = u32::try_from(rounds).ok().and_then(|rounds| self.busy.checked_shl(rounds));
        *self = Self { last: self.last + rounds, busy: before.unwrap_or(0) | 1 };
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The clock after receiving messages that were sent in these rounds.
    fn after(sent: &[u64]) -> u64 {
        let clock = RoundClock::default();
        sent.iter().for_each(|sent| clock.receive(*sent));
        clock.now()
    }

    #[test]
    fn a_rank_receives_one_message_in_a_round() {
        assert_eq!(after(&[1]), 1);
        assert_eq!(after(&[1, 1]), 2);
        assert_eq!(after(&[1, 2, 3]), 3, "one in each round");
        assert_eq!(after(&[1, 2, 1]), 3, "a tree of five ranks");
        assert_eq!(after(&[4, 4, 7]), 7, "a free round remains between them");
        assert_eq!(after(&[1; 200]), 200, "more than are remembered one by one");
    }

    #[test]
    fn the_order_of_receives_does_not_matter() {
        for sent in [[1, 1, 2, 5], [3, 1, 1, 1], [2, 2, 2, 1], [9, 9, 1, 8]] {
            let mut sorted = sent;
            sorted.sort_unstable();
            let mut reversed = sorted;
            reversed.reverse();
            assert_eq!([after(&sent), after(&reversed)], [after(&sorted); 2], "{sent:?}");
        }
        assert_eq!(after(&[3, 1, 1, 1]), 4, "rounds 3, 1, 2 and 4");
    }

    #[test]
    fn sending_and_receiving_share_a_round_where_no_data_depend() {
        let clock = RoundClock::default();
        assert_eq!(clock.send(), 1);
        clock.receive(1);
        assert_eq!(clock.now(), 1, "an exchange is one round");
        assert_eq!(clock.send(), 2, "what was received may be sent on");
        clock.receive(1000);
        assert_eq!((clock.send(), clock.now()), (1001, 1001));
    }
}
