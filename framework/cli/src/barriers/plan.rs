//! `cargo wb barriers plan`: who tells whom, as a table in the terminal and as a picture.

use serde_json::json;
use wb_collectives::{
    Entry,
    catalogue::Setting,
    picture::{self, Words},
    plan,
    proof::{self, Message, Refutation},
};
use wb_comm::Error;
use wb_messages::{Lang, barriers as text, wrapped};

use super::{named, prove::tell_refutation};
use crate::{
    Done,
    arguments::Plan,
    error::{CliError, Result},
    output, screen,
};

/// So many lanes fit a terminal of 80 columns side by side.
const LANES: usize = 10;

/// So many have room for the word "rank".
const WIDE_LANES: usize = 7;

pub(crate) fn run(wanted: &Plan, lang: Lang, json: bool) -> Result<Done> {
    let entry = named(&wanted.name, lang)?;
    wanted.svg.as_deref().map_or(Ok(()), output::check)?;
    let wrong_setting =
        |why: Error| CliError::Usage(text::undefined(lang, entry.name, why.text().render(lang)));
    let setting = setting(wanted).map_err(wrong_setting)?;
    let plans = entry.plans(&setting).ok_or_else(|| CliError::Usage(text::no_plan(lang, entry.name)))?;
    let plans = plans.map_err(wrong_setting)?;
    let proved = proof::prove(&plans);
    let messages = match proof::schedule(&plans) {
        Ok(messages) => messages,
        Err(refutation) => return Ok(refused(entry, &refutation, lang, json)),
    };
    if json {
        println!("{:#}", for_programs(entry, &setting, &messages, proved.as_ref().err()));
    } else {
        println!("{}", text::plan_title(lang, entry.name, setting.size));
        println!("{}", diagram(&messages, setting.size, lang));
        match &proved {
            Ok(cost) => {
                let (rounds, hops) = (cost.rounds.unwrap_or_default(), cost.hops.unwrap_or_default());
                println!("{}", text::costs(lang, cost.messages, rounds, hops));
            }
            Err(refutation) => println!("{}", tell_refutation(refutation, lang)),
        }
    }
    draw(wanted, entry, &plans, lang)?;
    Ok(Done::well_if(proved.is_ok()))
}

fn setting(wanted: &Plan) -> wb_comm::Result<Setting> {
    let ranks = wanted.ranks as usize;
    let setting = match &wanted.nodes {
        Some(nodes) => Setting::on_nodes(ranks, nodes)?,
        None => Setting::of(ranks),
    };
    Ok(Setting { radix: wanted.radix.map(|radix| radix as usize), ..setting })
}

/// Plans that come to no end, or to ranks that there are not, have no rounds to show.
fn refused(entry: &Entry, refutation: &Refutation, lang: Lang, json: bool) -> Done {
    match json {
        true => println!("{:#}", json!({ "name": entry.name, "refused": refutation.to_string() })),
        false => println!("{}", tell_refutation(refutation, lang)),
    }
    Done::Badly
}

fn draw(wanted: &Plan, entry: &Entry, plans: &[plan::Plan], lang: Lang) -> Result<()> {
    let Some(path) = &wanted.svg else { return Ok(()) };
    let words = Words {
        title: &text::plan_title(lang, entry.name, plans.len()),
        about: &text::plan_about(lang, screen::said(entry.summary, lang)),
        rank: &text::rank(lang),
        round: &text::round(lang),
    };
    let drawn = picture::svg(plans, &words).expect("plans with a schedule can be drawn");
    wb_process::replace(path, drawn).map_err(CliError::system("write", path))?;
    eprintln!("{}", text::drawn(lang, path.display()));
    Ok(())
}

/// When a message is over: taken, or left lying.
fn round(message: &Message) -> usize {
    message.heard.unwrap_or(message.told + 1)
}

/// Rounds downwards; across the ranks, or, where these are too many, the messages in a row.
fn diagram(messages: &[Message], size: usize, lang: Lang) -> String {
    let rounds = messages.iter().map(round).max().unwrap_or_default();
    if size > LANES {
        let line = |k: usize| {
            let told = messages.iter().filter(|message| round(message) == k);
            let told: Vec<_> = told.map(|message| format!("{}→{}", message.from, message.to)).collect();
            let line = format!("{} {k}: {}", text::round(lang), told.join(" "));
            wrapped(&line, "", "", screen::width().into())
        };
        return (1..=rounds).map(line).collect::<Vec<_>>().join("\n");
    }
    let mut table = screen::table();
    let ranks = (0..size).map(|rank| match size <= WIDE_LANES {
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
fn cell(messages: &[Message], rank: usize, k: usize) -> String {
    let told = messages.iter().filter(|message| message.from == rank && message.told + 1 == k);
    let heard = messages.iter().filter(|message| message.to == rank && message.heard == Some(k));
    let told = told.map(|message| format!("→{}", message.to));
    told.chain(heard.map(|message| format!("←{}", message.from))).collect::<Vec<_>>().join(" ")
}

fn for_programs(
    entry: &Entry,
    setting: &Setting,
    messages: &[Message],
    refutation: Option<&Refutation>,
) -> serde_json::Value {
    let message = |message: &Message| {
        json!({
            "from": message.from,
            "to": message.to,
            "slot": message.slot,
            "told": message.told,
            "heard": message.heard,
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
