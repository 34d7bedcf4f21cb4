//! The sequential version: the reference for the parallel version's output, and the baseline of its speed-up.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::{
    problem::{Diary, Heat, Rod},
    strip::{self, Strip},
};

/// Computes the whole rod on one rank.
pub struct Seq;

impl Seq {
    /// The output for `rod`.
    pub fn diary(rod: &Rod) -> Diary {
        let mut strip = Strip { first: 0, cells: rod.cells.clone() };
        let mut notices = vec![];
        for step in 1..=rod.steps {
            let next = strip.step(None, None);
            notices.extend(next.notices(&strip, rod.alarm, step));
            strip = next;
        }
        Diary { cells: strip.cells, notices }
    }
}

impl Task for Seq {
    type Problem = Heat;
    type Prepared = Rod;
    type Raw = Diary;

    const OUTPUT: Place = Place::Home;

    fn validation(&self, rod: &Rod, _ranks: usize) -> std::result::Result<(), Invalid> {
        Invalid::unless(rod.cells.iter().all(|cell| cell.is_finite()), "a cell has no temperature")?;
        Invalid::unless(rod.alarm.is_finite(), "the alarm is no temperature")
    }

    fn preprocessing(&self, _world: &World, input: Rooted<Rod>) -> Result<Rod> {
        Ok(input.here().expect("the only rank has the input"))
    }

    fn run(&self, world: &World, rod: &Rod) -> Result<Diary> {
        world.work(rod.steps as u64 * strip::flops(rod.cells.len()), 0);
        Ok(Self::diary(rod))
    }

    fn postprocessing(&self, _world: &World, diary: Diary) -> Result<Rooted<Diary>> {
        Ok(Rooted::Here(diary))
    }
}
