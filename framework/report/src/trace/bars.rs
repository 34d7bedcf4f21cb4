//! The parts of every rank's time as bars.
use maud::Markup;
use wb_messages::{Lang, report::trace as text};

use super::{TraceView, parts::PARTS};
use crate::{
    chart::{StackedBar, StackedBarChart},
    format,
};

/// One bar for each rank.
pub(super) fn bars(view: &TraceView<'_>, lang: Lang) -> Markup {
    let total = view.analysis.total();
    let bar = |(rank, parts): (usize, &wb_record::trace_analysis::Parts)| StackedBar {
        label: format!("{} {rank}", text::rank(lang)),
        parts: PARTS
            .iter()
            .zip(parts.array())
            .map(|(part, ns)| {
                let name = (part.name)(lang);
                (ns as f64, format!("{name}: {}", format::time(lang, ns as f64)))
            })
            .collect(),
        total: format::time(lang, total as f64),
    };
    let stack = StackedBarChart {
        title: text::parts(lang),
        about: text::total_time(lang, format::time(lang, total as f64), view.ranks()),
        parts: PARTS.iter().map(|part| ((part.name)(lang), part.class)).collect(),
        bars: view.analysis.parts.iter().enumerate().map(bar).collect(),
    };
    stack.render(false)
}
