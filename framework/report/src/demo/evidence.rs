//! Invented evidence: what the tests, the measurements and the repository would have shown.

use jiff::{Span, Timestamp};
use wb_config::{CourseSettings, TaskKind};
use wb_course::{
    BrokenRule, CommunicationEvidence, EVIDENCE_SCHEMA, Evidence, FailedTest, MeasuredInterval,
    PerformanceDoubt, PerformanceEvidence, PerformanceGap, ScalingEvidence, SolutionPart, SubmissionEvidence,
    VersionEvidence,
};
use wb_text::Text;

use crate::demo::{
    profile::{DemoGap, TaskProfile},
    random::DemoRandom,
    records::RANKS,
    report::DemoReport,
    task::DemoTask,
};

/// The evidence of the last commit.
pub(crate) fn evidence(course: &CourseSettings, task: &DemoTask<'_>, report: &DemoReport) -> Evidence {
    let profile = &task.profile;
    let changed_at = changed_at(course, task);
    let commit = commit(&task.name, profile.earlier_commits);
    Evidence {
        schema: EVIDENCE_SCHEMA,
        task: task.name.clone(),
        login: task.student.login.clone(),
        assignment: task.assignment,
        variant: task.variant,
        submission: Some(SubmissionEvidence {
            commit: commit.clone(),
            changed_in: commit,
            changed_at,
            claimed_at: None,
            merged_at: before(changed_at, -1),
        }),
        // The synthetic workspace has no crate of an assignment.
        instructor_owned: false,
        judged: false,
        assignment_tree: None,
        seq: VersionEvidence { enabled: true, passed: 8, ..VersionEvidence::default() },
        mpi: parallel_version(profile),
        incomplete: false,
        unended: None,
        broken_rules: broken_rules(profile),
        rule_runs_seed: None,
        performance: match report.records.is_empty() {
            true => performance(course, task),
            false => crate::performance_evidence(&report.records),
        },
        report: report.evidence(task),
    }
}

/// When the task was last changed.
pub(crate) fn changed_at(course: &CourseSettings, task: &DemoTask<'_>) -> Timestamp {
    let deadline = course.deadline(task.assignment, &task.student.group, &task.student.login);
    before(deadline.last_instant(&course.time_zone), task.profile.days_early)
}

/// Evidence of earlier commits, oldest first: the measurements become better.
pub(crate) fn earlier_commits(task: &DemoTask<'_>, last: &Evidence) -> Vec<Evidence> {
    let count = task.profile.earlier_commits;
    let Some(submission) = &last.submission else { return vec![] };
    let earlier = |index: usize| {
        let share = 0.45 + 0.5 * (index + 1) as f64 / (count + 1) as f64;
        let mut evidence = last.clone();
        if let PerformanceEvidence::Scaling(scaling) = &mut evidence.performance {
            scaling.speedup = scaled(scaling.speedup, share);
            scaling.efficiency = scaled(scaling.efficiency, share);
        }
        let days = i64::try_from(2 * (count - index)).unwrap_or(0);
        let changed_in = commit(&task.name, index);
        let changed_at = before(submission.changed_at, days);
        evidence.submission = Some(SubmissionEvidence { changed_in, changed_at, ..submission.clone() });
        evidence
    };
    (0..count).map(earlier).collect()
}

fn scaled(interval: MeasuredInterval, share: f64) -> MeasuredInterval {
    let MeasuredInterval { low, value, high, ranks } = interval;
    MeasuredInterval {
        low: rounded(low * share),
        value: rounded(value * share),
        high: rounded(high * share),
        ranks,
    }
}

/// `days` days and some hours before a moment.
fn before(moment: Timestamp, days: i64) -> Timestamp {
    moment - Span::new().hours(24 * days - 5)
}

/// The invented hash of the `index`-th commit of a task.
fn commit(task: &str, index: usize) -> String {
    let mut random = DemoRandom::new(index as u64, task);
    (0..40).map(|_| char::from(b"0123456789abcdef"[random.below(16)])).collect()
}

