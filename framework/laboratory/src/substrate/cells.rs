//! Patterns and programs in shared memory, in every style and spacing; and the bare handshake as their reference.
//!
//! The memory is a window that the ranks of one node map together, so ranks are processes here. In the jobs of threads
//! the same forms are measured once more.
use std::{
    hint,
    sync::atomic::{
        AtomicI64,
        Ordering::{Acquire, Release},
    },
};

use wb_algorithms::barriers::{
    BarrierEntry, Implementation, Substrate, adapters::MemoryBarrier, catalogue,
    compiled_plan::SignalEncoding,
};
use wb_comm::{Barrier, Cells, Error, Result, Spacing, cells::required_len, text};
use wb_record::{Backend, BarrierForm, REFERENCE};

use super::{BuiltForm, by_name, form_of, no_form, one_host, plain_form};
use crate::bench::BarrierBench;

/// A lower bound for a barrier of two ranks: each rank stores its epoch and polls the other's, both in one cache line.
pub(super) fn bare_handshake() -> [BarrierForm; 2] {
    [Backend::Mpi, Backend::Threads].map(|ranks_are| BarrierForm {
        spacing: Some(Spacing::Packed.name().into()),
        ..plain_form(REFERENCE, "reference", Substrate::Cells, ranks_are)
    })
}

pub(super) fn forms(entry: &BarrierEntry, substrate: Substrate) -> Vec<BarrierForm> {
    let styles: Vec<_> = match entry.implementation {
        Implementation::Pattern(_) => SignalEncoding::ALL.map(Some).into(),
        Implementation::Program(_) => vec![None],
        Implementation::Native(_) => vec![],
    };
    let form = |style: Option<SignalEncoding>, spacing: Spacing| BarrierForm {
        style: style.map(|style| style.name().to_owned()),
        spacing: Some(spacing.name().to_owned()),
        ..form_of(entry, substrate)
    };
    let of_processes = styles.iter().flat_map(|&style| Spacing::ALL.map(|spacing| form(style, spacing)));
    // Threads use the same memory with the same differences, so one style shows the additional cost of processes.
    let of_threads = styles
        .iter()
        .filter(|style| style.is_none_or(|style| style == SignalEncoding::Put))
        .flat_map(|&style| {
            Spacing::ALL.map(|spacing| BarrierForm { ranks_are: Backend::Threads, ..form(style, spacing) })
        });
    of_processes.chain(of_threads).collect()
}

pub(super) fn build<'g>(form: &BarrierForm, bench: &BarrierBench<'g>) -> BuiltForm<'g> {
    one_host(bench)?;
    if form.variant == REFERENCE {
        return Ok(Box::new(BareHandshake::new(bench)?));
    }
    let (rank, size) = (bench.rank(), bench.group.size);
    let entry = catalogue::find(&form.variant)?;
    let style = match &form.style {
        Some(style) => {
            by_name(&SignalEncoding::ALL, SignalEncoding::name, Some(style)).ok_or_else(|| no_form(form))?
        }
        None => SignalEncoding::Put,
    };
    let spacing =
        by_name(&Spacing::ALL, Spacing::name, form.spacing.as_deref()).ok_or_else(|| no_form(form))?;
    let program = entry.in_memory(rank, &bench.group, style);
    let program = program.ok_or_else(|| no_form(form))??;
    let count = program.cells(size);
    let all = bench.cells(required_len(size, count, spacing), program.initial())?;
    let cells = Cells::new(all, rank, size, count, spacing, bench.spin_policy);
    Ok(Box::new(MemoryBarrier::new(program, cells)))
}

/// Two epochs in one cache line.
pub(crate) struct BareHandshake<'g> {
    mine: &'g AtomicI64,
    theirs: &'g AtomicI64,
    epoch: i64,
}

impl<'g> BareHandshake<'g> {
    /// Collective.
    pub(crate) fn new(bench: &BarrierBench<'g>) -> Result<Self> {
        let size = bench.group.size;
        if size != 2 {
            return Err(Error::Setup(text::barrier::size(REFERENCE, 2, size)));
        }
        let cells = bench.cells(2, 0)?;
        Ok(Self { mine: &cells[bench.rank()], theirs: &cells[1 - bench.rank()], epoch: 0 })
    }
}

impl Barrier for BareHandshake<'_> {
    #[inline]
    fn wait(&mut self) -> Result<()> {
        self.epoch += 1;
        self.mine.store(self.epoch, Release);
        while self.theirs.load(Acquire) < self.epoch {
            hint::spin_loop();
        }
        Ok(())
    }
}
