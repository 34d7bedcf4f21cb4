//! Rules of a variant that runs in virtual time decide: a pure function of the simulated records.
//!
//! Each rule has a machine on which only one thing costs time, so the times answer one question.
//!
//! | rule | machine | question |
//! |---|---|---|
//! | `tree` | every message takes one round of its sender's and of its receiver's port; computing is free | how many rounds follow one another? |
//! | `distributes-computing` | messages are free; computing costs what it takes here | how much does each rank compute, and all together? |
//!
//! Of several measured passes the shortest counts, because other programs only make a pass longer.
//!
//! The numbers of ranks are drawn anew for each decision, one from each range of [`RunRule::rank_ranges`]: a task that keeps the rule
//! at some numbers only breaks it at others.

mod distribution;
mod tree;

use std::ops::RangeInclusive;

use wb_record::{ComputingCost, Measurement, Prediction, Record, Series, TimedRegion, Version};
use wb_text::{Text, source as text};

/// A rule that runs in virtual time decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunRule {
    /// Data take a path over a tree of ranks.
    Tree,
    /// Every rank computes a part.
    DistributesComputing,
}

/// The verdict of the records on a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum RunRuleVerdict {
    /// The rule is kept.
    Kept,
    /// The rule is broken: the reason, and what a student should do instead.
    Broken {
        /// The reason.
        reason: Text,
        /// The remedy.
        remedy: Text,
    },
    /// The records cannot decide it, and why.
    Undecided(Text),
}

impl RunRule {
    /// Every such rule.
    pub const ALL: [Self; 2] = [Self::Tree, Self::DistributesComputing];

    /// The name in `course.yaml`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::DistributesComputing => "distributes-computing",
        }
    }

    /// The ranges from each of which one number of ranks is drawn; the first one has a single number, the unit of the others.
    pub const fn rank_ranges(self) -> &'static [RangeInclusive<u32>] {
        match self {
            Self::Tree => &tree::RANKS,
            Self::DistributesComputing => &distribution::RANKS,
        }
    }

    /// What computing costs in these runs.
    pub const fn computing(self) -> ComputingCost {
        match self {
            Self::Tree => ComputingCost::Declared,
            Self::DistributesComputing => ComputingCost::Measured,
        }
    }

    /// Decides by the records of simulated runs of one task on the machine of the rule. `work_margin` is the share of the whole work that
    /// a rank may do besides an even part.
    pub fn judge(self, records: &[Record], work_margin: f64) -> RunRuleVerdict {
        let passes = SimulatedPasses { records, work_margin };
        match self {
            Self::Tree => tree::judge(&passes),
            Self::DistributesComputing => distribution::judge(&passes),
        }
    }
}

/// The simulated passes of a task.
struct SimulatedPasses<'a> {
    records: &'a [Record],
    work_margin: f64,
}

impl RunRuleVerdict {
    /// The task does not run in virtual time, and why: the rule itself cannot be judged.
    pub fn not_run(why: &str) -> Self {
        let remedy = text::remedy_virtual_time("");
        Self::Broken { reason: text::virtual_run_failed(why), remedy }
    }
}

impl SimulatedPasses<'_> {
    fn all(&self) -> impl Iterator<Item = &Prediction> {
        self.records.iter().filter_map(|record| match &record.measurement {
            Measurement::Prediction(prediction) => Some(prediction),
            _ => None,
        })
    }

    /// The names of the workloads, each once.
    fn workloads(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.all().map(|pass| pass.series.workload.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The number of ranks of the parallel version's passes in each of these ranges; `None` where a range has none.
    fn ranks_in(&self, workload: &str, ranges: &[RangeInclusive<u32>]) -> Option<Vec<u32>> {
        let of_workload = || {
            let is_meant = |pass: &&Prediction| {
                pass.series.workload.name == workload && pass.series.version == Version::Mpi
            };
            self.all().filter(is_meant).map(|pass| pass.series.ranks)
        };
        ranges.iter().map(|range| of_workload().find(|ranks| range.contains(ranks))).collect()
    }

    /// The shortest pass.
    fn shortest(
        &self,
        workload: &str,
        computing: ComputingCost,
        (version, mode, ranks): (Version, TimedRegion, u32),
    ) -> Option<&Prediction> {
        let is_meant = |pass: &&Prediction| {
            let series = &pass.series;
            (series.workload.name.as_str(), pass.computing) == (workload, computing)
                && (series.version, series.mode, series.ranks) == (version, mode, ranks)
        };
        self.all().filter(is_meant).min_by_key(|pass| pass.elapsed_ns)
    }

    /// The first verdict of the workloads that is not [`RunRuleVerdict::Kept`]; without workloads nothing is decided.
    fn judge_each(&self, judge: impl Fn(&str) -> RunRuleVerdict) -> RunRuleVerdict {
        if let Some(wrong) = self.all().find(|pass| pass.correct == Some(false)) {
            let Series { version, workload, ranks, .. } = &wrong.series;
            let version = if *version == Version::Mpi { "MPI" } else { "SEQ" };
            let again = format!(" -n {ranks} --workload {}", workload.name);
            return RunRuleVerdict::Broken {
                reason: text::wrong_in_virtual_time(version, &workload.name, *ranks),
                remedy: text::remedy_virtual_time(again),
            };
        }
        let mut verdicts: Vec<_> = self.workloads().into_iter().map(judge).collect();
        let broken = verdicts.iter().position(|verdict| matches!(verdict, RunRuleVerdict::Broken { .. }));
        match (broken, verdicts.is_empty()) {
            (_, true) => RunRuleVerdict::Undecided(text::no_virtual_runs()),
            (Some(at), _) => verdicts.swap_remove(at),
            // One workload that is long enough decides.
            (None, _) if verdicts.contains(&RunRuleVerdict::Kept) => RunRuleVerdict::Kept,
            (None, _) => verdicts.swap_remove(0),
        }
    }
}

#[cfg(test)]
mod tests;
