//! One call of every verb of groups; `docs/world.md` shows them.
use wb_world::{Group, GroupComparison, Rank, Result, World};

use super::Law;

pub(super) const LAWS: &[Law] = &[("the examples of groups hold", |world| {
    groups(world).and_then(|()| communicators(world)).expect("every call succeeds");
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
    // World::set_name
    node.set_name("node")?;
    // World::name
    let name: String = node.name();
    assert_eq!(name, "node");
    Ok(())
}
