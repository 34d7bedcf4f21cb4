//! I1 and I2: no rank leaves before every rank has entered, with one rank late or all of them without a pause.
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

    /// Collective: in each episode the first to leave left after the last had entered. A rank that left too soon reports it.
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

/// I1: each rank is late in its turn, and every rank leaves after it has entered.
pub(super) fn check_timestamps(law_run: &LawRun<'_>) -> LawResult {
    let place = law_run.provider.build(law_run.entry, law_run.world)?;
    let mut barrier = place.barrier();
    let mut stamps = Stamps::default();
    for late in 0..law_run.world.size() {
        if law_run.world.rank() == late {
            thread::sleep(law_run.effort.delay);
        }
        stamps.pass(law_run.world, &mut *barrier)?;
    }
    stamps.check(law_run.world)?;
    drop(barrier);
    Ok(place.close()?)
}

/// I2: episode after episode without a pause, each rank with delays of its own.
pub(super) fn check_stress(law_run: &LawRun<'_>) -> LawResult {
    let place = law_run.provider.build(law_run.entry, law_run.world)?;
    let mut barrier = place.barrier();
    let mut stamps = Stamps::default();
    let mut delays = RandomDelays::new(law_run.seed(), law_run.world.rank());
    for _ in 0..law_run.effort.stress_episodes {
        delays.delay();
        stamps.pass(law_run.world, &mut *barrier)?;
    }
    stamps.check(law_run.world)?;
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

    pub(super) fn delay(&mut self) {
        match self.0.rand_range(0..256) {
            0 => thread::sleep(Duration::from_micros(50)),
            1..=15 => thread::yield_now(),
            16..=47 => (0..self.0.rand_range(0..400)).for_each(|_| hint::spin_loop()),
            _ => {}
        }
    }
}
