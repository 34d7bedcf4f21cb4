//! R: the report's sections and its generated blocks, each an equal part of the points.

use wb_text::{Text, grade as text};

use super::{input::GradingInput, letter_sum::LetterSum};
use crate::{Evidence, Letter, LetterGrade, Points, ReasonKind, ReportSection, SectionState};

pub(super) fn grade_report(input: &GradingInput<'_>, evidence: &Evidence) -> LetterGrade {
    let of = input.rules.points.report;
    let mut sum = LetterSum::new(Letter::Report, Some(of));
    let (report, task) = (&evidence.report, &evidence.task);
    if !evidence.mpi.enabled {
        sum.lose(of, ReasonKind::NoReport, text::report_of_disabled(), Some(text::enable("MPI")));
        return sum.finish();
    }
    if let (Some(file), Some(damage)) = (&report.file, &report.damage) {
        let found = text::damaged_report(file, damage);
        sum.lose(of, ReasonKind::DamagedReport, found, Some(text::repair_report(task)));
        return sum.finish();
    }
    if report.file.is_none() || report.sections.is_empty() {
        sum.lose(of, ReasonKind::NoReport, text::no_report(task), Some(text::write_report(task)));
        return sum.finish();
    }
    let sections = report.sections.iter().map(section_fault);
    let blocks =
        (!report.blocks_current).then(|| (ReasonKind::StaleBlocks, text::blocks_stale(), text::render(task)));
    let parts: Vec<Option<(ReasonKind, Text, Text)>> = sections.chain([blocks]).collect();
    for (at, fault) in parts.iter().enumerate() {
        if let Some((kind, fault, remedy)) = fault {
            sum.lose(equal_part(of, at, parts.len()), *kind, fault.clone(), Some(remedy.clone()));
        }
    }
    let written = report.sections.iter().filter(|section| section.state == SectionState::Written);
    sum.note(ReasonKind::SectionsWritten, text::sections_written(written.count()));
    sum.finish()
}

/// Part `at` of `count` parts of `of` that differ by a hundredth at most and add up to `of`.
fn equal_part(of: Points, at: usize, count: usize) -> Points {
    let up_to = |parts: usize| of.hundredths() * parts as i32 / count as i32;
    Points::from_hundredths(up_to(at + 1) - up_to(at))
}

fn section_fault(section: &ReportSection) -> Option<(ReasonKind, Text, Text)> {
    let ReportSection { number, title, .. } = section;
    let fault = match section.state {
        SectionState::Written => return None,
        SectionState::Short => text::section_short(*number, title, section.words),
        SectionState::Template => text::section_template(*number, title),
        SectionState::Missing => text::section_missing(*number, title),
    };
    Some((ReasonKind::ReportSection, fault, text::write_section(*number, title)))
}
