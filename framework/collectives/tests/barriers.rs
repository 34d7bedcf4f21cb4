//! Every barrier of the catalogue is proved from its text, costs what its formula says, and holds on shared memory.
use std::{
    sync::atomic::{AtomicI64, Ordering::SeqCst},
    thread,
};

use wb_collectives::{
    Entry,
    catalogue::{self, Setting},
    over::OverMemory,
    proof::prove,
    script::Style,
};
use wb_comm::{Barrier, Cells, Patience, Spacing, cells::required};

#[test]
fn every_pattern_is_proved_and_costs_what_its_formula_says() {
    for entry in catalogue::all() {
        for size in 1..=70 {
            let Some(plans) = entry.plans(&Setting::of(size)) else { continue };
            let Ok(plans) = plans else { continue };
            let cost = prove(&plans).unwrap_or_else(|why| panic!("{}, P = {size}: {why}", entry.name));
            let Some(formula) = entry.cost.map(|formula| formula(size)) else { continue };
            assert_eq!(cost.messages, formula.messages, "{}, P = {size}: messages", entry.name);
            assert!(
                formula.rounds.is_none_or(|rounds| cost.rounds == Some(rounds)),
                "{}, P = {size}",
                entry.name
            );
            assert!(formula.hops.is_none_or(|hops| cost.hops == Some(hops)), "{}, P = {size}", entry.name);
        }
    }
}

fn holds_on_cells(entry: &Entry, size: usize, style: Style, spacing: Spacing) {
    let setting = Setting::of(size);
    let program = |rank| entry.in_memory(rank, &setting, style);
    let Some(Ok(first)) = program(0) else { return };
    let cells = first.cells(size);
    let all: Vec<_> = (0..required(size, cells, spacing)).map(|_| AtomicI64::new(first.initial())).collect();
    let entered = AtomicI64::new(0);
    thread::scope(|scope| {
        for rank in 0..size {
            let (all, entered, program) =
                (&all, &entered, program(rank).expect("as before").expect("as before"));
            scope.spawn(move || {
                let cells = Cells::new(all, rank, size, cells, spacing, Patience::of(size, 2));
                let mut barrier = OverMemory::new(program, cells);
                for episode in 1..=50 {
                    entered.fetch_add(1, SeqCst);
                    barrier.wait().expect("nothing interrupts");
                    assert!(entered.load(SeqCst) >= episode * size as i64, "{}, P = {size}", entry.name);
                    barrier.wait().expect("nothing interrupts");
                }
            });
        }
    });
}

#[test]
fn every_barrier_holds_on_shared_memory() {
    for entry in catalogue::all() {
        for size in [1, 2, 3, 5, 8] {
            for style in Style::ALL {
                Spacing::ALL.into_iter().for_each(|spacing| holds_on_cells(entry, size, style, spacing));
            }
        }
    }
}
