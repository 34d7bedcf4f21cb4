//! Matrix times vector, strips by requests: the root computes its own strip while the others are under way.
use workbench::{Invalid, Place, Rank, Result, Rooted, SendRequest, Task, World};

use crate::source::{
    problem::{Product, System},
    seq::Seq,
};

/// Requests that do not block.
pub struct Mpi;

struct Cut {
    each: usize,
    extra: usize,
}

impl Cut {
    fn begin(&self, rank: Rank) -> usize {
        self.each * rank + self.extra.min(rank)
    }
    fn length(&self, rank: Rank) -> usize {
        if rank < self.extra { self.each + 1 } else { self.each }
    }
}

/// Rows with the vector in front.
pub struct Packet {
    columns: usize,
    body: Vec<f64>,
    total_rows: usize,
}

impl Task for Mpi {
    type Problem = Product;
    type Prepared = Packet;
    type Raw = Packet;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, input: &System, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<System>) -> Result<Packet> {
        let Some(system) = input.here() else {
            let status = world.probe(0, 9)?;
            let length = status.count_of::<f64>().unwrap_or(0);
            let (mut body, _) = world.irecv::<f64>(length, 0, 9)?.wait()?;
            let total_rows = body.pop().unwrap_or(0.0) as usize;
            let columns = body.pop().unwrap_or(0.0) as usize;
            return Ok(Packet { columns, body, total_rows });
        };
        let cut = Cut { each: system.rows / world.size(), extra: system.rows % world.size() };
        let mut pending: Vec<SendRequest<f64>> = Vec::with_capacity(world.size());
        let pack = |rank: Rank| {
            let start = cut.begin(rank) * system.columns;
            let rows = &system.matrix[start..start + cut.length(rank) * system.columns];
            [system.vector.as_slice(), rows].concat()
        };
        for rank in (1..world.size()).rev() {
            let mut packet = pack(rank);
            packet.extend([system.columns as f64, system.rows as f64]);
            pending.push(world.isend(packet, rank, 9)?);
        }
        let own = pack(0);
        pending.into_iter().try_for_each(|request| request.wait().map(drop))?;
        Ok(Packet { columns: system.columns, body: own, total_rows: system.rows })
    }

    fn run(&self, world: &World, packet: &Packet) -> Result<Packet> {
        let (vector, rows) = packet.body.split_at(packet.columns);
        let dot = |row: &[f64]| std::iter::zip(row, vector).fold(0.0, |sum, (a, b)| f64::mul_add(*a, *b, sum));
        let body: Vec<f64> = rows.chunks(packet.columns.max(1)).map(dot).collect();
        world.work(2 * rows.len() as u64, 0);
        Ok(Packet { columns: packet.columns, body, total_rows: packet.total_rows })
    }

    fn postprocessing(&self, world: &World, packet: Packet) -> Result<Rooted<Vec<f64>>> {
        if world.rank() > 0 {
            world.isend(packet.body, 0, 10)?.wait()?;
            return Ok(Rooted::Elsewhere);
        }
        let cut = Cut { each: packet.total_rows / world.size(), extra: packet.total_rows % world.size() };
        let mut parts = vec![packet.body];
        let posted: Result<Vec<_>> =
            (1..world.size()).map(|rank| world.irecv::<f64>(cut.length(rank), rank, 10)).collect();
        for request in posted? {
            parts.push(request.wait()?.0);
        }
        Ok(Rooted::Here(parts.concat()))
    }
}
