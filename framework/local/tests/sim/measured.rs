//! Tests computation that is charged as measured.
use std::{sync::Arc, time::Instant};

use wb_comm::{RankFunction, ThreadRanks as _, job::RankTermination};
use wb_process::thread_cpu_ns;
use wb_world::{Operation, World};

use crate::sim::{Simulator, machine_library};

const MS: u64 = 1_000_000;

/// Computes for `ms` milliseconds of processor time.
fn compute(ms: u64) {
    let end = thread_cpu_ns() + ms * MS;
    while thread_cpu_ns() < end {
        std::hint::spin_loop();
    }
}

#[test]
fn own_code_is_charged_and_neither_waiting_nor_what_is_declared_nor_others() {
    let program = |world: &World| {
        world.work(1 << 50, 0);
        let begin = world.now();
        compute(if world.rank() == 0 { 20 } else { 5 });
        let computed = world.now() - begin;
        let mut sum = [0];
        world.allreduce(&[world.rank()], &mut sum, Operation::Sum).expect("all take part");
        (computed, world.now(), sum)
    };
    let job: RankFunction = Arc::new(move |transport| Box::new(program(&World::new(transport))));
    let machine = machine_library::find("cluster-ib")
        .and_then(|found| found.machine("cluster-ib", 4))
        .expect("a machine");
    let simulator = Simulator { measure_computing: true, ..Simulator::from(machine) };
    let begin = Instant::now();
    let ranks = simulator.run(4, None, job).ranks;
    let real = begin.elapsed().as_nanos() as u64;
    for (rank, ended) in ranks.into_iter().enumerate() {
        let RankTermination::Returned(value) = ended else { panic!("rank {rank}: {ended:?}") };
        let (computed, now, sum) =
            *value.downcast::<(u64, u64, [usize; 1])>().expect("what the program returns");
        let least = if rank == 0 { 20 * MS } else { 5 * MS };
        assert!(computed >= least && computed < real, "rank {rank}: {computed} of {real} ns");
        assert!(now >= 20 * MS, "rank {rank} waits for rank 0: {now}");
        assert!(now < real, "{now} ns: what is declared, or the turns of others, are charged ({real} ns)");
        assert_eq!(sum, [6]);
    }
}
