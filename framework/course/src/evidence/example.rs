//! Evidence of a task that earns everything, for documentation and tests.

use jiff::Timestamp;
use wb_text::Text;

use super::{
    EVIDENCE_SCHEMA, Evidence, PerformanceEvidence, ReportEvidence, ReportSection, ScalingEvidence,
    SectionState, SubmissionEvidence, VersionEvidence,
};
use crate::task_grade::MeasuredInterval;

/// The example's last change.
const CHANGED_AT: &str = "2027-04-10T12:30:00Z";

impl Evidence {
    /// Evidence of a task for assignment 2, variant 4, on which nothing is wrong.
    pub fn example() -> Self {
        let changed_at: Timestamp = CHANGED_AT.parse().expect("a constant moment");
        let commit = "0123456789abcdef0123456789abcdef01234567";
        Self {
            schema: EVIDENCE_SCHEMA,
            task: "ivanov_i_scatter".to_owned(),
            login: "ivanov.i".to_owned(),
            assignment: 2,
            variant: 4,
            submission: Some(SubmissionEvidence {
                commit: commit.to_owned(),
                changed_in: commit.to_owned(),
                changed_at,
                claimed_at: None,
                merged_at: changed_at,
            }),
            instructor_owned: true,
            judged: true,
            seq: VersionEvidence { enabled: true, passed: 6, ..VersionEvidence::default() },
            mpi: VersionEvidence {
                enabled: true,
                passed: 48,
                passed_on_mpi: 12,
                ..VersionEvidence::default()
            },
            assignment_tree: None,
            incomplete: false,
            unended: None,
            broken_rules: Vec::new(),
            rule_runs_seed: None,
            performance: PerformanceEvidence::Scaling(ScalingEvidence {
                workload: "matrix 2000 rows".to_owned(),
                region: "task_run".to_owned(),
                base: "seq".to_owned(),
                speedup: MeasuredInterval { low: 1.78, value: 1.84, high: 1.9, ranks: 2 },
                efficiency: MeasuredInterval { low: 89.0, value: 92.0, high: 95.0, ranks: 2 },
                pipeline_speedup: Some(MeasuredInterval { low: 1.7, value: 1.8, high: 1.9, ranks: 2 }),
                has_interval: true,
                doubts: Vec::new(),
            }),
            report: ReportEvidence {
                file: Some("reports/ivanov_i_scatter/report.md".to_owned()),
                sections: vec![section(1, "Introduction", "Введение"), section(2, "Conclusions", "Выводы")],
                blocks_current: true,
                damage: None,
            },
        }
    }
}

fn section(number: u8, en: &'static str, ru: &'static str) -> ReportSection {
    ReportSection { number, title: Text::new(en, ru), state: SectionState::Written, words: 60 }
}
