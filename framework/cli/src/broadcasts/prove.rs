//! `cargo wb broadcasts prove`.

use std::time::Instant;

use serde_json::json;
use wb_collectives::broadcast::proof::{BroadcastCase, BroadcastRefutation, prove_all};
use wb_messages::{Lang, broadcasts as text, number};

use super::find_broadcasts;
use crate::{CommandStatus, arguments::ProveBroadcastsArgs, error::Result, terminal};

type BroadcastProof = std::result::Result<usize, Box<(BroadcastCase, BroadcastRefutation)>>;

pub(crate) fn run(wanted: &ProveBroadcastsArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let broadcasts = find_broadcasts(wanted.name.as_deref(), lang)?;
    let started = Instant::now();
    let verdicts: Vec<(&str, BroadcastProof)> = broadcasts
        .iter()
        .map(|broadcast| (broadcast.name, prove_all(broadcast, wanted.max_ranks as usize)))
        .collect();
    let refused = verdicts.iter().filter(|(_, verdict)| verdict.is_err()).count();
    if json {
        println!(
            "{:#}",
            serde_json::Value::from_iter(verdicts.iter().map(|(name, verdict)| row_json(name, verdict)))
        );
    } else {
        let mut table = terminal::table();
        verdicts.iter().for_each(|(name, verdict)| {
            table.add_row([(*name).to_owned(), describe(verdict, lang)]);
        });
        println!("{table}");
        let seconds = number::fixed(lang, started.elapsed().as_secs_f64(), 1);
        println!("{}", text::total(lang, verdicts.len() - refused, refused, seconds));
    }
    Ok(CommandStatus::from_success(refused == 0))
}

fn describe(verdict: &BroadcastProof, lang: Lang) -> String {
    match verdict {
        Ok(cases) => text::proved(lang, cases),
        Err(refused) => text::refused(lang, refused.0, &refused.1),
    }
}

fn row_json(name: &str, verdict: &BroadcastProof) -> serde_json::Value {
    match verdict {
        Ok(cases) => json!({ "name": name, "result": "proved", "cases": cases }),
        Err(refused) => json!({
            "name": name,
            "result": "refused",
            "case": refused.0.to_string(),
            "why": refused.1.to_string(),
        }),
    }
}
