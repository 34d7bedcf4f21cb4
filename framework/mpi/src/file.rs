//! Files: the raw calls of MPI-IO with explicit offsets, each checked.
//!
//! A read asks for what is in the file only: Open MPI's collective reads report as many elements as were asked for, however short the file
//! is. A collective write ends with a barrier: a few ranks write for all, and in Open MPI another rank returns before its part is written, so
//! it would not read what it wrote. An open file lives in the case's registry, like a window: closing it is collective, so a drop must not
//! close it.
use std::{
    cell::Cell,
    ffi::{CString, c_int, c_void},
    hash::{DefaultHasher, Hash, Hasher},
    rc::Rc,
};

use mpi::ffi::{
    MPI_Datatype, MPI_File, MPI_File_close, MPI_File_get_size, MPI_File_open, MPI_File_read_at,
    MPI_File_read_at_all, MPI_File_set_size, MPI_File_set_view, MPI_File_sync, MPI_File_write_at,
    MPI_File_write_at_all, MPI_Info, MPI_Info_create, MPI_Info_free, MPI_Info_set, MPI_Offset,
};
use wb_comm::{
    CallSite, Code, Context, ErasedFile, Error, FileArgs, FileError, FileMode, FilePlace, FileView, Result,
    View, ViewMut, text,
};

use crate::{
    blocked_call::{self, WaitTarget},
    check::{check, error_class, to_count},
    communicator::{MpiCommunicator, RegisteredResource, all_gather, barrier},
    handles,
    library::library,
    message_args::empty_status,
};

/// An open file.
pub(crate) struct FileInner {
    communicator: Rc<MpiCommunicator>,
    path: String,
    file: MPI_File,
    is_open: Cell<bool>,
}

/// A file as this rank sees it.
pub(crate) struct MpiFile {
    inner: Rc<FileInner>,
    opened_at: CallSite,
}

impl MpiFile {
    /// Collective: see [`wb_comm::Transport::file_open`].
    pub(crate) fn open(
        communicator: &Rc<MpiCommunicator>,
        args: &FileArgs,
        opened_at: CallSite,
    ) -> Result<Self> {
        let FileArgs { path, mode } = args;
        let _inside = blocked_call::enter(opened_at, WaitTarget::COLLECTIVE);
        let name = CString::new(path.as_str()).ok().filter(|_| FileArgs::is_path_of_file(path));
        // `MPI_File_open` is collective: all ranks call it, or none. With different paths it hangs or opens several files.
        let mine = if name.is_some() { hash_of(args) | 1 } else { 0 };
        let all = all_gather(communicator, mine)?;
        let name = name.filter(|_| !all.contains(&0));
        let name = name.ok_or_else(|| FileError::NotRegular { path: path.clone() }.into_error())?;
        if all.iter().any(|other| *other != mine) {
            return Err(FileError::NotSame { file: args.clone() }.into_error());
        }
        let (comm, mut info, mut file) = (communicator.comm_of(Context::User)?, hints()?, handles::FILE_NULL);
        // SAFETY: a live communicator, a string that ends with a zero byte, live hints, one handle for the answer. Without an open file the
        // calls on files return their errors, and a file inherits that.
        let code = unsafe { MPI_File_open(comm, name.as_ptr(), mode_flags(*mode), info, &mut file) };
        // SAFETY: live hints, which the file has copied.
        let freed = unsafe { MPI_Info_free(&mut info) };
        check_file("MPI_File_open", code, path)?;
        check("MPI_Info_free", freed)?;
        let inner = Rc::new(FileInner {
            communicator: Rc::clone(communicator),
            path: path.clone(),
            file,
            is_open: Cell::new(true),
        });
        communicator.registry.register(Rc::clone(&inner) as Rc<dyn RegisteredResource>);
        Ok(Self { inner, opened_at })
    }

    fn check(&self, call: &'static str, code: c_int) -> Result<()> {
        check_file(call, code, &self.inner.path)
    }

    /// The type of the elements of a call.
    fn datatype(&self, datatype: wb_comm::Datatype) -> Result<MPI_Datatype> {
        self.inner.communicator.registry.session.datatypes.get(datatype)
    }

    fn file_size(&self) -> Result<u64> {
        let mut bytes = 0;
        // SAFETY: a live file, one number for the answer.
        self.check("MPI_File_get_size", unsafe { MPI_File_get_size(self.inner.file()?, &mut bytes) })?;
        Ok(u64::try_from(bytes).unwrap_or(0))
    }

