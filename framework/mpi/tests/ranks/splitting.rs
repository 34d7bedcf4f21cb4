//! Communicators made from communicators.
use wb_comm::{CallSite, MAX_COMMUNICATORS, NewTopology, Transport, Verb};

pub(crate) fn a_half_of_a_half(world: &dyn Transport) {
    let half = |of: &dyn Transport| {
        let color = (of.rank() * 2 / of.size()) as u32;
        of.split(Some(color), 0, CallSite::caller(Verb::Split)).expect("split").expect("a color")
    };
    let quarter = half(&*half(world));
    let library = quarter.native_collectives().expect("MPI has one");
    library.barrier(CallSite::caller(Verb::Barrier)).expect("all of the quarter");
}

/// MPICH has room for about 1,000: dropped ones are freed, though ranks drop them at different times, and a rank holds as many as it may.
pub(crate) fn many_in_turn(world: &dyn Transport) {
    let (rank, members) = (world.rank(), (0..world.size()).collect::<Vec<_>>());
    let of_all = NewTopology::Group { ranks: members.clone() };
    let site = CallSite::caller(Verb::Split);
    let make = |step: usize| match step % 4 {
        0 => world.split(Some(((rank + step / 4) % 2) as u32), 0, site).expect("split").expect("a color"),
        1 => world.create_topology(&of_all, site).expect("made").expect("a member"),
        2 => world.dup(site).expect("duplicated").dup(site).expect("duplicated"),
        _ => world.create_group(&members, 3, site).expect("made"),
    };
    let mut held: Vec<_> = (0..3).map(make).collect();
    (0..1_000).for_each(|step| held[step % (1 + rank % 3)] = make(step));
    held.extend((held.len()..MAX_COMMUNICATORS).map(make));
}
