//! `cargo wb similar`: what is compared, what is not and why, and the cases that an instructor has confirmed.

use std::{fs, path::Path};

use crate::workspace::{TASK, output_text, wb, workspace, write};
use serde_json::{Value, json};

/// A parallel part that is long enough to be compared.
const SOLUTION: &str = "\
impl Task for Mpi {
    fn run(&self, n: usize) {
        let mut values = vec![0.0; n];
        for i in 1..n - 1 {
            values[i] = values[i - 1] * 0.25 + values[i + 1] * 0.25 + f(i, n) / 2.0;
        }
        while largest(&values) > n as f64 * 0.5 {
            values.iter_mut().for_each(|value| *value -= value.abs().sqrt() / 3.0);
        }
        world.allgather(&values[n / 4..n / 2], &mut values, n % 7);
    }
}
";

/// The answer with `--json`.
fn similar(root: &Path, arguments: &[&str]) -> Value {
    let output = wb(root, &[&["similar", "--json"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn what_is_not_compared_is_named_with_its_reason() {
    let root = workspace(TASK);
    let task = root.path().join("tasks/ivanov_i_scatter");
    write(&task.join("src/mpi.rs"), "fn f() {}\nfn g( {\n");
    let found = similar(root.path(), &[]);
    assert_eq!((&found["compared"], &found["pairs"]), (&json!(0), &json!([])));
    let skipped = found["skipped"].as_array().expect("a list");
    let of = |reason: &str| skipped.iter().filter(|one| one["reason"] == reason).collect::<Vec<_>>();
    let unreadable = of("unreadable");
    assert_eq!((&unreadable[0]["file"], &unreadable[0]["line"]), (&json!("src/mpi.rs"), &json!(2)));
    let parts: Vec<_> = of("too-short").iter().map(|one| one["part"].clone()).collect();
    assert_eq!(parts, ["seq", "mpi"]);
    write(&task.join("src/mpi.rs"), SOLUTION);
    let found = similar(root.path(), &[]);
    assert_eq!(found["skipped"].as_array().map(Vec::len), Some(1), "{found}");
    write(&task.join("task.yaml"), &TASK.replace("variant: 4", "variant: 99"));
    let found = similar(root.path(), &[]);
    assert_eq!(found["skipped"][0]["reason"], "settings-refused");
    // The same as text.
    write(&task.join("task.yaml"), TASK);
    write(&task.join("src/mpi.rs"), "fn g( {\n");
    let text = output_text(&wb(root.path(), &["similar"]), 0);
    for part in ["src/mpi.rs, line 1 is not compared", "SEQ is too short to compare", "MPI is too short"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_confirmed_case_names_a_task_of_an_archive() {
    let root = workspace(&TASK.replace("student:", "login: ivanov_i\nstudent:"));
    let task = root.path().join("tasks/ivanov_i_scatter");
    write(&task.join("src/mpi.rs"), SOLUTION);
    let archived = root.path().join("2026/former_f_scatter");
    fs::create_dir_all(&archived).expect("a folder");
    write(&archived.join("task.yaml"), &TASK.replace("Ivan Ivanov", "F. Former"));
    write(&archived.join("src/mpi.rs"), &SOLUTION.replace("values", "numbers"));
    let confirmed =
        "assignment: 2, variant: 4, logins: [ivanov_i, former_f], archive: 2026/former_f_scatter, part: mpi";
    for (from, to, is_confirmed) in [
        ("", "", true),
        ("ivanov_i", "Ivanov_I", true),
        ("ivanov_i", "petrov_p", false),
        ("former_f_scatter", "other_o_scatter", false),
        (" archive: 2026/former_f_scatter,", "", false),
        ("part: mpi", "part: seq", false),
        ("assignment: 2", "assignment: 1", false),
        ("variant: 4", "variant: 5", false),
    ] {
        let case = confirmed.replacen(from, to, 1);
        let text = format!("- {{ {case}, by: S, at: 2027-03-20, reason: r }}\n");
        write(&root.path().join("tasks/similarity.yaml"), &text);
        let found = similar(root.path(), &["--archive", "2026"]);
        assert_eq!(found["pairs"].as_array().map(Vec::len), Some(1), "{found}");
        assert_eq!(found["pairs"][0]["confirmed"], is_confirmed, "{case}");
    }
    // A solution of one's own, also under a login in another case or without one, is no pair.
    let own = TASK.replace("student:", "login: Ivanov_I\nstudent:");
    for own in [own.clone(), own.replace("Ivan Ivanov", "I. Ivanov"), TASK.to_owned()] {
        write(&archived.join("task.yaml"), &own);
        assert_eq!(similar(root.path(), &["--archive", "2026"])["compared"], 0, "{own}");
    }
    write(&archived.join("task.yaml"), &TASK.replace("Ivan Ivanov", "F. Former"));
    // A task may be four folders below an archive, and two former solutions are no pair.
    let deep = root.path().join("2026/older/2025/tasks/former_g_scatter");
    write(&deep.join("task.yaml"), &TASK.replace("Ivan Ivanov", "G. Former"));
    write(&deep.join("src/mpi.rs"), SOLUTION);
    assert_eq!(similar(root.path(), &["--archive", "2026"])["compared"], 2, "beside the student's only");
    for lang in ["en", "ru"] {
        let output = wb(root.path(), &["similar", "--archive", "2026", "--lang", lang]);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains("tasks/similarity.yaml") && text.contains('─'), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn a_copy_of_an_example_is_listed_beside_it() {
    let root = workspace(TASK);
    let task = |name: &str, settings: &str| {
        let folder = root.path().join("tasks").join(name);
        fs::create_dir_all(folder.join("src")).expect("a folder");
        write(&folder.join("task.yaml"), settings);
        write(&folder.join("src/mpi.rs"), &SOLUTION.replace("values", "numbers"));
        write(&folder.join("src/lib.rs"), "//! Nothing.\n");
        let manifest =
            "[package]\nname = \"NAME\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[package.metadata.task]\n";
        write(&folder.join("Cargo.toml"), &manifest.replace("NAME", name));
    };
    write(&root.path().join("tasks/ivanov_i_scatter/src/mpi.rs"), SOLUTION);
    task("petrov_p_scatter", &TASK.replace("Ivan Ivanov", "P. Petrov"));
    let pairs = || {
        let found = similar(root.path(), &[]);
        let pairs = found["pairs"].as_array().expect("a list").clone();
        pairs.iter().map(|pair| format!("{} {}", pair["left"], pair["right"])).collect::<Vec<_>>()
    };
    assert_eq!(pairs(), ["\"ivanov_i_scatter\" \"petrov_p_scatter\""]);
    // Both have the code of the example: each is listed beside it, and not beside the other.
    task("example_e_scatter", &TASK.replace("Ivan Ivanov", "Example E."));
    let copies =
        ["ivanov_i_scatter", "petrov_p_scatter"].map(|one| format!("\"example_e_scatter\" \"{one}\""));
    assert_eq!(pairs(), copies);
    // The code of an example of another variant may be used.
    task("example_e_scatter", &TASK.replace("Ivan Ivanov", "Example E.").replace("variant: 4", "variant: 5"));
    assert_eq!(pairs(), [""; 0]);
}
