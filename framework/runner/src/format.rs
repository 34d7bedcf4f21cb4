//! Ranks and durations as reports show them.
use std::time::Duration;

use wb_messages::{Lang, number};

/// Ranks as text: `0, 2-5`; `None` when there is none.
pub fn format_ranks(ranks: impl Iterator<Item = usize>) -> Option<String> {
    Some(number::ranges(ranks, "-")).filter(|ranks| !ranks.is_empty())
}

/// Equal rows as one with their ranks, each where the first of them is.
pub fn group_ranks<T: PartialEq>(rows: impl Iterator<Item = (usize, T)>) -> Vec<(String, T)> {
    let groups = group(rows.map(|(rank, row)| (row, rank))).into_iter();
    groups.map(|(row, ranks)| (number::ranges(ranks, "-"), row)).collect()
}

/// Values by key, each key where its first value is.
pub fn group<K: PartialEq, V>(values: impl IntoIterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut groups: Vec<(K, Vec<V>)> = vec![];
    for (key, value) in values {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => groups.push((key, vec![value])),
        }
    }
    groups
}

/// A duration as text: tenths of a second, and milliseconds for short durations.
pub fn format_duration(lang: Lang, duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    number::fixed(lang, seconds, if seconds < 1.0 { 3 } else { 1 })
}
