//! Matrix times vector, in waves: in every wave each rank gets one row, until there are none left.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Product, System},
    seq::Seq,
};

/// One row for each rank in each wave.
pub struct Mpi;

/// The rows that arrived, in the order of waves.
#[derive(Default)]
pub struct Waves {
    arrived: Vec<Vec<f64>>,
    factors: Vec<f64>,
    surplus: usize,
}

impl Task for Mpi {
    type Problem = Product;
    type Prepared = Waves;
    type Raw = Waves;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &System, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<System>) -> Result<Waves> {
        let is_home = input.is_here();
        let mut system = input.here().unwrap_or(System { rows: 0, columns: 0, matrix: vec![], vector: vec![] });
        let mut waves = Waves { surplus: system.rows.next_multiple_of(world.size()) - system.rows, ..Waves::default() };
        let mut agreed = [system.rows.div_ceil(world.size()) as u64, system.vector.len() as u64];
        world.bcast(&mut agreed, 0)?;
        system.vector.resize(agreed[1] as usize, 0.0);
        system.matrix.resize(if is_home { (agreed[0] * agreed[1]) as usize * world.size() } else { 0 }, 0.0);
        for wave in 0..agreed[0] as usize {
            let length = world.size() * system.vector.len();
            let source = is_home.then(|| &system.matrix[wave * length..(wave + 1) * length]);
            let mut row = vec![0.0; system.vector.len()];
            world.scatter(source, &mut row, 0)?;
            waves.arrived.push(row);
        }
        world.bcast(&mut system.vector, 0)?;
        waves.factors = system.vector;
        Ok(waves)
    }

    fn run(&self, world: &World, waves: &Waves) -> Result<Waves> {
        let products = waves.arrived.iter().map(|row| {
            let mut pairs = row.iter().zip(waves.factors.iter());
            let mut sum = 0.0;
            while let Some((element, factor)) = pairs.next() {
                sum += element * factor;
            }
            vec![sum]
        });
        let arrived = products.collect::<Vec<_>>();
        world.work((arrived.len() * waves.factors.len() * 2) as u64, 0);
        Ok(Waves { arrived, factors: vec![], surplus: waves.surplus })
    }

    fn postprocessing(&self, world: &World, waves: Waves) -> Result<Rooted<Vec<f64>>> {
        let mut output = vec![];
        let is_root = world.rank() == 0;
        for value in &waves.arrived {
            let mut wave = if is_root { vec![0.0; world.size()] } else { vec![] };
            world.gather(value, is_root.then_some(&mut wave[..]), 0)?;
            output.extend(wave);
        }
        output.truncate(output.len().saturating_sub(waves.surplus));
        Ok(if is_root { Rooted::Here(output) } else { Rooted::Elsewhere })
    }
}
