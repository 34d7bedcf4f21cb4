//! `cargo wb broadcasts simulate`: the times of broadcasts on a simulated machine.

use serde::Serialize;
use wb_algorithms::collectives::{Broadcast, CollectiveContext, broadcast::Extent};
use wb_comm::{CallSite, Text, Verb, ViewMut};
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

type Row = (&'static Broadcast, Vec<BroadcastPrediction>);

pub(crate) fn run(wanted: &SimulateBroadcastsArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let broadcasts = find_broadcasts(wanted.name.as_deref(), lang)?;
    let description = machines::find(&wanted.machine, lang)?;
    let sizes: Vec<usize> = wanted.ranks.iter().map(|ranks| *ranks as usize).collect();
    let mut on = vec![];
    for size in &sizes {
        let machine = description.machine(&wanted.machine, *size);
        on.push((*size, machine.map_err(|error| machines::to_cli_error(error, lang))?));
    }
    let mut rows: Vec<Row> = vec![];
    for broadcast in broadcasts {
        let mut row = vec![];
        for (size, machine) in &on {
            let (count, segment) = (wanted.bytes as usize, wanted.segment as usize);
            row.push(predict(broadcast, Extent { size: *size, count, segment }, machine, lang)?);
        }
        rows.push((broadcast, row));
    }
    if json {
        print_json(wanted, &rows);
        return Ok(CommandStatus::Success);
    }
    let about = machines::title(&description.settings().about, lang);
    println!("{}", simulator::title(lang, &wanted.machine, about));
    println!("{}", text::conditions(lang, wanted.bytes, wanted.segment));
    println!("{}", table(&rows, &sizes, lang));
    if rows.iter().flat_map(|(_, row)| row).any(|prediction| prediction.cost.is_none()) {
        println!("{}", text::legend(lang, MAX_MESSAGES));
    }
    println!("{}", machines::describe_accuracy(&description, lang));
    Ok(CommandStatus::Success)
}

/// One broadcast from rank 0. All ranks enter it at the same time.
fn predict(
    broadcast: &'static Broadcast,
    extent: Extent,
    machine: &Machine,
    lang: Lang,
) -> Result<BroadcastPrediction> {
    let (size, messages) = (extent.size, (broadcast.messages)(extent));
    if messages > MAX_MESSAGES {
        return Ok(BroadcastPrediction { size, messages, cost: None });
    }
    let usage_error =
        |why: Text| CliError::Usage(simulator::fault(lang, broadcast.name, size, why.render(lang)));
    let mut data = vec![0_u8; extent.count];
    let recording = Recording::from_program(size, |transport| {
        let comm = CollectiveContext::new(transport, Verb::Bcast, CallSite::caller(Verb::Bcast));
        broadcast.run(&comm, ViewMut::from_slice(&mut data), 0, extent.segment)
    });
    let recording = recording.map_err(|error| usage_error(error.text()))?;
    let episode =
        MaxPlusRun::new(&recording, machine, &ArrivalPattern::Simultaneous, Noise::none()).episode();
    let cost = Some(episode.map_err(|error| usage_error(error.text()))?.cost());
    Ok(BroadcastPrediction { size, messages: recording.messages(), cost })
}

fn table(rows: &[Row], sizes: &[usize], lang: Lang) -> String {
    let sizes = sizes.iter().map(|size| right(format!("P = {size}")));
    let mut table = Table::new(std::iter::once(left(text::column_name(lang))).chain(sizes));
    for (broadcast, row) in rows {
        let cell = |BroadcastPrediction { messages, cost, .. }: &BroadcastPrediction| match cost {
            Some(cost) => number::fixed(lang, *cost as f64 / 1000.0, 3),
            None => simulator::skipped_many(lang, format!("{:.0e}", *messages as f64)),
        };
        table.row(std::iter::once(broadcast.name.to_owned()).chain(row.iter().map(cell)));
    }
    terminal::text(&table)
}

/// The answer with `--json`.
#[derive(Serialize)]
struct BroadcastPredictions<'a> {
    kind: &'static str,
    machine: &'a str,
    bytes: u64,
    segment_bytes: u64,
    broadcasts: Vec<BroadcastPredictionRow<'a>>,
}

#[derive(Serialize)]
struct BroadcastPredictionRow<'a> {
    name: &'a str,
    predictions: &'a [BroadcastPrediction],
}

fn print_json(wanted: &SimulateBroadcastsArgs, rows: &[Row]) {
    output::print_json(&BroadcastPredictions {
        kind: "model",
        machine: &wanted.machine,
        bytes: wanted.bytes,
        segment_bytes: wanted.segment,
        broadcasts: rows
            .iter()
            .map(|(broadcast, predictions)| BroadcastPredictionRow { name: broadcast.name, predictions })
            .collect(),
    });
}
