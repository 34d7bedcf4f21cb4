//! Pairwise exchange by distance.
//!
//! Step d = 0 .. P-1: send block (r + d) mod P to that rank, receive from (r - d) mod P; step 0 is a copy.
//!
//! Messages P (P - 1), rounds P - 1; in every round each rank sends to one and receives from one, for every P.
use wb_comm::CollectiveSchedule;

use crate::collectives::{BlockLayout, Member};

/// Block `j` of the send buffer goes to rank `j`, block `i` of the receive buffer comes from rank `i`.
pub fn pairwise(member: Member, outgoing: BlockLayout<'_>, incoming: BlockLayout<'_>) -> CollectiveSchedule {
    let Member { rank: r, size: p } = member;
    let mut schedule = CollectiveSchedule::default();
    schedule.copy(outgoing.of_send(r), incoming.of_recv(r));
    for d in 1..p {
        let (to, from) = (member.after(d), member.before(d));
        schedule.exchange(to, outgoing.of_send(to), from, incoming.of_recv(from));
    }
    schedule
}
