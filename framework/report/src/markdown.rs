//! `report.md`: the course's sections with the numbers filled in; the student writes the analysis.
//!
//! Generated text is between markers ([`crate::blocks`]). The headings and the prompts in italics are outside: they are the
//! student's from the beginning.

use std::fmt::Write as _;

use wb_messages::Lang;
use wb_messages::report::{
    communication as comm_text, document, method as rule_text, result, trace as trace_text, trust, verdict,
};
use wb_record::Version;
use wb_statistics::Estimate;

use crate::analysis::{ModelRow, OperationAnalysis, ResultRow, TaskAnalysis, TrustLevel, WorkloadGroup};
use crate::blocks::block;
use crate::functional::{self, TestCounts};
use crate::html::communication;
use crate::text_layout::table_row;
use crate::trace::TraceSummary;
use crate::{bottleneck, format, labels, method, model, setup};

/// The whole document.
pub(crate) fn document(analysis: &TaskAnalysis<'_>, lang: Lang) -> String {
    let written = |body: String| format!("{body}\n");
    let mut text = block("header", &header(lang, analysis)) + "\n";
    section(&mut text, 1, &document::introduction(lang), &written(document::write_introduction(lang)));
    section(&mut text, 2, &document::problem(lang), &written(document::write_problem(lang)));
    section(&mut text, 3, &document::baseline(lang), &written(document::write_baseline(lang)));
    section(&mut text, 4, &document::scheme(lang), &written(document::write_scheme(lang)));
    section(&mut text, 5, &document::implementation(lang), &written(document::write_implementation(lang)));
    section(&mut text, 6, &document::setup(lang), &block("setup", &setup_table(lang, analysis)));
    section(&mut text, 7, &document::results(lang), &results(lang, analysis));
    section(&mut text, 8, &document::conclusions(lang), &written(document::write_conclusions(lang)));
    section(&mut text, 9, &document::references(lang), &written(document::write_references(lang)));
    let _ = write!(text, "## {}\n\n{}", document::appendix(lang), block("method", &rules(lang, analysis)));
    text
}

fn header(lang: Lang, analysis: &TaskAnalysis<'_>) -> String {
    let subject = analysis.subject;
    format!(
        "# {}\n\n- {}: {}\n- {}: {}\n- {}: {}\n\n",
        labels::title(lang, subject),
        document::label_student(lang),
        document::student(lang, &subject.student, &subject.group),
        document::label_technology(lang),
        labels::library(lang, analysis),
        document::label_variant(lang),
        document::assignment(lang, subject.task_number, subject.variant),
    )
}

fn section(text: &mut String, number: u32, title: &str, body: &str) {
    let _ = write!(text, "## {number}. {title}\n\n{body}\n");
}

/// Draws a table from its header and rows.
pub(crate) type DrawTable<'a> = &'a dyn Fn(&[String], &[Vec<String>]) -> String;

/// The generated text of the sections on conditions and results, with tables of another form.
pub(crate) fn generated(lang: Lang, analysis: &TaskAnalysis<'_>, draw: DrawTable<'_>) -> String {
    let why = match analysis.groups.is_empty() {
        true => String::new(),
        false => {
            format!(
                "{}\n\n{}\n",
                trace_text::bottleneck_heading(lang),
                bottleneck_section(lang, analysis, draw)
            )
        }
    };
    let (tests, times) = (correctness(lang, analysis, draw), performance(lang, analysis, draw));
    format!("{}\n{tests}\n\n{times}\n{why}", setup_table(lang, analysis))
}

/// A Markdown table.
fn table(header: &[String], rows: &[Vec<String>]) -> String {
    let rule = format!("|{}\n", " --- |".repeat(header.len()));
    let rows: String = rows.iter().map(|row| table_row(row)).collect();
    format!("{}{rule}{rows}\n", table_row(header))
}

fn setup_table(lang: Lang, analysis: &TaskAnalysis<'_>) -> String {
    let facts = setup::facts(lang, analysis);
    facts.iter().map(|(label, value)| format!("- {label}: {value}\n")).collect()
}

fn results(lang: Lang, analysis: &TaskAnalysis<'_>) -> String {
    let tests = block("correctness", &correctness(lang, analysis, &table));
    let times = block("performance", &performance(lang, analysis, &table));
    // A communication operation has no section 7.3, but the block is always there: an update must find it.
    let (heading, why) = match analysis.groups.is_empty() {
        true => (String::new(), String::new()),
        false => (
            format!("### 7.3 {}\n\n", trace_text::bottleneck_heading(lang)),
            bottleneck_section(lang, analysis, &table),
        ),
    };
    format!(
        "### 7.1 {}\n\n{tests}\n### 7.2 {}\n\n{times}\n{heading}{}\n{}\n",
        document::correctness(lang),
        document::performance(lang),
        block("why", &why),
        document::write_analysis(lang),
    )
}

