//! The laws of assigning variants, for courses of 1 to 200 students who come and go.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use wb_course::{AssignedVariant, EnrolledStudent, VariantPool, assign_variants};

/// The variants of the processes semester.
const POOL: VariantPool = VariantPool { variants: [27, 23, 32], seed: 2027 };

fn student(number: usize, group: usize) -> EnrolledStudent {
    EnrolledStudent { login: format!("student{number}"), group: format!("group{group}") }
}

fn rows(pool: &VariantPool, students: &[EnrolledStudent], given: &[AssignedVariant]) -> Vec<AssignedVariant> {
    assign_variants(pool, students, given).into_iter().map(|choice| choice.row).collect()
}

/// The variants of each student, by login.
fn sets(rows: &[AssignedVariant]) -> BTreeMap<&str, BTreeMap<u8, u8>> {
    let mut sets: BTreeMap<&str, BTreeMap<u8, u8>> = BTreeMap::new();
    for row in rows {
        let earlier = sets.entry(row.login.as_str()).or_default().insert(row.assignment, row.variant);
        assert_eq!(earlier, None, "{} has two variants of assignment {}", row.login, row.assignment);
    }
    sets
}

/// The law that is broken, if one is: each student has three variants that exist, no two have the same three, and the students of a
/// group have different ones where there are enough.
fn broken_law(pool: &VariantPool, students: &[EnrolledStudent], rows: &[AssignedVariant]) -> Option<String> {
    let sets = sets(rows);
    let distinct: BTreeSet<_> = sets.values().collect();
    if distinct.len() != sets.len() {
        return Some("two students have the same three variants".into());
    }
    let mut groups: BTreeMap<&str, Vec<&BTreeMap<u8, u8>>> = BTreeMap::new();
    for student in students {
        let Some(set) = sets.get(student.login.as_str()).filter(|set| set.len() == 3) else {
            return Some(format!("{} does not have three variants", student.login));
        };
        groups.entry(&student.group).or_default().push(set);
    }
    for (group, members) in groups {
        for assignment in 1..=3_u8 {
            let count = pool.variants[usize::from(assignment) - 1];
            let mut uses = vec![0_usize; usize::from(count)];
            for set in &members {
                uses[usize::from(set[&assignment]) - 1] += 1;
            }
            // In a group of 30 with 27 variants three are had twice, and none three times.
            let most = members.len().div_ceil(usize::from(count));
            if uses.iter().any(|uses| *uses > most) {
                return Some(format!("{group} shares a variant of assignment {assignment}: {uses:?}"));
            }
        }
    }
    None
}

