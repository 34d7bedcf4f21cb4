//! The receivers of a rank's recent sends: they distinguish a skipped receiver from one that is still to be served.
//!
//! Sends of one line with one tag on one communicator are one *run*, such as a loop produces; a rank keeps its last
//! runs, user messages only. The receivers of a run are kept as ranges, so a loop over all ranks is one range, however
//! long it is.
use wb_comm::{CallSite, Rank};

/// The number of runs kept per rank: a stage of a task rarely has more lines that send.
const MAX_RUNS: usize = 8;

/// The number of ranges kept per run: further receivers that extend no range are not recorded.
const MAX_RANGES: usize = 32;

/// Sends of one line.
#[derive(Clone, Debug)]
pub(crate) struct SendRun {
    /// Index of the communicator.
    pub(crate) communicator: usize,
    pub(crate) tag: i32,
    pub(crate) site: CallSite,
    /// First and last receiver of each range, in the communicator's numbering.
    ranges: Vec<(Rank, Rank)>,
}

impl SendRun {
    /// Whether it went to this rank. A run with more receivers than are kept may have gone to any.
    pub(crate) fn has_reached(&self, rank: Rank) -> bool {
        self.ranges.len() == MAX_RANGES
            || self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&rank))
    }

    /// The receivers among `0..size`.
    pub(crate) fn receivers(&self, size: usize) -> Vec<Rank> {
        (0..size).filter(|rank| self.has_reached(*rank)).collect()
    }

    fn add(&mut self, to: Rank) {
        if self.has_reached(to) {
            return;
        }
        match self.ranges.iter_mut().find(|(_, last)| *last + 1 == to) {
            Some((_, last)) => *last = to,
            None => self.ranges.push((to, to)),
        }
    }
}

/// The last runs of a rank; the most recently extended one comes first.
#[derive(Debug, Default)]
pub(crate) struct SendHistory(Vec<SendRun>);

impl SendHistory {
    /// Records a send.
    pub(crate) fn record(&mut self, communicator: usize, tag: i32, site: CallSite, to: Rank) {
        let is_it = |run: &SendRun| (run.communicator, run.tag) == (communicator, tag) && run.site == site;
        match self.0.iter().position(is_it) {
            Some(at) => {
                self.0[at].add(to);
                self.0[..=at].rotate_right(1);
            }
            None => {
                self.0.truncate(MAX_RUNS - 1);
                self.0.insert(0, SendRun { communicator, tag, site, ranges: vec![(to, to)] });
            }
        }
    }

    /// Forgets the sends on a communicator.
    pub(crate) fn forget(&mut self, communicator: usize) {
        self.0.retain(|run| run.communicator != communicator);
    }

    pub(crate) fn runs_with_tag(&self, communicator: usize, tag: i32) -> impl Iterator<Item = &SendRun> {
        self.0.iter().filter(move |run| (run.communicator, run.tag) == (communicator, tag))
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::Verb;

    use super::*;

    #[test]
    fn a_loop_of_sends_is_one_range_and_knows_whom_it_left_out() {
        let (mut sent, site) = (SendHistory::default(), CallSite::caller(Verb::Send));
        (1..1000).for_each(|to| sent.record(0, 3, site, to));
        (1..1000).for_each(|to| sent.record(0, 3, site, to));
        let run = sent.runs_with_tag(0, 3).next().expect("it is kept");
        assert_eq!(run.ranges, [(1, 999)]);
        assert!(run.has_reached(999) && !run.has_reached(0) && !run.has_reached(1000));
        assert!(sent.runs_with_tag(1, 3).chain(sent.runs_with_tag(0, 4)).next().is_none());
    }

    #[test]
    fn what_is_kept_is_bounded_and_accuses_nobody_beyond_it() {
        let (mut sent, site) = (SendHistory::default(), CallSite::caller(Verb::Send));
        (0..1000).for_each(|at| sent.record(0, 3, site, 2 * at));
        let run = sent.runs_with_tag(0, 3).next().expect("it is kept");
        assert_eq!(run.ranges.len(), MAX_RANGES);
        assert!(run.has_reached(1), "it is not known, so nobody is said to be left out");
        (0..100).for_each(|tag| sent.record(0, tag, site, 1));
        assert_eq!(sent.0.len(), MAX_RUNS);
    }
}
