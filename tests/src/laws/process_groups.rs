//! Laws of groups and of the communicators that are made of them.
use std::panic::{AssertUnwindSafe, catch_unwind};

use wb_comm::panic_place::RankStop;
use wb_world::{Group, GroupComparison, Operation, Rank, World};

use super::Law;

pub(super) const LAWS: &[Law] = &[
    ("group: the processes of a communicator, and a part of a part knows where it comes from", origin),
    ("groups: even and odd ranks together are all, and have nothing in common", even_and_odd),
    ("comm_create: the ranks of the group in its order, and no other rank", comm_create),
    ("comm_create: groups without a common rank in one call", disjoint_groups),
    ("comm_create_group: only the ranks of the group call it", comm_create_group),
    ("comm_create_group: overlapping groups one after another, and tags keep two apart", overlapping_groups),
    ("split_type_shared: every rank is with the ranks of its node", split_type_shared),
    ("compare: ident, congruent, similar, unequal", compare),
    ("set_name: a name of its own for every communicator", names),
    ("abort: it does not return, and says who ends the job with which code", abort),
    ("more communicators than a rank may hold at a time are an error, until one is dropped", too_many),
    ("a group that cannot be is an error on its rank, and the next communicator is made", refusals),
];

fn group(world: &World) -> Group {
    world.group().expect("group")
}

/// Every second rank, the last one first.
fn every_second(world: &World) -> Group {
    let last = (world.size() - 1) / 2 * 2;
    group(world).range_incl(&[(last, 0, -2)]).expect("the ranks exist")
}

/// The ranks of `world` in the order of their ranks in `part`, which must also have the messages of its own ranks only.
fn assert_members(world: &World, part: &World, members: &[Rank]) {
    assert_eq!((part.size(), members[part.rank()]), (members.len(), world.rank()));
    let mut ranks = vec![usize::MAX; members.len()];
    part.allgather(&[world.rank()], &mut ranks).expect("allgather");
    assert_eq!(ranks, members);
}

fn origin(world: &World) {
    let all = group(world);
    assert_eq!((all.size(), all.rank()), (world.size(), Some(world.rank())));
    let key = -i32::try_from(world.rank()).expect("small");
    let part = world.split(Some((world.rank() % 2) as u32), key).expect("split").expect("a colour");
    let members = group(&part);
    let ranks: Vec<_> = (0..part.size()).collect();
    let found = members.translate_ranks(&ranks, &all).expect("they are there");
    let expected: Vec<_> =
        (0..world.size()).filter(|rank| rank % 2 == world.rank() % 2).rev().map(Some).collect();
    assert_eq!(found, expected);
    assert_eq!(members.rank(), Some(part.rank()));
    assert_eq!(all.difference(&members).rank(), None);
}

fn even_and_odd(world: &World) {
    let all = group(world);
    let even = every_second(world);
    let odd = all.range_excl(&[(0, world.size() - 1, 2)]).expect("the ranks exist");
    let mut ranks: Vec<_> = (0..world.size()).filter(|rank| rank % 2 == 0).rev().collect();
    ranks.extend((0..world.size()).filter(|rank| rank % 2 == 1));
    assert_eq!(even.union(&odd), all.incl(&ranks).expect("the ranks exist"));
    assert_eq!(
        (even.intersection(&odd).size(), all.intersection(&even).compare(&even)),
        (
            0,
            match even.size() {
                1 => GroupComparison::Ident,
                _ => GroupComparison::Similar,
            }
        )
    );
    assert_eq!(
        [even.rank().is_some(), odd.rank().is_some()],
        [world.rank().is_multiple_of(2), world.rank() % 2 == 1]
    );
}

fn comm_create(world: &World) {
    let group = every_second(world);
    let part = world.comm_create(&group).expect("comm_create");
    assert_eq!(part.is_some(), world.rank().is_multiple_of(2));
    let members: Vec<_> = (0..world.size()).filter(|rank| rank % 2 == 0).rev().collect();
    if let Some(part) = part {
        assert_members(world, &part, &members);
        assert_eq!(part.group(), Ok(group));
    }
}

fn disjoint_groups(world: &World) {
    let half = world.size().div_ceil(2);
    let low: Vec<_> = (0..half).rev().collect();
    let high: Vec<_> = (half..world.size()).collect();
    let mine = if world.rank() < half { &low } else { &high };
    let made = world.comm_create(&group(world).incl(mine).expect("the ranks exist")).expect("comm_create");
    assert_members(world, &made.expect("every rank is in a group"), mine);
    let none = world.comm_create(&group(world).incl(&[]).expect("no rank")).expect("comm_create");
    assert!(none.is_none());
}

fn comm_create_group(world: &World) {
    let group = every_second(world);
    let members: Vec<_> = (0..world.size()).filter(|rank| rank % 2 == 0).rev().collect();
    if world.rank() % 2 == 1 {
        return;
    }
    let part = world.comm_create_group(&group, 5).expect("comm_create_group");
    assert_members(world, &part, &members);
    let again = world.comm_create_group(&group, 5).expect("comm_create_group");
    assert_eq!(part.compare(&again), Ok(GroupComparison::Congruent));
    let next = (part.rank() + 1) % part.size();
    let before = (part.rank() + part.size() - 1) % part.size();
    let outer = part.isend(vec![1], next, 3).expect("isend");
    let inner = again.isend(vec![2], next, 3).expect("isend");
    let mut received = [0];
    again.recv(&mut received, before, 3).expect("recv");
    assert_eq!(received, [2], "a message crossed from one communicator to the other");
    part.recv(&mut received, before, 3).expect("recv");
    outer.wait().expect("wait");
    inner.wait().expect("wait");
    // A part of it, again by its members only.
    let mut sum = [0];
    if part.rank() < 2 {
        let pair = part.group().expect("group").range_incl(&[(0, part.size().min(2) - 1, 1)]);
        let pair = part.comm_create_group(&pair.expect("they exist"), 0).expect("comm_create_group");
        pair.allreduce(&[world.rank()], &mut sum, Operation::Sum).expect("allreduce");
        assert_eq!(sum[0], members.iter().take(2).sum::<usize>());
    }
}

