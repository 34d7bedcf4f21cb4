//! Every pair of access kinds and ranges, checked against MPI's rules and against both orders of execution.
//!
//! The oracle for the rules of races is written here a second time, from MPI-4.1, 12.7 (`docs/rma.md`, rule 8). The
//! oracle for whether the order of two accesses matters needs no rules: both orders are executed.
use std::ops::Range;

use wb_comm::{
    Access, AccessKind, Accumulation, Block, CallSite, Datatype, Operation, Verb, ViewMut, WindowKind,
    WordUpdate,
};

use crate::fabric::{
    races::RaceDetector,
    rma::{
        access::{InFlightAccess, RmaOperation, TargetUpdate},
        window_part::{WindowPart, create_parts},
    },
};

const ELEMENTS: usize = 4;

/// Every range of these elements, including an empty one.
fn ranges() -> Vec<Range<usize>> {
    let some = (0..ELEMENTS).flat_map(|start| (start + 1..=ELEMENTS).map(move |end| start..end));
    some.chain(std::iter::once(2..2)).collect()
}

fn pairs() -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    ranges().into_iter().flat_map(|one| ranges().into_iter().map(move |other| (one.clone(), other)))
}

fn do_overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.clone().any(|at| other.contains(&at))
}

const SUM: Accumulation = Accumulation::With(Operation::Sum);
const MAX: Accumulation = Accumulation::With(Operation::Max);

const ACCESS_KINDS: [AccessKind; 10] = [
    AccessKind::Put,
    AccessKind::Get,
    AccessKind::Accumulate(SUM),
    AccessKind::Accumulate(MAX),
    AccessKind::Accumulate(Accumulation::Replace),
    AccessKind::Accumulate(Accumulation::Keep),
    AccessKind::Accumulate(Accumulation::With(Operation::BitAnd)),
    AccessKind::CompareAndSwap,
    AccessKind::Load,
    AccessKind::Store,
];

