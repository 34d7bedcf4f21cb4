//! The report on a terminal: tables of at most 80 columns, no colours, the same numbers as on the page.

use std::fmt::Write as _;

use comfy_table::{ColumnConstraint, Table};
use wb_messages::Lang;
use wb_messages::report::{communication as comm_text, document, result, trace as trace_text, trust};
use wb_record::Version;

use crate::analysis::{
    Flag, ModelRow, OperationAnalysis, ResultRow, TaskAnalysis, TrustLevel, Withheld, WorkloadGroup,
};
use crate::functional::{self, TestCounts};
use crate::html::communication;
use crate::text_layout::{append_wrapped, empty_table};
use crate::{bottleneck, format, labels, model, trace};

/// The whole report.
pub(crate) fn render(analysis: &TaskAnalysis<'_>, lang: Lang) -> String {
    let subject = analysis.subject;
    let mut text = format!("{} ({})\n", labels::title(lang, subject), subject.task);
    if analysis.is_embedded() {
        append_wrapped(&mut text, "! ", &trust::embedded(lang));
    }
    text.push('\n');
    for group in &analysis.groups {
        append_wrapped(
            &mut text,
            "",
            &format!("{}: {}", group.mode.name(), format::workload(lang, &group.workload)),
        );
        let _ = write!(text, "{}\n\n", group_table(lang, group));
    }
    if !analysis.groups.is_empty() {
        model::sentences(lang, analysis).iter().for_each(|said| append_wrapped(&mut text, "~ ", said));
        text.push('\n');
    }
    for operation in &analysis.operations {
        append_operation(&mut text, lang, operation);
    }
    if !analysis.functional.is_empty() {
        append_wrapped(&mut text, "", &TestCounts::from_tests(&analysis.functional).sentence(lang));
        for reason in functional::reasons(&analysis.functional, lang) {
            append_wrapped(&mut text, "  ", &reason);
        }
    }
    if !analysis.groups.is_empty() {
        append_bottleneck(&mut text, lang, analysis);
    }
    for sentence in labels::verdict_sentences(lang, analysis) {
        append_wrapped(&mut text, "", &sentence);
    }
    for (level, item) in analysis.trust.items.iter().filter(|(level, _)| *level > TrustLevel::Good) {
        let sign = if *level == TrustLevel::Bad { "✗ " } else { "! " };
        append_wrapped(&mut text, sign, &labels::item(lang, analysis, item));
    }
    for advice in &analysis.verdict.advice {
        append_wrapped(&mut text, "→ ", &labels::advice(lang, *advice));
    }
    append_machine(&mut text, lang, analysis);
    text
}

/// Why it is not faster, from the traced run.
fn append_bottleneck(text: &mut String, lang: Lang, analysis: &TaskAnalysis<'_>) {
    append_wrapped(text, "", &trace_text::bottleneck_heading(lang));
    match bottleneck::bottleneck_summary(lang, analysis) {
        Ok((summary, comparisons)) => {
            append_wrapped(text, "", &summary.lead);
            comparisons.iter().for_each(|sentence| append_wrapped(text, "", sentence));
            summary.remarks.iter().for_each(|remark| append_wrapped(text, "! ", remark));
            text.push_str(&trace::terminal::body(&summary, lang));
        }
        Err(reason) => append_wrapped(text, "", &reason),
    }
    text.push('\n');
}

/// The machine, so that a copied table is complete.
fn append_machine(text: &mut String, lang: Lang, analysis: &TaskAnalysis<'_>) {
    let machine = &analysis.environment.machine;
    let cores = document::cores(lang, machine.usable_cores, machine.physical_cores);
    append_wrapped(text, "", &format!("{} · {cores} · {}", machine.cpu, labels::library(lang, analysis)));
}

fn constrain(table: &mut Table, index: usize, constraint: ColumnConstraint) {
    if let Some(column) = table.column_mut(index) {
        column.set_constraint(constraint);
    }
}

