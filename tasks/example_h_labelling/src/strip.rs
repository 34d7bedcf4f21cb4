//! The components of a strip of rows, which the sequential and the parallel version share.
//!
//! The components are a forest: each object pixel has a parent that is not behind it, and the first pixel of a component is
//! its own parent (union-find; Galler and Fischer, 1964). A pixel is united with its left and its upper neighbour. One more
//! pass in the order of the pixels makes each first pixel the parent of all pixels of its component.
use std::collections::HashMap;

/// The parent of a pixel of the background.
const BACKGROUND: usize = usize::MAX;

/// The components of a strip.
pub struct Components {
    /// The first pixel of the component of each pixel, or `BACKGROUND`.
    firsts: Vec<usize>,
    /// The number of the strip's first pixel in the image.
    offset: usize,
}

/// The floating-point operations that take as long as the labels of `pixels` pixels, and the bytes from and to memory: a pixel,
/// and in each of three passes a number. In a random image the processor predicts the branches for a pixel wrongly about once
/// in each pass, which takes the time of about a hundred operations.
pub fn cost(pixels: usize) -> (u64, u64) {
    (300 * pixels as u64, 40 * pixels as u64)
}

impl Components {
    /// Finds the components of a strip of rows of `columns` pixels.
    pub fn of(pixels: &[u8], columns: usize, offset: usize) -> Self {
        let mut parents: Vec<usize> = Vec::with_capacity(pixels.len());
        for (row, line) in pixels.chunks_exact(columns.max(1)).enumerate() {
            for (column, pixel) in line.iter().enumerate() {
                let at = row * columns + column;
                parents.push(if *pixel == 0 { BACKGROUND } else { at });
                if *pixel == 0 {
                    continue;
                }
                if column > 0 && line[column - 1] != 0 {
                    // The left neighbour's parent saves a step of every later search.
                    parents[at] = parents[at - 1];
                }
                if row > 0 && pixels[at - columns] != 0 {
                    unite(&mut parents, at, at - columns);
                }
            }
        }
        for at in 0..parents.len() {
            if parents[at] != BACKGROUND {
                parents[at] = parents[parents[at]];
            }
        }
        Self { firsts: parents, offset }
    }

    /// The label of a pixel of the strip, as far as this strip shows: 0 or the number of its component's first pixel.
    fn label(&self, at: usize) -> u64 {
        match self.firsts[at] {
            BACKGROUND => 0,
            first => (self.offset + first) as u64 + 1,
        }
    }

    /// The labels of a row of `columns` pixels that ends or begins the strip.
    pub fn labels_of(&self, pixels: std::ops::Range<usize>) -> Vec<u64> {
        pixels.map(|at| self.label(at)).collect()
    }

    /// The labels of all pixels. A label that is in `smaller` is replaced.
    pub fn labels(&self, smaller: &HashMap<u64, u64>) -> Vec<u64> {
        let mut labels = vec![0; self.firsts.len()];
        for (at, first) in self.firsts.iter().enumerate() {
            if *first == at {
                let label = self.label(at);
                labels[at] = smaller.get(&label).copied().unwrap_or(label);
            } else if *first != BACKGROUND {
                // The first pixel has its label already.
                labels[at] = labels[*first];
            }
        }
        labels
    }
}

/// Unites the components of two pixels: the later one of their first pixels gets the earlier one as its parent.
fn unite(parents: &mut [usize], one: usize, other: usize) {
    let (one, other) = (find(parents, one), find(parents, other));
    parents[one.max(other)] = one.min(other);
}

/// The first pixel of a component. Each pixel on the way gets its parent's parent, which shortens later ways.
fn find(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}
