//! The memory that the ranks of a node share for a window: whether there is enough of it is known before the library is asked.
//!
//! A library that finds too little dies by a signal, does not end, or calls it an internal error.

use wb_comm::{Error, Result, text};

use crate::{
    communicator::{MpiCommunicator, all_gather},
    nodes::nodes,
};

/// The folder of the files that the ranks of a node map.
const FOLDER: &str = "/dev/shm";

/// Collective: an error on all ranks where a window has parts of `bytes` bytes on this rank, and those of the ranks of one node together
/// are larger than what is free of its shared memory. One rank alone shares nothing.
pub(super) fn check(communicator: &MpiCommunicator, bytes: usize) -> Result<()> {
    if communicator.size == 1 {
        return Ok(());
    }
    let nodes = nodes(communicator)?;
    let (parts, free) = (all_gather(communicator, bytes as u64)?, all_gather(communicator, free_bytes())?);
    let Some((needed, free)) = missing_space(&nodes, &parts, &free) else { return Ok(()) };
    let (needed, free) = (needed.div_ceil(1 << 20), free >> 20);
    Err(Error::Setup(text::window::no_shared_memory(needed, FOLDER, free)))
}

/// What the first node needs whose ranks lack space, and what is free there; all by rank.
fn missing_space(nodes: &[usize], parts: &[u64], free: &[u64]) -> Option<(u64, u64)> {
    let of_node = |node| nodes.iter().zip(parts).filter(move |(at, _)| **at == node).map(|(_, part)| part);
    let mut needs = nodes.iter().zip(free).map(|(&node, &free)| (of_node(node).sum(), free));
    needs.find(|(needed, free)| needed > free)
}

/// The free bytes of the folder; the largest number where a system has none.
fn free_bytes() -> u64 {
    rustix::fs::statvfs(FOLDER).map_or(u64::MAX, |about| about.f_bavail * about.f_frsize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_one_node_together_must_fit_its_shared_memory() {
        assert_eq!(missing_space(&[0, 0], &[8, 8], &[16, 16]), None);
        assert_eq!(missing_space(&[0, 0], &[8, 9], &[16, 16]), Some((17, 16)));
        assert_eq!(missing_space(&[0, 1, 0], &[8, 16, 8], &[16; 3]), None, "two nodes");
        assert_eq!(missing_space(&[0, 1, 1], &[8, 8, 9], &[64, 16, 15]), Some((17, 16)));
        assert!(free_bytes() > 0);
    }
}
