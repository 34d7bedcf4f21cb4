//! The bug zoo: every mistake is found, with its code and its lines, and nothing is found in a correct program.
use wb_comm::{CallLocation, Code, Finding, ThreadRanks};
use wb_local::{sim::Simulator, threads::LocalThreads};
use wb_messages::pages;
use wb_tests::{
    bug_programs::{
        self, BugProgram, DetectedBy,
        score::{Score, Scores},
        single_run,
    },
    test_machine::simulator,
};

/// Longer than any run on threads takes.
const LIMIT: std::time::Duration = std::time::Duration::from_secs(60);

/// Threads whose races are detected; programs that run at the same time share no file.
const WATCHED_THREADS: LocalThreads =
    LocalThreads { files_in_memory: true, ..LocalThreads::WITH_RACE_DETECTION };

/// The same in virtual time.
fn watched_simulator() -> Simulator {
    Simulator { detect_races: true, files_in_memory: true, ..simulator(4096) }
}

/// A page must not show a program that no test runs.
#[test]
fn every_page_shows_programs_of_the_zoo() {
    for &code in Code::ALL {
        let page = pages::page(code);
        let shown = |program: &str| {
            let found = bug_programs::all().iter().find(|bug_program| bug_program.body() == program);
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
    let (wrong, right): (Vec<_>, Vec<_>) =
        bug_programs::all().iter().partition(|bug_program| bug_program.is_wrong());
    assert!(wrong.len() >= 40 && right.len() >= 20, "{} wrong, {} right", wrong.len(), right.len());
    let classes = |bug_programs: &[&BugProgram]| {
        bug_programs.iter().map(|a| a.class).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(classes(&wrong), classes(&right));
}

#[test]
fn canary_the_score_sees_what_is_missed_and_what_is_invented() {
    let bug_program = find("wrong_both_receive_first");
    let line = bug_program.expected[0].line;
    let place =
        |rank, line| CallLocation { rank, call: "recv".into(), file: bug_program.file(), line, made: None };
    let found = |code, places| Finding { code, rank: 0, locations: places, details: vec![] };
    let right = found(Code::Deadlock, vec![place(0, line), place(1, line)]);
    let score = Score::new(bug_program, std::slice::from_ref(&right));
    assert_eq!((score.recall(), score.precision(), score.lines()), (1.0, 1.0, 1.0));
    let elsewhere = found(Code::Deadlock, vec![place(0, line + 1), place(1, line)]);
    let invented = found(Code::Tag, vec![place(0, line), place(1, line)]);
    let score = Score::new(bug_program, &[elsewhere, invented.clone()]);
    assert_eq!((score.recall(), score.precision(), score.lines()), (1.0, 0.5, 0.5));
    let score = Score::new(bug_program, &[invented]);
    assert_eq!((score.recall(), score.precision(), score.lines()), (0.0, 0.0, 0.0));
}

/// Runs the whole zoo on a backend, and once more without its buffers where nothing was found; gives the scores and what is
/// not as it should be.
fn run_all(as_it_is: &dyn ThreadRanks, unbuffered: &dyn ThreadRanks) -> (Scores, String) {
    let (mut scores, mut complaints) = (Scores::default(), String::new());
    for bug_program in
        bug_programs::all().iter().filter(|bug_program| bug_program.detected_by == DetectedBy::Run)
    {
        let found = single_run::run_buffered_and_not(bug_program, as_it_is, unbuffered)
            .unwrap_or_else(|why| panic!("{why}"));
        scores.add(bug_program, &found);
        let score = Score::new(bug_program, &found);
        if (score.recall(), score.precision(), score.lines()) != (1.0, 1.0, 1.0) {
            let lines: Vec<_> = found.iter().map(ToString::to_string).collect();
            complaints += &format!("{}:\n{}\n", bug_program.file(), lines.join("\n"));
        }
    }
    (scores, complaints)
}

/// The mistakes are found, their lines named, and the right programs left alone.
fn assert_scores((scores, complaints): (Scores, String)) {
    let hidden = bug_programs::all()
        .iter()
        .filter(|bug_program| bug_program.detected_by == DetectedBy::Checker)
        .count();
    println!("{scores}{hidden} more show in other orders of events only\n{complaints}");
    assert!(complaints.is_empty(), "{scores}\n{complaints}");
}

#[test]
fn threads_find_what_is_wrong_and_leave_alone_what_is_right() {
    assert_scores(run_all(
        &WATCHED_THREADS,
        &LocalThreads { eager_limit: 0, files_in_memory: true, ..LocalThreads::DEFAULT },
    ));
}

#[test]
fn virtual_time_finds_what_is_wrong_and_leaves_alone_what_is_right() {
    let unbuffered = Simulator { files_in_memory: true, ..simulator(0) };
    assert_scores(run_all(&watched_simulator(), &unbuffered));
}

fn find(name: &str) -> &'static BugProgram {
    bug_programs::all()
        .iter()
        .find(|bug_program| bug_program.name == name)
        .unwrap_or_else(|| panic!("{name} is not there"))
}

/// Both communicators of one collective, the calls that made them, and who has called it on which.
fn assert_both_communicators(findings: &[Finding], by: &str) {
    let details: Vec<_> = findings.iter().flat_map(|found| &found.details).map(ToString::to_string).collect();
    let has = |start: &str, end: &str| {
        details.iter().any(|message| message.starts_with(start) && message.ends_with(end))
    };
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

/// A wait names the operation that it waits for: its call and line, its peer, tag and size.
#[test]
fn a_wait_is_told_with_the_operation_that_it_waits_for() {
    for (name, operation, eager) in [
        ("wrong_wait_without_send", "irecv from 1, tag 0, 4 bytes", 4096),
        ("wrong_wait_right_after_isend", "isend to 1, tag 0, 8 bytes", 0),
    ] {
        let bug_program = find(name);
        let line = bug_program.expected.iter().map(|mark| mark.line).min().expect("it is wrong");
        let message = format!("wait for {operation}, started at ");
        for backend in [
            &LocalThreads { eager_limit: eager, ..LocalThreads::DEFAULT } as &dyn ThreadRanks,
            &simulator(eager),
        ] {
            let outcome = backend.run(bug_program.ranks, Some(LIMIT), single_run::job(bug_program));
            let call = outcome.blocked[0].call().to_string();
            assert!(call.starts_with(&message) && call.ends_with(&format!("{name}.rs:{line}")), "{call}");
        }
    }
}

/// A race is one whichever of the two comes first: no run hides it, and none sees one in what is ordered. In virtual time every run is
/// the same, and `orders` tries all orders there.
#[test]
fn races_are_found_in_every_run() {
    let racing = |bug_program: &BugProgram| {
        let races = [Code::WindowRace, Code::FileRace];
        bug_program.expected.iter().any(|mark| races.contains(&mark.code))
    };
    let accesses =
        bug_programs::all().iter().filter(|program| ["global_concurrency", "files"].contains(&program.class));
    let (wrong, right): (Vec<_>, Vec<_>) = accesses
        .filter(|bug_program| racing(bug_program) || !bug_program.is_wrong())
        .partition(|bug_program| racing(bug_program));
    assert!(wrong.len() >= 10 && right.len() >= 15);
    for bug_program in wrong.iter().chain(&right).flat_map(|bug_program| [bug_program; 8]) {
        let found = single_run::run_once(bug_program, &WATCHED_THREADS).unwrap_or_else(|why| panic!("{why}"));
        let score = Score::new(bug_program, &found);
        assert_eq!((score.recall(), score.precision(), score.lines()), (1.0, 1.0, 1.0), "{found:?}");
    }
}

/// Runs that do not ask for races do not record accesses.
#[test]
fn canary_races_are_detected_only_on_request() {
    let racing = |bug_program: &&BugProgram| bug_program.name == "wrong_read_beside_the_lock";
    let bug_program = bug_programs::all().iter().find(racing).expect("it is there");
    assert_eq!(single_run::run_once(bug_program, &simulator(4096)), Ok(vec![]));
}

#[cfg(feature = "mpi")]
mod mpi {
    use std::time::Duration;

    use wb_comm::{ProcessRanks, Rank, Result, Verb};
    use wb_functional::programs::{self, BareProgram, ProgramFindings};
    use wb_tests::bug_programs::processes::{
        self, LIMIT as PROCESS_LIMIT, UNDETECTED_CLASSES, UNDETECTED_CODES,
    };
    use workbench::World;

    use super::*;

    /// Real ranks hang until their limit; then the cause and each rank's call must be known. The time that this takes is printed.
    #[test]
    fn real_ranks_find_what_is_wrong_and_leave_alone_what_is_right() {
        let most = max_ranks();
        let (bug_programs, left_out): (Vec<_>, Vec<_>) =
            processes::representatives().into_iter().partition(|bug_program| bug_program.ranks <= most);
        let results =
            processes::run_as_processes(workbench::backends(), &bug_programs).expect("jobs can be started");
        let Some(results) = results else { return };
        let (mut scores, mut complaints) = (Scores::default(), String::new());
        for bug_program in bug_programs.iter().map(|bug_program| processes::detectable(bug_program)) {
            let found = &results[&bug_program.file()];
            assert!(
                found.unexpected.is_empty() || bug_program.is_wrong(),
                "{}: {found:#?}",
                bug_program.file()
            );
            let reported = if found.findings.is_empty() { &found.buffering } else { &found.findings };
            scores.add(&bug_program, reported);
            let score = Score::new(&bug_program, reported);
            if (score.recall(), score.precision(), score.lines()) != (1.0, 1.0, 1.0) {
                complaints += &format!("{}:\n{found:#?}\n", bug_program.file());
            }
        }
        let hung = || results.values().filter_map(|found| found.diagnosed_after);
        println!(
            "{} hung, named at the latest {:?} after the limit",
            hung().count(),
            hung().max().map(after_limit)
        );
        if !left_out.is_empty() {
            println!("{} programs are for more ranks than {most}", left_out.len());
        }
        UNDETECTED_CLASSES.iter().for_each(|(class, why)| println!("{class} is not looked for: {why}"));
        UNDETECTED_CODES.iter().for_each(|(code, why)| println!("{code} is not looked for: {why}"));
        assert_scores((scores, complaints));
        let apart = find(TWO_COMMUNICATORS);
        if apart.ranks <= most {
            assert_both_communicators(&results[&apart.file()].findings, "real ranks");
        }
        for (file, found) in &results {
            assert_all_positions(file, found);
        }
        assert!(hung().count() >= 8, "{} hung", hung().count());
    }

    /// MPICH's waits spin. Where ranks share a core a message takes a time slice, and the limit would strike right programs.
    fn max_ranks() -> usize {
        let spins = wb_mpi::MPI.library().implementation == "MPICH";
        if spins { wb_process::usable_cores() } else { usize::MAX }
    }

    fn after_limit(named_after: Duration) -> Duration {
        named_after.saturating_sub(PROCESS_LIMIT)
    }

    fn assert_all_positions(file: &str, found: &ProgramFindings) {
        assert_eq!(found.blocked.is_empty(), found.diagnosed_after.is_none(), "{file}: {found:#?}");
        let Some(named_after) = found.diagnosed_after else { return };
        assert!(!found.findings.is_empty(), "{file}: {found:#?}");
        assert!(PROCESS_LIMIT <= named_after, "{file}: {named_after:?}");
        for call in &found.blocked {
            assert!(call.file.ends_with(file) && call.line > 0, "{file}: {call}");
            assert_eq!(call.started_at.is_some(), call.verb.is_completion(), "{file}: {call}");
            let of_peer =
                matches!(call.verb, Verb::Send | Verb::Ssend | Verb::Recv | Verb::Sendrecv | Verb::Wait);
            if of_peer && call.collective().is_none() {
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
            std::thread::sleep(PROCESS_LIMIT);
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
    fn canary_no_rank_is_accused_while_another_computes() {
        let program = |name: &str, body: fn(&World) -> Result<()>| BareProgram {
            name: name.to_owned(),
            ranks: 2,
            body,
        };
        let programs = [program("computes", computes_for_ever), program("waits", wait_beside_their_parts)];
        let results = programs::run_programs(workbench::backends(), &programs, PROCESS_LIMIT)
            .expect("jobs can be started");
        let Some(results) = results else { return };
        let computes = &results["computes"];
        assert_eq!((computes.findings.as_slice(), computes.blocked.len()), (&[][..], 1), "{computes:#?}");
        let codes =
            |found: &ProgramFindings| found.findings.iter().map(|finding| finding.code).collect::<Vec<_>>();
        let waits = &results["waits"];
        assert_eq!(codes(waits), [Code::Deadlock], "{waits:#?}");
        let blocked: Vec<Rank> = waits.blocked.iter().map(|call| call.rank).collect();
        assert_eq!(blocked, [0, 1]);
    }
}
