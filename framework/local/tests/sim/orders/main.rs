//! Compares the results of the reduced search with those of a search without reduction.
mod buffering;
mod random;
mod windows;

use std::{cell::Cell, collections::BTreeSet, rc::Rc, sync::Arc, time::Duration};

use wb_comm::{
    Code, ModelChecker as _, Rank, RankFunction, Transport,
    exploration::{Buffering, ExplorationBudget, ExplorationReport, RunVerdict},
    job::{JobOutcome, RankTermination},
};
use wb_world::{ANY_SOURCE, ANY_TAG, Result, World};

use crate::sim::{ExhaustiveChecker, Reduction};

const BUDGET: ExplorationBudget = ExplorationBudget { schedules: 400_000, time: Duration::from_secs(100) };

/// The values that a rank has recorded in a run.
type Observations = Vec<usize>;

fn job(program: fn(&World, &mut Observations) -> Result<()>) -> RankFunction {
    Arc::new(move |transport: Rc<dyn Transport>| {
        let (world, mut observed) = (World::new(transport), vec![]);
        let failed = program(&world, &mut observed).is_err();
        Box::new((observed, failed))
    })
}

/// A run in one line: the observations of every rank, and the codes of the findings.
fn outcome_line(outcome: JobOutcome) -> String {
    let ranks = outcome.ranks.into_iter().map(|ended| match ended {
        RankTermination::Returned(value) => {
            *value.downcast::<(Observations, bool)>().expect("what the job returns")
        }
        RankTermination::Panicked(text) => panic!("{text}"),
        RankTermination::Unfinished | RankTermination::Starved(_) => panic!("given up"),
    });
    let ranks: Vec<_> = ranks.collect();
    let codes: BTreeSet<Code> = outcome.findings.iter().map(|finding| finding.code).collect();
    format!("{ranks:?} {codes:?}")
}

/// All results of a program, and the report of the exploration.
fn explore_all(
    size: usize,
    program: fn(&World, &mut Observations) -> Result<()>,
    reduction: Reduction,
) -> (BTreeSet<String>, ExplorationReport) {
    let mut lines = BTreeSet::new();
    let mut judge = |outcome| {
        lines.insert(outcome_line(outcome));
        RunVerdict::default()
    };
    let explored = ExhaustiveChecker { reduction }.explore(size, BUDGET, &job(program), &mut judge);
    let explored = explored.expect("it makes the same choices again");
    assert!(explored.counts.iter().all(|tried| tried.is_exhaustive), "{explored:?}");
    (lines, explored)
}

/// Every other rank sends its number to rank 0, which receives from any source.
fn as_they_come(world: &World, observed: &mut Observations) -> Result<()> {
    if world.rank() > 0 {
        return world.send(&[world.rank()], 0, 0);
    }
    for _ in 1..world.size() {
        let status = world.recv(&mut [0usize], ANY_SOURCE, 0)?;
        observed.push(status.source);
    }
    Ok(())
}

/// Every other rank sends two messages to rank 0: the second message of a sender is never received before its first.
fn two_each(world: &World, observed: &mut Observations) -> Result<()> {
    if world.rank() > 0 {
        world.send(&[10 * world.rank()], 0, 1)?;
        return world.send(&[10 * world.rank() + 1], 0, 2);
    }
    for _ in 0..2 * (world.size() - 1) {
        let mut number = [0usize];
        world.recv(&mut number, ANY_SOURCE, ANY_TAG)?;
        observed.push(number[0]);
    }
    Ok(())
}

/// Independent pairs: each even rank receives, from any source, the message of the next rank.
fn pairs(world: &World, observed: &mut Observations) -> Result<()> {
    let (rank, mut number) = (world.rank(), [0usize]);
    if rank % 2 == 1 {
        return world.send(&[rank], rank - 1, 0);
    }
    world.recv(&mut number, ANY_SOURCE, 0)?;
    observed.push(number[0]);
    Ok(())
}

