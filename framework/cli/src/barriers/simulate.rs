//! `cargo wb barriers simulate`: the times of barriers over messages on a simulated machine.

mod json;

use std::time::{Duration, Instant};

use wb_algorithms::barriers::{
    BarrierEntry, GroupConfig, Implementation, adapters::MessageBarrier, catalogue,
};
use wb_comm::{Barrier, CallSite, Error, Transport, Verb};
use wb_local::sim::{
    Machine,
    machine_library::MachineDescription,
    max_plus::{self, MaxPlusPath, MaxPlusRun, Noise, PathStep, Recording},
};
use wb_messages::{Lang, number, simulator as text};
use wb_report::document::{Table, left, right};

use self::json::PredictionReport;
use super::find_barrier;
use crate::{
    CommandStatus,
    arguments::SimulateBarriersArgs,
    error::{CliError, Result},
    machines, output, terminal,
};

/// The bounds of the simulation of one barrier at one size.
struct SimulationBounds {
    /// Messages of an episode: more take minutes, and are the slowest anyway.
    messages: usize,
    /// The time to record a plan: for some patterns it grows with the square of the number of ranks.
    plan_time: Duration,
}

/// The bounds of a barrier that is selected by name.
const SINGLE_BARRIER_BOUNDS: SimulationBounds =
    SimulationBounds { messages: 100_000_000, plan_time: Duration::from_secs(30) };

/// The bounds of each barrier, if all are simulated.
const ALL_BARRIERS_BOUNDS: SimulationBounds =
    SimulationBounds { messages: 10_000_000, plan_time: Duration::from_secs(2) };

/// The number of steps of a path that are listed at each end.
const MAX_STEPS: usize = 20;

/// The prediction for one barrier at one size.
enum BarrierPrediction {
    Times(Box<PredictedTimes>),
    /// There is no time, for this reason.
    Skipped(SkipReason),
}

struct PredictedTimes {
    messages: usize,
    /// Nanoseconds from the last entry to the last exit, a mean over episodes.
    cost: f64,
    /// The times of the last episode.
    outcome: max_plus::EpisodeTimes,
    path: Option<MaxPlusPath>,
}

enum SkipReason {
    Undefined(Error),
    TooManyMessages(usize),
    /// Recording the plan takes more than this number of seconds.
    SlowPlan(u64),
}

pub(crate) fn run(wanted: &SimulateBarriersArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let entries = match &wanted.name {
        Some(name) => vec![find_barrier(name, lang)?],
        None => catalogue::all().into_iter().filter(|entry| is_pattern(entry)).collect(),
    };
    if let [entry] = entries[..]
        && !is_pattern(entry)
    {
        return Err(CliError::Usage(text::not_messages(lang, entry.name)));
    }
    let description = machines::find(&wanted.machine, lang)?;
    let sizes: Vec<usize> = wanted.ranks.iter().map(|ranks| *ranks as usize).collect();
    let context = SimulationContext { arguments: wanted, description: &description, lang };
    context.check(&sizes)?;
    let mut rows = vec![];
    for entry in entries {
        let mut row = vec![];
        for &size in &sizes {
            row.push(context.predict(entry, size)?);
        }
        rows.push((entry, row));
    }
    match json {
        true => output::print_json(&PredictionReport::new(&context, &rows, &sizes)),
        false => context.print(&rows, &sizes),
    }
    Ok(CommandStatus::Success)
}

fn is_pattern(entry: &BarrierEntry) -> bool {
    matches!(entry.implementation, Implementation::Pattern(_))
}

/// The settings that all predictions of a command share.
struct SimulationContext<'a> {
    arguments: &'a SimulateBarriersArgs,
    description: &'a MachineDescription,
    lang: Lang,
}

