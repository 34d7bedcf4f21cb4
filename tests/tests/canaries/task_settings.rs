//! What the settings of a task and of its course decide: disabled versions, and the rules of the variant.
use super::{backends, canaries};

/// Tests of a disabled version are not run, and none of them counts as passed.
#[test]
fn a_disabled_version_is_skipped_and_never_passed() {
    let folder = tempfile::tempdir().expect("a folder");
    let tasks = wb_tests::sources::root().join("tasks");
    let task = folder.path().join("tasks/example_p_integral");
    std::fs::create_dir_all(&task).expect("made");
    std::fs::write(folder.path().join("Cargo.toml"), "[workspace]\n").expect("written");
    std::fs::copy(tasks.join("course.yaml"), folder.path().join("tasks/course.yaml")).expect("the course");
    let enabled = std::fs::read_to_string(tasks.join("example_b_phases/task.yaml")).expect("a task");
    let settings = task.join("task.yaml");
    let package = task.to_str().expect("a name");
    let tests = ["--exact", "correct::a_right_one", "wrong_results::the_result_is_wrong_everywhere"];
    for (disabled, ranks, is_run) in
        [("mpi", 2, false), ("seq", 1, false), ("mpi", 1, true), ("seq", 2, true)]
    {
        let text = enabled.replace(&format!("{disabled}: enabled"), &format!("{disabled}: disabled"));
        assert_ne!(text, enabled);
        std::fs::write(&settings, text).expect("written");
        let canaries = canaries().with_ranks(ranks).with_variable("CARGO_MANIFEST_DIR", package);
        let output = canaries.run_alone(&tests);
        if is_run {
            assert_eq!(output.code, Some(101), "{}", output.text);
            output.assert_contains(&["threads: 1 run(s) passed, 1 failed, 0 skipped"]);
            continue;
        }
        assert_eq!(output.code, Some(0), "{}", output.text);
        output.assert_contains(&[
            "threads: 0 run(s) passed, 0 failed, 2 skipped",
            &format!("the version `{disabled}` is disabled in task.yaml: its tests are skipped"),
        ]);
        for (backend, _) in backends(canaries.library().as_ref()) {
            let verdict = output.verdict("correct::a_right_one", backend, ranks as u32);
            assert_eq!(verdict.verdict, wb_record::TestOutcome::Skip);
            let reason = wb_messages::functional::version_disabled(wb_messages::Lang::En, disabled);
            assert_eq!(verdict.reason, Some(reason), "by which `cargo wb test` counts it");
        }
    }
}

/// A variable with a misspelt name would leave a setting as it is.
#[test]
fn an_unknown_variable_is_refused() {
    let run =
        |name: &str| canaries().with_variable(name, "5").run_alone(&["--exact", "correct::a_right_one"]);
    let output = run("WB_TASKS_MAX_TIME");
    assert_eq!(output.code, Some(101), "{}", output.text);
    output.assert_contains(&["the environment variable WB_TASKS_MAX_TIME is not known"]);
    assert_eq!(run("WBTEST_OF_OURS").code, Some(0));
}

/// Each functional test of a task is under the rules of its variant.
#[test]
fn the_rules_of_the_variant_hold_for_each_test_of_its_task() {
    let run = |task: &str| {
        let package = wb_tests::sources::root().join("tasks").join(task);
        let canaries = canaries().with_variable("CARGO_MANIFEST_DIR", package.to_str().expect("a name"));
        canaries.run_alone(&["--exact", "rules::z_a_collective_may_be_allowed"])
    };
    assert_eq!(run("example_p_integral").code, Some(0));
    let output = run("nalitov_d_broadcast");
    assert_eq!(output.code, Some(101), "{}", output.text);
    output
        .assert_contains(&["only point-to-point messages are allowed here", "tests/canary_cases/rules.rs:"]);
}

#[test]
fn selected_backends_run_and_no_other() {
    let run = |list: &str| {
        let canaries = canaries().with_ranks(2).with_variable("WB_TEST_BACKENDS", list);
        canaries.run_alone(&["--exact", "correct::a_right_one"])
    };
    let library = canaries().library();
    let all: Vec<_> = backends(library.as_ref()).into_iter().collect();
    for (backend, _) in &all {
        let output = run(backend.name());
        assert_eq!(output.code, Some(0), "{}", output.text);
        let ran = all.iter().filter(|(_, name)| output.text.contains(&format!("workbench: {name}")));
        assert_eq!(ran.map(|(ran, _)| ran).collect::<Vec<_>>(), [backend], "{}", output.text);
    }
    let output = run("threads,mpich");
    assert_eq!(output.code, Some(101), "{}", output.text);
    output.assert_contains(&["WB_TEST_BACKENDS=threads,mpich: `mpich` is not a backend of this program"]);
}
