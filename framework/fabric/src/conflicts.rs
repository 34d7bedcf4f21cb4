//! Every pair of kinds of access to every pair of ranges, held against what MPI says and against what comes of it.
//!
//! The rules of races have an oracle that is written down here a second time, from MPI-4.1, 12.7 (`docs/rma.md`, rule 8). Whether
//! the order of two accesses matters has one that needs no rules: both orders are carried out.
use std::ops::Range;

use wb_comm::{
    Accumulation, Block, Layout, Operation, Site, Touch, Touched, Verb, ViewMut, WindowKind, Word,
};

use crate::{
    access::{Access, Change, Flight},
    part::{Part, parts},
    races::Races,
};

const ELEMENTS: usize = 4;

/// Every range of these elements, an empty one too.
fn ranges() -> Vec<Range<usize>> {
    let some = (0..ELEMENTS).flat_map(|start| (start + 1..=ELEMENTS).map(move |end| start..end));
    some.chain(std::iter::once(2..2)).collect()
}

fn pairs() -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    ranges().into_iter().flat_map(|one| ranges().into_iter().map(move |other| (one.clone(), other)))
}

fn share(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.clone().any(|at| other.contains(&at))
}

const SUM: Accumulation = Accumulation::With(Operation::Sum);
const MAX: Accumulation = Accumulation::With(Operation::Max);

const TOUCHES: [Touch; 10] = [
    Touch::Put,
    Touch::Get,
    Touch::Accumulate(SUM),
    Touch::Accumulate(MAX),
    Touch::Accumulate(Accumulation::Replace),
    Touch::Accumulate(Accumulation::Keep),
    Touch::Accumulate(Accumulation::With(Operation::BitAnd)),
    Touch::CompareAndSwap,
    Touch::Load,
    Touch::Store,
];

/// May two accesses of different ranks to one element stay without an order? Reads may. Of the others, accumulates of one
/// operation, or with a no-op, and compare-and-swap, which is as atomic.
fn need_no_order(one: Touch, other: Touch) -> bool {
    let reads = |touch| matches!(touch, Touch::Get | Touch::Load | Touch::Accumulate(Accumulation::Keep));
    let operation = |touch| match touch {
        Touch::Accumulate(how) => Some(Some(how)),
        Touch::CompareAndSwap => Some(None),
        _ => None,
    };
    if reads(one) && reads(other) {
        return true;
    }
    match (operation(one), operation(other)) {
        (Some(Some(one)), Some(Some(other))) => one == other || [one, other].contains(&Accumulation::Keep),
        (Some(_), Some(_)) => true,
        _ => false,
    }
}

/// Two ranks whose calls nothing orders: rank 0 owns the part.
fn race([one, other]: [&Touched; 2], ranks: [usize; 2]) -> bool {
    let mut races = Races::of(3);
    races.open(vec![0, 1, 2].into());
    races.touch(0, ranks[0], one.clone());
    races.touch(0, ranks[1], other.clone());
    races.findings().next().is_some()
}

#[test]
fn races_are_those_that_the_standard_names() {
    let by_hand = |how| matches!(how, Touch::Load | Touch::Store);
    let mut counts = [0, 0];
    for (one, other) in TOUCHES.into_iter().flat_map(|one| TOUCHES.map(|other| (one, other))) {
        if by_hand(one) && by_hand(other) {
            continue; // The owner's own, in its own order.
        }
        let ranks = [usize::from(!by_hand(one)), if by_hand(other) { 0 } else { 2 }];
        for (elements, others) in pairs() {
            for locked in [[true, true], [true, false], [false, true], [false, false]] {
                let touched = |how, elements: &Range<usize>, locked| Touched {
                    how,
                    target: 0,
                    elements: elements.clone(),
                    whole: false,
                    locked,
                    site: Site::here(Verb::Put),
                };
                let calls = [touched(one, &elements, locked[0]), touched(other, &others, locked[1])];
                let wanted = share(&elements, &others) && !need_no_order(one, other) && locked != [false; 2];
                let told = format!("{one:?} {elements:?}, {other:?} {others:?}, locked {locked:?}");
                assert_eq!(race([&calls[0], &calls[1]], ranks), wanted, "{told}");
                assert_eq!(
                    race([&calls[1], &calls[0]], [ranks[1], ranks[0]]),
                    wanted,
                    "{told}, the other first"
                );
                counts[usize::from(wanted)] += 1;
            }
        }
    }
    assert!(counts[0] > 1000 && counts[1] > 1000, "{counts:?}");
}

