//! `cargo wb barriers plan`: the signals of each round, as a table and as a picture.

use serde::Serialize;
use wb_algorithms::barriers::{
    BarrierEntry, GroupConfig, Plan, Slot,
    picture::{self, PictureLabels},
    proof::{self, PatternRefutation, TimedSignal},
};
use wb_comm::Error;
use wb_messages::{Lang, barriers as text, wrap};
use wb_report::document::{Table, left};

use super::find_barrier;
use crate::{
    CommandStatus,
    arguments::BarrierPlanArgs,
    error::{CliError, Result},
    output, terminal,
};

/// The number of columns that fit a terminal of 80 characters.
const MAX_RANK_COLUMNS: usize = 10;

/// The number of columns that have room for the word "rank".
const MAX_WIDE_COLUMNS: usize = 7;

pub(crate) fn run(wanted: &BarrierPlanArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let entry = find_barrier(&wanted.name, lang)?;
    wanted.svg.as_deref().map_or(Ok(()), output::check)?;
    let undefined =
        |error: Error| CliError::Usage(text::undefined(lang, entry.name, error.text().render(lang)));
    let group = group_config(wanted).map_err(undefined)?;
    let plans = entry.plans(&group).ok_or_else(|| CliError::Usage(text::no_plan(lang, entry.name)))?;
    let plans = plans.map_err(undefined)?;
    let proved = proof::prove(&plans);
    let signals = match proof::schedule(&plans) {
        Ok(signals) => signals,
        Err(refutation) => return Ok(print_refutation(entry, &refutation, lang, json)),
    };
    if json {
        output::print_json(&PlanReport {
            name: entry.name,
            ranks: group.size,
            nodes: &group.nodes,
            messages: signals.iter().map(SignalRow::from).collect(),
            refused: proved.as_ref().err().map(ToString::to_string),
        });
    } else {
        println!("{}", text::plan_title(lang, entry.name, group.size));
        println!("{}", diagram(&signals, group.size, lang));
        match &proved {
            Ok(cost) => {
                let (rounds, hops) = (cost.rounds.unwrap_or_default(), cost.hops.unwrap_or_default());
                println!("{}", text::costs(lang, cost.messages, rounds, hops));
            }
            Err(refutation) => println!("{}", refutation.text().in_language(lang)),
        }
    }
    draw(wanted, entry, &plans, lang)?;
    Ok(CommandStatus::from_success(proved.is_ok()))
}

fn group_config(wanted: &BarrierPlanArgs) -> wb_comm::Result<GroupConfig> {
    let ranks = wanted.ranks as usize;
    let group = match &wanted.nodes {
        Some(nodes) => GroupConfig::parse_nodes(ranks, nodes)?,
        None => GroupConfig::new(ranks),
    };
    Ok(GroupConfig { radix: wanted.radix.map(|radix| radix as usize), ..group })
}

/// A plan that does not terminate, or that names a rank outside the group, has no rounds to show.
fn print_refutation(
    entry: &BarrierEntry,
    refutation: &PatternRefutation,
    lang: Lang,
    json: bool,
) -> CommandStatus {
    match json {
        true => output::print_json(&RefutedPlanReport { name: entry.name, refused: refutation.to_string() }),
        false => println!("{}", refutation.text().in_language(lang)),
    }
    CommandStatus::Failure
}

fn draw(wanted: &BarrierPlanArgs, entry: &BarrierEntry, plans: &[Plan], lang: Lang) -> Result<()> {
    let Some(path) = &wanted.svg else { return Ok(()) };
    let labels = PictureLabels {
        title: &text::plan_title(lang, entry.name, plans.len()),
        about: &text::plan_about(lang, entry.summary.in_language(lang)),
        rank: &text::rank(lang),
        round: &text::round(lang),
    };
    let drawn = picture::svg(plans, &labels).expect("plans with a schedule can be drawn");
    wb_process::write_atomically(path, drawn).map_err(CliError::system("write", path))?;
    eprintln!("{}", text::picture_written(lang, path.display()));
    Ok(())
}

/// The round in which a signal is received; the round after it is sent, if it is not received.
fn completion_round(signal: &TimedSignal) -> usize {
    signal.received_at.unwrap_or(signal.sent_at + 1)
}

/// A row for each round, with a column for each rank, or with a list of the signals where the ranks are too many.
pub(crate) fn diagram(signals: &[TimedSignal], size: usize, lang: Lang) -> String {
    let rounds = signals.iter().map(completion_round).max().unwrap_or_default();
    if size > MAX_RANK_COLUMNS {
        let line = |k: usize| {
            let completed = signals.iter().filter(|signal| completion_round(signal) == k);
            let completed: Vec<_> =
                completed.map(|signal| format!("{}→{}", signal.from, signal.to)).collect();
            let line = format!("{} {k}: {}", text::round(lang), completed.join(" "));
            wrap(&line, "", "", terminal::width().into())
        };
        return (1..=rounds).map(line).collect::<Vec<_>>().join("\n");
    }
    let ranks = (0..size).map(|rank| match size <= MAX_WIDE_COLUMNS {
        true => format!("{} {rank}", text::rank(lang)),
        false => rank.to_string(),
    });
    let mut table = Table::new(std::iter::once(text::round(lang)).chain(ranks).map(left));
    for k in 1..=rounds {
        let cells = (0..size).map(|rank| cell(signals, rank, k));
        table.row(std::iter::once(k.to_string()).chain(cells));
    }
    terminal::text(&table)
}

/// The signals that `rank` sends and receives in round `k`.
fn cell(signals: &[TimedSignal], rank: usize, k: usize) -> String {
    let sent = signals.iter().filter(|signal| signal.from == rank && signal.sent_at + 1 == k);
    let received = signals.iter().filter(|signal| signal.to == rank && signal.received_at == Some(k));
    let sent = sent.map(|signal| format!("→{}", signal.to));
    sent.chain(received.map(|signal| format!("←{}", signal.from))).collect::<Vec<_>>().join(" ")
}

/// The answer with `--json`.
#[derive(Serialize)]
struct PlanReport<'a> {
    name: &'a str,
    ranks: usize,
    nodes: &'a [usize],
    messages: Vec<SignalRow>,
    refused: Option<String>,
}

#[derive(Serialize)]
struct SignalRow {
    from: usize,
    to: usize,
    slot: Slot,
    #[serde(rename = "told")]
    sent_at: usize,
    #[serde(rename = "heard")]
    received_at: Option<usize>,
}

impl From<&TimedSignal> for SignalRow {
    fn from(&TimedSignal { from, to, slot, sent_at, received_at }: &TimedSignal) -> Self {
        Self { from, to, slot, sent_at, received_at }
    }
}

/// The answer with `--json` for a plan without a schedule.
#[derive(Serialize)]
struct RefutedPlanReport<'a> {
    name: &'a str,
    refused: String,
}