type Row = (&'static BarrierEntry, Vec<BarrierPrediction>);

impl SimulationContext<'_> {
    /// Checks the command line before anything is computed.
    fn check(&self, sizes: &[usize]) -> Result<()> {
        let (wanted, lang) = (self.arguments, self.lang);
        for &size in sizes {
            self.machine(size)?;
            if let Some(rank) = wanted.late.filter(|rank| *rank >= size) {
                return Err(CliError::Usage(text::no_late_rank(lang, rank, size)));
            }
        }
        match wanted.noise.is_some() && self.description.settings().noise.is_none() {
            true => Err(CliError::Usage(text::no_noise(lang, &wanted.machine))),
            false => Ok(()),
        }
    }

    fn machine(&self, size: usize) -> Result<Machine> {
        let machine = self.description.machine(&self.arguments.machine, size);
        machine.map_err(|error| machines::to_cli_error(error, self.lang))
    }

    fn bounds(&self) -> &'static SimulationBounds {
        if self.arguments.name.is_some() { &SINGLE_BARRIER_BOUNDS } else { &ALL_BARRIERS_BOUNDS }
    }

    fn noise(&self, size: usize) -> Noise {
        match (self.arguments.noise, &self.description.settings().noise) {
            (Some(seed), Some(settings)) => Noise::from_settings(settings, size, seed),
            _ => Noise::none(),
        }
    }

    fn entry_times(&self) -> max_plus::ArrivalPattern {
        match self.arguments.late {
            Some(rank) => max_plus::ArrivalPattern::OneLate { rank, delay: self.arguments.by },
            None => max_plus::ArrivalPattern::Simultaneous,
        }
    }

    fn predict(&self, entry: &'static BarrierEntry, size: usize) -> Result<BarrierPrediction> {
        let machine = self.machine(size)?;
        let nodes = (0..size).map(|rank| machine.node_of(rank)).collect();
        let radix = self.arguments.radix.map(|radix| radix as usize);
        let recording = match record_episode(entry, &GroupConfig { size, nodes, radix }, self.bounds()) {
            Ok(recording) => recording,
            Err(reason) => return Ok(BarrierPrediction::Skipped(reason)),
        };
        let messages = recording.messages();
        // Where ranks share NICs, overlapping episodes wait for each other: one run must contain all episodes.
        let (recording, runs) = match machine.has_shared_nics(size) {
            false => (recording, self.arguments.episodes),
            true => {
                let episodes = self.arguments.episodes as usize;
                let all = messages.saturating_mul(episodes);
                if all > self.bounds().messages {
                    return Ok(BarrierPrediction::Skipped(SkipReason::TooManyMessages(all)));
                }
                (if episodes == 1 { recording } else { recording.repeated(episodes) }, 1)
            }
        };
        let mut run = MaxPlusRun::new(&recording, &machine, &self.entry_times(), self.noise(size));
        let fault = |error: max_plus::RecordingError| {
            CliError::Usage(text::fault(self.lang, entry.name, size, error.text().render(self.lang)))
        };
        let last_entry = self.entry_times().times(size).into_iter().max().unwrap_or(0);
        let mut outcome = run.episode().map_err(fault)?;
        for _ in 1..runs {
            outcome = run.episode().map_err(fault)?;
        }
        Ok(BarrierPrediction::Times(Box::new(PredictedTimes {
            messages,
            cost: (outcome.last_exit() - last_entry) as f64 / self.arguments.episodes as f64,
            path: self.arguments.path.then(|| run.critical_path(&outcome.exits)),
            outcome,
        })))
    }

    fn print(&self, rows: &[Row], sizes: &[usize]) {
        let lang = self.lang;
        let about = machines::title(&self.description.settings().about, lang);
        println!("{}", text::title(lang, &self.arguments.machine, about));
        println!("{}", text::conditions(lang, self.arguments.episodes));
        if let Some(rank) = self.arguments.late {
            println!("{}", text::late_rank(lang, rank, self.arguments.by));
        }
        if let Some(seed) = self.arguments.noise {
            println!("{}", text::noise_seed(lang, seed));
        }
        println!("{}", table(rows, sizes, lang));
        if rows.iter().flat_map(|(_, row)| row).any(|cell| matches!(cell, BarrierPrediction::Skipped(_))) {
            let SimulationBounds { messages, plan_time } = self.bounds();
            println!("{}", text::legend(lang, messages, plan_time.as_secs()));
            if self.arguments.name.is_none() {
                println!(
                    "{}",
                    text::by_name(
                        lang,
                        SINGLE_BARRIER_BOUNDS.messages,
                        SINGLE_BARRIER_BOUNDS.plan_time.as_secs()
                    )
                );
            }
        }
        println!("{}", machines::describe_accuracy(self.description, lang));
        for (entry, row) in rows {
            for (prediction, size) in row.iter().zip(sizes) {
                if let BarrierPrediction::Times(times) = prediction
                    && let Some(path) = &times.path
                {
                    println!("\n{}", text::path_title(lang, entry.name, size));
                    render_path(path, lang).iter().for_each(|line| println!("{line}"));
                }
            }
        }
    }
}

