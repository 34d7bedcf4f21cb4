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

/// A function of the number of ranks.
type OfRanks = fn(u32) -> u32;

/// A transfer of a megabyte: its rounds and its messages in `run`, and the bytes that go before it or after it.
struct Transfer {
    rounds: OfRanks,
    messages: OfRanks,
    other_bytes: u64,
}

impl Transfer {
    const BYTES: u64 = 1_000_000;

    fn passes(&self, ranks: u32) -> Vec<Record> {
        let mut passes = pass(Version::Mpi, ranks, 1000 * u64::from((self.rounds)(ranks)), 1_000_000);
        for (record, bytes) in passes.iter_mut().zip([Self::BYTES, Self::BYTES + self.other_bytes]) {
            let Measurement::Prediction(prediction) = &mut record.measurement else { unreachable!() };
            prediction.computing = ComputingCost::Declared;
            prediction.traffic.messages = (self.messages)(ranks).into();
            prediction.traffic.bytes = bytes;
        }
        passes
    }

    /// The verdict at the drawn numbers of ranks.
    fn judge(&self, drawn: [u32; 3]) -> RunRuleVerdict {
        let ranks = [2].into_iter().chain(drawn);
        RunRule::Tree.judge(&ranks.flat_map(|ranks| self.passes(ranks)).collect::<Vec<_>>(), 0.4)
    }

    /// Whether the verdict is the same with every number of ranks that can be drawn.
    fn is_always(&self, is_meant: fn(&RunRuleVerdict) -> bool) -> bool {
        let [_, few, more, many] = RunRule::Tree.rank_ranges() else { unreachable!() };
        let others = few.clone().cycle().zip(more.clone().cycle());
        many.clone().zip(others).all(|(many, (few, more))| is_meant(&self.judge([few, more, many])))
    }
}

fn sends_over_edges(rounds: OfRanks, messages: OfRanks) -> Transfer {
    Transfer { rounds, messages, other_bytes: 0 }
}

fn binomial(ranks: u32) -> u32 {
    ranks.next_power_of_two().ilog2()
}

/// Every node sends to two others, one after the other.
fn binary(ranks: u32) -> u32 {
    2 * ranks.ilog2()
}

fn linear(ranks: u32) -> u32 {
    ranks - 1
}

fn is_kept(verdict: &RunRuleVerdict) -> bool {
    *verdict == RunRuleVerdict::Kept
}

fn is_refused(verdict: &RunRuleVerdict) -> bool {
    matches!(verdict, RunRuleVerdict::Broken { .. })
}

#[test]
fn trees_keep_the_rule_at_all_numbers_of_ranks() {
    for (rounds, messages) in [
        (binomial as OfRanks, linear as OfRanks),
        (binary, linear),
        (|ranks| 3 * binomial(ranks) + binary(ranks), |ranks| 4 * linear(ranks)),
        // Recursive doubling: every rank sends in every round.
        (binomial, |ranks| ranks * binomial(ranks)),
    ] {
        assert!(sends_over_edges(rounds, messages).is_always(is_kept));
    }
    // The operands of a reduction reach the ranks before.
    let reduction = Transfer { other_bytes: 2 * Transfer::BYTES, ..sends_over_edges(binomial, linear) };
    assert!(reduction.is_always(is_kept));
}

#[test]
fn lines_and_stars_break_the_rule_at_all_numbers_of_ranks() {
    for (rounds, messages) in [
        (linear as OfRanks, linear as OfRanks),
        (|ranks| binomial(ranks) + linear(ranks), |ranks| 2 * linear(ranks)),
        (|ranks| 2 * binomial(ranks) + binary(ranks) + linear(ranks), |ranks| 4 * linear(ranks)),
        // Messages without use at P = 2, or at all others.
        (|ranks| if ranks == 2 { 100 } else { linear(ranks) }, linear),
        (linear, |ranks| 100 * linear(ranks)),
    ] {
        assert!(sends_over_edges(rounds, messages).is_always(is_refused));
    }
}

#[test]
fn a_tree_at_numbers_of_ranks_that_were_known_breaks_the_rule() {
    let cheat = |ranks| if [2, 32, 128].contains(&ranks) { binomial(ranks) } else { linear(ranks) };
    assert!(sends_over_edges(cheat, linear).is_always(is_refused));
}

#[test]
fn a_transfer_that_is_not_in_run_breaks_the_rule() {
    let tree = || sends_over_edges(binomial, linear);
    for moved in [
        Transfer { other_bytes: 4 * Transfer::BYTES, ..tree() },
        Transfer { messages: |ranks| ranks / 2, ..tree() },
        // What was sent in `run` is received after it.
        Transfer { rounds: |_| 0, ..tree() },
    ] {
        assert!(moved.is_always(is_refused));
    }
}

/// What a version computes, in milliseconds: on the longest way through `run`, on its busiest rank in all stages, and on all ranks.
type Computing = (u64, u64, u64);

/// The shortest of two measured passes.
fn measured(version: Version, ranks: u32, (run, most, all): Computing) -> Vec<Record> {
    let of = |factor: u64| {
        let mut records = pass(version, ranks, run * factor * 1_000_000, most * factor * 1_000_000);
        for record in &mut records {
            let Measurement::Prediction(prediction) = &mut record.measurement else { unreachable!() };
            prediction.worked_max_ns = most * factor * 1_000_000;
            prediction.worked_ns = all * factor * 1_000_000;
        }
        records
    };
    [of(9), of(1)].concat()
}

