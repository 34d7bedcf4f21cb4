//! Laws of all grades, on random evidence.

use super::examples::Case;
use proptest::prelude::*;
use wb_course::{
    BrokenRule, CommunicationEvidence, CommunicationRule, Evidence, FailedTest, Letter, MeasuredInterval,
    PerformanceDoubt, PerformanceEvidence, PerformanceGap, Points, ReportSection, ScalingEvidence,
    SectionState, SolutionPart, VersionEvidence,
};
use wb_text::Text;

fn interval() -> impl Strategy<Value = MeasuredInterval> {
    (0.0..150.0_f64, 0.0..20.0_f64, 0.0..20.0_f64, 1_u32..64).prop_map(|(value, below, above, ranks)| {
        MeasuredInterval { low: (value - below).max(0.0), value, high: value + above, ranks }
    })
}

fn version() -> impl Strategy<Value = VersionEvidence> {
    (any::<bool>(), 0_u32..9, 0_u32..9, 0_u32..3, 0_u32..3).prop_map(
        |(enabled, passed, on_mpi, skipped, failed)| {
            let failure = |ranks| FailedTest {
                test: "sums".into(),
                ranks,
                backend: "mpi".into(),
                outcome: "fail".into(),
                reason: "wrong".into(),
            };
            let failures = (0..failed).map(failure).collect();
            VersionEvidence { enabled, passed, passed_on_mpi: on_mpi.min(passed), skipped, failed, failures }
        },
    )
}

fn performance() -> impl Strategy<Value = PerformanceEvidence> {
    let doubts =
        || proptest::sample::subsequence(vec![PerformanceDoubt::Quick, PerformanceDoubt::Waits], 0..=1);
    let scaling = (interval(), interval(), any::<bool>(), doubts()).prop_map(
        |(speedup, efficiency, has_interval, doubts)| {
            PerformanceEvidence::Scaling(ScalingEvidence {
                workload: "n".into(),
                region: "task_run".into(),
                base: "seq".into(),
                speedup,
                efficiency,
                pipeline_speedup: None,
                has_interval,
                doubts,
            })
        },
    );
    let counts = (0_u32..5, 0_u32..5);
    let communication = (proptest::collection::vec(interval(), 0..6), counts, doubts()).prop_map(
        |(ratios, (a, b), doubts)| {
            PerformanceEvidence::Communication(CommunicationEvidence {
                library_call: "MPI_Bcast".into(),
                ranks: 4,
                counted: a.max(b),
                counts_right: a.min(b),
                ratios,
                doubts,
            })
        },
    );
    let missing = Just(PerformanceEvidence::missing(PerformanceGap::TooShort));
    prop_oneof![scaling, communication, missing]
}

fn sections() -> impl Strategy<Value = Vec<ReportSection>> {
    let state = prop_oneof![
        Just(SectionState::Written),
        Just(SectionState::Short),
        Just(SectionState::Template),
        Just(SectionState::Missing)
    ];
    let section = |(at, state): (usize, SectionState)| ReportSection {
        number: at as u8 + 1,
        title: Text::new("Title", "Заголовок"),
        state,
        words: 3,
    };
    proptest::collection::vec(state, 0..10)
        .prop_map(move |states| states.into_iter().enumerate().map(section).collect())
}

fn broken() -> impl Strategy<Value = Vec<BrokenRule>> {
    let part = prop_oneof![Just(None), Just(Some(SolutionPart::Seq)), Just(Some(SolutionPart::Mpi))];
    let rule = part.prop_map(|part| BrokenRule {
        rule: "world".into(),
        part,
        file: "src/lib.rs".into(),
        line: 1,
        text: Text::new("found", "найдено"),
        remedy: None,
    });
    proptest::collection::vec(rule, 0..2)
}

/// A case with random evidence, of a computation or a communication assignment.
fn case() -> impl Strategy<Value = Case> {
    let hours = 0_i64..2000;
    let versions = (version(), version());
    (versions, performance(), sections(), broken(), hours, any::<[bool; 3]>()).prop_map(
        |(
            (seq, mpi),
            performance,
            sections,
            broken_rules,
            hours,
            [blocks_current, is_communication, judged],
        )| {
            let mut case = Case::default();
            let start = case.at - jiff::Span::new().hours(2100);
            case.submitted(&(start + jiff::Span::new().hours(hours)).to_string());
            let rule = CommunicationRule { counts_percent: 50, library_factor: 40.0 };
            case.rules.communication = is_communication.then_some(rule);
            let evidence = Evidence { seq, mpi, performance, broken_rules, judged, ..case.evidence };
            case.evidence = evidence;
            (case.evidence.report.sections, case.evidence.report.blocks_current) = (sections, blocks_current);
            case
        },
    )
}

/// The same evidence with one fault removed, for each kind of fault.
fn improved(evidence: &Evidence) -> Vec<Evidence> {
    let change = |change: fn(&mut Evidence)| {
        let mut better = evidence.clone();
        change(&mut better);
        better
    };
    let fix = |version: &mut VersionEvidence| {
        version.passed += version.failed;
        version.passed_on_mpi = version.passed;
        version.failed = 0;
        version.failures.clear();
    };
    let (mut seq, mut mpi) = (evidence.clone(), evidence.clone());
    fix(&mut seq.seq);
    fix(&mut mpi.mpi);
    vec![
        seq,
        mpi,
        change(|better| better.seq.enabled = true),
        change(|better| better.mpi.enabled = true),
        change(|better| better.mpi.passed_on_mpi = better.mpi.passed),
        change(|better| drop(better.broken_rules.pop())),
        change(|better| better.report.blocks_current = true),
        change(|better| better.report.sections.iter_mut().for_each(|one| one.state = SectionState::Written)),
        change(|better| match &mut better.performance {
            PerformanceEvidence::Scaling(of) => {
                of.doubts.clear();
                of.efficiency.high += 5.0;
                of.speedup.low += 0.5;
            }
            PerformanceEvidence::Communication(of) => {
                of.doubts.clear();
                of.counts_right = of.counted;
                of.ratios.iter_mut().for_each(|ratio| ratio.low /= 2.0);
            }
            PerformanceEvidence::Missing { .. } => {}
        }),
        change(|better| better.judged = true),
    ]
}

proptest! {
    #[test]
    fn every_lost_point_has_a_reason_and_the_total_is_the_sum(case in case()) {
        // The laws are in `Case::check`.
        case.grade();
    }

    #[test]
    fn better_evidence_never_lowers_a_total(case in case()) {
        let before = case.grade().total;
        for evidence in improved(&case.evidence) {
            let better = Case { evidence, ..case.clone() };
            let after = better.grade().total;
            prop_assert!(after >= before, "{before} {after} {:#?}", better.evidence);
        }
    }

    #[test]
    fn a_day_later_costs_exactly_its_penalty(mut case in case()) {
        let penalty = |case: &Case| case.grade().letter(Letter::Deadline).expect("D").points;
        let before = penalty(&case);
        let changed = case.evidence.submission.as_ref().expect("submitted").changed_at;
        case.submitted(&(changed + jiff::Span::new().hours(24)).to_string());
        let after = penalty(&case);
        prop_assert!(before - after == Points::whole(1) || (before, after) == (Points::ZERO, Points::ZERO));
        let late = changed > case.rules.deadline.last_instant(&case.rules.time_zone);
        prop_assert_eq!(late, before < Points::ZERO);
    }

    #[test]
    fn evidence_survives_writing_and_reading(case in case()) {
        prop_assert_eq!(Evidence::parse(&case.evidence.to_json()), Ok(case.evidence));
    }
}
