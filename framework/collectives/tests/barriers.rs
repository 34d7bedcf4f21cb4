//! Every barrier of the catalogue holds on shared memory.
use std::{
    sync::atomic::{AtomicI64, Ordering::SeqCst},
    thread,
};

use wb_collectives::{
    Entry,
    catalogue::{self, Form, Setting},
    over::OverMemory,
    script::Style,
};
use wb_comm::{Barrier, Cells, Patience, Spacing, cells::required};

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
            // Programs are what they are; patterns can be told in three ways.
            let styles = if matches!(entry.form, Form::Pattern(_)) { &Style::ALL[..] } else { &[Style::Add] };
            for &style in styles {
                Spacing::ALL.into_iter().for_each(|spacing| holds_on_cells(entry, size, style, spacing));
            }
        }
    }
}
