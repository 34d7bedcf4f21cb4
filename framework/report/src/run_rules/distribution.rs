//! Distributed computing: `run` on several ranks computes a part on each, and computes at all.
//!
//! On the machine of this rule messages are free, so a pass of `run` takes as long as the rank computes that computes most, together
//! with what others must compute before it. An even division on four ranks takes a quarter of the time on one. A parallel sort takes more,
//! because its last merge is one rank's. One rank that computes everything takes all of it, and so do ranks that compute the same.
//!
//! A version that declares its work is judged by what it declares, which other programs on this computer do not change. Its processor time
//! is compared with that of the assignment's reference, and only refutes a declaration that is far from it: a version that computes
//! everything on each rank and declares a part, or that wastes time on one rank only so that several ranks look faster.

use std::ops::RangeInclusive;

use wb_record::{ComputingCost, TimedRegion, Version};
use wb_text::{Text, number, source as text};

use super::{RunRule, RunRuleVerdict, SimulatedPasses};

/// One rank, and numbers of ranks at which every algorithm of the course divides its work.
pub(super) const RANKS: [RangeInclusive<u32>; 3] = [1..=1, 4..=8, 9..=16];

/// A `run` that computes more than this share of what one rank computes has not divided its work. A correct sort with the fastest sort of
/// the standard library for its blocks and a plain merge was seen to take 0.83 on 5 ranks and 0.89 on 7.
const SHARE_MAX: f64 = 0.9;

/// A declaration is refuted where `run` takes more than this share of the reference's time...
const REFUTED_SHARE_MIN: f64 = 0.75;

/// ...and this factor more than it declares.
const REFUTED_FACTOR: f64 = 1.5;

/// The base may be this much faster than the parallel version on one rank before it takes its place: a parallel version that
/// wastes time on one rank only would look as if it divided it. One that does the work of the base on one of several ranks must
/// stay above [`SHARE_MAX`] of it, so the product of both is below 1.
const SLOWDOWN_MAX: f64 = 1.08;

/// A parallel version that computes less than this share of what the reference computes has a better algorithm, or does not solve the problem
/// for each input: an instructor decides.
const LEAST_WORK: f64 = 0.5;

/// A shorter `run` is not measured well enough, in nanoseconds.
const MIN_NS: u64 = 1_000_000;

/// Less work is not declared by a task that declares its work, in nanoseconds of the rule's machine.
const MIN_DECLARED_NS: u64 = 1_000;

/// The `run` of a version that computes elsewhere is below this share of its own stages together...
const MOVED_SHARE_OF_OWN: f64 = 0.02;

/// ...and below this share of the stages of the base, which has no transfers.
const MOVED_SHARE_OF_BASE: f64 = 0.05;

pub(super) fn judge(passes: &SimulatedPasses<'_>) -> RunRuleVerdict {
    let undecided = || RunRuleVerdict::Undecided(text::no_virtual_runs());
    passes.judge_each(|workload| find(passes, workload).unwrap_or_else(undecided))
}

/// The verdict; `None` without the passes that decide it.
fn find(passes: &SimulatedPasses<'_>, workload: &str) -> Option<RunRuleVerdict> {
    let ns = |computing, pass| passes.shortest(workload, computing, pass).map(|pass| pass.elapsed_ns);
    let measured = |version, region, ranks| ns(ComputingCost::Measured, (version, region, ranks));
    let declared = |ranks| ns(ComputingCost::Declared, (Version::Mpi, TimedRegion::TaskRun, ranks));
    // The student's sequential version where the task has no assignment.
    let base = |region| measured(Version::Reference, region, 1).or_else(|| measured(Version::Seq, region, 1));
    let rule = RunRule::DistributesComputing;
    let ranks = passes.ranks_in(workload, &RANKS)?;
    let alone = measured(Version::Mpi, TimedRegion::TaskRun, 1)?;
    let stages = measured(Version::Mpi, TimedRegion::Pipeline, 1)?;
    if let Some(base) = base(TimedRegion::Pipeline)
        && base >= MIN_NS
        && (alone as f64) < MOVED_SHARE_OF_OWN * stages as f64
        && (alone as f64) < MOVED_SHARE_OF_BASE * base as f64
    {
        let [alone, stages, base] = [alone, stages, base].map(milliseconds);
        return Some(rule.broken(text::computing_moved(alone, stages, base)));
    }
    if let Some(reference) = measured(Version::Reference, TimedRegion::TaskRun, 1)
        && reference >= MIN_NS
        && (alone as f64) < LEAST_WORK * reference as f64
    {
        let [alone, reference] = [alone, reference].map(milliseconds);
        return Some(RunRuleVerdict::Undecided(text::less_work(alone, reference)));
    }
    if alone < MIN_NS {
        return Some(RunRuleVerdict::Undecided(text::run_too_short(milliseconds(alone))));
    }
    let fastest = base(TimedRegion::TaskRun)
        .map_or(alone as f64, |base| (SLOWDOWN_MAX * base as f64).min(alone as f64));
    let declared_alone = declared(1).filter(|ns| *ns >= MIN_DECLARED_NS);
    for &ranks in &ranks[1..] {
        let run = measured(Version::Mpi, TimedRegion::TaskRun, ranks)?;
        let share = declared_alone.and_then(|alone| Some(declared(ranks)? as f64 / alone as f64));
        if let Some(share) = share.filter(|share| *share > SHARE_MAX) {
            return Some(rule.broken(text::work_not_divided(ranks, format!("{:.0}", 100.0 * share))));
        }
        let max = share.map_or(SHARE_MAX, |share| REFUTED_SHARE_MIN.max(REFUTED_FACTOR * share));
        if run as f64 > max * fastest {
            let [run, fastest] = [run, fastest as u64].map(milliseconds);
            return Some(rule.broken(text::computing_not_divided(ranks, run, fastest)));
        }
    }
    Some(RunRuleVerdict::Kept)
}

fn milliseconds(ns: u64) -> Text {
    number::fixed_text(ns as f64 / 1e6, 2)
}
