//! `cargo wb barriers plan`: who tells whom, as a table in the terminal and as a picture.

use serde_json::json;
use wb_collectives::{
    BarrierEntry,
    catalogue::GroupConfig,
    picture::{self, PictureLabels},
    plan,
    proof::{self, PatternRefutation, TimedSignal},
};
use wb_comm::Error;
use wb_messages::{Lang, barriers as text, wrap};

use super::{find_barrier, prove::describe_refutation};
use crate::{
    CommandStatus,
    arguments::BarrierPlanArgs,
    error::{CliError, Result},
    output, terminal,
};

/// So many lanes fit a terminal of 80 columns side by side.
const MAX_RANK_COLUMNS: usize = 10;

/// So many have room for the word "rank".
const MAX_WIDE_COLUMNS: usize = 7;

pub(crate) fn run(wanted: &BarrierPlanArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let entry = find_barrier(&wanted.name, lang)?;
    wanted.svg.as_deref().map_or(Ok(()), output::check)?;
    let wrong_setting =
        |why: Error| CliError::Usage(text::undefined(lang, entry.name, why.text().render(lang)));
    let setting = group_config(wanted).map_err(wrong_setting)?;
    let plans = entry.plans(&setting).ok_or_else(|| CliError::Usage(text::no_plan(lang, entry.name)))?;
    let plans = plans.map_err(wrong_setting)?;
    let proved = proof::prove(&plans);
    let messages = match proof::schedule(&plans) {
        Ok(messages) => messages,
        Err(refutation) => return Ok(print_refutation(entry, &refutation, lang, json)),
    };
    if json {
        println!("{:#}", to_json(entry, &setting, &messages, proved.as_ref().err()));
    } else {
        println!("{}", text::plan_title(lang, entry.name, setting.size));
        println!("{}", diagram(&messages, setting.size, lang));
        match &proved {
            Ok(cost) => {
                let (rounds, hops) = (cost.rounds.unwrap_or_default(), cost.hops.unwrap_or_default());
                println!("{}", text::costs(lang, cost.messages, rounds, hops));
            }
            Err(refutation) => println!("{}", describe_refutation(refutation, lang)),
        }
    }
    draw(wanted, entry, &plans, lang)?;
    Ok(CommandStatus::from_success(proved.is_ok()))
}

fn group_config(wanted: &BarrierPlanArgs) -> wb_comm::Result<GroupConfig> {
    let ranks = wanted.ranks as usize;
    let setting = match &wanted.nodes {
        Some(nodes) => GroupConfig::parse_nodes(ranks, nodes)?,
        None => GroupConfig::new(ranks),
    };
    Ok(GroupConfig { radix: wanted.radix.map(|radix| radix as usize), ..setting })
}

/// Plans that come to no end, or to ranks that there are not, have no rounds to show.
fn print_refutation(
    entry: &BarrierEntry,
    refutation: &PatternRefutation,
    lang: Lang,
    json: bool,
) -> CommandStatus {
    match json {
        true => println!("{:#}", json!({ "name": entry.name, "refused": refutation.to_string() })),
        false => println!("{}", describe_refutation(refutation, lang)),
    }
    CommandStatus::Failure
}

fn draw(wanted: &BarrierPlanArgs, entry: &BarrierEntry, plans: &[plan::Plan], lang: Lang) -> Result<()> {
    let Some(path) = &wanted.svg else { return Ok(()) };
    let words = PictureLabels {
        title: &text::plan_title(lang, entry.name, plans.len()),
        about: &text::plan_about(lang, terminal::in_language(entry.summary, lang)),
        rank: &text::rank(lang),
        round: &text::round(lang),
    };
    let drawn = picture::svg(plans, &words).expect("plans with a schedule can be drawn");
    wb_process::write_atomically(path, drawn).map_err(CliError::system("write", path))?;
    eprintln!("{}", text::picture_written(lang, path.display()));
    Ok(())
}

/// When a message is over: taken, or left lying.
fn completion_round(message: &TimedSignal) -> usize {
    message.received_at.unwrap_or(message.sent_at + 1)
}

/// Rounds downwards; across the ranks, or, where these are too many, the messages in a row.
fn diagram(messages: &[TimedSignal], size: usize, lang: Lang) -> String {
    let rounds = messages.iter().map(completion_round).max().unwrap_or_default();
    if size > MAX_RANK_COLUMNS {
        let line = |k: usize| {
            let told = messages.iter().filter(|message| completion_round(message) == k);
            let told: Vec<_> = told.map(|message| format!("{}→{}", message.from, message.to)).collect();
            let line = format!("{} {k}: {}", text::round(lang), told.join(" "));
            wrap(&line, "", "", terminal::width().into())
        };
        return (1..=rounds).map(line).collect::<Vec<_>>().join("\n");
    }
    let mut table = terminal::table();
    let ranks = (0..size).map(|rank| match size <= MAX_WIDE_COLUMNS {
        true => format!("{} {rank}", text::rank(lang)),
        false => rank.to_string(),
    });
    table.set_header(std::iter::once(text::round(lang)).chain(ranks));
    for k in 1..=rounds {
        let cells = (0..size).map(|rank| cell(messages, rank, k));
        table.add_row(std::iter::once(k.to_string()).chain(cells));
    }
    table.to_string()
}

/// Whom `rank` tells in round `k`, and whom it hears.
fn cell(messages: &[TimedSignal], rank: usize, k: usize) -> String {
    let told = messages.iter().filter(|message| message.from == rank && message.sent_at + 1 == k);
    let heard = messages.iter().filter(|message| message.to == rank && message.received_at == Some(k));
    let told = told.map(|message| format!("→{}", message.to));
    told.chain(heard.map(|message| format!("←{}", message.from))).collect::<Vec<_>>().join(" ")
}

fn to_json(
    entry: &BarrierEntry,
    setting: &GroupConfig,
    messages: &[TimedSignal],
    refutation: Option<&PatternRefutation>,
) -> serde_json::Value {
    let message = |message: &TimedSignal| {
        json!({
            "from": message.from,
            "to": message.to,
            "slot": message.slot,
            "told": message.sent_at,
            "heard": message.received_at,
        })
    };
    json!({
        "name": entry.name,
        "ranks": setting.size,
        "nodes": setting.nodes,
        "messages": messages.iter().map(message).collect::<Vec<_>>(),
        "refused": refutation.map(ToString::to_string),
    })
}
