//! The parts of the report of one task, for every medium: [`crate::html`] and [`crate::markdown`] put them in order.

pub(crate) mod operations;
mod results;

use maud::html;
use wb_messages::Lang;
use wb_messages::report::{document as text, method as rule_text, trace as trace_text, trust, verdict};
use wb_record::{FunctionalRecord, TestOutcome};

use crate::analysis::{TaskAnalysis, TrustLevel, WorkloadGroup};
use crate::document::{Document, Inline, Item, List, Table, code, code_spans, left, right, strong, styled};
use crate::functional::{self, TestCounts};
use crate::{bottleneck, format, labels, method, model, setup};

pub(crate) use results::conditions;

/// What can be said against the numbers, and what for them.
pub(crate) fn trust_list(document: &mut Document, lang: Lang, analysis: &TaskAnalysis<'_>) {
    let item = |(level, item): &(TrustLevel, _)| {
        let (sign, word) = match level {
            TrustLevel::Good => ("✓", trust::good(lang).into()),
            TrustLevel::Doubtful => ("!", strong(trust::doubtful(lang))),
            TrustLevel::Bad => ("✗", strong(trust::bad(lang))),
        };
        Item::with_sign(trust_class(*level), sign, word, labels::item(lang, analysis, item))
    };
    document.list(List::Bullets(""), analysis.trust.items.iter().map(item));
}

/// The class of a level on a page.
pub(crate) fn trust_class(level: TrustLevel) -> &'static str {
    match level {
        TrustLevel::Good => "good",
        TrustLevel::Doubtful => "doubtful",
        TrustLevel::Bad => "bad",
    }
}

/// What to try next.
pub(crate) fn advice(document: &mut Document, lang: Lang, analysis: &TaskAnalysis<'_>) {
    document.list(
        List::Bullets(""),
        analysis.verdict.advice.iter().map(|advice| code_spans(&labels::advice(lang, *advice))),
    );
}

/// The verdict, its trust, and the table of each workload and mode in the text of Markdown and of a terminal.
pub(crate) fn performance(document: &mut Document, lang: Lang, analysis: &TaskAnalysis<'_>) {
    document.list(List::Lines, labels::verdict_sentences(lang, analysis));
    document.paragraph(trust::heading(lang));
    trust_list(document, lang, analysis);
    for group in &analysis.groups {
        let workload = Inline::from(format::workload(lang, &group.workload));
        document.paragraph(strong(workload + ", " + code(group.mode.name())));
        group_table(document, lang, group);
    }
    if !analysis.groups.is_empty() {
        document.list(List::Bullets(""), model::sentences(lang, analysis));
    }
    for operation in &analysis.operations {
        document.paragraph(strong(operations::heading(lang, operation)));
        operations::section(document, lang, operation);
    }
    document.paragraph(format!("{}:", verdict::next(lang)));
    advice(document, lang, analysis);
}

/// The base and the results of one workload in one mode.
pub(crate) fn group_table(document: &mut Document, lang: Lang, group: &WorkloadGroup) {
    document.paragraph(labels::base_line(lang, group));
    let table = if document.is_page() { results::page(lang, group) } else { results::text(lang, group) };
    document.table(table);
}

/// The parts of the time of one run, and the estimates of shorter times.
pub(crate) fn bottleneck(document: &mut Document, lang: Lang, analysis: &TaskAnalysis<'_>) {
    let (summary, comparisons) = match bottleneck::bottleneck_summary(lang, analysis) {
        Ok(found) => found,
        Err(reason) => return document.paragraph(code_spans(&reason)),
    };
    document.lead(Inline::from(format!("{}. ", summary.lead)) + code_spans(&comparisons.join(" ")));
    summary.remarks.iter().for_each(|remark| document.alarm(remark.as_str()));
    summary.paragraph(document);
    if !document.is_page() {
        summary.parts(document, lang);
    }
    summary.estimates(document, lang);
    if document.is_page() {
        document.markup(html! { figure.parts { (summary.bars) } });
        summary.parts(document, lang);
    }
    summary.matrix(document);
}

/// The functional tests.
pub(crate) fn correctness(document: &mut Document, lang: Lang, analysis: &TaskAnalysis<'_>) {
    let tests = &analysis.functional;
    let counts = Inline::from(TestCounts::from_tests(tests).sentence(lang));
    let evidence = functional::evidence(lang, analysis.tested.as_ref());
    document.paragraph(
        evidence.iter().fold(counts, |paragraph, sentence| paragraph + " " + code_spans(sentence)),
    );
    if tests.is_empty() {
        return;
    }
    let ranks = functional::ranks(tests);
    let names = [text::test(lang), text::label_backend(lang)].map(left);
    let cells = ranks.iter().map(|p| right(format!("p = {p}")));
    let mut table = Table::new(names.into_iter().chain(cells)).with_class("results grid");
    for ((test, backend), cells) in functional::grid(tests) {
        let names = [code(test), backend.name().into()].into_iter();
        table.row(names.chain(ranks.iter().map(|p| test_cell(lang, cells.get(p).copied()))));
    }
    document.table(table);
    document.list(List::Bullets(""), functional::reasons(tests, lang));
}

fn test_cell(lang: Lang, functional: Option<&FunctionalRecord>) -> Inline {
    let Some(functional) = functional else { return format::dash().into() };
    let class = match functional.verdict {
        TestOutcome::Pass => "test good",
        TestOutcome::Skip => "test doubtful",
        _ => "test bad",
    };
    let reason = functional.reason.clone().unwrap_or_default();
    styled(class, Some(reason), functional::verdict_label(lang, functional.verdict))
}

/// The experimental setup; on a page with the bands of the course.
pub(crate) fn setup(document: &mut Document, lang: Lang, analysis: &TaskAnalysis<'_>) {
    let facts = setup::facts(lang, analysis);
    if !document.is_page() {
        return document
            .list(List::Bullets(""), facts.iter().map(|(label, value)| format!("{label}: {value}")));
    }
    document.markup(html! { dl { @for (label, value) in facts { dt { (label) } dd { (value) } } } });
    if let Some(plan) = analysis.plan.filter(|plan| !plan.bands.is_empty()) {
        let share = |share| format::short_percent(lang, share);
        let bands = plan.bands.iter();
        document.heading(3, text::bands(lang));
        document.list(
            List::Bullets("bands"),
            bands.map(|band| text::band_row(lang, share(band.least_efficiency), share(band.share))),
        );
    }
}

/// The twelve rules, and whether this report keeps them.
pub(crate) fn rules(document: &mut Document, lang: Lang, analysis: &TaskAnalysis<'_>) {
    document.lead(rule_text::source(lang));
    let item = |rule: method::ReportRule| {
        let (class, sign) = match rule.status {
            method::RuleStatus::Yes => ("good", "✓"),
            method::RuleStatus::No => ("bad", "✗"),
            method::RuleStatus::Empty => ("empty", "–"),
        };
        Item::with_sign(class, sign, method::status_label(lang, rule.status).into(), rule.text)
    };
    document.list(List::Numbers("rules"), method::rules(lang, analysis).into_iter().map(item));
}

/// The heading of [`bottleneck`]; a communication operation has none.
pub(crate) fn bottleneck_heading(lang: Lang, analysis: &TaskAnalysis<'_>) -> Option<String> {
    (!analysis.groups.is_empty()).then(|| trace_text::bottleneck_heading(lang))
}
