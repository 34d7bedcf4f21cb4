//! The phases of odd-even transposition on blocks; the caller supplies the operation that separates them.
use workbench::{LockKind, Rank, Result, Window, World};

/// Opens this rank's window with its sorted block, and room for the block of the next phase.
///
/// # Errors
/// Errors of the window.
pub fn open(world: &World, block: &[i64]) -> Result<Window<i64>> {
    world.window_of([block, block].concat())
}

/// The approximate number of operations that sort `count` numbers: n log2 n comparisons.
pub fn sorting(count: usize) -> u64 {
    count as u64 * u64::from(count.max(1).ilog2())
}

/// Collective: sorts the blocks of all ranks, which have the same length, and returns this rank's block. `separate` is
/// called after each phase and must be a barrier.
///
/// # Errors
/// Errors of the window and of `separate`.
pub fn sort(
    world: &World,
    window: &Window<i64>,
    mut separate: impl FnMut() -> Result<()>,
) -> Result<Vec<i64>> {
    let (rank, ranks) = (window.rank(), window.size());
    let length = window.count(rank) / 2;
    let mut block = read(window, rank, 0, length)?;
    for phase in 0..ranks {
        if let Some(partner) = partner(rank, ranks, phase) {
            let other = read(window, partner, phase % 2 * length, length)?;
            // The merge of two runs reads each number once.
            world.work(2 * length as u64, 0);
            block = half(&block, &other, rank < partner);
        }
        let own = window.lock(LockKind::Exclusive, rank)?;
        own.put(&block, (phase + 1) % 2 * length)?;
        own.unlock()?;
        separate()?;
    }
    Ok(block)
}

fn read(window: &Window<i64>, of: Rank, at: usize, length: usize) -> Result<Vec<i64>> {
    let lock = window.lock(LockKind::Shared, of)?;
    let block = lock.get(length, at)?;
    lock.unlock()?;
    block.take()
}

/// The partner of a rank in a phase: pairs (0, 1), (2, 3), ... in even phases, (1, 2), (3, 4), ... in odd phases.
fn partner(rank: Rank, ranks: usize, phase: usize) -> Option<Rank> {
    let partner = if (rank + phase).is_multiple_of(2) { Some(rank + 1) } else { rank.checked_sub(1) };
    partner.filter(|partner| *partner < ranks)
}

/// The smaller or the larger half of two sorted blocks of the same length.
fn half(one: &[i64], other: &[i64], smaller: bool) -> Vec<i64> {
    let mut both = [one, other].concat();
    // Two ascending runs: the library's stable sort merges them in linear time.
    both.sort();
    let kept = if smaller { 0..one.len() } else { other.len()..both.len() };
    both[kept].to_vec()
}
