//! Matrix times vector, packed: everything for one rank is one list of numbers with a header, read by a cursor.
use workbench::{Invalid, Place, Result, Rooted, Task, World};

use crate::source::{
    problem::{Product, System},
    seq::Seq,
};

/// One message for each rank in each direction.
pub struct Mpi;

/// Reads a list from its beginning.
pub struct Cursor {
    numbers: Vec<f64>,
    position: usize,
}

impl Cursor {
    fn number(&mut self) -> usize {
        self.position += 1;
        self.numbers[self.position - 1] as usize
    }

    fn list(&mut self, length: usize) -> Vec<f64> {
        let end = self.position + length;
        let list = self.numbers[self.position..end].to_vec();
        self.position = end;
        list
    }
}

/// What is known after unpacking.
pub struct Unpacked {
    first: usize,
    total: usize,
    lines: Vec<Vec<f64>>,
    weights: Vec<f64>,
}

impl From<Vec<f64>> for Unpacked {
    fn from(numbers: Vec<f64>) -> Self {
        let mut cursor = Cursor { numbers, position: 0 };
        let (first, count, total, width) = (cursor.number(), cursor.number(), cursor.number(), cursor.number());
        let weights = cursor.list(width);
        let lines = (0..count).map(|_| cursor.list(width)).collect();
        Self { first, total, lines, weights }
    }
}

impl Task for Mpi {
    type Problem = Product;
    type Prepared = Unpacked;
    type Raw = Unpacked;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &System, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<System>) -> Result<Unpacked> {
        let mut lengths = vec![0_u64; world.size()];
        let mut flat = Vec::new();
        if let Some(s) = input.here() {
            let mut first = 0;
            for left in (1..=world.size()).rev() {
                let count = (s.rows - first) / left;
                let before = flat.len();
                flat.extend([first as f64, count as f64, s.rows as f64, s.columns as f64]);
                flat.extend(&s.vector);
                flat.extend(&s.matrix[first * s.columns..(first + count) * s.columns]);
                lengths[world.size() - left] = (flat.len() - before) as u64;
                first += count;
            }
        }
        world.bcast(&mut lengths, 0)?;
        let lengths: Vec<usize> = lengths.into_iter().map(|length| length as usize).collect();
        let mut packed = vec![0.0; lengths[world.rank()]];
        world.scatterv((world.rank() == 0).then_some((&flat[..], &lengths[..])), &mut packed, 0)?;
        Ok(packed.into())
    }

    fn run(&self, world: &World, unpacked: &Unpacked) -> Result<Unpacked> {
        let mut lines = Vec::new();
        for line in &unpacked.lines {
            world.work(2 * line.len() as u64, 0);
            let value = line.iter().zip(&unpacked.weights).map(|(l, w)| l * w).reduce(|a, b| a + b);
            lines.push(vec![value.unwrap_or(0.0)]);
        }
        Ok(Unpacked { first: unpacked.first, total: unpacked.total, lines, weights: vec![] })
    }

    fn postprocessing(&self, world: &World, unpacked: Unpacked) -> Result<Rooted<Vec<f64>>> {
        let mut message = vec![unpacked.first as f64];
        message.extend(unpacked.lines.concat());
        if world.rank() != 0 {
            world.ssend(&message, 0, 77)?;
            return Ok(Rooted::Elsewhere);
        }
        let mut answer = vec![0.0; unpacked.total];
        for source in 0..world.size() {
            let received = match source {
                0 => message.clone(),
                _ => world.recv_vec::<f64>(unpacked.total + 1, source, 77)?.0,
            };
            let start = received[0] as usize;
            answer[start..start + received.len() - 1].copy_from_slice(&received[1..]);
        }
        Ok(Rooted::Here(answer))
    }
}
