//! The model checker finds in all orders what one run does not, names the line, and finds nothing in correct programs.
use wb_comm::{
    Code, ModelChecker as _,
    exploration::{Buffering, ExplorationCount, ExplorationReport, ScheduleFinding},
};
use wb_local::sim::{ExhaustiveChecker, Reduction};
use wb_tests::bug_programs::{
    self, BugProgram, DetectedBy, model_checking,
    score::{Score, Scores},
    single_run,
};

const CHECKER: ExhaustiveChecker = ExhaustiveChecker { reduction: Reduction::Full };

/// The result of the search of a program, and whether it agrees with the marks.
fn check_program(program: &BugProgram, scores: &mut Scores) -> Option<String> {
    let explored = model_checking::all(program, &CHECKER);
    let ExplorationReport { counts: tried, failures: faults, remarks } = &explored;
    assert!(
        tried.iter().all(|tried| tried.is_exhaustive == (*tried != ExplorationCount::default())),
        "{explored:?}"
    );
    assert!(tried[0].is_exhaustive);
    // The only thing that is not the same in all orders and yet right.
    assert_eq!(remarks.len(), usize::from(program.name == "right_rounded_sum"), "{}", program.file());
    let findings: Vec<_> = faults.iter().flat_map(|fault| fault.verdict.findings.clone()).collect();
    scores.add(program, &findings);
    let score = Score::new(program, &findings);
    let exact = (score.recall(), score.precision(), score.lines()) == (1.0, 1.0, 1.0);
    let left_alone = program.is_wrong() || faults.is_empty();
    let complaint = || format!("{}: {:?}\n{}", program.file(), explored.counts, render_faults(faults));
    (!exact || !left_alone).then(complaint)
}

fn render_faults(faults: &[ScheduleFinding]) -> String {
    let message = |fault: &ScheduleFinding| {
        let findings = fault.verdict.findings.iter().map(ToString::to_string);
        let lines = findings.chain(fault.verdict.failure.clone()).collect::<Vec<_>>().join("\n");
        format!("  schedule {}\n{lines}", fault.schedule)
    };
    faults.iter().map(message).collect::<Vec<_>>().join("\n")
}

#[test]
fn all_orders_of_the_zoo_are_tried_and_what_is_wrong_is_named_with_its_lines() {
    let (mut scores, mut complaints) = (Scores::default(), vec![]);
    for program in bug_programs::all() {
        complaints.extend(check_program(program, &mut scores));
    }
    println!("{scores}");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert_eq!(scores.total().false_alarms, 0, "{scores}");
}

/// Programs with a race of messages that one run does not show.
fn racing() -> Vec<&'static BugProgram> {
    let races = |program: &&BugProgram| program.expected.iter().any(|mark| mark.code == Code::WildcardRace);
    let seen: Vec<_> =
        bug_programs::all().iter().filter(|a| a.detected_by == DetectedBy::Checker).filter(races).collect();
    assert!(seen.len() >= 2, "the zoo has no races");
    seen
}

/// A fault comes with a run: that run, run again, is as wrong.
#[test]
fn a_schedule_reproduces_what_it_was_told_for() {
    for program in racing() {
        let faults = model_checking::all(program, &CHECKER).failures;
        let is_race =
            |fault: &&ScheduleFinding| fault.verdict.findings.iter().any(|f| f.code == Code::WildcardRace);
        let fault = faults.iter().find(is_race).unwrap_or_else(|| panic!("{}: no race", program.file()));
        let kept = program.name == "wrong_some_messages_kept";
        let buffering = if kept { Buffering::Limited } else { Buffering::Unlimited };
        assert_eq!(fault.schedule.buffering, buffering, "{}", program.file());
        let again = || CHECKER.replay(program.ranks, &fault.schedule, &single_run::job(program));
        let judged = || single_run::findings_of(program, again().expect("its own schedule"));
        let (first, second) = (judged(), judged());
        assert_eq!(first, second, "{}", program.file());
        assert!(first.map_or(true, |findings| !findings.is_empty()), "{}: all is well", program.file());
    }
}

/// A race needs two orders: each of these programs is right in one of its two orders.
#[test]
fn canary_one_order_alone_shows_nothing_of_a_race() {
    for program in racing().into_iter().filter(|program| program.name != "wrong_some_messages_kept") {
        let goes_right = |schedule: &str| {
            let schedule = schedule.parse().expect("a schedule");
            let outcome =
                CHECKER.replay(program.ranks, &schedule, &single_run::job(program)).expect("two senders");
            single_run::findings_of(program, outcome) == Ok(vec![])
        };
        assert_eq!(
            ["0.0", "0.1"].into_iter().filter(|line| goes_right(line)).count(),
            1,
            "{}",
            program.file()
        );
        let third = "0.2".parse().expect("a schedule");
        assert!(
            CHECKER.replay(program.ranks, &third, &single_run::job(program)).is_err(),
            "{}",
            program.file()
        );
    }
}

/// No program is compared that has more runs when nothing is left out.
const MAX_RUNS: u64 = 200;

/// Programs that poll: without a reduction each unsuccessful poll is a step of a run, and runs have no end.
const POLLING_PROGRAMS: [&str; 2] = ["right_flag_by_atomics", "right_test_until_done"];

/// What leaving out saves is time: findings, their lines and results are those of a search that leaves nothing out.
#[test]
fn what_the_search_leaves_out_changes_no_finding_and_no_result() {
    const ALL_ORDERS: ExhaustiveChecker = ExhaustiveChecker { reduction: Reduction::None };
    let (mut compared, mut differ) = (0, vec![]);
    let is_small = |program: &&BugProgram| program.ranks <= 3 && !POLLING_PROGRAMS.contains(&program.name);
    for program in bug_programs::all().iter().filter(is_small) {
        let Some(every) = model_checking::outcomes(program, &ALL_ORDERS, MAX_RUNS) else { continue };
        let reduced = model_checking::outcomes(program, &CHECKER, MAX_RUNS).expect("it has fewer runs");
        compared += 1;
        if reduced != every {
            differ.push(format!("{}: {reduced:#?}, not {every:#?}", program.file()));
        }
    }
    println!("{compared} programs are compared");
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert!(compared >= 250, "only {compared} programs are compared");
}
