//! `cargo wb barriers prove`: proves patterns at every size and explores programs at a few; calls of libraries are not checked.

use std::{
    num::NonZero,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
    time::Instant,
};

use serde::Serialize;
use wb_algorithms::barriers::{
    BarrierEntry, GroupConfig, Implementation, catalogue,
    compiled_plan::SignalEncoding,
    explore::{Configuration, SearchResult, explore},
    proof::{Counterexample, ProofResult, prove_all_sizes},
};
use wb_messages::{Lang, barriers as text, number};
use wb_report::document::{Table, left};

use super::find_barrier;
use crate::{
    CommandStatus,
    arguments::ProveBarriersArgs,
    error::{CliError, Result},
    output, terminal,
};

/// Three PEs are enough to find the faults of programs; four take a hundred times as long.
const EXPLORED_RANKS: usize = 3;

/// The largest number of PEs of a program that is undefined up to [`EXPLORED_RANKS`]: two PEs of two cores are four.
const MAX_RANKS: usize = 4;

/// Consecutive episodes: a fault needs a PE that is one episode ahead.
const EPISODES: usize = 2;

/// Enough for every program that can be decided.
const MAX_STATES: usize = 200_000;

/// The result for one barrier.
enum ProofOutcome {
    Proved(ProofResult),
    /// Safe in all states up to `ranks` PEs, under the weakest memory ordering that the program allows.
    Explored {
        ranks: usize,
        states: usize,
        delivery: &'static str,
    },
    /// A fault that the exploration has found, with its trace.
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
        let rows: Vec<_> = rows().map(|(entry, outcome)| BarrierProofRow::new(entry, outcome)).collect();
        output::print_json(&rows);
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

/// Proofs are independent: each core takes the next entry.
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
        let group = GroupConfig { radix, ..GroupConfig::new(ranks) };
        let needs = match entry.in_memory(0, &group, SignalEncoding::Add) {
            Some(Ok(program)) => program.required_ordering(),
            Some(Err(error)) => {
                why = Some(error);
                continue;
            }
            None => return ProofOutcome::Library,
        };
        delivery = needs.name();
        let configuration = Configuration::from_entry(entry, &group, SignalEncoding::Add, EPISODES);
        match configuration.map(|known| known.and_then(|known| explore(&known, needs, MAX_STATES))) {
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
                let steps =
                    finding.trace().iter().map(|step| format!("\n  {}", step.text().in_language(lang)));
                let (found, steps) = (finding.text(), steps.collect::<String>());
                format!("{}\n{}{steps}", text::refused(lang, ranks), found.in_language(lang))
            }
            Self::Library => text::library(lang),
        }
    }
}

fn describe_counterexample(Counterexample { group, refutation }: &Counterexample, lang: Lang) -> String {
    let head = if group.is_single_node() {
        text::refused(lang, group.size)
    } else {
        let nodes: Vec<_> = group.nodes.iter().map(usize::to_string).collect();
        text::refused_on(lang, group.size, nodes.join(" "))
    };
    format!("{head}\n{}", refutation.text().in_language(lang))
}

fn table<'a>(
    rows: impl Iterator<Item = (&'a &'static BarrierEntry, &'a ProofOutcome)>,
    lang: Lang,
) -> String {
    let mut table = Table::new([left(""), left("")]);
    rows.for_each(|(entry, outcome)| {
        table.row([entry.name.to_owned(), outcome.render(lang)]);
    });
    terminal::text(&table)
}

fn total(outcomes: &[ProofOutcome], seconds: f64, lang: Lang) -> String {
    let count = |wanted: fn(&ProofOutcome) -> bool| outcomes.iter().filter(|outcome| wanted(outcome)).count();
    let proved = count(|outcome| matches!(outcome, ProofOutcome::Proved(ProofResult::Proved { .. })));
    let explored = count(|outcome| matches!(outcome, ProofOutcome::Explored { .. }));
    text::total(lang, proved, explored, count(ProofOutcome::is_refused), number::fixed(lang, seconds, 1))
}

/// A barrier in the answer with `--json`.
#[derive(Serialize)]
struct BarrierProofRow<'a> {
    name: &'a str,
    #[serde(flatten)]
    result: BarrierResultRow<'a>,
}

#[derive(Serialize)]
#[serde(tag = "result", rename_all = "lowercase")]
enum BarrierResultRow<'a> {
    Proved {
        sizes: usize,
        plans: usize,
    },
    Refused {
        ranks: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        nodes: Option<&'a [usize]>,
        kind: &'static str,
        counterexample: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        trace: Option<Vec<String>>,
    },
    Undefined {
        why: String,
    },
    Explored {
        ranks: usize,
        states: usize,
        delivery: &'static str,
    },
    Undecided {
        ranks: usize,
        states: usize,
    },
    Library,
}

impl<'a> BarrierProofRow<'a> {
    fn new(entry: &'a BarrierEntry, outcome: &'a ProofOutcome) -> Self {
        let result = match outcome {
            ProofOutcome::Proved(ProofResult::Proved { sizes, proofs }) => {
                BarrierResultRow::Proved { sizes: *sizes, plans: *proofs }
            }
            ProofOutcome::Proved(ProofResult::Refuted(Counterexample { group, refutation })) => {
                BarrierResultRow::Refused {
                    ranks: group.size,
                    nodes: Some(&group.nodes),
                    kind: refutation.name(),
                    counterexample: refutation.to_string(),
                    trace: None,
                }
            }
            ProofOutcome::Proved(ProofResult::Undefined(why)) => {
                BarrierResultRow::Undefined { why: why.to_string() }
            }
            &ProofOutcome::Explored { ranks, states, delivery } => {
                BarrierResultRow::Explored { ranks, states, delivery }
            }
            &ProofOutcome::Undecided { ranks, states } => BarrierResultRow::Undecided { ranks, states },
            ProofOutcome::Faulty { ranks, finding } => BarrierResultRow::Refused {
                ranks: *ranks,
                nodes: None,
                kind: finding.name(),
                counterexample: finding.to_string(),
                trace: Some(finding.trace().iter().map(ToString::to_string).collect()),
            },
            ProofOutcome::Library => BarrierResultRow::Library,
        };
        Self { name: entry.name, result }
    }
}
