//! The trace on a terminal: the words, and the parts of every rank's time over the ranks.
use wb_messages::{Lang, report::trace as text};

use wb_trace::Parts;

use super::{
    Story,
    parts::{PARTS, shares},
    words,
};
use crate::{
    format,
    terminal::{empty_table, wrapped},
};

/// Words and table, at most 80 columns wide.
pub(super) fn text(story: &Story<'_>, lang: Lang) -> String {
    let mut told = String::new();
    wrapped(&mut told, "", &words::lead(story, lang));
    for remark in words::remarks(story, lang) {
        wrapped(&mut told, "! ", &remark);
    }
    told.push('\n');
    for sentence in words::paragraph(story, lang) {
        wrapped(&mut told, "", &sentence);
    }
    let (lines, basis) = words::estimates(story, lang);
    told.push('\n');
    wrapped(&mut told, "", &text::estimates(lang));
    lines.iter().for_each(|line| wrapped(&mut told, "  ", line));
    basis.iter().for_each(|line| wrapped(&mut told, "", line));
    let columns = [text::column_part, text::column_share, text::column_mean, text::column_most, text::rank];
    let mut table = empty_table(columns.map(|column| column(lang)).into(), &[1, 2, 3, 4]);
    let ranks: Vec<[u64; 7]> = story.analysis.parts.iter().map(Parts::array).collect();
    for ((number, part), (_, share)) in PARTS.iter().enumerate().zip(shares(story.analysis.sum())) {
        let of_rank = |rank: &usize| ranks[*rank][number];
        let mean = (0..ranks.len()).map(|rank| of_rank(&rank)).sum::<u64>() as f64 / ranks.len() as f64;
        let most = (0..ranks.len()).rev().max_by_key(of_rank).unwrap_or(0);
        let none = || "—".to_owned();
        let times =
            [mean, of_rank(&most) as f64].map(|ns| if ns > 0.0 { format::time(lang, ns) } else { none() });
        let [mean, longest] = times;
        table.add_row([(part.name)(lang), format::percent(share), mean, longest, most.to_string()]);
    }
    format!("{told}\n{table}\n")
}
