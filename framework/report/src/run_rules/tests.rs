//! The rules on times that were made up: trees and other transfers, divided computing and other computing.

use wb_record::{MeasuredWorkload, Series, Traffic, example};

use super::*;

/// A pass of a workload on ranks that took so long.
fn pass(version: Version, ranks: u32, run_ns: u64, pipeline_ns: u64) -> Vec<Record> {
    let record = |(mode, elapsed_ns)| {
        let workload = MeasuredWorkload { name: "sine".into(), size: 1000, unit: String::new() };
        let prediction = Prediction {
            series: Series { workload, version, mode, ranks },
            machine: "rule".into(),
            faults: vec![],
            computing: ComputingCost::Measured,
            elapsed_ns,
            worked_ns: 0,
            worked_max_ns: 0,
            traffic: Traffic { messages: 0, bytes: 0, messages_max_rank: 0, bytes_max_rank: 0 },
            correct: Some(true),
        };
        Record { measurement: prediction.into(), ..example() }
    };
    [(TimedRegion::TaskRun, run_ns), (TimedRegion::Pipeline, pipeline_ns)].map(record).into()
}

fn is_broken(rule: RunRule, records: &[Vec<Record>]) -> bool {
    matches!(rule.judge(&records.concat()), RunRuleVerdict::Broken(_))
}

/// The rounds of `transfers` transfers, each a function of the number of ranks.
fn transfers(transfers: &[fn(u32) -> u32]) -> Vec<Vec<Record>> {
    let rounds = |ranks: u32| transfers.iter().map(|transfer| transfer(ranks)).sum::<u32>();
    let of = |ranks: &u32| pass(Version::Mpi, *ranks, 0, 1000 * u64::from(rounds(*ranks)));
    tree::RANKS.iter().map(of).collect()
}

fn binomial(ranks: u32) -> u32 {
    ranks.ilog2()
}

/// Every node sends to two others, one after the other.
fn binary(ranks: u32) -> u32 {
    2 * ranks.ilog2() - 1
}

fn linear(ranks: u32) -> u32 {
    ranks - 1
}

#[test]
fn trees_keep_the_rule_and_lines_and_stars_break_it() {
    for kept in [&[binomial as fn(u32) -> u32][..], &[binary], &[binomial, binomial, binomial, binary]] {
        assert_eq!(RunRule::Tree.judge(&transfers(kept).concat()), RunRuleVerdict::Kept);
    }
    for broken in
        [&[linear as fn(u32) -> u32][..], &[binomial, linear], &[binomial, binary, binomial, linear]]
    {
        assert!(is_broken(RunRule::Tree, &transfers(broken)));
    }
}

/// Milliseconds of `run` and of all stages: of the sequential version, of the parallel one on one rank, and on four.
fn computing(sequential: (u64, u64), alone: (u64, u64), divided: (u64, u64)) -> Vec<Vec<Record>> {
    let versions = [(Version::Seq, 1, sequential), (Version::Mpi, 1, alone), (Version::Mpi, 4, divided)];
    // Of several passes the shortest counts.
    let slow = |(version, ranks, (run, whole))| pass(version, ranks, 9_000_000 * run, 9_000_000 * whole);
    let fast = |(version, ranks, (run, whole))| pass(version, ranks, 1_000_000 * run, 1_000_000 * whole);
    versions.map(slow).into_iter().chain(versions.map(fast)).collect()
}

#[test]
fn divided_computing_keeps_the_rule() {
    let rule = RunRule::DistributesComputing;
    for kept in [
        computing((100, 100), (100, 100), (25, 25)),
        // A transfer that costs more than the computing, a division of three parts among four, a slower sequential version.
        computing((8, 9), (8, 90), (2, 95)),
        computing((90, 90), (90, 95), (60, 65)),
        computing((400, 400), (100, 100), (30, 30)),
    ] {
        assert_eq!(rule.judge(&kept.concat()), RunRuleVerdict::Kept);
    }
}

#[test]
fn computing_on_one_rank_in_another_stage_or_in_vain_breaks_the_rule() {
    let rule = RunRule::DistributesComputing;
    for broken in [
        computing((100, 100), (100, 100), (100, 100)),
        // In another stage, of the parallel version or of both.
        computing((100, 100), (0, 100), (0, 100)),
        computing((0, 100), (0, 100), (0, 100)),
        // Time that is wasted on one rank only.
        computing((100, 100), (400, 400), (100, 100)),
    ] {
        assert!(is_broken(rule, &broken), "{:?}", rule.judge(&broken.concat()));
    }
}

#[test]
fn short_missing_and_wrong_runs_do_not_count_as_kept() {
    let rule = RunRule::DistributesComputing;
    let short = [pass(Version::Mpi, 1, 10, 10), pass(Version::Mpi, 4, 3, 3)].concat();
    assert!(matches!(rule.judge(&short), RunRuleVerdict::Undecided(_)));
    for rule in RunRule::ALL {
        assert!(matches!(rule.judge(&[]), RunRuleVerdict::Undecided(_)));
        assert!(matches!(rule.judge(&pass(Version::Mpi, 1, 5_000_000, 9)), RunRuleVerdict::Undecided(_)));
    }
    let mut wrong = transfers(&[binomial]).concat();
    let Measurement::Prediction(prediction) = &mut wrong[0].measurement else { unreachable!() };
    prediction.correct = Some(false);
    assert!(matches!(RunRule::Tree.judge(&wrong), RunRuleVerdict::Broken(_)));
}
