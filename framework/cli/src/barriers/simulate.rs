//! `cargo wb barriers simulate`: what barriers over messages would take on a machine that is not there.

use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table};
use serde_json::json;
use wb_collectives::{
    BarrierEntry,
    adapters::MessageBarrier,
    catalogue::{self, GroupConfig, Implementation},
};
use wb_comm::{Barrier, CallSite, Error, Transport, Verb};
use wb_messages::{Lang, number, simulator as text};
use wb_sim::{
    Machine,
    machine_library::MachineDescription,
    max_plus::{self, MaxPlusPath, MaxPlusRun, Noise, PathStep, Recording},
};

use super::find_barrier;
use crate::{
    CommandStatus,
    arguments::SimulateBarriersArgs,
    error::{CliError, Result},
    machines, terminal,
};

/// What one barrier at one size may cost, before it is not simulated.
struct SimulationBounds {
    /// Messages of an episode; more would take minutes, and be the slowest anyway.
    messages: usize,
    /// How long writing a plan down may take: some patterns need time that grows with the square of the ranks.
    plan_time: Duration,
}

/// Of a barrier that was asked for by name.
const SINGLE_BARRIER_BOUNDS: SimulationBounds =
    SimulationBounds { messages: 100_000_000, plan_time: Duration::from_secs(30) };

/// Of each, when all are asked for.
const ALL_BARRIERS_BOUNDS: SimulationBounds =
    SimulationBounds { messages: 10_000_000, plan_time: Duration::from_secs(2) };

/// So many legs of a path are listed at each end.
const MAX_LEGS: usize = 20;

/// What is known of one barrier at one size.
enum BarrierPrediction {
    Times(Box<PredictedTimes>),
    /// No time, and why.
    Skipped(SkipReason),
}

struct PredictedTimes {
    messages: usize,
    /// Nanoseconds from the last entry to the last exit, a mean over episodes.
    cost: f64,
    /// Of the last episode.
    outcome: max_plus::EpisodeTimes,
    path: Option<MaxPlusPath>,
}

enum SkipReason {
    Undefined(Error),
    TooManyMessages(usize),
    /// Writing its plan down takes more than so many seconds.
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
    let conditions = SimulationContext { arguments: wanted, description: &description, lang };
    conditions.check(&sizes)?;
    let mut rows = vec![];
    for entry in entries {
        let mut row = vec![];
        for &size in &sizes {
            row.push(conditions.predict(entry, size)?);
        }
        rows.push((entry, row));
    }
    match json {
        true => println!("{:#}", conditions.to_json(&rows, &sizes)),
        false => conditions.print(&rows, &sizes),
    }
    Ok(CommandStatus::Success)
}

fn is_pattern(entry: &BarrierEntry) -> bool {
    matches!(entry.implementation, Implementation::Pattern(_))
}

/// What all predictions of a command have in common.
struct SimulationContext<'a> {
    arguments: &'a SimulateBarriersArgs,
    description: &'a MachineDescription,
    lang: Lang,
}

