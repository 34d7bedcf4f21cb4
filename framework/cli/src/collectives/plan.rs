//! `cargo wb collectives plan`: the messages of an operation, round by round; or the plan of a barrier.

use serde::Serialize;
use wb_algorithms::{
    barriers::proof::TimedSignal,
    collectives::schedule_proof::{self, TimedMessage},
};
use wb_comm::Verb;
use wb_messages::{Lang, barriers as barriers_text, collectives as text};

use super::{find_verb, is_barrier, message_algorithms};
use crate::{
    CommandStatus,
    arguments::{BarrierPlanArgs, CollectivePlanArgs},
    barriers,
    error::{CliError, Result},
    output,
};

/// The answer with `--json`.
#[derive(Serialize)]
struct SchedulePlan {
    verb: &'static str,
    name: &'static str,
    ranks: usize,
    bytes: usize,
    messages: Vec<MessageRow>,
}

#[derive(Serialize)]
struct MessageRow {
    from: usize,
    to: usize,
    bytes: usize,
    round: usize,
}

pub(crate) fn run(wanted: &CollectivePlanArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    if is_barrier(&wanted.name) {
        let (name, ranks) = (wanted.name.clone(), wanted.ranks);
        return barriers::plan(
            &BarrierPlanArgs { name, ranks, radix: None, nodes: None, svg: None },
            lang,
            json,
        );
    }
    let verb = find_verb(&wanted.name, lang)?;
    if verb == Verb::Barrier {
        return Err(CliError::Usage(text::which_barrier(lang)));
    }
    let (ranks, bytes) = (wanted.ranks as usize, wanted.bytes as usize);
    let algorithm = message_algorithms(Some(verb)).next().expect("every operation has an algorithm");
    let messages = schedule_proof::prove(algorithm, ranks, bytes, 0);
    let messages = messages.unwrap_or_else(|why| panic!("{verb} {}: {why}", algorithm.name));
    let rounds = messages.last().map_or(0, |last| last.arrives);
    if json {
        let row =
            |of: &TimedMessage| MessageRow { from: of.from, to: of.to, bytes: of.count, round: of.arrives };
        let messages = messages.iter().map(row).collect();
        output::print_json(&SchedulePlan { verb: verb.name(), name: algorithm.name, ranks, bytes, messages });
        return Ok(CommandStatus::Success);
    }
    let signal = |of: &TimedMessage| TimedSignal {
        from: of.from,
        to: of.to,
        slot: 0,
        sent_at: of.arrives - 1,
        received_at: Some(of.arrives),
    };
    let signals: Vec<TimedSignal> = messages.iter().map(signal).collect();
    println!("{}", barriers_text::plan_title(lang, format!("{verb}, {}", algorithm.name), ranks));
    println!("{}", barriers::diagram(&signals, ranks, lang));
    let sent: usize = messages.iter().map(|message| message.count).sum();
    println!("{}", text::plan_costs(lang, messages.len(), rounds, sent));
    Ok(CommandStatus::Success)
}
