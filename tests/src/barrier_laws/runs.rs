//! I1 and I2: nobody leaves before everybody has entered, one rank late or all of them in a hurry.
use std::{hint, thread, time::Duration};

use wb_comm::Barrier;
use wb_world::World;

use super::{Judgement, Trial, of_all};

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

    /// Collective: in each episode the first to leave left after the last had entered.
    pub(super) fn judge(&self, team: &World) -> Judgement {
        let (entered, left) = (of_all(team, &self.entered)?, of_all(team, &self.left)?);
        let episodes = self.entered.len();
        for episode in 0..episodes {
            let of =
                |all: &[u64]| -> Vec<u64> { (0..team.size()).map(|r| all[r * episodes + episode]).collect() };
            let (entered, left) = (of(&entered), of(&left));
            let last = (0..team.size()).max_by_key(|&rank| entered[rank]).expect("a team has a rank");
            let first = (0..team.size()).min_by_key(|&rank| left[rank]).expect("a team has a rank");
            if left[first] < entered[last] {
                let early = entered[last] - left[first];
                return Err(format!(
                    "episode {episode}: rank {first} left {early} ns before rank {last} entered"
                )
                .into());
            }
        }
        Ok(())
    }
}

/// I1: each rank is late in its turn, and everybody leaves after it has come.
pub(super) fn stamps(trial: &Trial<'_>) -> Judgement {
    let place = trial.carrier.place(trial.entry, trial.world)?;
    let mut barrier = place.barrier();
    let mut stamps = Stamps::default();
    for late in 0..trial.world.size() {
        if trial.world.rank() == late {
            thread::sleep(trial.pace.late);
        }
        stamps.pass(trial.world, &mut *barrier)?;
    }
    stamps.judge(trial.world)?;
    drop(barrier);
    Ok(place.close()?)
}

/// I2: again and again at once, each rank with delays of its own.
pub(super) fn storm(trial: &Trial<'_>) -> Judgement {
    let place = trial.carrier.place(trial.entry, trial.world)?;
    let mut barrier = place.barrier();
    let mut stamps = Stamps::default();
    let mut weather = Weather::of(trial.seed(), trial.world.rank());
    for _ in 0..trial.pace.storm {
        weather.delay();
        stamps.pass(trial.world, &mut *barrier)?;
    }
    stamps.judge(trial.world)?;
    drop(barrier);
    Ok(place.close()?)
}

/// Random delays of one rank: mostly none, some that let others run, a few that are long.
pub(super) struct Weather(oorandom::Rand32);

impl Weather {
    /// The same for the same seed and rank.
    pub(super) fn of(seed: u64, rank: usize) -> Self {
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