type Row = (&'static BarrierEntry, Vec<BarrierPrediction>);

impl SimulationContext<'_> {
    /// Whatever is wrong with the command line is told before anything is computed.
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
            Err(why) => return Ok(BarrierPrediction::Skipped(why)),
        };
        let messages = recording.messages();
        // Where ranks share cards, episodes that overlap wait for each other: all must be there at once.
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
        let fault = |why: max_plus::RecordingError| {
            CliError::Usage(text::fault(self.lang, entry.name, size, why.text().render(self.lang)))
        };
        let begins = self.entry_times().times(size).into_iter().max().unwrap_or(0);
        let mut outcome = run.episode().map_err(fault)?;
        for _ in 1..runs {
            outcome = run.episode().map_err(fault)?;
        }
        Ok(BarrierPrediction::Times(Box::new(PredictedTimes {
            messages,
            cost: (outcome.last_exit() - begins) as f64 / self.arguments.episodes as f64,
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
            let SimulationBounds { messages, plan_time: writing } = self.bounds();
            println!("{}", text::legend(lang, messages, writing.as_secs()));
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

    fn to_json(&self, rows: &[Row], sizes: &[usize]) -> serde_json::Value {
        let row = |(entry, row): &Row| {
            let cells = row.iter().zip(sizes).map(|(prediction, size)| prediction_json(prediction, *size));
            json!({ "name": entry.name, "predictions": cells.collect::<Vec<_>>() })
        };
        let fit = self.description.settings().calibration.as_ref();
        json!({
            "kind": "model",
            "machine": self.arguments.machine,
            "calibrated": fit.map(|fit| json!({
                "date": fit.date.to_string(),
                "median_residual": fit.median_residual,
                "largest_residual": fit.largest_residual,
            })),
            "noise_seed": self.arguments.noise,
            "late": self.arguments.late.map(|rank| json!({ "rank": rank, "by_ns": self.arguments.by })),
            "episodes": self.arguments.episodes,
            "barriers": rows.iter().map(row).collect::<Vec<_>>(),
        })
    }
}

/// One episode of a pattern as messages, everybody's operations.
fn record_episode(
    entry: &BarrierEntry,
    setting: &GroupConfig,
    bounds: &SimulationBounds,
) -> std::result::Result<Recording, SkipReason> {
    let messages = entry.cost.map(|cost| cost(setting.size).messages);
    if let Some(messages) = messages.filter(|messages| *messages > bounds.messages) {
        return Err(SkipReason::TooManyMessages(messages));
    }
    let Implementation::Pattern(make) = entry.implementation else {
        unreachable!("only patterns are simulated")
    };
    let pattern = setting.check().and_then(|()| make(setting)).map_err(SkipReason::Undefined)?;
    let (started, mut slow) = (Instant::now(), false);
    let episode = |transport: &dyn Transport| {
        slow |= started.elapsed() > bounds.plan_time;
        if slow {
            return Err(Error::Interrupted { reason: wb_comm::text::setup::broken_off() });
        }
        let plan = pattern.plan(transport.rank(), transport.size())?;
        MessageBarrier::new(&plan, transport, CallSite::caller(Verb::Barrier)).wait()
    };
    let recorded = Recording::from_program(setting.size, episode);
    recorded.map_err(|why| {
        if slow { SkipReason::SlowPlan(bounds.plan_time.as_secs()) } else { SkipReason::Undefined(why) }
    })
}

fn table(rows: &[Row], sizes: &[usize], lang: Lang) -> Table {
    let mut table = terminal::table();
    let sizes = sizes.iter().map(|size| format!("P = {size}"));
    table.set_header(std::iter::once(text::column_barrier(lang)).chain(sizes));
    for (entry, row) in rows {
        let cells = row.iter().map(|prediction| cell(prediction, lang));
        table.add_row(std::iter::once(entry.name.to_owned()).chain(cells));
    }
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
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

/// The path line by line; a long one without its middle.
fn render_path(path: &MaxPlusPath, lang: Lang) -> Vec<String> {
    let mut lines: Vec<_> = path.steps.iter().map(|leg| describe_leg(leg, lang)).collect();
    if lines.len() > 2 * MAX_LEGS + 1 {
        let hidden = lines.len() - 2 * MAX_LEGS;
        lines.splice(MAX_LEGS..MAX_LEGS + hidden, [text::path_omitted(lang, hidden)]);
    }
    lines
}

fn describe_leg(leg: &PathStep, lang: Lang) -> String {
    let us = |nanoseconds: u64| microseconds(lang, nanoseconds as f64);
    match *leg {
        PathStep::Entry { rank, at } => text::path_enters(lang, us(at), rank),
        PathStep::Message { from, to, called_at: called, arrives } => {
            text::path_message(lang, us(arrives), from, to, us(called))
        }
        PathStep::Acknowledgement { from, to, posted, completed_at: over } => {
            text::path_answer(lang, us(over), from, to, us(posted))
        }
        PathStep::Exit { rank, at } => text::path_leaves(lang, us(at), rank),
    }
}

fn prediction_json(prediction: &BarrierPrediction, ranks: usize) -> serde_json::Value {
    let times = match prediction {
        BarrierPrediction::Times(times) => times,
        BarrierPrediction::Skipped(why) => {
            let why = match why {
                SkipReason::Undefined(why) => why.to_string(),
                SkipReason::TooManyMessages(messages) => format!("{messages} messages"),
                SkipReason::SlowPlan(seconds) => format!("writing the plan down takes over {seconds} s"),
            };
            return json!({ "ranks": ranks, "skipped": why });
        }
    };
    let outcome = &times.outcome;
    json!({
        "ranks": ranks,
        "messages": times.messages,
        "cost_ns": times.cost,
        "last_entry_ns": outcome.last_entry(),
        "first_exit_ns": outcome.first_exit(),
        "mean_exit_ns": outcome.mean_exit(),
        "last_exit_ns": outcome.last_exit(),
        "critical_path": times.path.as_ref().map(|path| path.steps.iter().map(leg_json).collect::<Vec<_>>()),
    })
}

fn leg_json(leg: &PathStep) -> serde_json::Value {
    match *leg {
        PathStep::Entry { rank, at } => json!({ "enters": rank, "at_ns": at }),
        PathStep::Message { from, to, called_at: called, arrives } => {
            json!({ "message_from": from, "to": to, "called_ns": called, "arrives_ns": arrives })
        }
        PathStep::Acknowledgement { from, to, posted, completed_at: over } => {
            json!({ "answer_from": from, "to": to, "posted_ns": posted, "over_ns": over })
        }
        PathStep::Exit { rank, at } => json!({ "leaves": rank, "at_ns": at }),
    }
}
