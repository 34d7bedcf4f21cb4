//! Files that the ranks of a communicator open together, type-erased.
//!
//! One trait for the part of MPI-IO (chapter 14 of MPI 4.0) that names its offsets, object-safe like
//! [`Transport`](crate::Transport). Which elements of the file a call concerns is said by a [`FileView`] and an offset in it. Whether the
//! file's mode and its view allow the call is decided above the backends, in `wb-world`.
mod view;

use std::{fmt, fs, io, ops::Range};

use serde::{Deserialize, Serialize};

use crate::{CallSite, FileError, Result, Verb, View, ViewMut};

pub use view::FileView;

/// How a file is opened (`MPI_MODE_RDONLY` and the other modes of `MPI_File_open`).
///
/// `MPI_MODE_APPEND` has no equivalent: it moves file pointers, and every verb here names its offset.
///
/// ```
/// use wb_comm::FileMode;
/// let new = FileMode::write_only().create().exclusive();
/// assert_eq!(new.to_string(), "write only, create, exclusive");
/// assert!(!new.is_readable() && new.is_writable());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileMode {
    access: FileAccess,
    /// Whether a file that does not exist is made (`MPI_MODE_CREATE`).
    pub creates: bool,
    /// Whether a file that exists is an error (`MPI_MODE_EXCL`).
    pub is_exclusive: bool,
    /// Whether the file is deleted when it is closed (`MPI_MODE_DELETE_ON_CLOSE`).
    pub deletes_on_close: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
enum FileAccess {
    ReadOnly,
    WriteOnly,
    ReadWrite,
}

impl FileMode {
    const fn new(access: FileAccess) -> Self {
        Self { access, creates: false, is_exclusive: false, deletes_on_close: false }
    }

    /// The file is only read (`MPI_MODE_RDONLY`).
    pub const fn read_only() -> Self {
        Self::new(FileAccess::ReadOnly)
    }

    /// The file is only written (`MPI_MODE_WRONLY`).
    pub const fn write_only() -> Self {
        Self::new(FileAccess::WriteOnly)
    }

    /// The file is read and written (`MPI_MODE_RDWR`).
    pub const fn read_write() -> Self {
        Self::new(FileAccess::ReadWrite)
    }

    /// The file is made if it does not exist (`MPI_MODE_CREATE`). One that exists keeps its content: [`ErasedFile::set_size`] cuts it.
    #[must_use]
    pub const fn create(self) -> Self {
        Self { creates: true, ..self }
    }

    /// Makes it an error if the file exists (`MPI_MODE_EXCL`); only together with [`create`](Self::create).
    #[must_use]
    pub const fn exclusive(self) -> Self {
        Self { is_exclusive: true, ..self }
    }

    /// The file is deleted when it is closed (`MPI_MODE_DELETE_ON_CLOSE`).
    #[must_use]
    pub const fn delete_on_close(self) -> Self {
        Self { deletes_on_close: true, ..self }
    }

    /// Whether the mode allows reads.
    pub fn is_readable(self) -> bool {
        self.access != FileAccess::WriteOnly
    }

    /// Whether the mode allows writes.
    pub fn is_writable(self) -> bool {
        self.access != FileAccess::ReadOnly
    }

    /// Checks the combination (`MPI_ERR_AMODE`).
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File) for a file that is made and only read, and for `exclusive` without `create`.
    pub fn check(self) -> Result<()> {
        let contradicts = self.creates && !self.is_writable() || self.is_exclusive && !self.creates;
        if contradicts { Err(FileError::Mode { mode: self }.into_error()) } else { Ok(()) }
    }

    /// Checks that the mode allows a read or a write by this call (`MPI_ERR_ACCESS`, `MPI_ERR_READ_ONLY`).
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File) if not.
    pub fn check_access(self, is_write: bool, verb: Verb) -> Result<()> {
        match is_write {
            true if !self.is_writable() => Err(FileError::NotWritable { verb, mode: self }.into_error()),
            false if !self.is_readable() => Err(FileError::NotReadable { verb, mode: self }.into_error()),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for FileMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.access {
            FileAccess::ReadOnly => "read only",
            FileAccess::WriteOnly => "write only",
            FileAccess::ReadWrite => "read and write",
        })?;
        let more = [
            (self.creates, ", create"),
            (self.is_exclusive, ", exclusive"),
            (self.deletes_on_close, ", delete on close"),
        ];
        more.iter().filter(|(given, _)| *given).try_for_each(|(_, name)| f.write_str(name))
    }
}

/// The arguments of `file_open`, which must be the same on all ranks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileArgs {
    /// The path; a relative one starts in the working folder of the job.
    pub path: String,
    /// The mode.
    pub mode: FileMode,
}

impl FileArgs {
    /// Whether a path may name a file: that of a regular file, or of nothing yet. Others are refused before they are opened: a folder has no
    /// content, and a pipe or a device may wait or never end.
    pub fn is_path_of_file(path: &str) -> bool {
        let is_other = match fs::metadata(path) {
            Ok(found) => !found.is_file(),
            Err(error) => error.kind() == io::ErrorKind::NotADirectory,
        };
        !is_other && !path.is_empty() && !path.contains('\0')
    }
}

