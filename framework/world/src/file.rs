//! Files that all ranks open together, read and write at named offsets, and see through views (MPI-IO).
//!
//! A view selects the part of the file that a rank sees: from a displacement on, the elements that copies of a [`Layout`] name. Offsets
//! count elements of the view, so each rank reads "its" elements from 0 on. A file that was just opened is seen as bytes.
//!
//! **Consistency.** MPI does not order the accesses of different ranks to one byte if one of them writes, not even by a barrier. They are
//! ordered by *sync - barrier - sync*: the writer calls [`sync`](File::sync) or [`close`](File::close) after its write, a barrier or a
//! message orders that call before a `sync` or a [`file_open`](World::file_open) of the other rank, which accesses the bytes afterwards
//! (MPI 4.0, section 14.6.1). Every rank calls each `sync`, since it is collective. Without that the accesses are a race (WB0024), which
//! is found where window races are found. A rank sees its own writes at once.
//!
//! ```no_run
//! # use wb_world::{FileMode, Layout, World};
//! /// This rank's columns of a matrix of `rows` rows and `width` columns for each rank, by rows.
//! fn columns(world: &World, rows: usize, width: usize) -> wb_world::Result<Vec<f64>> {
//!     let all = world.size() * width;
//!     let mut mine = vec![0.0; rows * width];
//!     let file = world.file_open("matrix.bin", FileMode::read_only())?;
//!     file.set_view::<f64>(0, &Layout::vector(rows, width, all).at(world.rank() * width))?;
//!     file.read_at_all(0, &mut mine)?;
//!     file.close()?;
//!     Ok(mine)
//! }
//! ```
use std::{cell::RefCell, rc::Rc};

#[cfg(doc)]
use wb_comm::Error;
use wb_comm::{
    CallSite, ErasedFile, FileArgs, FileMode, FilePlace, FileView, Layout, Result, Verb, View, ViewMut, Wire,
    input_files, limits,
};
use wb_record::{CollectiveShape, EventKind};

use crate::{
    CommStats, World,
    call_tracer::{self, CallTracer, OptionalTracer},
};

/// A file as one rank sees it.
pub struct File {
    backend: Box<dyn ErasedFile>,
    mode: FileMode,
    view: RefCell<FileView>,
    stats: Rc<CommStats>,
    tracer: OptionalTracer,
}

impl World {
    /// Collective: opens a file on all ranks, which name the same path and mode (`MPI_File_open`). A relative path starts in the working
    /// folder of the job; on several hosts the folder must be one that they share. The file is seen as bytes until
    /// [`set_view`](File::set_view).
    ///
    /// A checked run (`cargo wb check`) works on copies in memory and leaves the disk as it is.
    ///
    /// A task of an assignment opens the files of the assignment only, by their names and to be read ([`wb_comm::input_files`]). A file that
    /// is only read carries nothing from rank to rank, so its collective calls are not counted ([`counts`](Self::counts)).
    ///
    /// # Errors
    /// [`Error::File`] for a mode that contradicts itself, for a file that is not one of the assignment, and where the operating system
    /// refuses to open the file: every rank gets it.
    #[track_caller]
    pub fn file_open(&self, path: &str, mode: FileMode) -> Result<File> {
        let site = CallSite::caller(Verb::FileOpen);
        let args = FileArgs { path: path.to_owned(), mode };
        let open = || {
            mode.check()?;
            self.transport().file_open(&input_files::resolve(args)?, site)
        };
        let opened = self.run_collective(site, CollectiveShape::All, 0, open);
        // A call that fails may say what another rank wanted to open.
        if mode.is_writable() || opened.is_err() {
            self.stats().note_collective(site);
        }
        let backend = opened?;
        let tracer = self.tracer.as_ref().map(|tracer| tracer.for_child(self.transport(), None));
        let (view, stats) = (RefCell::default(), Rc::clone(self.stats()));
        Ok(File { backend, mode, view, stats, tracer })
    }
}

impl File {
    /// Collective: this rank sees the elements of type `T` that copies of `layout` name, one copy after the other, from byte
    /// `displacement` on (`MPI_File_set_view`, with `layout` as the filetype). The displacement and the layout may differ between ranks,
    /// the type may not. A copy begins where MPI's extent of the one before it ends: for [`Layout::subarray`] behind the whole array.
    ///
    /// # Errors
    /// [`Error::File`] if the positions of the layout do not rise, or are beyond the largest offset.
    #[track_caller]
    pub fn set_view<T: Wire>(&self, displacement: usize, layout: &Layout) -> Result<()> {
        let site = CallSite::caller(Verb::SetView);
        self.run_collective(site, 0, || {
            let view = FileView::new(displacement as u64, T::DATATYPE, layout)?;
            self.backend.set_view(&view, site)?;
            self.view.replace(view);
            Ok(())
        })
    }

    /// Reads elements of the view from `offset` on into `data`, by this rank alone (`MPI_File_read_at`). Returns how many were read:
    /// fewer than `data` has at the end of the file; the others do not change.
    ///
    /// # Errors
    /// [`Error::File`] if the file is only written, the view has elements of another type (one of bytes fits every type) or none, or the
    /// offset is too large.
    #[track_caller]
    pub fn read_at<T: Wire>(&self, offset: usize, data: &mut [T]) -> Result<usize> {
        let site = CallSite::caller(Verb::ReadAt);
        let bytes = size_of_val(data) as u64;
        let read = || self.read(offset, false, ViewMut::from_slice(data), site);
        self.run_traced(site, read, |_, _| EventKind::File { bytes, is_write: false })
    }

