//! The models beside a report's measurements: the simulated machines, the numbers of ranks, and the resulting records.
//!
//! This host is simulated with measured computing: the speed of its cores is not fitted, and an assumed rate would dominate the
//! error. Any other machine is simulated with the declared computing of the task, which gives the same numbers on every
//! computer.

use wb_comm::Text;
use wb_config::{MachineSettings, machine_name};
use wb_local::sim::machine_library::MachineDescription;
use wb_messages::{Lang, cli as text};
use wb_record::{ComputingCost, FitQuality, PredictionModel, Record};

use crate::{
    arguments::RankList,
    error::Result,
    machines,
    measure::{self, BenchmarkRunner, SimulationConditions},
};

/// By default another machine is simulated at 2, 4, 8 and so on, up to this number of ranks.
pub(crate) const MAX_DEFAULT_RANKS: u32 = 64;

/// A machine to simulate.
pub(crate) struct ModelledMachine {
    /// Its name: a report contains no path.
    name: String,
    /// The machine's name or path, as the simulator takes it.
    path: String,
    is_host: bool,
    description: MachineDescription,
}

/// The machines of a report: this host once it has been calibrated, and the one that is named.
pub(crate) fn machines(named: Option<&str>, lang: Lang) -> Result<Vec<ModelledMachine>> {
    let is_named = |host: &&str| named.is_some_and(|named| machine_name(named) == *host);
    let is_calibrated =
        |_: &&str| machines::fitted_file(machines::THIS_HOST).is_ok_and(|file| file.is_file());
    let host = Some(machines::THIS_HOST).filter(|host| !is_named(host)).filter(is_calibrated);
    host.into_iter().chain(named).map(|name| machine(name, lang)).collect()
}

fn machine(name: &str, lang: Lang) -> Result<ModelledMachine> {
    let description = machines::find(name, lang)?;
    let (path, is_host) = (machines::path(name)?, name == machines::THIS_HOST);
    Ok(ModelledMachine { name: machine_name(name).to_owned(), path, is_host, description })
}

impl ModelledMachine {
    /// The numbers of ranks to simulate: those that are measured, elsewhere also `beyond` them, as far as there are cores.
    fn ranks(&self, measured: &[u32], beyond: &[u32]) -> Vec<u32> {
        let beyond = if self.is_host { &[] } else { beyond };
        let cores = self.description.settings().cores().map_or(u32::MAX, |cores| cores as u32);
        let mut ranks: Vec<u32> = measured.iter().chain(beyond).copied().filter(|&p| p <= cores).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    }

    fn model(&self, ranks: Vec<u32>, failure: Option<String>) -> PredictionModel {
        let settings = self.description.settings();
        PredictionModel {
            machine: self.name.clone(),
            about: about(settings),
            is_host: self.is_host,
            cores: settings.cores().map(|cores| cores as u32),
            ranks,
            fit: settings.calibration.as_ref().map(fit),
            failure,
        }
    }
}

fn about(settings: &MachineSettings) -> Text<String> {
    let of = |lang| machines::title(&settings.about, lang).to_owned();
    Text { en: of(Lang::En), ru: of(Lang::Ru) }
}

fn fit(calibration: &wb_config::CalibrationSettings) -> FitQuality {
    FitQuality {
        date: calibration.date.to_string(),
        library: calibration.library.clone(),
        points: calibration.points as u32,
        median_residual: calibration.median_residual,
        largest_residual: calibration.largest_residual,
    }
}

/// Simulates the task of the measured records on every machine. The answer has the records, which belong to the run of
/// `head`, and why some are missing.
pub(crate) fn records(
    runner: &BenchmarkRunner<'_>,
    machines: &[ModelledMachine],
    head: &Record,
    (measured, beyond): (&[u32], &[u32]),
    lang: Lang,
) -> Result<(Vec<Record>, Vec<String>)> {
    let (mut records, mut failures) = (Vec::new(), Vec::new());
    let task = &head.subject.task;
    for machine in machines {
        let ranks = machine.ranks(measured, beyond);
        if runner.progress.is_none() {
            println!("{}", text::simulating(lang, task, &machine.name));
        }
        let computing = if machine.is_host { ComputingCost::Measured } else { ComputingCost::Declared };
        let conditions = SimulationConditions {
            machine: &machine.path,
            faults: &[],
            computing,
            reference: false,
            seed: None,
        };
        let simulated = runner.simulate(task, &conditions, &ranks, None, lang)?;
        // A simulation that broke off keeps its records; the model's own record says that it broke off.
        let passes = measure::read(&simulated.file, lang).unwrap_or_default();
        failures
            .extend(simulated.failure.iter().map(|why| text::not_simulated(lang, task, &machine.name, why)));
        let model = machine.model(ranks, simulated.failure);
        records.push(Record { measurement: model.into(), ..head.clone() });
        records.extend(passes.into_iter().map(|pass| Record { run: head.run.clone(), ..pass }));
    }
    Ok((records, failures))
}

/// The numbers of ranks of `--model-ranks`.
pub(crate) fn extra_ranks(asked: Option<&RankList>) -> Vec<u32> {
    match asked {
        Some(ranks) => ranks.to_vec(),
        None => {
            std::iter::successors(Some(2), |p| Some(2 * p)).take_while(|p| *p <= MAX_DEFAULT_RANKS).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::CliError;

    fn named(name: &str) -> ModelledMachine {
        machine(name, Lang::En).expect("it comes along")
    }

    #[test]
    fn a_machine_is_simulated_where_it_was_measured_and_beyond_as_far_as_it_has_cores() {
        let beyond = extra_ranks(None);
        assert_eq!(named("cluster-ib").ranks(&[1, 2, 3], &beyond), [1, 2, 3, 4, 8, 16, 32, 64]);
        assert_eq!(named("node-64").ranks(&[1, 65], &[32, 64, 128]), [1, 32, 64]);
        let host = ModelledMachine { is_host: true, ..named("node-64") };
        assert_eq!(host.ranks(&[1, 2, 65], &beyond), [1, 2]);
    }

    #[test]
    fn a_model_says_what_it_is_and_how_far_it_reaches() {
        let model = named("node-64").model(vec![2], Some("exit code 1".into()));
        assert_eq!((&*model.machine, model.cores, model.is_host), ("node-64", Some(64), false));
        assert!(model.fit.is_none() && !model.about.ru.is_empty());
        assert_eq!(model.failure.as_deref(), Some("exit code 1"));
        assert_eq!(named("cluster-ib").model(vec![], None).cores, None);
    }

    #[test]
    fn a_machine_that_is_not_there_is_refused_with_the_nearest_name() {
        let Err(CliError::Usage(error)) = machine("cluster-id", Lang::En) else { panic!("no such machine") };
        assert!(error.contains("did you mean `cluster-ib`?"), "{error}");
    }
}