/// Rank 2 sends to rank 1, which then sends to rank 0: rank 0 can receive from rank 1 before rank 3 and after it.
fn later_sender(world: &World, observed: &mut Observations) -> Result<()> {
    let mut number = [0usize];
    match world.rank() {
        0 => {
            for _ in 0..2 {
                let status = world.recv(&mut number, ANY_SOURCE, 0)?;
                observed.push(status.source);
            }
            Ok(())
        }
        1 => {
            world.recv(&mut number, ANY_SOURCE, 0)?;
            world.send(&number, 0, 0)
        }
        _ => world.send(&[world.rank()], if world.rank() == 2 { 1 } else { 0 }, 0),
    }
}

/// A nonblocking wildcard receive, then a receive with a named source, with tags that decide the matching.
fn started(world: &World, observed: &mut Observations) -> Result<()> {
    match world.rank() {
        1 => {
            world.send(&[1usize], 0, 1)?;
            return world.send(&[11usize], 0, 0);
        }
        2 => return world.send(&[2usize], 0, 0),
        _ => {}
    }
    let any = world.irecv::<usize>(1, ANY_SOURCE, 0)?;
    let mut number = [0usize];
    world.recv(&mut number, 1, ANY_TAG)?;
    observed.push(number[0]);
    observed.extend(any.wait()?.0);
    world.recv(&mut number, ANY_SOURCE, ANY_TAG)?;
    observed.push(number[0]);
    Ok(())
}

/// A probe returns a sender, and the receive after it accepts any source.
fn probed(world: &World, observed: &mut Observations) -> Result<()> {
    if world.rank() > 0 {
        return world.send(&[world.rank()], 0, 0);
    }
    observed.push(world.probe(ANY_SOURCE, 0)?.source);
    for _ in 1..world.size() {
        observed.push(world.recv(&mut [0usize], ANY_SOURCE, 0)?.source);
    }
    Ok(())
}

/// Both searches find the same results, the reduced one with no more runs.
fn check_reduction(size: usize, program: fn(&World, &mut Observations) -> Result<()>) -> [u64; 3] {
    let (every, brute) = explore_all(size, program, Reduction::None);
    let (reduced, search) = explore_all(size, program, Reduction::Full);
    assert_eq!(reduced, every, "P = {size}");
    let runs = |explored: &ExplorationReport| {
        explored.counts.iter().map(|tried| tried.schedules + tried.redundant).sum::<u64>()
    };
    println!("P = {size}: {} results, {} runs of {}", every.len(), runs(&search), runs(&brute));
    assert!(runs(&search) <= runs(&brute), "P = {size}: {search:?} {brute:?}");
    search.counts.map(|tried| tried.schedules)
}

#[test]
fn wildcards_have_all_their_results() {
    assert_eq!(check_reduction(3, as_they_come)[..2], [2, 2]);
    assert_eq!(check_reduction(2, two_each), [1, 1, 0]);
    check_reduction(3, later_sender_of_three);
}

/// [`later_sender`] on three ranks: rank 2 sends to rank 1, and rank 0 receives only from rank 1.
fn later_sender_of_three(world: &World, observed: &mut Observations) -> Result<()> {
    let mut number = [0usize];
    match world.rank() {
        0 => {
            let first = world.irecv::<usize>(1, ANY_SOURCE, 0)?;
            observed.extend(first.wait()?.0);
            world.recv(&mut number, ANY_SOURCE, 0)?;
            observed.push(number[0]);
            Ok(())
        }
        1 => {
            world.recv(&mut number, ANY_SOURCE, 0)?;
            world.send(&[7usize], 0, 0)
        }
        _ => {
            world.send(&[1usize], 1, 0)?;
            world.send(&[2usize], 0, 0)
        }
    }
}

