//! The problem: the label of each pixel of a binary image.
//!
//! The oracle floods the image: it starts at each object pixel without a label, row by row, and gives its number to all pixels
//! that it reaches over common sides.
use workbench::{Problem, Verdict, Workload, noise};

/// The input.
#[derive(Clone, Debug, PartialEq)]
pub struct BinaryImage {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The pixels, row by row: 1 for an object, 0 for the background.
    pub pixels: Vec<u8>,
}

impl BinaryImage {
    /// A pseudo-random image, of whose pixels `percent` belong to objects.
    pub fn random(rows: usize, columns: usize, percent: u64, seed: u64) -> Self {
        let pixels = noise::bits(seed).map(|bits| u8::from(bits % 100 < percent));
        Self { rows, columns, pixels: pixels.take(rows * columns).collect() }
    }

    /// The image with these rows, in which `#` is an object pixel.
    ///
    /// # Panics
    /// When the rows have different lengths.
    pub fn from_rows(rows: &[&str]) -> Self {
        let columns = rows.first().map_or(0, |row| row.len());
        assert!(rows.iter().all(|row| row.len() == columns), "the rows have different lengths");
        let pixels = rows.iter().flat_map(|row| row.bytes()).map(|byte| u8::from(byte == b'#')).collect();
        Self { rows: rows.len(), columns, pixels }
    }
}

/// The problem. The output is the label of each pixel, row by row.
pub struct Labelling;

impl Problem for Labelling {
    type Input = BinaryImage;
    type Output = Vec<u64>;

    /// `"random"`: an image of `size` rows and columns, of whose pixels one half belongs to objects.
    fn workload(request: &Workload) -> Option<BinaryImage> {
        let Workload { name, size, seed, .. } = request;
        (name == "random").then(|| BinaryImage::random(*size, *size, 50, *seed))
    }

    fn check(image: &BinaryImage, labels: &Vec<u64>) -> Verdict {
        Verdict::same(labels, &flooded(image))
    }
}

/// The labels, by flooding each component from its first pixel.
fn flooded(BinaryImage { columns, pixels, .. }: &BinaryImage) -> Vec<u64> {
    let mut labels = vec![0; pixels.len()];
    for first in 0..pixels.len() {
        let mut stack = vec![first];
        while let Some(at) = stack.pop() {
            if pixels[at] == 0 || labels[at] != 0 {
                continue;
            }
            labels[at] = first as u64 + 1;
            let column = at % columns;
            let sides = [
                (column > 0).then(|| at - 1),
                (column + 1 < *columns).then_some(at + 1),
                at.checked_sub(*columns),
                (at + columns < pixels.len()).then_some(at + columns),
            ];
            stack.extend(sides.into_iter().flatten());
        }
    }
    labels
}
