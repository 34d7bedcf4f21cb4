//! The coordinator as its driver sees it: events and times in, instructions out.
use wb_comm::{BlockedCall, CallSite, Code, Finding, Verb};
use wb_process::stack::{Activity, ThreadActivity};

use super::*;
use crate::{
    evidence::RankOutcome,
    job_protocol::LeakReport,
    test::{ExtraRules, TestCase},
};

fn id() -> RunId {
    RunId { test: "t".into(), ranks: 2, input: 0 }
}

fn returned(rank: usize) -> RankReport {
    RankReport::new(rank, RankOutcome::Returned)
}

/// A job of two ranks, and the time.
struct Job {
    coordinator: Coordinator,
    now: Instant,
}

impl Job {
    /// A job whose ranks execute a run.
    fn running() -> Self {
        let mut job = Self::of(2, false);
        for process in 0..2 {
            let expected = ExtraRules { refusal: Some("no".into()), ..ExtraRules::default() };
            job.report(
                process,
                TestEvent::Test(id(), vec![TestCase { expected, ..TestCase::example(id()) }]),
            );
        }
        assert_eq!(job.instructions(), [0, 1].map(|rank| (rank, Instruction::Continue { is_right: true })));
        (0..2).for_each(|process| job.report(process, TestEvent::Ready(id())));
        job
    }

    fn of(processes: usize, is_unlimited: bool) -> Self {
        let replay: ReplayThreads = |_| unreachable!("there are no transcripts");
        Self { coordinator: Coordinator::new(processes, true, replay, is_unlimited), now: Instant::now() }
    }

    fn report(&mut self, process: usize, event: TestEvent) {
        self.coordinator.handle(process, event, self.now);
    }

    fn end(&mut self, report: RankReport) {
        self.report(report.rank, TestEvent::RanksEnded(id(), vec![report]));
    }

    fn close(&mut self, process: usize) {
        self.coordinator.close(process, self.now);
    }

    fn pass(&mut self, time: Duration) {
        self.now += time;
        self.coordinator.check(self.now);
    }

    fn instructions(&mut self) -> Vec<(usize, Instruction)> {
        self.coordinator.take_instructions()
    }

    /// The code with which all must leave.
    fn leaves_with(&mut self) -> i32 {
        let [(0, Instruction::Leave(code)), (1, Instruction::Leave(other))] = self.instructions()[..] else {
            panic!("both leave")
        };
        assert_eq!(code, other);
        code
    }
}

#[test]
fn a_run_ends_when_all_have_ended_it_and_is_judged_when_all_have_searched_for_leaks() {
    let mut job = Job::running();
    let refused = |rank| RankReport { text: "no".into(), ..RankReport::new(rank, RankOutcome::Rejected) };
    job.end(refused(1));
    job.pass(GRACE * 10);
    assert_eq!(job.instructions(), [], "rank 0 has not ended it");
    job.end(refused(0));
    assert_eq!(job.instructions(), [0, 1].map(|rank| (rank, Instruction::FindLeaks { is_patient: false })));
    for process in 0..2 {
        job.report(process, TestEvent::Leaks(id(), LeakReport::default()));
    }
    assert_eq!(job.instructions(), [0, 1].map(|rank| (rank, Instruction::Continue { is_right: true })));
    (0..2).for_each(|process| job.report(process, TestEvent::Done(id())));
    assert_eq!(job.instructions(), [0, 1].map(|rank| (rank, Instruction::Continue { is_right: true })));
    (0..2).for_each(|process| job.report(process, TestEvent::Exiting));
    (0..2).for_each(|process| job.close(process));
    assert_eq!(job.instructions(), []);
    let evidence = job.coordinator.evidence;
    let test = &evidence.tests[&("t".into(), 2)];
    assert_eq!((&evidence.orderly_exits, &evidence.reported), (&[0, 1].into(), &[0, 1].into()));
    assert_eq!((test.finished, test.cases.len(), test.runs.len(), test.runs[&0].reports.len()), (2, 1, 1, 2));
}

