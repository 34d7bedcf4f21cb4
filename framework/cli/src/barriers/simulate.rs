//! `cargo wb barriers simulate`: what barriers over messages would take on a machine that is not there.

use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table};
use serde_json::json;
use wb_collectives::{
    Entry,
    catalogue::{self, Form, Setting},
    over::OverMessages,
};
use wb_comm::{Barrier, Error, Site, Transport, Verb};
use wb_messages::{Lang, number, simulator as text};
use wb_sim::{
    Machine,
    library::Description,
    plan::{self, Leg, Noise, Path, Recording, Run},
};

use super::named;
use crate::{
    Done,
    arguments::Simulate,
    error::{CliError, Result},
    machines, screen,
};

/// What one barrier at one size may cost, before it is not simulated.
struct Bounds {
    /// Messages of an episode; more would take minutes, and be the slowest anyway.
    messages: usize,
    /// How long writing a plan down may take: some patterns need time that grows with the square of the ranks.
    writing: Duration,
}

/// Of a barrier that was asked for by name.
const NAMED: Bounds = Bounds { messages: 100_000_000, writing: Duration::from_secs(30) };

/// Of each, when all are asked for.
const OF_ALL: Bounds = Bounds { messages: 10_000_000, writing: Duration::from_secs(2) };

/// So many legs of a path are listed at each end.
const LEGS: usize = 20;

/// What is known of one barrier at one size.
enum Prediction {
    Times(Box<Times>),
    /// No time, and why.
    Skipped(Skipped),
}

struct Times {
    messages: usize,
    /// Nanoseconds from the last entry to the last exit, a mean over episodes.
    cost: f64,
    /// Of the last episode.
    outcome: plan::Outcome,
    path: Option<Path>,
}

enum Skipped {
    Undefined(Error),
    ManyMessages(usize),
    /// Writing its plan down takes more than so many seconds.
    Slow(u64),
}

pub(crate) fn run(wanted: &Simulate, lang: Lang, json: bool) -> Result<Done> {
    let entries = match &wanted.name {
        Some(name) => vec![named(name, lang)?],
        None => catalogue::all().into_iter().filter(|entry| is_pattern(entry)).collect(),
    };
    if let [entry] = entries[..]
        && !is_pattern(entry)
    {
        return Err(CliError::Usage(text::not_messages(lang, entry.name)));
    }
    let description = machines::find(&wanted.machine, lang)?;
    let sizes: Vec<usize> = wanted.ranks.iter().map(|ranks| *ranks as usize).collect();
    let conditions = Conditions { wanted, description: &description, lang };
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
        true => println!("{:#}", conditions.for_programs(&rows, &sizes)),
        false => conditions.print(&rows, &sizes),
    }
    Ok(Done::Well)
}

fn is_pattern(entry: &Entry) -> bool {
    matches!(entry.form, Form::Pattern(_))
}

/// What all predictions of a command have in common.
struct Conditions<'a> {
    wanted: &'a Simulate,
    description: &'a Description,
    lang: Lang,
}

