//! The problem: heat in a rod whose ends have a constant temperature, and the steps in which cells become hot.
//!
//! One step: `u[i] += (u[i-1] - 2 u[i] + u[i+1]) / 4` for all cells but the first and the last.
//!
//! The oracle does not repeat the steps. Without the straight line between its ends, the rod is a sum of standing waves
//! `sin(k pi i / (n - 1))`, and a step multiplies the k-th by `1 - sin(k pi / 2(n - 1))^2`, independently of the
//! others. So the initial amplitude of a wave determines its final amplitude; a wrong cell changes nearly all of them.
use std::f64::consts::PI;

use workbench::{Problem, Verdict, Workload};

/// The waves that the oracle checks, if the rod has them.
const WAVES: [usize; 5] = [1, 2, 3, 7, 20];

/// The input.
#[derive(Clone, Debug, PartialEq)]
pub struct Rod {
    /// The initial temperature of each cell.
    pub cells: Vec<f64>,
    /// The number of steps.
    pub steps: usize,
    /// The temperature at which a notice is made: the cell was colder before the step and is at least as hot after it.
    pub alarm: f64,
}

/// The notice that a cell has become hot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Notice {
    /// The step, from 1.
    pub step: usize,
    /// The index of the cell.
    pub cell: usize,
}

/// The output.
#[derive(Clone, Debug, PartialEq)]
pub struct Diary {
    /// The final temperature of each cell.
    pub cells: Vec<f64>,
    /// All notices, sorted by step and cell.
    pub notices: Vec<Notice>,
}

/// The problem.
pub struct Heat;

impl Problem for Heat {
    type Input = Rod;
    type Output = Diary;

    /// `"bumps"`: a rod of `size` cells, cold except for some bumps, 100 steps.
    fn workload(request: &Workload) -> Option<Rod> {
        let Workload { name, size, seed, .. } = request;
        (name == "bumps").then(|| Rod { cells: bumps(*size, *seed), steps: 100, alarm: 0.5 })
    }

    fn check(rod: &Rod, diary: &Diary) -> Verdict {
        if diary.cells.len() != rod.cells.len() {
            let (got, expected) = (diary.cells.len(), rod.cells.len());
            return Verdict::Wrong(format!("{got} cells, expected {expected}"));
        }
        let wrong = WAVES.iter().find_map(|wave| wave_is_wrong(rod, &diary.cells, *wave));
        wrong.or_else(|| notice_is_wrong(rod, diary)).map_or(Verdict::Right, Verdict::Wrong)
    }
}

/// `size` pseudo-random cells between 0 and 1, smooth over a few cells.
pub fn bumps(size: usize, seed: u64) -> Vec<f64> {
    let height = |i: usize| {
        let mixed = (i as u64 / 5 + seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as f64 / (1u64 << 24) as f64
    };
    (0..size).map(height).collect()
}

/// The amplitude of the wave in the cells without the straight line between their ends.
fn amplitude(cells: &[f64], wave: usize) -> f64 {
    let last = cells.len() - 1;
    let line = |i: usize| cells[0] + (cells[last] - cells[0]) * i as f64 / last as f64;
    let at = |i: usize| (PI * wave as f64 * i as f64 / last as f64).sin();
    (0..=last).map(|i| (cells[i] - line(i)) * at(i)).sum()
}

fn wave_is_wrong(rod: &Rod, cells: &[f64], wave: usize) -> Option<String> {
    if cells.is_empty() || wave + 1 >= cells.len() {
        return (cells.len() < 3 && cells != rod.cells).then(|| "ends keep their temperature".to_owned());
    }
    let half = (PI * wave as f64 / (2 * (cells.len() - 1)) as f64).sin();
    let left = (1.0 - half * half).powi(i32::try_from(rod.steps).unwrap_or(i32::MAX));
    let (got, expected) = (amplitude(cells, wave), left * amplitude(&rod.cells, wave));
    let size: f64 = rod.cells.iter().map(|cell| cell.abs()).sum();
    // The comparison is written so that NaN is wrong, too.
    let right = (got - expected).abs() <= 1e-12 * (size + 1.0) * (1.0 + (rod.steps as f64).sqrt());
    (!right).then(|| {
        format!("wave {wave} has the amplitude {got} after {} steps, expected {expected}", rod.steps)
    })
}

/// Checks that the notices are in order, and that each cell that has become hot has one.
fn notice_is_wrong(rod: &Rod, diary: &Diary) -> Option<String> {
    let notices = &diary.notices;
    if let Some(pair) = notices.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Some(format!("{:?} does not come before {:?}", pair[0], pair[1]));
    }
    let exists = |n: &Notice| (1..=rod.steps).contains(&n.step) && n.cell < rod.cells.len();
    if let Some(notice) = notices.iter().find(|notice| !exists(notice)) {
        return Some(format!("{notice:?} is none of this rod"));
    }
    let mut noticed = vec![0u64; rod.cells.len()];
    notices.iter().for_each(|notice| noticed[notice.cell] += 1);
    let hot = |cells: &[f64], i: usize| cells[i] >= rod.alarm;
    let unnoticed = |i: &usize| !hot(&rod.cells, *i) && hot(&diary.cells, *i) && noticed[*i] == 0;
    (0..rod.cells.len()).find(unnoticed).map(|cell| format!("cell {cell} became hot and nobody noticed"))
}
