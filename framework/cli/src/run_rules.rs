//! The rules of a variant that runs in virtual time decide: the runs, and what breaks a rule.

use std::{io, ops::RangeInclusive};

use oorandom::Rand32;
use wb_config::{AssignmentRule, CourseSettings, TaskSettings, VersionStatus};
use wb_messages::{Lang, WIDTH, rules as text, wrap};
use wb_record::MAX_SEED;
use wb_report::run_rules::{RunRule, RunRuleVerdict};
use wb_text::{Text, source};

use crate::{
    error::{CliError, Result},
    measure::{self, BenchmarkRunner, SimulationConditions},
};

/// A rule that a run breaks.
pub(crate) struct BrokenRunRule {
    pub(crate) rule: RunRule,
    pub(crate) reason: Text,
    pub(crate) remedy: Text,
}

/// The seed from which numbers of ranks are drawn: this one, or a new one.
pub(crate) fn seed(wanted: Option<u64>) -> Result<u64> {
    let random = || {
        getrandom::u64().map_err(|error| CliError::system("read", "random numbers")(io::Error::other(error)))
    };
    wanted.map_or_else(|| random().map(|random| random & MAX_SEED), Ok)
}

/// One number of ranks from each range. Every rule draws from the seed by itself.
pub(crate) fn draw_ranks(ranges: &[RangeInclusive<u32>], seed: u64) -> Vec<u32> {
    let mut random = Rand32::new(seed);
    ranges.iter().map(|range| random.rand_range(*range.start()..range.end() + 1)).collect()
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
/// short to decide break it, too: without a decision there are no points. The inputs and the numbers of ranks are drawn from `seed`, and
/// the latter are named on standard error.
pub(crate) fn check(
    runner: &BenchmarkRunner<'_>,
    (task, settings): (&str, &TaskSettings),
    (rules, work_margin, seed): (&[RunRule], f64, u64),
    lang: Lang,
) -> Result<Vec<BrokenRunRule>> {
    let mut broken = vec![];
    // A version that is disabled earns nothing.
    let is_enabled = settings.status.mpi == VersionStatus::Enabled;
    for &rule in rules.iter().filter(|_| is_enabled) {
        let ranks = draw_ranks(rule.rank_ranges(), seed);
        let drawn = text::run_ranks(lang, task, rule.name(), measure::list(&ranks), seed);
        eprintln!("{}", wrap(&drawn, "", "  ", WIDTH));
        match judge(runner, task, (rule, work_margin, &ranks, seed), lang)? {
            RunRuleVerdict::Kept => {}
            RunRuleVerdict::Broken { reason, remedy } => broken.push(BrokenRunRule { rule, reason, remedy }),
            RunRuleVerdict::Undecided(reason) => broken.push(BrokenRunRule {
                rule,
                reason: source::not_decided(reason),
                remedy: source::remedy_not_decided(),
            }),
        }
    }
    Ok(broken)
}

fn judge(
    runner: &BenchmarkRunner<'_>,
    task: &str,
    (rule, work_margin, ranks, seed): (RunRule, f64, &[u32], u64),
    lang: Lang,
) -> Result<RunRuleVerdict> {
    let description = match rule {
        RunRule::Tree => include_str!("run_rules/tree.yaml"),
        RunRule::DistributesComputing => include_str!("run_rules/distributes-computing.yaml"),
    };
    let (runner, machine) = runner.with_machine(rule.name(), description)?;
    let path = machine.to_string_lossy();
    let (computing, reference) = (rule.computing(), rule == RunRule::DistributesComputing);
    let conditions =
        SimulationConditions { machine: &path, faults: &[], computing, reference, seed: Some(seed) };
    let simulated = runner.simulate(task, &conditions, ranks, None, lang)?;
    Ok(match (simulated.records(lang), simulated.failure) {
        (_, Some(why)) | (Err(why), None) => RunRuleVerdict::not_run(&why),
        (Ok(records), None) => rule.judge(&records, work_margin),
    })
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, path::Path};

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
    fn the_numbers_of_ranks_are_drawn_from_the_seed_one_in_each_range() {
        for rule in RunRule::ALL {
            let ranges = rule.rank_ranges();
            let drawn: Vec<_> = (0..200).map(|seed| draw_ranks(ranges, seed)).collect();
            assert_eq!(drawn[7], draw_ranks(ranges, 7));
            for ranks in &drawn {
                assert_eq!(ranks.len(), ranges.len());
                assert!(ranks.iter().zip(ranges).all(|(ranks, range)| range.contains(ranks)), "{ranks:?}");
            }
            for (at, range) in ranges.iter().enumerate() {
                let numbers: BTreeSet<u32> = drawn.iter().map(|ranks| ranks[at]).collect();
                let count = range.end() - range.start() + 1;
                assert!(numbers.len() as u32 * 2 > count, "{numbers:?} of {range:?}");
            }
        }
        assert_ne!(seed(None).expect("random"), seed(None).expect("random"));
        assert_eq!(seed(Some(5)).expect("given"), 5);
    }

    #[test]
    fn the_names_of_the_rules_are_those_of_the_course() {
        for rule in RunRule::ALL {
            assert_eq!(rule.name(), setting(rule).name());
        }
    }
}
