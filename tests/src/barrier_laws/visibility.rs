//! I8: what a rank has written before, everybody reads after.
use std::sync::atomic::Ordering::Relaxed;

use super::{LawResult, LawRun, count_ranks, stress::RandomDelays};

/// Each rank writes the episode's number into a cell of its own, plainly, and reads everybody's after the barrier. Cells
/// alternate, so whoever is in the next episode already writes elsewhere and each value must be exact.
pub(super) fn check_visibility(trial: &LawRun<'_>) -> LawResult {
    let (rank, size) = (trial.world.rank(), trial.world.size());
    let region = trial.memory.region(trial.world, 2 * size, 0)?;
    let place = trial.provider.build(trial.entry, trial.world)?;
    let mut barrier = place.barrier();
    let mut weather = RandomDelays::new(trial.seed() + 8, rank);
    let mut wrong: Option<String> = None;
    for episode in 1..=trial.effort.episodes {
        let cells = &region.atoms()[episode % 2 * size..][..size];
        weather.delay();
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
    let anywhere = count_ranks(trial.world, wrong.is_some())?;
    place.close()?;
    region.close()?;
    match anywhere > 0 {
        true => Err(wrong.unwrap_or_else(|| "another rank reads what is old".into()).into()),
        false => Ok(()),
    }
}
