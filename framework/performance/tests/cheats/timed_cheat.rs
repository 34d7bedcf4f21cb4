//! The sum of the squares of a range of numbers, which is work with a closed formula: versions that look faster than they are, and an
//! honest one.
use std::{
    hint::black_box,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use wb_process::thread_cpu_ns;
use workbench::{
    Input, Invalid, Operation, Place, Problem, Rank, Result, Rooted, Task, Verdict, Workload, World,
};

/// The sum of the squares of `count` numbers from `from` on modulo 2 to the power of 64. The oracle knows it in closed form.
pub(crate) struct SquaresOfRange;

fn closed_form([from, count]: [u64; 2]) -> u64 {
    let below = |n: u64| (u128::from(n) - 1) * u128::from(n) * (2 * u128::from(n) - 1) / 6;
    (below(from + count) - below(from)) as u64
}

fn summed([from, count]: [u64; 2]) -> u64 {
    (from..from + count).fold(0, |sum, i| sum.wrapping_add(black_box(i).wrapping_mul(black_box(i))))
}

impl Problem for SquaresOfRange {
    type Input = [u64; 2];
    type Output = u64;

    fn workload(request: &Workload) -> Option<[u64; 2]> {
        Some([1 + request.seed % 1000, request.size as u64])
    }

    fn check(input: &[u64; 2], output: &u64) -> Verdict {
        let expected = closed_form(*input);
        Verdict::of(*output == expected, || format!("the sum is {output}, expected {expected}"))
    }
}

const ROOT: Rank = 0;

/// How a version gets its answer.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum TimedCheat {
    /// Every rank sums this share of the numbers, in per cent, and the last one the rest.
    Shared(u64),
    /// Rank 0 does everything, the others meet it in a barrier.
    OneRankOnly,
    /// The first answer is kept and given again.
    Cached,
    /// The formula, and a sleep so that it looks like work.
    FormulaAndSleep,
    /// The formula on several ranks; alone the work, and idling.
    FormulaOnManyRanks,
    /// On several ranks the work before the run begins, and half of it again on rank 0; alone the work.
    WorkInPreprocessing,
    /// The work, and idling for three times as long.
    SlowedBySleep,
    /// The work, and three times as much for nothing.
    SlowedBySpin,
}

/// The nanoseconds for which a version that knows the formula pretends to sum `count` numbers: less than half of what it takes.
pub(crate) const fn pretended_ns(count: u64) -> u64 {
    count / 4
}

/// What [`TimedCheat::Cached`] keeps; 0 before the first answer.
pub(crate) static CACHED_ANSWER: AtomicU64 = AtomicU64::new(0);

/// Takes so much processor time.
fn spin(ns: u64) {
    let end = thread_cpu_ns() + ns;
    while thread_cpu_ns() < end {
        std::hint::spin_loop();
    }
}

/// What a rank sums when every rank but the last one has `percent` of the numbers.
fn part([from, count]: [u64; 2], percent: u64, world: &World) -> [u64; 2] {
    let (rank, size) = (world.rank() as u64, world.size() as u64);
    let each = count * percent / 100;
    let mine = if rank + 1 == size { count - each * (size - 1) } else { each };
    [from + each * rank, mine]
}

impl Task for TimedCheat {
    type Problem = SquaresOfRange;
    type Prepared = ([u64; 2], u64);
    type Raw = u64;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, _: &Input<Self>, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, world: &World, input: Rooted<[u64; 2]>) -> Result<([u64; 2], u64)> {
        let mut input = input.here().unwrap_or_default();
        world.bcast(&mut input, ROOT)?;
        let is_early = *self == Self::WorkInPreprocessing && world.size() > 1 && world.rank() == ROOT;
        Ok((input, if is_early { summed(input) } else { 0 }))
    }

    fn run(&self, world: &World, &(input, early): &([u64; 2], u64)) -> Result<u64> {
        let (start, processor) = (Instant::now(), thread_cpu_ns());
        let mine = match *self {
            Self::Shared(percent) => summed(part(input, percent, world)),
            _ if world.rank() != ROOT => 0,
            Self::WorkInPreprocessing if world.size() > 1 => {
                black_box(summed(part(input, 50, world)));
                early
            }
            Self::OneRankOnly => summed(input),
            Self::Cached => {
                let kept = CACHED_ANSWER.load(Ordering::Relaxed);
                CACHED_ANSWER.store(if kept == 0 { summed(input) } else { kept }, Ordering::Relaxed);
                CACHED_ANSWER.load(Ordering::Relaxed)
            }
            Self::FormulaAndSleep => closed_form(input),
            Self::FormulaOnManyRanks if world.size() > 1 => closed_form(input),
            Self::FormulaOnManyRanks
            | Self::WorkInPreprocessing
            | Self::SlowedBySleep
            | Self::SlowedBySpin => summed(input),
        };
        match *self {
            Self::SlowedBySleep => std::thread::sleep(3 * start.elapsed()),
            Self::FormulaOnManyRanks if world.size() > 1 => spin(pretended_ns(input[1])),
            Self::FormulaOnManyRanks | Self::SlowedBySpin => {
                spin(3 * (thread_cpu_ns() - processor));
            }
            Self::FormulaAndSleep => {
                std::thread::sleep(Duration::from_nanos(2 * pretended_ns(input[1])) / world.size() as u32);
            }
            Self::OneRankOnly => world.barrier()?,
            _ => {}
        }
        let mut sum = [0];
        let received = (world.rank() == ROOT).then_some(&mut sum[..]);
        world.reduce(&[mine], received, Operation::Sum, ROOT)?;
        Ok(sum[0])
    }

    fn postprocessing(&self, world: &World, raw: u64) -> Result<Rooted<u64>> {
        Ok(Rooted::on(world.rank() == ROOT, || raw))
    }
}
