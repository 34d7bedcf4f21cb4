//! Tasks in virtual time: those that touch windows give the answers of the sequential versions (the others are held against
//! them by their own functional tests), and times are the same in every run, whatever surrounds it.
use std::{
    fmt::Debug,
    fs,
    path::{Path, PathBuf},
    process::Command,
    rc::Rc,
};

use example_b_phases::{Numbers, problem::noise};
use example_r_board::{By, Rod, problem::bumps};
use wb_comm::Transport;
use wb_record::{Measurement, Prediction, read_all};
use wb_task::{Communication, Input, Output, Pipeline, Problem, Progress, Task, Workload};
use wb_tests::artifacts::executables;
use wb_world::{Rooted, World};

/// The output of a task on rank 0 in virtual time, through all stages.
fn solve<T: Task>(task: impl Fn() -> T + Send + Sync + 'static, size: usize, input: Input<T>) -> Output<T> {
    timed(task, size, input).0
}

/// The same, and by rank what its clock shows at the end.
fn timed<T: Task>(
    task: impl Fn() -> T + Send + Sync + 'static,
    size: usize,
    input: Input<T>,
) -> (Output<T>, Vec<u64>) {
    let job = move |transport: Rc<dyn Transport>| {
        let (world, task, progress) = (World::new(transport), task(), Progress::default());
        let input = Rooted::from((world.rank() == 0).then(|| input.clone()));
        let submitted = Pipeline::new(&task, &world, &progress, input, 0);
        let prepared = submitted.validation().and_then(Pipeline::preprocessing).expect("it is valid");
        let raw = prepared.run().expect("all ranks take part");
        prepared.postprocessing(raw).expect("all ranks take part").here()
    };
    let machine = wb_tests::test_machine::simulator(4096).machine;
    let ran = wb_local::sim::run((*machine).clone(), size, job);
    let clocks = ran.iter().map(|(_, clock)| *clock).collect();
    (ran.into_iter().find_map(|(output, _)| output).expect("rank 0 has it"), clocks)
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
                let diary = solve(move || by, size, rod.clone());
                assert_eq!(diary, expected, "{by:?}, P = {size}, {cells} cells");
            }
        }
    }
}

/// So often is each task run: a difference between runs would come from a hash or an address, which differ in each.
const RUNS: usize = 4;

