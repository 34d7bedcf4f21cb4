//! Collects the evidence of one task: its tests, its records, its report and the repository.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use wb_config::{CourseSettings, RosterStudent, TaskSettings, VersionStatus};
use wb_course::{
    BrokenRule, EVIDENCE_SCHEMA, Evidence, PerformanceEvidence, PerformanceGap, ReportEvidence, SectionState,
    SolutionPart, source::rules::SourceFinding,
};
use wb_messages::{Lang, grade as text};
use wb_record::{Measurement, Record, TestOutcome, Version};
use wb_text::Text;

use super::submission::{MainBranch, TaskPaths};
use crate::{
    arguments::JudgeArgs,
    document::describe_marker_error,
    error::Result,
    judge,
    measure::{self, BenchmarkRunner},
    pages::{RECORDS, localized_file_name},
    record_input, rules,
    run_rules::{self, BrokenRunRule},
    sandboxed_task::SandboxedTask,
    task_lock, task_workspace,
    workspace::{AssignmentEntry, TaskEntry, Workspace},
};

/// The number of broken rules that evidence lists.
const MAX_FINDINGS: usize = 20;

/// How evidence is collected.
pub(super) struct Collector<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) runner: BenchmarkRunner<'a>,
    pub(super) course: &'a CourseSettings,
    /// The branch into which tasks are merged; `None` for a dry run in a clone without one.
    pub(super) main: Option<MainBranch>,
    /// Whether the task is measured, and its committed records are not read.
    pub(super) measures: bool,
    /// How the judge tests and measures, if it does.
    pub(super) judge: Option<JudgeOptions>,
    /// Whether tasks are built and run in a sandbox.
    pub(super) sandbox: bool,
    pub(super) at: Timestamp,
}

