//! One call of every verb of groups; `docs/world.md` shows them.
use wb_world::{ANY_SOURCE, Group, GroupComparison, InterWorld, Rank, Result, Status, World};

use super::Law;

pub(super) const LAWS: &[Law] = &[("the examples of groups hold", |world| {
    groups(world)
        .and_then(|()| communicators(world))
        .and_then(|()| if world.size() > 1 { between_groups(world) } else { Ok(()) })
        .expect("every call succeeds");
})];

fn groups(world: &World) -> Result<()> {
    // World::group
    let all = world.group()?;
    // Group::size
    let size = all.size();
    // Group::rank
    let rank: Option<Rank> = all.rank();
    // Group::incl
    let first = all.incl(&[0])?;
    // Group::excl
    let others = all.excl(&[0])?;
    // Group::range_incl
    let even = all.range_incl(&[(0, size - 1, 2)])?;
    // Group::range_excl
    let odd = all.range_excl(&[(0, size - 1, 2)])?;
    // Group::union
    let both: Group = first.union(&others);
    // Group::intersection
    let none = even.intersection(&odd);
    // Group::difference
    let rest = all.difference(&first);
    // Group::translate_ranks
    let in_all = even.translate_ranks(&[0], &all)?;
    // Group::compare
    let comparison = both.compare(&all);
    assert_eq!((size, rank, in_all), (world.size(), Some(world.rank()), vec![Some(0)]));
    assert_eq!((none.size(), rest, comparison), (0, others, GroupComparison::Ident));
    Ok(())
}

fn communicators(world: &World) -> Result<()> {
    let even = world.group()?.range_incl(&[(0, world.size() - 1, 2)])?;
    // World::comm_create
    let part = world.comm_create(&even)?;
    assert_eq!(part.is_some(), even.rank().is_some());
    if even.rank().is_some() {
        // World::comm_create_group
        let part = world.comm_create_group(&even, 0)?;
        assert_eq!(part.size(), even.size());
    }
    // World::split_type_shared
    let node = world.split_type_shared(0)?;
    // World::compare
    let comparison = world.compare(&node)?;
    assert_ne!(comparison, GroupComparison::Ident);
    if node.size() == 0 {
        // World::abort
        world.abort(1);
    }
    // World::set_name
    node.set_name("node")?;
    // World::name
    let name: String = node.name();
    assert_eq!(name, "node");
    Ok(())
}

/// The first rank and all others.
fn between_groups(world: &World) -> Result<()> {
    let is_first = world.rank() == 0;
    let own = world.split(Some(u32::from(is_first)), 0)?.expect("a color");
    let leader_of_others = usize::from(is_first);
    // World::intercomm_create
    let others: InterWorld = own.intercomm_create(0, world, leader_of_others, 0)?;
    // InterWorld::rank
    let rank = others.rank();
    // InterWorld::size
    let size = others.size();
    // InterWorld::remote_size
    let remote_size = others.remote_size();
    // InterWorld::remote_group
    let remote = others.remote_group()?;
    assert_eq!((rank, size, remote_size), (own.rank(), own.size(), remote.size()));
    if rank == 0 {
        // InterWorld::isend
        let sent = others.isend(vec![world.rank()], 0, 1)?;
        // InterWorld::irecv
        let (received, _) = others.irecv::<usize>(1, 0, 1)?.wait()?;
        sent.wait()?;
        assert_eq!(received, [leader_of_others]);
        let mut mine = [0];
        // InterWorld::sendrecv
        let from: Status = others.sendrecv(&[world.rank()], 0, 2, &mut mine, ANY_SOURCE, 2)?;
        assert_eq!((from.source, mine), (0, [leader_of_others]));
        // InterWorld::send
        others.send(&[1, 2, 3], 0, 3)?;
        // InterWorld::probe
        let found = others.probe(ANY_SOURCE, 3)?;
        // InterWorld::iprobe
        let still = others.iprobe(0, 3)?;
        assert_eq!(still, Some(found));
        // InterWorld::recv_vec
        let (all, _) = others.recv_vec::<i32>(0, 3)?;
        assert_eq!(all, [1, 2, 3]);
        others.send(&[4], 0, 4)?;
        let mut buffer = [0; 2];
        // InterWorld::recv
        let status = others.recv(&mut buffer, 0, 4)?;
        assert_eq!((status.bytes, buffer[0]), (4, 4));
    }
    // InterWorld::merge
    let all = others.merge(!is_first)?;
    assert_eq!(all.rank(), world.rank());
    Ok(())
}
