//! A strip of the rod and one step of it, which the sequential and the parallel version share.
use crate::problem::Notice;

/// A strip of consecutive cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// The index of its first cell in the rod.
    pub first: usize,
    /// Its cells.
    pub cells: Vec<f64>,
}

/// The number of floating-point operations of one step of `cells` cells.
pub fn flops(cells: usize) -> u64 {
    5 * cells as u64
}

impl Strip {
    /// The cells after one step. `left` and `right` are the cells next to the strip; `None` at an end of the rod, whose
    /// last cell keeps its temperature.
    pub fn step(&self, left: Option<f64>, right: Option<f64>) -> Self {
        let old = &self.cells;
        let before = |i: usize| if i == 0 { left } else { Some(old[i - 1]) };
        let after = |i: usize| if i + 1 == old.len() { right } else { Some(old[i + 1]) };
        let new = |i: usize| match (before(i), after(i)) {
            (Some(l), Some(r)) => old[i] + (l - 2.0 * old[i] + r) / 4.0,
            _ => old[i],
        };
        Self { first: self.first, cells: (0..old.len()).map(new).collect() }
    }

    /// The cells that have become hot since `before`, the state of this strip one step earlier.
    pub fn notices<'s>(
        &'s self,
        before: &'s Self,
        alarm: f64,
        step: usize,
    ) -> impl Iterator<Item = Notice> + 's {
        let pairs = before.cells.iter().zip(&self.cells).enumerate();
        let hot = pairs.filter(move |(_, (old, new))| **old < alarm && **new >= alarm);
        hot.map(move |(i, _)| Notice { step, cell: self.first + i })
    }
}
