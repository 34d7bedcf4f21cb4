//! `report.html`: the targets, the charts and every form, in one offline page.
use maud::{Markup, html};
use wb_messages::{Lang, report::barriers as text};

use super::{
    analysis::{BarrierAnalysis, BarrierRow, RowOutcome},
    charts, hosts, markdown, targets,
    targets::TargetVerdict,
    terminal,
};
use crate::{format, html::shell};

/// The whole page.
pub(super) fn page(analysis: &BarrierAnalysis<'_>, lang: Lang) -> String {
    let body = html! {
        header {
            h1 { (text::title(lang)) }
            p.lead { (terminal::lead(analysis, lang)) }
            @for warning in terminal::warning(analysis, lang) { p.alarm { (warning) } }
        }
        (targets_section(analysis, lang))
        @if analysis.sizes().len() > 1 { section { (charts::by_ranks(analysis, lang)) } }
        @for ranks in analysis.sizes() { (size_section(analysis, ranks, lang)) }
        section {
            h2 { (text::method_heading(lang)) }
            p { (text::method(lang, analysis.run.launches, analysis.run.rounds)) }
            p { (text::ratio_about(lang)) }
            p.note { (markdown::machine(analysis, lang)) }
            p { (text::data(lang)) ": " a href="records.jsonl" { "records.jsonl" } " · " a href="barriers.csv" { "barriers.csv" } }
        }
    };
    shell(lang, &text::title(lang), "report", &body)
}

fn targets_section(analysis: &BarrierAnalysis<'_>, lang: Lang) -> Markup {
    let targets = targets::targets(analysis);
    html! {
        @if !targets.is_empty() {
            section {
                h2 { (text::targets(lang)) }
                div.scroll { table.results {
                    thead { tr {
                        th.text { (text::target(lang)) } th { (text::wanted(lang)) } th { (text::measured(lang)) } th.text { (text::verdict(lang)) }
                    } }
                    tbody { @for target in &targets { tr {
                        th.text scope="row" { (target.title(lang)) }
                        td { (target.bound_text(lang)) }
                        td { (target.value.as_ref().map_or_else(format::dash, |x| format::ratio_estimate(lang, x))) }
                        @let class = match target.evaluate() { TargetVerdict::Met => "good", TargetVerdict::Missed => "bad", TargetVerdict::Undecided | TargetVerdict::NotMeasured => "doubtful" };
                        td.text { span.test.(class) { (target.verdict(lang)) } }
                    } } }
                } }
            }
        }
    }
}

fn size_section(analysis: &BarrierAnalysis<'_>, ranks: usize, lang: Lang) -> Markup {
    let has_messages = hosts::are_several(analysis, ranks);
    let refused = |row: &&BarrierRow<'_>| matches!(row.outcome, RowOutcome::Refused(_));
    html! {
        section {
            h2 { (text::at_ranks(lang, ranks)) @if analysis.is_oversubscribed(ranks) { " " span.flag { (text::oversubscribed_mark(lang)) } } }
            @if analysis.is_oversubscribed(ranks) { p.alarm { (terminal::cores(analysis, ranks, lang)) } }
            @else { p.note { (terminal::cores(analysis, ranks, lang)) } }
            @for about in hosts::lines(analysis, ranks, lang) { p.note { (about) } }
            @for failure in terminal::failures(analysis, ranks, lang) { p { span.test.bad { (failure) } } }
            div.figures { (charts::latency(analysis, ranks, lang)) (charts::skew(analysis, ranks, lang)) }
            details {
                summary { (text::all_forms(lang)) }
                (table(analysis.rows_at(ranks).filter(|row| !refused(row)), has_messages, lang))
            }
            @if analysis.rows_at(ranks).any(|row| refused(&row)) {
                details {
                    summary { (text::refused_heading(lang)) }
                    (table(analysis.rows_at(ranks).filter(refused), has_messages, lang))
                }
            }
        }
    }
}

fn table<'a, 'r: 'a>(
    rows: impl Iterator<Item = &'a BarrierRow<'r>>,
    has_messages: bool,
    lang: Lang,
) -> Markup {
    html! {
        div.scroll { table.results {
            thead { tr {
                th.text { (text::barrier(lang)) } th.text { (text::family(lang)) } th.text { (text::runs_on(lang)) }
                th { (text::episode(lang)) } th { (text::latency(lang)) } th { (text::skew(lang)) } th { (text::ratio(lang)) }
                @if has_messages { @for header in hosts::headers(lang) { th { (header) } } }
            } }
            tbody { @for row in rows {
                @let [name, runs_on, episode, latency, skew, ratio] = markdown::cells(row, lang);
                tr {
                    th.text scope="row" { code { (name) } } td.text { (row.form.family) } td.text { (runs_on) }
                    td { (episode) } td { (latency) } td { (skew) } td { (ratio) }
                    @if has_messages { @for count in hosts::messages(row) { td { (count) } } }
                }
            } }
        } }
    }
}
