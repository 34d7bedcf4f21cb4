//! I3 and I4: no message is left, and no signal is sent twice.
use wb_comm::Operation;

use super::{BarrierInstance, LawResult, LawRun, allreduce, count_ranks, stress::RandomDelays};

/// Runs the effort's episodes on a new instance and waits, by other means, until every rank has left.
fn run_episodes(
    law_run: &LawRun<'_>,
    seed: u64,
) -> Result<Box<dyn BarrierInstance>, Box<dyn std::error::Error>> {
    let place = law_run.provider.build(law_run.entry, law_run.world)?;
    let mut barrier = place.barrier();
    let mut delays = RandomDelays::new(seed, law_run.world.rank());
    for _ in 0..law_run.effort.episodes {
        delays.delay();
        barrier.wait()?;
    }
    drop(barrier);
    law_run.world.barrier()?;
    Ok(place)
}

/// I3: no message is unmatched, and the cells are the same after as many episodes, however these went.
pub(super) fn check_nothing_left(law_run: &LawRun<'_>) -> LawResult {
    let places = [run_episodes(law_run, 1)?, run_episodes(law_run, 2)?];
    let mine = places[0].leftovers()?.first().cloned();
    let left = count_ranks(law_run.world, mine.is_some())?;
    let values = places.each_ref().map(|place| place.values());
    law_run.world.barrier()?;
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

/// Whether there is a formula and signals are counted.
pub(super) fn has_signal_formula(law_run: &LawRun<'_>) -> bool {
    expected(law_run).is_some()
}

/// In one episode.
fn expected(law_run: &LawRun<'_>) -> Option<usize> {
    law_run.provider.signals(law_run.entry, law_run.world.size())
}

/// I4: the signals of all ranks are those of the formula. Signals to others all count. A rank's change of its own cell may
/// be a signal (a flag that others come and look at, a count that lies with this rank) or housekeeping, so those may
/// count; a barrier that leaves its own cells alone is held to the exact number.
pub(super) fn check_signal_count(law_run: &LawRun<'_>) -> LawResult {
    let place = run_episodes(law_run, 3)?;
    let signals = place.signals().ok_or("the provider does not count signals")?;
    place.close()?;
    let each = expected(law_run).ok_or("there is no formula")?;
    let all = allreduce(law_run.world, &signals.map(|signals| signals as u64), Operation::Sum)?;
    let (others, own) = (all[0], all[1]);
    let expected = (law_run.effort.episodes * each) as u64;
    if (others..=others + own).contains(&expected) {
        return Ok(());
    }
    let episodes = law_run.effort.episodes;
    Err(format!(
        "{others} signals in {episodes} episodes ({own} to itself), and the formula gives {expected}"
    )
    .into())
}