/// P - 1 messages have (P - 1)! orders, each explored once.
#[test]
fn as_many_schedules_as_there_are_orders() {
    for (size, orders) in [(1, 1), (2, 1), (3, 2), (4, 6), (5, 24), (6, 120)] {
        let (lines, explored) = explore_all(size, as_they_come, Reduction::Full);
        assert_eq!(
            (lines.len() as u64, explored.counts[..2].iter().map(|t| t.schedules).collect::<Vec<_>>()),
            (orders, vec![orders; 2]),
            "P = {size}"
        );
    }
    // Two each: 4! / (2! 2!) ways to interleave two sequences of two.
    assert_eq!(explore_all(3, two_each, Reduction::Full).1.counts.map(|tried| tried.schedules)[0], 6);
}

/// Choices at independent ranks are not multiplied; a sender that sends later is not missed.
#[test]
fn independent_receives_are_taken_in_one_order() {
    let (lines, explored) = explore_all(6, pairs, Reduction::Full);
    assert_eq!((lines.len(), explored.counts.map(|tried| tried.schedules)), (1, [1, 1, 0]));
    assert_eq!(explore_all(4, later_sender, Reduction::Full).0.len(), 2);
}

#[test]
fn started_receives_and_tags_have_all_their_results() {
    check_reduction(3, started);
}

/// MPI does not guarantee that a wildcard receive after a wildcard probe gets the probed message (MPI 3.1, example
/// 3.19); with a mailbox in the order of arrival it always does.
#[test]
fn a_receive_from_any_source_need_not_get_what_was_probed() {
    let (mailbox, _) = explore_all(3, probed, Reduction::None);
    let (search, _) = explore_all(3, probed, Reduction::Full);
    assert!(mailbox.is_subset(&search), "{mailbox:?} {search:?}");
    assert_eq!((mailbox.len(), search.len()), (2, 4));
}

/// A poll can find a message or miss it.
#[test]
fn a_look_has_both_answers() {
    fn polls(world: &World, observed: &mut Observations) -> Result<()> {
        if world.rank() == 1 {
            return world.send(&[5usize], 0, 0);
        }
        observed.push(usize::from(world.iprobe(ANY_SOURCE, 0)?.is_some()));
        world.recv(&mut [0usize], 1, 0).map(drop)
    }
    fn tests(world: &World, observed: &mut Observations) -> Result<()> {
        if world.rank() == 1 {
            return world.send(&[5usize], 0, 0);
        }
        let mut request = world.irecv::<usize>(1, 1, 0)?;
        let mut fruitless_probes = 0;
        while !request.test()? {
            fruitless_probes += 1;
        }
        observed.push(usize::from(fruitless_probes > 0));
        request.wait().map(drop)
    }
    assert_eq!(explore_all(2, polls, Reduction::Full).0.len(), 2);
    assert_eq!(explore_all(2, tests, Reduction::Full).0.len(), 2);
}

/// A rank that polls for a message that is never sent gets an error, and does not poll for ever: it waits for itself.
#[test]
fn looking_for_what_does_not_come_ends() {
    fn waits(world: &World, _: &mut Observations) -> Result<()> {
        while world.iprobe(0, 0)?.is_none() {}
        Ok(())
    }
    let (lines, _) = explore_all(2, waits, Reduction::Full);
    assert_eq!(lines.into_iter().collect::<Vec<_>>(), ["[([], true), ([], true)] {Deadlock}"]);
}

#[test]
fn waiting_for_a_time_ends() {
    fn waits(world: &World, observed: &mut Observations) -> Result<()> {
        while world.now() < 50_000_000 {
            if world.rank() == 0 {
                observed.extend(world.iprobe(1, 0)?.map(|status| status.source));
            }
        }
        world.barrier()
    }
    let (lines, _) = explore_all(2, waits, Reduction::Full);
    assert_eq!(lines.into_iter().collect::<Vec<_>>(), ["[([], false), ([], false)] {}"]);
}