type Row = (&'static Entry, Vec<Prediction>);

impl Conditions<'_> {
    /// Whatever is wrong with the command line is told before anything is computed.
    fn check(&self, sizes: &[usize]) -> Result<()> {
        let (wanted, lang) = (self.wanted, self.lang);
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
        let machine = self.description.machine(&self.wanted.machine, size);
        machine.map_err(|error| machines::tell(error, self.lang))
    }

    fn bounds(&self) -> &'static Bounds {
        if self.wanted.name.is_some() { &NAMED } else { &OF_ALL }
    }

    fn noise(&self, size: usize) -> Noise {
        match (self.wanted.noise, &self.description.settings().noise) {
            (Some(seed), Some(settings)) => Noise::of(settings, size, seed),
            _ => Noise::none(),
        }
    }

    fn entry(&self) -> plan::Entry {
        match self.wanted.late {
            Some(rank) => plan::Entry::OneLate { rank, by: self.wanted.by },
            None => plan::Entry::Together,
        }
    }

    fn predict(&self, entry: &'static Entry, size: usize) -> Result<Prediction> {
        let machine = self.machine(size)?;
        let nodes = (0..size).map(|rank| machine.node_of(rank)).collect();
        let radix = self.wanted.radix.map(|radix| radix as usize);
        let recording = match record(entry, &Setting { size, nodes, radix }, self.bounds()) {
            Ok(recording) => recording,
            Err(why) => return Ok(Prediction::Skipped(why)),
        };
        let messages = recording.messages();
        // Where ranks share cards, episodes that overlap wait for each other: all must be there at once.
        let (recording, runs) = match machine.uses_cards(size) {
            false => (recording, self.wanted.episodes),
            true => {
                let episodes = self.wanted.episodes as usize;
                let all = messages.saturating_mul(episodes);
                if all > self.bounds().messages {
                    return Ok(Prediction::Skipped(Skipped::ManyMessages(all)));
                }
                (if episodes == 1 { recording } else { recording.repeated(episodes) }, 1)
            }
        };
        let mut run = Run::new(&recording, &machine, &self.entry(), self.noise(size));
        let fault = |why: plan::Fault| {
            CliError::Usage(text::fault(self.lang, entry.name, size, why.text().render(self.lang)))
        };
        let begins = self.entry().times(size).into_iter().max().unwrap_or(0);
        let mut outcome = run.episode().map_err(fault)?;
        for _ in 1..runs {
            outcome = run.episode().map_err(fault)?;
        }
        Ok(Prediction::Times(Box::new(Times {
            messages,
            cost: (outcome.last_exit() - begins) as f64 / self.wanted.episodes as f64,
            path: self.wanted.path.then(|| run.critical_path(&outcome.exits)),
            outcome,
        })))
    }

    fn print(&self, rows: &[Row], sizes: &[usize]) {
        let lang = self.lang;
        let about = machines::title(&self.description.settings().about, lang);
        println!("{}", text::title(lang, &self.wanted.machine, about));
        println!("{}", text::how(lang, self.wanted.episodes));
        if let Some(rank) = self.wanted.late {
            println!("{}", text::how_late(lang, rank, self.wanted.by));
        }
        if let Some(seed) = self.wanted.noise {
            println!("{}", text::how_noisy(lang, seed));
        }
        println!("{}", table(rows, sizes, lang));
        if rows.iter().flat_map(|(_, row)| row).any(|cell| matches!(cell, Prediction::Skipped(_))) {
            let Bounds { messages, writing } = self.bounds();
            println!("{}", text::legend(lang, messages, writing.as_secs()));
            if self.wanted.name.is_none() {
                println!("{}", text::by_name(lang, NAMED.messages, NAMED.writing.as_secs()));
            }
        }
        println!("{}", machines::trust(self.description, lang));
        for (entry, row) in rows {
            for (prediction, size) in row.iter().zip(sizes) {
                if let Prediction::Times(times) = prediction
                    && let Some(path) = &times.path
                {
                    println!("\n{}", text::path_title(lang, entry.name, size));
                    list(path, lang).iter().for_each(|line| println!("{line}"));
                }
            }
        }
    }

    fn for_programs(&self, rows: &[Row], sizes: &[usize]) -> serde_json::Value {
        let row = |(entry, row): &Row| {
            let cells = row.iter().zip(sizes).map(|(prediction, size)| for_programs(prediction, *size));
            json!({ "name": entry.name, "predictions": cells.collect::<Vec<_>>() })
        };
        let fit = self.description.settings().calibration.as_ref();
        json!({
            "kind": "model",
            "machine": self.wanted.machine,
            "calibrated": fit.map(|fit| json!({
                "date": fit.date.to_string(),
                "median_residual": fit.median_residual,
                "largest_residual": fit.largest_residual,
            })),
            "noise_seed": self.wanted.noise,
            "late": self.wanted.late.map(|rank| json!({ "rank": rank, "by_ns": self.wanted.by })),
            "episodes": self.wanted.episodes,
            "barriers": rows.iter().map(row).collect::<Vec<_>>(),
        })
    }
}