    /// Writes `data` to the elements of the view from `offset` on, by this rank alone (`MPI_File_write_at`). The file grows as far as
    /// needed; elements that nothing has written are zero.
    ///
    /// # Errors
    /// As [`read_at`](Self::read_at), for a file that is only read.
    #[track_caller]
    pub fn write_at<T: Wire>(&self, offset: usize, data: &[T]) -> Result<()> {
        let site = CallSite::caller(Verb::WriteAt);
        let bytes = size_of_val(data) as u64;
        let write = || self.write(offset, false, View::from_slice(data), site);
        self.run_traced(site, write, |_, ()| EventKind::File { bytes, is_write: true })
    }

    /// Collective: as [`read_at`](Self::read_at), where every rank reads its part, which may be empty (`MPI_File_read_at_all`). The parts
    /// of all ranks are read in few large requests.
    ///
    /// # Errors
    /// As [`read_at`](Self::read_at).
    #[track_caller]
    pub fn read_at_all<T: Wire>(&self, offset: usize, data: &mut [T]) -> Result<usize> {
        let site = CallSite::caller(Verb::ReadAtAll);
        let bytes = size_of_val(data);
        self.run_collective(site, bytes, || self.read(offset, true, ViewMut::from_slice(data), site))
    }

    /// Collective: as [`write_at`](Self::write_at), where every rank writes its part, which may be empty (`MPI_File_write_at_all`).
    ///
    /// # Errors
    /// As [`write_at`](Self::write_at).
    #[track_caller]
    pub fn write_at_all<T: Wire>(&self, offset: usize, data: &[T]) -> Result<()> {
        let site = CallSite::caller(Verb::WriteAtAll);
        let bytes = size_of_val(data);
        self.run_collective(site, bytes, || self.write(offset, true, View::from_slice(data), site))
    }

    /// The size of the file in bytes (`MPI_File_get_size`).
    ///
    /// # Errors
    /// The errors of the backend.
    #[track_caller]
    pub fn size(&self) -> Result<usize> {
        let site = CallSite::caller(Verb::FileSize);
        let bytes = self.run_traced(site, || self.backend.size(site), |_, _| EventKind::Local)?;
        Ok(usize::try_from(bytes).unwrap_or(usize::MAX))
    }

    /// Collective: cuts the file to this number of bytes, the same on all ranks, or extends it with zeros (`MPI_File_set_size`).
    ///
    /// # Errors
    /// [`Error::File`] for a file that is only read; [`Error::Collective`] where the sizes differ; the errors of the backend.
    #[track_caller]
    pub fn set_size(&self, bytes: usize) -> Result<()> {
        let site = CallSite::caller(Verb::SetSize);
        self.run_collective(site, 0, || {
            self.mode.check_access(true, site.verb)?;
            self.backend.set_size(bytes as u64, site)
        })
    }

    /// Collective: what this rank has written is in the file when it returns, and what others had synchronised before is seen by later
    /// reads (`MPI_File_sync`). It need not wait for the other ranks: a barrier between two calls orders accesses, see the
    /// [module](self).
    ///
    /// # Errors
    /// The errors of the backend.
    #[track_caller]
    pub fn sync(&self) -> Result<()> {
        let site = CallSite::caller(Verb::FileSync);
        self.run_collective(site, 0, || self.backend.sync(site))
    }

    /// Collective: closes the file (`MPI_File_close`). A drop cannot do it, since the others may not be there: a file that is dropped
    /// stays open until the job ends, and is reported (WB0014).
    ///
    /// # Errors
    /// The errors of the backend.
    #[track_caller]
    pub fn close(self) -> Result<()> {
        let site = CallSite::caller(Verb::FileClose);
        let Self { backend, mode, stats, tracer, .. } = self;
        let close = || backend.close(site).inspect_err(|error| stats.note_error(site, error));
        call_tracer::trace_call(&tracer, site, close, |tracer, ()| {
            tracer.collective(CollectiveShape::All, 0)
        })?;
        if mode.is_writable() {
            stats.note_collective(site);
        }
        Ok(())
    }

    fn read(&self, offset: usize, is_collective: bool, into: ViewMut<'_>, site: CallSite) -> Result<usize> {
        let view = self.view.borrow();
        self.mode.check_access(false, site.verb)?;
        view.check_datatype(into.datatype())?;
        limits::check_count(into.count(), into.datatype().size())?;
        let place = FilePlace { view: &view, offset: offset as u64, is_collective };
        let read = self.backend.read(place, into, site)?;
        // Another rank may have written what was read, unless the file is an input.
        if self.mode.is_writable() {
            self.stats.note_received();
        }
        Ok(read)
    }

    fn write(&self, offset: usize, is_collective: bool, from: View<'_>, site: CallSite) -> Result<()> {
        let view = self.view.borrow();
        self.mode.check_access(true, site.verb)?;
        view.check_datatype(from.datatype())?;
        limits::check_count(from.count(), from.datatype().size())?;
        self.backend.write(FilePlace { view: &view, offset: offset as u64, is_collective }, from, site)
    }

    fn run_collective<R>(&self, site: CallSite, bytes: usize, verb: impl FnOnce() -> Result<R>) -> Result<R> {
        let result =
            self.run_traced(site, verb, |tracer, _| tracer.collective(CollectiveShape::All, bytes))?;
        if self.mode.is_writable() {
            self.stats.note_collective(site);
        }
        Ok(result)
    }

    fn run_traced<R>(
        &self,
        site: CallSite,
        verb: impl FnOnce() -> Result<R>,
        act: impl FnOnce(&CallTracer, &R) -> EventKind,
    ) -> Result<R> {
        let run = || verb().inspect_err(|error| self.stats.note_error(site, error));
        call_tracer::trace_call(&self.tracer, site, run, act)
    }
}