    /// The offset of a place as MPI takes it, which also checks it, and the end of its last element in bytes.
    fn check_place(place: &FilePlace<'_>, count: usize, size: usize) -> Result<(MPI_Offset, u64)> {
        if count == 0 {
            return Ok((0, 0));
        }
        // The last element decides whether all are within the largest offset.
        let ratio = (size / place.view.datatype().size()) as u64;
        let last = (count as u64).saturating_mul(ratio) - 1;
        let blocks = place.view.blocks(place.offset.saturating_add(last), 1)?;
        let end = blocks.last().map_or(0, |block| block.end);
        let too_far = || FileError::Offset { offset: place.offset, count: count as u64 }.into_error();
        Ok((MPI_Offset::try_from(place.offset).map_err(|_| too_far())?, end))
    }

    /// Collective: extends the file with zeros to the end of what all ranks write, before ROMIO, MPICH's part for files, reads the gaps
    /// between their blocks: see [`hints`]. Open MPI does not read them.
    fn extend(&self, end: u64) -> Result<()> {
        if library().implementation == "Open MPI" {
            return Ok(());
        }
        let size = self.file_size()?;
        // Offsets are below 2^63. The last bit says whether the file grows.
        let all = all_gather(&self.inner.communicator, size.max(end) << 1 | u64::from(end > size))?;
        let bytes = all.iter().map(|one| one >> 1).max().unwrap_or(0).cast_signed();
        if all.iter().all(|one| one & 1 == 0) {
            return Ok(());
        }
        // SAFETY: a live file.
        self.check("MPI_File_set_size", unsafe { MPI_File_set_size(self.inner.file()?, bytes) })
    }
}

impl ErasedFile for MpiFile {
    fn set_view(&self, view: &FileView, site: CallSite) -> Result<()> {
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        let (file, etype, layout) = (self.inner.file()?, self.datatype(view.datatype())?, view.layout());
        let derived = &self.inner.communicator.registry.session.derived_types;
        let filetype = match layout.count() {
            // A type without elements is not a filetype. No call accesses elements of such a view.
            0 => etype,
            _ => derived.get((layout.shape(), layout.resized_extent()), view.datatype(), etype)?,
        };
        let start = layout.offset() as u64 * view.datatype().size() as u64;
        let start = view.displacement().saturating_add(start);
        let too_far = || FileError::Offset { offset: start, count: 0 }.into_error();
        let start = MPI_Offset::try_from(start).map_err(|_| too_far())?;
        let (native, info) = (c"native".as_ptr(), handles::INFO_NULL);
        // SAFETY: a live file, committed types, a string that ends with a zero byte.
        let code = unsafe { MPI_File_set_view(file, start, etype, filetype, native, info) };
        self.check("MPI_File_set_view", code)
    }

    fn read(&self, place: FilePlace<'_>, mut into: ViewMut<'_>, site: CallSite) -> Result<usize> {
        let (count, size) = (into.count(), into.datatype().size());
        let (offset, _) = Self::check_place(&place, count, size)?;
        let available = place.available(count, size, self.file_size()?);
        let (file, elements, datatype) =
            (self.inner.file()?, to_count(available)?, self.datatype(into.datatype())?);
        let (start, mut status) = (into.bytes().as_mut_ptr().cast::<c_void>(), empty_status());
        let _inside = blocked_call::enter(site, WaitTarget::collective(available * size));
        if place.is_collective {
            // SAFETY: a live file, and a slice with room for this number of elements.
            let code = unsafe { MPI_File_read_at_all(file, offset, start, elements, datatype, &mut status) };
            self.check("MPI_File_read_at_all", code)?;
        } else {
            // SAFETY: as above.
            let code = unsafe { MPI_File_read_at(file, offset, start, elements, datatype, &mut status) };
            self.check("MPI_File_read_at", code)?;
        }
        Ok(available)
    }

    fn write(&self, place: FilePlace<'_>, from: View<'_>, site: CallSite) -> Result<()> {
        let (count, bytes) = (from.count(), from.bytes());
        let (offset, end) = Self::check_place(&place, count, from.datatype().size())?;
        let (file, elements, datatype) =
            (self.inner.file()?, to_count(count)?, self.datatype(from.datatype())?);
        let (start, mut status) = (bytes.as_ptr().cast::<c_void>(), empty_status());
        let _inside = blocked_call::enter(site, WaitTarget::collective(bytes.len()));
        if place.is_collective {
            self.extend(end)?;
            // SAFETY: a live file, and a slice of this number of elements.
            let code = unsafe { MPI_File_write_at_all(file, offset, start, elements, datatype, &mut status) };
            let is_written = barrier(&self.inner.communicator);
            self.check("MPI_File_write_at_all", code).and(is_written)
        } else {
            // SAFETY: as above.
            let code = unsafe { MPI_File_write_at(file, offset, start, elements, datatype, &mut status) };
            self.check("MPI_File_write_at", code)
        }
    }