/// What an origin can do to elements of a part of 64-bit integers; `seed` tells the data of two origins apart.
fn changes(count: usize, seed: i64) -> Vec<Change<Block>> {
    let data = |first: i64| Block::of((0..count as i64).map(|at| first + 2 * at).collect::<Vec<i64>>());
    let combined =
        [SUM, MAX, Accumulation::With(Operation::BitXor), Accumulation::Replace, Accumulation::Keep];
    let mut all: Vec<_> = combined.map(|how| Change::Combine(data(5 + 8 * seed), how)).into();
    all.push(Change::Nothing);
    if count == 1 {
        all.push(Change::Swap { expected: data(1), value: data(20 + seed) });
        all.extend([Word::Keep, Word::Add(3 + seed), Word::Replace(30 + seed)].map(Change::Word));
    }
    all
}

fn flights(origin: usize, elements: &Range<usize>) -> Vec<Flight> {
    let count = elements.len();
    let both = changes(count, origin as i64).into_iter().zip(changes(count, origin as i64));
    let flight = |change, brings| Flight {
        window: 0,
        access: Access { origin, target: 0, at: elements.start, count, change, brings, ordered: true },
        brought: None,
        place: None,
        clock: None,
    };
    both.flat_map(|(change, again)| [flight(change, false), flight(again, true)]).collect()
}

fn part(first: i64) -> Part {
    let (mut parts, _) = parts(WindowKind::Create, Layout::I64, &[ELEMENTS], false);
    let mut part = parts.remove(0);
    let values: Vec<i64> = (0..ELEMENTS as i64).map(|at| first * (1 + at)).collect();
    part.accumulate(0, Block::of(values).view(), Accumulation::Replace);
    part
}

fn contents(part: &Part) -> Vec<i64> {
    let mut values = vec![0_i64; ELEMENTS];
    part.read(0, ViewMut::of(&mut values));
    values
}

/// What two accesses leave and bring, one after the other, by origin: with what a watcher sees in between, if one is there.
fn outcome(order: [&Flight; 2], first: i64, is_watched: bool) -> (Vec<i64>, [Vec<i64>; 2], Vec<i64>) {
    let (mut part, mut brought, mut between) = (part(first), [vec![], vec![]], vec![]);
    for (at, flight) in order.into_iter().enumerate() {
        let mut values = vec![0_i64; flight.access.count];
        let into = flight.access.brings.then(|| ViewMut::of(&mut values));
        flight.access.view().carry_out(&mut part, into);
        if flight.access.brings {
            brought[flight.access.origin] = values;
        }
        if at == 0 && is_watched {
            between = contents(&part);
        }
    }
    (contents(&part), brought, between)
}

#[test]
fn what_conflicts_is_what_comes_to_something_else_in_the_other_order() {
    let mut counts = [0, 0];
    for (elements, others) in pairs() {
        for one in flights(0, &elements) {
            for other in flights(1, &others) {
                for is_watched in [false, true] {
                    let meet = share(&elements, &others);
                    let both_change = one.access.changes() && other.access.changes();
                    let differs = |first| {
                        let there = outcome([&one, &other], first, is_watched);
                        let back = outcome([&other, &one], first, is_watched);
                        // Who watches elements that only one of them changes sees the same values either way.
                        let seen = meet && both_change && there.2 != back.2;
                        (there.0, there.1) != (back.0, back.1) || seen
                    };
                    let wanted = [1, 7, 100].into_iter().any(differs);
                    let found = one.footprint(is_watched).conflicts(&other.footprint(is_watched));
                    let told = || format!("{one:?}\n{other:?}\nwatched {is_watched}");
                    assert!(found || !wanted, "missed: {}", told());
                    let may = meet && (one.access.changes() || other.access.changes());
                    assert!(may || !found, "invented: {}", told());
                    counts[usize::from(wanted)] += 1;
                }
            }
        }
    }
    assert!(counts[0] > 1000 && counts[1] > 1000, "{counts:?}");
}
