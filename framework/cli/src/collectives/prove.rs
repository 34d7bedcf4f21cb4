//! `cargo wb collectives prove`: barriers and broadcasts by their own proofs, the other algorithms over messages by their schedules.

use serde::Serialize;
use wb_algorithms::collectives::{MessageAlgorithm, schedule_proof};
use wb_comm::Verb;
use wb_messages::{Lang, broadcasts as proof_text, collectives as text};
use wb_report::document::{Table, left};

use super::{message_algorithms, named_verb};
use crate::{
    CommandStatus,
    arguments::{ProveBarriersArgs, ProveBroadcastsArgs, ProveCollectivesArgs},
    barriers, broadcasts,
    error::Result,
    output, terminal,
};

/// The result for one algorithm.
#[derive(Serialize)]
struct ScheduleProofRow {
    verb: &'static str,
    name: &'static str,
    #[serde(flatten)]
    result: ScheduleResult,
}

#[derive(Serialize)]
#[serde(tag = "result", rename_all = "lowercase")]
enum ScheduleResult {
    Proved { cases: usize },
    Refused { case: String, why: String },
}

pub(crate) fn run(wanted: &ProveCollectivesArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let (verb, max_ranks) = (named_verb(wanted.verb.as_deref(), lang)?, wanted.max_ranks);
    if verb == Some(Verb::Barrier) {
        return barriers::prove(&ProveBarriersArgs { name: None, max_ranks, radix: None }, lang, json);
    }
    if verb == Some(Verb::Bcast) {
        return broadcasts::prove(&ProveBroadcastsArgs { name: None, max_ranks }, lang, json);
    }
    let rows: Vec<_> =
        message_algorithms(verb).map(|algorithm| prove(algorithm, max_ranks as usize)).collect();
    let has_refused = rows.iter().any(|row| matches!(row.result, ScheduleResult::Refused { .. }));
    if json {
        output::print_json(&rows);
    } else {
        let mut table = Table::new([left(""), left(""), left("")]);
        for row in &rows {
            let result = match &row.result {
                ScheduleResult::Proved { cases } => proof_text::proved(lang, cases),
                ScheduleResult::Refused { case, why } => proof_text::refused(lang, case, why),
            };
            table.row([row.verb.to_owned(), row.name.to_owned(), result]);
        }
        println!("{}", terminal::text(&table));
        println!("{}", wb_messages::wrap(&text::proofs_elsewhere(lang), "", "", terminal::width().into()));
    }
    Ok(CommandStatus::from_success(!has_refused))
}

fn prove(algorithm: &MessageAlgorithm, max_ranks: usize) -> ScheduleProofRow {
    let result = match schedule_proof::prove_all(algorithm, max_ranks) {
        Ok(cases) => ScheduleResult::Proved { cases },
        Err((ranks, count, why)) => {
            ScheduleResult::Refused { case: format!("P = {ranks}, {count} elements"), why: why.to_string() }
        }
    };
    ScheduleProofRow { verb: algorithm.verb.name(), name: algorithm.name, result }
}
