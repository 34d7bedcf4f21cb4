//! A file that the members of a communicator have open.
use std::{ops::Range, sync::Arc};

use wb_comm::{FileArgs, Result, file::merge_blocks};

use crate::fabric::{delivery::StorageTransfer, files::storage::Storage};

/// An open file. It belongs to a communicator of its own, whose members are those that have opened it: its collective calls are matched
/// and awaited there.
#[derive(Debug)]
pub(crate) struct FileState {
    /// The arguments with which it was opened.
    pub(crate) args: FileArgs,
    pub(crate) storage: Arc<Storage>,
    /// The blocks of each member's part of the collective transfer that is being agreed on.
    requests: Vec<Vec<Range<u64>>>,
    /// The bytes that the last call for a new size has cut off or added.
    resized: Range<u64>,
}

impl FileState {
    pub(crate) fn new(args: FileArgs, storage: Arc<Storage>, size: usize) -> Self {
        Self { args, storage, requests: vec![vec![]; size], resized: 0..0 }
    }

    /// All members give the file a new size.
    pub(crate) fn set_size(&mut self, bytes: u64) -> Result<()> {
        let before = self.storage.size()?;
        self.resized = before.min(bytes)..before.max(bytes);
        self.storage.set_size(bytes)
    }

    /// The bytes that the last call for a new size has cut off or added, if there are any.
    pub(crate) fn resized(&self) -> Vec<Range<u64>> {
        Some(self.resized.clone()).filter(|bytes| !bytes.is_empty()).into_iter().collect()
    }

    /// A member's part of the next collective transfer.
    pub(crate) fn request(&mut self, member: usize, blocks: Vec<Range<u64>>) {
        self.requests[member] = blocks;
    }

    /// Joins the parts of all members: blocks that touch are one request, and the members share the requests.
    pub(crate) fn take_transfer(&mut self) -> StorageTransfer {
        let members = self.requests.len();
        let parts: Vec<_> = self.requests.iter_mut().map(std::mem::take).collect();
        let exchanged_bytes = parts.iter().map(|blocks| byte_count(blocks)).max().unwrap_or(0);
        let merged = merge_blocks(parts.into_iter().flatten().collect());
        StorageTransfer {
            requests: merged.len().div_ceil(members),
            bytes: byte_count(&merged),
            exchanged_bytes,
        }
    }
}

/// The bytes of some blocks.
pub(crate) fn byte_count(blocks: &[Range<u64>]) -> u64 {
    blocks.iter().map(|block| block.end - block.start).sum()
}

#[cfg(test)]
mod tests {
    use wb_comm::FileMode;

    use super::*;

    #[test]
    fn members_that_read_neighbouring_columns_make_one_request() {
        let args = FileArgs { path: "a".to_owned(), mode: FileMode::read_only() };
        let mut file = FileState::new(args, Arc::default(), 2);
        file.request(0, vec![0..4, 8..12]);
        file.request(1, vec![4..8, 12..14]);
        assert_eq!(file.take_transfer(), StorageTransfer { requests: 1, bytes: 14, exchanged_bytes: 8 });
        file.request(1, vec![4..8, 12..14, 20..21]);
        assert_eq!(file.take_transfer(), StorageTransfer { requests: 2, bytes: 7, exchanged_bytes: 7 });
    }

    #[test]
    fn a_new_size_concerns_the_bytes_between_both_sizes() {
        for (bytes, expected) in [(6, Some(2..6)), (1, Some(1..2)), (2, None)] {
            let args = FileArgs { path: "a".to_owned(), mode: FileMode::read_only() };
            let storage = Arc::new(Storage::in_memory("a".to_owned(), vec![0; 2]));
            let mut file = FileState::new(args, storage, 1);
            file.set_size(bytes).expect("in memory");
            assert_eq!(file.resized(), Vec::from_iter(expected), "{bytes} bytes");
        }
    }
}
