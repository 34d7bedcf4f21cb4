//! All messages in one round.
//!
//! Source: MPI 4.0, section 8.6: as if every rank started a receive from each of its sources and a send to each of its destinations. Of
//! several messages between the same two ranks, the receives are posted in the order in which the peer sends.
//!
//! Messages: one for each edge that has a rank at both ends; one round.
use wb_comm::{CollectiveSchedule, Neighbours, PROC_NULL, Part, RoundMessage};

/// The parts `outgoing` go to the destinations, and the parts `incoming` come from the sources, each by its index. There is no message to or
/// from the null process.
pub fn linear(
    neighbours: &Neighbours,
    outgoing: impl Fn(usize) -> Part,
    incoming: impl Fn(usize) -> Part,
) -> CollectiveSchedule {
    let Neighbours { sources, destinations, .. } = neighbours;
    let receives =
        neighbours.receive_order().map(|at| (sources[at], RoundMessage::Receive(sources[at], incoming(at))));
    let sends = destinations.iter().enumerate().map(|(at, to)| (*to, RoundMessage::Send(*to, outgoing(at))));
    let messages = receives.chain(sends).filter(|(peer, _)| *peer != PROC_NULL).map(|(_, message)| message);
    let mut schedule = CollectiveSchedule::default();
    schedule.round(messages.collect());
    schedule
}
