//! What the journals say of the tests: the only thing that verdicts are made from.
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::Path,
    time::Duration,
};

use super::{
    entry::{Entry, How},
    journal::{Event, Reader, Swept},
};

/// One run as the ranks saw it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RunEvidence {
    /// One per rank, as far as they came.
    pub(super) entries: BTreeMap<usize, Entry>,
    /// What was left, all processes together.
    pub(super) swept: Swept,
    /// When it was known why the run ends its job, counted from its beginning; where it does.
    pub(super) named_after: Option<Duration>,
}

impl RunEvidence {
    /// What the slowest rank took.
    pub(super) fn took(&self) -> Duration {
        self.entries.values().map(|entry| entry.after).max().unwrap_or_default()
    }
}

/// One test at one number of ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CaseEvidence {
    /// How many inputs were announced.
    pub(super) inputs: usize,
    /// The runs, by input.
    pub(super) runs: BTreeMap<usize, RunEvidence>,
    /// How many processes have come to it.
    pub(super) begun: usize,
    /// How many processes are through with it: have noted how every run ended and looked for what it left.
    pub(super) done: usize,
}

impl CaseEvidence {
    /// Has it ended its job of so many processes?
    pub(super) fn has_ended_job(&self, processes: usize) -> bool {
        let is_unended = |run: &RunEvidence| run.entries.values().any(|entry| entry.how == How::Unended);
        self.done < processes || self.runs.values().any(is_unended)
    }
}

/// Everything that a job's journals say.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    /// By test and number of ranks.
    pub(super) cases: BTreeMap<(String, usize), CaseEvidence>,
    /// The processes that ended in an orderly way.
    pub(super) goodbyes: BTreeSet<usize>,
    /// Is there a process that did not end after a test?
    has_unended: bool,
}

impl Evidence {
    /// Takes in what one process noted.
    pub(super) fn add(&mut self, process: usize, events: &[Event]) {
        for event in events {
            match event {
                Event::Case { id, inputs } => {
                    let case = self.case(&id.case, id.ranks);
                    (case.inputs, case.begun) = (*inputs, case.begun + 1);
                }
                Event::Ready(id) => drop(self.case(&id.case, id.ranks).runs.entry(id.input).or_default()),
                Event::End(id, entry) => {
                    let run = self.case(&id.case, id.ranks).runs.entry(id.input).or_default();
                    run.entries.insert(entry.rank, Entry::clone(entry));
                }
                Event::Doing(id, rank, doing) => {
                    let run = self.case(&id.case, id.ranks).runs.entry(id.input).or_default();
                    if let Some(entry) = run.entries.get_mut(rank) {
                        entry.doing = Some(doing.clone());
                    }
                }
                Event::Unended(id, ranks, doing) => {
                    self.has_unended = true;
                    let run = self.case(&id.case, id.ranks).runs.entry(id.input).or_default();
                    for rank in ranks {
                        let entry = run.entries.remove(rank);
                        run.entries.extend(entry.map(|entry| (*rank, entry.unended(doing.clone()))));
                    }
                }
                Event::Swept(id, swept) => {
                    let run = self.case(&id.case, id.ranks).runs.entry(id.input).or_default();
                    run.swept.add(swept);
                }
                Event::Done(id) => self.case(&id.case, id.ranks).done += 1,
                Event::Bye => drop(self.goodbyes.insert(process)),
                Event::Named(id, after, retold) => {
                    let run = self.case(&id.case, id.ranks).runs.entry(id.input).or_default();
                    run.named_after = Some(*after);
                    run.swept.retold.extend_from_slice(retold);
                }
                Event::Hello { .. } | Event::Told => {}
            }
        }
    }

    /// What the journals of `processes` processes in `folder` say.
    pub(super) fn read(folder: &Path, processes: usize) -> io::Result<Self> {
        let mut evidence = Self::default();
        for process in 0..processes {
            let mut reader = Reader::of(folder, process);
            reader.refresh()?;
            evidence.add(process, &reader.events);
        }
        if evidence.has_unended {
            // The other ranks wait for it in the next test, which says nothing of that one.
            evidence.cases.retain(|_, case| case.begun == processes);
        }
        Ok(evidence)
    }

    fn case(&mut self, case: &str, ranks: usize) -> &mut CaseEvidence {
        self.cases.entry((case.to_owned(), ranks)).or_default()
    }
}

#[cfg(test)]
mod tests {
    use wb_comm::{Code, Finding};

    use super::*;
    use crate::functional::{journal::Journal, question::RunId};

    #[test]
    fn two_journals_make_one_run() {
        let id = RunId { case: "t".into(), ranks: 2, input: 0 };
        let mut evidence = Evidence::default();
        for rank in 0..2 {
            let left = Finding { code: Code::Unread, rank, places: vec![], details: vec![] };
            let swept = Swept { findings: vec![left], retold: vec![], ..Swept::default() };
            let end = Event::End(id.clone(), Box::new(Entry::of(rank, How::Returned)));
            let case = Event::Case { id: id.clone(), inputs: 1 };
            let swept = Event::Swept(id.clone(), swept);
            evidence.add(rank, &[case, Event::Ready(id.clone()), end, swept, Event::Done(id.clone())]);
        }
        evidence.add(1, &[Event::Bye]);
        let case = &evidence.cases[&("t".to_owned(), 2)];
        assert_eq!((case.inputs, case.done, case.runs.len()), (1, 2, 1));
        let run = &case.runs[&0];
        assert_eq!(run.entries.len(), 2);
        assert_eq!(run.swept.findings.iter().map(|finding| finding.rank).collect::<Vec<_>>(), [0, 1]);
        assert!(evidence.goodbyes.contains(&1) && !evidence.goodbyes.contains(&0));
    }

    #[test]
    fn a_rank_that_does_not_end_is_noted_in_its_test_and_the_next_test_has_not_begun() {
        let folder = tempfile::tempdir().expect("a folder");
        let id = |case: &str| RunId { case: case.into(), ranks: 2, input: 0 };
        for rank in 0..2 {
            let journal = Journal::create(folder.path(), rank).expect("a journal");
            let write = |event| journal.write(&event).expect("written");
            write(Event::Case { id: id("first"), inputs: 1 });
            write(Event::End(id("first"), Box::new(Entry::of(rank, How::Returned))));
            write(Event::Done(id("first")));
            match rank {
                0 => write(Event::Case { id: id("second"), inputs: 1 }),
                _ => write(Event::Unended(id("first"), vec![1], None)),
            }
        }
        let evidence = Evidence::read(folder.path(), 2).expect("readable");
        assert_eq!(evidence.cases.keys().map(|(case, _)| case.as_str()).collect::<Vec<_>>(), ["first"]);
        let case = &evidence.cases[&("first".to_owned(), 2)];
        assert_eq!(
            case.runs[&0].entries.values().map(|entry| entry.how).collect::<Vec<_>>(),
            [How::Returned, How::Unended]
        );
        assert!(case.done == 2 && case.has_ended_job(2));
    }
}