/// How the judge is run.
pub(super) struct JudgeOptions {
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
        let assignment = self.assignment(settings);
        let folder = self.workspace.root().join("reports").join(&task.name);
        let committed = measure::read_for_task(&task.name, &folder.join(RECORDS), lang);
        let judged = assignment.is_some() && self.judge.is_some();
        let CollectedRecords { records, failed, unended } = match &self.judge {
            Some(judge) if judged => self.judged_records(judge, task, settings, lang)?,
            _ => self.records((task, settings), &committed, lang)?,
        };
        let owned = assignment.is_some();
        // A version whose tests do not pass earns nothing, whatever its runs would show.
        let runs_pass = !failed && !records.iter().any(is_failed_verdict);
        let enabled = |status| status == VersionStatus::Enabled;
        let main = self.main.as_ref();
        let submission = main.map(|main| main.submission(&self.paths(task, owned), self.at)).transpose()?;
        let (broken_rules, rule_runs_seed) = self.broken_rules(task, settings, runs_pass, lang)?;
        Ok(Evidence {
            schema: EVIDENCE_SCHEMA,
            task: task.name.clone(),
            login: student.login.clone(),
            assignment: settings.task_number,
            variant: settings.variant,
            submission: submission.flatten(),
            instructor_owned: owned,
            judged,
            assignment_tree: self.assignment_tree(assignment.as_ref())?,
            seq: wb_report::version_evidence(&records, Version::Seq, enabled(settings.status.seq)),
            mpi: wb_report::version_evidence(&records, Version::Mpi, enabled(settings.status.mpi)),
            incomplete: failed && !records.iter().any(is_failed_verdict),
            unended,
            broken_rules,
            rule_runs_seed,
            performance: performance(&records),
            report: report_evidence(self.workspace.root(), &folder, &committed.unwrap_or_default()),
        })
    }

    /// Whether `known` is what would be collected again: of the same submission, under the same assignment, and judged if the judge is
    /// wanted. A judge that ended before the last verdict, or before it measured what earns points, is asked again.
    pub(super) fn is_current(
        &self,
        known: &Evidence,
        task: &TaskEntry,
        settings: &TaskSettings,
    ) -> Result<bool> {
        let assignment = self.assignment(settings);
        let passed = known.seq.failed + known.mpi.failed == 0;
        let not_measured = PerformanceEvidence::missing(PerformanceGap::NotMeasured);
        let judges = self.judge.is_some() && assignment.is_some();
        let lacks_points = passed && known.performance == not_measured && self.performance_earns(settings);
        if judges && (!known.judged || known.incomplete || lacks_points) {
            return Ok(false);
        }
        let Some(main) = &self.main else { return Ok(false) };
        let submission = main.submission(&self.paths(task, known.instructor_owned), self.at)?;
        Ok(submission.is_some()
            && submission == known.submission
            && self.assignment_tree(assignment.as_ref())? == known.assignment_tree)
    }

    /// The crate of the task's assignment, if it has one.
    fn assignment(&self, settings: &TaskSettings) -> Option<AssignmentEntry> {
        self.workspace.assignment(settings.task_number, settings.variant)
    }

    fn assignment_tree(&self, assignment: Option<&AssignmentEntry>) -> Result<Option<String>> {
        let (Some(main), Some(assignment)) = (&self.main, assignment) else { return Ok(None) };
        Ok(main.tree(&self.relative(&assignment.folder), self.at)?)
    }

    /// Whether the assignment of the task has points for the performance.
    fn performance_earns(&self, settings: &TaskSettings) -> bool {
        self.course.assignment(settings.task_number).points.performance > 0
    }

    /// The records of the judge, which tests now, and measures what earns points.
    fn judged_records(
        &self,
        options: &JudgeOptions,
        task: &TaskEntry,
        settings: &TaskSettings,
        lang: Lang,
    ) -> Result<CollectedRecords> {
        let measures = self.performance_earns(settings);
        let wanted = JudgeArgs {
            task: task.name.clone(),
            ranks: None,
            quick: false,
            verdicts_only: !measures,
            private: options.private.clone(),
            seed: None,
            sandbox: self.sandbox,
            backend: None,
        };
        let judged = judge::judge_task(self.workspace, &wanted, lang, options.quiet)?;
        if let Some(failure) = &judged.failure {
            eprintln!("{}", text::not_all_judged(lang, &task.name, failure));
        }
        let records = measure::read(&judged.records, lang).unwrap_or_else(|why| {
            eprintln!("{}", text::unmeasured(lang, &task.name, why));
            Vec::new()
        });
        // The judge that measures writes the plan of its measurements after the last verdict.
        let is_tested = match measures {
            true => records.iter().any(|record| matches!(record.measurement, Measurement::Plan(_))),
            false => judged.failure.is_none(),
        };
        Ok(CollectedRecords { records, failed: !is_tested, unended: None })
    }

    /// The verdicts of tests that run now, and the measurements.
    fn records(
        &self,
        (task, settings): (&TaskEntry, &TaskSettings),
        committed: &std::result::Result<Vec<Record>, String>,
        lang: Lang,
    ) -> Result<CollectedRecords> {
        let _lock = task_lock::lock_task(self.workspace, &task.name, lang)?;
        let graded = self.graded_workspace(task, settings)?;
        let runner = self.runner_of(&graded, &task.name, lang)?;
        let tested = runner.test(&task.name, lang)?;
        let mut records = tested.records(lang).unwrap_or_default();
        records.retain(is_verdict);
        let measured = match self.measures {
            true => runner.measure(&task.name, lang)?.records(lang),
            false => committed.clone(),
        };
        match measured {
            Ok(measured) => records.extend(measured.into_iter().filter(|record| !is_verdict(record))),
            Err(why) => eprintln!("{}", text::unmeasured(lang, &task.name, why)),
        }
        Ok(CollectedRecords { records, failed: tested.failure.is_some(), unended: tested.unended })
    }

    /// The workspace in which the programs of a task are built.
    fn graded_workspace(&self, task: &TaskEntry, settings: &TaskSettings) -> Result<Workspace> {
        let assignment = self.assignment(settings);
        task_workspace::graded(self.workspace, (&task.name, &task.folder, settings), assignment.as_ref())
    }

    /// The runner of a task: in its sandbox, if one is wanted.
    fn runner_of<'b>(
        &'b self,
        workspace: &'b Workspace,
        task: &str,
        lang: Lang,
    ) -> Result<BenchmarkRunner<'b>> {
        let sandbox = SandboxedTask::if_wanted(self.sandbox, workspace, task, lang)?;
        Ok(BenchmarkRunner { workspace, sandbox, ..self.runner.with_ranks(&[]) })
    }

    /// What in the sources of the task breaks a rule, the rules that its runs break, and the seed of these runs, if there were any.
    fn broken_rules(
        &self,
        task: &TaskEntry,
        settings: &TaskSettings,
        runs_pass: bool,
        lang: Lang,
    ) -> Result<(Vec<BrokenRule>, Option<u64>)> {
        let named = (task.name.clone(), task.folder.as_path());
        let has_assignment = self.assignment(settings).is_some();
        let checked = rules::check_task(named, has_assignment, settings, self.course)?;
        let (mut broken, mut seed) = (vec![], None);
        let rules = run_rules::of_variant(settings, self.course);
        if runs_pass && !rules.is_empty() {
            let version = wb_course::source::rules::parallel_version(&checked.sources.files);
            let _lock = task_lock::lock_task(self.workspace, &task.name, lang)?;
            let graded = self.graded_workspace(task, settings)?;
            let runner = self.runner_of(&graded, &task.name, lang)?;
            let drawn_from = run_rules::seed(None)?;
            let margin = self.course.work_margin(settings.task_number, settings.variant);
            let by_runs =
                run_rules::check(&runner, (&task.name, settings), (&rules, margin, drawn_from), lang)?;
            seed = Some(drawn_from);
            broken.extend(by_runs.into_iter().map(|one| rule_broken_by_run(one, version.as_ref())));
        }
        let by_syntax = checked.row.findings.into_iter().take(MAX_FINDINGS).map(broken_rule);
        Ok((broken.into_iter().chain(by_syntax).collect(), seed))
    }

    fn paths(&self, task: &TaskEntry, owned: bool) -> TaskPaths {
        TaskPaths {
            folder: self.relative(&task.folder),
            reports: format!("reports/{}", task.name),
            has_assignment: owned,
        }
    }

    /// A folder as git names it.
    fn relative(&self, folder: &Path) -> String {
        let relative = folder.strip_prefix(self.workspace.root()).unwrap_or(folder);
        relative.to_string_lossy().replace('\\', "/")
    }
}

