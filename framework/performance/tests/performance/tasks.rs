//! The measured tasks: a sum, by versions that are right, wrong, endless or terminated; and communication assignments, of which one is
//! wrong.
use std::process::Command;

use wb_task::{Communication, Input, Invalid, Place, Problem, Task, Verdict, Workload};
use wb_world::{FrameworkCalls as _, Operation, Rank, Result, Rooted, World};

/// The sum of the numbers from 1 to n.
pub(crate) struct Sum;

impl Problem for Sum {
    type Input = Vec<u64>;
    type Output = u64;

    fn workload(request: &Workload) -> Option<Vec<u64>> {
        (request.name == "count").then(|| (1..=request.size as u64).collect())
    }

    fn check(input: &Vec<u64>, output: &u64) -> Verdict {
        let n = input.len() as u64;
        let right = n * (n + 1) / 2;
        Verdict::of(*output == right, || format!("the sum is {output}, expected {right}"))
    }
}

/// The behaviour of a version in `run` on more than one rank.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Behaviour {
    Right,
    Wrong,
    Endless,
    OutOfMemory,
    Unterminated,
    Parent,
    Orphans,
    Killed,
    Exits,
}

/// Adds each rank's numbers, then the sums of all ranks.
pub(crate) struct Adder(pub(crate) Behaviour);

impl Task for Adder {
    type Problem = Sum;
    type Prepared = Vec<u64>;
    type Raw = u64;
    const OUTPUT: Place = Place::Everywhere;

    fn validation(&self, _: &Input<Self>, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, world: &World, input: Rooted<Vec<u64>>) -> Result<Vec<u64>> {
        let all = world.broadcast_bytes(0, input.here().map(|all| bytes(&all)).as_deref())?;
        let all = all.as_chunks().0.iter().map(|bytes| u64::from_ne_bytes(*bytes));
        Ok(all.skip(world.rank()).step_by(world.size()).collect())
    }

    fn run(&self, world: &World, mine: &Vec<u64>) -> Result<u64> {
        match self.0 {
            Behaviour::Endless if world.size() > 1 => loop {
                std::hint::black_box(mine);
            },
            Behaviour::OutOfMemory if world.rank() == 1 => drop(std::hint::black_box(vec![1u8; 1 << 50])),
            Behaviour::Unterminated if world.rank() == 1 => SEARCHES.with(|_| ()),
            Behaviour::Parent if world.rank() == 1 => start_daemon(),
            Behaviour::Orphans if world.rank() == 1 => {
                start_daemon();
                kill_self();
            }
            Behaviour::Killed if world.rank() == 1 => kill_self(),
            Behaviour::Exits if world.rank() == 1 => std::process::exit(0),
            _ => {}
        }
        let mut sum = [0];
        world.allreduce(&[mine.iter().sum::<u64>()], &mut sum, Operation::Sum)?;
        Ok(sum[0] + u64::from(self.0 == Behaviour::Wrong && world.size() > 1))
    }

    fn postprocessing(&self, _: &World, raw: u64) -> Result<Rooted<u64>> {
        Ok(Rooted::Here(raw))
    }
}

/// A value whose destructor does not end.
struct Searches;

impl Drop for Searches {
    fn drop(&mut self) {
        while std::hint::black_box(true) {}
    }
}

thread_local! {
    static SEARCHES: Searches = const { Searches };
}

/// A process that leaves this one's session and group.
fn start_daemon() {
    let daemon = Command::new("setsid").args(["--fork", "sleep", "3603"]).status();
    assert!(daemon.expect("it is installed everywhere").success());
}

/// This process is killed, as by the system when memory runs out.
fn kill_self() {
    let killed = Command::new("kill").args(["-9", &std::process::id().to_string()]).status();
    unreachable!("{killed:?}");
}

fn bytes(all: &[u64]) -> Vec<u8> {
    all.iter().flat_map(|number| number.to_ne_bytes()).collect()
}

/// Does nothing in `run`, so that only the harness is measured.
pub(crate) struct Nothing;

impl Task for Nothing {
    type Problem = Sum;
    type Prepared = u64;
    type Raw = u64;
    const OUTPUT: Place = Place::Home;

    fn validation(&self, _: &Input<Self>, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, _: &World, input: Rooted<Vec<u64>>) -> Result<u64> {
        Ok(input.here().map_or(0, |all| all.iter().sum()))
    }

    fn run(&self, _: &World, sum: &u64) -> Result<u64> {
        Ok(*sum)
    }

    fn postprocessing(&self, world: &World, raw: u64) -> Result<Rooted<u64>> {
        Ok(Rooted::on(world.rank() == 0, || raw))
    }
}

/// A broadcast in which the root sends to one rank after the other.
pub(crate) struct LinearBcast;

impl Communication for LinearBcast {
    const OPERATION: &'static str = "bcast";
    const ALGORITHM: &'static str = "linear";
    const MESSAGES: &'static str = "P - 1";
    const ROUNDS: &'static str = "P - 1";

    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        if world.rank() != root {
            return world.recv(data, root, 0).map(drop);
        }
        (0..world.size()).filter(|&rank| rank != root).try_for_each(|rank| world.send(data, rank, 0))
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        world.bcast(data, root)
    }

    fn messages(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }

    fn rounds(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }
}

/// A scatter in which the root sends each rank its part in turn: the right one, or its neighbour's.
pub(crate) struct LinearScatter {
    pub(crate) is_skewed: bool,
}

impl Communication for LinearScatter {
    const OPERATION: &'static str = "scatter";
    const MESSAGES: &'static str = "P - 1";
    const ROUNDS: &'static str = "P - 1";

    fn own(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let (size, part) = (world.size(), data.len() / world.size());
        if world.rank() != root {
            return world.recv(&mut data[..part], root, 0).map(drop);
        }
        let of = |rank: Rank| (rank + usize::from(self.is_skewed)) % size * part;
        for rank in (0..size).filter(|&rank| rank != root) {
            world.send(&data[of(rank)..][..part], rank, 0)?;
        }
        data.copy_within(root * part..(root + 1) * part, 0);
        Ok(())
    }

    fn library(&self, world: &World, data: &mut [f64], root: Rank) -> Result<()> {
        let part = data.len() / world.size();
        let mut mine = vec![0.0; part];
        let all = (world.rank() == root).then(|| &data[..part * world.size()]);
        world.scatter(all, &mut mine, root)?;
        data[..part].copy_from_slice(&mine);
        Ok(())
    }

    fn messages(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }

    fn rounds(&self, ranks: usize) -> u64 {
        ranks as u64 - 1
    }
}
