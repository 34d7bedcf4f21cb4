//! The bug zoo: what a course must name is named, with its code and its lines, and what is right is left alone.
use std::time::{Duration, Instant};

use wb_comm::{CallLocation, Code, Finding, ThreadRanks};
use wb_messages::pages;
use wb_sim::Simulator;
use wb_tests::{
    bug_programs::{
        self, BugProgram, DetectedBy,
        score::{Score, Scores},
        single_run,
    },
    test_machine::simulator,
};
use wb_threads::LocalThreads;

/// A page must not show a program that nobody has run.
#[test]
fn every_page_shows_programs_of_the_zoo() {
    for &code in Code::ALL {
        let page = pages::page(code);
        let shown = |program: &str| {
            let found = bug_programs::all().iter().find(|animal| animal.body() == program);
            found.unwrap_or_else(|| panic!("{code}: not in the zoo:\n{program}"))
        };
        let (wrong, right) = (shown(page.wrong), shown(page.right));
        assert!(!right.is_wrong(), "{code}: {}", right.name);
        // Rule 4 forbids nothing: its page shows what the rule beside it forbids.
        let marked = wrong.expected.iter().any(|mark| mark.code == code);
        assert!(marked || code == Code::Overlap && wrong.is_wrong(), "{code}: {}", wrong.name);
    }
}

#[test]
fn the_zoo_is_large_enough_and_every_class_has_both_kinds() {
    let (wrong, right): (Vec<_>, Vec<_>) = bug_programs::all().iter().partition(|animal| animal.is_wrong());
    assert!(wrong.len() >= 40 && right.len() >= 20, "{} wrong, {} right", wrong.len(), right.len());
    let classes =
        |animals: &[&BugProgram]| animals.iter().map(|a| a.class).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(classes(&wrong), classes(&right));
}

#[test]
fn canary_the_score_sees_what_is_missed_and_what_is_invented() {
    let animal = bug_programs::all()
        .iter()
        .find(|animal| animal.name == "wrong_both_receive_first")
        .expect("it is there");
    let line = animal.expected[0].line;
    let place = |rank, line| CallLocation { rank, call: "recv".into(), file: animal.file(), line };
    let found = |code, places| Finding { code, rank: 0, locations: places, details: vec![] };
    let right = found(Code::Deadlock, vec![place(0, line), place(1, line)]);
    let score = Score::new(animal, std::slice::from_ref(&right));
    assert_eq!((score.recall(), score.precision(), score.lines()), (1.0, 1.0, 1.0));
    let elsewhere = found(Code::Deadlock, vec![place(0, line + 1), place(1, line)]);
    let invented = found(Code::Tag, vec![place(0, line), place(1, line)]);
    let score = Score::new(animal, &[elsewhere, invented.clone()]);
    assert_eq!((score.recall(), score.precision(), score.lines()), (1.0, 0.5, 0.5));
    let score = Score::new(animal, &[invented]);
    assert_eq!((score.recall(), score.precision(), score.lines()), (0.0, 0.0, 0.0));
}

/// How soon a hang must be named.
const SOON: Duration = Duration::from_secs(1);

/// Runs the whole zoo on a backend, and once more without its buffers where nothing was found; gives the scores and what is
/// not as it should be.
fn run_all(as_it_is: &dyn ThreadRanks, unbuffered: &dyn ThreadRanks) -> (Scores, String) {
    let (mut scores, mut complaints) = (Scores::default(), String::new());
    for animal in bug_programs::all().iter().filter(|animal| animal.detected_by == DetectedBy::Run) {
        let start = Instant::now();
        let found = single_run::run_buffered_and_not(animal, as_it_is, unbuffered)
            .unwrap_or_else(|why| panic!("{why}"));
        let took = start.elapsed();
        assert!(took < SOON, "{}: {took:?}", animal.file());
        scores.add(animal, &found);
        let score = Score::new(animal, &found);
        if (score.recall(), score.precision(), score.lines()) != (1.0, 1.0, 1.0) {
            let told: Vec<_> = found.iter().map(ToString::to_string).collect();
            complaints += &format!("{}:\n{}\n", animal.file(), told.join("\n"));
        }
    }
    (scores, complaints)
}

/// The mistakes are found, their lines named, and the right programs left alone.
fn assert_scores((scores, complaints): (Scores, String)) {
    let hidden =
        bug_programs::all().iter().filter(|animal| animal.detected_by == DetectedBy::Checker).count();
    println!("{scores}{hidden} more show in other orders of events only\n{complaints}");
    let total = scores.total();
    assert_eq!(total.false_alarms, 0, "{complaints}");
    assert!(total.recall() >= 0.95 && total.lines() >= 0.9, "{scores}\n{complaints}");
}

#[test]
fn threads_find_what_is_wrong_and_leave_alone_what_is_right() {
    assert_scores(run_all(
        &LocalThreads::WITH_RACE_DETECTION,
        &LocalThreads { eager_limit: 0, detect_races: false },
    ));
}