fn broken_rule(finding: SourceFinding) -> BrokenRule {
    BrokenRule {
        rule: finding.rule.name().to_owned(),
        part: None,
        file: finding.file,
        line: u32::try_from(finding.line).unwrap_or(u32::MAX).max(1),
        text: finding.reason,
        remedy: Some(finding.remedy),
    }
}

/// The rule is broken where the parallel version is.
fn rule_broken_by_run(broken: BrokenRunRule, version: Option<&(String, usize)>) -> BrokenRule {
    let (file, line) = version.map_or(("src/mpi.rs", 1), |(file, line)| (file.as_str(), *line));
    BrokenRule {
        rule: broken.rule.name().to_owned(),
        part: Some(SolutionPart::Mpi),
        file: file.to_owned(),
        line: u32::try_from(line).unwrap_or(u32::MAX).max(1),
        text: broken.reason,
        remedy: Some(broken.remedy),
    }
}

/// The records of one task, and whether the program that made the verdicts failed.
struct CollectedRecords {
    records: Vec<Record>,
    failed: bool,
    unended: Option<Text>,
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
        true => PerformanceEvidence::missing(PerformanceGap::NotMeasured),
        false => wb_report::performance_evidence(records),
    }
}

/// Of the reports in both languages the one with more written sections. One whose markers are damaged counts before one without any.
fn report_evidence(root: &Path, folder: &Path, records: &[Record]) -> ReportEvidence {
    let fresh = wb_report::markdown_in_all_languages(records);
    let of_language = |(lang, fresh): (Lang, String)| {
        let file = folder.join(localized_file_name("report", "md", lang));
        let text = record_input::read(&file).ok()?;
        let relative = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let (sections, damage) = match wb_report::sections(&text) {
            Ok(sections) => (sections, None),
            Err(damage) => (vec![], Some(in_both(|lang| describe_marker_error(&damage, lang)))),
        };
        let blocks_current = !records.is_empty() && wb_report::are_blocks_current(&text, &fresh);
        Some(ReportEvidence { file: Some(relative), sections, blocks_current, damage })
    };
    let found = Lang::ALL.into_iter().zip(fresh).rev().filter_map(of_language);
    let written = |report: &ReportEvidence| {
        let is_written = report.sections.iter().filter(|section| section.state == SectionState::Written);
        (is_written.count(), report.damage.is_some(), report.blocks_current)
    };
    found.max_by_key(written).unwrap_or_default()
}

/// A text that `make` writes for each language.
fn in_both(make: impl Fn(Lang) -> String) -> Text {
    Text { en: make(Lang::En).into(), ru: make(Lang::Ru).into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_with_damaged_markers_is_not_a_missing_one() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = root.path().join("reports/a");
        std::fs::create_dir_all(&folder).expect("made");
        let report = |text: &str| {
            std::fs::write(folder.join("report.md"), text).expect("written");
            report_evidence(root.path(), &folder, &[])
        };
        assert_eq!(report_evidence(root.path(), &folder, &[]), ReportEvidence::default());
        let whole = wb_report::blocks::block("results", "S = 1");
        assert_eq!(report(&format!("{whole}## 1 Introduction\n")).damage, None);
        let damaged = report(&whole.replace("<!-- /generated", "<!-- generated"));
        let damage = damaged.damage.expect("damaged");
        assert!(damage.en.contains("line") && damage.ru.contains("строк"), "{damage:?}");
        assert_eq!(damaged.file.as_deref(), Some("reports/a/report.md"));
    }
}
