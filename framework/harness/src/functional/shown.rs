//! Ranks and durations as reports show them.
use std::time::Duration;

/// Numbers of ranks as people write them; `None` when there is none.
pub(super) fn list(ranks: impl Iterator<Item = usize>) -> Option<String> {
    let ranks: Vec<_> = ranks.map(|rank| rank.to_string()).collect();
    (!ranks.is_empty()).then(|| ranks.join(", "))
}

/// A duration for people: tenths of a second, and milliseconds where tenths would say nothing.
pub(super) fn seconds(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 1.0 { format!("{seconds:.3}") } else { format!("{seconds:.1}") }
}