#[test]
fn a_wrong_run_is_said_to_be_wrong_and_has_the_leaks_of_all_processes() {
    let mut job = Job::running();
    let mut sent = returned(0);
    sent.counts.sends = 1;
    job.end(sent);
    job.end(returned(1));
    assert_eq!(job.instructions(), [0, 1].map(|rank| (rank, Instruction::FindLeaks { is_patient: true })));
    for rank in 0..2 {
        let left = Finding { code: Code::UnreceivedMessage, rank, locations: vec![], details: vec![] };
        let leaks = LeakReport { findings: vec![left], ..LeakReport::default() };
        job.report(rank, TestEvent::Leaks(id(), leaks));
    }
    let leaks = &job.coordinator.run_evidence(&id()).expect("it has run").leaks;
    assert_eq!(leaks.findings.iter().map(|finding| finding.rank).collect::<Vec<_>>(), [0, 1]);
    let wrong = [0, 1].map(|rank| (rank, Instruction::Continue { is_right: false }));
    assert_eq!(job.instructions(), wrong, "it is not refused");
    (0..2).for_each(|process| job.report(process, TestEvent::Done(id())));
    assert_eq!(job.instructions(), wrong);
}

#[test]
fn the_partner_of_a_failed_rank_has_a_grace_and_is_interrupted_once() {
    let mut job = Job::running();
    job.end(RankReport::new(1, RankOutcome::Panicked));
    job.pass(GRACE / 2);
    assert_eq!(job.instructions(), []);
    job.pass(GRACE / 2);
    assert_eq!(job.instructions(), [(0, Instruction::Interrupt)]);
    job.pass(GRACE);
    assert_eq!(job.instructions(), []);
    // A rank that was about to end continues the job.
    job.end(returned(0));
    assert_eq!(job.instructions(), [0, 1].map(|rank| (rank, Instruction::FindLeaks { is_patient: false })));
}

#[test]
fn a_rank_that_hangs_ends_the_job_when_all_have_said_where_they_are() {
    let mut job = Job::running();
    let late = RankReport::new(1, RankOutcome::Unresponsive);
    let blocked = BlockedCall::new(0, CallSite::caller(Verb::Recv));
    job.end(late);
    job.pass(GRACE);
    assert_eq!(job.instructions(), [(0, Instruction::Interrupt)]);
    job.end(RankReport { blocked_in: Some(blocked), ..RankReport::new(0, RankOutcome::Unresponsive) });
    assert_eq!(job.instructions(), [], "rank 1 looks for its line");
    let activity = ThreadActivity { activity: Activity::Computing, line: None };
    job.report(1, TestEvent::Activity(id(), 1, activity));
    assert_eq!(job.leaves_with(), EXIT_FAILED);
    assert!(matches!(job.coordinator.take_early_end(), Some(EarlyEnd::Run(case)) if case.id == id()));
    assert!(job.coordinator.is_ending());
    let run = &job.coordinator.evidence.tests[&("t".into(), 2)].runs[&0];
    assert_eq!((run.reports.len(), run.diagnosed_after), (2, Some(GRACE)));
    job.pass(LOCATE_TIMEOUT * 2);
    assert_eq!(job.instructions(), []);
}

#[test]
fn a_rank_that_does_not_say_where_it_is_is_waited_for_up_to_a_limit() {
    let mut job = Job::running();
    job.end(RankReport::new(1, RankOutcome::Exited));
    job.pass(GRACE);
    assert_eq!(job.instructions(), [(0, Instruction::Interrupt)]);
    job.pass(FINAL_REPORT_TIMEOUT - GRACE);
    assert_eq!(job.leaves_with(), EXIT_FAILED);
    let mut job = Job::running();
    (0..2).for_each(|rank| job.end(RankReport::new(rank, RankOutcome::Unresponsive)));
    job.pass(LOCATE_TIMEOUT / 2);
    assert_eq!(job.instructions(), []);
    job.pass(LOCATE_TIMEOUT / 2);
    assert_eq!(job.leaves_with(), EXIT_FAILED);
}

