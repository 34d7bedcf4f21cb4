//! How many students have each variant: in a group, in the course, and among those who have left.

use std::collections::HashMap;

/// The number of assignments of a course.
pub(super) const ASSIGNMENTS: usize = 3;

/// The number of students by variant, from 1.
type Counts = Vec<u32>;

/// The number of students that have each variant.
pub(super) struct VariantUsage {
    variants: [u8; ASSIGNMENTS],
    groups: HashMap<String, [Counts; ASSIGNMENTS]>,
    course: [Counts; ASSIGNMENTS],
    departed: [Counts; ASSIGNMENTS],
}

impl VariantUsage {
    pub(super) fn new(variants: [u8; ASSIGNMENTS]) -> Self {
        let none = variants.map(|count| vec![0; usize::from(count) + 1]);
        Self { variants, groups: HashMap::new(), course: none.clone(), departed: none }
    }

    /// Counts a variant of a student of `group`, or of one who has left. A variant that the course no longer has is not counted.
    pub(super) fn add(&mut self, group: Option<&str>, at: usize, variant: u8) {
        let variant = usize::from(variant);
        if variant > usize::from(self.variants[at]) {
            return;
        }
        match group {
            None => self.departed[at][variant] += 1,
            Some(group) => {
                self.course[at][variant] += 1;
                let none = || self.variants.map(|count| vec![0; usize::from(count) + 1]);
                self.groups.entry(group.to_owned()).or_insert_with(none)[at][variant] += 1;
            }
        }
    }

    /// The number of students of the group who have the variant.
    pub(super) fn in_group(&self, group: &str, at: usize, variant: u8) -> usize {
        self.groups.get(group).map_or(0, |counts| counts[at][usize::from(variant)] as usize)
    }

    /// The number of variants that no student of the group has.
    pub(super) fn free_in_group(&self, group: &str, at: usize) -> usize {
        (1..=self.variants[at]).filter(|variant| self.in_group(group, at, *variant) == 0).count()
    }

    /// The variants that the fewest of the group have.
    pub(super) fn least_in_group(&self, group: &str, at: usize) -> Vec<u8> {
        let uses = |variant: &u8| self.in_group(group, at, *variant);
        let least = (1..=self.variants[at]).map(|variant| uses(&variant)).min().unwrap_or_default();
        (1..=self.variants[at]).filter(|variant| uses(variant) == least).collect()
    }

    /// What is better first: few students of the group, few of the course, few of those who have left.
    pub(super) fn rank(&self, group: &str, at: usize, variant: u8) -> (usize, u32, u32) {
        let index = usize::from(variant);
        (self.in_group(group, at, variant), self.course[at][index], self.departed[at][index])
    }

    /// The number of variants with the rank of `variant`.
    pub(super) fn equals(&self, group: &str, at: usize, variant: u8) -> usize {
        let rank = self.rank(group, at, variant);
        (1..=self.variants[at]).filter(|other| self.rank(group, at, *other) == rank).count()
    }
}
