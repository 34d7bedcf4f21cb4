//! The phases of odd-even transposition on blocks; what separates them is the caller's.
use workbench::{LockKind, Rank, Result, Window, World};

/// Opens this rank's window with its sorted block, and room for the block of the next phase.
///
/// # Errors
/// What the window can meet.
pub fn open(world: &World, block: &[i64]) -> Result<Window<i64>> {
    world.window_of([block, block].concat())
}

/// About how many operations a core takes to sort so many numbers: n log2 n comparisons.
pub fn sorting(count: usize) -> u64 {
    count as u64 * u64::from(count.max(1).ilog2())
}

/// Collective: sorts the blocks of all ranks, which have the same length; gives this rank's. `separate` stands after each
/// phase and must be a barrier.
///
/// # Errors
/// What the window and `separate` can meet.
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
            // Two runs are merged, each number looked at once.
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

/// With whom a rank compares in a phase: pairs (0, 1), (2, 3), ... in even ones, (1, 2), (3, 4), ... in odd ones.
fn partner(rank: Rank, ranks: usize, phase: usize) -> Option<Rank> {
    let partner = if (rank + phase).is_multiple_of(2) { Some(rank + 1) } else { rank.checked_sub(1) };
    partner.filter(|partner| *partner < ranks)
}

/// The smaller or the larger half of two sorted blocks of one length.
fn half(one: &[i64], other: &[i64], smaller: bool) -> Vec<i64> {
    let mut both = [one, other].concat();
    // Two ascending runs: the library's stable sort merges them in linear time.
    both.sort();
    let kept = if smaller { 0..one.len() } else { other.len()..both.len() };
    both[kept].to_vec()
}
