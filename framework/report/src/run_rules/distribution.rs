//! Distributed computing: `run` on several ranks computes a part on each, and computes at all.
//!
//! On the machine of this rule messages are free, so a pass of `run` takes as long as the rank computes that computes longest, together
//! with what others must compute before it. An even division on four ranks takes a quarter of the time on one. A parallel sort takes more,
//! because its last merge is one rank's. One rank that computes everything takes all of it, and so do ranks that compute the same.

use std::ops::RangeInclusive;

use wb_record::{TimedRegion, Version};
use wb_text::{Text, number, source as text};

use super::{RunRuleVerdict, SimulatedPasses};

/// One rank, and numbers of ranks at which every algorithm of the course divides its work.
pub(super) const RANKS: [RangeInclusive<u32>; 3] = [1..=1, 4..=8, 9..=16];

/// A `run` that takes more than this share of the time on one rank has not divided its work. A correct sort with the fastest sort of the
/// standard library for its blocks and a plain merge was seen to take 0.83 on 5 ranks and 0.89 on 7.
const SHARE_MAX: f64 = 0.9;

/// The sequential version may be this much faster than the parallel one on one rank before it is the base: a parallel version that
/// wastes time on one rank only would look as if it divided it. One that does the sequential version's work on one of several ranks must
/// stay above [`SHARE_MAX`] of the base, so the product of both is below 1.
const SLOWDOWN_MAX: f64 = 1.08;

/// A shorter `run` is not measured well enough, in nanoseconds.
const MIN_NS: u64 = 1_000_000;

/// The `run` of a version that computes elsewhere is below this share of its own stages together...
const MOVED_SHARE_OF_OWN: f64 = 0.02;

/// ...and below this share of the stages of the sequential version, which have no transfers.
const MOVED_SHARE_OF_SEQ: f64 = 0.05;

pub(super) fn judge(passes: &SimulatedPasses<'_>) -> RunRuleVerdict {
    passes.judge_each(|workload| {
        let run = |version, ranks| passes.shortest_ns(workload, version, TimedRegion::TaskRun, ranks);
        let whole = |version| passes.shortest_ns(workload, version, TimedRegion::Pipeline, 1);
        let divided = passes.ranks_in(workload, &RANKS).and_then(|ranks| {
            let time = |&ranks: &u32| Some((ranks, run(Version::Mpi, ranks)?));
            ranks[1..].iter().map(time).collect::<Option<Vec<_>>>()
        });
        let (Some(alone), Some(divided), Some(stages)) = (run(Version::Mpi, 1), divided, whole(Version::Mpi))
        else {
            return RunRuleVerdict::Undecided(text::no_virtual_runs());
        };
        if let Some(sequential) = whole(Version::Seq)
            && sequential >= MIN_NS
            && (alone as f64) < MOVED_SHARE_OF_OWN * stages as f64
            && (alone as f64) < MOVED_SHARE_OF_SEQ * sequential as f64
        {
            let why =
                text::computing_moved(milliseconds(alone), milliseconds(stages), milliseconds(sequential));
            return RunRuleVerdict::Broken(why);
        }
        if alone < MIN_NS {
            return RunRuleVerdict::Undecided(text::run_too_short(milliseconds(alone)));
        }
        let base = run(Version::Seq, 1)
            .map_or(alone as f64, |sequential| (SLOWDOWN_MAX * sequential as f64).min(alone as f64));
        match divided.into_iter().find(|(_, ns)| *ns as f64 > SHARE_MAX * base) {
            None => RunRuleVerdict::Kept,
            Some((ranks, ns)) => RunRuleVerdict::Broken(text::computing_not_divided(
                ranks,
                milliseconds(ns),
                milliseconds(alone),
            )),
        }
    })
}

fn milliseconds(ns: u64) -> Text {
    number::fixed_text(ns as f64 / 1e6, 2)
}