/// Whether two accesses of different ranks to one element may be unordered. Two reads may. Other pairs may if they are
/// accumulates of one operation, or with a no-op, or compare-and-swap, which is as atomic.
fn are_compatible(one: AccessKind, other: AccessKind) -> bool {
    let reads = |kind| {
        matches!(kind, AccessKind::Get | AccessKind::Load | AccessKind::Accumulate(Accumulation::Keep))
    };
    let operation = |kind| match kind {
        AccessKind::Accumulate(kind) => Some(Some(kind)),
        AccessKind::CompareAndSwap => Some(None),
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

/// Whether the calls of two unordered ranks are a race: rank 0 owns the part.
fn is_race([one, other]: [&Access; 2], ranks: [usize; 2]) -> bool {
    let mut races = RaceDetector::new(3);
    races.add_window(vec![0, 1, 2].into());
    races.record_access(0, ranks[0], one.clone());
    races.record_access(0, ranks[1], other.clone());
    races.findings().next().is_some()
}

#[test]
fn races_are_those_that_the_standard_names() {
    let by_hand = |kind| matches!(kind, AccessKind::Load | AccessKind::Store);
    let mut counts = [0, 0];
    for (one, other) in ACCESS_KINDS.into_iter().flat_map(|one| ACCESS_KINDS.map(|other| (one, other))) {
        if by_hand(one) && by_hand(other) {
            continue; // The owner's own, in its own order.
        }
        let ranks = [usize::from(!by_hand(one)), if by_hand(other) { 0 } else { 2 }];
        for (elements, others) in pairs() {
            for locked in [[true, true], [true, false], [false, true], [false, false]] {
                let access = |kind, elements: &Range<usize>, locked| Access {
                    kind,
                    target: 0,
                    elements: elements.clone(),
                    covers_whole_part: false,
                    is_locked: locked,
                    site: CallSite::caller(Verb::Put),
                };
                let calls = [access(one, &elements, locked[0]), access(other, &others, locked[1])];
                let wanted =
                    do_overlap(&elements, &others) && !are_compatible(one, other) && locked != [false; 2];
                let case = format!("{one:?} {elements:?}, {other:?} {others:?}, locked {locked:?}");
                assert_eq!(is_race([&calls[0], &calls[1]], ranks), wanted, "{case}");
                assert_eq!(
                    is_race([&calls[1], &calls[0]], [ranks[1], ranks[0]]),
                    wanted,
                    "{case}, the other first"
                );
                counts[usize::from(wanted)] += 1;
            }
        }
    }
    assert!(counts[0] > 1000 && counts[1] > 1000, "{counts:?}");
}

/// What an origin can do to elements of a part of 64-bit integers; `seed` makes the data of two origins differ.
fn updates(count: usize, seed: i64) -> Vec<TargetUpdate<Block>> {
    let data = |first: i64| Block::from_vec((0..count as i64).map(|at| first + 2 * at).collect::<Vec<i64>>());
    let combined =
        [SUM, MAX, Accumulation::With(Operation::BitXor), Accumulation::Replace, Accumulation::Keep];
    let mut all: Vec<_> = combined.map(|kind| TargetUpdate::Accumulate(data(5 + 8 * seed), kind)).into();
    all.push(TargetUpdate::Read);
    if count == 1 {
        all.push(TargetUpdate::CompareAndSwap { expected: data(1), value: data(20 + seed) });
        all.extend(
            [WordUpdate::Keep, WordUpdate::Add(3 + seed), WordUpdate::Replace(30 + seed)]
                .map(TargetUpdate::Word),
        );
    }
    all
}

fn in_flight_accesses(origin: usize, elements: &Range<usize>) -> Vec<InFlightAccess> {
    let count = elements.len();
    let both = updates(count, origin as i64).into_iter().zip(updates(count, origin as i64));
    let flight = |change, call| InFlightAccess {
        window: 0,
        access: RmaOperation {
            origin,
            target: 0,
            at: elements.start,
            count,
            update: change,
            is_fetching: call,
            is_ordered: true,
        },
        fetched: None,
        fetch_slot: None,
        clock: None,
    };
    both.flat_map(|(change, again)| [flight(change, false), flight(again, true)]).collect()
}

fn part(first: i64) -> WindowPart {
    let (mut parts, _) = create_parts(WindowKind::Create, Datatype::I64, &[ELEMENTS], false);
    let mut part = parts.remove(0);
    let values: Vec<i64> = (0..ELEMENTS as i64).map(|at| first * (1 + at)).collect();
    part.accumulate(0, Block::from_vec(values).view(), Accumulation::Replace);
    part
}

fn contents(part: &WindowPart) -> Vec<i64> {
    let mut values = vec![0_i64; ELEMENTS];
    part.read(0, ViewMut::from_slice(&mut values));
    values
}

/// The memory after two accesses, one after the other, and what they fetch, by origin; also what a watcher sees in
/// between, if there is one.
fn outcome(order: [&InFlightAccess; 2], first: i64, is_watched: bool) -> (Vec<i64>, [Vec<i64>; 2], Vec<i64>) {
    let (mut part, mut fetched, mut between) = (part(first), [vec![], vec![]], vec![]);
    for (at, flight) in order.into_iter().enumerate() {
        let mut values = vec![0_i64; flight.access.count];
        let into = flight.access.is_fetching.then(|| ViewMut::from_slice(&mut values));
        flight.access.as_view().apply(&mut part, into);
        if flight.access.is_fetching {
            fetched[flight.access.origin] = values;
        }
        if at == 0 && is_watched {
            between = contents(&part);
        }
    }
    (contents(&part), fetched, between)
}

#[test]
fn what_conflicts_is_what_comes_to_something_else_in_the_other_order() {
    let mut counts = [0, 0];
    for (elements, others) in pairs() {
        for one in in_flight_accesses(0, &elements) {
            for other in in_flight_accesses(1, &others) {
                for is_watched in [false, true] {
                    let overlap = do_overlap(&elements, &others);
                    let both_change = one.access.is_write() && other.access.is_write();
                    let differs = |first| {
                        let there = outcome([&one, &other], first, is_watched);
                        let back = outcome([&other, &one], first, is_watched);
                        // A watcher of elements that only one of them changes sees the same values in both orders.
                        let seen = overlap && both_change && there.2 != back.2;
                        (there.0, there.1) != (back.0, back.1) || seen
                    };
                    let wanted = [1, 7, 100].into_iter().any(differs);
                    let found = one.footprint(is_watched).conflicts(&other.footprint(is_watched));
                    let case = || format!("{one:?}\n{other:?}\nwatched {is_watched}");
                    assert!(found || !wanted, "missed: {}", case());
                    let may = overlap && (one.access.is_write() || other.access.is_write());
                    assert!(may || !found, "invented: {}", case());
                    counts[usize::from(wanted)] += 1;
                }
            }
        }
    }
    assert!(counts[0] > 1000 && counts[1] > 1000, "{counts:?}");
}
