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
    Entry,
    catalogue::{self, Form, Setting},
    explore::{Finding, Scene, explore},
    plan::Step,
    proof::{Counterexample, Refutation, Verdict, verdict},
    script::Style,
};
use wb_messages::{Lang, barriers as text, number};

use super::named;
use crate::{
    Done,
    arguments::Prove,
    error::{CliError, Result},
    screen,
};

/// Faults of programs show with three PEs; four take a hundred times as long.
const EXPLORED_RANKS: usize = 3;

/// What is defined at none of these is looked at up to here: two PEs of two cores are four.
const MOST_RANKS: usize = 4;

/// Back to back: a fault needs a PE that is one episode ahead.
const EPISODES: usize = 2;

/// Enough for every program that can be decided at all.
const STATES: usize = 200_000;

/// What is known of one barrier.
enum Outcome {
    Judged(Verdict),
    /// Safe in all states that there are, up to so many PEs, on a memory as weak as the program allows.
    Explored {
        ranks: usize,
        states: usize,
        delivery: &'static str,
    },
    /// A fault that the exploration has found, with how it comes to it.
    Faulty {
        ranks: usize,
        finding: Finding,
    },
    /// Too many states.
    Undecided {
        ranks: usize,
        states: usize,
    },
    Library,
}

pub(crate) fn run(wanted: &Prove, lang: Lang, json: bool) -> Result<Done> {
    let entries = match &wanted.name {
        Some(name) => vec![named(name, lang)?],
        None => catalogue::all(),
    };
    let started = Instant::now();
    let outcomes = decide_all(&entries, wanted);
    if let (Some(name), [Outcome::Judged(Verdict::Undefined(why))]) = (&wanted.name, outcomes.as_slice()) {
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
            Some(name) => println!("{name}: {}", outcomes[0].tell(lang)),
            None => println!("{}", table(rows(), lang)),
        }
        println!("{}", total(&outcomes, started.elapsed().as_secs_f64(), lang));
    }
    Ok(Done::well_if(!outcomes.iter().any(Outcome::is_refused)))
}

