//! Who sends how many messages to whom, as a table of any medium.
use wb_messages::{
    Lang,
    report::{trace as trace_text, trace_page as text},
};
use wb_record::trace_analysis::{TrafficCell, TrafficMatrix};

use super::TraceView;
use crate::{
    document::{Table, left, right},
    format,
};

/// Ranks that have rows of their own; of more ranks, the groups. More do not fit a terminal.
const MAX_RANKS: usize = 16;
const MAX_GROUPS: usize = 8;

/// Rows beside whose cells there is room for the bytes.
const MAX_ROWS_WITH_BYTES: usize = 10;

/// The matrix with the bytes that each row sends, and the sentence before it; `None` where no message is sent.
pub(super) fn matrix(view: &TraceView<'_>, lang: Lang) -> Option<(String, Table)> {
    let most = if view.ranks() > MAX_RANKS { MAX_GROUPS } else { MAX_RANKS };
    let matrix = TrafficMatrix::from_matching(&view.timeline, &view.analysis.matching, most);
    let total = matrix.total();
    if total.messages == 0 {
        return None;
    }
    let name = |group| match matrix.ranks_of(group) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    };
    let names = (0..matrix.cells.len()).map(name);
    let has_bytes = matrix.cells.len() <= MAX_ROWS_WITH_BYTES;
    let sums = [Some(text::row_all(lang)), has_bytes.then(|| text::column_all(lang))];
    let columns = names.clone().chain(sums.into_iter().flatten()).map(right);
    let mut table = Table::new([left(trace_text::rank(lang))].into_iter().chain(columns));
    let mut row = |name: String, cells: &mut dyn Iterator<Item = TrafficCell>, sum: TrafficCell| {
        let cells = cells.map(|cell| short_count(cell.messages));
        let bytes = has_bytes.then(|| format::bytes(lang, sum.bytes));
        table.row([name].into_iter().chain(cells).chain([short_count(sum.messages)]).chain(bytes));
    };
    for (group, name) in names.enumerate() {
        row(name, &mut matrix.cells[group].iter().copied(), matrix.sent(group));
    }
    row(text::row_all(lang), &mut (0..matrix.cells.len()).map(|group| matrix.received(group)), total);
    let sentence = text::terminal_matrix(lang, total.messages, format::bytes(lang, total.bytes));
    Some((sentence, table))
}

/// A number in at most four characters; a point for none.
fn short_count(n: u64) -> String {
    const STEPS: [(u64, &str); 4] =
        [(1_000_000_000_000, "T"), (1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    match STEPS.iter().find(|(size, _)| n >= *size) {
        Some((size, unit)) => format!("{}{unit}", n / size),
        None if n == 0 => "·".to_owned(),
        None => n.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_has_at_most_four_characters() {
        let shown = [0, 7, 999, 1000, 999_999, 1_000_000, 4_999_999_999].map(short_count);
        assert_eq!(shown, ["·", "7", "999", "1k", "999k", "1M", "4G"]);
    }
}
