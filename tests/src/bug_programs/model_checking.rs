//! What the model checker finds in all orders of one program.
use std::{collections::BTreeSet, time::Duration};

use wb_comm::{
    CallLocation, Finding, ModelChecker,
    exploration::{self, ExplorationBudget, ExplorationReport, RunVerdict},
};

use super::{BugProgram, single_run};

/// Enough for every program of the zoo.
const BUDGET: ExplorationBudget = ExplorationBudget { schedules: 20_000, time: Duration::from_secs(60) };

/// Tries all orders of the program, each judged as a run is.
///
/// # Panics
/// When the program makes other choices when it is run again.
pub fn all(program: &BugProgram, orders: &dyn ModelChecker) -> ExplorationReport {
    let mut judge = |outcome| match single_run::with_result(program, outcome) {
        Ok((findings, result)) => RunVerdict { findings, failure: None, result: Some(result) },
        Err(why) => RunVerdict { failure: Some(why), ..RunVerdict::default() },
    };
    let explored = orders.explore(program.ranks, BUDGET, &single_run::job(program), &mut judge);
    explored.unwrap_or_else(|why| panic!("{}: {why}", program.file()))
}

/// The results of all runs, each in a line: the codes and lines of the findings, or else the output; `None` when there are
/// more than `runs` runs.
///
/// # Panics
/// When the program makes other choices when it is run again.
pub fn outcomes(program: &BugProgram, orders: &dyn ModelChecker, runs: u64) -> Option<BTreeSet<String>> {
    let mut outcomes = vec![];
    let mut judge = |outcome| {
        let judged = single_run::with_result(program, outcome);
        let findings = judged.as_ref().map_or(vec![], |(findings, _)| findings.clone());
        outcomes.push(match judged {
            Ok((findings, result)) if findings.is_empty() => result,
            Ok((findings, _)) => codes_and_lines(&findings),
            Err(why) => why,
        });
        RunVerdict { findings, ..RunVerdict::default() }
    };
    let budget = ExplorationBudget { schedules: runs, time: BUDGET.time };
    let explored = orders.explore(program.ranks, budget, &single_run::job(program), &mut judge);
    let ExplorationReport { counts: tried, failures: faults, .. } =
        explored.unwrap_or_else(|why| panic!("{}: {why}", program.file()));
    // With less buffering nothing is tried where something is wrong before. A search that leaves nothing out does not try a
    // library that keeps a few messages only.
    let [unlimited, none, _] = tried;
    outcomes.truncate((unlimited.schedules + none.schedules) as usize);
    let is_all = unlimited.is_exhaustive
        && (none.is_exhaustive || none == exploration::ExplorationCount::default() && !faults.is_empty());
    is_all.then(|| outcomes.into_iter().collect())
}

fn codes_and_lines(findings: &[Finding]) -> String {
    let message = |finding: &Finding| {
        let lines: BTreeSet<_> =
            finding.locations.iter().flat_map(CallLocation::lines).map(|(_, line)| line).collect();
        format!("{} {lines:?}", finding.code)
    };
    findings.iter().map(message).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
}
