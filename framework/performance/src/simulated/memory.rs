//! The memory that simulated passes need, and the available memory.
use std::{collections::BTreeMap, fs};

use wb_messages::{Lang, prediction as text};
use wb_record::Version;

/// The peak memory of this process, bytes; `None` where the system does not report it.
pub(crate) fn peak() -> Option<u64> {
    field(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// The environment variable that limits the memory of a simulation, in MB.
const LIMIT_VARIABLE: &str = "WB_MEMORY_LIMIT";

/// The memory that a pass may use, bytes: the free memory of the computer, or less if [`LIMIT_VARIABLE`] limits it;
/// `None` where neither is known.
pub(crate) fn available() -> Option<u64> {
    let limit = std::env::var(LIMIT_VARIABLE).ok().and_then(|megabytes| limit(&megabytes));
    let left = fs::read_to_string("/proc/meminfo").ok().and_then(|text| field(&text, "MemAvailable:"));
    [limit, left].into_iter().flatten().min()
}

fn limit(megabytes: &str) -> Option<u64> {
    megabytes.trim().parse::<u64>().ok()?.checked_mul(1_000_000)
}

fn field(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Bytes in a readable unit.
pub(crate) fn format_bytes(lang: Lang, bytes: u64) -> String {
    wb_process::out_of_memory::byte_amount(lang, usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// The numbers of ranks of passes that only measure the memory of a rank.
const SMALL_RANK_COUNTS: [usize; 2] = [2, 4];

/// The memory that passes of one workload have used, bytes.
#[derive(Debug, Default)]
pub(crate) struct MemoryEstimate {
    /// The peak of the sequential version.
    sequential: Option<u64>,
    /// The peak of the parallel version, by its number of ranks.
    parallel: BTreeMap<usize, u64>,
}

impl MemoryEstimate {
    /// Records that a pass on `ranks` ranks has used `peak` bytes.
    pub(crate) fn add(&mut self, version: Version, ranks: usize, peak: u64) {
        match version {
            Version::Mpi => drop(self.parallel.insert(ranks, peak)),
            Version::Seq | Version::Reference => self.sequential = Some(peak),
        }
    }

    /// Checks that there is enough memory for a pass of the parallel version on `ranks` ranks. If it cannot be
    /// estimated, `probe` makes passes on fewer ranks and returns the memory of each.
    ///
    /// # Errors
    /// Advice for the user, if there is not enough; the errors of `probe`.
    pub(crate) fn check(
        &mut self,
        ranks: usize,
        workload: &str,
        lang: Lang,
        probe: impl Fn(usize) -> Result<Option<u64>, String>,
    ) -> Result<(), String> {
        let available = available();
        for few in self.missing(ranks, available) {
            eprintln!("{}", text::probing(lang, workload, few, ranks));
            if let Some(peak) = probe(few)? {
                self.add(Version::Mpi, few, peak);
            }
        }
        match (self.estimate(ranks), available) {
            (Some(needed), Some(available)) if needed > available => {
                Err(text::too_large(lang, format_bytes(lang, needed), format_bytes(lang, available)))
            }
            _ => Ok(()),
        }
    }

    /// The numbers of ranks of the passes that must precede one on `ranks` ranks: none if the upper bound of its memory
    /// is available.
    fn missing(&self, ranks: usize, available: Option<u64>) -> Vec<usize> {
        let is_enough = |most: u128| available.is_none_or(|available| most <= u128::from(available));
        if self.parallel.len() >= 2 || self.upper_bound(ranks).is_some_and(is_enough) {
            return vec![];
        }
        SMALL_RANK_COUNTS.into_iter().filter(|few| *few < ranks && !self.parallel.contains_key(few)).collect()
    }

    /// The memory of a pass on `ranks` ranks if each rank uses as much as a whole pass on the fewest.
    fn upper_bound(&self, ranks: usize) -> Option<u128> {
        let parallel = self.parallel.first_key_value().map(|(few, peak)| (*few, *peak));
        let (few, peak) = self.sequential.map(|peak| (1, peak)).or(parallel)?;
        Some(u128::from(peak) * ranks.div_ceil(few) as u128)
    }

    /// The memory of a pass on `ranks` ranks: on the line through the two largest passes, since each rank adds its own.
    fn estimate(&self, ranks: usize) -> Option<u64> {
        let mut largest = self.parallel.iter().rev();
        let ((many, high), (few, low)) = (largest.next()?, largest.next()?);
        let more = u128::from(high.saturating_sub(*low)) * ranks.saturating_sub(*many) as u128
            / (many - few) as u128;
        u64::try_from(u128::from(*high) + more).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn estimate(passes: &[(usize, u64)]) -> MemoryEstimate {
        let mut estimate = MemoryEstimate::default();
        passes.iter().for_each(|(ranks, peak)| estimate.add(Version::Mpi, *ranks, *peak));
        estimate
    }

    #[test]
    fn each_rank_adds_what_it_holds() {
        assert_eq!(estimate(&[]).estimate(8), None);
        assert_eq!(estimate(&[(1, 100)]).estimate(8), None, "one pass tells nothing of ranks");
        let mut estimate = estimate(&[(1, 100), (4, 160), (2, 120)]);
        assert_eq!(
            [4, 5, 256].map(|ranks| estimate.estimate(ranks)),
            [Some(160), Some(180), Some(160 + 252 * 20)]
        );
        estimate.add(Version::Mpi, 8, 10);
        assert_eq!(estimate.estimate(16), Some(10), "less on more ranks promises nothing");
    }

    #[test]
    fn passes_on_few_ranks_are_made_where_too_little_is_known() {
        assert_eq!(estimate(&[]).missing(256, Some(1000)), [2, 4]);
        assert_eq!(estimate(&[(2, 50)]).missing(256, Some(1000)), [4]);
        assert!(estimate(&[(2, 50), (3, 60)]).missing(256, Some(1000)).is_empty());
        assert_eq!(estimate(&[]).missing(4, Some(1000)), [2], "only passes on fewer ranks");
        let mut alone = MemoryEstimate::default();
        alone.add(Version::Seq, 1, 10);
        assert!(alone.missing(100, Some(1000)).is_empty(), "a sequential pass for each rank has room");
        assert_eq!(alone.missing(101, Some(1000)), [2, 4]);
    }

    #[test]
    fn a_pass_that_has_no_room_is_refused_before_it_is_made() {
        let probed = RefCell::new(vec![]);
        let probe = |ranks: usize| {
            probed.borrow_mut().push(ranks);
            Ok(Some((ranks as u64) << 50))
        };
        let mut estimate = MemoryEstimate::default();
        let refused = estimate.check(256, "large", Lang::En, probe).expect_err("no computer has as much");
        assert!(refused.contains("288.2 PB") && refused.contains("smaller size in task.yaml"), "{refused}");
        assert_eq!(*probed.borrow(), SMALL_RANK_COUNTS);
        assert!(
            MemoryEstimate::default().check(256, "small", Lang::En, |ranks| Ok(Some(ranks as u64))).is_ok()
        );
        let failed = MemoryEstimate::default().check(256, "wrong", Lang::En, |_| Err("why".to_owned()));
        assert_eq!(failed, Err("why".to_owned()));
    }

    #[test]
    fn a_limit_is_in_megabytes() {
        assert_eq!([" 64 ", "much", "18446744073709551615"].map(limit), [Some(64_000_000), None, None]);
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
