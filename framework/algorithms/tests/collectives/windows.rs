//! Every barrier that runs in memory is correct on a window, by remote atomics alone; a missing rank is a deadlock with
//! a name.
use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering::SeqCst},
};

use wb_comm::{
    Assertion, Barrier, CallSite, Datatype, ErasedWindow, Error, RemoteMemory, Result, Transport, Verb, View,
    WindowKind,
};

use crate::{
    barriers::{GroupConfig, adapters::MemoryBarrier, catalogue, compiled_plan::SignalEncoding},
    collectives::Algorithms,
};

/// A window in one passive epoch whose cells hold `initial`.
fn open_window(t: &dyn Transport, cells: usize, initial: i64) -> Result<Box<dyn ErasedWindow>> {
    let site = CallSite::caller(Verb::WindowCreate);
    let window = t.window(WindowKind::Allocate, Datatype::I64, cells, site)?;
    window.write(0, View::from_slice(&vec![initial; cells]))?;
    window.lock_all(Assertion::default(), site)?;
    Algorithms(t).barrier(site)?;
    Ok(window)
}

#[test]
fn every_barrier_in_memory_holds_on_a_window() {
    for entry in catalogue::all() {
        for size in [1, 2, 3, 5] {
            let config = GroupConfig::new(size);
            let Some(Ok(first)) = entry.in_memory(0, &config, SignalEncoding::Add) else { continue };
            let (cells, initial) = (first.cells(size).max(1), first.initial());
            let entered = Arc::new(AtomicI64::new(0));
            let done = wb_local::threads::run(size, move |t| {
                let window = open_window(&*t, cells, initial)?;
                let program = entry.in_memory(t.rank(), &config, SignalEncoding::Add).expect("as before")?;
                let site = CallSite::caller(Verb::Barrier);
                let mut barrier = MemoryBarrier::new(program, RemoteMemory::new(&*window, site));
                for episode in 1..=20 {
                    entered.fetch_add(1, SeqCst);
                    barrier.wait()?;
                    assert!(entered.load(SeqCst) >= episode * t.size() as i64, "{}", entry.name);
                }
                window.unlock_all(site)?;
                window.free(site)
            });
            assert!(done.iter().all(Result::is_ok), "{}, P = {size}: {done:?}", entry.name);
        }
    }
}

#[test]
fn who_does_not_come_is_waited_for_and_named() {
    let results = wb_local::threads::run(2, |t| {
        let window = open_window(&*t, 8, 0)?;
        let entry = catalogue::find("central_counter")?;
        let program =
            entry.in_memory(t.rank(), &GroupConfig::new(2), SignalEncoding::Add).expect("a program")?;
        let mut barrier =
            MemoryBarrier::new(program, RemoteMemory::new(window, CallSite::caller(Verb::Barrier)));
        if t.rank() == 1 { Ok(()) } else { barrier.wait() }
    });
    assert!(matches!(&results[0], Err(Error::Deadlock { .. } | Error::Peer { .. })), "{results:?}");
}