#[test]
fn a_rank_that_is_lost_in_a_run_ends_the_job_and_the_code_of_an_abort_is_that_of_all() {
    let mut job = Job::running();
    job.close(1);
    job.pass(GRACE);
    assert_eq!(job.instructions(), [(0, Instruction::Interrupt)]);
    let stop = Some(RankStop::Abort { rank: 0, code: 7 });
    job.end(RankReport { stop, ..RankReport::new(0, RankOutcome::Panicked) });
    assert_eq!(job.instructions(), [(0, Instruction::Leave(7))]);
    let evidence = job.coordinator.evidence;
    assert_eq!(evidence.reported, [0].into(), "rank 1 has left nothing");
}

#[test]
fn processes_that_do_not_come_to_one_step_are_out_of_step() {
    let reason = |job: &mut Job| match job.coordinator.take_early_end() {
        Some(EarlyEnd::OutOfStep(_, reason)) => reason,
        other => panic!("{other:?}"),
    };
    let mut other = Job::of(2, false);
    other.report(0, TestEvent::Test(id(), vec![]));
    other.report(1, TestEvent::Test(RunId { test: "u".into(), ..id() }, vec![]));
    assert_eq!(other.leaves_with(), EXIT_FAILED);
    let reason_text = reason(&mut other);
    assert!(
        reason_text.contains("u (P = 2, case 1)") && reason_text.contains("t (P = 2, case 1)"),
        "{reason_text}"
    );

    let mut more_inputs = Job::of(2, false);
    more_inputs.report(0, TestEvent::Test(id(), vec![]));
    more_inputs.report(1, TestEvent::Test(id(), vec![TestCase::example(id())]));
    assert_eq!(more_inputs.leaves_with(), EXIT_FAILED);

    let mut late = Job::of(2, false);
    late.report(0, TestEvent::Test(id(), vec![]));
    late.pass(STEP_TIMEOUT);
    assert_eq!(late.instructions(), []);
    late.pass(Duration::from_millis(1));
    assert_eq!(late.leaves_with(), EXIT_FAILED);
    assert!(reason(&mut late).contains("rank [1] did not come within 30s"));

    let mut gone = Job::of(2, false);
    gone.report(0, TestEvent::Test(id(), vec![]));
    gone.close(1);
    assert_eq!(gone.instructions(), [(0, Instruction::Leave(EXIT_FAILED))]);
    assert!(reason(&mut gone).contains("rank [1] is gone"));

    let mut debugged = Job::of(2, true);
    debugged.report(0, TestEvent::Test(id(), vec![]));
    debugged.pass(STEP_TIMEOUT * 1000);
    assert_eq!(debugged.instructions(), []);
}

#[test]
fn a_rank_that_does_not_end_after_a_test_ends_the_job() {
    let mut job = Job::running();
    job.end(returned(0));
    job.end(returned(1));
    job.instructions();
    job.report(1, TestEvent::Unterminated(id(), vec![1], None));
    assert_eq!(job.leaves_with(), EXIT_FAILED);
    let Some(EarlyEnd::Unterminated(_, reports)) = job.coordinator.take_early_end() else {
        panic!("a rank does not end")
    };
    assert_eq!(
        reports.iter().map(|report| (report.rank, report.outcome)).collect::<Vec<_>>(),
        [(1, RankOutcome::Unterminated)]
    );
}

#[test]
fn a_process_that_has_all_ranks_ends_its_runs_itself() {
    let replay: ReplayThreads = |_| unreachable!("its ranks share a process");
    let (mut coordinator, now) = (Coordinator::new(1, false, replay, false), Instant::now());
    coordinator.handle(0, TestEvent::Test(id(), vec![TestCase::example(id())]), now);
    coordinator.handle(0, TestEvent::Ready(id()), now);
    let reports = (0..2).map(|rank| RankReport::new(rank, RankOutcome::Unresponsive)).collect();
    coordinator.handle(0, TestEvent::RanksEnded(id(), reports), now);
    coordinator.check(now + LOCATE_TIMEOUT);
    let answers = [Instruction::Continue { is_right: true }, Instruction::FindLeaks { is_patient: false }];
    assert_eq!(coordinator.take_instructions(), answers.map(|answer| (0, answer)));
    coordinator.handle(0, TestEvent::Leaks(id(), LeakReport::default()), now);
    assert_eq!(coordinator.take_instructions(), [(0, Instruction::Continue { is_right: false })]);
}
