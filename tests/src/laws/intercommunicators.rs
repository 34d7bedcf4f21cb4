//! Laws of inter-communicators. They need two groups, so a world of one rank has only the refusals.
use wb_world::{ANY_SOURCE, Error, InterWorld, PROC_NULL, Rank, World};

use super::Law;

pub(super) const LAWS: &[Law] = &[
    ("intercomm_create: every rank reaches every rank of the other group, by its rank there", all_pairs),
    ("intercomm_create: one rank and all others, and tags keep two apart", client_and_servers),
    ("intercomm_create: three groups in a row, the middle one with a neighbour at each side", three_groups),
    ("an inter-communicator's statuses name ranks of the other group", statuses),
    ("an inter-communicator's messages are apart from those of other communicators", apart),
    ("intercomm_merge: the low group is first, its ranks in their order", merge),
    ("intercomm_merge: ranks of one group that differ are refused on all ranks", merge_differs),
    ("groups that overlap, and ranks that the other group does not have, are refused", refusals),
];

/// The ranks of `world` of a color, the last one first; each leader is its rank 0.
fn group_of(world: &World, color: usize) -> World {
    let key = -i32::try_from(world.rank()).expect("small");
    world.split(Some(color as u32), key).expect("split").expect("a color")
}

/// The ranks of `world` of a color, in the order of [`group_of`].
fn ranks_of(world: &World, colors: usize, color: usize) -> Vec<Rank> {
    (0..world.size()).rev().filter(|rank| rank % colors == color).collect()
}

/// An inter-communicator between even and odd ranks; `None` in a world of one rank. The second value are the ranks of the other group.
fn even_and_odd(world: &World, tag: i32) -> Option<(InterWorld, Vec<Rank>)> {
    if world.size() == 1 {
        return None;
    }
    let own = world.rank() % 2;
    let others = ranks_of(world, 2, 1 - own);
    let inter = group_of(world, own).intercomm_create(0, world, others[0], tag).expect("intercomm_create");
    Some((inter, others))
}

fn all_pairs(world: &World) {
    let Some((inter, others)) = even_and_odd(world, 0) else { return };
    let own = ranks_of(world, 2, world.rank() % 2);
    assert_eq!((inter.size(), own[inter.rank()]), (own.len(), world.rank()));
    assert_eq!(inter.remote_size(), others.len());
    let all = world.group().expect("group");
    let remote = inter.remote_group().expect("remote_group");
    assert_eq!(remote.rank(), None, "this rank is in the own group");
    let in_world = remote.translate_ranks(&(0..others.len()).collect::<Vec<_>>(), &all);
    assert_eq!(in_world, Ok(others.iter().copied().map(Some).collect()));
    let sends: Vec<_> = (0..others.len())
        .map(|to| inter.isend(vec![world.rank(), others[to]], to, 4).expect("isend"))
        .collect();
    for (from, other) in others.iter().enumerate() {
        let mut received = [0; 2];
        inter.recv(&mut received, from, 4).expect("recv");
        assert_eq!(received, [*other, world.rank()]);
    }
    world.wait_all(sends).expect("wait_all");
}

fn client_and_servers(world: &World) {
    if world.size() == 1 {
        return;
    }
    let is_client = world.rank() == world.size() - 1;
    let local = world.split(Some(u32::from(is_client)), 0).expect("split").expect("a color");
    let (local_leader, remote_leader) = if is_client { (0, 0) } else { (0, world.size() - 1) };
    let make =
        |tag| local.intercomm_create(local_leader, world, remote_leader, tag).expect("intercomm_create");
    let (first, second) = (make(7), make(8));
    if is_client {
        for server in 0..first.remote_size() {
            first.send(&[server], server, 0).expect("send");
            second.send(&[server + 100], server, 0).expect("send");
        }
        return;
    }
    let mut received = [0];
    second.recv(&mut received, 0, 0).expect("recv");
    assert_eq!(received, [first.rank() + 100], "a message crossed from one communicator to the other");
    first.recv(&mut received, ANY_SOURCE, 0).expect("recv");
    assert_eq!(received, [first.rank()]);
}

fn three_groups(world: &World) {
    let size = world.size();
    if size < 3 {
        return;
    }
    let color = world.rank() % 3;
    let local = group_of(world, color);
    let to = |other: usize, tag| {
        let leader = ranks_of(world, 3, other)[0];
        local.intercomm_create(0, world, leader, tag).expect("intercomm_create")
    };
    let below = (color > 0).then(|| to(color - 1, color as i32));
    let above = (color < 2).then(|| to(color + 1, color as i32 + 1));
    let mut sum = [world.rank()];
    if let Some(below) = &below
        && local.rank() == 0
    {
        below.recv(&mut sum, 0, 1).expect("recv");
        sum[0] += world.rank();
    }
    if let Some(above) = &above
        && local.rank() == 0
    {
        above.send(&sum, 0, 1).expect("send");
    }
    if color == 2 && local.rank() == 0 {
        assert_eq!(sum[0], (0..3).map(|color| ranks_of(world, 3, color)[0]).sum::<usize>());
    }
}