fn performance(lang: Lang, analysis: &TaskAnalysis<'_>, draw: DrawTable<'_>) -> String {
    let mut text = String::new();
    for sentence in labels::verdict_sentences(lang, analysis) {
        let _ = writeln!(text, "{sentence}");
    }
    let _ = write!(text, "\n{}\n\n", trust::heading(lang));
    for (level, item) in &analysis.trust.items {
        let _ = writeln!(text, "- {}: {}", level_label(lang, *level), labels::item(lang, analysis, item));
    }
    text.push('\n');
    for group in &analysis.groups {
        text.push_str(&group_table(lang, group, draw));
    }
    if !analysis.groups.is_empty() {
        for sentence in model::sentences(lang, analysis) {
            let _ = writeln!(text, "- {sentence}");
        }
        text.push('\n');
    }
    for operation in &analysis.operations {
        text.push_str(&operation_tables(lang, operation, draw));
    }
    let _ = write!(text, "{}:\n\n", verdict::next(lang));
    for advice in &analysis.verdict.advice {
        let _ = writeln!(text, "- {}", labels::advice(lang, *advice));
    }
    text
}

/// The parts of the time of one run, and the estimates of shorter times.
fn bottleneck_section(lang: Lang, analysis: &TaskAnalysis<'_>, draw: DrawTable<'_>) -> String {
    let (summary, comparisons) = match bottleneck::bottleneck_summary(lang, analysis) {
        Ok(summary) => summary,
        Err(reason) => return format!("{reason}\n"),
    };
    let remarks: String = summary.remarks.iter().map(|remark| format!("**{remark}**\n\n")).collect();
    let estimates: String = summary.estimates.iter().map(|line| format!("- {line}\n")).collect();
    let basis: String = summary.basis.iter().map(|line| format!("\n{line}\n")).collect();
    let rows: Vec<Vec<String>> = summary.rows.iter().map(|row| row.cells.clone().into()).collect();
    let parts = draw(&TraceSummary::columns(lang), &rows);
    format!(
        "{}. {}\n\n{remarks}{}\n\n{parts}{}\n\n{estimates}{basis}",
        summary.lead,
        comparisons.join(" "),
        summary.paragraph.join(" "),
        trace_text::estimates(lang),
    )
}

fn level_label(lang: Lang, level: TrustLevel) -> String {
    match level {
        TrustLevel::Good => trust::good(lang),
        TrustLevel::Doubtful => format!("**{}**", trust::doubtful(lang)),
        TrustLevel::Bad => format!("**{}**", trust::bad(lang)),
    }
}

fn correctness(lang: Lang, analysis: &TaskAnalysis<'_>, draw: DrawTable<'_>) -> String {
    let tests = &analysis.functional;
    let mut summary = vec![TestCounts::from_tests(tests).sentence(lang)];
    summary.extend(functional::evidence(lang, analysis.tested.as_ref()));
    let summary = summary.join(" ");
    if tests.is_empty() {
        return summary;
    }
    let ranks = functional::ranks(tests);
    let mut header = vec![document::test(lang), document::label_backend(lang)];
    header.extend(ranks.iter().map(|p| format!("p = {p}")));
    let rows: Vec<Vec<String>> = functional::grid(tests)
        .into_iter()
        .map(|((test, backend), cells)| {
            let cell =
                |p| cells.get(p).map_or_else(format::dash, |f| functional::verdict_label(lang, f.verdict));
            [format!("`{test}`"), backend.name().to_owned()]
                .into_iter()
                .chain(ranks.iter().map(cell))
                .collect()
        })
        .collect();
    let reasons: String =
        functional::reasons(tests, lang).iter().map(|reason| format!("- {reason}\n")).collect();
    format!("{summary}\n\n{}\n\n{reasons}", draw(&header, &rows).trim_end()).trim_end().to_owned()
}

