//! Three small problems on a list of whole numbers, and the right way to deal it out and to collect it.
use std::{env, marker::PhantomData};

use workbench::{Invalid, Place, Problem, Rank, Result, Rooted, Task, Verdict, Workload, World, functional};

/// The rank that has the input and wants the output.
pub(crate) const ROOT: Rank = 0;

/// A list that four ranks cannot share evenly.
pub(crate) const SHORT: usize = 10;

/// A list whose shares no library keeps a copy of.
pub(crate) const LONG: usize = 200_000;

/// What runs on every rank: the input is on the root.
pub(crate) type RunFn = fn(&World, Rooted<Vec<i64>>) -> Result<Rooted<Vec<i64>>>;

/// A problem: which list answers which.
pub(crate) trait ListProblem: Send + Sync + 'static {
    fn answer(input: &[i64]) -> Vec<i64>;
}

/// Every number twice.
pub(crate) struct Doubled;

/// The sum of all.
pub(crate) struct Summed;

/// Each number with its two neighbours.
pub(crate) struct Smoothed;

impl ListProblem for Doubled {
    fn answer(input: &[i64]) -> Vec<i64> {
        input.iter().map(|number| 2 * number).collect()
    }
}

impl ListProblem for Summed {
    fn answer(input: &[i64]) -> Vec<i64> {
        vec![input.iter().sum()]
    }
}

impl ListProblem for Smoothed {
    fn answer(input: &[i64]) -> Vec<i64> {
        let around = |at: usize| input[at.saturating_sub(1)..input.len().min(at + 2)].iter().sum();
        (0..input.len()).map(around).collect()
    }
}

/// A problem with its oracle.
pub(crate) struct ListTask<A>(PhantomData<A>);

impl<A: ListProblem> Problem for ListTask<A> {
    type Input = Vec<i64>;
    type Output = Vec<i64>;

    fn workload(_: &Workload) -> Option<Vec<i64>> {
        None
    }

    fn check(input: &Vec<i64>, output: &Vec<i64>) -> Verdict {
        Verdict::same(output, &A::answer(input))
    }
}

/// A parallel version that is all run.
struct Version<A, const EVERYWHERE: bool> {
    run: RunFn,
    answers: PhantomData<fn() -> A>,
}

impl<A: ListProblem, const EVERYWHERE: bool> Task for Version<A, EVERYWHERE> {
    type Problem = ListTask<A>;
    type Prepared = Rooted<Vec<i64>>;
    type Raw = Rooted<Vec<i64>>;

    const OUTPUT: Place = if EVERYWHERE { Place::Everywhere } else { Place::Home };

    fn validation(&self, _: &Vec<i64>, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, _: &World, input: Rooted<Vec<i64>>) -> Result<Rooted<Vec<i64>>> {
        Ok(input)
    }

    fn run(&self, world: &World, data: &Rooted<Vec<i64>>) -> Result<Rooted<Vec<i64>>> {
        (self.run)(world, data.clone())
    }

    fn postprocessing(&self, _: &World, raw: Rooted<Vec<i64>>) -> Result<Rooted<Vec<i64>>> {
        Ok(raw)
    }
}

/// On four ranks, unless `WBTEST_PLANTED_RANKS` names another number.
fn ranks() -> usize {
    env::var("WBTEST_PLANTED_RANKS").map_or(4, |ranks| ranks.parse().expect("a number of ranks"))
}

/// The numbers from 1 on.
pub(crate) fn numbers(count: usize) -> Vec<i64> {
    (1..).take(count).collect()
}

/// Tests a run whose output is wanted on the root.
pub(crate) fn test<A: ListProblem>(count: usize, run: RunFn) {
    test_on::<A>([ranks()], count, run);
}

/// Tests a run whose output is wanted on the root, on each of these numbers of ranks.
pub(crate) fn test_on<A: ListProblem>(ranks: impl IntoIterator<Item = usize>, count: usize, run: RunFn) {
    let version = Version::<A, false> { run, answers: PhantomData };
    functional(version).ranks(ranks).check(|_| [numbers(count)]);
}

/// Tests a run whose output is wanted everywhere.
pub(crate) fn test_everywhere<A: ListProblem>(count: usize, run: RunFn) {
    let version = Version::<A, true> { run, answers: PhantomData };
    functional(version).ranks([ranks()]).check(|_| [numbers(count)]);
}

/// The number of elements of each rank.
pub(crate) fn counts(count: usize, ranks: usize) -> Vec<usize> {
    (0..ranks).map(|rank| count / ranks + usize::from(rank < count % ranks)).collect()
}

/// How many elements there are, known to every rank.
pub(crate) fn length(world: &World, data: &Rooted<Vec<i64>>) -> Result<usize> {
    let mut length = [data.as_ref().here().map_or(0, Vec::len)];
    world.bcast(&mut length, ROOT)?;
    Ok(length[0])
}

/// This rank's share, and the counts of all ranks.
pub(crate) fn share(world: &World, data: &Rooted<Vec<i64>>) -> Result<(Vec<i64>, Vec<usize>)> {
    let counts = counts(length(world, data)?, world.size());
    let mut mine = vec![0; counts[world.rank()]];
    world.scatterv(data.as_deref().map(|data| (data, &counts[..])), &mut mine, ROOT)?;
    Ok((mine, counts))
}

/// The shares on the root, in the order of the ranks.
pub(crate) fn collect(world: &World, mine: &[i64], counts: &[usize]) -> Result<Rooted<Vec<i64>>> {
    let mut all = (world.rank() == ROOT).then(|| vec![0; counts.iter().sum()]);
    world.gatherv(mine, all.as_mut().map(|all| (&mut all[..], counts)), ROOT)?;
    Ok(all.into())
}

/// Every number twice, in place.
pub(crate) fn double(numbers: &mut [i64]) {
    numbers.iter_mut().for_each(|number| *number *= 2);
}

/// The blocks of a list.
pub(crate) fn blocks<'a>(data: &'a [i64], counts: &'a [usize]) -> impl Iterator<Item = &'a [i64]> {
    counts.iter().scan(data, |rest, count| {
        let (block, after) = rest.split_at(*count);
        *rest = after;
        Some(block)
    })
}