fn statuses(world: &World) {
    let Some((inter, others)) = even_and_odd(world, 0) else { return };
    // Rank r of both groups exchanges, where both have it.
    let peer = inter.rank();
    if peer >= others.len().min(inter.size()) {
        return;
    }
    let found = |status: wb_world::Status| (status.source, status.tag);
    let mut received = [0];
    let status = inter.sendrecv(&[world.rank()], peer, 1, &mut received, ANY_SOURCE, 1).expect("sendrecv");
    assert_eq!((found(status), received), ((peer, 1), [others[peer]]));

    let request = inter.irecv::<usize>(1, ANY_SOURCE, 2).expect("irecv");
    inter.send(&[world.rank()], peer, 2).expect("send");
    let (data, status) = request.wait().expect("wait");
    assert_eq!((data, found(status)), (vec![others[peer]], (peer, 2)));

    let mut requests = [Some(inter.irecv::<usize>(1, peer, 3).expect("irecv"))];
    inter.send(&[world.rank()], peer, 3).expect("send");
    let (_, (_, status)) = world.wait_any(&mut requests).expect("wait_any").expect("one is there");
    assert_eq!(found(status), (peer, 3));

    inter.send(&[1_u8, 2, 3], peer, 4).expect("send");
    assert_eq!(inter.probe(ANY_SOURCE, 4).map(found), Ok((peer, 4)));
    assert_eq!(inter.iprobe(peer, 4).map(|there| there.map(found)), Ok(Some((peer, 4))));
    let (data, status) = inter.recv_vec::<u8>(ANY_SOURCE, 4).expect("recv_vec");
    assert_eq!((data, found(status)), (vec![1, 2, 3], (peer, 4)));

    let status = inter.recv(&mut received, PROC_NULL, 5).expect("recv");
    assert_eq!(status.source, PROC_NULL);
    inter.send(&[0], PROC_NULL, 5).expect("send");
}

fn apart(world: &World) {
    let Some((inter, others)) = even_and_odd(world, 0) else { return };
    let peer = inter.rank();
    if peer >= others.len().min(inter.size()) {
        return;
    }
    let outer = world.isend(vec![1], others[peer], 3).expect("isend");
    let inner = inter.isend(vec![2], peer, 3).expect("isend");
    let mut received = [0];
    inter.recv(&mut received, ANY_SOURCE, 3).expect("recv");
    assert_eq!(received, [2], "a message crossed from one communicator to the other");
    world.recv(&mut received, others[peer], 3).expect("recv");
    outer.wait().expect("wait");
    inner.wait().expect("wait");
}

fn merge(world: &World) {
    let Some((inter, _)) = even_and_odd(world, 0) else { return };
    let is_odd = world.rank() % 2 == 1;
    let [even, odd] = [0, 1].map(|color| ranks_of(world, 2, color));
    // Without a difference, the group with the lower leader is first.
    let default = if even[0] < odd[0] { 0 } else { 1 };
    for (high, first) in [(is_odd, 0), (!is_odd, 1), (true, default), (false, default)] {
        let merged = inter.merge(high).expect("merge");
        let expected = if first == 0 { [&even[..], &odd].concat() } else { [&odd[..], &even].concat() };
        let mut ranks = vec![PROC_NULL; world.size()];
        merged.allgather(&[world.rank()], &mut ranks).expect("allgather");
        assert_eq!(ranks, expected, "high: {high}");
        assert_eq!(expected[merged.rank()], world.rank());
    }
}

fn merge_differs(world: &World) {
    let Some((inter, _)) = even_and_odd(world, 0) else { return };
    // Of the even ranks, only the first one passes true.
    if world.size() < 3 {
        return;
    }
    let is_even = world.rank().is_multiple_of(2);
    let error =
        inter.merge(is_even && inter.rank() == 0).map(|merged| merged.size()).expect_err("they differ");
    assert_eq!(error.to_string(), "merge: ranks of one group pass different values of high");
}

fn refusals(world: &World) {
    let (rank, size) = (world.rank(), world.size());
    let all = world.dup().expect("dup");
    let says = |made: Result<InterWorld, Error>, reason: &str| {
        let error = made.map(|made| made.size()).expect_err(reason).to_string();
        assert!(error.contains(reason), "{error}");
    };
    says(all.intercomm_create(0, world, size - 1, 0), "is in both groups");
    says(all.intercomm_create(0, world, size, 0), &format!("remote leader {size} does not exist"));
    says(all.intercomm_create(size, world, 0, 0), &format!("local leader {size} does not exist"));
    let alone = world.split(Some(rank as u32), 0).expect("split").expect("a color");
    if size > 1 {
        says(all.intercomm_create(0, &alone, 0, 0), "is in the group, but not in this communicator");
    }
    let Some((inter, others)) = even_and_odd(world, 0) else { return };
    let error = inter.send(&[1], others.len(), 0).expect_err("it does not exist").to_string();
    let expected = format!("destination {0} does not exist: the other group has {0} rank(s)", others.len());
    assert!(error.starts_with(&expected), "{error}");
    let error = inter.iprobe(others.len(), 0).expect_err("it does not exist").to_string();
    assert!(error.starts_with(&format!("source {}", others.len())), "{error}");
    assert!(inter.send(&[1], 0, -1).is_err(), "a negative tag");
}