/// Pairs of neighbours: every inner rank is in two groups.
fn overlapping_groups(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let pair = |low: Rank| group(world).incl(&[low + 1, low]).expect("they exist");
    for low in [rank.checked_sub(1), (rank + 1 < size).then_some(rank)].into_iter().flatten() {
        let first = world.comm_create_group(&pair(low), 7).expect("comm_create_group");
        let second = world.comm_create_group(&pair(low), 8).expect("comm_create_group");
        assert_members(world, &first, &[low + 1, low]);
        assert_members(world, &second, &[low + 1, low]);
    }
}

fn split_type_shared(world: &World) {
    let key = -i32::try_from(world.rank()).expect("small");
    let node = world.split_type_shared(key).expect("split_type_shared");
    let mut ranks = vec![usize::MAX; node.size()];
    node.allgather(&[world.rank()], &mut ranks).expect("allgather");
    assert!(ranks.is_sorted_by(|a, b| a > b), "the keys order: {ranks:?}");
    let mut sizes = vec![0; world.size()];
    world.allgather(&[node.size()], &mut sizes).expect("allgather");
    assert!(ranks.iter().all(|rank| sizes[*rank] == node.size()), "{ranks:?} of {sizes:?}");
    assert!(node.window_shared::<i64>(1).expect("they share memory").free().is_ok());
}

fn compare(world: &World) {
    assert_eq!(world.compare(world), Ok(GroupComparison::Ident));
    assert_eq!(world.compare(&world.dup().expect("dup")), Ok(GroupComparison::Congruent));
    let key = -i32::try_from(world.rank()).expect("small");
    let turned = world.split(Some(0), key).expect("split").expect("a colour");
    let expected = if world.size() == 1 { GroupComparison::Congruent } else { GroupComparison::Similar };
    assert_eq!((world.compare(&turned), turned.compare(world)), (Ok(expected), Ok(expected)));
    let alone = world.split(Some(world.rank() as u32), 0).expect("split").expect("a colour");
    let expected = if world.size() == 1 { GroupComparison::Congruent } else { GroupComparison::Unequal };
    assert_eq!(world.compare(&alone), Ok(expected));
}

fn names(world: &World) {
    let before = world.name();
    let duplicate = world.dup().expect("dup");
    assert_eq!(duplicate.name(), "", "a new communicator has no name");
    duplicate.set_name("the second one").expect("set_name");
    assert_eq!((duplicate.name(), world.name()), ("the second one".to_owned(), before));
}

fn abort(world: &World) {
    // One rank is enough: its panic is caught here, and the job continues.
    if world.rank() > 0 {
        return;
    }
    let caught = catch_unwind(AssertUnwindSafe(|| world.abort(3))).expect_err("it does not return");
    assert_eq!(caught.downcast_ref(), Some(&RankStop::Abort { rank: 0, code: 3 }));
}

fn too_many(world: &World) {
    let alone = world.split(Some(world.rank() as u32), 0).expect("split").expect("a colour");
    if world.rank() > 0 {
        return;
    }
    let mut held: Vec<_> = (0..).map_while(|_| alone.dup().ok()).collect();
    let error = alone.dup().map(drop).expect_err("too many").to_string();
    assert!(error.starts_with("dup: this rank holds 500 comm"), "{error}");
    let all = group(&alone);
    assert!(alone.split(Some(0), 0).is_err() && alone.split_type_shared(0).is_err());
    assert!(alone.comm_create(&all).is_err() && alone.comm_create_group(&all, 0).is_err());
    assert!(alone.barrier_init().is_err());
    held.pop();
    alone.dup().expect("there is room again").barrier().expect("barrier");
}

fn refusals(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let all = group(world);
    assert!(all.incl(&[size]).is_err() && all.excl(&[0, 0]).is_err());
    let alone = world.split(Some(rank as u32), 0).expect("split").expect("a colour");
    assert!(alone.split(Some(1 << 31), 0).is_err() && alone.split(Some((1 << 31) - 1), 0).is_ok());
    let outside = alone.comm_create(&all).map(|made| made.is_some());
    assert_eq!(outside.is_err(), size > 1, "{outside:?}");
    let others = all.excl(&[rank]).expect("it exists");
    let error =
        world.comm_create_group(&others, 0).map(|made| made.size()).expect_err("this rank is not in it");
    assert!(error.to_string().contains("this rank is not in the group"), "{error}");
    let error =
        alone.comm_create_group(&group(&alone), -1).map(|made| made.size()).expect_err("a negative tag");
    assert!(error.to_string().contains("tag -1"), "{error}");
    assert_eq!(world.comm_create(&all).expect("comm_create").expect("a member").size(), size);
}
