//! `cargo wb broadcasts prove`.

use std::time::Instant;

use serde::Serialize;
use wb_algorithms::collectives::broadcast::proof::{BroadcastCase, BroadcastRefutation, prove_all};
use wb_messages::{Lang, broadcasts as text, number};
use wb_report::document::{Table, left};

use super::find_broadcasts;
use crate::{CommandStatus, arguments::ProveBroadcastsArgs, error::Result, output, terminal};

type BroadcastProof = std::result::Result<usize, Box<(BroadcastCase, BroadcastRefutation)>>;

pub(crate) fn run(wanted: &ProveBroadcastsArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let broadcasts = find_broadcasts(wanted.name.as_deref(), lang)?;
    let started = Instant::now();
    let proofs: Vec<(&str, BroadcastProof)> = broadcasts
        .iter()
        .map(|broadcast| (broadcast.name, prove_all(broadcast, wanted.max_ranks as usize)))
        .collect();
    let refused = proofs.iter().filter(|(_, proof)| proof.is_err()).count();
    if json {
        let rows: Vec<_> = proofs.iter().map(|(name, proof)| BroadcastProofRow::new(name, proof)).collect();
        output::print_json(&rows);
    } else {
        let mut table = Table::new([left(""), left("")]);
        proofs.iter().for_each(|(name, proof)| {
            table.row([(*name).to_owned(), describe(proof, lang)]);
        });
        println!("{}", terminal::text(&table));
        let seconds = number::fixed(lang, started.elapsed().as_secs_f64(), 1);
        println!("{}", text::total(lang, proofs.len() - refused, refused, seconds));
    }
    Ok(CommandStatus::from_success(refused == 0))
}

fn describe(proof: &BroadcastProof, lang: Lang) -> String {
    match proof {
        Ok(cases) => text::proved(lang, cases),
        Err(refuted) => text::refused(lang, refuted.0, &refuted.1),
    }
}

/// A broadcast in the answer with `--json`.
#[derive(Serialize)]
struct BroadcastProofRow<'a> {
    name: &'a str,
    #[serde(flatten)]
    result: BroadcastResultRow,
}

#[derive(Serialize)]
#[serde(tag = "result", rename_all = "lowercase")]
enum BroadcastResultRow {
    Proved { cases: usize },
    Refused { case: String, why: String },
}

impl<'a> BroadcastProofRow<'a> {
    fn new(name: &'a str, proof: &BroadcastProof) -> Self {
        let result = match proof {
            Ok(cases) => BroadcastResultRow::Proved { cases: *cases },
            Err(refuted) => {
                BroadcastResultRow::Refused { case: refuted.0.to_string(), why: refuted.1.to_string() }
            }
        };
        Self { name, result }
    }
}