/// Groups of up to 40 students, 1 to 200 students in all.
fn course() -> impl Strategy<Value = Vec<EnrolledStudent>> {
    (1..=200_usize, 1..=12_usize).prop_flat_map(|(students, groups)| {
        proptest::collection::vec(0..groups, students).prop_map(|groups| {
            groups.into_iter().enumerate().map(|(number, group)| student(number, group)).collect()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn new_courses_keep_the_laws(students in course(), seed in any::<u64>()) {
        let pool = VariantPool { seed, ..POOL };
        let rows = rows(&pool, &students, &[]);
        prop_assert_eq!(broken_law(&pool, &students, &rows), None);
    }

    /// The holders of a variant in a group had 0, 1, 2, ... others before them: also where two students exchanged their variants.
    #[test]
    fn the_numbers_of_a_choice_are_those_of_its_variant(seed in any::<u64>(), count in 2..=12_usize) {
        let pool = VariantPool { variants: [3, 2, 2], seed };
        let students: Vec<_> = (0..count).map(|number| student(number, number % 2)).collect();
        let group = |login: &str| students.iter().find(|one| one.login == login).expect("enrolled").group.clone();
        let mut shared: BTreeMap<(String, u8, u8), Vec<usize>> = BTreeMap::new();
        for choice in assign_variants(&pool, &students, &[]) {
            let key = (group(&choice.row.login), choice.row.assignment, choice.row.variant);
            shared.entry(key).or_default().push(choice.shared_in_group);
        }
        for (key, mut counts) in shared {
            counts.sort_unstable();
            prop_assert_eq!(&counts, &(0..counts.len()).collect::<Vec<_>>(), "{:?}", key);
        }
    }

    #[test]
    fn the_order_of_the_students_does_not_matter(students in course(), seed in any::<u64>()) {
        let pool = VariantPool { seed, ..POOL };
        let reversed: Vec<_> = students.iter().rev().cloned().collect();
        prop_assert_eq!(rows(&pool, &students, &[]), rows(&pool, &reversed, &[]));
    }

    /// Each step takes some students away and adds others: what was given stays, a newcomer shares nothing with the group while
    /// there is a free variant, and no three variants are had twice, also not with students who have left.
    #[test]
    fn given_variants_stay_when_students_come_and_go(
        students in course(),
        steps in proptest::collection::vec((any::<u64>(), any::<u64>()), 1..6),
    ) {
        let mut given: Vec<AssignedVariant> = Vec::new();
        let mut present = students;
        for (step, (leaving, coming)) in steps.into_iter().enumerate() {
            let before = given.clone();
            for choice in assign_variants(&POOL, &present, &given.clone()) {
                prop_assert!(choice.free_in_group == 0 || choice.shared_in_group == 0, "{:?}", choice);
                given.push(choice.row);
            }
            prop_assert_eq!(&given[..before.len()], &before[..]);
            let all = sets(&given);
            prop_assert_eq!(all.values().collect::<BTreeSet<_>>().len(), all.len());
            prop_assert!(present.iter().all(|student| all[student.login.as_str()].len() == 3));
            let stays = |at: usize| (leaving >> (at % 64)) & 1 == 0;
            present = present.into_iter().enumerate().filter(|(at, _)| stays(*at)).map(|(_, one)| one).collect();
            let newcomers = (coming % 40) as usize;
            present.extend((0..newcomers).map(|at| student(1000 * (step + 1) + at, at % 5)));
        }
    }

    /// Three variants each: nine students of three groups have variants of their own in each group, and few combinations are left.
    #[test]
    fn small_pools_keep_the_laws(seed in any::<u64>(), groups in 1..=4_usize) {
        let pool = VariantPool { variants: [3, 3, 3], seed };
        let students: Vec<_> = (0..3 * groups).map(|number| student(number, number % groups)).collect();
        let rows = rows(&pool, &students, &[]);
        prop_assert_eq!(broken_law(&pool, &students, &rows), None);
    }
}

#[test]
fn a_student_keeps_variants_that_an_instructor_chose() {
    let chosen = AssignedVariant { login: "Student3".into(), assignment: 2, variant: 5 };
    let students: Vec<_> = (0..23).map(|number| student(number, 0)).collect();
    let mut all = vec![chosen.clone()];
    all.extend(rows(&POOL, &students, std::slice::from_ref(&chosen)));
    let second: Vec<u8> = all.iter().filter(|row| row.assignment == 2).map(|row| row.variant).collect();
    assert_eq!(second.len(), 23);
    assert_eq!(second.iter().collect::<BTreeSet<_>>().len(), 23, "each of the 23 variants once: {second:?}");
    assert!(!all[1..].iter().any(|row| row.login == "student3" && row.assignment == 2));
}

#[test]
fn an_equal_student_of_another_group_is_avoided() {
    // The only free combination of the last student would be (1, 1, 1), which a student who has left has.
    let pool = VariantPool { variants: [2, 2, 2], seed: 1 };
    let given: Vec<_> = [("gone", [1, 1, 1]), ("a", [2, 2, 2])]
        .into_iter()
        .flat_map(|(login, set)| {
            (1..=3).zip(set).map(move |(assignment, variant)| AssignedVariant {
                login: login.into(),
                assignment,
                variant,
            })
        })
        .collect();
    let students = ["a", "b"].map(|login| EnrolledStudent { login: login.into(), group: "g".into() });
    let choices = assign_variants(&pool, &students, &given);
    // Nothing else is free in the group, and variants that were given are not exchanged: the group's law comes first.
    let variants: Vec<u8> = choices.iter().map(|choice| choice.row.variant).collect();
    assert_eq!(variants, [1, 1, 1]);
    // With both students new the two are exchanged until no student has (1, 1, 1).
    let choices = assign_variants(&pool, &students, &given[..3]);
    let all: Vec<_> = choices.iter().map(|choice| choice.row.clone()).collect();
    assert_eq!(broken_law(&pool, &students, &[given[..3].to_vec(), all].concat()), None);
}

#[test]
fn the_only_combination_that_is_left_is_found() {
    let pool = VariantPool { variants: [2, 2, 2], seed: 3 };
    for left in 0..8_u8 {
        let set = |number: u8| [0, 1, 2].map(|bit| (number >> bit) % 2 + 1);
        let given = (0..8).filter(|number| *number != left).flat_map(|number| {
            (1..=3).zip(set(number)).map(move |(assignment, variant)| AssignedVariant {
                login: format!("gone{number}"),
                assignment,
                variant,
            })
        });
        let rows = rows(&pool, &[student(0, 0)], &given.collect::<Vec<_>>());
        let variants: Vec<u8> = rows.iter().map(|row| row.variant).collect();
        assert_eq!(variants, set(left));
    }
}

#[test]
fn canary_a_course_that_breaks_a_law_is_found() {
    let students: Vec<_> = (0..3).map(|number| student(number, 0)).collect();
    let right = rows(&POOL, &students, &[]);
    assert_eq!(broken_law(&POOL, &students, &right), None);
    let mut shared = right.clone();
    shared[3].variant = shared[0].variant;
    let found = broken_law(&POOL, &students, &shared).expect("a shared variant");
    assert!(found.starts_with("group0 shares a variant of assignment 1"), "{found}");
    let mut equal = right.clone();
    (0..3).for_each(|at| equal[3 + at].variant = equal[at].variant);
    assert_eq!(
        broken_law(&POOL, &students, &equal).as_deref(),
        Some("two students have the same three variants")
    );
    let found = broken_law(&POOL, &students, &right[1..]).expect("a variant is missing");
    assert_eq!(found, "student0 does not have three variants");
}

#[test]
fn two_hundred_students_take_less_than_a_second() {
    let students: Vec<_> = (0..200).map(|number| student(number, number / 25)).collect();
    let start = std::time::Instant::now();
    assert_eq!(rows(&POOL, &students, &[]).len(), 600);
    assert!(start.elapsed() < std::time::Duration::from_secs(1), "{:?}", start.elapsed());
}

#[test]
fn variants_that_were_exchanged_say_so_in_both_choices() {
    let found = (0..2000_u64).find_map(|seed| {
        let pool = VariantPool { variants: [3, 2, 2], seed };
        let students: Vec<_> = (0..12).map(|number| student(number, number % 2)).collect();
        let choices = assign_variants(&pool, &students, &[]);
        choices.iter().any(|choice| choice.exchanged_with.is_some()).then_some(choices)
    });
    let choices = found.expect("twelve students of twelve combinations exchange for some seed");
    for choice in choices.iter().filter(|choice| choice.exchanged_with.is_some()) {
        let mate = choice.exchanged_with.as_deref().expect("exchanged");
        let of_mate = |other: &&wb_course::VariantChoice| {
            other.row.login == mate && other.row.assignment == choice.row.assignment
        };
        assert!(
            choices.iter().find(of_mate).is_some_and(|other| other.exchanged_with.is_some()),
            "{choice:?}"
        );
        assert_ne!(mate, choice.row.login);
    }
}
