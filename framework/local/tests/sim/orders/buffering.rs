//! Programs that deadlock only where the library buffers no message, or a few.
use super::*;

/// A failure that occurs only without buffering is found there, and only there.
#[test]
fn sends_that_meet_are_found_without_buffering() {
    fn exchange(world: &World, _: &mut Observations) -> Result<()> {
        let partner: Rank = 1 - world.rank();
        world.send(&[1usize], partner, 0)?;
        world.recv(&mut [0usize], partner, 0).map(drop)
    }
    let mut judge =
        |outcome: JobOutcome| RunVerdict { findings: outcome.findings, failure: None, result: None };
    let explored =
        ExhaustiveChecker { reduction: Reduction::Full }.explore(2, BUDGET, &job(exchange), &mut judge);
    let faults = explored.expect("it makes the same choices").failures;
    assert_eq!(faults.len(), 1);
    assert_eq!(
        (faults[0].schedule.buffering, faults[0].schedule.to_string()),
        (Buffering::None, "1".to_owned())
    );
    assert_eq!(faults[0].verdict.findings[0].code, Code::BufferDependence);
}

/// Rank 0 receives from rank 2 before rank 1 only if the library buffers the message of rank 1. Only then ranks 0 and
/// 1 both send to each other before they receive. With `two`, two messages of rank 1 must be buffered before it sends
/// to rank 2: one that rank 0 receives from any source, and one that it receives next.
fn needs_buffers(world: &World, observed: &mut Observations, two: bool) -> Result<()> {
    let (rank, mut number) = (world.rank(), [0usize]);
    match rank {
        0 => {
            let first = world.recv(&mut number, ANY_SOURCE, 0)?.source;
            if two {
                world.recv(&mut number, 1, 2)?;
            }
            world.recv(&mut number, 3 - first, 0)?;
            observed.push(first);
            if first == 1 {
                world.recv(&mut number, 1, 1)?;
                return world.send(&[0usize], 1, 1);
            }
            world.send(&[0usize], 1, 1)?;
            world.recv(&mut number, 1, 1).map(drop)
        }
        1 => {
            world.send(&[1usize], 0, 0)?;
            if two {
                world.send(&[1usize], 0, 2)?;
            }
            world.send(&[1usize], 2, 0)?;
            world.send(&[1usize], 0, 1)?;
            world.recv(&mut number, 0, 1).map(drop)
        }
        _ => {
            world.recv(&mut number, 1, 0)?;
            world.send(&[2usize], 0, 0)
        }
    }
}

/// The programs deadlock neither with unlimited buffering nor without buffering.
#[test]
fn sends_that_meet_only_while_others_are_kept_are_found() {
    hangs_with_few_buffers_only(|world, observed| needs_buffers(world, observed, false));
    hangs_with_few_buffers_only(|world, observed| needs_buffers(world, observed, true));
}

fn hangs_with_few_buffers_only(program: fn(&World, &mut Observations) -> Result<()>) {
    let mut judge =
        |outcome: JobOutcome| RunVerdict { findings: outcome.findings, failure: None, result: None };
    let search = ExhaustiveChecker { reduction: Reduction::Full };
    let explored = search.explore(3, BUDGET, &job(program), &mut judge);
    let ExplorationReport { counts: tried, failures: faults, .. } =
        explored.expect("it makes the same choices");
    assert!(tried[0].is_exhaustive && tried[1].is_exhaustive, "{tried:?}");
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    assert_eq!(fault.schedule.buffering, Buffering::Limited);
    let found = &fault.verdict.findings[0];
    assert!(
        found.code == Code::WildcardRace && found.details.iter().any(|d| d.to_string().contains("WB0020")),
        "{found:?}"
    );
    let again = search.replay(3, &fault.schedule, &job(program)).expect("its own schedule");
    assert_eq!(again.findings[0].code, Code::BufferDependence);
}