#[test]
fn a_budget_is_kept_and_told() {
    let mut runs = 0;
    let mut judge = |_| {
        runs += 1;
        RunVerdict::default()
    };
    let budget = ExplorationBudget { schedules: 10, time: Duration::from_secs(60) };
    let search = ExhaustiveChecker { reduction: Reduction::Full };
    let explored =
        search.explore(6, budget, &job(as_they_come), &mut judge).expect("it makes the same choices");
    assert_eq!(
        explored.counts.map(|tried| (tried.schedules, tried.is_exhaustive)),
        [(5, false), (3, false), (2, false)]
    );
    assert_eq!(runs, 10);
}

/// A rank that polls has endless orders: a fault is not looked for again in all of them.
#[test]
fn a_search_ends_soon_after_its_first_failure() {
    let mut judge = |_| {
        std::thread::sleep(Duration::from_millis(1));
        RunVerdict { failure: Some("it fails".into()), ..RunVerdict::default() }
    };
    let start = std::time::Instant::now();
    let budget = ExplorationBudget { time: Duration::from_secs(10), ..BUDGET };
    let explored = ExhaustiveChecker::FULL.explore(9, budget, &job(as_they_come), &mut judge);
    let explored = explored.expect("it makes the same choices");
    assert!(start.elapsed() < budget.time / 3 && !explored.counts[0].is_exhaustive, "{explored:?}");
    assert_eq!(explored.failures.len(), 1);
}

fn verdict_with_result(outcome: JobOutcome) -> RunVerdict {
    RunVerdict { result: Some(format!("rank 0: {}\n", outcome_line(outcome))), ..RunVerdict::default() }
}

/// Every run passes by itself, but their results differ: the finding has both runs, unless the results are not
/// reproducible.
#[test]
fn results_that_differ_are_told_with_two_runs() {
    let search = ExhaustiveChecker { reduction: Reduction::Full };
    let explored = search.explore(3, BUDGET, &job(as_they_come), &mut verdict_with_result);
    let ExplorationReport { failures: faults, remarks, .. } = explored.expect("it makes the same choices");
    let ([fault], []) = (&faults[..], &remarks[..]) else { panic!("{faults:?} {remarks:?}") };
    assert_eq!(fault.verdict.findings[0].code, Code::ArrivalOrder);
    let beside = fault.other_schedule.as_ref().expect("the other run");
    let again =
        |schedule| outcome_line(search.replay(3, schedule, &job(as_they_come)).expect("its schedule"));
    assert_ne!(again(&fault.schedule), again(beside));
    let mut runs = 0;
    let mut moody = |_| {
        runs += 1;
        RunVerdict { result: Some(format!("rank 0: {runs}")), ..RunVerdict::default() }
    };
    let explored = search.explore(3, BUDGET, &job(as_they_come), &mut moody).expect("the same choices");
    assert_eq!((explored.failures, explored.remarks), (vec![], vec![]));
}

/// A program that depends on something besides its messages is rejected.
#[test]
fn canary_a_program_with_a_memory_is_noticed() {
    thread_local!(static RUNS: Cell<usize> = const { Cell::new(0) });
    fn forgetful(world: &World, _: &mut Observations) -> Result<()> {
        if world.rank() > 0 {
            return world.send(&[world.rank()], 0, 0);
        }
        RUNS.set(RUNS.get() + 1);
        let any = RUNS.get() == 1;
        for rank in 1..world.size() {
            world.recv(&mut [0usize], if any { ANY_SOURCE } else { rank.into() }, 0)?;
        }
        Ok(())
    }
    let mut judge = |_| RunVerdict::default();
    let refused =
        ExhaustiveChecker { reduction: Reduction::Full }.explore(3, BUDGET, &job(forgetful), &mut judge);
    assert!(refused.expect_err("it changes").to_string().contains("the program makes others"));
}