/// The verdict, with a margin of 40 %, on a parallel version that computes this on one rank, on 5 and on 16, where the reference computes
/// for 100 ms.
fn judged(alone: Computing, few: Computing, many: Computing) -> RunRuleVerdict {
    let parallel = [(1, alone), (5, few), (16, many)];
    let parallel = parallel.map(|(ranks, computing)| measured(Version::Mpi, ranks, computing)).concat();
    let reference = measured(Version::Reference, 1, (100, 100, 100));
    RunRule::DistributesComputing.judge(&[parallel, reference].concat(), 0.4)
}

#[test]
fn divided_computing_keeps_the_rule() {
    for (alone, few, many) in [
        ((100, 100, 100), (20, 20, 100), (7, 7, 100)),
        // Stages before `run` that one rank computes, and work that every rank repeats.
        ((100, 110, 110), (20, 45, 130), (7, 30, 160)),
        // A division of three parts among more, and another algorithm that does more.
        ((140, 140, 140), (50, 50, 140), (40, 45, 150)),
        // A sort whose last merge is one rank's.
        ((100, 100, 100), (83, 59, 110), (60, 40, 120)),
    ] {
        assert_eq!(judged(alone, few, many), RunRuleVerdict::Kept, "{few:?}");
    }
}

fn is_not_divided(verdict: &RunRuleVerdict) -> bool {
    matches!(verdict, RunRuleVerdict::Broken { reason, .. } if reason.en.contains("is not divided"))
}

#[test]
fn computing_that_is_not_divided_breaks_the_rule() {
    let alone = (100, 100, 100);
    for (few, many) in [
        ((100, 100, 100), (100, 100, 100)),
        // Every rank computes everything, or one after the other.
        ((92, 92, 460), (92, 92, 1472)),
        ((100, 20, 100), (100, 7, 100)),
        // At one number of ranks only.
        ((20, 20, 100), (100, 100, 100)),
        ((100, 100, 100), (7, 7, 100)),
    ] {
        assert!(is_not_divided(&judged(alone, few, many)), "{few:?}");
    }
    // Time that is wasted on one rank only.
    assert!(is_not_divided(&judged((400, 400, 400), (100, 100, 500), (100, 100, 1600))));
}

/// Work in another stage, on one rank or on each, and less work than the problem has: a better algorithm, or none.
#[test]
fn work_in_other_stages_and_less_work_are_questions() {
    let alone = (100, 100, 100);
    for (alone, few, many, words) in [
        // 46 % in `preprocessing` on every rank.
        (
            alone,
            (11, 57, 284),
            (4, 49, 790),
            "P = 16 one rank computes 49.00 ms in all stages, 49 % of the 100.00 ms",
        ),
        (alone, (20, 70, 150), (7, 7, 100), "an even division with the margin of the course is 60 %"),
        ((49, 49, 49), (20, 20, 100), (7, 7, 100), "P = 1 all ranks together compute 49.00 ms"),
        (alone, (10, 10, 49), (7, 7, 100), "P = 5 all ranks together compute 49.00 ms"),
        ((0, 0, 0), (0, 0, 0), (0, 0, 0), "less than half of the 100.00 ms"),
    ] {
        let RunRuleVerdict::Broken { reason, remedy } = judged(alone, few, many) else { panic!("{few:?}") };
        assert!(remedy.en.contains("ask your instructor"), "{remedy}");
        assert!(reason.en.contains(words), "{reason}");
    }
}

#[test]
fn without_a_reference_the_sequential_version_takes_its_place() {
    let parallel = [(1, 30), (4, 9), (12, 5)].map(|(ranks, ms)| measured(Version::Mpi, ranks, (ms, ms, 30)));
    let seq = measured(Version::Seq, 1, (100, 100, 100));
    let rule = RunRule::DistributesComputing;
    assert_eq!(rule.judge(&parallel.concat(), 0.4), RunRuleVerdict::Kept, "nothing else is known");
    let verdict = rule.judge(&[parallel.concat(), seq].concat(), 0.4);
    assert!(matches!(verdict, RunRuleVerdict::Broken { .. }), "{verdict:?}");
}

#[test]
fn short_missing_and_wrong_runs_do_not_count_as_kept() {
    let rule = RunRule::DistributesComputing;
    let short = [pass(Version::Mpi, 1, 10, 10), pass(Version::Mpi, 4, 3, 3)].concat();
    assert!(matches!(rule.judge(&short, 0.4), RunRuleVerdict::Undecided(_)));
    for rule in RunRule::ALL {
        assert!(matches!(rule.judge(&[], 0.4), RunRuleVerdict::Undecided(_)));
        assert!(matches!(
            rule.judge(&pass(Version::Mpi, 1, 5_000_000, 9), 0.4),
            RunRuleVerdict::Undecided(_)
        ));
    }
    let tree = sends_over_edges(binomial, linear);
    assert!(matches!(tree.judge([24, 48, 49]), RunRuleVerdict::Undecided(_)), "no number of the last range");
    let mut wrong = [2, 24, 48, 96].map(|ranks| tree.passes(ranks)).concat();
    assert_eq!(RunRule::Tree.judge(&wrong, 0.4), RunRuleVerdict::Kept);
    let Measurement::Prediction(prediction) = &mut wrong[0].measurement else { unreachable!() };
    prediction.correct = Some(false);
    for rule in RunRule::ALL {
        let RunRuleVerdict::Broken { reason, remedy } = rule.judge(&wrong, 0.4) else { panic!("{rule:?}") };
        assert!(reason.en.contains("MPI for the workload `sine` is wrong at P = 2"), "{reason}");
        assert!(remedy.en.contains("cargo wb simulate -p TASK -n 2 --workload sine"), "{remedy}");
    }
}