fn group_table(lang: Lang, group: &WorkloadGroup) -> Table {
    let header = vec![
        result::version(lang),
        result::ranks_short(lang),
        result::time(lang),
        result::speedup_short(lang),
        result::efficiency_short(lang),
        result::remarks(lang),
    ];
    let mut table = empty_table(header, &[1, 2, 3, 4]);
    for row in &group.rows {
        table.add_row(group_row(lang, row));
    }
    let mut machine = "";
    for row in &group.models {
        // Room is scarce: the first row of a machine names it.
        let named = Some(&*row.machine).filter(|name| *name != machine);
        table.add_row(model_row(lang, row, named));
        machine = &row.machine;
    }
    // Numbers stay in one line, remarks are folded.
    for index in 0..5 {
        constrain(&mut table, index, ColumnConstraint::ContentWidth);
    }
    table
}

fn group_row(lang: Lang, row: &ResultRow) -> Vec<String> {
    let base = row.is_base.then(|| result::base_mark(lang));
    let efficiency = if row.series.version == Version::Mpi { row.efficiency } else { None };
    // The reason for a missing efficiency is among the remarks, where there is room for text.
    let reason = efficiency.and_then(Result::err).filter(|reason| !is_among_remarks(row, *reason));
    let reason = reason.map(|reason| labels::withheld(lang, reason));
    let said = |flag: &Flag| matches!(flag, Flag::Oversubscribed) && reason.is_some();
    let flags = row.flags.iter().filter(|flag| !said(flag)).map(|flag| labels::remark(lang, row, *flag));
    vec![
        row.series.version.name().to_owned(),
        row.series.ranks.to_string(),
        row.time.map_or_else(format::dash, |time| format::time_estimate(lang, &time.median)),
        row.speedup.map_or_else(|_| format::dash(), |s| format::ratio_estimate(lang, &s)),
        efficiency.and_then(Result::ok).map_or_else(format::dash, |e| format::percent(lang, e.value)),
        base.into_iter().chain(reason.clone()).chain(flags).collect::<Vec<_>>().join("; "),
    ]
}

/// Whether a remark of this row names the reason already. A base that is too short withholds the numbers of other rows, too.
fn is_among_remarks(row: &ResultRow, reason: Withheld) -> bool {
    match reason {
        Withheld::TooShort => row.has(Flag::TooShort),
        Withheld::Incorrect => row.has(Flag::Incorrect),
        _ => false,
    }
}

fn model_row(lang: Lang, row: &ModelRow, machine: Option<&str>) -> Vec<String> {
    vec![
        model::short_version(lang, row),
        row.ranks.to_string(),
        row.time_ns.map_or_else(format::dash, |ns| format::time(lang, ns)),
        row.speedup.map_or_else(format::dash, |x| format::ratio(lang, x)),
        row.efficiency.map_or_else(format::dash, |x| format::percent(lang, x)),
        machine
            .map(str::to_owned)
            .into_iter()
            .chain([model::remark(lang, row)])
            .collect::<Vec<_>>()
            .join("; "),
    ]
}

fn append_operation(text: &mut String, lang: Lang, operation: &OperationAnalysis) {
    let heading =
        comm_text::heading(lang, &operation.name, operation.ranks, operation.root, &operation.element);
    append_wrapped(text, "", &heading);
    append_wrapped(text, "", &communication::lead(lang, operation));
    let header = vec![
        comm_text::size(lang),
        comm_text::student(lang),
        comm_text::library(lang),
        comm_text::ratio(lang),
        comm_text::verdict(lang),
    ];
    let mut table = empty_table(header, &[0, 1, 2, 3]);
    for point in &operation.points {
        table.add_row(vec![
            format::bytes(lang, point.bytes),
            format::time(lang, point.student.time.median.value),
            format::time(lang, point.library.time.median.value),
            point.ratio.map_or_else(format::dash, |r| format::ratio_estimate(lang, &r)),
            communication::verdict(lang, operation, point),
        ]);
    }
    let _ = writeln!(text, "{table}");
    for [what, counted, expected, formula, agreement] in communication::count_rows(lang, operation) {
        append_wrapped(text, "", &format!("{what}: {counted}; {formula} = {expected}: {agreement}"));
    }
    text.push('\n');
}