    fn size(&self, site: CallSite) -> Result<u64> {
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        self.file_size()
    }

    fn set_size(&self, bytes: u64, site: CallSite) -> Result<()> {
        let too_far = |_| FileError::Offset { offset: bytes, count: 0 }.into_error();
        let bytes = MPI_Offset::try_from(bytes).map_err(too_far)?;
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        // SAFETY: a live file.
        self.check("MPI_File_set_size", unsafe { MPI_File_set_size(self.inner.file()?, bytes) })
    }

    fn sync(&self, site: CallSite) -> Result<()> {
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        // SAFETY: a live file.
        self.check("MPI_File_sync", unsafe { MPI_File_sync(self.inner.file()?) })
    }

    fn close(self: Box<Self>, site: CallSite) -> Result<()> {
        let _inside = blocked_call::enter(site, WaitTarget::COLLECTIVE);
        self.inner.close()
    }
}

impl Drop for MpiFile {
    fn drop(&mut self) {
        if self.inner.is_open.get() {
            self.inner.communicator.registry.note_leak(Code::FileLeak, self.opened_at, vec![]);
        }
    }
}

impl FileInner {
    fn file(&self) -> Result<MPI_File> {
        if self.is_open.get() { Ok(self.file) } else { Err(Error::Setup(text::file::closed(&self.path))) }
    }

    fn close(&self) -> Result<()> {
        let mut file = self.file()?;
        self.is_open.set(false);
        // SAFETY: a live file, closed once: it is marked closed.
        let closed = unsafe { MPI_File_close(&mut file) };
        self.communicator.registry.unregister(self);
        check_file("MPI_File_close", closed, &self.path)
    }
}

impl RegisteredResource for FileInner {
    fn free_leaked(self: Rc<Self>) -> Result<()> {
        // The registry holds one reference, the caller another.
        let in_use = Rc::strong_count(&self) > 2;
        if all_gather(&self.communicator, u64::from(in_use))?.contains(&1) {
            return Err(Error::Setup(text::file::in_use(&self.path)));
        }
        self.close()
    }
}

/// The hints of a file. ROMIO, MPICH's part for files, writes blocks with gaps by *data sieving*: it reads the gaps, and writes them back
/// with the blocks. What it reads behind the end of the file is whatever its buffer had, so the gaps of a file that grows would not be zero.
/// A rank that writes alone writes each block by itself instead; before a collective write the file has its size.
fn hints() -> Result<MPI_Info> {
    let mut info = handles::INFO_NULL;
    // SAFETY: one handle for the answer.
    check("MPI_Info_create", unsafe { MPI_Info_create(&mut info) })?;
    // SAFETY: live hints, strings that end with a zero byte. Other libraries ignore the hint.
    let set = unsafe { MPI_Info_set(info, c"romio_ds_write".as_ptr(), c"disable".as_ptr()) };
    check("MPI_Info_set", set).map(|()| info)
}

/// Equal arguments have one hash in all processes of a job, which run one program.
fn hash_of(args: &FileArgs) -> u64 {
    let mut hasher = DefaultHasher::new();
    args.hash(&mut hasher);
    hasher.finish()
}

/// The flags of a mode (`MPI_MODE_RDONLY` and so on).
fn mode_flags(mode: FileMode) -> c_int {
    let access = match (mode.is_readable(), mode.is_writable()) {
        (true, true) => handles::MODE_RDWR,
        (true, false) => handles::MODE_RDONLY,
        (false, _) => handles::MODE_WRONLY,
    };
    let more = [
        (mode.creates, handles::MODE_CREATE),
        (mode.is_exclusive, handles::MODE_EXCL),
        (mode.deletes_on_close, handles::MODE_DELETE_ON_CLOSE),
    ];
    more.iter().filter(|(given, _)| *given).fold(access, |flags, (_, flag)| flags | flag)
}

/// As [`check`], where the classes of errors that concern the file's name have errors of their own.
fn check_file(call: &'static str, code: c_int, path: &str) -> Result<()> {
    if code == handles::SUCCESS {
        return Ok(());
    }
    let (class, path) = (error_class(code), path.to_owned());
    Err(if class == handles::ERR_NO_SUCH_FILE {
        FileError::NotFound { path }.into_error()
    } else if class == handles::ERR_FILE_EXISTS {
        FileError::Exists { path }.into_error()
    } else if class == handles::ERR_ACCESS || class == handles::ERR_READ_ONLY {
        FileError::Permission { path }.into_error()
    } else {
        return check(call, code);
    })
}
