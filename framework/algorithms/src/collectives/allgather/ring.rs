//! Ring allgather (Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in MPICH", 2005).
//!
//! Step s = 0 .. P-2: send block (r - s) mod P to the right, receive block (r - s - 1) mod P from the left. The block
//! received in one step is sent in the next.
//!
//! Messages P (P - 1), rounds P - 1; each rank sends every other block once, so the bandwidth is optimal and only
//! neighbours communicate.
use wb_comm::{CollectiveSchedule, Part};

use crate::collectives::{BlockLayout, Member};

/// The send buffer is this rank's block, the receive buffer has room for all blocks.
pub fn ring(member: Member, blocks: BlockLayout<'_>) -> CollectiveSchedule {
    let Member { rank: r, size: p } = member;
    let mut schedule = CollectiveSchedule::default();
    schedule.copy(Part::send(blocks.count(r)), blocks.of_recv(r));
    for s in 0..p - 1 {
        let (out, into) = (blocks.of_recv(member.before(s)), blocks.of_recv(member.before(s + 1)));
        schedule.exchange(member.after(1), out, member.before(1), into);
    }
    schedule
}