/// Records one episode of a pattern: the operations of every rank.
fn record_episode(
    entry: &BarrierEntry,
    group: &GroupConfig,
    bounds: &SimulationBounds,
) -> std::result::Result<Recording, SkipReason> {
    let messages = entry.cost.map(|cost| cost(group.size).messages);
    if let Some(messages) = messages.filter(|messages| *messages > bounds.messages) {
        return Err(SkipReason::TooManyMessages(messages));
    }
    let Implementation::Pattern(make) = entry.implementation else {
        unreachable!("only patterns are simulated")
    };
    let pattern = group.check().and_then(|()| make(group)).map_err(SkipReason::Undefined)?;
    let (started, mut slow) = (Instant::now(), false);
    let episode = |transport: &dyn Transport| {
        slow |= started.elapsed() > bounds.plan_time;
        if slow {
            return Err(Error::Interrupted { reason: wb_comm::text::setup::broken_off() });
        }
        let plan = pattern.plan(transport.rank(), transport.size())?;
        MessageBarrier::new(&plan, transport, CallSite::caller(Verb::Barrier)).wait()
    };
    let recorded = Recording::from_program(group.size, episode);
    recorded.map_err(|error| {
        if slow { SkipReason::SlowPlan(bounds.plan_time.as_secs()) } else { SkipReason::Undefined(error) }
    })
}

fn table(rows: &[Row], sizes: &[usize], lang: Lang) -> String {
    let sizes = sizes.iter().map(|size| right(format!("P = {size}")));
    let mut table = Table::new(std::iter::once(left(text::column_barrier(lang))).chain(sizes));
    for (entry, row) in rows {
        let cells = row.iter().map(|prediction| cell(prediction, lang));
        table.row(std::iter::once(entry.name.to_owned()).chain(cells));
    }
    terminal::text(&table)
}

fn cell(prediction: &BarrierPrediction, lang: Lang) -> String {
    match prediction {
        BarrierPrediction::Times(times) => microseconds(lang, times.cost),
        BarrierPrediction::Skipped(SkipReason::Undefined(_)) => "-".to_owned(),
        BarrierPrediction::Skipped(SkipReason::TooManyMessages(messages)) => {
            text::skipped_many(lang, format!("{:.0e}", *messages as f64))
        }
        BarrierPrediction::Skipped(SkipReason::SlowPlan(seconds)) => text::skipped_slow(lang, seconds),
    }
}

fn microseconds(lang: Lang, nanoseconds: f64) -> String {
    number::fixed(lang, nanoseconds / 1000.0, 3)
}

/// The lines of the path; a long path without its middle.
fn render_path(path: &MaxPlusPath, lang: Lang) -> Vec<String> {
    let mut lines: Vec<_> = path.steps.iter().map(|step| describe_step(step, lang)).collect();
    if lines.len() > 2 * MAX_STEPS + 1 {
        let hidden = lines.len() - 2 * MAX_STEPS;
        lines.splice(MAX_STEPS..MAX_STEPS + hidden, [text::path_omitted(lang, hidden)]);
    }
    lines
}

fn describe_step(step: &PathStep, lang: Lang) -> String {
    let us = |nanoseconds: u64| microseconds(lang, nanoseconds as f64);
    match *step {
        PathStep::Entry { rank, at } => text::path_enters(lang, us(at), rank),
        PathStep::Message { from, to, called_at, arrives } => {
            text::path_message(lang, us(arrives), from, to, us(called_at))
        }
        PathStep::Acknowledgement { from, to, posted, completed_at } => {
            text::path_answer(lang, us(completed_at), from, to, us(posted))
        }
        PathStep::Exit { rank, at } => text::path_leaves(lang, us(at), rank),
    }
}
