//! The rules of a variant that runs in virtual time decide: the runs, and what breaks a rule.

use wb_config::{AssignmentRule, CourseSettings, TaskSettings, VersionStatus};
use wb_messages::{Lang, rules as text};
use wb_report::run_rules::{RunRule, RunRuleVerdict};
use wb_text::{Text, source};

use crate::{
    error::Result,
    measure::{BenchmarkRunner, SimulationConditions},
};

/// A rule that a run breaks.
pub(crate) struct BrokenRunRule {
    pub(crate) rule: RunRule,
    pub(crate) reason: Text,
}

/// The rules of the variant that runs in virtual time decide.
pub(crate) fn of_variant(settings: &TaskSettings, course: &CourseSettings) -> Vec<RunRule> {
    let rules = course.assignment(settings.task_number).rules_of(settings.variant);
    let is_set = |rule: &RunRule| rules.contains(&setting(*rule));
    RunRule::ALL.into_iter().filter(is_set).collect()
}

/// The rule of `course.yaml`.
pub(crate) const fn setting(rule: RunRule) -> AssignmentRule {
    match rule {
        RunRule::Tree => AssignmentRule::Tree,
        RunRule::DistributesComputing => AssignmentRule::DistributesComputing,
    }
}

/// Runs the parallel version of a task in virtual time and decides these rules. A run that fails breaks its rule; runs that are too
/// short to decide are named on standard error.
pub(crate) fn check(
    runner: &BenchmarkRunner<'_>,
    (task, settings): (&str, &TaskSettings),
    rules: &[RunRule],
    lang: Lang,
) -> Result<Vec<BrokenRunRule>> {
    let mut broken = vec![];
    // A version that is disabled earns nothing.
    let is_enabled = settings.status.mpi == VersionStatus::Enabled;
    for &rule in rules.iter().filter(|_| is_enabled) {
        match judge(runner, (task, settings), rule, lang)? {
            RunRuleVerdict::Kept => {}
            RunRuleVerdict::Broken(reason) => broken.push(BrokenRunRule { rule, reason }),
            RunRuleVerdict::Undecided(reason) => {
                eprintln!("{}", text::undecided(lang, task, rule.name(), reason.render(lang)));
            }
        }
    }
    Ok(broken)
}

fn judge(
    runner: &BenchmarkRunner<'_>,
    (task, settings): (&str, &TaskSettings),
    rule: RunRule,
    lang: Lang,
) -> Result<RunRuleVerdict> {
    let description = match rule {
        RunRule::Tree => include_str!("run_rules/tree.yaml"),
        RunRule::DistributesComputing => include_str!("run_rules/distributes-computing.yaml"),
    };
    let (runner, machine) = runner.with_machine(rule.name(), description)?;
    let path = machine.to_string_lossy();
    let conditions = SimulationConditions { machine: &path, faults: &[], computing: rule.computing() };
    // Every workload of a transfer takes the same path.
    let workloads = &settings.performance.workloads;
    let workload = workloads.first().filter(|_| rule == RunRule::Tree).map(|workload| workload.name.as_str());
    let simulated = runner.simulate(task, &conditions, rule.ranks(), workload, lang)?;
    let failed = |why: String| RunRuleVerdict::Broken(source::virtual_run_failed(why));
    Ok(match (simulated.records(lang), simulated.failure) {
        (_, Some(why)) | (Err(why), None) => failed(why),
        (Ok(records), None) => rule.judge(&records),
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use wb_config::MachineSettings;

    use super::*;

    #[test]
    fn the_machines_of_the_rules_are_valid() {
        for text in
            [include_str!("run_rules/tree.yaml"), include_str!("run_rules/distributes-computing.yaml")]
        {
            MachineSettings::parse(Path::new("rule.yaml"), text).expect("a machine");
        }
    }

    #[test]
    fn the_names_of_the_rules_are_those_of_the_course() {
        for rule in RunRule::ALL {
            assert_eq!(rule.name(), setting(rule).name());
        }
    }
}
