//! Who tries all orders finds what one run cannot, names the line, and leaves the right programs alone.
use std::time::{Duration, Instant};

use wb_comm::{
    Code, Orders as _,
    orders::{Buffering, Explored, Fault, Tried},
};
use wb_sim::{Exhaustive, Reduction};
use wb_tests::zoo::{
    self, Animal, SeenBy, checked, looked,
    score::{Score, Scores},
};

const CHECKER: Exhaustive = Exhaustive { reduction: Reduction::Full };

/// No program of the zoo needs longer.
const SOON: Duration = Duration::from_secs(10);

/// What the search says of a program, and whether it is what its marks say.
fn visit(animal: &Animal, scores: &mut Scores) -> Option<String> {
    let start = Instant::now();
    let explored = checked::all(animal, &CHECKER);
    assert!(start.elapsed() < SOON, "{}: {:?}", animal.file(), start.elapsed());
    let Explored { tried, faults, remarks } = &explored;
    assert!(tried.iter().all(|tried| tried.exhausted == (*tried != Tried::default())), "{explored:?}");
    assert!(tried[0].exhausted);
    // The only thing that is not the same in all orders and yet right.
    assert_eq!(remarks.len(), usize::from(animal.name == "right_rounded_sum"), "{}", animal.file());
    let findings: Vec<_> = faults.iter().flat_map(|fault| fault.judgement.findings.clone()).collect();
    scores.add(animal, &findings);
    let score = Score::of(animal, &findings);
    let exact = (score.recall(), score.precision(), score.lines()) == (1.0, 1.0, 1.0);
    let left_alone = animal.is_wrong() || faults.is_empty();
    let complaint = || format!("{}: {:?}\n{}", animal.file(), explored.tried, told(faults));
    (!exact || !left_alone).then(complaint)
}

fn told(faults: &[Fault]) -> String {
    let told = |fault: &Fault| {
        let findings = fault.judgement.findings.iter().map(ToString::to_string);
        let lines = findings.chain(fault.judgement.wrong.clone()).collect::<Vec<_>>().join("\n");
        format!("  schedule {}\n{lines}", fault.schedule)
    };
    faults.iter().map(told).collect::<Vec<_>>().join("\n")
}

#[test]
fn all_orders_of_the_zoo_are_tried_and_what_is_wrong_is_named_with_its_lines() {
    let (mut scores, mut complaints) = (Scores::default(), vec![]);
    for animal in zoo::all() {
        complaints.extend(visit(animal, &mut scores));
    }
    println!("{scores}");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert_eq!(scores.total().false_alarms, 0, "{scores}");
}

/// Programs with a race of messages that one run does not show.
fn racing() -> Vec<&'static Animal> {
    let races = |animal: &&Animal| animal.marks.iter().any(|mark| mark.code == Code::WildcardRace);
    let seen: Vec<_> = zoo::all().iter().filter(|a| a.seen_by == SeenBy::Checker).filter(races).collect();
    assert!(seen.len() >= 2, "the zoo has no races");
    seen
}

/// A fault comes with a run: that run, run again, is as wrong.
#[test]
fn a_schedule_reproduces_what_it_was_told_for() {
    for animal in racing() {
        let faults = checked::all(animal, &CHECKER).faults;
        let is_race = |fault: &&Fault| fault.judgement.findings.iter().any(|f| f.code == Code::WildcardRace);
        let fault = faults.iter().find(is_race).unwrap_or_else(|| panic!("{}: no race", animal.file()));
        let kept = animal.name == "wrong_some_messages_kept";
        let buffering = if kept { Buffering::Few } else { Buffering::Unlimited };
        assert_eq!(fault.schedule.buffering, buffering, "{}", animal.file());
        let again = || CHECKER.replay(animal.ranks, &fault.schedule, &looked::job(animal));
        let judged = || looked::judged(animal, again().expect("its own schedule"));
        let (first, second) = (judged(), judged());
        assert_eq!(first, second, "{}", animal.file());
        assert!(first.map_or(true, |findings| !findings.is_empty()), "{}: all is well", animal.file());
    }
}

/// A race is no race without the other order: of the two that each of these programs has, one goes right.
#[test]
fn canary_one_order_alone_shows_nothing_of_a_race() {
    for animal in racing().into_iter().filter(|animal| animal.name != "wrong_some_messages_kept") {
        let goes_right = |schedule: &str| {
            let schedule = schedule.parse().expect("a schedule");
            let outcome = CHECKER.replay(animal.ranks, &schedule, &looked::job(animal)).expect("two senders");
            looked::judged(animal, outcome) == Ok(vec![])
        };
        assert_eq!(
            ["0.0", "0.1"].into_iter().filter(|line| goes_right(line)).count(),
            1,
            "{}",
            animal.file()
        );
        let third = "0.2".parse().expect("a schedule");
        assert!(CHECKER.replay(animal.ranks, &third, &looked::job(animal)).is_err(), "{}", animal.file());
    }
}

/// No program is compared that has more runs when nothing is left out.
const MOST_RUNS: u64 = 1500;

/// Programs that look again and again: where nothing is left out, each look in vain is a step of a run, and runs have no end.
const LOOKING: [&str; 2] = ["right_flag_by_atomics", "right_test_until_done"];

/// What leaving out saves is time: findings, their lines and results are those of a search that leaves nothing out.
#[test]
fn what_the_search_leaves_out_changes_no_finding_and_no_result() {
    const ALL_ORDERS: Exhaustive = Exhaustive { reduction: Reduction::None };
    let (mut compared, mut differ) = (0, vec![]);
    let is_small = |animal: &&Animal| animal.ranks <= 3 && !LOOKING.contains(&animal.name);
    for animal in zoo::all().iter().filter(is_small) {
        let Some(every) = checked::outcomes(animal, &ALL_ORDERS, MOST_RUNS) else { continue };
        let reduced = checked::outcomes(animal, &CHECKER, MOST_RUNS).expect("it has fewer runs");
        compared += 1;
        if reduced != every {
            differ.push(format!("{}: {reduced:#?}, not {every:#?}", animal.file()));
        }
    }
    println!("{compared} programs are compared");
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert!(compared >= 90, "only {compared} programs are compared");
}
