//! The smallest case that breaks a barrier: fewest PEs, then fewest episodes, then the strongest memory.
use wb_comm::Result;

use super::{Finding, Mode, Scene, explore};
use crate::{
    catalogue::{Entry, Setting},
    script::Style,
};

/// How a barrier breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// How many PEs.
    pub size: usize,
    /// How many episodes back to back.
    pub episodes: usize,
    /// On which memory; a strong one where no message need be late.
    pub mode: Mode,
    /// A violation or a deadlock.
    pub finding: Finding,
}

/// From strong to weak.
const MODES: [Mode; 4] = [Mode::IMMEDIATE, Mode::ORDERED_GET, Mode::FIFO, Mode::UNORDERED];

/// Looks for a fault of a barrier in memory on any memory that it says it is right on: at 2 to 4 PEs, in 1 to 4 episodes,
/// at most `limit` states each. `None`: there is none that is so small, or it is a native barrier.
///
/// A size for which the algorithm is not defined is passed over.
///
/// # Errors
/// What an episode returns of its own accord.
pub fn refute(entry: &Entry, style: Style, limit: usize) -> Result<Option<Refutation>> {
    for (size, episodes) in (2..=4).flat_map(|size| (1..=4).map(move |episodes| (size, episodes))) {
        let setting = Setting::of(size);
        let Some(Ok(program)) = entry.in_memory(0, &setting, style) else { continue };
        let Some(scene) = Scene::of(entry, &setting, style, episodes).transpose()? else { continue };
        for mode in MODES.into_iter().filter(|mode| mode.covers(program.needs())) {
            let finding = explore(&scene, mode, limit)?;
            if matches!(finding, Finding::Violation { .. } | Finding::Deadlock { .. }) {
                return Ok(Some(Refutation { size, episodes, mode, finding }));
            }
        }
    }
    Ok(None)
}
