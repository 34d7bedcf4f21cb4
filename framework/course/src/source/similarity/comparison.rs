//! Two parts compared: how much they share, and which lines.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    fingerprints::{Fingerprints, LineRange, MIN_FINGERPRINTS},
    program::PartFingerprints,
};

/// The score from which a pair is shown as similar. It lies between the disguises and the independent solutions of the tests.
pub const THRESHOLD: f64 = 0.45;

/// What two parts share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Similarity {
    /// Fingerprints that both have.
    pub shared: usize,
    /// Fingerprints of the left one.
    pub left: usize,
    /// Fingerprints of the right one.
    pub right: usize,
    /// Whether the statements in the order of the normal form share more than those as they are written.
    pub is_ordered: bool,
}

/// Lines on the left, and lines on the right that have a fingerprint of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MatchedRegion {
    /// The index of the left file.
    pub left_file: usize,
    /// First and last line, from 1.
    pub left_lines: (u32, u32),
    /// The right lines: index of the file, and line.
    pub right_lines: BTreeSet<(usize, u32)>,
}

impl Similarity {
    /// The share of the smaller part that is in the other one, 0 to 1; 0 if one of them is too short.
    pub fn containment(&self) -> f64 {
        match self.is_too_short() {
            true => 0.0,
            false => self.shared as f64 / self.left.min(self.right) as f64,
        }
    }

    /// The share of all fingerprints that both have (Jaccard's index), 0 to 1.
    pub fn resemblance(&self) -> f64 {
        let all = self.left + self.right - self.shared;
        if all == 0 { 0.0 } else { self.shared as f64 / all as f64 }
    }

    /// Whether a part has too few fingerprints for a score.
    pub fn is_too_short(&self) -> bool {
        self.left.min(self.right) < MIN_FINGERPRINTS
    }

    /// Whether the score reaches [`THRESHOLD`].
    pub fn is_similar(&self) -> bool {
        self.containment() >= THRESHOLD
    }
}

/// Compares two parts; of the two orders of statements the one counts in which more is shared.
pub fn compare(left: &PartFingerprints, right: &PartFingerprints) -> Similarity {
    let count = |left: &Fingerprints, right: &Fingerprints, is_ordered| {
        let shared = left.places.keys().filter(|hash| right.places.contains_key(hash)).count();
        Similarity { shared, left: left.len(), right: right.len(), is_ordered }
    };
    let written = count(&left.written, &right.written, false);
    let ordered = count(&left.ordered, &right.ordered, true);
    if ordered.containment() > written.containment() { ordered } else { written }
}

/// The lines that two parts share, sorted by their place on the left.
pub fn matched_regions(
    left: &PartFingerprints,
    right: &PartFingerprints,
    similarity: &Similarity,
) -> Vec<MatchedRegion> {
    let (left, right) = match similarity.is_ordered {
        true => (&left.ordered, &right.ordered),
        false => (&left.written, &right.written),
    };
    let mut lines: BTreeMap<(usize, u32), BTreeSet<(usize, u32)>> = BTreeMap::new();
    for (hash, left_places) in &left.places {
        let Some(right_places) = right.places.get(hash) else { continue };
        let right_lines: BTreeSet<_> = right_places.iter().flat_map(each_line).collect();
        for line in left_places.iter().flat_map(each_line) {
            lines.entry(line).or_default().extend(&right_lines);
        }
    }
    regions(lines)
}

fn each_line(place: &LineRange) -> impl Iterator<Item = (usize, u32)> {
    let file = usize::from(place.file);
    (place.first..=place.last).map(move |line| (file, line))
}

/// Neighbouring lines together.
fn regions(lines: BTreeMap<(usize, u32), BTreeSet<(usize, u32)>>) -> Vec<MatchedRegion> {
    let mut found: Vec<MatchedRegion> = vec![];
    for ((left_file, line), right_lines) in lines {
        match found.last_mut() {
            Some(last) if last.left_file == left_file && last.left_lines.1 + 1 >= line => {
                last.left_lines.1 = line;
                last.right_lines.extend(right_lines);
            }
            _ => found.push(MatchedRegion { left_file, left_lines: (line, line), right_lines }),
        }
    }
    found
}
