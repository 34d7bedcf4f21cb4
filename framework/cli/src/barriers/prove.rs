//! `cargo wb barriers prove`: patterns are proved at every size, programs explored at a few, calls of libraries neither.

use std::{
    num::NonZero,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
    time::Instant,
};

use comfy_table::Table;
use serde_json::json;
use wb_collectives::{
    BarrierEntry,
    catalogue::{self, GroupConfig, Implementation},
    compiled_plan::SignalEncoding,
    explore::{Configuration, SearchResult, explore},
    plan::PlanStep,
    proof::{Counterexample, PatternRefutation, ProofResult, prove_all_sizes},
};
use wb_messages::{Lang, barriers as text, number};

use super::find_barrier;
use crate::{
    CommandStatus,
    arguments::ProveBarriersArgs,
    error::{CliError, Result},
    terminal,
};

/// Faults of programs show with three PEs; four take a hundred times as long.
const EXPLORED_RANKS: usize = 3;

/// What is defined at none of these is looked at up to here: two PEs of two cores are four.
const MAX_RANKS: usize = 4;

/// Back to back: a fault needs a PE that is one episode ahead.
const EPISODES: usize = 2;

/// Enough for every program that can be decided at all.
const MAX_STATES: usize = 200_000;

/// What is known of one barrier.
enum ProofOutcome {
    Proved(ProofResult),
    /// Safe in all states that there are, up to so many PEs, on a memory as weak as the program allows.
    Explored {
        ranks: usize,
        states: usize,
        delivery: &'static str,
    },
    /// A fault that the exploration has found, with how it comes to it.
    Faulty {
        ranks: usize,
        finding: SearchResult,
    },
    /// Too many states.
    Undecided {
        ranks: usize,
        states: usize,
    },
    Library,
}

pub(crate) fn run(wanted: &ProveBarriersArgs, lang: Lang, json: bool) -> Result<CommandStatus> {
    let entries = match &wanted.name {
        Some(name) => vec![find_barrier(name, lang)?],
        None => catalogue::all(),
    };
    let started = Instant::now();
    let outcomes = decide_all(&entries, wanted);
    if let (Some(name), [ProofOutcome::Proved(ProofResult::Undefined(why))]) =
        (&wanted.name, outcomes.as_slice())
    {
        return Err(CliError::Usage(text::undefined(lang, name, why.text().render(lang))));
    }
    let rows = || entries.iter().zip(&outcomes);
    if json {
        println!(
            "{:#}",
            serde_json::Value::from_iter(rows().map(|(entry, outcome)| row_json(entry, outcome)))
        );
    } else {
        match &wanted.name {
            // Traces are long lines, which a cell would break.
            Some(name) => println!("{name}: {}", outcomes[0].render(lang)),
            None => println!("{}", table(rows(), lang)),
        }
        println!("{}", total(&outcomes, started.elapsed().as_secs_f64(), lang));
    }
    Ok(CommandStatus::from_success(!outcomes.iter().any(ProofOutcome::is_refused)))
}

/// One after the other on each core: proofs need nothing of each other.
fn decide_all(entries: &[&'static BarrierEntry], wanted: &ProveBarriersArgs) -> Vec<ProofOutcome> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mine = std::iter::from_fn(|| {
            let at = next.fetch_add(1, Relaxed);
            entries.get(at).map(|entry| (at, decide(entry, wanted)))
        });
        mine.collect::<Vec<_>>()
    };
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let mut outcomes: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a proof does not panic")).collect()
    });
    outcomes.sort_by_key(|(at, _)| *at);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

fn decide(entry: &BarrierEntry, wanted: &ProveBarriersArgs) -> ProofOutcome {
    let radix = wanted.radix.map(|radix| radix as usize);
    match (prove_all_sizes(entry, wanted.max_ranks as usize, radix), entry.implementation) {
        (Some(verdict), _) => ProofOutcome::Proved(verdict),
        (None, Implementation::Native(_)) => ProofOutcome::Library,
        (None, _) => explore_sizes(entry, wanted.max_ranks as usize, radix),
    }
}

fn explore_sizes(entry: &BarrierEntry, most: usize, radix: Option<usize>) -> ProofOutcome {
    let (mut total, mut why, mut delivery, mut last) = (None, None, "", 0);
    for ranks in 1..=most.min(MAX_RANKS) {
        if ranks > EXPLORED_RANKS && total.is_some() {
            break;
        }
        last = ranks;
        let setting = GroupConfig { radix, ..GroupConfig::new(ranks) };
        let needs = match entry.in_memory(0, &setting, SignalEncoding::Add) {
            Some(Ok(program)) => program.required_ordering(),
            Some(Err(error)) => {
                why = Some(error);
                continue;
            }
            None => return ProofOutcome::Library,
        };
        delivery = needs.name();
        let scene = Configuration::from_entry(entry, &setting, SignalEncoding::Add, EPISODES);
        match scene.map(|scene| scene.and_then(|scene| explore(&scene, needs, MAX_STATES))) {
            None => return ProofOutcome::Library,
            Some(Err(error)) => why = Some(error),
            Some(Ok(SearchResult::Safe { states })) => *total.get_or_insert(0) += states,
            Some(Ok(SearchResult::LimitReached { states })) => {
                return ProofOutcome::Undecided { ranks, states };
            }
            Some(Ok(finding)) => return ProofOutcome::Faulty { ranks, finding },
        }
    }
    match (total, why) {
        (None, Some(why)) => ProofOutcome::Proved(ProofResult::Undefined(why)),
        (states, _) => ProofOutcome::Explored { ranks: last, states: states.unwrap_or_default(), delivery },
    }
}

