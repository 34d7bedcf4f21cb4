//! Tests of the module above.
use super::*;
use crate::{CallSite, CartesianGrid, Code, Neighbours, Verb};

fn call_of(verb: Verb) -> CollectiveCall {
    CollectiveCall::new(CallSite::caller(verb))
}

fn codes(first: &CollectiveCall, second: &CollectiveCall) -> Option<Code> {
    let mut matcher = CollectiveMatcher::new(2);
    matcher.enter(0, first.clone()).expect("alone");
    matcher.enter(1, second.clone()).err().map(|mismatch| mismatch.code)
}

#[test]
fn each_aspect_has_its_code() {
    let bcast = call_of(Verb::Bcast).with_root(0).with_elements(Datatype::I64, CollectiveCounts::Equal(4));
    assert_eq!(codes(&bcast, &bcast.clone()), None);
    assert_eq!(codes(&bcast, &call_of(Verb::Barrier)), Some(Code::CollectiveOrder));
    assert_eq!(codes(&bcast, &bcast.clone().with_root(1)), Some(Code::CollectiveRoot));
    let other = |datatype, length| bcast.clone().with_elements(datatype, CollectiveCounts::Equal(length));
    assert_eq!(codes(&bcast, &other(Datatype::F64, 4)), Some(Code::CollectiveType));
    assert_eq!(codes(&bcast, &other(Datatype::I64, 5)), Some(Code::CollectiveCount));
    let reduce = |operation| call_of(Verb::Allreduce).with_operation(operation);
    let different = codes(&reduce(Operation::Sum), &reduce(Operation::Max));
    assert_eq!(different, Some(Code::CollectiveOperation));
}

#[test]
fn grids_are_equal_and_edges_have_two_ends() {
    let makes = |topology: NewTopology| call_of(Verb::CartCreate).with_topology(topology);
    let grid = |dims: &[usize], reorder| {
        let grid = CartesianGrid { dims: dims.to_vec(), periods: vec![false; dims.len()] };
        makes(NewTopology::Cartesian { grid, reorder })
    };
    assert_eq!(codes(&grid(&[2, 1], false), &grid(&[2, 1], false)), None);
    assert_eq!(codes(&grid(&[2, 1], false), &grid(&[1, 2], false)), Some(Code::CollectiveTopology));
    assert_eq!(codes(&grid(&[2], false), &grid(&[2], true)), Some(Code::CollectiveTopology));
    let graph = |sources: &[Rank], destinations: &[Rank]| {
        let (sources, destinations) = (sources.to_vec(), destinations.to_vec());
        let neighbours = Neighbours { sources, destinations, is_cartesian: false };
        makes(NewTopology::Graph { neighbours, reorder: false })
    };
    assert_eq!(codes(&graph(&[1], &[1, 1]), &graph(&[0, 0], &[0])), None);
    assert_eq!(codes(&graph(&[1], &[1, 1]), &graph(&[0], &[0])), Some(Code::CollectiveTopology));
    assert_eq!(codes(&graph(&[], &[]), &graph(&[], &[0])), Some(Code::CollectiveTopology));
    let same = graph(&[1], &[1]);
    assert_eq!(codes(&same, &same.clone()), Some(Code::CollectiveTopology), "rank 1 names itself");
}

#[test]
fn tables_are_held_against_blocks_and_exchanges_pair_by_pair() {
    let brings = |lengths| call_of(Verb::Scatterv).with_elements(Datatype::I64, lengths);
    let table = brings(CollectiveCounts::Table(vec![1, 3]));
    assert_eq!(codes(&table, &brings(CollectiveCounts::Block(3))), None);
    assert_eq!(codes(&table, &brings(CollectiveCounts::Block(2))), Some(Code::CollectiveCount));
    let zero = brings(CollectiveCounts::Exchange(vec![0, 5], vec![0, 2]));
    let one = |back| brings(CollectiveCounts::Exchange(vec![back, 1], vec![5, 1]));
    assert_eq!(codes(&zero, &one(2)), None);
    assert_eq!(codes(&zero, &one(3)), Some(Code::CollectiveCount));
}

