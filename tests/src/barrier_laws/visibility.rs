//! I8: what a rank writes before the barrier, every rank reads after it.
use std::sync::atomic::Ordering::Relaxed;

use super::{LawResult, LawRun, count_ranks, stress::RandomDelays};

/// Each rank writes the episode's number into a cell of its own, plainly, and reads those of all ranks after the barrier. Cells
/// alternate, so a rank that is in the next episode writes another cell and each value must be exact.
pub(super) fn check_visibility(law_run: &LawRun<'_>) -> LawResult {
    let (rank, size) = (law_run.world.rank(), law_run.world.size());
    let region = law_run.memory.region(law_run.world, 2 * size, 0)?;
    let place = law_run.provider.build(law_run.entry, law_run.world)?;
    let mut barrier = place.barrier();
    let mut delays = RandomDelays::new(law_run.seed() + 8, rank);
    let mut wrong: Option<String> = None;
    for episode in 1..=law_run.effort.episodes {
        let cells = &region.atoms()[episode % 2 * size..][..size];
        delays.delay();
        cells[rank].store(episode as i64, Relaxed);
        barrier.wait()?;
        for (other, cell) in cells.iter().enumerate() {
            let value = cell.load(Relaxed);
            if value != episode as i64 && wrong.is_none() {
                wrong = Some(format!("after episode {episode} the cell of rank {other} holds {value}"));
            }
        }
    }
    drop(barrier);
    let anywhere = count_ranks(law_run.world, wrong.is_some())?;
    place.close()?;
    region.close()?;
    match anywhere > 0 {
        true => Err(wrong.unwrap_or_else(|| "another rank reads what is old".into()).into()),
        false => Ok(()),
    }
}