/// The course's table, with the intervals it never had.
fn group_table(lang: Lang, group: &WorkloadGroup, draw: DrawTable<'_>) -> String {
    let header = [
        result::mode(lang),
        result::count(lang),
        result::time_seconds(lang),
        result::interval(lang),
        result::speedup(lang),
        result::efficiency(lang),
        result::checked(lang),
        result::remarks(lang),
    ];
    let measured = group.rows.iter().map(|row| group_row(lang, row));
    let rows: Vec<Vec<String>> =
        measured.chain(group.models.iter().map(|row| model_row(lang, row))).collect();
    let title = format!("**{}, `{}`**", format::workload(lang, &group.workload), group.mode.name());
    format!("{title}\n\n{}\n\n{}", labels::base_line(lang, group), draw(&header, &rows))
}

fn group_row(lang: Lang, row: &ResultRow) -> Vec<String> {
    let median = row.time.map(|time| time.median);
    let interval = median.and_then(|m| m.interval);
    let number = |n: Result<Estimate, _>, text: fn(Lang, &Estimate) -> String| match n {
        Ok(estimate) => text(lang, &estimate),
        Err(reason) => labels::withheld(lang, reason),
    };
    let mut version = labels::version(lang, row.series.version);
    if row.is_base {
        let _ = write!(version, " ({})", result::base_mark(lang));
    }
    let efficiency = if row.series.version == Version::Mpi { row.efficiency } else { None };
    vec![
        version,
        row.series.ranks.to_string(),
        median.map_or_else(format::dash, |m| format::seconds(lang, m.value)),
        interval.map_or_else(format::dash, |i| format::brackets(lang, i, |x| format::seconds(lang, x))),
        // Beside an efficiency the reason is in the efficiency's cell.
        if row.efficiency.is_some() && row.speedup.is_err() {
            format::dash()
        } else {
            number(row.speedup, format::ratio_estimate)
        },
        efficiency.map_or_else(format::dash, |e| number(e, format::percent_estimate)),
        format!("{}/{} ({})", row.checked.right, row.sample_count(), row.launches.len()),
        labels::remarks(lang, row).join("; "),
    ]
}

fn model_row(lang: Lang, row: &ModelRow) -> Vec<String> {
    vec![
        format!("*{}*", model::version(lang, row)),
        row.ranks.to_string(),
        row.time_ns.map_or_else(format::dash, |x| format::seconds(lang, x)),
        format::dash(),
        row.speedup.map_or_else(format::dash, |x| format::ratio(lang, x)),
        row.efficiency.map_or_else(format::dash, |x| format::percent(lang, x)),
        format::dash(),
        model::remark(lang, row),
    ]
}

fn operation_tables(lang: Lang, operation: &OperationAnalysis, draw: DrawTable<'_>) -> String {
    let title =
        comm_text::heading(lang, &operation.name, operation.ranks, operation.root, &operation.element);
    let header = [
        comm_text::size(lang),
        comm_text::student(lang),
        comm_text::library(lang),
        comm_text::ratio(lang),
        comm_text::bandwidth(lang),
        result::samples(lang),
        comm_text::verdict(lang),
    ];
    let rows: Vec<Vec<String>> = operation
        .points
        .iter()
        .map(|point| {
            vec![
                format::bytes(lang, point.bytes),
                format::time_estimate(lang, &point.student.time.median),
                format::time_estimate(lang, &point.library.time.median),
                point.ratio.map_or_else(format::dash, |r| format::ratio_estimate(lang, &r)),
                point.student.bandwidth(point.bytes).map(|b| format::bandwidth(lang, b)).unwrap_or_default(),
                format!("{} ({})", point.student.samples.len(), point.student.launches),
                communication::verdict(lang, operation, point),
            ]
        })
        .collect();
    let lead = communication::lead(lang, operation);
    format!("**{title}**\n\n{lead}\n\n{}{}", draw(&header, &rows), counts(lang, operation, draw))
}

fn counts(lang: Lang, operation: &OperationAnalysis, draw: DrawTable<'_>) -> String {
    let rows: Vec<Vec<String>> =
        communication::count_rows(lang, operation).into_iter().map(Vec::from).collect();
    if rows.is_empty() {
        return String::new();
    }
    let header = [
        comm_text::what(lang),
        comm_text::counted(lang),
        comm_text::expected(lang),
        comm_text::formula(lang),
        comm_text::verdict(lang),
    ];
    format!("{}\n\n{}", comm_text::counts_heading(lang), draw(&header, &rows))
}

fn rules(lang: Lang, analysis: &TaskAnalysis<'_>) -> String {
    let mut text = format!("{}\n\n", rule_text::source(lang));
    for (index, rule) in method::rules(lang, analysis).iter().enumerate() {
        let _ = writeln!(text, "{}. {}: {}", index + 1, method::status_label(lang, rule.status), rule.text);
    }
    text
}