#[test]
fn a_rank_may_run_ahead_and_is_held_against_the_call_of_its_number() {
    let mut matcher = CollectiveMatcher::new(2);
    for verb in [Verb::Barrier, Verb::Bcast, Verb::Barrier] {
        matcher.enter(0, call_of(verb)).expect("alone");
    }
    matcher.enter(1, call_of(Verb::Barrier)).expect("the first");
    matcher.enter(1, call_of(Verb::Bcast)).expect("the second");
    let mismatch = matcher.enter(1, call_of(Verb::Bcast)).expect_err("the third differs");
    assert_eq!((mismatch.call.rank, mismatch.earlier.rank), (1, 0));
    assert!(mismatch.to_string().contains("collective_matcher/tests.rs:"), "{mismatch}");
}

#[test]
fn who_has_not_come_to_which_collective_is_known() {
    let mut matcher = CollectiveMatcher::new(3);
    let mut enter = |rank, verb| matcher.enter(rank, call_of(verb)).expect("they fit");
    [0, 1, 2].into_iter().for_each(|rank| enter(rank, Verb::Barrier));
    [2, 0, 2]
        .into_iter()
        .zip([Verb::Bcast, Verb::Bcast, Verb::Scan])
        .for_each(|(rank, verb)| enter(rank, verb));
    let contents = |open: IncompleteCollective| {
        let called: Vec<_> = open.called.iter().map(|call| (call.rank, call.site.verb)).collect();
        (called, open.missing, open.later_incomplete)
    };
    let bcast = Some((vec![(2, Verb::Bcast), (0, Verb::Bcast)], vec![1], 1));
    let scan = Some((vec![(2, Verb::Scan)], vec![0, 1], 0));
    assert_eq!(matcher.first_incomplete().map(contents), bcast);
    assert_eq!([0, 1, 2].map(|rank| matcher.last_incomplete_of(rank).map(contents)), [bcast, None, scan]);
}

/// Every way in which three ranks can come with one of these each: the matcher agrees with comparing all pairs.
#[test]
fn whoever_fits_fits_everybody_who_came_before() {
    let plain = || call_of(Verb::Gatherv).with_elements(Datatype::I64, CollectiveCounts::None);
    let lengths = [
        CollectiveCounts::Block(1),
        CollectiveCounts::Block(2),
        CollectiveCounts::Equal(1),
        CollectiveCounts::Table(vec![1, 1, 2]),
        CollectiveCounts::Table(vec![2, 1, 1]),
        CollectiveCounts::Exchange(vec![1; 3], vec![1; 3]),
        CollectiveCounts::Exchange(vec![1, 2, 1], vec![1; 3]),
    ];
    let others =
        [call_of(Verb::Barrier), call_of(Verb::Gatherv), plain(), plain().with_root(1), plain().with_root(2)];
    let reduced = [Operation::Sum, Operation::Max].map(|operation| plain().with_operation(operation));
    let floats = plain().with_elements(Datatype::F64, CollectiveCounts::Block(1));
    let with = lengths.map(|lengths| plain().with_elements(Datatype::I64, lengths));
    let all: Vec<_> = with.into_iter().chain(others).chain(reduced).chain([floats]).collect();
    let mut refused = 0;
    for [first, second, third] in triples(&all) {
        let mut matcher = CollectiveMatcher::new(3);
        let calls = [(0, first), (2, second), (1, third)];
        for (at, (rank, brings)) in calls.iter().enumerate() {
            let mismatch = matcher.enter(*rank, (*brings).clone()).err();
            let wanted = calls[..at].iter().find_map(|(other, theirs)| {
                let mismatch = brings.find_mismatch(*rank, theirs, *other)?;
                Some((mismatch.code, *other))
            });
            assert_eq!(
                mismatch.as_ref().map(|mismatch| (mismatch.code, mismatch.earlier.rank)),
                wanted,
                "{calls:?}"
            );
            if mismatch.is_some() {
                refused += 1;
                break;
            }
        }
    }
    assert!(refused > 1000, "{refused} of {}", all.len().pow(3));
}

fn triples<T>(all: &[T]) -> impl Iterator<Item = [&T; 3]> {
    all.iter().flat_map(move |first| {
        all.iter().flat_map(move |second| all.iter().map(move |third| [first, second, third]))
    })
}
