//! I3 and I4: nothing is left behind, and nothing is said twice.
use wb_comm::Operation;

use super::{BarrierInstance, LawResult, LawRun, allreduce, count_ranks, stress::RandomDelays};

/// Runs the pace's episodes on a fresh place and waits, by other means, for everybody to be out.
fn run_episodes(
    trial: &LawRun<'_>,
    seed: u64,
) -> Result<Box<dyn BarrierInstance>, Box<dyn std::error::Error>> {
    let place = trial.provider.build(trial.entry, trial.world)?;
    let mut barrier = place.barrier();
    let mut weather = RandomDelays::new(seed, trial.world.rank());
    for _ in 0..trial.effort.episodes {
        weather.delay();
        barrier.wait()?;
    }
    drop(barrier);
    trial.world.barrier()?;
    Ok(place)
}

/// I3: no message is unmatched, and the cells are the same after as many episodes, however these went.
pub(super) fn check_nothing_left(trial: &LawRun<'_>) -> LawResult {
    let places = [run_episodes(trial, 1)?, run_episodes(trial, 2)?];
    let mine = places[0].leftovers()?.first().cloned();
    let left = count_ranks(trial.world, mine.is_some())?;
    let values = places.each_ref().map(|place| place.values());
    trial.world.barrier()?;
    places.into_iter().try_for_each(BarrierInstance::close)?;
    if left > 0 {
        let mine = mine.unwrap_or_else(|| "another rank has it".into());
        return Err(format!("a message is left: {mine}").into());
    }
    if values[0] != values[1] {
        return Err(format!("the cells differ after two runs: {:?} and {:?}", values[0], values[1]).into());
    }
    Ok(())
}

/// Is there a formula, and are signals counted?
pub(super) fn has_signal_formula(trial: &LawRun<'_>) -> bool {
    expected(trial).is_some()
}

/// In one episode.
fn expected(trial: &LawRun<'_>) -> Option<usize> {
    trial.provider.signals(trial.entry, trial.world.size())
}

/// I4: the signals of all ranks are those of the formula. Signals to others all count. A rank's change of its own cell may
/// be a signal (a flag that others come and look at, a count that lies with this rank) or housekeeping, so those may
/// count; a barrier that leaves its own cells alone is held to the exact number.
pub(super) fn check_signal_count(trial: &LawRun<'_>) -> LawResult {
    let place = run_episodes(trial, 3)?;
    let signals = place.signals().ok_or("the carrier does not count signals")?;
    place.close()?;
    let each = expected(trial).ok_or("there is no formula")?;
    let all = allreduce(trial.world, &signals.map(|signals| signals as u64), Operation::Sum)?;
    let (others, own) = (all[0], all[1]);
    let expected = (trial.effort.episodes * each) as u64;
    if (others..=others + own).contains(&expected) {
        return Ok(());
    }
    let episodes = trial.effort.episodes;
    Err(format!("{others} signals in {episodes} episodes ({own} at home), where the formula says {expected}")
        .into())
}
