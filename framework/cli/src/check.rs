//! `cargo wb check`: checks a task in every order that MPI allows, on small inputs.

use wb_messages::Lang;

use crate::{
    CommandStatus, arguments,
    error::Result,
    measure::{self, BenchmarkRunner},
    task_lock,
    workspace::Workspace,
};

pub(crate) fn run(wanted: &arguments::CheckArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    let task = measure::enabled_task(&workspace, &wanted.task, lang)?;
    let _lock = task_lock::lock_task(&workspace, &task, lang)?;
    let runner = BenchmarkRunner::without_mpi(&workspace, false);
    let list = wanted.ranks.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let mut asked = vec!["--wb-ranks", &list];
    for (option, value) in [
        ("--wb-workload", &wanted.workload),
        ("--wb-budget", &wanted.budget),
        ("--wb-replay", &wanted.replay),
    ] {
        if let Some(value) = value {
            asked.extend([option, value]);
        }
    }
    if json {
        asked.push("--wb-json");
    }
    Ok(CommandStatus::from_success(runner.check(&task, &asked, lang)?.is_success()))
}
