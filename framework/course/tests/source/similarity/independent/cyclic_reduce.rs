//! Matrix times vector, cyclic rows: every rank has all data, and a reduction adds results that are zero elsewhere.
use workbench::{Invalid, Operation, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Product, System},
    seq::Seq,
};

/// Everything everywhere.
pub struct Mpi;

impl Task for Mpi {
    type Problem = Product;
    type Prepared = System;
    type Raw = Option<Vec<f64>>;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &System, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<System>) -> Result<System> {
        let empty = System { rows: 0, columns: 0, matrix: vec![], vector: vec![] };
        let mut system = input.here().unwrap_or(empty);
        let mut header = [system.rows as u64, system.columns as u64];
        world.bcast(&mut header, 0)?;
        system.rows = header[0] as usize;
        system.columns = header[1] as usize;
        system.matrix.resize(system.rows * system.columns, 0.0);
        system.vector.resize(system.columns, 0.0);
        world.bcast(&mut system.matrix, 0)?;
        world.bcast(&mut system.vector, 0)?;
        Ok(system)
    }

    fn run(&self, world: &World, system: &System) -> Result<Option<Vec<f64>>> {
        let mut partial = vec![0.0; system.rows];
        let mut row = world.rank();
        while row < system.rows {
            partial[row] = (0..system.columns).fold(0.0, |sum, column| {
                sum + system.matrix[row * system.columns + column] * system.vector[column]
            });
            world.work(2 * system.columns as u64, 0);
            row += world.size();
        }
        if world.rank() == 0 {
            let mut complete = vec![0.0; system.rows];
            world.reduce(&partial, Some(&mut complete), Operation::Sum, 0)?;
            Ok(Some(complete))
        } else {
            world.reduce(&partial, None, Operation::Sum, 0)?;
            Ok(None)
        }
    }

    fn postprocessing(&self, _world: &World, complete: Option<Vec<f64>>) -> Result<Rooted<Vec<f64>>> {
        Ok(complete.into())
    }
}
