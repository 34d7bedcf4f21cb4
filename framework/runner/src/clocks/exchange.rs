//! The part that sends messages: exchanges between the ranks that measure, and the distribution of the results.
use wb_comm::{Rank, Result};
use wb_world::{Operation, World};

use crate::clocks::{HostClocks, RoundTrip};

/// The exchanges of one pair in one comparison. Delays are rare compared with them, so the shortest one is undisturbed.
pub const EXCHANGES: usize = 50;

/// The tag of all messages here.
const TAG: i32 = 0;

/// The readings that a pair's near rank contributes: the three of its shortest exchange.
const READINGS: usize = 3;

/// Collective: the shortest of [`EXCHANGES`] exchanges of every pair of clocks, in the order of [`HostClocks::pairs`],
/// the same on all ranks. `now_ns` reads this rank's clock.
///
/// Only the first rank of each clock exchanges messages. Every rank makes its exchanges in the order of the pairs, so no
/// ranks wait for each other in a circle.
///
/// # Errors
/// The errors of the backend.
pub fn compare_clocks(
    world: &World,
    clocks: &HostClocks,
    now_ns: &dyn Fn() -> u64,
) -> Result<Vec<RoundTrip>> {
    let mut mine = vec![0; READINGS * clocks.pairs().len()];
    for (pair, readings) in clocks.pairs().iter().zip(mine.as_chunks_mut::<READINGS>().0) {
        let (near, far) = (clocks.first_rank(pair.near), clocks.first_rank(pair.far));
        if world.rank() == near {
            let RoundTrip { sent_ns, remote_ns, received_ns } = start_exchanges(world, far, now_ns)?;
            *readings = [sent_ns, remote_ns, received_ns];
        } else if world.rank() == far {
            answer_exchanges(world, near, now_ns)?;
        }
    }
    // Exactly one rank has the readings of a pair, the others have zeros.
    let mut all = vec![0; mine.len()];
    world.allreduce(&mine, &mut all, Operation::Sum)?;
    let trip =
        |&[sent_ns, remote_ns, received_ns]: &[u64; READINGS]| RoundTrip { sent_ns, remote_ns, received_ns };
    Ok(all.as_chunks::<READINGS>().0.iter().map(trip).collect())
}

/// The near side of a pair.
fn start_exchanges(world: &World, far: Rank, now_ns: &dyn Fn() -> u64) -> Result<RoundTrip> {
    let mut trips = Vec::with_capacity(EXCHANGES);
    for _ in 0..EXCHANGES {
        let mut remote = [0];
        let sent_ns = now_ns();
        world.send(&[sent_ns], far, TAG)?;
        world.recv(&mut remote, far, TAG)?;
        let received_ns = now_ns();
        trips.push(RoundTrip { sent_ns, remote_ns: remote[0], received_ns });
    }
    Ok(RoundTrip::shortest(trips).expect("at least one exchange"))
}

/// The far side of a pair.
fn answer_exchanges(world: &World, near: Rank, now_ns: &dyn Fn() -> u64) -> Result<()> {
    for _ in 0..EXCHANGES {
        world.recv(&mut [0u64], near, TAG)?;
        world.send(&[now_ns()], near, TAG)?;
    }
    Ok(())
}
