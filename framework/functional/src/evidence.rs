//! What the processes of a job have reported: the only evidence of verdicts.
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use wb_comm::Finding;

use crate::{
    evidence::{
        event::{LeakReport, TestEvent},
        rank_report::{RankOutcome, RankReport},
    },
    test::test_case::RunId,
};

pub(crate) mod event;
pub(crate) mod rank_report;

/// One run as the ranks saw it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunEvidence {
    /// One report per rank, as far as they exist.
    pub(crate) reports: BTreeMap<usize, RankReport>,
    /// The leaks, of all processes together.
    pub(crate) leaks: LeakReport,
    /// When the cause was known for which the run ends its job, counted from its beginning; where it does.
    pub(crate) diagnosed_after: Option<Duration>,
}

impl RunEvidence {
    /// The number of calls of all ranks, if calls still completed when the run was ended: then no rank waits without end.
    pub(crate) fn ongoing_calls(&self) -> Option<u64> {
        let of_ranks: Vec<u64> = self.reports.values().filter_map(|entry| entry.ongoing_calls).collect();
        (!of_ranks.is_empty()).then(|| of_ranks.iter().sum())
    }

    /// The order in which the ranks received messages, by rank; `None` unless all returned.
    pub(crate) fn arrival_order(&self) -> Option<Vec<u64>> {
        let of_rank =
            |entry: &RankReport| (entry.outcome == RankOutcome::Returned).then_some(entry.arrival_order);
        self.reports.values().map(of_rank).collect()
    }

    /// The time of the slowest rank.
    pub(crate) fn duration(&self) -> Duration {
        self.reports.values().map(|entry| entry.elapsed).max().unwrap_or_default()
    }
}

/// One test at one number of ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TestEvidence {
    /// How many inputs were announced.
    pub(crate) inputs: usize,
    /// The runs, by input.
    pub(crate) runs: BTreeMap<usize, RunEvidence>,
    /// The number of processes that have begun it.
    pub(crate) started: usize,
    /// The number of processes that have completed it: they have noted how every run ended and searched for leaks.
    pub(crate) finished: usize,
}

impl TestEvidence {
    /// Has it ended its job of `processes` processes?
    pub(crate) fn has_ended_job(&self, processes: usize) -> bool {
        let is_unended =
            |run: &RunEvidence| run.reports.values().any(|entry| entry.outcome == RankOutcome::Unterminated);
        self.finished < processes || self.runs.values().any(is_unended)
    }
}

/// What the processes of a job have reported.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evidence {
    /// By test and number of ranks.
    pub(crate) tests: BTreeMap<(String, usize), TestEvidence>,
    /// The processes that ended in an orderly way.
    pub(crate) orderly_exits: BTreeSet<usize>,
    /// The processes that reported how a run ended that ended the job, that they end, or that have the instruction to leave it.
    pub(crate) reported: BTreeSet<usize>,
    /// The hosts on which processes started.
    pub(crate) hosts: BTreeSet<String>,
    /// Is there a process that did not end after a test?
    has_unterminated: bool,
}

impl Evidence {
    pub(crate) fn add(&mut self, process: usize, event: TestEvent) {
        match event {
            TestEvent::Test(id, cases) => {
                let case = self.test(&id.test, id.ranks);
                (case.inputs, case.started) = (cases.len(), case.started + 1);
            }
            TestEvent::Ready(id) => drop(self.run(&id)),
            TestEvent::RanksEnded(id, reports) => {
                self.reported.extend(reports.iter().any(RankReport::is_failure).then_some(process));
                self.run(&id).reports.extend(reports.into_iter().map(|report| (report.rank, report)));
            }
            TestEvent::Activity(id, rank, doing) => {
                if let Some(entry) = self.run(&id).reports.get_mut(&rank) {
                    entry.activity = Some(doing);
                }
            }
            TestEvent::Unterminated(id, ranks, doing) => {
                self.has_unterminated = true;
                let run = self.run(&id);
                for rank in ranks {
                    let entry = run.reports.remove(&rank);
                    run.reports.extend(entry.map(|entry| (rank, entry.into_unterminated(doing.clone()))));
                }
            }
            TestEvent::Leaks(id, swept) => self.run(&id).leaks.merge(&swept),
            TestEvent::Done(id) => self.test(&id.test, id.ranks).finished += 1,
            TestEvent::Exiting => {
                self.orderly_exits.insert(process);
                self.reported.insert(process);
            }
            TestEvent::Diagnosed(id, after, replayed) => {
                self.run(&id).diagnosed_after = Some(after);
                self.add_replayed(&id, replayed);
            }
        }
    }

