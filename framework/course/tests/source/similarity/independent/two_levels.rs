//! Matrix times vector, two levels: leaders of groups get long strips and share them in their groups.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Product, System},
    seq::Seq,
};

/// Ranks of a group.
const GROUP: usize = 2;

/// Groups of neighbours.
pub struct Mpi;

/// The communicators and the strip.
pub struct Level {
    inner: World,
    leaders: Option<World>,
    strip: Vec<f64>,
    x: Vec<f64>,
    rows: usize,
}

fn padded(system: &System, parts: usize) -> Vec<f64> {
    let height = system.rows.div_ceil(parts) * parts;
    let mut copy = system.matrix.clone();
    copy.extend(std::iter::repeat_n(0.0, (height - system.rows) * system.columns));
    copy
}

impl Task for Mpi {
    type Problem = Product;
    type Prepared = Level;
    type Raw = (Vec<f64>, usize);
    const OUTPUT: Place = Place::Everywhere;

    fn validation(&self, input: &System, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)?;
        Invalid::unless(ranks.is_multiple_of(GROUP), "the number of ranks must be even")
    }

    fn preprocessing(&self, world: &World, input: Rooted<System>) -> Result<Level> {
        let group = (world.rank() / GROUP) as u32;
        let inner = world.split(Some(group), 0)?.expect("every rank has a colour");
        let leaders = world.split((inner.rank() == 0).then_some(0), 0)?;
        let system = input.here();
        let mut facts = [0_u64; 2];
        if let Some(system) = &system {
            facts = [system.rows as u64, system.columns as u64];
        }
        world.bcast(&mut facts, 0)?;
        let [rows, columns] = facts;
        let (rows, columns) = (rows as usize, columns as usize);
        let piece = rows.div_ceil(world.size()) * columns;
        let mut long = vec![];
        if let Some(leaders) = &leaders {
            long = vec![0.0; piece * GROUP];
            let all = system.as_ref().map(|system| padded(system, world.size()));
            leaders.scatter(all.as_deref(), &mut long, 0)?;
        }
        let mut strip = vec![0.0; piece];
        inner.scatter((inner.rank() == 0).then_some(&long), &mut strip, 0)?;
        let mut x = system.map(|system| system.vector).unwrap_or(vec![0.0; columns]);
        world.bcast(&mut x, 0)?;
        Ok(Level { inner, leaders, strip, x, rows })
    }

    fn run(&self, world: &World, level: &Level) -> Result<(Vec<f64>, usize)> {
        let columns = level.x.len();
        let count = level.strip.len() / columns;
        let mut y = vec![0.0; count];
        for column in 0..columns {
            let factor = level.x[column];
            for row in 0..count {
                y[row] += level.strip[row * columns + column] * factor;
            }
        }
        world.work(2 * level.strip.len() as u64, 0);
        let mut of_group = vec![0.0; count * level.inner.size()];
        level.inner.allgather(&y, &mut of_group)?;
        let mut of_all = vec![0.0; count * world.size()];
        if let Some(leaders) = &level.leaders {
            leaders.allgather(&of_group, &mut of_all)?;
        }
        level.inner.bcast(&mut of_all, 0)?;
        Ok((of_all, level.rows))
    }

    fn postprocessing(&self, _world: &World, (mut y, rows): (Vec<f64>, usize)) -> Result<Rooted<Vec<f64>>> {
        y.truncate(rows);
        Ok(Rooted::Here(y))
    }
}