#[test]
fn virtual_time_finds_what_is_wrong_and_leaves_alone_what_is_right() {
    let watched = Simulator { detect_races: true, ..simulator(4096) };
    assert_scores(run_all(&watched, &simulator(0)));
}

fn find(name: &str) -> &'static BugProgram {
    bug_programs::all()
        .iter()
        .find(|animal| animal.name == name)
        .unwrap_or_else(|| panic!("{name} is not there"))
}

/// Both communicators of one collective, the calls that made them, and who has called it on which.
fn assert_both_communicators(findings: &[Finding], by: &str) {
    let details: Vec<_> = findings.iter().flat_map(|found| &found.details).map(ToString::to_string).collect();
    let has =
        |start: &str, end: &str| details.iter().any(|told| told.starts_with(start) && told.ends_with(end));
    assert!(
        has("barrier on communicator world: ", "called by ranks 0, 2, not by rank 1"),
        "{by}: {details:?}"
    );
    let made = "barrier on communicator dup 1 of world (dup at ";
    assert!(has(made, "): called by rank 1, not by ranks 0, 2"), "{by}: {details:?}");
}

const TWO_COMMUNICATORS: &str = "wrong_barrier_on_two_communicators";

#[test]
fn one_collective_on_two_communicators_is_told_with_both_names() {
    for backend in [&LocalThreads::WITH_RACE_DETECTION as &dyn ThreadRanks, &simulator(4096)] {
        let found =
            single_run::run_once(find(TWO_COMMUNICATORS), backend).unwrap_or_else(|why| panic!("{why}"));
        assert_both_communicators(&found, "ranks of one process");
    }
}

/// A wait says which operation it waits for: what started it and where, with whom, tag and size.
#[test]
fn a_wait_is_told_with_the_operation_that_it_waits_for() {
    for (name, operation, eager) in [
        ("wrong_wait_for_nobody", "irecv from 1, tag 0, 4 bytes", 4096),
        ("wrong_wait_right_after_isend", "isend to 1, tag 0, 8 bytes", 0),
    ] {
        let animal = find(name);
        let line = animal.expected.iter().map(|mark| mark.line).min().expect("it is wrong");
        let told = format!("wait for {operation}, started at ");
        for backend in
            [&LocalThreads { eager_limit: eager, detect_races: false } as &dyn ThreadRanks, &simulator(eager)]
        {
            let outcome = backend.run(animal.ranks, Some(SOON), single_run::job(animal));
            let call = outcome.blocked[0].call().to_string();
            assert!(call.starts_with(&told) && call.ends_with(&format!("{name}.rs:{line}")), "{call}");
        }
    }
}

/// A race is one whichever of the two comes first: no run hides it, and none sees one in what is ordered.
#[test]
fn races_are_found_in_every_run() {
    let racing = |animal: &BugProgram| animal.expected.iter().any(|mark| mark.code == Code::WindowRace);
    let of_windows = bug_programs::all().iter().filter(|animal| animal.class == "global_concurrency");
    let (wrong, right): (Vec<_>, Vec<_>) =
        of_windows.filter(|animal| racing(animal) || !animal.is_wrong()).partition(|animal| racing(animal));
    assert!(wrong.len() >= 5 && right.len() >= 5);
    let watched = Simulator { detect_races: true, ..simulator(4096) };
    for _ in 0..40 {
        for animal in wrong.iter().chain(&right) {
            for backend in [&LocalThreads::WITH_RACE_DETECTION as &dyn ThreadRanks, &watched] {
                let found = single_run::run_once(animal, backend).unwrap_or_else(|why| panic!("{why}"));
                let score = Score::new(animal, &found);
                assert_eq!((score.recall(), score.precision(), score.lines()), (1.0, 1.0, 1.0), "{found:?}");
            }
        }
    }
}

/// Nobody pays for it who has not asked.
#[test]
fn canary_races_are_looked_for_only_where_somebody_asks() {
    let racing = |animal: &&BugProgram| animal.name == "wrong_read_beside_the_lock";
    let animal = bug_programs::all().iter().find(racing).expect("it is there");
    assert_eq!(single_run::run_once(animal, &simulator(4096)), Ok(vec![]));
}

#[cfg(feature = "mpi")]
mod mpi {
    use wb_comm::{ProcessRanks, Rank, Result, Verb};
    use wb_functional::programs::{self, BareProgram, ProgramFindings};
    use wb_tests::bug_programs::processes::{self, LIMIT, UNDETECTED_CLASSES};
    use workbench::World;

    use super::*;

