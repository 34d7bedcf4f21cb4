//! Collects the evidence of one task: its tests, its records, its report and the repository.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use wb_config::{CourseSettings, RosterStudent, TaskSettings, VersionStatus};
use wb_course::{
    BrokenRule, EVIDENCE_SCHEMA, Evidence, PerformanceEvidence, PerformanceGap, ReportEvidence, SectionState,
    SolutionPart,
};
use wb_messages::{Lang, grade as text};
use wb_record::{Measurement, Record, TestOutcome, Version};
use wb_source::rules::{SourceFinding, SourceRule};

use super::submission::{MainBranch, TaskPaths};
use crate::{
    arguments::JudgeArgs,
    error::Result,
    judge,
    measure::{self, BenchmarkRunner},
    pages::{RECORDS, localized_file_name},
    record_input, rules, task_lock,
    workspace::{TaskEntry, Workspace},
};

/// The number of broken rules that evidence lists.
const MAX_FINDINGS: usize = 20;

/// How evidence is collected.
pub(super) struct Collector<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) runner: BenchmarkRunner<'a>,
    pub(super) course: &'a CourseSettings,
    pub(super) main: Option<MainBranch>,
    /// Number and variant of the assignments with a crate of the instructor's.
    pub(super) owned: Vec<(u8, u8)>,
    /// Whether the task is measured, and its committed records are not read.
    pub(super) measures: bool,
    /// How the judge tests and measures, if it does.
    pub(super) judge: Option<JudgeOptions>,
    pub(super) at: Timestamp,
}

/// How the judge is run.
pub(super) struct JudgeOptions {
    pub(super) sandbox: bool,
    /// The folder of private inputs.
    pub(super) private: Option<PathBuf>,
    /// Whether standard output is for the grades only.
    pub(super) quiet: bool,
}

impl Collector<'_> {
    /// The evidence of a task of `student`.
    pub(super) fn collect(
        &self,
        task: &TaskEntry,
        settings: &TaskSettings,
        student: &RosterStudent,
        lang: Lang,
    ) -> Result<Evidence> {
        let owned = self.owned.contains(&(settings.task_number, settings.variant));
        let folder = self.workspace.root().join("reports").join(&task.name);
        let committed = measure::read_for_task(&task.name, &folder.join(RECORDS), lang);
        let judged = owned && self.judge.is_some();
        let CollectedRecords { records, failed } = match &self.judge {
            Some(judge) if owned => self.judged_records(judge, task, lang)?,
            _ => self.records(task, &committed, lang)?,
        };
        let enabled = |status| status == VersionStatus::Enabled;
        if self.main.is_none() {
            eprintln!("{}", text::no_repository(lang, &task.name));
        }
        Ok(Evidence {
            schema: EVIDENCE_SCHEMA,
            task: task.name.clone(),
            login: student.login.clone(),
            assignment: settings.task_number,
            variant: settings.variant,
            submission: self
                .main
                .as_ref()
                .and_then(|main| main.submission(&self.paths(task, owned), self.at)),
            instructor_owned: owned,
            judged,
            seq: wb_report::version_evidence(&records, Version::Seq, enabled(settings.status.seq)),
            mpi: wb_report::version_evidence(&records, Version::Mpi, enabled(settings.status.mpi)),
            incomplete: failed && !records.iter().any(is_failed_verdict),
            broken_rules: self.broken_rules(task)?,
            performance: performance(&records),
            report: report_evidence(self.workspace.root(), &folder, &committed.unwrap_or_default()),
        })
    }

    /// The records of the judge, which tests and measures now.
    fn judged_records(
        &self,
        options: &JudgeOptions,
        task: &TaskEntry,
        lang: Lang,
    ) -> Result<CollectedRecords> {
        let wanted = JudgeArgs {
            task: task.name.clone(),
            ranks: None,
            quick: false,
            verdicts_only: false,
            private: options.private.clone(),
            sandbox: options.sandbox,
            backend: None,
        };
        let judged = judge::judge_task(self.workspace, &wanted, lang, options.quiet)?;
        if let Some(failure) = &judged.failure {
            eprintln!("{}", text::unmeasured(lang, &task.name, failure));
        }
        let records = measure::read(&judged.records, lang).unwrap_or_else(|why| {
            eprintln!("{}", text::unmeasured(lang, &task.name, why));
            Vec::new()
        });
        Ok(CollectedRecords { failed: judged.failure.is_some() || records.is_empty(), records })
    }

    /// The verdicts of tests that run now, and the measurements.
    fn records(
        &self,
        task: &TaskEntry,
        committed: &std::result::Result<Vec<Record>, String>,
        lang: Lang,
    ) -> Result<CollectedRecords> {
        let _lock = task_lock::lock_task(self.workspace, &task.name, lang)?;
        let tested = self.runner.test(&task.name, lang)?;
        let mut records = tested.records(lang).unwrap_or_default();
        records.retain(is_verdict);
        let measured = match self.measures {
            true => self.runner.measure(&task.name, lang)?.records(lang),
            false => committed.clone(),
        };
        match measured {
            Ok(measured) => records.extend(measured.into_iter().filter(|record| !is_verdict(record))),
            Err(why) => eprintln!("{}", text::unmeasured(lang, &task.name, why)),
        }
        Ok(CollectedRecords { records, failed: tested.failure.is_some() })
    }

    /// What in the sources of the task breaks a rule.
    fn broken_rules(&self, task: &TaskEntry) -> Result<Vec<BrokenRule>> {
        let checked = rules::check(self.workspace, task, self.course)?;
        Ok(checked.row.findings.into_iter().take(MAX_FINDINGS).map(broken_rule).collect())
    }

    fn paths(&self, task: &TaskEntry, owned: bool) -> TaskPaths {
        let folder = task.folder.strip_prefix(self.workspace.root()).unwrap_or(&task.folder);
        TaskPaths {
            folder: folder.to_string_lossy().replace('\\', "/"),
            reports: format!("reports/{}", task.name),
            own_tests: !owned,
        }
    }
}

