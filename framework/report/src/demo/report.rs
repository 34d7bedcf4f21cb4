//! The report of a task: the template of `cargo wb report` with invented records and invented text.

use jiff::Timestamp;
use wb_config::CourseSettings;
use wb_course::{ReportEvidence, SectionState};
use wb_messages::Lang;
use wb_record::Record;

use crate::{
    TaskReport,
    demo::{file::DemoFile, records, task::DemoTask},
};

/// The number of submitted tasks of which one has records, and pages that are rendered from them.
const TASKS_PER_RECORDS: usize = 20;

/// What the author of a section wrote.
const WRITTEN: &str = "This text is a part of a synthetic course: it was written by a program, describes no measurement, and is long \
    enough to count as a section of a report.";
const SHORT: &str = "Invented.";

/// A report before its files are written.
pub(crate) struct DemoReport {
    text: String,
    /// Empty for a task without measurements in the repository.
    pub(crate) records: Vec<Record>,
}

impl DemoReport {
    /// The report of the `place`-th submitted task, whose last commit is at `changed_at`.
    pub(crate) fn new(
        course: &CourseSettings,
        task: &DemoTask<'_>,
        changed_at: Timestamp,
        place: usize,
    ) -> Self {
        let has_records = place.is_multiple_of(TASKS_PER_RECORDS) && task.is_measured(course);
        let mut records = records::of_task(course, task, changed_at);
        // The plan alone says whose report it is.
        records.truncate(if has_records { records.len() } else { 1 });
        let text = filled(&crate::markdown(&records, Lang::En), &task.profile.open_sections);
        Self { text, records: if has_records { records } else { vec![] } }
    }

    /// What a grade reads of it.
    pub(crate) fn evidence(&self, task: &DemoTask<'_>) -> ReportEvidence {
        ReportEvidence {
            file: Some(format!("reports/{}/report.md", task.name)),
            sections: crate::sections(&self.text).expect("its blocks were generated"),
            blocks_current: task.profile.blocks_current || !self.records.is_empty(),
            damage: None,
        }
    }

    /// The text, and where there are records these and their pages.
    pub(crate) fn files(&self, task: &DemoTask<'_>) -> Vec<DemoFile> {
        let file = |name: &str, text: String| DemoFile::new(format!("reports/{}/{name}", task.name), text);
        let mut files = vec![file("report.md", self.text.clone())];
        if !self.records.is_empty() {
            let report = TaskReport::new(&self.records);
            files.push(file(
                "records.jsonl",
                self.records.iter().map(|record| record.to_line() + "\n").collect(),
            ));
            files.push(file("report.html", report.html(Lang::En)));
            files.push(file("report.ru.html", report.html(Lang::Ru)));
            files.push(file("report.csv", report.csv()));
        }
        files
    }
}

/// The template with text in its sections. Of those at the `open` places the first is too short, the second has the text of the
/// template, and the others are missing.
fn filled(template: &str, open: &[usize]) -> String {
    let mut text = template.to_owned();
    for (place, number) in crate::section_numbers().enumerate() {
        let state = match open.iter().position(|open| *open == place) {
            None => SectionState::Written,
            Some(0) => SectionState::Short,
            Some(1) => SectionState::Template,
            Some(_) => SectionState::Missing,
        };
        text = match state {
            SectionState::Written => crate::with_section(&text, number, WRITTEN),
            SectionState::Short => crate::with_section(&text, number, SHORT),
            SectionState::Template => text,
            SectionState::Missing => without_heading(&text, number),
        };
    }
    text
}

fn without_heading(text: &str, number: u8) -> String {
    let heading = format!("## {number}. ");
    text.lines().filter(|line| !line.starts_with(&heading)).map(|line| line.to_owned() + "\n").collect()
}