fn parallel_version(profile: &TaskProfile) -> VersionEvidence {
    let version =
        VersionEvidence { enabled: true, passed: 24, passed_on_mpi: 12, ..VersionEvidence::default() };
    match profile {
        TaskProfile { is_disabled: true, .. } => {
            VersionEvidence { skipped: 24, ..VersionEvidence::default() }
        }
        TaskProfile { is_wrong: true, .. } => {
            let failure = |ranks| FailedTest {
                test: "sums_what_the_ranks_cannot_divide".to_owned(),
                ranks,
                backend: "mpi".to_owned(),
                outcome: "fail".to_owned(),
                reason: "the last elements are missing in the sum".to_owned(),
            };
            VersionEvidence {
                passed: 20,
                passed_on_mpi: 10,
                failed: 4,
                failures: vec![failure(3), failure(4)],
                ..version
            }
        }
        _ => version,
    }
}

fn broken_rules(profile: &TaskProfile) -> Vec<BrokenRule> {
    let rule = || BrokenRule {
        rule: "seq-does-not-communicate".to_owned(),
        part: Some(SolutionPart::Seq),
        file: "src/seq.rs".to_owned(),
        line: 31,
        text: Text::new("`barrier` is called", "вызван `barrier`"),
        remedy: Some(Text::new("remove the call of `barrier`", "удалить вызов `barrier`")),
    };
    if profile.breaks_rule { vec![rule()] } else { vec![] }
}

fn performance(course: &CourseSettings, task: &DemoTask<'_>) -> PerformanceEvidence {
    let profile = &task.profile;
    let gap = match profile.gap {
        _ if profile.is_wrong => Some(PerformanceGap::Incorrect),
        _ if profile.is_disabled => Some(PerformanceGap::NoTime),
        Some(DemoGap::TooFewCores) => Some(PerformanceGap::TooFewCores),
        Some(DemoGap::NotMeasured) => Some(PerformanceGap::NotMeasured),
        Some(DemoGap::SingleWorker) | None => None,
    };
    let kind = course.variant(task.assignment, task.variant).map(|variant| variant.kind);
    match (gap, kind) {
        (Some(gap), _) => PerformanceEvidence::missing(gap),
        (None, Some(TaskKind::Communication)) => PerformanceEvidence::Communication(communication(profile)),
        (None, _) => PerformanceEvidence::Scaling(scaling(profile)),
    }
}

fn scaling(profile: &TaskProfile) -> ScalingEvidence {
    let efficiency = interval(profile.efficiency, profile.spread);
    let is_doubtful = profile.gap == Some(DemoGap::SingleWorker);
    ScalingEvidence {
        workload: "default 1000000".to_owned(),
        region: "task_run".to_owned(),
        base: "seq".to_owned(),
        speedup: scaled(efficiency, f64::from(RANKS) / 100.0),
        efficiency,
        pipeline_speedup: None,
        has_interval: true,
        doubts: if is_doubtful { vec![PerformanceDoubt::SingleWorker] } else { vec![] },
    }
}

/// The worse the drawn efficiency, the slower beside the library.
fn communication(profile: &TaskProfile) -> CommunicationEvidence {
    let ratio = 100.0 / profile.efficiency;
    CommunicationEvidence {
        library_call: "MPI_Bcast".to_owned(),
        ranks: RANKS,
        counted: 6,
        counts_right: if profile.efficiency > 40.0 { 6 } else { 3 },
        ratios: [1.0, 1.3, 1.7].iter().map(|factor| interval(ratio * factor, profile.spread)).collect(),
        doubts: vec![],
    }
}

fn interval(value: f64, spread: f64) -> MeasuredInterval {
    let half = value * spread / 100.0;
    MeasuredInterval {
        low: rounded(value - half),
        value: rounded(value),
        high: rounded(value + half),
        ranks: RANKS,
    }
}

/// Four digits after the point: more would be noise.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
