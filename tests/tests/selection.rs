//! One selector for a world's barrier: by call and by environment, from data that all ranks have alike.
use std::process::Command;

use wb_algorithms::barriers::select::ALGORITHM_VARIABLE;

/// Runs `name` of this binary again, with the variable set to `value`.
fn rerun(name: &str, value: &str) -> String {
    let binary = std::env::current_exe().expect("this binary");
    let output =
        Command::new(binary).args([name, "--exact", "--nocapture"]).env(ALGORITHM_VARIABLE, value).output();
    let output = output.expect("it starts");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_world_runs_the_barrier_that_it_is_told() {
    let names = workbench::threads(5, |world| {
        let mut names = vec![world.chosen_barrier_name()];
        for name in ["double_ring", "tree", "auto"] {
            world.choose_barrier(name).expect("runs on messages");
            world.barrier().expect("all ranks take part");
            names.push(world.chosen_barrier_name());
        }
        names
    });
    assert!(
        names.iter().all(|name| *name == [None, Some("double_ring"), Some("tree"), Some("dissemination")])
    );
}

#[test]
fn what_cannot_be_run_is_refused_with_what_can() {
    let message = workbench::threads(3, |world| {
        ["no_such_barrier", "central_counter", "two_process", "partial_pairwise"]
            .map(|name| world.choose_barrier(name).expect_err("refused").to_string())
    });
    let [unknown, counts, pair, neighbours] = &message[0];
    assert!(unknown.contains("there is no barrier") && unknown.contains("recursive_doubling"), "{unknown}");
    assert!(counts.contains("does not run on messages"), "{counts}");
    assert!(pair.contains("two_process is a barrier of 1..=2 ranks"), "{pair}");
    assert!(neighbours.contains("does not run on messages"), "{neighbours}");
}

#[test]
fn the_environment_chooses_where_no_call_does() {
    let name = "selection::the_environment_chooses_where_no_call_does";
    if let Ok(value) = std::env::var(ALGORITHM_VARIABLE) {
        let message = workbench::threads(3, |world| {
            let barrier = world.barrier().map_err(|error| error.to_string());
            (barrier, world.chosen_barrier_name())
        });
        println!("{value}: {:?}", message[1]);
        return;
    }
    assert!(rerun(name, "double_ring").contains("double_ring: (Ok(()), Some(\"double_ring\"))"));
    let refused = rerun(name, "trie");
    assert!(refused.contains("there is no barrier \\\"trie\\\""), "{refused}");
}
