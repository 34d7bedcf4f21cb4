//! Tasks that touch windows, in virtual time: their answers are those of the sequential versions.
use std::rc::Rc;

use example_b_phases::{Numbers, problem::noise};
use example_r_board::{By, Rod, problem::bumps};
use wb_comm::Transport;
use wb_task::{Input, Output, Pipeline, Progress, Task};
use wb_world::{Rooted, World};

/// What a task gives on rank 0 of so many in virtual time, through all stages.
fn solve<T: Task>(task: impl Fn() -> T + Send + Sync + 'static, size: usize, input: Input<T>) -> Output<T> {
    let job = move |transport: Rc<dyn Transport>| {
        let (world, task, progress) = (World::new(transport), task(), Progress::default());
        let input = Rooted::from((world.rank() == 0).then(|| input.clone()));
        let submitted = Pipeline::new(&task, &world, &progress, input, 0);
        let prepared = submitted.validation().and_then(Pipeline::preprocessing).expect("it is valid");
        let raw = prepared.run().expect("everybody comes");
        prepared.postprocessing(raw).expect("everybody comes").here()
    };
    let machine = wb_tests::machine::simulator(4096).machine;
    let ran = wb_sim::run((*machine).clone(), size, job);
    ran.into_iter().find_map(|(output, _)| output).expect("rank 0 has it")
}

#[test]
fn phases_sort_with_every_barrier() {
    for size in 1..=5 {
        for barrier in World::barriers(size) {
            let input = Numbers { values: noise(37, size as u64), barrier: barrier.to_owned() };
            let expected = solve(|| example_b_phases::Seq, 1, input.clone());
            assert_eq!(solve(|| example_b_phases::Mpi, size, input), expected, "{barrier}, P = {size}");
        }
    }
}

#[test]
fn the_board_is_the_sequential_one_whatever_says_when() {
    for size in 1..=5 {
        for (cells, steps, alarm) in [(60, 4, 0.5), (5, 4, 0.1), (1, 1, 0.5), (0, 1, 0.5)] {
            let rod = Rod { cells: bumps(cells, 7), steps, alarm };
            let expected = example_r_board::Seq::diary(&rod);
            for by in [By::Fence, By::Pscw, By::Locks] {
                let diary = solve(move || example_r_board::Mpi(by), size, rod.clone());
                assert_eq!(diary, expected, "{by:?}, P = {size}, {cells} cells");
            }
        }
    }
}
