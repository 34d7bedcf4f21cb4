//! The files of one task's crate.

use wb_config::{CourseSettings, TaskKind};

use crate::demo::{file::DemoFile, task::DemoTask};

/// The files below `tasks/<package>`.
pub(crate) fn files(course: &CourseSettings, task: &DemoTask<'_>) -> Vec<DemoFile> {
    let folder = format!("tasks/{}", task.name);
    let file = |path: &str, text: String| DemoFile::new(format!("{folder}/{path}"), text);
    let name = &task.name;
    vec![
        file("Cargo.toml", manifest(name)),
        file("task.yaml", settings(course, task)),
        file("src/lib.rs", include_str!("solution/lib.txt").to_owned()),
        file("src/problem.rs", include_str!("solution/problem.txt").to_owned()),
        file("src/seq.rs", task.profile.choice.seq_source(task.profile.breaks_rule)),
        file("src/mpi.rs", task.profile.choice.mpi_source(task.profile.is_wrong)),
        file("tests/functional.rs", include_str!("solution/functional.txt").replace("@name@", name)),
        file("benches/performance.rs", include_str!("solution/performance.txt").replace("@name@", name)),
    ]
}

fn manifest(name: &str) -> String {
    include_str!("solution/manifest.txt").replace("@name@", name)
}

fn settings(course: &CourseSettings, task: &DemoTask<'_>) -> String {
    let kind = match course.variant(task.assignment, task.variant).map(|variant| variant.kind) {
        Some(TaskKind::Communication) => "communication",
        _ => "computation",
    };
    let mpi = if task.profile.is_disabled { "disabled" } else { "enabled" };
    format!(
        "student: {}\nlogin: {}\ngroup: {}\ntask_number: {}\nvariant: {}\nkind: {kind}\n\
         status:\n  seq: enabled\n  mpi: {mpi}\n\
         performance:\n  workloads:\n    - {{ name: default, size: 1000000 }}\n  ranks: [1, 2, 4]\n",
        task.student.name, task.student.login, task.student.group, task.assignment, task.variant
    )
}
