//! Random small programs of sends and receives: the reduction does not change their results.
use std::{collections::BTreeSet, sync::Arc};

use wb_comm::{ModelChecker as _, RankFunction, Source, exploration::ExplorationBudget};
use wb_world::{ANY_SOURCE, Result, World};

use super::{Observations, RunVerdict, outcome_line};
use crate::sim::{ExhaustiveChecker, Reduction};

/// The number of programs that are compared.
const PROGRAMS: usize = 30;

/// Programs with more runs are skipped.
const MOST_RUNS: u64 = 8000;

/// One call of a rank.
#[derive(Clone, Copy, Debug)]
enum Step {
    Send { to: usize, tag: i32 },
    Receive { from: Source, tag: i32 },
    Start { from: Source, tag: i32 },
}

/// The calls of each rank.
type Program = Vec<Vec<Step>>;

/// A random generator with a seed (`SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 33) as usize % limit
    }

    /// Ranks 1 and 2 send to rank 0, which mostly receives from any source; often there is one more message.
    fn program(&mut self) -> Program {
        let mut program = vec![vec![]; 3];
        for from in [1, 2] {
            self.message((from, 0, 0), &mut program);
        }
        if self.below(2) == 0 {
            let from = self.below(3);
            let (to, tag) = ((from + 1 + self.below(2)) % 3, i32::from(self.below(2) == 0));
            self.message((from, to, tag), &mut program);
        }
        program
    }

    /// A message and, mostly, its receive, each at a random position among the steps of its rank.
    fn message(&mut self, (from, to, tag): (usize, usize, i32), program: &mut Program) {
        self.insert(&mut program[from], Step::Send { to, tag });
        let source = if self.below(4) > 0 { ANY_SOURCE } else { from.into() };
        match self.below(12) {
            0 => {}
            1 | 2 => self.insert(&mut program[to], Step::Start { from: source, tag }),
            _ => self.insert(&mut program[to], Step::Receive { from: source, tag }),
        }
    }

    fn insert(&mut self, steps: &mut Vec<Step>, step: Step) {
        let at = self.below(steps.len() + 1);
        steps.insert(at, step);
    }
}

/// Runs the steps of a rank and records the index of each step and the received numbers.
fn carry_out(steps: &[Step], world: &World, observed: &mut Observations) -> Result<()> {
    let mut started = vec![];
    for (at, step) in steps.iter().enumerate() {
        let mut number = [0usize];
        let done = match *step {
            Step::Send { to, tag } => world.send(&[10 * world.rank() + at], to, tag),
            Step::Receive { from, tag } => world.recv(&mut number, from, tag).map(drop),
            Step::Start { from, tag } => world.irecv::<usize>(1, from, tag).map(|it| started.push(it)),
        };
        observed.extend([at, number[0]]);
        done?;
    }
    for request in started {
        observed.extend(request.wait()?.0);
    }
    Ok(())
}

fn job(program: &Program) -> RankFunction {
    let program = program.clone();
    Arc::new(move |transport| {
        let (world, mut observed) = (World::new(transport), vec![]);
        let failed = carry_out(&program[world.rank()], &world, &mut observed).is_err();
        Box::new((observed, failed))
    })
}

/// The results of all runs with unlimited buffering, and without buffering; `None` when there are too many runs.
fn outcomes(program: &Program, reduction: Reduction) -> Option<[BTreeSet<String>; 2]> {
    let mut lines = vec![];
    let mut judge = |outcome| {
        lines.push(outcome_line(outcome));
        RunVerdict::default()
    };
    let budget = ExplorationBudget { schedules: MOST_RUNS, time: super::BUDGET.time };
    let explored = ExhaustiveChecker { reduction }.explore(program.len(), budget, &job(program), &mut judge);
    // A search without reduction does not explore partial buffering.
    let [unlimited, none, _] = explored.expect("it makes the same choices again").counts;
    lines.truncate((unlimited.schedules + none.schedules) as usize);
    let without = lines.split_off(unlimited.schedules as usize);
    (unlimited.is_exhaustive && none.is_exhaustive)
        .then(|| [lines, without].map(|lines| lines.into_iter().collect()))
}

#[test]
fn random_programs_come_to_the_same_with_and_without_what_is_left_out() {
    let (mut random, mut compared, mut contested) = (Random(1), 0, 0);
    while compared < PROGRAMS {
        let program = random.program();
        let Some(every) = outcomes(&program, Reduction::None) else { continue };
        let reduced = outcomes(&program, Reduction::Full).expect("it has fewer runs");
        assert_eq!(reduced, every, "{program:#?}");
        compared += 1;
        contested += usize::from(every[0].len() > 1);
    }
    println!("{contested} of {compared} programs come to several things, whatever is buffered");
    assert!(contested >= PROGRAMS / 4, "only {contested} programs come to several things");
}