/// One after the other on each core: proofs need nothing of each other.
fn decide_all(entries: &[&'static Entry], wanted: &Prove) -> Vec<Outcome> {
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

fn decide(entry: &Entry, wanted: &Prove) -> Outcome {
    let radix = wanted.radix.map(|radix| radix as usize);
    match (verdict(entry, wanted.max_ranks as usize, radix), entry.form) {
        (Some(verdict), _) => Outcome::Judged(verdict),
        (None, Form::Native(_)) => Outcome::Library,
        (None, _) => explored(entry, wanted.max_ranks as usize, radix),
    }
}

fn explored(entry: &Entry, most: usize, radix: Option<usize>) -> Outcome {
    let (mut total, mut why, mut delivery, mut last) = (None, None, "", 0);
    for ranks in 1..=most.min(MOST_RANKS) {
        if ranks > EXPLORED_RANKS && total.is_some() {
            break;
        }
        last = ranks;
        let setting = Setting { radix, ..Setting::of(ranks) };
        let needs = match entry.in_memory(0, &setting, Style::Add) {
            Some(Ok(program)) => program.needs(),
            Some(Err(error)) => {
                why = Some(error);
                continue;
            }
            None => return Outcome::Library,
        };
        delivery = needs.name();
        let scene = Scene::of(entry, &setting, Style::Add, EPISODES);
        match scene.map(|scene| scene.and_then(|scene| explore(&scene, needs, STATES))) {
            None => return Outcome::Library,
            Some(Err(error)) => why = Some(error),
            Some(Ok(Finding::Safe { states })) => *total.get_or_insert(0) += states,
            Some(Ok(Finding::Limit { states })) => return Outcome::Undecided { ranks, states },
            Some(Ok(finding)) => return Outcome::Faulty { ranks, finding },
        }
    }
    match (total, why) {
        (None, Some(why)) => Outcome::Judged(Verdict::Undefined(why)),
        (states, _) => Outcome::Explored { ranks: last, states: states.unwrap_or_default(), delivery },
    }
}

impl Outcome {
    fn is_refused(&self) -> bool {
        matches!(self, Self::Faulty { .. } | Self::Judged(Verdict::Refused(_)))
    }

    fn tell(&self, lang: Lang) -> String {
        match self {
            Self::Judged(Verdict::Proved { sizes, proofs }) => text::proved(lang, sizes, proofs),
            Self::Judged(Verdict::Refused(counterexample)) => tell_counterexample(counterexample, lang),
            Self::Judged(Verdict::Undefined(why)) => text::defined_nowhere(lang, why.text().render(lang)),
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

fn tell_counterexample(Counterexample { setting, refutation }: &Counterexample, lang: Lang) -> String {
    let head = if setting.on_one_node() {
        text::refused(lang, setting.size)
    } else {
        let nodes: Vec<_> = setting.nodes.iter().map(usize::to_string).collect();
        text::refused_on(lang, setting.size, nodes.join(" "))
    };
    format!("{head}\n{}", tell_refutation(refutation, lang))
}

/// The counter-example in words.
pub(crate) fn tell_refutation(refutation: &Refutation, lang: Lang) -> String {
    match refutation {
        Refutation::Endless { rank, steps } => text::endless(lang, rank, steps),
        Refutation::Stranger { rank, step, peer } => text::stranger(lang, rank, step, peer),
        Refutation::Ignorance { rank, steps, unheard_of } => text::ignorance(lang, rank, unheard_of, steps),
        Refutation::Stray { from, to, slot } => text::stray(lang, from, to, slot),
        Refutation::Deadlock(stuck) => {
            let lines = stuck.iter().map(|stuck| match stuck.at {
                Step::Hear { from, slot } => text::waits_to_hear(lang, stuck.rank, stuck.step, from, slot),
                Step::Tell { to, slot, .. } => {
                    text::waits_to_be_heard(lang, stuck.rank, stuck.step, to, slot)
                }
            });
            std::iter::once(text::deadlock(lang)).chain(lines).collect::<Vec<_>>().join("\n")
        }
    }
}

fn table<'a>(rows: impl Iterator<Item = (&'a &'static Entry, &'a Outcome)>, lang: Lang) -> Table {
    let mut table = screen::table();
    rows.for_each(|(entry, outcome)| {
        table.add_row([entry.name.to_owned(), outcome.tell(lang)]);
    });
    table
}

fn total(outcomes: &[Outcome], seconds: f64, lang: Lang) -> String {
    let count = |wanted: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| wanted(outcome)).count();
    let proved = count(|outcome| matches!(outcome, Outcome::Judged(Verdict::Proved { .. })));
    let explored = count(|outcome| matches!(outcome, Outcome::Explored { .. }));
    text::total(lang, proved, explored, count(Outcome::is_refused), number::fixed(lang, seconds, 1))
}

fn row_json(entry: &Entry, outcome: &Outcome) -> serde_json::Value {
    let mut row = match outcome {
        Outcome::Judged(Verdict::Proved { sizes, proofs }) => {
            json!({ "result": "proved", "sizes": sizes, "plans": proofs })
        }
        Outcome::Judged(Verdict::Refused(Counterexample { setting, refutation })) => json!({
            "result": "refused",
            "ranks": setting.size,
            "nodes": setting.nodes,
            "kind": refutation.name(),
            "counterexample": refutation.to_string(),
        }),
        Outcome::Judged(Verdict::Undefined(why)) => json!({ "result": "undefined", "why": why.to_string() }),
        Outcome::Explored { ranks, states, delivery } => {
            json!({ "result": "explored", "ranks": ranks, "states": states, "delivery": delivery })
        }
        Outcome::Undecided { ranks, states } => {
            json!({ "result": "undecided", "ranks": ranks, "states": states })
        }
        Outcome::Faulty { ranks, finding } => json!({
            "result": "refused",
            "ranks": ranks,
            "kind": finding.name(),
            "counterexample": finding.to_string(),
            "trace": finding.trace().iter().map(ToString::to_string).collect::<Vec<_>>(),
        }),
        Outcome::Library => json!({ "result": "library" }),
    };
    row["name"] = entry.name.into();
    row
}
