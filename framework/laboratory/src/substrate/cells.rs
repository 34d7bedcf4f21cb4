//! Patterns and programs in shared memory, in every style and spacing; and the bare handshake that they are held to.
//!
//! The memory is a window that the ranks of one node map together, so ranks are processes here; in the jobs of threads
//! the same forms run once more.
use std::{
    hint,
    sync::atomic::{
        AtomicI64,
        Ordering::{Acquire, Release},
    },
};

use wb_collectives::{
    catalogue::{self, Entry, Form, Substrate},
    over::OverMemory,
    script::Style,
};
use wb_comm::{Barrier, Cells, Error, Result, Spacing, cells::required, text};
use wb_record::{Backend, BarrierForm, REFERENCE};

use super::{Carrier, by_name, no_form, plain};
use crate::{bench::Bench, visit::Subject};

/// See the module.
pub(super) struct OnCells;

/// What no barrier of two can beat: each rank stores its epoch and looks for the other's, both in one line.
pub(super) fn bare_handshake() -> [BarrierForm; 2] {
    [Backend::Mpi, Backend::Threads].map(|ranks_are| BarrierForm {
        variant: REFERENCE.into(),
        family: "reference".into(),
        substrate: Substrate::Cells.name().into(),
        style: None,
        spacing: Some(Spacing::Packed.name().into()),
        forced: None,
        ranks_are,
    })
}

impl Carrier for OnCells {
    fn substrate(&self) -> Substrate {
        Substrate::Cells
    }

    fn forms(&self, entry: &Entry) -> Vec<BarrierForm> {
        let styles: Vec<_> = match entry.form {
            Form::Pattern(_) => Style::ALL.map(Some).into(),
            Form::Program(_) => vec![None],
            Form::Native(_) => vec![],
        };
        let form = |style: Option<Style>, spacing: Spacing| BarrierForm {
            style: style.map(|style| style.name().to_owned()),
            spacing: Some(spacing.name().to_owned()),
            ..plain(entry, Substrate::Cells, Backend::Mpi)
        };
        let of_processes = styles.iter().flat_map(|&style| Spacing::ALL.map(|spacing| form(style, spacing)));
        // On threads the memory is the same and so are the differences: one style shows what processes add.
        let of_threads =
            styles.iter().filter(|style| style.is_none_or(|style| style == Style::Put)).flat_map(|&style| {
                Spacing::ALL
                    .map(|spacing| BarrierForm { ranks_are: Backend::Threads, ..form(style, spacing) })
            });
        of_processes.chain(of_threads).collect()
    }

    fn build<'g>(&self, form: &BarrierForm, bench: &Bench<'g>) -> Result<Box<dyn Subject + 'g>> {
        if form.variant == REFERENCE {
            return Ok(Box::new(BareHandshake::new(bench)?));
        }
        let (rank, size) = (bench.rank(), bench.setting.size);
        let entry = catalogue::find(&form.variant)?;
        let style = match &form.style {
            Some(style) => by_name(&Style::ALL, Style::name, Some(style)).ok_or_else(|| no_form(form))?,
            None => Style::Put,
        };
        let spacing =
            by_name(&Spacing::ALL, Spacing::name, form.spacing.as_deref()).ok_or_else(|| no_form(form))?;
        let program = entry.in_memory(rank, &bench.setting, style);
        let program = program.ok_or_else(|| no_form(form))??;
        let count = program.cells(size);
        let all = bench.cells(required(size, count, spacing), program.initial())?;
        let cells = Cells::new(all, rank, size, count, spacing, bench.patience);
        Ok(Box::new(OverMemory::new(program, cells)))
    }
}

/// Two epochs in one line, and nothing else.
struct BareHandshake<'g> {
    mine: &'g AtomicI64,
    theirs: &'g AtomicI64,
    epoch: i64,
}

impl<'g> BareHandshake<'g> {
    fn new(bench: &Bench<'g>) -> Result<Self> {
        let size = bench.setting.size;
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
