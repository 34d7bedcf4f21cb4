//! Memory that the ranks of a communicator map together.
//!
//! It is a file without a name (`memfd_create`): rank 0 makes it, the others open it through `/proc/PID/fd`, and it is gone when the last one has
//! unmapped it, however the processes end. A number in it shows that a rank has opened the right one: on another node, or in another
//! container, the same path is nothing or something else.
use std::{
    ffi::c_int,
    fs::{File, OpenOptions},
    hash::{BuildHasher, Hasher, RandomState},
    io,
    os::fd::{AsRawFd, FromRawFd},
    process, ptr, slice,
    sync::atomic::{AtomicI64, Ordering::Relaxed},
};

/// Words before those of the user: the first is the number of the memory.
const HEADER_WORDS: usize = 16;

/// What other processes need to open a memory; zeros if there is none.
pub(crate) type Address = [u64; 3];

/// Words that several processes map.
#[derive(Debug)]
pub(crate) struct SharedMemory {
    start: *mut AtomicI64,
    /// With those of the header.
    words: usize,
}

impl SharedMemory {
    /// Makes a memory of this number of words, which are zero, and its address. The file must stay open until all have opened it.
    ///
    /// # Errors
    /// The system's, as when it has no room.
    pub(crate) fn create(words: usize) -> io::Result<(Self, File, Address)> {
        let bytes = (HEADER_WORDS + words) * size_of::<AtomicI64>();
        check_file_limit(bytes)?;
        // SAFETY: a name that ends with a zero.
        let descriptor = checked(unsafe { libc::memfd_create(c"wb-preload".as_ptr(), libc::MFD_CLOEXEC) })?;
        // SAFETY: made above, and owned by nothing else.
        let file = unsafe { File::from_raw_fd(descriptor) };
        // Reserves the pages: one that is missing later would end the process.
        // SAFETY: an open file.
        match unsafe { libc::posix_fallocate(descriptor, 0, bytes as libc::off_t) } {
            0 => {}
            code => return Err(io::Error::from_raw_os_error(code)),
        }
        let memory = Self::map(&file, words)?;
        let number = RandomState::new().build_hasher().finish() | 1;
        memory.all()[0].store(number.cast_signed(), Relaxed);
        Ok((memory, file, [u64::from(process::id()), descriptor as u64, number]))
    }

    /// Opens the memory of another process.
    ///
    /// # Errors
    /// The system's; that it is another one.
    pub(crate) fn open([process, descriptor, number]: Address, words: usize) -> io::Result<Self> {
        let path = format!("/proc/{process}/fd/{descriptor}");
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        if file.metadata()?.len() != ((HEADER_WORDS + words) * size_of::<AtomicI64>()) as u64 {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let memory = Self::map(&file, words)?;
        match memory.all()[0].load(Relaxed).cast_unsigned() == number {
            true => Ok(memory),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn map(file: &File, words: usize) -> io::Result<Self> {
        let words = HEADER_WORDS + words;
        let (access, bytes) = (libc::PROT_READ | libc::PROT_WRITE, words * size_of::<AtomicI64>());
        // SAFETY: a new mapping of an open file of this length, which nothing shortens.
        let start =
            unsafe { libc::mmap(ptr::null_mut(), bytes, access, libc::MAP_SHARED, file.as_raw_fd(), 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { start: start.cast(), words })
    }

    fn all(&self) -> &[AtomicI64] {
        // SAFETY: mapped for as long as `self` lives, aligned to a page; every access of every process is atomic.
        unsafe { slice::from_raw_parts(self.start, self.words) }
    }

    /// The words. They begin a cache line, and the pair of lines that a processor fetches together.
    #[inline]
    pub(crate) fn words(&self) -> &[AtomicI64] {
        &self.all()[HEADER_WORDS..]
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        // SAFETY: mapped by `map`, unmapped once; no reference into it outlives `self`.
        unsafe { libc::munmap(self.start.cast(), self.words * size_of::<AtomicI64>()) };
    }
}

/// A file longer than the limit of the process would end it (`SIGXFSZ`).
fn check_file_limit(bytes: usize) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the limit is this function's.
    checked(unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) })?;
    if limit.rlim_cur < bytes as u64 { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(()) }
}

fn checked(code: c_int) -> io::Result<c_int> {
    if code < 0 { Err(io::Error::last_os_error()) } else { Ok(code) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_is_opened_by_its_address_and_by_no_other() {
        let (memory, _file, address) = SharedMemory::create(100).expect("there is room");
        let other = SharedMemory::open(address, 100).expect("it is there");
        memory.words()[99].store(7, Relaxed);
        assert_eq!((other.words()[99].load(Relaxed), other.words().len()), (7, 100));
        let [process, descriptor, number] = address;
        assert!(SharedMemory::open([process, descriptor, number + 2], 100).is_err());
        assert!(SharedMemory::open(address, 101).is_err());
        assert!(SharedMemory::open([0; 3], 100).is_err());
    }
}
