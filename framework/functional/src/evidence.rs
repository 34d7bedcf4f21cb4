//! The contents of the journals: the only evidence of verdicts.
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
    time::Duration,
};

use crate::evidence::{
    journal::{JournalEvent, JournalReader, LeakReport},
    rank_report::{RankOutcome, RankReport},
};

pub(crate) mod journal;
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

/// The contents of a job's journals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evidence {
    /// By test and number of ranks.
    pub(crate) tests: BTreeMap<(String, usize), TestEvidence>,
    /// The processes that ended in an orderly way.
    pub(crate) orderly_exits: BTreeSet<usize>,
    /// The processes that wrote how a run ended that ended the job, or that they end or leave it.
    pub(crate) reported: BTreeSet<usize>,
    /// The hosts on which processes started.
    pub(crate) hosts: BTreeSet<String>,
    /// Is there a process that did not end after a test?
    has_unterminated: bool,
}

impl Evidence {
    pub(crate) fn add(&mut self, process: usize, events: &[JournalEvent]) {
        for event in events {
            match event {
                JournalEvent::Test { id, inputs } => {
                    let case = self.test(&id.test, id.ranks);
                    (case.inputs, case.started) = (*inputs, case.started + 1);
                }
                JournalEvent::Ready(id) => {
                    self.test(&id.test, id.ranks).runs.entry(id.input).or_default();
                }
                JournalEvent::RankEnded(id, entry) => {
                    self.reported.extend(entry.is_failure().then_some(process));
                    let run = self.test(&id.test, id.ranks).runs.entry(id.input).or_default();
                    run.reports.insert(entry.rank, RankReport::clone(entry));
                }
                JournalEvent::Activity(id, rank, doing) => {
                    let run = self.test(&id.test, id.ranks).runs.entry(id.input).or_default();
                    if let Some(entry) = run.reports.get_mut(rank) {
                        entry.activity = Some(doing.clone());
                    }
                }
                JournalEvent::Unterminated(id, ranks, doing) => {
                    self.has_unterminated = true;
                    let run = self.test(&id.test, id.ranks).runs.entry(id.input).or_default();
                    for rank in ranks {
                        let entry = run.reports.remove(rank);
                        run.reports
                            .extend(entry.map(|entry| (*rank, entry.into_unterminated(doing.clone()))));
                    }
                }
                JournalEvent::Leaks(id, swept) => {
                    let run = self.test(&id.test, id.ranks).runs.entry(id.input).or_default();
                    run.leaks.merge(swept);
                }
                JournalEvent::Done(id) => self.test(&id.test, id.ranks).finished += 1,
                JournalEvent::Exiting => {
                    self.orderly_exits.insert(process);
                    self.reported.insert(process);
                }
                JournalEvent::Aborting => drop(self.reported.insert(process)),
                JournalEvent::Diagnosed(id, after, retold) => {
                    let run = self.test(&id.test, id.ranks).runs.entry(id.input).or_default();
                    run.diagnosed_after = Some(*after);
                    run.leaks.replayed.extend_from_slice(retold);
                }
                JournalEvent::Started { host, .. } => drop(self.hosts.insert(host.clone())),
            }
        }
    }

    /// The contents of the journals of `processes` processes in `folder`.
    pub(crate) fn read(folder: &Path, processes: usize) -> io::Result<Self> {
        let mut evidence = Self::default();
        for process in 0..processes {
            let mut reader = JournalReader::new(folder, process);
            reader.refresh()?;
            evidence.add(process, &reader.events);
        }
        if evidence.has_unterminated {
            // The other ranks wait for it in the next test, which is no evidence about that one.
            evidence.tests.retain(|_, case| case.started == processes);
        }
        Ok(evidence)
    }

    fn test(&mut self, case: &str, ranks: usize) -> &mut TestEvidence {
        self.tests.entry((case.to_owned(), ranks)).or_default()
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::{Code, Finding};

    use super::*;
    use crate::{evidence::journal::Journal, test::test_case::RunId};

    #[test]
    fn two_journals_make_one_run() {
        let id = RunId { test: "t".into(), ranks: 2, input: 0 };
        let mut evidence = Evidence::default();
        for rank in 0..2 {
            let left = Finding { code: Code::UnreceivedMessage, rank, locations: vec![], details: vec![] };
            let swept = LeakReport { findings: vec![left], replayed: vec![], ..LeakReport::default() };
            let end =
                JournalEvent::RankEnded(id.clone(), Box::new(RankReport::new(rank, RankOutcome::Returned)));
            let case = JournalEvent::Test { id: id.clone(), inputs: 1 };
            let swept = JournalEvent::Leaks(id.clone(), swept);
            evidence.add(
                rank,
                &[case, JournalEvent::Ready(id.clone()), end, swept, JournalEvent::Done(id.clone())],
            );
        }
        evidence.add(0, &[JournalEvent::Aborting]);
        evidence.add(1, &[JournalEvent::Exiting]);
        assert_eq!(evidence.reported, BTreeSet::from([0, 1]));
        let case = &evidence.tests[&("t".to_owned(), 2)];
        assert_eq!((case.inputs, case.finished, case.runs.len()), (1, 2, 1));
        let run = &case.runs[&0];
        assert_eq!(run.reports.len(), 2);
        assert_eq!(run.leaks.findings.iter().map(|finding| finding.rank).collect::<Vec<_>>(), [0, 1]);
        assert!(evidence.orderly_exits.contains(&1) && !evidence.orderly_exits.contains(&0));
    }

    #[test]
    fn a_rank_that_does_not_end_is_noted_in_its_test_and_the_next_test_has_not_begun() {
        let folder = tempfile::tempdir().expect("a folder");
        let id = |case: &str| RunId { test: case.into(), ranks: 2, input: 0 };
        for rank in 0..2 {
            let journal = Journal::create(folder.path(), rank).expect("a journal");
            let write = |event| journal.write(&event).expect("written");
            write(JournalEvent::Test { id: id("first"), inputs: 1 });
            write(JournalEvent::RankEnded(
                id("first"),
                Box::new(RankReport::new(rank, RankOutcome::Returned)),
            ));
            write(JournalEvent::Done(id("first")));
            match rank {
                0 => write(JournalEvent::Test { id: id("second"), inputs: 1 }),
                _ => write(JournalEvent::Unterminated(id("first"), vec![1], None)),
            }
        }
        let evidence = Evidence::read(folder.path(), 2).expect("readable");
        assert_eq!(evidence.tests.keys().map(|(case, _)| case.as_str()).collect::<Vec<_>>(), ["first"]);
        let case = &evidence.tests[&("first".to_owned(), 2)];
        assert_eq!(
            case.runs[&0].reports.values().map(|entry| entry.outcome).collect::<Vec<_>>(),
            [RankOutcome::Returned, RankOutcome::Unterminated]
        );
        assert!(case.finished == 2 && case.has_ended_job(2));
    }
}
