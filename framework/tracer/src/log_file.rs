//! The file of a log, mapped into memory: what was written is in the file even if the process is killed.
use std::{
    fs::File,
    io,
    os::fd::AsRawFd as _,
    path::Path,
    ptr,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use wb_record::{LOG_HEADER_BYTES, LogEntry};

/// The bytes that only the last entry may use.
const LAST_ENTRY_BYTES: usize = 16 << 10;

/// The log of this process.
pub(crate) struct LogFile {
    header: &'static [AtomicU64; LOG_HEADER_BYTES / 8],
    entries: &'static mut [u8],
    length: usize,
}

impl LogFile {
    /// A new file for entries of this many bytes.
    ///
    /// # Errors
    /// The file exists, or the disk has not enough space.
    pub(crate) fn create(path: &Path, bytes: usize) -> io::Result<Self> {
        let file = File::options().read(true).write(true).create_new(true).open(path)?;
        let bytes = LOG_HEADER_BYTES + bytes + LAST_ENTRY_BYTES;
        let length = libc::off_t::try_from(bytes).map_err(io::Error::other)?;
        // SAFETY: the descriptor is open. The space is reserved, so a store cannot fail later.
        match unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, length) } {
            0 => {}
            code => return Err(io::Error::from_raw_os_error(code)),
        }
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the kernel chooses the place of a new mapping.
        let mapped =
            unsafe { libc::mmap(ptr::null_mut(), bytes, access, libc::MAP_SHARED, file.as_raw_fd(), 0) };
        if mapped == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the mapping has this length, begins at a page, stays until the process ends, and is known here only; both parts are disjoint.
        let (header, entries) = unsafe {
            let entries = mapped.cast::<u8>().add(LOG_HEADER_BYTES);
            (&*mapped.cast(), std::slice::from_raw_parts_mut(entries, bytes - LOG_HEADER_BYTES))
        };
        Ok(Self { header, entries, length: 0 })
    }

    /// Writes an entry. Returns whether there was space.
    pub(crate) fn write(&mut self, entry: &LogEntry) -> bool {
        let end = self.entries.len() - LAST_ENTRY_BYTES;
        self.write_until(entry, end)
    }

    /// Writes the last entry.
    pub(crate) fn write_last(&mut self, entry: &LogEntry) -> bool {
        self.write_until(entry, self.entries.len())
    }

    fn write_until(&mut self, entry: &LogEntry, end: usize) -> bool {
        let Some(bytes) = entry.write(&mut self.entries[self.length..end]) else { return false };
        self.length += bytes;
        self.header[0].store(self.length as u64, Relaxed);
        true
    }

    /// Counts a call without an entry.
    pub(crate) fn leave_out(&self, ns: u64) {
        for (word, more) in self.header[1..].iter().zip([1, ns]) {
            word.store(word.load(Relaxed) + more, Relaxed);
        }
    }
}
