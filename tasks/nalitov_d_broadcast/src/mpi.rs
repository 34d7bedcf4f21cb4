//! The parallel version: the root broadcasts the data to every rank.
//!
//! At first only the root has information: the other ranks know neither the type, nor the count, nor the root. So the
//! stages before `run` distribute it:
//!
//! | stage | communication | messages |
//! |---|---|---|
//! | preprocessing | the root sends its rank to rank 0, unless it is rank 0 | 1 or 0 |
//! | preprocessing | rank 0 broadcasts the root's rank | P - 1 |
//! | preprocessing | the root broadcasts type and count | P - 1 |
//! | run | the root broadcasts the data | P - 1, none if there are no data |
//!
//! All broadcasts use this task's [`broadcast()`], so only send and receive are used.
use assignment_2_1_broadcast::{Broadcasting, Sent as Input};
use workbench::{
    ANY_SOURCE, Communication, Invalid, Place, Rank, Result, Rooted, Task, TypedVec as Data, World,
};

use crate::{broadcast::broadcast, seq::Seq};

/// The tag of the message with which the root sends its rank to rank 0.
const ROOT_TAG: i32 = 2;

/// Broadcasts the data over the tree.
pub struct Mpi;

/// The state of a rank before the broadcast of the data.
pub struct Ready {
    /// The data on the root, the same number of zeros elsewhere.
    buffer: Data,
    root: i32,
}

impl Task for Mpi {
    type Problem = Broadcasting;
    type Prepared = Ready;
    type Raw = Data;

    const OUTPUT: Place = Place::Everywhere;

    fn validation(&self, input: &Input, ranks: usize) -> std::result::Result<(), Invalid> {
        Seq.validation(input, ranks)
    }

    fn preprocessing(&self, world: &World, input: Rooted<Input>) -> Result<Ready> {
        let root = agree_on_root(world, input.as_ref().map(|input| input.root))?;
        let buffer = make_room(world, input.map(|input| input.data), root)?;
        Ok(Ready { buffer, root })
    }

    /// The buffer is copied first, because the next run needs the same data.
    fn run(&self, world: &World, ready: &Ready) -> Result<Data> {
        let mut data = ready.buffer.clone();
        match &mut data {
            Data::Int(numbers) => broadcast(numbers, ready.root, world),
            Data::Float(numbers) => broadcast(numbers, ready.root, world),
            Data::Double(numbers) => broadcast(numbers, ready.root, world),
        }?;
        Ok(data)
    }

    fn postprocessing(&self, _world: &World, data: Data) -> Result<Rooted<Data>> {
        Ok(Rooted::Here(data))
    }
}

/// Distributes the root's rank to every rank; at first only the root itself knows it.
fn agree_on_root(world: &World, root: Rooted<i32>) -> Result<i32> {
    let mut agreed = [0];
    match root.here() {
        Some(root) if world.rank() == 0 => agreed = [root],
        Some(root) => world.send(&[root], 0, ROOT_TAG)?,
        None if world.rank() == 0 => {
            world.recv(&mut agreed, ANY_SOURCE, ROOT_TAG)?;
        }
        None => {}
    }
    broadcast(&mut agreed, 0, world)?;
    Ok(agreed[0])
}

/// Broadcasts type and count, so that every rank allocates a buffer for the root's data.
fn make_room(world: &World, data: Rooted<Data>, root: i32) -> Result<Data> {
    let mut header = match &data {
        Rooted::Here(data) => [code(data), data.count() as u64],
        Rooted::Elsewhere => [0; 2],
    };
    broadcast(&mut header, root, world)?;
    let [code, count] = header;
    Ok(data.here().unwrap_or_else(|| zeros(code, count as usize)))
}

/// The type as a number that can be sent.
fn code(data: &Data) -> u64 {
    match data {
        Data::Int(_) => 0,
        Data::Float(_) => 1,
        Data::Double(_) => 2,
    }
}

/// `count` zeros of the type with this [`code`].
fn zeros(code: u64, count: usize) -> Data {
    match code {
        0 => Data::Int(vec![0; count]),
        1 => Data::Float(vec![0.0; count]),
        2 => Data::Double(vec![0.0; count]),
        _ => unreachable!("the root sends the code of one of the three types, not {code}"),
    }
}

/// The function above together with the library's `MPI_Bcast`, for the measurement of latency and bandwidth.
impl Communication for Mpi {
    const OPERATION: &'static str = "bcast";
    const MESSAGES: &'static str = "P - 1";
    const ROUNDS: &'static str = "ceil(log2 P)";

    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let root = i32::try_from(root).expect("MPI numbers its ranks with an int");
        broadcast(data, root, world)
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        world.bcast(data, root)
    }

    fn messages(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }

    fn rounds(&self, ranks: usize) -> u64 {
        ranks.next_power_of_two().trailing_zeros().into()
    }
}
