//! Ranks and durations as reports show them.
use std::time::Duration;

use wb_messages::{Lang, number};

/// Numbers of ranks as text; `None` when there is none.
pub fn format_ranks(ranks: impl Iterator<Item = usize>) -> Option<String> {
    let ranks: Vec<_> = ranks.map(|rank| rank.to_string()).collect();
    (!ranks.is_empty()).then(|| ranks.join(", "))
}

/// A duration as text: tenths of a second, and milliseconds for short durations.
pub fn format_duration(lang: Lang, duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    number::fixed(lang, seconds, if seconds < 1.0 { 3 } else { 1 })
}
