//! Distributed computing: every rank computes a part of the work, in all stages together, and all ranks together do the work.
//!
//! On the machine of this rule messages are free and computing costs the processor time that it takes here, of each rank by itself and
//! without its waiting. The best known sequential work is the least of the reference's, of the sequential version's, and of the
//! parallel version's on one rank.
//!
//! An even division on four ranks takes a quarter of that. One rank that computes everything takes all of it, and so do ranks that
//! compute the same. But so does a division whose last merge, or whose kernel, is slower than the reference. Therefore all that is not even
//! is a question for an instructor, with its numbers: a `run` that takes about as long as the best one on one rank, a rank that computes
//! much more than an even part, in whatever stage, and ranks that together compute less than half of the reference's work.

use std::ops::RangeInclusive;

use wb_record::{ComputingCost, Prediction, TimedRegion, Version};
use wb_text::{Text, number, source as text};

use super::{RunRuleVerdict, SimulatedPasses};

/// One rank, and numbers of ranks at which every algorithm of the course divides its work.
pub(super) const RANKS: [RangeInclusive<u32>; 3] = [1..=1, 4..=8, 12..=16];

/// A `run` that takes more than this share of the best one on one rank has not divided its work. A correct sort with the fastest sort of
/// the standard library for its blocks and a plain merge was seen to take 0.83 on 5 ranks and 0.89 on 7.
const SHARE_MAX: f64 = 0.9;

/// The base may be this much faster than the parallel version on one rank before it takes its place: a parallel version that
/// wastes time on one rank only would look as if it divided it. One that does the work of the base on one of several ranks must
/// stay above [`SHARE_MAX`] of it, so the product of both is below 1.
const SLOWDOWN_MAX: f64 = 1.08;

/// Ranks that together compute less than this share of the reference's work have a better algorithm, or do not solve the problem for each
/// input.
const LEAST_WORK: f64 = 0.5;

/// A shorter `run` is not measured well enough, in nanoseconds.
const MIN_NS: u64 = 1_000_000;

pub(super) fn judge(passes: &SimulatedPasses<'_>) -> RunRuleVerdict {
    let undecided = || RunRuleVerdict::Undecided(text::no_virtual_runs());
    passes.judge_each(|workload| find(passes, workload).unwrap_or_else(undecided))
}

/// The verdict; `None` without the passes that decide it.
fn find(passes: &SimulatedPasses<'_>, workload: &str) -> Option<RunRuleVerdict> {
    let pass =
        |version, region, ranks| passes.shortest(workload, ComputingCost::Measured, (version, region, ranks));
    let mpi = |region, ranks| pass(Version::Mpi, region, ranks);
    let ranks = passes.ranks_in(workload, &RANKS)?;
    let sequential =
        [Version::Reference, Version::Seq].map(|version| pass(version, TimedRegion::Pipeline, 1));
    // The student's sequential version where the task has no assignment.
    let reference = sequential.into_iter().flatten().next();
    for &ranks in &ranks {
        let worked = mpi(TimedRegion::Pipeline, ranks)?.worked_ns;
        let enough =
            |of: &&Prediction| of.worked_ns < MIN_NS || worked as f64 >= LEAST_WORK * of.worked_ns as f64;
        if let Some(reference) = reference.filter(|of| !enough(of)) {
            let [worked, whole] = [worked, reference.worked_ns].map(milliseconds);
            return Some(undecided_by_rules(text::less_work(ranks, worked, whole)));
        }
    }
    let alone = mpi(TimedRegion::TaskRun, 1)?.elapsed_ns;
    if alone < MIN_NS {
        return Some(RunRuleVerdict::Undecided(text::run_too_short(milliseconds(alone))));
    }
    let best = |region| {
        let versions = [Version::Reference, Version::Seq, Version::Mpi];
        versions.into_iter().filter_map(|version| pass(version, region, 1)).map(|pass| pass.elapsed_ns).min()
    };
    let fastest = (SLOWDOWN_MAX * best(TimedRegion::TaskRun)? as f64).min(alone as f64);
    let whole = best(TimedRegion::Pipeline)?;
    for &ranks in &ranks[1..] {
        let run = mpi(TimedRegion::TaskRun, ranks)?.elapsed_ns;
        if run as f64 > SHARE_MAX * fastest {
            let [run, fastest] = [run, fastest as u64].map(milliseconds);
            let reason = text::computing_not_divided(ranks, run, fastest);
            return Some(undecided_by_rules(reason));
        }
        let most = mpi(TimedRegion::Pipeline, ranks)?.worked_max_ns;
        let (share, allowed) = (most as f64 / whole as f64, 1.0 / f64::from(ranks) + passes.work_margin);
        if share > allowed {
            let [most, whole] = [most, whole].map(milliseconds);
            let [share, allowed] = [share, allowed].map(|share| format!("{:.0}", 100.0 * share));
            return Some(undecided_by_rules(text::rank_works_more(ranks, most, share, whole, allowed)));
        }
    }
    Some(RunRuleVerdict::Kept)
}

/// What an instructor decides: no points until then.
fn undecided_by_rules(reason: Text) -> RunRuleVerdict {
    RunRuleVerdict::Broken { reason, remedy: text::remedy_question() }
}

fn milliseconds(ns: u64) -> Text {
    number::fixed_text(ns as f64 / 1e6, 2)
}
