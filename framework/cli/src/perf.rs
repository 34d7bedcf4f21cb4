//! `cargo wb perf`: measures one task and shows the table, or with `--json` the records.

use wb_messages::{Lang, cli as text, report::screen};

use crate::{
    CommandStatus, arguments,
    backend::SelectedBackend,
    error::Result,
    measure::{self, BenchmarkRunner},
    output,
    placement::Placement,
    sandboxed_task::SandboxedTask,
    slurm::{self, SlurmJob},
    task_lock,
    workspace::Workspace,
};

pub(crate) fn run(wanted: &arguments::PerfArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let mut workspace = Workspace::find()?;
    let task = measure::enabled_task(&workspace, &wanted.task, lang)?;
    let backend = SelectedBackend::select(wanted.backend, lang)?;
    let placement = Placement::new(workspace.root(), &wanted.placement, backend.is_mpi(), lang)?;
    workspace.place(placement);
    if wanted.slurm.is_wanted() {
        let job = SlurmJob { name: &task, flavour: backend.flavour(), wanted: &wanted.slurm, parts: None };
        let build = measure::build(&workspace, &backend, &task);
        return Ok(slurm::run(&workspace, &job, build, lang)?.status());
    }
    let ranks = measure::rank_counts(wanted.ranks.as_ref());
    let (quick, ranks) = (wanted.quick, ranks.as_slice());
    let _lock = task_lock::lock_task(&workspace, &task, lang)?;
    let (workspace, sandbox) = match wanted.sandbox {
        true => {
            SandboxedTask::unchanged(&workspace, &task, lang).map(|(shown, inside)| (shown, Some(inside)))?
        }
        false => (workspace, None),
    };
    let runner = BenchmarkRunner {
        workspace: &workspace,
        backend,
        quick,
        ranks,
        quiet: json,
        progress: (!wanted.verbose).then_some(""),
        sandbox,
        part: None,
    };
    let measured = runner.measure(&task, lang)?;
    let records = measured.records(lang);
    let failure = records.as_ref().err().or(measured.failure.as_ref());
    if let Some(why) = failure {
        eprintln!("{}", text::measurement_failed(lang, &task, why));
    }
    match &records {
        Err(_) => {}
        Ok(records) if json => records.iter().for_each(|record| println!("{}", record.to_line())),
        Ok(records) if wanted.verbose => print!("{}", output::whole_report(records, lang)),
        Ok(records) => print!("{}", wb_report::screen(records, &screen::page_by_report(lang, &task), lang)),
    }
    Ok(CommandStatus::from_success(failure.is_none()))
}
