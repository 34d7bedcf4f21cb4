//! Traced passes with and without overlap, and the inputs of a pass.
use std::{
    cell::Cell,
    sync::atomic::{AtomicUsize, Ordering},
};

use wb_comm::{Operation, RankFunction, Result, ThreadRanks as _};
use wb_local::sim::{Faults, Simulator};
use wb_task::{Invalid, Place, Workload};

use super::*;

struct Megabyte;

impl Problem for Megabyte {
    type Input = ();
    /// The sum and the number of ranks.
    type Output = (f64, usize);

    fn workload(_: &Workload) -> Option<()> {
        Some(())
    }

    fn check((): &(), (sum, ranks): &(f64, usize)) -> Verdict {
        Verdict::of(*sum == *ranks as f64, || "another sum".to_owned())
    }
}

/// How the sum over the ranks is started.
#[derive(Clone, Copy)]
enum Start {
    Nonblocking,
    Persistent,
    Blocking,
}

/// Adds a megabyte of numbers over the ranks while each rank computes for 100 ms.
struct Overlapped(Start);

impl Task for Overlapped {
    type Problem = Megabyte;
    type Prepared = ();
    type Raw = f64;
    const OUTPUT: Place = Place::Everywhere;

    fn validation(&self, (): &(), _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, _: &World, _: Rooted<()>) -> Result<()> {
        Ok(())
    }

    fn run(&self, world: &World, (): &()) -> Result<f64> {
        let ones = vec![1.0; 131_072];
        // The first rank starts later than the others.
        world.work(u64::from(world.rank() == 0) * 10_000, 0);
        match self.0 {
            Start::Nonblocking => {
                let sum = world.iallreduce(ones, Operation::Sum)?;
                world.work(100_000_000, 0);
                Ok(sum.wait()?[7])
            }
            Start::Persistent => {
                let mut sum = world.allreduce_init(ones, Operation::Sum)?;
                sum.start()?;
                world.work(100_000_000, 0);
                sum.wait()?;
                Ok(sum.result_mut()?[7])
            }
            Start::Blocking => {
                let mut sum = vec![0.0; ones.len()];
                world.allreduce(&ones, &mut sum, Operation::Sum)?;
                Ok(sum[7])
            }
        }
    }

    fn postprocessing(&self, world: &World, raw: f64) -> Result<Rooted<(f64, usize)>> {
        Ok(Rooted::Here((raw, world.size())))
    }
}

/// The traces of a pass of this task on a machine with these faults.
fn traces(start: Start, ranks: usize, faults: &[&str]) -> Vec<RankTrace> {
    let machine = wb_local::sim::machine_library::find("cluster-ib").expect("a machine");
    let machine = machine.machine("cluster-ib", ranks).expect("it has the cores");
    let faults = Faults::parse(faults).expect("faults that there are");
    let simulator = Simulator { faults, ..Simulator::from(machine) };
    let inputs = <[SharedInputs; 2]>::default();
    let job: RankFunction = Arc::new(move |transport| {
        let request = WorkloadRequest { name: "ones".to_owned(), size: 1 };
        let manner = (PassMode::Traced(100), &inputs);
        let pass = run_pass(&Overlapped(start), transport, &request, 1, manner).expect("it is right");
        assert_eq!(pass.verdict, Some(Verdict::Right));
        Box::new(pass.trace.expect("a traced pass"))
    });
    let ranks = simulator.run(ranks, Some(std::time::Duration::from_secs(60)), job).ranks;
    ranks.into_iter().map(|ended| wb_runner::rank_result(0, ended).expect("a trace")).collect()
}

/// The share of the operation that other work hides.
fn hidden(start: Start, ranks: usize, faults: &[&str]) -> f64 {
    let passes = traces(start, ranks, faults);
    let blocking = passes.iter().map(|trace| trace.without_overlap.expect("it starts one").collectives_ns);
    let visible = passes.iter().map(RankTrace::started_collectives_ns).sum::<u64>();
    1.0 - visible as f64 / blocking.sum::<u64>() as f64
}

