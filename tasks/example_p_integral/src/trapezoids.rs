//! The sum over a block of steps, which the sequential and the parallel version share.
//!
//! A block of trapezoids is itself an application of the rule, to a part of the interval. So the results of the blocks
//! are added, and the first and the last block need no special case.
use std::ops::Range;

use assignment_1_20_integral::{Function, Input};

/// The area of the trapezoids `steps` of `input`; 0 for an empty range.
///
/// Neighbouring trapezoids share a side, so the function is evaluated once at each point: h (f0/2 + f1 + ... + fn/2).
pub fn trapezoids(input: &Input, steps: Range<u64>) -> f64 {
    // The function is selected here, once, so that the compiler generates a separate loop for each function.
    match input.function {
        Function::Line => area(|x| Function::Line.at(x), input, steps),
        Function::Sine => area(|x| Function::Sine.at(x), input, steps),
        Function::Exponential => area(|x| Function::Exponential.at(x), input, steps),
        Function::Witch => area(|x| Function::Witch.at(x), input, steps),
    }
}

/// The approximate number of floating-point operations of [`trapezoids`] for `steps`.
pub fn flops(input: &Input, steps: &Range<u64>) -> u64 {
    // The point, its function, the sum.
    (steps.end - steps.start) * (input.function.flops() + 3)
}

fn area(f: impl Fn(f64) -> f64, input: &Input, steps: Range<u64>) -> f64 {
    if steps.is_empty() {
        return 0.0;
    }
    // Each point is computed from its index: repeated addition of h would accumulate rounding errors.
    let h = input.width();
    let at = |step: u64| f(input.from + step as f64 * h);
    let ends = 0.5 * (at(steps.start) + at(steps.end));
    let inner: f64 = (steps.start + 1..steps.end).map(at).sum();
    h * (ends + inner)
}
