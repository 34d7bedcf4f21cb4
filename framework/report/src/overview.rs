//! All tasks of a run in one table: a line for each task, and once what is true of all of them.

use std::collections::BTreeSet;

use wb_messages::layout::{Align, aligned, shortened};
use wb_messages::report::{document, result, screen as text, trust};
use wb_messages::{Lang, wrap};

use crate::{
    analysis::{Headline, ReportStatus, TaskAnalysis, Withheld},
    format, labels,
    screen::{self, COLUMNS},
};

/// One task of the table, in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverviewRow {
    task: String,
    /// Ranks, S, E: of the graded row.
    numbers: [String; 3],
    points: String,
    status: String,
    remarks: Vec<String>,
}

impl OverviewRow {
    /// A task of which there are no records.
    pub fn not_measured(task: &str, lang: Lang) -> Self {
        Self {
            task: task.to_owned(),
            numbers: no_numbers(),
            points: format::dash(),
            status: trust::bad(lang),
            remarks: vec![text::not_measured(lang)],
        }
    }

    pub(crate) fn from_analysis(analysis: &TaskAnalysis<'_>, lang: Lang) -> Self {
        let mut remarks = screen::short_remarks(analysis, lang);
        let numbers = match &analysis.verdict.headline {
            Headline::Scaling(graded) => [
                graded.ranks.to_string(),
                format::ratio(lang, graded.speedup.value),
                format::percent(lang, graded.efficiency.value),
            ],
            Headline::Communication { slower, equal, faster, .. } => {
                remarks.insert(0, text::slower_sizes(lang, slower, slower + equal + faster));
                no_numbers()
            }
            Headline::Nothing(reason) => {
                remarks.insert(0, why_nothing(*reason, lang));
                no_numbers()
            }
            Headline::CommunicationWithheld(_) | Headline::Functional { .. } => no_numbers(),
        };
        let mut seen = BTreeSet::new();
        remarks.retain(|remark| seen.insert(remark.clone()));
        Self {
            task: analysis.subject.task.clone(),
            numbers,
            points: screen::points(analysis, lang).number.unwrap_or_else(format::dash),
            status: status(analysis.verdict.status, lang),
            remarks,
        }
    }

    /// The task in one line while others are being measured: its numbers, or why there are none.
    pub fn line(&self) -> String {
        let [ranks, speedup, efficiency] = &self.numbers;
        let numbers = match self.remarks.first().filter(|_| *ranks == format::dash()) {
            Some(remark) => shortened(&one_line(remark), NUMBERS),
            None => format!("p = {ranks:<4} S = {speedup:<6} E = {efficiency}"),
        };
        let task = shortened(&self.task, NAME);
        shortened(&format!("{task:<NAME$} {numbers:<NUMBERS$} {}", self.status), COLUMNS.into())
    }
}

/// The reason why there is no S, in a few words.
fn why_nothing(reason: Withheld, lang: Lang) -> String {
    match reason {
        Withheld::Oversubscribed => text::ranks_above(lang),
        other => labels::withheld(lang, other),
    }
}

fn no_numbers() -> [String; 3] {
    [(); 3].map(|()| format::dash())
}

/// A text without line breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn status(status: ReportStatus, lang: Lang) -> String {
    match status {
        ReportStatus::Green => trust::good(lang),
        ReportStatus::Yellow => trust::doubtful(lang),
        ReportStatus::Red => trust::bad(lang),
    }
}

/// The most columns of a task's name; `cargo wb list` shows longer ones.
const NAME: usize = 30;

/// The columns of ranks, S and E behind a name.
const NUMBERS: usize = 32;

/// The columns of the table: the name, four numbers, the remarks.
const ALIGN: [Align; 6] = [Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left];

/// As many of the remarks as fit into `width` columns, at least the beginning of the first.
fn fitting<'a>(mut remarks: impl Iterator<Item = &'a String>, width: usize) -> String {
    let first = remarks.next().map_or("", String::as_str);
    let mut line = one_line(first);
    for remark in remarks {
        let longer = format!("{line}, {remark}");
        if longer.chars().count() > width {
            break;
        }
        line = longer;
    }
    shortened(&line, width.max(1))
}

/// The table of the tasks and what is true of all, in lines of at most 80 columns.
pub fn overview(rows: &[OverviewRow], lang: Lang) -> String {
    let is_common = |remark: &&String| rows.len() > 1 && rows.iter().all(|row| row.remarks.contains(remark));
    let first = rows.iter().take(1).flat_map(|row| &row.remarks);
    let common: Vec<&str> = first.filter(is_common).map(String::as_str).collect();
    let mut cells = vec![[
        document::index_task(lang),
        result::ranks_short(lang),
        result::speedup_short(lang),
        result::efficiency_short(lang),
        text::points(lang),
        text::remark(lang),
    ]];
    cells.extend(rows.iter().map(|row| {
        let [ranks, speedup, efficiency] = row.numbers.clone();
        [shortened(&row.task, NAME), ranks, speedup, efficiency, row.points.clone(), String::new()]
    }));
    let width = aligned(&cells, &ALIGN)[0].chars().count();
    for (cells, row) in cells.iter_mut().skip(1).zip(rows) {
        let own = row.remarks.iter().filter(|remark| !common.contains(&remark.as_str()));
        cells[5] = fitting(own, usize::from(COLUMNS).saturating_sub(width));
    }
    let mut lines = aligned(&cells, &ALIGN);
    if !common.is_empty() {
        let all = wrap(&text::all_tasks(lang, common.join(", ")), "", "  ", COLUMNS.into());
        lines.extend(all.lines().map(str::to_owned));
    }
    lines.iter().map(|line| shortened(line.trim_end(), COLUMNS.into()) + "\n").collect()
}
