//! What is found by who tries all orders of one program.
use std::{collections::BTreeSet, time::Duration};

use wb_comm::{
    Finding, Orders,
    orders::{self, Budget, Explored, Judgement},
};

use super::{Animal, looked};

/// Enough for every program of the zoo.
const BUDGET: Budget = Budget { schedules: 20_000, time: Duration::from_secs(60) };

/// Tries all orders of the program, each judged as a run is.
///
/// # Panics
/// When the program makes other choices when it is run again.
pub fn all(animal: &Animal, orders: &dyn Orders) -> Explored {
    let mut judge = |outcome| match looked::with_result(animal, outcome) {
        Ok((findings, result)) => Judgement { findings, wrong: None, result: Some(result) },
        Err(why) => Judgement { wrong: Some(why), ..Judgement::default() },
    };
    let explored = orders.explore(animal.ranks, BUDGET, &looked::job(animal), &mut judge);
    explored.unwrap_or_else(|why| panic!("{}: {why}", animal.file()))
}

/// What all runs come to, each in a line: the codes and lines of what was found, or else what came out; `None` when there are
/// more runs than so many.
///
/// # Panics
/// When the program makes other choices when it is run again.
pub fn outcomes(animal: &Animal, orders: &dyn Orders, runs: u64) -> Option<BTreeSet<String>> {
    let mut outcomes = vec![];
    let mut judge = |outcome| {
        let judged = looked::with_result(animal, outcome);
        let findings = judged.as_ref().map_or(vec![], |(findings, _)| findings.clone());
        outcomes.push(match judged {
            Ok((findings, result)) if findings.is_empty() => result,
            Ok((findings, _)) => codes_and_lines(&findings),
            Err(why) => why,
        });
        Judgement { findings, ..Judgement::default() }
    };
    let budget = Budget { schedules: runs, time: BUDGET.time };
    let explored = orders.explore(animal.ranks, budget, &looked::job(animal), &mut judge);
    let Explored { tried, faults, .. } = explored.unwrap_or_else(|why| panic!("{}: {why}", animal.file()));
    // With less buffering nothing is tried where something is wrong before. A search that leaves nothing out does not try a
    // library that keeps a few messages only.
    let [unlimited, none, _] = tried;
    outcomes.truncate((unlimited.schedules + none.schedules) as usize);
    let is_all =
        unlimited.exhausted && (none.exhausted || none == orders::Tried::default() && !faults.is_empty());
    is_all.then(|| outcomes.into_iter().collect())
}

fn codes_and_lines(findings: &[Finding]) -> String {
    let told = |finding: &Finding| {
        let lines: BTreeSet<_> = finding.places.iter().map(|place| place.line).collect();
        format!("{} {lines:?}", finding.code)
    };
    findings.iter().map(told).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
}
