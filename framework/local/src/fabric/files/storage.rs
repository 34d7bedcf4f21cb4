//! The content of a file: on the disk, or in memory in checked runs.
use std::{
    fs::File,
    io,
    ops::Range,
    os::unix::fs::FileExt,
    sync::{Mutex, MutexGuard, PoisonError},
};

use wb_comm::{FileError, Result};

/// The longest file that is kept in memory.
const MEMORY_BYTES_MAX: u64 = 1 << 30;

/// The content of a file.
#[derive(Debug)]
pub(crate) struct Storage {
    /// The path as given, for messages.
    path: String,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Disk(File),
    Memory(Mutex<Vec<u8>>),
}

impl Default for Storage {
    fn default() -> Self {
        Self::in_memory(String::new(), vec![])
    }
}

impl Storage {
    pub(crate) fn on_disk(path: String, file: File) -> Self {
        Self { path, content: Content::Disk(file) }
    }

    pub(crate) fn in_memory(path: String, bytes: Vec<u8>) -> Self {
        Self { path, content: Content::Memory(Mutex::new(bytes)) }
    }

    /// The number of bytes.
    pub(crate) fn size(&self) -> Result<u64> {
        match &self.content {
            Content::Disk(file) => self.system(file.metadata()).map(|data| data.len()),
            Content::Memory(bytes) => Ok(lock(bytes).len() as u64),
        }
    }

    /// Cuts the file or extends it with zeros.
    pub(crate) fn set_size(&self, size: u64) -> Result<()> {
        match &self.content {
            Content::Disk(file) => self.system(file.set_len(size)),
            Content::Memory(bytes) => {
                let size = self.memory_size(size)?;
                lock(bytes).resize(size, 0);
                Ok(())
            }
        }
    }

    /// Fills `into` with the bytes of some blocks, all of which are in the file.
    pub(crate) fn read(&self, blocks: &[Range<u64>], into: &mut [u8]) -> Result<()> {
        let mut rest = into;
        for block in blocks {
            let part;
            (part, rest) = rest.split_at_mut((block.end - block.start) as usize);
            match &self.content {
                Content::Disk(file) => self.system(file.read_exact_at(part, block.start))?,
                Content::Memory(bytes) => {
                    let bytes = lock(bytes);
                    let found = bytes.get(block.start as usize..block.end as usize);
                    part.copy_from_slice(self.system(found.ok_or(io::ErrorKind::UnexpectedEof.into()))?);
                }
            }
        }
        Ok(())
    }

    /// Replaces the bytes of some blocks by those of `from`; the file grows as far as needed.
    pub(crate) fn write(&self, blocks: &[Range<u64>], from: &[u8]) -> Result<()> {
        let mut rest = from;
        for block in blocks {
            let part;
            (part, rest) = rest.split_at((block.end - block.start) as usize);
            match &self.content {
                Content::Disk(file) => self.system(file.write_all_at(part, block.start))?,
                Content::Memory(bytes) => {
                    let end = self.memory_size(block.end)?;
                    let mut bytes = lock(bytes);
                    if bytes.len() < end {
                        bytes.resize(end, 0);
                    }
                    bytes[block.start as usize..end].copy_from_slice(part);
                }
            }
        }
        Ok(())
    }

    /// Forces written data to the device.
    pub(crate) fn sync(&self) -> Result<()> {
        match &self.content {
            Content::Disk(file) => self.system(file.sync_data()),
            Content::Memory(_) => Ok(()),
        }
    }

    fn memory_size(&self, bytes: u64) -> Result<usize> {
        if bytes <= MEMORY_BYTES_MAX {
            return Ok(bytes as usize);
        }
        let path = self.path.clone();
        Err(FileError::TooLong { path, bytes, max: MEMORY_BYTES_MAX }.into_error())
    }

    fn system<T>(&self, result: io::Result<T>) -> Result<T> {
        result.map_err(|error| FileError::from_system(&self.path, &error).into_error())
    }
}

fn lock(bytes: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    bytes.lock().unwrap_or_else(PoisonError::into_inner)
}