    /// Adds the findings of the replay of a run.
    pub(crate) fn add_replayed(&mut self, id: &RunId, replayed: Vec<Finding>) {
        self.run(id).leaks.replayed.extend(replayed);
    }

    /// The evidence of a job of so many processes at its end: where one did not end after a test, the others wait for it in the next one,
    /// which is no evidence about that one.
    pub(crate) fn at_end(mut self, processes: usize) -> Self {
        if self.has_unterminated {
            self.tests.retain(|_, case| case.started == processes);
        }
        self
    }

    fn test(&mut self, case: &str, ranks: usize) -> &mut TestEvidence {
        self.tests.entry((case.to_owned(), ranks)).or_default()
    }

    fn run(&mut self, id: &RunId) -> &mut RunEvidence {
        self.test(&id.test, id.ranks).runs.entry(id.input).or_default()
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::{Code, Finding};

    use super::*;
    use crate::test::test_case::{RunId, TestCase};

    #[test]
    fn the_reports_of_two_processes_make_one_run() {
        let id = RunId { test: "t".into(), ranks: 2, input: 0 };
        let mut evidence = Evidence::default();
        for rank in 0..2 {
            let left = Finding { code: Code::UnreceivedMessage, rank, locations: vec![], details: vec![] };
            let leaks = LeakReport { findings: vec![left], ..LeakReport::default() };
            let end = TestEvent::RanksEnded(id.clone(), vec![RankReport::new(rank, RankOutcome::Returned)]);
            let test = TestEvent::Test(id.clone(), vec![TestCase::example(id.clone())]);
            let leaks = TestEvent::Leaks(id.clone(), leaks);
            for event in [test, TestEvent::Ready(id.clone()), end, leaks, TestEvent::Done(id.clone())] {
                evidence.add(rank, event);
            }
        }
        evidence.add(1, TestEvent::Exiting);
        assert_eq!((&evidence.reported, &evidence.orderly_exits), (&[1].into(), &[1].into()));
        let case = &evidence.tests[&("t".to_owned(), 2)];
        assert_eq!((case.inputs, case.finished, case.runs.len()), (1, 2, 1));
        let run = &case.runs[&0];
        assert_eq!(run.reports.len(), 2);
        assert_eq!(run.leaks.findings.iter().map(|finding| finding.rank).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_rank_that_does_not_end_is_noted_in_its_test_and_the_next_test_has_not_begun() {
        let mut evidence = Evidence::default();
        let id = |case: &str| RunId { test: case.into(), ranks: 2, input: 0 };
        for rank in 0..2 {
            let mut add = |event| evidence.add(rank, event);
            add(TestEvent::Test(id("first"), vec![]));
            add(TestEvent::RanksEnded(id("first"), vec![RankReport::new(rank, RankOutcome::Returned)]));
            add(TestEvent::Done(id("first")));
            match rank {
                0 => add(TestEvent::Test(id("second"), vec![])),
                _ => add(TestEvent::Unterminated(id("first"), vec![1], None)),
            }
        }
        let evidence = evidence.at_end(2);
        assert_eq!(evidence.tests.keys().map(|(case, _)| case.as_str()).collect::<Vec<_>>(), ["first"]);
        let case = &evidence.tests[&("first".to_owned(), 2)];
        assert_eq!(
            case.runs[&0].reports.values().map(|entry| entry.outcome).collect::<Vec<_>>(),
            [RankOutcome::Returned, RankOutcome::Unterminated]
        );
        assert!(case.finished == 2 && case.has_ended_job(2));
    }
}
