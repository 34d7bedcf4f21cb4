//! `cargo wb simulate`: the times of a task on a simulated machine.

use wb_local::sim::fault::Faults;
use wb_messages::{Lang, cli};

use crate::{
    CommandStatus, arguments,
    error::{CliError, Result},
    machines,
    measure::{self, BenchmarkRunner, SimulationConditions},
    task_lock,
    workspace::Workspace,
};

pub(crate) fn run(wanted: &arguments::SimulateTaskArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let ranks = &wanted.ranks;
    check_faults(&wanted.faults, ranks, lang)?;
    let largest = ranks.last().map_or(1, |ranks| *ranks as usize);
    let machine = machines::find(&wanted.machine, lang)?.machine(&wanted.machine, largest);
    machine.map_err(|error| machines::to_cli_error(error, lang))?;
    let workspace = Workspace::find()?;
    let task = measure::enabled_task(&workspace, &wanted.task, lang)?;
    let _lock = task_lock::lock_task(&workspace, &task, lang)?;
    let runner = BenchmarkRunner::without_mpi(&workspace, json);
    let (machine, faults) = (&machines::path(&wanted.machine)?, &wanted.faults);
    let computing = wanted.compute.into();
    let conditions = SimulationConditions { machine, faults, computing, reference: false, seed: None };
    let simulated = runner.simulate(&task, &conditions, ranks, wanted.workload.as_deref(), lang)?;
    match simulated.records(lang) {
        Ok(records) => {
            match json {
                true => records.iter().for_each(|record| println!("{}", record.to_line())),
                false => print!("{}", wb_report::predictions(&records, lang)),
            }
            Ok(CommandStatus::from_success(simulated.failure.is_none()))
        }
        Err(why) => {
            eprintln!("{}", cli::measurement_failed(lang, &task, why));
            Ok(CommandStatus::Failure)
        }
    }
}

/// Checks that the faults are valid, and that their ranks exist at every number of ranks; the usage error shows the syntax.
pub(crate) fn check_faults(asked: &[String], ranks: &[u32], lang: Lang) -> Result<()> {
    let least = ranks.first().map_or(1, |ranks| *ranks as usize);
    let faults = Faults::parse(asked).and_then(|faults| faults.check(least));
    faults.map_err(|error| CliError::Usage(error.text().render(lang)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_must_be_possible_at_every_number_of_ranks() {
        let error = |asked: &str, ranks: &[u32]| match check_faults(&[asked.to_owned()], ranks, Lang::En) {
            Ok(()) => None,
            Err(CliError::Usage(error)) => Some(error),
            Err(other) => panic!("{asked}: {other:?}"),
        };
        assert_eq!(error("slow:3:2.0", &[4, 8]), None);
        let contains = [
            ("slow:3:2.0", "no rank 3 among 2 ranks"),
            ("slow:3", "slow:RANK:FACTOR"),
            ("fast:3", "jitter:SEED"),
        ];
        for (asked, wanted) in contains {
            let error = error(asked, &[2, 4]).expect(asked);
            assert!(error.contains(asked) && error.contains(wanted), "{error}");
        }
    }
}
