//! The smallest case that violates a barrier: fewest PEs, then fewest episodes, then the strongest memory.
use wb_comm::Result;

use super::{Configuration, SearchResult, explore};
use crate::barriers::{BarrierEntry, GroupConfig, MemoryOrdering, compiled_plan::SignalEncoding};

/// A violation of a barrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryRefutation {
    /// The number of PEs.
    pub size: usize,
    /// The number of consecutive episodes.
    pub episodes: usize,
    /// The memory; a strong one if no message need be late.
    pub mode: MemoryOrdering,
    /// A violation or a deadlock.
    pub finding: SearchResult,
}

/// The memory orderings, from strong to weak.
const MODES: [MemoryOrdering; 4] =
    [MemoryOrdering::IMMEDIATE, MemoryOrdering::ORDERED_GET, MemoryOrdering::FIFO, MemoryOrdering::UNORDERED];

/// Searches for a fault of a barrier in memory on every memory on which it claims to be right: at 2 to 4 PEs, in 1 to 4
/// episodes, at most `limit` states each. `None` if no fault is that small, or for a native barrier.
///
/// A size for which the algorithm is not defined is passed over.
///
/// # Errors
/// The error that an episode returns itself.
pub fn refute(
    entry: &BarrierEntry,
    encoding: SignalEncoding,
    limit: usize,
) -> Result<Option<MemoryRefutation>> {
    for (size, episodes) in (2..=4).flat_map(|size| (1..=4).map(move |episodes| (size, episodes))) {
        let config = GroupConfig::new(size);
        let Some(Ok(program)) = entry.in_memory(0, &config, encoding) else { continue };
        let Some(configuration) =
            Configuration::from_entry(entry, &config, encoding, episodes).transpose()?
        else {
            continue;
        };
        for mode in MODES.into_iter().filter(|mode| mode.covers(program.required_ordering())) {
            let finding = explore(&configuration, mode, limit)?;
            if matches!(finding, SearchResult::Violation { .. } | SearchResult::Deadlock { .. }) {
                return Ok(Some(MemoryRefutation { size, episodes, mode, finding }));
            }
        }
    }
    Ok(None)
}