/// Runs a task on one and more ranks again and again: everything that comes of it is always the same, and takes time.
#[track_caller]
fn repeats<T: Task>(task: impl Fn() -> T + Copy + Send + Sync + 'static, input: &Input<T>, what: &str)
where
    Output<T>: Debug,
{
    for size in [1, 2, 5] {
        let run = || timed(task, size, input.clone());
        let (output, clocks) = run();
        assert!(size == 1 || clocks.iter().all(|clock| *clock > 0), "{what}, P = {size}: {clocks:?}");
        for _ in 1..RUNS {
            let (again, same) = run();
            assert_eq!((format!("{again:?}"), &same), (format!("{output:?}"), &clocks), "{what}, P = {size}");
        }
    }
}

fn workload<P: Problem>(name: &str, size: usize) -> P::Input {
    P::workload(&Workload { name: name.to_owned(), size, ranks: 1, seed: 5 })
        .expect("a workload that there is")
}

#[test]
fn times_are_the_same_in_every_run() {
    let numbers = workload::<nalitov_d_broadcast::Broadcasting>("int", 2000);
    repeats(|| nalitov_d_broadcast::Mpi, &numbers, "broadcast");
    let integral = workload::<example_p_integral::Integral>("sine", 1000);
    repeats(|| example_p_integral::Mpi, &integral, "integral");
    let matrices = workload::<example_p_matmul_strips::StripProduct>("random", 24);
    repeats(|| example_p_matmul_strips::Mpi, &matrices, "product");
    for barrier in World::barriers(5) {
        let input = Numbers { values: noise(37, 3), barrier: barrier.to_owned() };
        repeats(|| example_b_phases::Mpi, &input, barrier);
    }
    let rod = Rod { cells: bumps(60, 7), steps: 4, alarm: 0.5 };
    repeats(|| By::Fence, &rod, "fence");
    repeats(|| By::Pscw, &rod, "post and start");
    repeats(|| By::Locks, &rod, "locks");
}

/// A verb on every rank: this root, and a vector of one number.
type VerbOfRank = fn(&World, usize);

/// Verbs whose messages wait for each other in different ways.
const VERBS: [(&str, VerbOfRank); 6] = [
    ("a broadcast over a tree", |world, root| own(&nalitov_d_broadcast::Mpi, world, root)),
    ("a reduction over a tree", |world, root| own(&example_d_reduce::Mpi, world, root)),
    ("a gather over a tree", |world, root| own(&example_c_gather::Mpi, world, root)),
    ("messages from every rank to the root", |world, root| {
        let others = (0..world.size()).filter(|rank| *rank != root);
        match world.rank() == root {
            true => others.for_each(|from| world.recv(&mut [0], from, 0).map(drop).expect("sent")),
            false => world.send(&[1], root, 0).expect("received"),
        }
    }),
    ("messages from the root to every rank", |world, root| {
        let others = (0..world.size()).filter(|rank| *rank != root);
        match world.rank() == root {
            true => others.for_each(|to| world.send(&[1], to, 0).expect("received")),
            false => world.recv(&mut [0], root, 0).map(drop).expect("sent"),
        }
    }),
    ("an exchange on a ring", |world, _root| {
        let (rank, size) = (world.rank(), world.size());
        let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
        if size > 1 {
            world.sendrecv(&[1], next, 0, &mut [0], before, 0).map(drop).expect("all take part");
        }
    }),
];

fn own(verb: &impl Communication, world: &World, root: usize) {
    verb.own(world, &mut vec![1.0; world.size()], root).expect("the root exists");
}

/// `World::rounds` and the rule `tree` have one definition of a round.
#[test]
fn rounds_are_the_time_on_the_machine_of_the_rule_tree() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../framework/cli/src/run_rules/tree.yaml");
    let machine = wb_local::sim::machine_library::find(file).expect("the machine of the rule");
    for size in 1..=17 {
        let machine = machine.machine("tree", size).expect("the machine has as many cores");
        for (what, verb) in VERBS {
            for root in [0, size / 2, size - 1] {
                let ran = wb_local::sim::run(machine.clone(), size, move |transport: Rc<dyn Transport>| {
                    let world = World::new(transport);
                    verb(&world, root);
                    world.rounds().expect("virtual time counts rounds")
                });
                let rounds = ran.iter().map(|(rounds, _)| *rounds).max();
                let time = ran.iter().map(|(_, clock)| (*clock as f64 / 1000.0).round() as u64).max();
                assert_eq!(rounds, time, "{what}, P = {size}, root {root}: {ran:?}");
            }
        }
    }
}

/// What a benchmark predicts in a folder, under these variables.
fn predictions(benchmark: &Path, folder: &Path, variables: &[(&str, &str)]) -> Vec<Prediction> {
    let records = folder.join("records.jsonl");
    let mut command = Command::new(benchmark);
    wb_process::remove_launcher_variables(&mut command);
    command.args(["--wb-simulate", "cluster-ib", "--wb-ranks", "2,3", "--wb-fault", "jitter:7"]);
    command.arg("--wb-records").arg(&records);
    command.envs(variables.iter().copied()).current_dir(folder);
    let ended = command.output().expect("it starts");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let records = read_all(&fs::read_to_string(&records).expect("records")).expect("readable ones");
    let prediction = |measurement| match measurement {
        Measurement::Prediction(prediction) => prediction,
        other => panic!("{other:?}"),
    };
    records.into_iter().map(|record| prediction(record.measurement)).collect()
}

#[test]
fn predictions_do_not_depend_on_what_surrounds_them() {
    let here = [("LANG", "C"), ("TZ", "UTC")];
    let there = [
        ("LANG", "ru_RU.UTF-8"),
        ("TZ", "Asia/Vladivostok"),
        ("WB_LANG", "ru"),
        ("OMPI_MCA_btl", "self,tcp"),
        ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
        ("RUST_TEST_THREADS", "7"),
    ];
    let built = executables(&["--bench", "performance"]);
    for task in ["nalitov_d_broadcast", "example_b_phases"] {
        let of_task = built.iter().find(|built| built.folder.ends_with(task));
        let benchmark: &PathBuf = &of_task.unwrap_or_else(|| panic!("{task} has no benchmark")).path;
        let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let first = predictions(benchmark, folders[0].path(), &here);
        assert!(first.len() >= 6 && first.iter().all(|one| one.correct != Some(false)), "{first:?}");
        assert!(first.iter().any(|one| one.faults == ["jitter:7"]), "{first:?}");
        assert_eq!(predictions(benchmark, folders[1].path(), &there), first, "{task}");
    }
}