impl fmt::Display for FileArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} ({})", self.path, self.mode)
    }
}

/// The elements of a file that a read or a write concerns.
#[derive(Clone, Copy, Debug)]
pub struct FilePlace<'v> {
    /// The view of the rank.
    pub view: &'v FileView,
    /// The elements of the view before the first one.
    pub offset: u64,
    /// Whether all ranks make the call (`MPI_File_read_at_all`).
    pub is_collective: bool,
}

impl FilePlace<'_> {
    /// The bytes of the file, as neighbouring blocks in rising order, for `count` elements of `size` bytes.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File) for elements of which the view has none, or beyond the largest offset.
    pub fn blocks(&self, count: usize, size: usize) -> Result<Vec<Range<u64>>> {
        self.view.blocks(self.offset, self.view_elements(count, size))
    }

    /// The number of `count` elements of `size` bytes that are in a file of `bytes` bytes.
    pub fn available(&self, count: usize, size: usize, bytes: u64) -> usize {
        let in_file = self.view.elements_in(bytes).saturating_sub(self.offset);
        let per_element = self.view_elements(1, size);
        usize::try_from(in_file / per_element).map_or(count, |available| available.min(count))
    }

    /// The number of the view's elements in as many elements of a call. They have one type, or the view is one of bytes.
    fn view_elements(&self, count: usize, size: usize) -> u64 {
        (count as u64).saturating_mul((size / self.view.datatype().size()) as u64)
    }
}

/// A file as one rank sees it.
///
/// # Errors
/// Every method: the library's error, or that of the operating system.
#[allow(clippy::missing_errors_doc, reason = "said once for the whole trait")]
pub trait ErasedFile {
    /// Collective: this rank sees the file through `view` from now on (`MPI_File_set_view`).
    fn set_view(&self, view: &FileView, site: CallSite) -> Result<()>;
    /// Reads elements into `into`; returns how many, which are fewer at the end of the file (`MPI_File_read_at`).
    fn read(&self, place: FilePlace<'_>, into: ViewMut<'_>, site: CallSite) -> Result<usize>;
    /// Writes `from` (`MPI_File_write_at`). A file that is too short grows; a gap is zero.
    fn write(&self, place: FilePlace<'_>, from: View<'_>, site: CallSite) -> Result<()>;
    /// The size of the file in bytes (`MPI_File_get_size`).
    fn size(&self, site: CallSite) -> Result<u64>;
    /// Collective: cuts the file or extends it with zeros (`MPI_File_set_size`).
    fn set_size(&self, bytes: u64, site: CallSite) -> Result<()>;
    /// Collective: what this rank has written reaches the file, and what others have synchronised becomes visible
    /// (`MPI_File_sync`).
    fn sync(&self, site: CallSite) -> Result<()>;
    /// Collective: closes the file (`MPI_File_close`).
    fn close(self: Box<Self>, site: CallSite) -> Result<()>;
}

/// Sorts blocks and joins those that touch: the fewest blocks with the same bytes.
pub fn merge_blocks(mut blocks: Vec<Range<u64>>) -> Vec<Range<u64>> {
    blocks.sort_unstable_by_key(|block| (block.start, block.end));
    let mut merged: Vec<Range<u64>> = vec![];
    for block in blocks {
        match merged.last_mut().filter(|last| last.end >= block.start) {
            Some(last) => last.end = last.end.max(block.end),
            None => merged.push(block),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    #[test]
    fn modes_that_contradict_themselves_are_refused() {
        let right = [
            FileMode::read_only(),
            FileMode::read_only().delete_on_close(),
            FileMode::write_only().create(),
            FileMode::read_write().create().exclusive(),
        ];
        assert!(right.iter().all(|mode| mode.check().is_ok()));
        for wrong in [
            FileMode::read_only().create(),
            FileMode::read_only().create().exclusive(),
            FileMode::read_write().exclusive(),
        ] {
            assert!(matches!(wrong.check(), Err(Error::File(_))), "{wrong}");
        }
    }

    #[test]
    fn a_mode_allows_what_it_names() {
        let allows =
            |mode: FileMode| [false, true].map(|is_write| mode.check_access(is_write, Verb::ReadAt).is_ok());
        assert_eq!(allows(FileMode::read_only()), [true, false]);
        assert_eq!(allows(FileMode::write_only()), [false, true]);
        assert_eq!(allows(FileMode::read_write()), [true, true]);
    }

    #[test]
    fn only_a_regular_file_or_a_new_one_has_a_path_of_a_file() {
        let (folder, device) = (env!("CARGO_MANIFEST_DIR"), "/dev/zero");
        let file = format!("{folder}/Cargo.toml");
        for wrong in ["", "with\0zero", folder, device, &format!("{file}/below")] {
            assert!(!FileArgs::is_path_of_file(wrong), "{wrong:?}");
        }
        assert!([file.as_str(), "no_such_folder/new"].iter().all(|path| FileArgs::is_path_of_file(path)));
    }

    #[test]
    fn blocks_that_touch_are_one() {
        assert_eq!(merge_blocks(vec![6..8, 0..2, 2..4, 3..5]), [0..5, 6..8]);
        assert_eq!(merge_blocks(vec![]), [0..0; 0]);
    }
}