#[test]
fn a_traced_pass_shows_what_its_overlap_hides() {
    let without = ["deaf:0", "deaf:1", "deaf:2", "deaf:3"];
    for (start, ranks) in [(Start::Nonblocking, 4), (Start::Persistent, 4), (Start::Nonblocking, 2)] {
        let (with, without) = (hidden(start, ranks, &[]), hidden(start, ranks, &without[..ranks]));
        println!("hidden {with:.3}, {without:.3} without asynchronous progress");
        assert!(with > 0.8, "{with}");
        assert!(without.abs() < 0.02, "{without}");
    }
}

#[test]
fn without_overlap_the_pass_takes_longer_by_the_operation() {
    for trace in traces(Start::Nonblocking, 4, &[]) {
        let blocking = trace.without_overlap.expect("it starts one");
        let longer = blocking.elapsed_ns - (trace.end_ns - trace.begin_ns);
        let alone = blocking.collectives_ns - trace.started_collectives_ns();
        assert!(longer.abs_diff(alone) <= alone / 50, "{longer} ns longer, {alone} ns hidden");
    }
}

#[test]
fn a_blocking_operation_needs_no_second_pass() {
    assert!(traces(Start::Blocking, 4, &[]).iter().all(|trace| trace.without_overlap.is_none()));
}

/// The current number of inputs, and its maximum.
static LIVE: AtomicUsize = AtomicUsize::new(0);
static MAX_LIVE: AtomicUsize = AtomicUsize::new(0);

#[derive(Debug)]
struct CountedInput(Vec<u64>);

impl CountedInput {
    fn new(numbers: Vec<u64>) -> Self {
        let live = LIVE.fetch_add(1, Ordering::Relaxed) + 1;
        MAX_LIVE.fetch_max(live, Ordering::Relaxed);
        Self(numbers)
    }
}

impl Clone for CountedInput {
    fn clone(&self) -> Self {
        Self::new(self.0.clone())
    }
}

impl Drop for CountedInput {
    fn drop(&mut self) {
        LIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

struct Numbers;

impl Problem for Numbers {
    type Input = CountedInput;
    type Output = u64;

    fn home(_: &CountedInput, ranks: usize) -> Rank {
        ranks - 1
    }

    fn workload(request: &Workload) -> Option<CountedInput> {
        Some(CountedInput::new((0..request.size as u64).collect()))
    }

    fn check(input: &CountedInput, output: &u64) -> Verdict {
        Verdict::of(*output == input.0.iter().sum::<u64>(), || "another sum".to_owned())
    }
}

/// Every rank has the sum.
struct Sum;

impl Task for Sum {
    type Problem = Numbers;
    type Prepared = Cell<u64>;
    type Raw = u64;
    const OUTPUT: Place = Place::Everywhere;

    fn validation(&self, _: &CountedInput, _: usize) -> std::result::Result<(), Invalid> {
        Ok(())
    }

    fn preprocessing(&self, _: &World, input: Rooted<CountedInput>) -> Result<Cell<u64>> {
        Ok(Cell::new(input.here().map_or(0, |input| input.0.iter().sum())))
    }

    fn run(&self, world: &World, sum: &Cell<u64>) -> Result<u64> {
        let mut all = [sum.get()];
        world.bcast(&mut all, world.size() - 1)?;
        Ok(all[0])
    }

    fn postprocessing(&self, _: &World, raw: u64) -> Result<Rooted<u64>> {
        Ok(Rooted::Here(raw))
    }
}

#[test]
fn a_simulated_pass_has_one_input_however_many_its_ranks() {
    let machine = wb_local::sim::machine_library::find("cluster-ib").expect("a machine");
    let machine = machine.machine("cluster-ib", 32).expect("it has the cores");
    for manner in [PassMode::Declared, PassMode::Measured] {
        MAX_LIVE.store(0, Ordering::Relaxed);
        let inputs = <[SharedInputs; 2]>::default();
        let passes = wb_local::sim::run(machine.clone(), 32, move |transport| {
            let request = WorkloadRequest { name: "count".to_owned(), size: 1000 };
            let pass = run_pass(&Sum, transport, &request, 1, (manner, &inputs));
            pass.expect("it is right").verdict
        });
        assert!(passes.iter().all(|(verdict, _)| *verdict == Some(Verdict::Right)));
        // The uncounted pass leaves none either.
        let most = MAX_LIVE.load(Ordering::Relaxed);
        assert_eq!(most, 1, "{manner:?}");
        assert_eq!(LIVE.load(Ordering::Relaxed), 0);
    }
}
