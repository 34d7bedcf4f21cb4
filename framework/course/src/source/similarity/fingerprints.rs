//! Winnowing: the fingerprints of sequences of codes.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

/// The number of codes that one hash covers: shorter common sequences are not found.
pub const GRAM: usize = 5;

/// The number of consecutive hashes of which one is kept: common sequences of `GRAM + WINDOW - 1` codes are always found.
pub const WINDOW: usize = 2;

/// A part with fewer fingerprints is too short to be compared.
pub const MIN_FINGERPRINTS: usize = 8;

/// One code of a normal form and the lines that it was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlacedCode {
    pub(super) code: u32,
    pub(super) place: LineRange,
}

/// Lines of a file, from 1, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LineRange {
    pub(super) file: u16,
    pub(super) first: u32,
    pub(super) last: u32,
}

/// The kept hashes of one part of a task, each with the lines that it covers.
#[derive(Clone, Debug, Default)]
pub struct Fingerprints {
    pub(super) places: FxHashMap<u64, Vec<LineRange>>,
}

impl Fingerprints {
    /// The number of different fingerprints.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Adds those of one sequence.
    pub(super) fn add(&mut self, codes: &[PlacedCode]) {
        let hashes: Vec<u64> = codes.windows(GRAM).map(hash).collect();
        for at in winnow(&hashes, WINDOW) {
            let places = self.places.entry(hashes[at]).or_default();
            places.extend(codes[at..at + GRAM].iter().map(|code| code.place));
            places.sort_unstable();
            places.dedup();
        }
    }

    /// Without those that are in `common`.
    pub(super) fn subtract(&mut self, common: &Self) {
        self.places.retain(|hash, _| !common.places.contains_key(hash));
    }

    /// Together with those of `other`.
    pub(super) fn unite(&mut self, other: &Self) {
        self.places.extend(other.places.iter().map(|(hash, places)| (*hash, places.clone())));
    }
}

fn hash(codes: &[PlacedCode]) -> u64 {
    let mut hasher = FxHasher::default();
    codes.iter().for_each(|code| hasher.write_u32(code.code));
    hasher.finish()
}

/// The positions that robust winnowing keeps: the smallest of each window; of equals the one that was kept before, else the
/// rightmost. A sequence shorter than a window is one window.
fn winnow(hashes: &[u64], window: usize) -> Vec<usize> {
    let mut kept: Vec<usize> = vec![];
    if hashes.is_empty() {
        return kept;
    }
    for (first, window) in hashes.windows(window.min(hashes.len())).enumerate() {
        let smallest = window.iter().min().expect("a window is not empty");
        if kept.last().is_some_and(|last| *last >= first && hashes[*last] == *smallest) {
            continue;
        }
        let at = window.iter().rposition(|hash| hash == smallest).expect("it is in the window");
        kept.push(first + at);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<PlacedCode> {
        let code = |(at, byte): (usize, u8)| {
            let line = at as u32 + 1;
            PlacedCode { code: byte.into(), place: LineRange { file: 0, first: line, last: line } }
        };
        text.bytes().enumerate().map(code).collect()
    }

    fn fingerprints(text: &str) -> Fingerprints {
        let mut found = Fingerprints::default();
        found.add(&codes(text));
        found
    }

    #[test]
    fn the_example_of_the_paper_is_winnowed() {
        // Figure 2 of the paper, with windows of four.
        let hashes = [77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98];
        let kept: Vec<_> = winnow(&hashes, 4).into_iter().map(|at| hashes[at]).collect();
        assert_eq!(kept, [17, 17, 8, 39, 17]);
    }

    #[test]
    fn equal_hashes_are_kept_once_for_each_window() {
        assert_eq!(winnow(&[5; 9], 4), [3, 7]);
        assert_eq!(winnow(&[3, 1], 4), [1]);
        assert_eq!(winnow(&[], 4), [0; 0]);
    }

    #[test]
    fn a_common_sequence_of_guaranteed_length_is_found_wherever_it_is() {
        let common = "abcdef";
        assert_eq!(common.len(), GRAM + WINDOW - 1);
        for (before, after) in [("", "123456789"), ("98765", "4321"), ("zyxwvutsrqpo", "")] {
            let (one, other) =
                (fingerprints(&format!("{before}{common}{after}")), fingerprints(&format!("00{common}11")));
            assert!(one.places.keys().any(|hash| other.places.contains_key(hash)), "{before:?}");
        }
        let (short, other) = (fingerprints("123abcd456"), fingerprints("789abcd000"));
        assert!(!short.places.keys().any(|hash| other.places.contains_key(hash)));
    }
}
