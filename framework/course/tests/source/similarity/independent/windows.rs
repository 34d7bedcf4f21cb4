//! Matrix times vector, one-sided: the root shows everything in a window, and every rank takes its rows and puts its results.
use workbench::{Invalid, LockKind, Place, Result, Rooted, Task, Window, World};

use crate::source::{
    problem::{Product, System},
    seq::Seq,
};

/// Reads and writes of the root's memory.
pub struct Mpi;

/// The window: matrix, vector, results.
pub struct Shown {
    window: Window<f64>,
    rows: usize,
    columns: usize,
}

impl Shown {
    fn take(&self, at: usize, count: usize) -> Result<Vec<f64>> {
        let epoch = self.window.lock(LockKind::Shared, 0)?;
        let ticket = epoch.get(count, at)?;
        epoch.unlock()?;
        ticket.take()
    }
}

impl Task for Mpi {
    type Problem = Product;
    type Prepared = Shown;
    type Raw = Option<Vec<f64>>;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &System, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<System>) -> Result<Shown> {
        let (mut shape, content) = match input.here() {
            None => ([0_i64; 2], vec![]),
            Some(system) => {
                let results = vec![0.0; system.rows];
                let content = [system.matrix, system.vector, results].concat();
                ([system.rows as i64, system.columns as i64], content)
            }
        };
        let window = world.window_of(content)?;
        world.bcast(&mut shape, 0)?;
        Ok(Shown { window, rows: shape[0] as usize, columns: shape[1] as usize })
    }

    fn run(&self, world: &World, shown: &Shown) -> Result<Option<Vec<f64>>> {
        let Shown { window, rows, columns } = shown;
        let vector = shown.take(rows * columns, *columns)?;
        let last = rows * (world.rank() + 1) / world.size();
        for row in rows * world.rank() / world.size()..last {
            let elements = shown.take(row * columns, *columns)?;
            let value: f64 = (0..*columns).map(|column| elements[column] * vector[column]).sum();
            let epoch = window.lock(LockKind::Exclusive, 0)?;
            epoch.put(&[value], (rows + 1) * columns + row)?;
            epoch.unlock()?;
            world.work(2 * *columns as u64, 0);
        }
        world.barrier()?;
        match world.rank() {
            0 => Ok(Some(shown.take((rows + 1) * columns, *rows)?)),
            _ => Ok(None),
        }
    }

    fn postprocessing(&self, _world: &World, results: Option<Vec<f64>>) -> Result<Rooted<Vec<f64>>> {
        Ok(Rooted::from(results))
    }
}
