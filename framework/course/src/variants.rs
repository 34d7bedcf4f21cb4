//! Who gets which variant.
//!
//! The invariants, for students who are given variants together or one after the other:
//!
//! * what was given stays: rows are only added;
//! * a student gets a variant that no other student of the group has, while there is one; after that, one that the fewest have;
//! * no two students of the course have the same variants of all assignments, those who have left included;
//! * the same students, rows and seed give the same variants on every machine, in whatever order the students are listed.
//!
//! Among the variants that a group uses least, those come first that the course uses least, then those that students who have left
//! do not have, then a draw from the seed. The choices are greedy; where only a pair of equal students would be left, the variants
//! of two students of one group are exchanged, as long as neither was given before.

mod draw;
mod usage;

use std::collections::BTreeMap;

use draw::draw;
pub use draw::fnv1a;
use usage::{ASSIGNMENTS, VariantUsage};

/// What variants are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariantPool {
    /// The number of variants of the assignments 1, 2 and 3, each at least 1.
    pub variants: [u8; ASSIGNMENTS],
    /// The seed of the course.
    pub seed: u64,
}

/// A student of the course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnrolledStudent {
    /// The login; upper and lower case are the same.
    pub login: String,
    /// The group.
    pub group: String,
}

/// The variant of one student for one assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignedVariant {
    /// The student.
    pub login: String,
    /// The assignment: 1, 2 or 3.
    pub assignment: u8,
    /// The variant, from 1.
    pub variant: u8,
}

/// A new variant, and what it was chosen from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantChoice {
    /// The row to add.
    pub row: AssignedVariant,
    /// The number of variants that no student of the group had before.
    pub free_in_group: usize,
    /// The number of variants that were equally good for the group and the course, from which the seed drew.
    pub drawn_from: usize,
    /// The number of other students of the group who have it already: 0 unless there are not enough variants.
    pub shared_in_group: usize,
    /// Whether a better variant was passed over because another student of the course would have had the same variants.
    pub kept_distinct: bool,
    /// The student of the group for whom the variant was chosen, and who has that of this student now, since otherwise two students of the
    /// course would have had the same variants. The numbers are those of that choice.
    pub exchanged_with: Option<String>,
}

/// The variants of one student, as far as they are known.
type VariantSet = [Option<u8>; ASSIGNMENTS];

/// The variants that `students` lack beside the `given` ones, by group and login.
pub fn assign_variants(
    pool: &VariantPool,
    students: &[EnrolledStudent],
    given: &[AssignedVariant],
) -> Vec<VariantChoice> {
    let mut order: Vec<&EnrolledStudent> = students.iter().collect();
    order.sort_by_key(|student| (&student.group, student.login.to_ascii_lowercase()));
    let mut assignment = VariantAssignment::new(*pool, &order, given);
    for student in &order {
        assignment.complete(student);
    }
    assignment.separate_equal_students(&order);
    assignment.choices
}

/// The assignment as far as it has got.
struct VariantAssignment {
    pool: VariantPool,
    usage: VariantUsage,
    /// The variants of everyone, by login in lower case.
    sets: BTreeMap<String, VariantSet>,
    choices: Vec<VariantChoice>,
}

impl VariantAssignment {
    fn new(pool: VariantPool, students: &[&EnrolledStudent], given: &[AssignedVariant]) -> Self {
        let groups: BTreeMap<String, &str> =
            students.iter().map(|student| (key(&student.login), student.group.as_str())).collect();
        let mut usage = VariantUsage::new(pool.variants);
        let mut sets: BTreeMap<String, VariantSet> = BTreeMap::new();
        for row in given {
            let (login, at) = (key(&row.login), usize::from(row.assignment) - 1);
            usage.add(groups.get(&login).copied(), at, row.variant);
            sets.entry(login).or_default()[at] = Some(row.variant);
        }
        Self { pool, usage, sets, choices: Vec::new() }
    }

