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
    matches!(rule.judge(&records.concat()), RunRuleVerdict::Broken { .. })
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
        RunRule::Tree.judge(&ranks.flat_map(|ranks| self.passes(ranks)).collect::<Vec<_>>())
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

/// Milliseconds of `run` and of all stages: of the sequential version, of the parallel one on one rank, and on four.
fn computing(sequential: (u64, u64), alone: (u64, u64), divided: (u64, u64)) -> Vec<Vec<Record>> {
    let versions = [
        (Version::Seq, 1, sequential),
        (Version::Mpi, 1, alone),
        (Version::Mpi, 5, divided),
        (Version::Mpi, 16, divided),
    ];
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
        // A sort whose last merge is one rank's.
        computing((63, 63), (63, 63), (56, 56)),
    ] {
        assert_eq!(rule.judge(&kept.concat()), RunRuleVerdict::Kept);
    }
}

/// Passes of these milliseconds of `run` on 1, 5 and 16 ranks.
fn runs(computing: ComputingCost, [alone, few, many]: [u64; 3]) -> Vec<Record> {
    let mut passes = [(1, alone), (5, few), (16, many)]
        .map(|(ranks, run)| pass(Version::Mpi, ranks, 1_000_000 * run, 1_000_000 * run))
        .concat();
    for record in &mut passes {
        let Measurement::Prediction(prediction) = &mut record.measurement else { unreachable!() };
        prediction.computing = computing;
    }
    passes
}

#[test]
fn the_base_is_the_reference_of_the_assignment_and_not_a_slow_sequential_version() {
    let rule = RunRule::DistributesComputing;
    // Both versions compute five times on one rank, and on several ranks every one computes everything once.
    let slow = pass(Version::Seq, 1, 500_000_000, 500_000_000);
    let own = [slow, runs(ComputingCost::Measured, [500, 100, 100])].concat();
    assert_eq!(rule.judge(&own), RunRuleVerdict::Kept, "nothing else is known");
    let reference = pass(Version::Reference, 1, 100_000_000, 100_000_000);
    assert!(is_broken(rule, &[own, reference]));
}

/// A better algorithm, or one that does not solve the problem for each input: the instructor decides.
#[test]
fn much_less_work_than_that_of_the_reference_is_not_decided() {
    let rule = RunRule::DistributesComputing;
    for (alone, is_decided) in [(60, true), (49, false), (0, false)] {
        let own = runs(ComputingCost::Measured, [alone, alone / 4, alone / 4]);
        let reference = pass(Version::Reference, 1, 100_000_000, 100_000_000);
        let verdict = rule.judge(&[own, reference].concat());
        assert_eq!(matches!(verdict, RunRuleVerdict::Undecided(_)), !is_decided, "{alone}: {verdict:?}");
    }
}

#[test]
fn what_is_declared_decides_unless_what_is_measured_is_far_from_it() {
    let rule = RunRule::DistributesComputing;
    for (declared, measured, is_kept) in [
        (Some(25), 30, true),
        (Some(25), 70, true),
        // A sort, without and with the load of other programs.
        (Some(85), 80, true),
        (Some(85), 115, true),
        (Some(95), 80, false),
        (Some(100), 104, false),
        // Every rank computes everything and declares a part.
        (Some(25), 95, false),
        (None, 88, true),
        (None, 92, false),
    ] {
        let mut passes = runs(ComputingCost::Measured, [100, measured, measured]);
        let declared = declared.map_or([0; 3], |share| [100, share, share]);
        passes.extend(runs(ComputingCost::Declared, declared));
        assert_eq!(is_broken(rule, &[passes]), !is_kept, "{declared:?}, {measured}");
    }
}

#[test]
fn computing_that_is_divided_at_one_number_of_ranks_only_breaks_the_rule() {
    for undivided in [[100, 25, 100], [100, 100, 25]] {
        let passes = runs(ComputingCost::Measured, undivided);
        assert!(is_broken(RunRule::DistributesComputing, &[passes]), "{undivided:?}");
    }
}

#[test]
fn computing_on_one_rank_in_another_stage_or_in_vain_breaks_the_rule() {
    let rule = RunRule::DistributesComputing;
    for broken in [
        computing((100, 100), (100, 100), (100, 100)),
        computing((100, 100), (100, 100), (92, 92)),
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
    let tree = sends_over_edges(binomial, linear);
    assert!(matches!(tree.judge([24, 48, 49]), RunRuleVerdict::Undecided(_)), "no number of the last range");
    let mut wrong = [2, 24, 48, 96].map(|ranks| tree.passes(ranks)).concat();
    assert_eq!(RunRule::Tree.judge(&wrong), RunRuleVerdict::Kept);
    let Measurement::Prediction(prediction) = &mut wrong[0].measurement else { unreachable!() };
    prediction.correct = Some(false);
    for rule in RunRule::ALL {
        let RunRuleVerdict::Broken { reason, remedy } = rule.judge(&wrong) else { panic!("{rule:?}") };
        assert!(reason.en.contains("MPI for the workload `sine` is wrong at P = 2"), "{reason}");
        assert!(remedy.en.contains("cargo wb simulate -p TASK -n 2 --workload sine"), "{remedy}");
    }
}