    /// Real ranks hang for as long as they may; then it must be known soon why, and where each of them stands.
    #[test]
    fn real_ranks_find_what_is_wrong_and_leave_alone_what_is_right() {
        let (most, a_run) = (max_ranks(), |animal: &&BugProgram| animal.detected_by == DetectedBy::Run);
        let (animals, left_out): (Vec<_>, Vec<_>) =
            bug_programs::all().iter().filter(a_run).partition(|animal| animal.ranks <= most);
        let witnessed =
            processes::run_as_processes(workbench::backends(), &animals).expect("jobs can be started");
        let Some(witnessed) = witnessed else { return };
        let (mut scores, mut complaints) = (Scores::default(), String::new());
        for animal in animals.iter().map(|animal| processes::detectable(animal)) {
            let found = &witnessed[&animal.file()];
            assert!(found.unexpected.is_empty() || animal.is_wrong(), "{}: {found:#?}", animal.file());
            let told = if found.findings.is_empty() { &found.buffering } else { &found.findings };
            scores.add(&animal, told);
            let score = Score::new(&animal, told);
            if (score.recall(), score.precision(), score.lines()) != (1.0, 1.0, 1.0) {
                complaints += &format!("{}:\n{found:#?}\n", animal.file());
            }
        }
        let hung = || witnessed.values().filter_map(|found| found.diagnosed_after);
        println!(
            "{} hung, named at the latest {:?} after the limit",
            hung().count(),
            hung().max().map(after_limit)
        );
        if !left_out.is_empty() {
            println!("{} programs are for more ranks than {most}", left_out.len());
        }
        UNDETECTED_CLASSES.iter().for_each(|(class, why)| println!("{class} is not looked for: {why}"));
        assert_scores((scores, complaints));
        let apart = find(TWO_COMMUNICATORS);
        if apart.ranks <= most {
            assert_both_communicators(&witnessed[&apart.file()].findings, "real ranks");
        }
        for (file, found) in &witnessed {
            assert_all_positions(file, found);
        }
        assert!(hung().count() >= 15, "{} hung", hung().count());
    }

    /// MPICH's waits spin. Where ranks share a core a message takes a time slice, and the limit would strike right programs.
    fn max_ranks() -> usize {
        let spins = wb_mpi::MPI.library().implementation == "MPICH";
        if spins { wb_process::usable_cores() } else { usize::MAX }
    }

    fn after_limit(named_after: Duration) -> Duration {
        named_after.saturating_sub(LIMIT)
    }

    fn assert_all_positions(file: &str, found: &ProgramFindings) {
        assert_eq!(found.blocked.is_empty(), found.diagnosed_after.is_none(), "{file}: {found:#?}");
        let Some(named_after) = found.diagnosed_after else { return };
        assert!(!found.findings.is_empty(), "{file}: {found:#?}");
        assert!(LIMIT <= named_after && after_limit(named_after) < SOON, "{file}: {named_after:?}");
        for call in &found.blocked {
            assert!(call.file.ends_with(file) && call.line > 0, "{file}: {call}");
            assert_eq!(call.started_at.is_some(), call.verb == Verb::Wait, "{file}: {call}");
            if matches!(call.verb, Verb::Send | Verb::Ssend | Verb::Recv | Verb::Sendrecv | Verb::Wait) {
                assert!(call.peer.is_some() && call.tag.is_some() && call.bytes.is_some(), "{call}");
            }
        }
    }

    /// Rank 0 waits for a message that rank 1 may still send.
    fn computes_for_ever(world: &World) -> Result<()> {
        if world.rank() == 0 {
            return world.recv(&mut [0], 1, 0).map(drop);
        }
        loop {
            std::thread::sleep(LIMIT);
        }
    }

    /// Both have a part of their own, and wait for each other on the world.
    fn wait_beside_their_parts(world: &World) -> Result<()> {
        let (rank, partner) = (world.rank(), 1 - world.rank());
        let part = world.split(Some(rank as u32), 0)?.expect("each has one");
        part.barrier()?;
        world.recv(&mut [rank], partner, 5).map(drop)
    }

    #[test]
    fn canary_nobody_is_accused_while_somebody_computes() {
        let program = |name: &str, body: fn(&World) -> Result<()>| BareProgram {
            name: name.to_owned(),
            ranks: 2,
            body,
        };
        let programs = [program("computes", computes_for_ever), program("waits", wait_beside_their_parts)];
        let witnessed =
            programs::run_programs(workbench::backends(), &programs, LIMIT).expect("jobs can be started");
        let Some(witnessed) = witnessed else { return };
        let computes = &witnessed["computes"];
        assert_eq!((computes.findings.as_slice(), computes.blocked.len()), (&[][..], 1), "{computes:#?}");
        let codes =
            |found: &ProgramFindings| found.findings.iter().map(|finding| finding.code).collect::<Vec<_>>();
        let waits = &witnessed["waits"];
        assert_eq!(codes(waits), [Code::Deadlock], "{waits:#?}");
        let stand: Vec<Rank> = waits.blocked.iter().map(|call| call.rank).collect();
        assert_eq!(stand, [0, 1]);
    }
}
