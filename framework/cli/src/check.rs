//! `cargo wb check`: a task in every order that MPI allows, on small inputs.

use wb_messages::{Lang, cli};

use crate::{
    CommandStatus, arguments,
    backend::SelectedBackend,
    error::{CliError, Result},
    measure::{self, BenchmarkRunner},
    task_lock,
    workspace::Workspace,
};

pub(crate) fn run(wanted: &arguments::CheckArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let workspace = Workspace::find()?;
    let task = workspace.task(&wanted.task, lang)?;
    if !measure::is_enabled(&task.settings?) {
        return Err(CliError::Usage(cli::disabled(lang, task.name)));
    }
    let _held = task_lock::lock_task(&workspace, &task.name, lang)?;
    let campaign = BenchmarkRunner {
        workspace: &workspace,
        backend: SelectedBackend::Threads,
        quick: false,
        ranks: &[],
        quiet: false,
    };
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
    Ok(CommandStatus::from_success(campaign.check(&task.name, &asked, lang)?.is_success()))
}
