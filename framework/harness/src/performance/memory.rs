//! How much memory simulated passes take, and how much there is.
use std::fs;

use wb_messages::{Lang, number, prediction as text};

/// The most memory that this process has had, bytes; `None` where the system does not tell.
pub(crate) fn peak() -> Option<u64> {
    field(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// How much memory the computer has left, bytes; `None` where the system does not tell.
pub(crate) fn available() -> Option<u64> {
    field(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

fn field(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Is there so much memory?
///
/// # Errors
/// What to do, where there is not.
pub(crate) fn has_room(needed: Option<u64>, lang: Lang) -> Result<(), String> {
    match (needed, available()) {
        (Some(needed), Some(available)) if needed > available => {
            Err(text::too_large(lang, gigabytes(lang, needed), gigabytes(lang, available)))
        }
        _ => Ok(()),
    }
}

/// The memory that is available as the user reads it.
pub(crate) fn available_shown(lang: Lang) -> String {
    available().map_or_else(|| "?".to_owned(), |bytes| gigabytes(lang, bytes))
}

fn gigabytes(lang: Lang, bytes: u64) -> String {
    number::fixed(lang, bytes as f64 / f64::from(1 << 30), 1)
}

/// What passes on so many ranks have taken, bytes; of one workload.
#[derive(Debug, Default)]
pub(crate) struct Estimate(Vec<(usize, u64)>);

impl Estimate {
    pub(crate) fn add(&mut self, ranks: usize, peak: u64) {
        self.0.push((ranks, peak));
    }

    /// What a pass on so many ranks takes: on the line through the two largest passes, since each rank adds what it holds.
    pub(crate) fn of(&self, ranks: usize) -> Option<u64> {
        let mut passes = self.0.clone();
        passes.sort_unstable();
        passes.dedup_by_key(|(ranks, _)| *ranks);
        let [.., (few, low), (many, high)] = passes[..] else { return None };
        let more =
            u128::from(high.saturating_sub(low)) * ranks.saturating_sub(many) as u128 / (many - few) as u128;
        u64::try_from(u128::from(high) + more).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rank_adds_what_it_holds() {
        let mut estimate = Estimate::default();
        assert_eq!(estimate.of(8), None);
        estimate.add(1, 100);
        assert_eq!(estimate.of(8), None, "one pass tells nothing of ranks");
        estimate.add(4, 160);
        estimate.add(2, 120);
        assert_eq!([4, 5, 256].map(|ranks| estimate.of(ranks)), [Some(160), Some(180), Some(160 + 252 * 20)]);
        estimate.add(8, 10);
        assert_eq!(estimate.of(16), Some(10), "less on more ranks promises nothing");
    }

    #[test]
    fn what_no_computer_has_is_refused_with_what_to_do() {
        assert_eq!([None, Some(1)].map(|needed| has_room(needed, Lang::En)), [Ok(()), Ok(())]);
        let refused = has_room(Some(1 << 50), Lang::En).expect_err("no computer has a petabyte");
        assert!(
            refused.contains("1048576.0 GB") && refused.contains("smaller size in task.yaml"),
            "{refused}"
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_tells() {
        assert!(peak().expect("Linux tells") > 1 << 20);
        assert!(available().expect("Linux tells") > 1 << 20);
        assert_eq!(field("A: 1 kB\nMemAvailable:    2048 kB\n", "MemAvailable:"), Some(2 << 20));
        assert_eq!(field("MemAvailable: 18446744073709551615 kB", "MemAvailable:"), None);
    }
}
