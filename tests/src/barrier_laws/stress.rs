//! I1 and I2: nobody leaves before everybody has entered, one rank late or all of them in a hurry.
use std::{hint, thread, time::Duration};

use wb_comm::{Barrier, Operation};
use wb_world::World;

use super::{LawResult, LawRun, allreduce, count_ranks};

/// When this rank entered and left each episode, in nanoseconds.
#[derive(Default)]
pub(super) struct Stamps {
    entered: Vec<u64>,
    left: Vec<u64>,
}

impl Stamps {
    /// One episode.
    pub(super) fn pass(&mut self, world: &World, barrier: &mut dyn Barrier) -> wb_comm::Result<()> {
        self.entered.push(world.now());
        barrier.wait()?;
        self.left.push(world.now());
        Ok(())
    }

    /// Collective: in each episode the first to leave left after the last had entered. Whoever left too soon says so.
    pub(super) fn check(&self, team: &World) -> LawResult {
        let last_entered = allreduce(team, &self.entered, Operation::Max)?;
        let early = self.left.iter().zip(&last_entered).position(|(left, last)| left < last);
        if count_ranks(team, early.is_some())? == 0 {
            return Ok(());
        }
        let Some(episode) = early else { return Err("another rank left before all had entered".into()) };
        let by = last_entered[episode] - self.left[episode];
        Err(format!("episode {episode}: left {by} ns before the last rank entered").into())
    }
}

/// I1: each rank is late in its turn, and everybody leaves after it has come.
pub(super) fn check_timestamps(trial: &LawRun<'_>) -> LawResult {
    let place = trial.provider.build(trial.entry, trial.world)?;
    let mut barrier = place.barrier();
    let mut stamps = Stamps::default();
    for late in 0..trial.world.size() {
        if trial.world.rank() == late {
            thread::sleep(trial.effort.delay);
        }
        stamps.pass(trial.world, &mut *barrier)?;
    }
    stamps.check(trial.world)?;
    drop(barrier);
    Ok(place.close()?)
}

/// I2: again and again at once, each rank with delays of its own.
pub(super) fn check_stress(trial: &LawRun<'_>) -> LawResult {
    let place = trial.provider.build(trial.entry, trial.world)?;
    let mut barrier = place.barrier();
    let mut stamps = Stamps::default();
    let mut weather = RandomDelays::new(trial.seed(), trial.world.rank());
    for _ in 0..trial.effort.stress_episodes {
        weather.delay();
        stamps.pass(trial.world, &mut *barrier)?;
    }
    stamps.check(trial.world)?;
    drop(barrier);
    Ok(place.close()?)
}

/// Random delays of one rank: mostly none, some that let others run, a few that are long.
pub(super) struct RandomDelays(oorandom::Rand32);

impl RandomDelays {
    /// The same for the same seed and rank.
    pub(super) fn new(seed: u64, rank: usize) -> Self {
        Self(oorandom::Rand32::new(seed.wrapping_add(0x9e37_79b9 * (rank as u64 + 1))))
    }

    /// One delay.
    pub(super) fn delay(&mut self) {
        match self.0.rand_range(0..256) {
            0 => thread::sleep(Duration::from_micros(50)),
            1..=15 => thread::yield_now(),
            16..=47 => (0..self.0.rand_range(0..400)).for_each(|_| hint::spin_loop()),
            _ => {}
        }
    }
}
