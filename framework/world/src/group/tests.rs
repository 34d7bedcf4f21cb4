//! The laws of sets, and the orders that MPI prescribes.
use proptest::prelude::*;

use super::*;

/// The group of a job of 12 ranks.
fn all() -> Group {
    Group { processes: (0..12).collect(), own: Some(3) }
}

/// Some ranks in some order.
fn ranks() -> impl Strategy<Value = Vec<Rank>> {
    (Just((0..12).collect::<Vec<Rank>>()).prop_shuffle(), 0..=12_usize)
        .prop_map(|(ranks, length)| ranks[..length].to_vec())
}

fn group(ranks: &[Rank]) -> Group {
    all().incl(ranks).expect("distinct ranks of the job")
}

proptest! {
    #[test]
    fn sets_follow_the_laws_of_sets(a in ranks(), b in ranks(), c in ranks()) {
        let (a, b, c) = (group(&a), group(&b), group(&c));
        let is_same = |one: &Group, other: &Group| one.compare(other) != GroupComparison::Unequal;
        prop_assert!(is_same(&a.union(&b), &b.union(&a)));
        prop_assert!(is_same(&a.intersection(&b), &b.intersection(&a)));
        prop_assert_eq!(a.union(&b).union(&c), a.union(&b.union(&c)));
        prop_assert_eq!(a.intersection(&b.union(&c)), a.intersection(&b).union(&a.intersection(&c)).in_order_of(&a));
        prop_assert_eq!(a.difference(&b.union(&c)), a.difference(&b).difference(&c));
        prop_assert_eq!(a.difference(&b).size() + a.intersection(&b).size(), a.size());
        prop_assert_eq!(a.union(&a), a.intersection(&a));
        prop_assert_eq!(a.difference(&a).size(), 0);
    }

    #[test]
    fn the_first_group_gives_the_order(a in ranks(), b in ranks()) {
        let (first, second) = (group(&a), group(&b));
        let union = first.union(&second);
        prop_assert_eq!(&union.processes()[..a.len()], &a[..]);
        let rest: Vec<_> = b.iter().copied().filter(|rank| !a.contains(rank)).collect();
        prop_assert_eq!(&union.processes()[a.len()..], &rest[..]);
        let both: Vec<_> = a.iter().copied().filter(|rank| b.contains(rank)).collect();
        prop_assert_eq!(first.intersection(&second), group(&both));
    }

    #[test]
    fn translated_ranks_are_the_same_processes(a in ranks(), b in ranks()) {
        let (from, to) = (group(&a), group(&b));
        let all: Vec<_> = (0..from.size()).collect();
        for (rank, found) in from.translate_ranks(&all, &to).expect("they are there").into_iter().enumerate() {
            prop_assert_eq!(found.map(|found| b[found]), b.contains(&a[rank]).then_some(a[rank]));
        }
        prop_assert_eq!(from.rank(), a.iter().position(|rank| *rank == 3));
        prop_assert!(from.translate_ranks(&[from.size()], &to).is_err());
    }

    #[test]
    fn excl_is_the_difference_from_incl(a in ranks()) {
        prop_assert_eq!(all().excl(&a).expect("they are there"), all().difference(&group(&a)));
    }

    #[test]
    fn ranges_are_what_they_enumerate(first in 0..12_usize, last in 0..12_usize, stride in -4..=4_isize) {
        let enumerated: Vec<_> = (0..12)
            .map(|step| first as isize + step * stride)
            .take_while(|rank| if stride > 0 { *rank <= last as isize } else { *rank >= last as isize })
            .map(|rank| rank as Rank)
            .collect();
        let ranges = [(first, last, stride)];
        match stride {
            0 => prop_assert!(all().range_incl(&ranges).is_err() && all().range_excl(&ranges).is_err()),
            _ => {
                prop_assert_eq!(all().range_incl(&ranges), all().incl(&enumerated));
                prop_assert_eq!(all().range_excl(&ranges), all().excl(&enumerated));
            }
        }
    }
}

impl Group {
    /// The same processes in the order of another group.
    fn in_order_of(&self, other: &Self) -> Self {
        other.intersection(self)
    }
}

#[test]
fn comparisons_know_the_order() {
    let of = |ranks: &[Rank]| group(ranks);
    assert_eq!(of(&[1, 2]).compare(&of(&[1, 2])), GroupComparison::Ident);
    assert_eq!(of(&[1, 2]).compare(&of(&[2, 1])), GroupComparison::Similar);
    assert_eq!(of(&[1, 2]).compare(&of(&[1, 3])), GroupComparison::Unequal);
    assert_eq!(of(&[1, 2]).compare(&of(&[1, 2, 3])), GroupComparison::Unequal);
}

#[test]
fn wrong_ranks_are_named() {
    let error = |result: Result<Group>, line: u32| {
        let text = result.expect_err("it is wrong").to_string();
        let (call, reason) = text.split_once(": ").expect("the call and the reason");
        let (verb, place) = call.split_once(" at ").expect("the verb and its place");
        assert_eq!(place, format!("{}:{line}", file!()), "{text}");
        format!("{verb}: {reason}")
    };
    let none_12 = "the group of 12 rank(s) has no rank 12: 0..=11 is allowed";
    assert_eq!(error(all().excl(&[12]), line!()), format!("excl: {none_12}"));
    assert_eq!(error(all().range_incl(&[(0, 12, 1)]), line!()), format!("range_incl: {none_12}"));
    let unknown = all().translate_ranks(&[0, 12], &all()).map(|_| all());
    assert_eq!(error(unknown, line!() - 1), format!("translate_ranks: {none_12}"));
    let wrapped = all().incl(&[0_usize.wrapping_sub(1)]);
    let none_below = none_12.replace("rank 12", "rank -1");
    assert_eq!(error(wrapped, line!() - 2), format!("incl: {none_below}"));
    let twice = "rank 2 is named twice, a group has every rank once";
    assert_eq!(error(all().incl(&[1, 2, 2]), line!()), format!("incl: {twice}"));
    assert_eq!(error(all().range_incl(&[(0, 4, 2), (2, 3, 1)]), line!()), format!("range_incl: {twice}"));
    let still = all().range_excl(&[(0, 4, 0)]);
    assert_eq!(error(still, line!() - 1), "range_excl: the stride of the range from 0 to 4 is 0");
    assert_eq!(
        all().translate_ranks(&[PROC_NULL, 3], &group(&[5])).expect("both are allowed"),
        [Some(PROC_NULL), None]
    );
}