fn broken_rule(finding: SourceFinding) -> BrokenRule {
    let part = match finding.rule {
        SourceRule::SequentialVersion => Some(SolutionPart::Seq),
        SourceRule::SendAndReceiveOnly | SourceRule::NoTopologyCommunicators => Some(SolutionPart::Mpi),
        _ => None,
    };
    BrokenRule {
        rule: finding.rule.name().to_owned(),
        part,
        file: finding.file,
        line: u32::try_from(finding.line).unwrap_or(u32::MAX).max(1),
        text: finding.reason,
        remedy: Some(finding.remedy),
    }
}

/// The records of one task, and whether the program that made the verdicts failed.
struct CollectedRecords {
    records: Vec<Record>,
    failed: bool,
}

/// Whether it is the verdict of a run that did not pass.
fn is_failed_verdict(record: &Record) -> bool {
    let Measurement::Functional(verdict) = &record.measurement else { return false };
    !matches!(verdict.verdict, TestOutcome::Pass | TestOutcome::Skip)
}

fn is_verdict(record: &Record) -> bool {
    matches!(record.measurement, Measurement::Functional(_))
}

/// Without a measurement among the records there is none in the evidence.
fn performance(records: &[Record]) -> PerformanceEvidence {
    match records.iter().all(is_verdict) {
        true => PerformanceEvidence::Missing { gap: PerformanceGap::NotMeasured },
        false => wb_report::performance_evidence(records),
    }
}

/// Of the reports in both languages the one with more written sections.
fn report_evidence(root: &Path, folder: &Path, records: &[Record]) -> ReportEvidence {
    let fresh = wb_report::markdown_in_all_languages(records);
    let of_language = |(lang, fresh): (Lang, String)| {
        let file = folder.join(localized_file_name("report", "md", lang));
        let text = record_input::read(&file).ok()?;
        let sections = wb_report::sections(&text).ok()?;
        let relative = file.strip_prefix(root).unwrap_or(&file);
        Some(ReportEvidence {
            file: Some(relative.to_string_lossy().replace('\\', "/")),
            sections,
            blocks_current: !records.is_empty() && wb_report::are_blocks_current(&text, &fresh),
        })
    };
    let found = Lang::ALL.into_iter().zip(fresh).rev().filter_map(of_language);
    let written = |report: &ReportEvidence| {
        let is_written = report.sections.iter().filter(|section| section.state == SectionState::Written);
        (is_written.count(), report.blocks_current)
    };
    found.max_by_key(written).unwrap_or_default()
}