    /// Chooses what a student lacks.
    fn complete(&mut self, student: &EnrolledStudent) {
        let login = key(&student.login);
        let known = self.sets.get(&login).copied().unwrap_or_default();
        if known.iter().all(Option::is_some) {
            return;
        }
        let best = [0, 1, 2].map(|at| match known[at] {
            Some(variant) => vec![variant],
            None => self.candidates(student, at),
        });
        let first = [0, 1, 2].map(|at| best[at][0]);
        let chosen = self.first_distinct(&login, &best).unwrap_or(first);
        for at in (0..ASSIGNMENTS).filter(|at| known[*at].is_none()) {
            let group = Some(student.group.as_str());
            let variant = chosen[at];
            self.choices.push(VariantChoice {
                row: AssignedVariant { login: student.login.clone(), assignment: at as u8 + 1, variant },
                free_in_group: self.usage.free_in_group(&student.group, at),
                drawn_from: self.usage.equals(&student.group, at, variant),
                shared_in_group: self.usage.in_group(&student.group, at, variant),
                kept_distinct: variant != first[at],
                exchanged_with: None,
            });
            self.usage.add(group, at, variant);
        }
        self.sets.insert(login, chosen.map(Some));
    }

    /// The variants that the fewest of the group have, best first.
    fn candidates(&self, student: &EnrolledStudent, at: usize) -> Vec<u8> {
        let key = |variant: u8| {
            let drawn = draw(self.pool.seed, &key(&student.login), at as u8, variant);
            (self.usage.rank(&student.group, at, variant), drawn)
        };
        let mut variants: Vec<u8> = self.usage.least_in_group(&student.group, at);
        variants.sort_by_cached_key(|variant| key(*variant));
        variants
    }

    /// The first combination that no other student has.
    fn first_distinct(&self, login: &str, best: &[Vec<u8>; ASSIGNMENTS]) -> Option<[u8; ASSIGNMENTS]> {
        let [first, second, third] = best;
        let all = first.iter().flat_map(|one| {
            second.iter().flat_map(move |two| third.iter().map(move |three| [*one, *two, *three]))
        });
        all.into_iter().find(|set| !self.is_taken(login, set.map(Some)))
    }

    /// Whether a student other than `login` has all of these variants.
    fn is_taken(&self, login: &str, set: VariantSet) -> bool {
        self.sets.iter().any(|(other, variants)| other != login && *variants == set)
    }

    /// Exchanges new variants within a group where a student has the same ones as another student.
    fn separate_equal_students(&mut self, students: &[&EnrolledStudent]) {
        for student in students {
            let login = key(&student.login);
            let Some(set) = self.sets.get(&login).copied() else { continue };
            if !self.is_taken(&login, set) {
                continue;
            }
            let mates = students.iter().filter(|mate| mate.group == student.group);
            let mut logins = mates.map(|mate| key(&mate.login)).filter(|mate| *mate != login);
            logins.find(|mate| (0..ASSIGNMENTS).any(|at| self.exchange(&login, mate, at)));
        }
    }

    /// Exchanges the new variants of one assignment, if both students are then unlike all others.
    fn exchange(&mut self, one: &str, other: &str, at: usize) -> bool {
        let position = |login: &str| {
            self.choices.iter().position(|choice| {
                key(&choice.row.login) == login && usize::from(choice.row.assignment) == at + 1
            })
        };
        let (Some(mine), Some(theirs)) = (position(one), position(other)) else { return false };
        let before = (self.sets[one], self.sets[other]);
        let (mut left, mut right) = before;
        std::mem::swap(&mut left[at], &mut right[at]);
        self.set_both((one, left), (other, right));
        if self.is_taken(one, left) || self.is_taken(other, right) {
            self.set_both((one, before.0), (other, before.1));
            return false;
        }
        self.exchange_choices(mine, theirs);
        true
    }

    /// Gives each student the variant of the other one, with what it was chosen from.
    fn exchange_choices(&mut self, mine: usize, theirs: usize) {
        self.choices.swap(mine, theirs);
        let logins = [mine, theirs].map(|at| self.choices[at].row.login.clone());
        for (at, [own, other]) in [(mine, [1, 0]), (theirs, [0, 1])] {
            self.choices[at].row.login = logins[own].clone();
            self.choices[at].exchanged_with = Some(logins[other].clone());
        }
    }

    fn set_both(&mut self, one: (&str, VariantSet), other: (&str, VariantSet)) {
        for (login, set) in [one, other] {
            self.sets.insert(login.to_owned(), set);
        }
    }
}

/// A login as it is compared.
fn key(login: &str) -> String {
    login.to_ascii_lowercase()
}
