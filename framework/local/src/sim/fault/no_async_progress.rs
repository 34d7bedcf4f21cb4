//! A rank that receives nothing while it computes: arrivals and requests wait until its next call.
//!
//! Most libraries behave like this, since they make progress only inside their calls (Hoefler, Lumsdaine, Message
//! progression in parallel computing, CLUSTER 2008): the payload of a long message, which must be requested, is not
//! sent while its sender or its receiver computes, however early it was posted.
use std::collections::VecDeque;

use wb_comm::Rank;

use super::Fault;

pub(super) const SYNTAX: &str = "deaf:RANK";

/// A rank without asynchronous progress.
#[derive(Clone, Debug)]
struct NoAsyncProgress {
    rank: Rank,
    /// The known intervals of computation that are not over, ascending.
    computing: VecDeque<(u64, u64)>,
}

pub(super) fn parse(words: &[&str]) -> Option<Box<dyn Fault>> {
    let [rank] = words else { return None };
    Some(Box::new(NoAsyncProgress { rank: rank.parse().ok()?, computing: VecDeque::new() }))
}

impl Fault for NoAsyncProgress {
    fn fresh_copy(&self) -> Box<dyn Fault> {
        Box::new(Self { rank: self.rank, computing: VecDeque::new() })
    }

    fn rank(&self) -> Option<Rank> {
        Some(self.rank)
    }

    fn record_computing(&mut self, rank: Rank, begin: u64, end: u64) {
        if rank != self.rank || begin == end {
            return;
        }
        match self.computing.back_mut() {
            Some((_, last)) if *last == begin => *last = end,
            _ => self.computing.push_back((begin, end)),
        }
    }

    /// A rank runs ahead of arrivals at it, so it is known whether it computes at that time.
    fn notice_time(&mut self, rank: Rank, at: u64) -> u64 {
        if rank != self.rank {
            return at;
        }
        while self.computing.front().is_some_and(|(_, end)| *end <= at) {
            self.computing.pop_front();
        }
        self.computing.front().filter(|(begin, _)| *begin < at).map_or(at, |(_, end)| *end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_arrives_while_it_computes_is_heard_when_it_is_done() {
        let mut without_progress = NoAsyncProgress { rank: 1, computing: VecDeque::new() };
        [(0, 10), (10, 20), (30, 40)]
            .into_iter()
            .for_each(|(begin, end)| without_progress.record_computing(1, begin, end));
        without_progress.record_computing(2, 0, 1000);
        assert_eq!([5, 10, 19].map(|at| without_progress.notice_time(1, at)), [20, 20, 20]);
        assert_eq!([20, 25, 30, 31, 40].map(|at| without_progress.notice_time(1, at)), [20, 25, 30, 40, 40]);
        assert_eq!(without_progress.notice_time(2, 5), 5);
    }
}