/// One episode of a pattern as messages, everybody's operations.
fn record(entry: &Entry, setting: &Setting, bounds: &Bounds) -> std::result::Result<Recording, Skipped> {
    let messages = entry.cost.map(|cost| cost(setting.size).messages);
    if let Some(messages) = messages.filter(|messages| *messages > bounds.messages) {
        return Err(Skipped::ManyMessages(messages));
    }
    let Form::Pattern(make) = entry.form else { unreachable!("only patterns are simulated") };
    let pattern = setting.check().and_then(|()| make(setting)).map_err(Skipped::Undefined)?;
    let (started, mut slow) = (Instant::now(), false);
    let episode = |transport: &dyn Transport| {
        slow |= started.elapsed() > bounds.writing;
        if slow {
            return Err(Error::Interrupted { reason: wb_comm::text::setup::broken_off() });
        }
        let plan = pattern.plan(transport.rank(), transport.size())?;
        OverMessages::new(&plan, transport, Site::here(Verb::Barrier)).wait()
    };
    let recorded = Recording::of(setting.size, episode);
    recorded
        .map_err(|why| if slow { Skipped::Slow(bounds.writing.as_secs()) } else { Skipped::Undefined(why) })
}

fn table(rows: &[Row], sizes: &[usize], lang: Lang) -> Table {
    let mut table = screen::table();
    let sizes = sizes.iter().map(|size| format!("P = {size}"));
    table.set_header(std::iter::once(text::column_barrier(lang)).chain(sizes));
    for (entry, row) in rows {
        let cells = row.iter().map(|prediction| cell(prediction, lang));
        table.add_row(std::iter::once(entry.name.to_owned()).chain(cells));
    }
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}

fn cell(prediction: &Prediction, lang: Lang) -> String {
    match prediction {
        Prediction::Times(times) => microseconds(lang, times.cost),
        Prediction::Skipped(Skipped::Undefined(_)) => "-".to_owned(),
        Prediction::Skipped(Skipped::ManyMessages(messages)) => {
            text::skipped_many(lang, format!("{:.0e}", *messages as f64))
        }
        Prediction::Skipped(Skipped::Slow(seconds)) => text::skipped_slow(lang, seconds),
    }
}

fn microseconds(lang: Lang, nanoseconds: f64) -> String {
    number::fixed(lang, nanoseconds / 1000.0, 3)
}

/// The path line by line; a long one without its middle.
fn list(path: &Path, lang: Lang) -> Vec<String> {
    let mut lines: Vec<_> = path.legs.iter().map(|leg| tell(leg, lang)).collect();
    if lines.len() > 2 * LEGS + 1 {
        let hidden = lines.len() - 2 * LEGS;
        lines.splice(LEGS..LEGS + hidden, [text::path_folded(lang, hidden)]);
    }
    lines
}

fn tell(leg: &Leg, lang: Lang) -> String {
    let us = |nanoseconds: u64| microseconds(lang, nanoseconds as f64);
    match *leg {
        Leg::Enters { rank, at } => text::path_enters(lang, us(at), rank),
        Leg::Message { from, to, called, arrives } => {
            text::path_message(lang, us(arrives), from, to, us(called))
        }
        Leg::Answer { from, to, posted, over } => text::path_answer(lang, us(over), from, to, us(posted)),
        Leg::Leaves { rank, at } => text::path_leaves(lang, us(at), rank),
    }
}

fn for_programs(prediction: &Prediction, ranks: usize) -> serde_json::Value {
    let times = match prediction {
        Prediction::Times(times) => times,
        Prediction::Skipped(why) => {
            let why = match why {
                Skipped::Undefined(why) => why.to_string(),
                Skipped::ManyMessages(messages) => format!("{messages} messages"),
                Skipped::Slow(seconds) => format!("writing the plan down takes over {seconds} s"),
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
        "critical_path": times.path.as_ref().map(|path| path.legs.iter().map(leg_json).collect::<Vec<_>>()),
    })
}

fn leg_json(leg: &Leg) -> serde_json::Value {
    match *leg {
        Leg::Enters { rank, at } => json!({ "enters": rank, "at_ns": at }),
        Leg::Message { from, to, called, arrives } => {
            json!({ "message_from": from, "to": to, "called_ns": called, "arrives_ns": arrives })
        }
        Leg::Answer { from, to, posted, over } => {
            json!({ "answer_from": from, "to": to, "posted_ns": posted, "over_ns": over })
        }
        Leg::Leaves { rank, at } => json!({ "leaves": rank, "at_ns": at }),
    }
}
