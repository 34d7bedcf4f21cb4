//! `cargo wb broadcasts simulate`: the times of broadcasts on a simulated machine; and those of any operation over messages.

use serde::Serialize;
use wb_algorithms::collectives::{Broadcast, CollectiveContext, broadcast::Extent};
use wb_comm::{CallSite, Text, Transport, Verb, ViewMut};
use wb_local::sim::{
    Machine,
    max_plus::{ArrivalPattern, MaxPlusRun, Noise, Recording},
};
use wb_messages::{Lang, broadcasts as text, number, simulator};
use wb_report::document::{Table, left, right};

use super::find_broadcasts;
use crate::{
    CommandStatus,
    arguments::SimulateBroadcastsArgs,
    error::{CliError, Result},
    machines, output, terminal,
};

/// The largest number of messages of one broadcast: more take minutes, and are the slowest anyway.
const MAX_MESSAGES: usize = 10_000_000;

/// The prediction for one broadcast at one size.
#[derive(Serialize)]
struct BroadcastPrediction {
    #[serde(rename = "ranks")]
    size: usize,
    messages: usize,
    /// Nanoseconds; `None` for more than [`MAX_MESSAGES`].
    #[serde(rename = "cost_ns")]
    cost: Option<u64>,
}

type Row = (String, Vec<BroadcastPrediction>);

/// Runs an operation on one rank.
type RankProgram<'p> = dyn FnMut(&dyn Transport) -> wb_comm::Result<()> + 'p;

/// What is simulated: an operation whose ranks enter it at the same time.
pub(crate) struct Program<'p> {
    pub(crate) name: String,
    /// The number of messages of this many ranks.
    pub(crate) messages: Box<dyn Fn(usize) -> usize + 'p>,
    /// Runs it on one rank.
    pub(crate) run: Box<RankProgram<'p>>,
}

/// The machine, the sizes, and what the answer says of the data.
pub(crate) struct Simulation<'a> {
    pub(crate) machine: &'a str,
    pub(crate) ranks: &'a [u32],
    pub(crate) bytes: u64,
    pub(crate) segment: Option<u64>,
    /// The title of the names.
    pub(crate) column: String,
    /// What the times mean.
    pub(crate) conditions: String,
}

pub(crate) fn run(wanted: &SimulateBroadcastsArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let broadcasts = find_broadcasts(wanted.name.as_deref(), lang)?;
    let (count, segment) = (wanted.bytes as usize, wanted.segment as usize);
    let program = |broadcast: &'static Broadcast| {
        let mut data = vec![0_u8; count];
        Program {
            name: broadcast.name.to_owned(),
            messages: Box::new(move |size| (broadcast.messages)(Extent { size, count, segment })),
            run: Box::new(move |transport| {
                let comm = CollectiveContext::new(transport, Verb::Bcast, CallSite::caller(Verb::Bcast));
                broadcast.run(&comm, ViewMut::from_slice(&mut data), 0, segment)
            }),
        }
    };
    let simulation = Simulation {
        machine: &wanted.machine,
        ranks: &wanted.ranks,
        bytes: wanted.bytes,
        segment: Some(wanted.segment),
        column: text::column_name(lang),
        conditions: text::conditions(lang, wanted.bytes, wanted.segment),
    };
    simulation.run(broadcasts.into_iter().map(program), lang, json)
}

impl Simulation<'_> {
    /// Predicts all programs at all sizes, and prints the times.
    pub(crate) fn run<'p>(
        &self,
        programs: impl Iterator<Item = Program<'p>>,
        lang: Lang,
        json: bool,
    ) -> Result<CommandStatus> {
        let description = machines::find(self.machine, lang)?;
        let sizes: Vec<usize> = self.ranks.iter().map(|ranks| *ranks as usize).collect();
        let mut on = vec![];
        for size in &sizes {
            let machine = description.machine(self.machine, *size);
            on.push((*size, machine.map_err(|error| machines::to_cli_error(error, lang))?));
        }
        let mut rows: Vec<Row> = vec![];
        for mut program in programs {
            let predictions = on.iter().map(|(size, machine)| predict(&mut program, *size, machine, lang));
            let predictions = predictions.collect::<Result<_>>()?;
            rows.push((program.name, predictions));
        }
        if json {
            self.print_json(&rows);
            return Ok(CommandStatus::Success);
        }
        let about = machines::title(&description.settings().about, lang);
        println!("{}", simulator::title(lang, self.machine, about));
        println!("{}", self.conditions);
        println!("{}", table(&rows, &sizes, self.column.clone(), lang));
        if rows.iter().flat_map(|(_, row)| row).any(|prediction| prediction.cost.is_none()) {
            println!("{}", text::legend(lang, MAX_MESSAGES));
        }
        println!("{}", machines::describe_accuracy(&description, lang));
        Ok(CommandStatus::Success)
    }

    fn print_json(&self, rows: &[Row]) {
        let row = |(name, predictions): &Row| -> serde_json::Value {
            serde_json::json!({ "name": name, "predictions": predictions })
        };
        let mut answer = serde_json::json!({ "kind": "model", "machine": self.machine, "bytes": self.bytes });
        let key = if self.segment.is_some() { "broadcasts" } else { "collectives" };
        answer[key] = rows.iter().map(row).collect();
        if let Some(segment) = self.segment {
            answer["segment_bytes"] = segment.into();
        }
        output::print_json(&answer);
    }
}

/// One operation. All ranks enter it at the same time.
fn predict(
    program: &mut Program<'_>,
    size: usize,
    machine: &Machine,
    lang: Lang,
) -> Result<BroadcastPrediction> {
    let messages = (program.messages)(size);
    if messages > MAX_MESSAGES {
        return Ok(BroadcastPrediction { size, messages, cost: None });
    }
    let usage_error =
        |why: Text| CliError::Usage(simulator::fault(lang, &program.name, size, why.render(lang)));
    let recording = Recording::from_program(size, &mut program.run);
    let recording = recording.map_err(|error| usage_error(error.text()))?;
    let episode =
        MaxPlusRun::new(&recording, machine, &ArrivalPattern::Simultaneous, Noise::none()).episode();
    let cost = Some(episode.map_err(|error| usage_error(error.text()))?.cost());
    Ok(BroadcastPrediction { size, messages: recording.messages(), cost })
}

fn table(rows: &[Row], sizes: &[usize], column: String, lang: Lang) -> String {
    let sizes = sizes.iter().map(|size| right(format!("P = {size}")));
    let mut table = Table::new(std::iter::once(left(column)).chain(sizes));
    for (name, row) in rows {
        let cell = |BroadcastPrediction { messages, cost, .. }: &BroadcastPrediction| match cost {
            Some(cost) => number::fixed(lang, *cost as f64 / 1000.0, 3),
            None => simulator::skipped_many(lang, format!("{:.0e}", *messages as f64)),
        };
        table.row(std::iter::once(name.clone()).chain(row.iter().map(cell)));
    }
    terminal::text(&table)
}