impl ProofOutcome {
    fn is_refused(&self) -> bool {
        matches!(self, Self::Faulty { .. } | Self::Proved(ProofResult::Refuted(_)))
    }

    fn render(&self, lang: Lang) -> String {
        match self {
            Self::Proved(ProofResult::Proved { sizes, proofs }) => text::proved(lang, sizes, proofs),
            Self::Proved(ProofResult::Refuted(counterexample)) => {
                describe_counterexample(counterexample, lang)
            }
            Self::Proved(ProofResult::Undefined(why)) => {
                text::undefined_everywhere(lang, why.text().render(lang))
            }
            Self::Explored { ranks, states, delivery } => text::explored(lang, ranks, states, delivery),
            Self::Undecided { ranks, states } => text::explored_in_part(lang, states, ranks),
            Self::Faulty { ranks, finding } => {
                let events = finding.trace().iter().map(|event| format!("\n  {event}"));
                format!("{}\n{finding}{}", text::refused(lang, ranks), events.collect::<String>())
            }
            Self::Library => text::library(lang),
        }
    }
}

fn describe_counterexample(
    Counterexample { group: setting, refutation }: &Counterexample,
    lang: Lang,
) -> String {
    let head = if setting.is_single_node() {
        text::refused(lang, setting.size)
    } else {
        let nodes: Vec<_> = setting.nodes.iter().map(usize::to_string).collect();
        text::refused_on(lang, setting.size, nodes.join(" "))
    };
    format!("{head}\n{}", describe_refutation(refutation, lang))
}

/// The counter-example in words.
pub(crate) fn describe_refutation(refutation: &PatternRefutation, lang: Lang) -> String {
    match refutation {
        PatternRefutation::NonTerminating { rank, steps } => text::non_terminating(lang, rank, steps),
        PatternRefutation::InvalidRank { rank, step, peer } => text::invalid_rank(lang, rank, step, peer),
        PatternRefutation::EarlyExit { rank, steps, unheard_of } => {
            text::early_exit(lang, rank, unheard_of, steps)
        }
        PatternRefutation::UnmatchedSignals { from, to, slot } => {
            text::unmatched_signal(lang, from, to, slot)
        }
        PatternRefutation::Deadlock(stuck) => {
            let lines = stuck.iter().map(|stuck| match stuck.waits_for {
                PlanStep::Wait { from, slot } => {
                    text::waits_for_signal(lang, stuck.rank, stuck.step, from, slot)
                }
                PlanStep::Signal { to, slot, .. } => {
                    text::waits_for_receiver(lang, stuck.rank, stuck.step, to, slot)
                }
            });
            std::iter::once(text::deadlock(lang)).chain(lines).collect::<Vec<_>>().join("\n")
        }
    }
}

fn table<'a>(rows: impl Iterator<Item = (&'a &'static BarrierEntry, &'a ProofOutcome)>, lang: Lang) -> Table {
    let mut table = terminal::table();
    rows.for_each(|(entry, outcome)| {
        table.add_row([entry.name.to_owned(), outcome.render(lang)]);
    });
    table
}

fn total(outcomes: &[ProofOutcome], seconds: f64, lang: Lang) -> String {
    let count = |wanted: fn(&ProofOutcome) -> bool| outcomes.iter().filter(|outcome| wanted(outcome)).count();
    let proved = count(|outcome| matches!(outcome, ProofOutcome::Proved(ProofResult::Proved { .. })));
    let explored = count(|outcome| matches!(outcome, ProofOutcome::Explored { .. }));
    text::total(lang, proved, explored, count(ProofOutcome::is_refused), number::fixed(lang, seconds, 1))
}

fn row_json(entry: &BarrierEntry, outcome: &ProofOutcome) -> serde_json::Value {
    let mut row = match outcome {
        ProofOutcome::Proved(ProofResult::Proved { sizes, proofs }) => {
            json!({ "result": "proved", "sizes": sizes, "plans": proofs })
        }
        ProofOutcome::Proved(ProofResult::Refuted(Counterexample { group: setting, refutation })) => json!({
            "result": "refused",
            "ranks": setting.size,
            "nodes": setting.nodes,
            "kind": refutation.name(),
            "counterexample": refutation.to_string(),
        }),
        ProofOutcome::Proved(ProofResult::Undefined(why)) => {
            json!({ "result": "undefined", "why": why.to_string() })
        }
        ProofOutcome::Explored { ranks, states, delivery } => {
            json!({ "result": "explored", "ranks": ranks, "states": states, "delivery": delivery })
        }
        ProofOutcome::Undecided { ranks, states } => {
            json!({ "result": "undecided", "ranks": ranks, "states": states })
        }
        ProofOutcome::Faulty { ranks, finding } => json!({
            "result": "refused",
            "ranks": ranks,
            "kind": finding.name(),
            "counterexample": finding.to_string(),
            "trace": finding.trace().iter().map(ToString::to_string).collect::<Vec<_>>(),
        }),
        ProofOutcome::Library => json!({ "result": "library" }),
    };
    row["name"] = entry.name.into();
    row
}
